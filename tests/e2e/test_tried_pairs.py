"""The table of tried pairs in the docs is what the packaged model says."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_the_table_of_tried_pairs_is_what_the_packaged_model_says() -> None:
    done = subprocess.run(
        [sys.executable, str(ROOT / "scripts" / "tried_pairs"), "--check"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
