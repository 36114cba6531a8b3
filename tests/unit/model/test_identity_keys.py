"""What makes two findings one defect."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bicameral.model.evidence import Shot
from bicameral.model.findings import Finding
from bicameral.model.identity import issue_key, sighting_key

SHOT = Shot(
    shot_id="s", target="app", route="/home", state="rest", form_factor="desktop", scheme="light",
    picture="sha256:" + "0" * 64, width_px=1, height_px=1,
)  # fmt: skip
FINDING = Finding(
    shot_id="s", category="spacing", attribute="gap", severity="low", title="t", problem="p", confidence="low"
)


@pytest.mark.parametrize("changes", [{"platform": "ios"}, {"target": "bank"}, {"route": "/cart"}, {"state": "open"}])
def test_where_a_defect_is_makes_it_another_issue(changes: dict[str, str]) -> None:
    other = replace(SHOT, **changes)
    assert issue_key(FINDING, other) != issue_key(FINDING, SHOT)
    assert sighting_key(FINDING, other) != sighting_key(FINDING, SHOT)


@pytest.mark.parametrize("changes", [{"category": "contrast"}, {"attribute": "gutter"}, {"region": "shell-nav"}])
def test_what_a_defect_is_makes_it_another_issue(changes: dict[str, str]) -> None:
    assert issue_key(replace(FINDING, **changes), SHOT) != issue_key(FINDING, SHOT)


@pytest.mark.parametrize("changes", [{"form_factor": "phone"}, {"scheme": "dark"}])
def test_where_it_was_seen_makes_it_another_sighting_of_one_issue(changes: dict[str, str]) -> None:
    other = replace(SHOT, **changes)
    assert issue_key(FINDING, other) == issue_key(FINDING, SHOT)
    assert sighting_key(FINDING, other) != sighting_key(FINDING, SHOT)


def test_no_prose_takes_part() -> None:
    other = replace(FINDING, title="x", problem="y", severity="high", confidence="high", oracle="z")
    assert issue_key(other, SHOT) == issue_key(FINDING, SHOT)
