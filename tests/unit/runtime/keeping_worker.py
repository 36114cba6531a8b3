"""Another process that keeps batches: `python keeping_worker.py STATE RUN COUNT`. It speaks on stdout when ready."""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(Path(__file__).parent)]

from witness_store import held, keep, shots_with_evidence, workspace  # noqa: E402  # found by the line above


def main(state: str, run_id: str, count: int) -> None:
    with workspace(Path(state), run_id) as space:
        batches = []
        for position in range(count):
            shots = shots_with_evidence(space.evidence, f"{run_id} {position}")
            batches.append((shots, held("both agree on one and not on the other", shots)))
        print("ready", flush=True)
        sys.stdin.readline()
        for position, (shots, result) in enumerate(batches):
            keep(space, result, shots, run_id=run_id, position=position)
        print("done", flush=True)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]))
