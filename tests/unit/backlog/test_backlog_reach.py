"""Over what a dialogue's verdicts are complete."""

from __future__ import annotations

import json
from typing import Any

import pytest
from backlog_builders import finding, shot

import dialogue_batches as batches
from bicameral.backlog import reach_of
from bicameral.model.findings import Consensus, Finding, RejectedRow
from bicameral.model.judging import DialogueResult, RawReply, Utterance
from bicameral.model.seats import Roster, Seat
from bicameral.model.vocabulary import ReplyState, Task
from bicameral.testing.scripted import Line

SHOTS = (shot(), shot(form_factor="phone"))
BOTH = frozenset(one.shot_id for one in SHOTS)
ROSTER = Roster(Seat("axe+layout", "1"), Seat("pixels", "1"))
ANSWERED = (Utterance(act="rulings", speaker="pixels", audience="axe+layout", content={}),)
ALONE = {"axe", "layout", "axe+layout"}
LOST = {"reason": "no severity", "row": "{}"}


def reply(task: Task = "challenge", state: ReplyState = "complete", *, half: int = 0) -> RawReply:
    return RawReply(handle="pixels", model="1", task=task, text="{}", digest="d", finish="stop", state=state, half=half)


def found(reported_by: str) -> Finding:
    return finding(SHOTS[0], consensus=Consensus(reported_by=reported_by))


def result(**more: Any) -> DialogueResult:
    plain = {
        "findings": (),
        "clean_shot_ids": tuple(BOTH),
        "unaccounted": (),
        "dialogued": True,
        "roster": ROSTER,
        "turns": ANSWERED,
        "raw": (reply("propose"), reply()),
    }
    return DialogueResult(**plain | more)


def reached(**more: Any) -> dict[str, frozenset[str]]:
    return {reach.oracle: reach.shot_ids for reach in reach_of(result(**more), SHOTS)}


def test_both_seats_reach_every_shot_of_a_whole_dialogue_by_part_and_by_handle() -> None:
    assert reached() == dict.fromkeys((*ALONE, "pixels"), BOTH)


def test_a_proposal_that_leaves_one_shot_unaccounted_for_is_complete_over_none() -> None:
    assert set(reached(unaccounted=(SHOTS[0].shot_id,))) == {"pixels"}


def test_an_addition_on_the_shot_does_not_make_the_proposal_complete() -> None:
    said = Utterance(
        act="findings", speaker="axe+layout", audience="pixels", content={"unaccounted": [SHOTS[0].shot_id]}
    )
    assert set(reached(turns=(said, *ANSWERED))) == {"pixels"}


@pytest.mark.parametrize(
    "where", ["findings[0]", "findings", "clean_shot_ids[2]", "clean_shot_ids", "cleanShotIds[2]", "cleanShotIds"]
)
def test_a_row_of_the_proposal_that_was_left_out_may_be_the_very_one_that_is_missing(where: str) -> None:
    assert set(reached(rejected=(RejectedRow(**LOST, where=where),))) == {"pixels"}


@pytest.mark.parametrize("where", ["additions[3]", "additions"])
def test_a_lost_addition_leaves_the_challenger_without_reach(where: str) -> None:
    assert set(reached(rejected=(RejectedRow(**LOST, where=where),))) == ALONE


def test_a_number_that_the_challenger_did_not_rule_on_leaves_it_without_reach() -> None:
    assert set(reached(findings=(found("axe+layout"),), unruled=(0,))) == ALONE


def test_an_addition_that_the_proposer_did_not_rule_on_takes_nothing_from_the_challenger() -> None:
    assert "pixels" in reached(findings=(found("pixels"),), unruled=(0,))


def test_a_ruling_that_was_left_out_costs_nothing_where_every_number_is_ruled_all_the_same() -> None:
    assert "pixels" in reached(rejected=(RejectedRow(reason="no note", row="{}", where="verdicts[0]"),))


@pytest.mark.parametrize(
    "raw",
    [
        (reply(state="truncated"), reply(half=1), reply("rule", half=2)),
        (reply(state="truncated"), reply("rule", half=2)),
        (),
    ],
    ids=["in halves", "one half alone", "no reply"],
)
def test_a_challenge_that_was_not_asked_whole_reaches_nothing(raw: tuple[RawReply, ...]) -> None:
    assert set(reached(raw=raw)) == ALONE


def test_a_challenge_that_was_asked_again_whole_is_whole() -> None:
    assert "pixels" in reached(raw=(reply(state="truncated"), reply()))


@pytest.mark.parametrize("more", [{"dialogued": False}, {"turns": ()}], ids=["failed", "not asked"])
def test_a_challenger_that_did_not_answer_reaches_nothing(more: dict[str, Any]) -> None:
    assert set(reached(**more)) == ALONE


def test_one_judge_alone_reaches_what_it_accounted_for() -> None:
    assert reached(roster=Roster(Seat("codex", "gpt")), turns=()) == {"codex": BOTH}


def test_a_reach_holds_for_the_categories_asked_about() -> None:
    (reach, *_) = reach_of(result(), SHOTS, categories=["contrast"])
    assert reach.covers(reach.oracle, "contrast", SHOTS[0].shot_id)
    assert not reach.covers(reach.oracle, "overlap", SHOTS[0].shot_id)


class TestRealDialogues:
    """The same, by what the engine makes of real replies."""

    @staticmethod
    async def oracles(proposer: Any, challenger: Any) -> set[str]:
        held = await batches.hold(batches.first(*proposer), batches.second(*challenger))
        return {reach.oracle for reach in reach_of(held, batches.SHOTS)}

    async def test_a_whole_dialogue(self) -> None:
        both = [batches.proposal(batches.row())], [batches.rulings("agree")]
        assert await self.oracles(*both) == {batches.FIRST, batches.SECOND}

    async def test_a_shot_that_was_not_opened(self) -> None:
        proposal = Line(text=batches.proposal(batches.row()), reads=(batches.LIGHT,))
        assert await self.oracles([proposal], [batches.rulings("agree")]) == {batches.SECOND}

    async def test_a_number_left_out(self) -> None:
        proposal = batches.proposal(batches.row("a"), batches.row("b"))
        assert await self.oracles([proposal], [batches.rulings("agree")]) == {batches.FIRST}

    async def test_a_challenge_in_halves(self) -> None:
        cut = Line(text="", finish="length")
        second = json.dumps({"verdicts": [{"index": 1, "verdict": "agree"}]})
        for first in (batches.rulings("agree"), RuntimeError("down")):
            proposal = batches.proposal(batches.row("a"), batches.row("b"))
            assert await self.oracles([proposal], [cut, cut, first, second]) == {batches.FIRST}
