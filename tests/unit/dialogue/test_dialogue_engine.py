"""Whose turn it is, and what comes of it: each promise of a dialogue, with judges that have a script."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from bicameral.dialogue import hold_dialogue
from bicameral.errors import EvidenceError, InputError, JudgeFailed, RosterError
from bicameral.model.judging import DialogueResult, Spend
from bicameral.model.seats import Seat
from bicameral.testing.scripted import Line, ScriptedJudge
from dialogue_batches import (
    DARK,
    FIRST,
    LIGHT,
    PHONE,
    SECOND,
    SHOT_IDS,
    SHOTS,
    alone,
    first,
    hold,
    proposal,
    question,
    row,
    rulings,
    second,
    shot,
)

TWO = proposal(row("gap"), row("label", severity="low", confidence="low"))


def stripped(result: DialogueResult) -> list[object]:
    return [replace(finding, rulings=(), consensus=None) for finding in result.findings]


async def test_one_judge_alone_gives_its_findings_and_no_consensus() -> None:
    result = await alone(first(TWO))
    assert [finding.attribute for finding in result.findings] == ["gap", "label"]
    assert {finding.consensus for finding in result.findings} == {None}
    assert {finding.oracle for finding in result.findings} == {FIRST}
    assert (result.clean_shot_ids, result.unaccounted) == ((DARK, PHONE), ())
    assert result.spend == Spend(calls=1)


@pytest.mark.parametrize("without", ["challenger", "instructions"])
async def test_no_challenger_means_one_judge_and_nothing_else(without: str) -> None:
    challenger = second()
    result = await hold(
        first(TWO),
        None if without == "challenger" else challenger,
        question(challenge_instructions=None) if without == "instructions" else None,
    )
    judged = await alone(first(TWO))
    assert (result.findings, result.clean_shot_ids) == (judged.findings, judged.clean_shot_ids)
    assert (result.dialogued, result.undialogued_reason, result.unruled) == (True, None, ())
    assert result.cacheable
    assert result.roster.challenger is None
    assert challenger.requests == []
    assert [turn.act for turn in result.turns] == ["charge", "findings"]


async def test_a_judge_that_is_alone_is_asked_to_propose_and_shown_everything() -> None:
    judge = first(TWO)
    await alone(judge, question(facts_lines={LIGHT: "16 px"}, timeout_s=9.0, output_limit=500))
    (request,) = judge.requests
    assert (request.task, request.attempt, request.timeout_s, request.output_limit) == ("propose", 0, 9.0, 500)
    assert (request.shots, request.instructions, request.findings) == (SHOTS, "Look.", ())
    assert "16 px" in request.prompt


async def test_nothing_changes_of_a_finding_but_what_is_said_beside_it() -> None:
    judged = await alone(first(TWO))
    result = await hold(first(TWO), second(rulings(("dispute", "critical!"), ("amend", "it is critical"))))
    assert stripped(result) == list(judged.findings)
    disputed, amended = result.findings
    assert disputed.consensus is not None
    assert amended.consensus is not None
    assert [(d.oracle, d.note) for d in disputed.consensus.disputed_by] == [(SECOND, "critical!")]
    assert [(d.oracle, d.note) for d in amended.consensus.amended_by] == [(SECOND, "it is critical")]
    assert disputed.consensus.disputed
    assert amended.consensus.agreed
    assert (amended.severity, amended.confidence) == ("low", "low")
    assert result.cacheable


async def test_cannot_tell_counts_as_ruled_and_is_neither_agreement_nor_dispute() -> None:
    result = await hold(first(proposal(row())), second(rulings("cannot-tell")))
    (finding,) = result.findings
    assert finding.consensus is not None
    assert finding.consensus.undecided_by == (SECOND,)
    assert not finding.consensus.agreed
    assert not finding.consensus.disputed
    assert (result.unruled, result.cacheable) == ((), True)


async def test_silence_on_one_number_is_unruled_and_the_rest_is_kept() -> None:
    result = await hold(first(TWO), second(rulings("agree")))
    assert result.dialogued
    assert result.unruled == (1,)
    assert not result.cacheable
    silent = result.findings[1].consensus
    assert silent is not None
    assert not silent.ruled
    assert silent.agreed_by == ()


@pytest.mark.parametrize("text", ["{}", '{"verdicts":[]}', '{"verdicts":[{"index":9,"verdict":"agree"}]}', "[]"])
async def test_a_reply_in_which_nothing_can_be_used_is_no_dialogue(text: str) -> None:
    challenger = second(text, text)
    result = await hold(first(TWO), challenger)
    assert not result.dialogued
    assert result.undialogued_reason in {"nothing-usable", "unreadable"}
    assert {finding.consensus for finding in result.findings} == {None}
    assert result.unruled == (0, 1)
    assert not result.cacheable
    assert [turn.act for turn in result.turns] == ["charge", "findings", "no-challenge"]
    assert result.turns[-1].content == {"act": "no-challenge", "reason": result.undialogued_reason}


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (JudgeFailed("no network", reason="unreachable"), "unreachable"),
        (JudgeFailed("spent", reason="budget"), "budget"),
        (JudgeFailed("slow", reason="timed-out"), "timed-out"),
        (JudgeFailed("stopped", reason="cancelled"), "cancelled"),
        (RuntimeError("exited 1"), "unreachable"),
        (TimeoutError(), "timed-out"),
        (Line(finish="refusal"), "refused"),
        (Line(text=""), "empty"),
    ],
)
async def test_a_failed_challenge_is_neither_fatal_nor_silent_and_is_not_tried_again(line: object, reason: str) -> None:
    challenger = second(line)
    result = await hold(first(TWO), challenger)
    assert (result.dialogued, result.undialogued_reason) == (False, reason)
    assert [finding.attribute for finding in result.findings] == ["gap", "label"]
    assert {finding.consensus for finding in result.findings} == {None}
    assert not result.cacheable
    assert len(challenger.requests) == 1


async def test_an_unreadable_challenge_is_asked_for_once_more() -> None:
    challenger = second("no JSON here", rulings("agree", "agree"))
    result = await hold(first(TWO), challenger)
    assert (result.dialogued, result.cacheable) == (True, True)
    assert [request.attempt for request in challenger.requests] == [0, 1]
    assert [raw.state for raw in result.raw] == ["complete", "unreadable", "complete"]
    assert result.spend.calls == 3


async def test_nothing_found_is_put_to_a_challenger_that_costs_nothing() -> None:
    challenger = second('{"additions":[]}', costs_nothing=True)
    result = await hold(first(proposal()), challenger, question(challenge_clean=None))
    assert len(challenger.requests) == 1
    assert challenger.requests[0].findings == ()
    assert (result.dialogued, result.findings, result.cacheable) == (True, (), True)
    assert result.turns[0].content["challenge_clean"] is True


@pytest.mark.parametrize("asked", [None, False])
async def test_nothing_found_is_not_put_to_a_challenger_that_costs_something(asked: bool | None) -> None:
    challenger = second()
    result = await hold(first(proposal()), challenger, question(challenge_clean=asked))
    assert challenger.requests == []
    assert (result.dialogued, result.cacheable) == (True, True)
    assert [turn.act for turn in result.turns] == ["charge", "findings"]
    assert result.turns[1].audience == "team"  # nothing is put to the challenger, whom the charge names


async def test_what_the_challenger_adds_is_ruled_on_by_the_proposer_who_may_add_nothing() -> None:
    proposer = first(proposal(row("gap")), rulings(("dispute", "that is by design"), additions=[row("more")]))
    challenger = second(rulings("agree", additions=[row("missed", shot_id=DARK)]))
    result = await hold(proposer, challenger)
    filed, added = result.findings
    assert (added.attribute, added.oracle) == ("missed", SECOND)
    assert added.consensus is not None
    assert added.consensus.reported_by == SECOND
    assert [(d.oracle, d.note) for d in added.consensus.disputed_by] == [(FIRST, "that is by design")]
    assert filed.consensus is not None
    assert (filed.consensus.rounds, added.consensus.rounds) == (2, 2)
    assert result.clean_shot_ids == (PHONE,)
    assert [json.loads(lost.row)["attribute"] for lost in result.rejected] == ["more"]
    rule = proposer.requests[1]
    assert (rule.task, [item.index for item in rule.findings]) == ("rule", [0])
    assert rule.findings[0].finding.attribute == "missed"
    assert rule.instructions == "Look again."
    assert [turn.act for turn in result.turns] == ["charge", "findings", "rulings", "rulings"]
    assert (proposer.unused, challenger.unused) == (0, 0)


@pytest.mark.parametrize(
    ("line", "reason"),
    [(JudgeFailed("gone", reason="unreachable"), "unreachable"), ("{}", "nothing-usable"), (Line(text=" "), "empty")],
)
async def test_a_second_round_that_fails_leaves_the_additions_as_the_challengers_sole_account(
    line: object, reason: str
) -> None:
    result = await hold(first(proposal(row()), line), second(rulings("agree", additions=[row("missed")])))
    assert (result.dialogued, result.second_round_reason) == (True, reason)
    added = result.findings[1].consensus
    assert added is not None
    assert (added.reported_by, added.ruled, added.rounds) == (SECOND, False, 1)
    assert result.unruled == (1,)
    assert not result.cacheable
    assert result.turns[-1].content == {"act": "no-second-round", "reason": reason}


async def test_a_second_round_that_rules_on_some_lists_the_rest() -> None:
    added = rulings("agree", additions=[row("one"), row("two")])
    result = await hold(first(proposal(row()), rulings("agree")), second(added))
    assert (result.unruled, result.second_round_reason, result.cacheable) == ((2,), None, False)


async def test_a_restatement_alone_calls_no_second_round() -> None:
    proposer = first(proposal(row("gap")))
    result = await hold(proposer, second(rulings(additions=[row("gap")])))
    (finding,) = result.findings
    assert finding.consensus is not None
    assert finding.consensus.agreed_by == (SECOND,)
    assert len(proposer.requests) == 1
    assert result.cacheable


async def test_a_proposal_with_unaccounted_shots_is_challenged_but_not_cached() -> None:
    result = await hold(first(proposal(row(), clean=[DARK])), second(rulings("agree")))
    assert (result.dialogued, result.unaccounted, result.cacheable) == (True, (PHONE,), False)


async def test_an_addition_on_an_unaccounted_shot_does_not_make_the_account_complete() -> None:
    added = second(rulings("agree", additions=[row("missed", shot_id=PHONE)]))
    result = await hold(first(proposal(row(), clean=[DARK]), rulings("agree")), added)
    assert (result.unaccounted, result.cacheable) == ((), False)


async def test_a_judge_that_did_not_open_what_it_called_clean_is_not_believed() -> None:
    result = await alone(first(Line(text=proposal(row()), reads=(LIGHT, DARK))))
    assert (result.clean_shot_ids, result.unaccounted) == ((DARK,), (PHONE,))


async def test_what_was_left_out_is_in_the_result() -> None:
    result = await hold(first(proposal(row(), row(severity="urgent"))), second(rulings("agree", "dispute")))
    assert [lost.where for lost in result.rejected] == ["findings[1]", "verdicts[1]"]


async def test_a_part_files_and_the_seat_speaks() -> None:
    judge = ScriptedJudge(Seat("axe+layout", "4"), [Line(text=proposal(row(part="layout")), parts=("axe", "layout"))])
    result = await hold(judge, second(rulings("agree")))
    (finding,) = result.findings
    assert finding.oracle == "layout"
    assert finding.consensus is not None
    assert finding.consensus.reported_by == "axe+layout"
    assert result.turns[1].speaker == "axe+layout"
    assert result.turns[1].meta == {"model": "4", "parts": "axe+layout"}


async def test_the_proposer_that_fails_raises_with_the_reply_and_all_it_cost() -> None:
    with pytest.raises(JudgeFailed, match="claude-code:m1") as failed:
        await alone(first("nonsense", "still nonsense"))
    assert failed.value.reason == "unreadable"
    assert failed.value.raw is not None
    assert failed.value.raw.text == "still nonsense"
    assert failed.value.spend == Spend(calls=2)


async def test_one_ai_in_both_seats_is_refused() -> None:
    with pytest.raises(RosterError):
        await hold_dialogue(question(), first(TWO), first(TWO), monotonic=lambda: 0.0)


async def test_the_duration_is_what_the_handed_in_clock_says() -> None:
    times = iter([10.0, 12.5])
    result = await hold_dialogue(question(), first(TWO), None, monotonic=lambda: next(times))
    assert result.duration_s == 2.5


def test_a_batch_without_shots_or_with_one_id_twice_is_refused() -> None:
    with pytest.raises(EvidenceError, match="no shot"):
        question(shots=())
    with pytest.raises(EvidenceError, match="Two shots"):
        question(shots=(shot(LIGHT), shot(LIGHT)))
    with pytest.raises(InputError, match="vocabulary"):
        question(categories=())


async def test_a_vocabulary_of_ones_own_decides_what_may_be_filed() -> None:
    result = await alone(first(proposal(row(category="taste"), row())), question(categories=("taste",)))
    assert [finding.category for finding in result.findings] == ["taste"]
    assert len(result.rejected) == 1


async def test_a_finding_on_several_shots_is_one_number() -> None:
    challenger = second(rulings("agree"))
    result = await hold(first(proposal(row(also_shot_ids=[DARK, PHONE]))), challenger)
    assert len(challenger.requests[0].findings) == 1
    assert result.findings[0].shot_ids == SHOT_IDS
