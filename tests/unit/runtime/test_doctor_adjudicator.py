"""What `doctor` says of whoever weighs disputes."""

from __future__ import annotations

from pathlib import Path

import pytest

from bicameral.ports import Health
from bicameral.runtime.doctor import diagnose
from bicameral.settings import Settings


def adjudicator(tmp_path: Path, **named: str) -> Health:
    settings = Settings(state_dir=tmp_path / "state", **named)  # type: ignore[arg-type]  # text settings alone
    (found,) = (check for check in diagnose(settings).checks if check.name == "adjudicator")
    return found


def test_the_packaged_model_is_shown_as_small_with_the_way_to_a_better_one(tmp_path: Path) -> None:
    found = adjudicator(tmp_path)
    assert found.ok
    assert "a low score from it is no sign of agreement" in found.what
    assert "nli pull" in found.needs


def test_with_nobody_to_ask_disputes_are_said_to_be_unverified(tmp_path: Path) -> None:
    assert "unverified" in adjudicator(tmp_path, adjudicator="none").what


@pytest.mark.parametrize("word", ["no-such-thing", "http://127.0.0.1:1", "org/model@main"])
def test_one_that_cannot_be_asked_is_told_with_the_reason(tmp_path: Path, word: str) -> None:
    found = adjudicator(tmp_path, adjudicator=word)
    assert not found.ok
    assert found.why_not


def test_the_main_job_does_without_an_adjudicator(tmp_path: Path) -> None:
    whole = diagnose(Settings(state_dir=tmp_path / "state", adjudicator="http://127.0.0.1:1"))
    assert {check.name for check in whole.checks if not check.ok} == {"adjudicator"}
    assert whole.ok
