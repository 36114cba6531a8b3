"""The command line. `main` is the console script; everything else is loaded when a command needs it."""

from __future__ import annotations

import sys


def main() -> None:
    """Run the command line and exit with its status: 0 nothing open, 1 open findings, 2 could not be done."""
    from bicameral.interfaces.cli._app import run

    sys.exit(run(sys.argv[1:]))
