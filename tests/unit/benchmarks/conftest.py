"""The benchmarks are programs beside the package, not a part of it; their modules are found by their folder."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "benchmarks"))
