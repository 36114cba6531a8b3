"""Scripts run under Node.js, in tests. The Node is the one that Playwright brings, so none is asked of the machine."""

from __future__ import annotations

import subprocess
from collections.abc import Iterable
from pathlib import Path

from playwright._impl._driver import compute_driver_executable

LONGEST = 100
"""Seconds that a script may take; far above what any takes."""


def run_node(script: Path, *words: str | Path, lines: Iterable[str] = ()) -> subprocess.CompletedProcess[str]:
    """The script, ended. words: its arguments.  lines: its standard input."""
    node, _ = compute_driver_executable()
    return subprocess.run(
        [node, str(script), *map(str, words)],
        input="".join(f"{line}\n" for line in lines),
        capture_output=True,
        encoding="utf-8",
        timeout=LONGEST,
        check=False,
    )
