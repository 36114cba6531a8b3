"""Every case of vectors/dialogue.json: two judges end to end, both scripted.

Not compared: reason wordings and the layout of what the second judge was shown. Copies made for sibling shots are one
finding here.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from bicameral.dialogue import hold_dialogue
from bicameral.errors import JudgeFailed, RosterError
from bicameral.model.judging import DialogueResult
from bicameral.model.seats import Seat
from bicameral.testing.scripted import ScriptedJudge
from dialogue_batches import question, shot

CASES = {
    case["name"]: case
    for case in json.loads((Path(__file__).parents[2] / "vectors" / "dialogue.json").read_text("utf-8"))["cases"]
}
AGREES = '{"verdicts":[{"index":0,"verdict":"agree"}]}'


def seats(case: dict) -> list[Seat]:
    return [Seat(**case["roster"][name]) for name in ("proposer", "challenger") if name in case["roster"]]


async def held(case: dict, *, challenge_clean: bool = False, again: str = AGREES) -> tuple[DialogueResult, list]:
    """The result, and the requests that the challenger saw."""
    shots = tuple(replace(shot(shot_id.removeprefix("web/")), shot_id=shot_id) for shot_id in case["shots"])
    named = {row["shotId"] for row in case["first"]} if case["first"] != "error" else set()
    clean = [shot_id for shot_id in case["shots"] if shot_id not in named]
    opening = (
        RuntimeError("first judge down")
        if case["first"] == "error"
        else json.dumps({"findings": case["first"], "cleanShotIds": clean})
    )
    reply = case["challenger_reply"]
    answer = RuntimeError(reply["error"]) if isinstance(reply, dict) else reply
    proposer, *others = seats(case)
    challenger = ScriptedJudge(others[0], [answer, answer]) if others else None
    asked = question(
        shots=shots,
        categories=tuple(case["panel"]["categories"]),
        challenge_instructions="Look again." if case["challenge_skill"] else None,
        challenge_clean=challenge_clean,
    )
    result = await hold_dialogue(asked, ScriptedJudge(proposer, [opening, again]), challenger, monotonic=lambda: 0.0)
    return result, [] if challenger is None else challenger.requests


def consensus_of(result: DialogueResult) -> list[dict | None]:
    found: list[dict | None] = []
    for finding in result.findings:
        consensus = finding.consensus
        if consensus is None:
            found.append(None)
            continue
        members: dict = {"reportedBy": consensus.reported_by}
        if consensus.agreed_by:
            members["agreedBy"] = list(consensus.agreed_by)
        if consensus.disputed_by:
            members["disputedBy"] = [{"oracle": d.oracle, "note": d.note} for d in consensus.disputed_by]
        found.append(members | {"rounds": consensus.rounds})
    return found


Check = Callable[[DialogueResult], None]


def not_understood(result: DialogueResult) -> None:
    assert (result.dialogued, result.undialogued_reason) == (False, "nothing-usable")
    assert consensus_of(result) == [None, None]
    assert not result.cacheable


def amendment_is_kept(result: DialogueResult) -> None:
    amended, agreed = result.findings
    assert amended.consensus is not None
    assert [(d.oracle, d.note) for d in amended.consensus.amended_by] == [("codex", "should be medium")]
    assert amended.consensus.agreed_by == ()
    assert amended.severity == "high"
    assert agreed.rulings[0].notes == ("yes",)


def null_addition_loses_itself_only(result: DialogueResult) -> None:
    assert result.dialogued
    assert [c and c.get("disputedBy") for c in consensus_of(result)] == [[{"oracle": "codex", "note": "wrong"}], None]
    assert [row.row for row in result.rejected] == ["null"]


def restatement_is_folded(result: DialogueResult) -> None:
    assert [finding.attribute for finding in result.findings] == ["gap-a", "gap-b"]
    assert result.findings[0].rulings[0].verdict == "agree"
    assert "gap-a" in result.findings[0].rulings[0].notes[0]
    assert len(result.turns) == 3


def second_round_runs(result: DialogueResult) -> None:
    added = result.findings[2]
    assert (added.attribute, added.oracle) == ("added-one", "codex")
    assert added.consensus is not None
    assert (added.consensus.reported_by, added.consensus.agreed_by) == ("codex", ("claude-code",))
    assert [c and c["rounds"] for c in consensus_of(result)] == [2, 2, 2]
    assert result.second_round_reason is None


def second_round_runs_on_siblings(result: DialogueResult) -> None:
    second_round_runs(result)
    assert len(result.findings) == 3
    assert len(result.findings[2].shot_ids) == 3
    assert result.clean_shot_ids == ()


# name: (what we answer, why)
DIFFERENT: dict[str, tuple[Check, str]] = {
    "silence": (not_understood, "a reply with nothing usable is undialogued"),
    "bad_rows_leave_standing": (not_understood, "a reply with nothing usable is undialogued"),
    "amend_note_is_lost": (amendment_is_kept, "an amendment's note is kept; an amender is no agreer"),
    "null_addition_discards_rulings": (null_addition_loses_itself_only, "a null row loses that row only"),
    "restates_first_finding_as_addition": (restatement_is_folded, "restatements are folded"),
    "adds_one": (second_round_runs, "the second round runs"),
    "adds_sibling": (second_round_runs_on_siblings, "the second round runs; siblings are one finding"),
}
RAISES = "first_judge_fails", "same_ai_twice"


@pytest.mark.parametrize("name", [name for name in CASES if name not in DIFFERENT and name not in RAISES])
async def test_a_dialogue_ends_as_the_vector_says(name: str) -> None:
    case = CASES[name]
    expect = case["expect"]
    result, requests = await held(case)
    assert result.dialogued is expect["dialogued"]
    assert (result.undialogued_reason is None) is ("undialogued_reason" not in expect)
    assert [(f.attribute, f.severity, f.oracle) for f in result.findings] == [
        (row["attribute"], row["severity"], row["oracle"]) for row in expect["findings"]
    ]
    assert consensus_of(result) == [row.get("consensus") for row in expect["findings"]]
    assert [json.loads(row.row) for row in result.rejected] == [row["raw"] for row in expect["rejected"]]
    asked_again = result.undialogued_reason == "unreadable"
    assert len(requests) == expect["challenger_called"] + asked_again
    shown = [f"#{item.index} [{item.finding.severity}] spacing" for item in requests[0].findings] if requests else []
    assert len(shown) == (len(case["first"]) if requests else 0)


@pytest.mark.parametrize("name", DIFFERENT)
async def test_a_dialogue_ends_differently_on_purpose(name: str) -> None:
    check, _why = DIFFERENT[name]
    result, _requests = await held(CASES[name])
    check(result)


async def test_first_judge_fails_raises_with_what_it_said() -> None:
    with pytest.raises(JudgeFailed, match="first judge down") as failed:
        await held(CASES["first_judge_fails"])
    assert failed.value.reason == "unreachable"


async def test_same_ai_twice_is_refused_before_anybody_is_asked() -> None:
    with pytest.raises(RosterError, match="argues with himself"):
        await held(CASES["same_ai_twice"])


async def test_nothing_found_is_put_to_the_challenger_only_if_what_was_missed_is_asked() -> None:
    result, requests = await held(CASES["nothing_found"], challenge_clean=True)
    assert len(requests) == 1
    # The recorded reply has no list of additions, so that it says nothing about what was missed.
    assert (result.dialogued, result.undialogued_reason) == (False, "nothing-usable")


def test_no_difference_is_named_that_no_vector_has() -> None:
    assert set(DIFFERENT) | set(RAISES) <= set(CASES)
