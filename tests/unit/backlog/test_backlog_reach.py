"""Over what a dialogue's verdicts are complete."""

from __future__ import annotations

from typing import Any

import pytest
from backlog_builders import shot

from bicameral.backlog import reach_of
from bicameral.model.findings import RejectedRow
from bicameral.model.judging import DialogueResult, Utterance
from bicameral.model.seats import Roster, Seat

SHOTS = (shot(), shot(form_factor="phone"))
BOTH = frozenset(one.shot_id for one in SHOTS)
ROSTER = Roster(Seat("axe+layout", "1"), Seat("pixels", "1"))
ANSWERED = (Utterance(act="rulings", speaker="pixels", audience="axe+layout", content={}),)


def result(**more: Any) -> DialogueResult:
    plain = {
        "findings": (),
        "clean_shot_ids": tuple(BOTH),
        "unaccounted": (),
        "dialogued": True,
        "roster": ROSTER,
        "turns": ANSWERED,
    }
    return DialogueResult(**plain | more)


def reached(**more: Any) -> dict[str, frozenset[str]]:
    return {reach.oracle: reach.shot_ids for reach in reach_of(result(**more), SHOTS)}


def test_both_seats_reach_every_shot_of_a_whole_dialogue_by_part_and_by_handle() -> None:
    assert reached() == dict.fromkeys(("axe", "layout", "axe+layout", "pixels"), BOTH)


def test_an_unaccounted_shot_is_not_reached_by_the_proposer() -> None:
    assert reached(unaccounted=(SHOTS[0].shot_id,))["axe"] == {SHOTS[1].shot_id}


def test_a_lost_finding_may_be_the_very_one_that_is_missing() -> None:
    lost = reached(rejected=(RejectedRow(reason="no severity", row="{}", where="findings[0]"),))
    assert set(lost) == {"pixels"}


def test_a_lost_addition_leaves_the_challenger_without_reach() -> None:
    lost = reached(rejected=(RejectedRow(reason="no severity", row="{}", where="additions[3]"),))
    assert "pixels" not in lost


def test_a_lost_ruling_takes_nothing_from_what_either_filed() -> None:
    assert "pixels" in reached(rejected=(RejectedRow(reason="no note", row="{}", where="verdicts[0]"),))


@pytest.mark.parametrize("more", [{"dialogued": False}, {"turns": ()}], ids=["failed", "not asked"])
def test_a_challenger_that_did_not_answer_reaches_nothing(more: dict[str, Any]) -> None:
    assert set(reached(**more)) == {"axe", "layout", "axe+layout"}


def test_one_judge_alone_reaches_what_it_accounted_for() -> None:
    assert reached(roster=Roster(Seat("codex", "gpt")), turns=()) == {"codex": BOTH}


def test_a_reach_holds_for_the_categories_asked_about() -> None:
    (reach, *_) = reach_of(result(), SHOTS, categories=["contrast"])
    assert reach.covers(reach.oracle, "contrast", SHOTS[0].shot_id)
    assert not reach.covers(reach.oracle, "overlap", SHOTS[0].shot_id)
