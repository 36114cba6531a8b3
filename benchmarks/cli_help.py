"""How long `bicameral --help` takes, against an interpreter that does nothing, in the same run.

Figure to reach: under 200 ms. Usage: python benchmarks/cli_help.py [--times N]
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
import time


def once(command: list[str]) -> float:
    start = time.perf_counter()
    subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
    return (time.perf_counter() - start) * 1000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--times", type=int, default=15)
    times = parser.parse_args().times
    ours, bare = [], []
    for _ in range(times):  # interleaved, so that both meet the same machine
        ours.append(once([sys.executable, "-m", "bicameral", "--help"]))
        bare.append(once([sys.executable, "-c", "pass"]))
    help_ms, bare_ms = statistics.median(ours), statistics.median(bare)
    print(f"bicameral --help   median {help_ms:6.1f} ms   min {min(ours):6.1f}   max {max(ours):6.1f}")
    print(f"python -c pass     median {bare_ms:6.1f} ms")
    print(f"ratio {help_ms / bare_ms:.1f}; figure to reach: 200 ms, {'reached' if help_ms < 200 else 'missed'}")


if __name__ == "__main__":
    main()
