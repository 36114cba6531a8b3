"""The reports are, to the character, what was last looked at and kept. `rebuild.py` beside this file makes them."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

HERE = Path(__file__).parent
_SPEC = importlib.util.spec_from_file_location("rebuild_golden_reports", HERE / "rebuild.py")
assert _SPEC is not None
assert _SPEC.loader is not None
rebuild = importlib.util.module_from_spec(_SPEC)
_SPEC.loader.exec_module(rebuild)

MADE = rebuild.golden_reports()


@pytest.mark.parametrize("name", sorted(MADE))
def test_the_report_is_the_one_that_was_kept(name: str) -> None:
    assert MADE[name] == (HERE / name).read_text("utf-8")


def test_every_kept_report_is_one_that_is_made() -> None:
    kept = {path.name for path in HERE.iterdir() if path.suffix in (".json", ".txt", ".html")}
    assert kept == set(MADE)
