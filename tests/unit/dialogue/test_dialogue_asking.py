"""How often a judge is asked, and what a person watching and the record see of it."""

from __future__ import annotations

import asyncio

import pytest

from bicameral.canonical import sha256_digest
from bicameral.dialogue.asking import RAISED_OUTPUT_LIMIT
from bicameral.dialogue.extract import MAX_REPLY
from bicameral.errors import JudgeFailed
from bicameral.model.judging import JudgeEvent, Spend
from bicameral.model.seats import Seat
from bicameral.testing.scripted import Line, ScriptedJudge, ScriptRanOut
from dialogue_batches import DARK, LIGHT, PHONE, alone, first, hold, proposal, question, row, rulings, second

CUT_OFF = Line(text='{"findings": [', finish="length")


def half(*shots: str) -> str:
    return proposal(clean=shots)


async def test_a_refusal_is_not_asked_again() -> None:
    judge = first(Line(text=proposal(row()), finish="refusal"))
    with pytest.raises(JudgeFailed) as failed:
        await alone(judge)
    assert (failed.value.reason, len(judge.requests)) == ("refused", 1)


async def test_a_truncated_reply_is_asked_for_with_the_limit_raised() -> None:
    judge = first(CUT_OFF, proposal(row()))
    result = await alone(judge)
    assert [request.output_limit for request in judge.requests] == [None, RAISED_OUTPUT_LIMIT]
    assert [raw.state for raw in result.raw] == ["truncated", "complete"]
    judge = first(CUT_OFF, proposal(row()))
    await alone(judge, question(output_limit=50_000))
    assert [request.output_limit for request in judge.requests] == [50_000, 100_000]


async def test_a_batch_whose_reply_stays_truncated_is_halved() -> None:
    judge = first(CUT_OFF, CUT_OFF, proposal(row(), clean=[DARK]), half(PHONE))
    result = await alone(judge)
    asked = [tuple(shot.shot_id for shot in request.shots) for request in judge.requests]
    assert asked[2:] == [(LIGHT, DARK), (PHONE,)]
    assert [finding.attribute for finding in result.findings] == ["gap"]
    assert (result.clean_shot_ids, result.unaccounted) == ((DARK, PHONE), ())
    assert result.spend.calls == 4


async def test_a_half_that_fails_leaves_its_shots_unaccounted() -> None:
    for lost in (CUT_OFF, JudgeFailed("gone", reason="unreachable"), Line(finish="refusal")):
        result = await alone(first(CUT_OFF, CUT_OFF, proposal(row(), clean=[DARK]), lost))
        assert result.unaccounted == (PHONE,)
        assert len(result.findings) == 1


async def test_a_half_may_not_speak_of_the_other_halfs_shots() -> None:
    result = await alone(first(CUT_OFF, CUT_OFF, half(LIGHT, DARK), proposal(row(shot_id=LIGHT), clean=[])))
    assert result.findings == ()
    assert result.unaccounted == (PHONE,)


async def test_halves_are_not_halved_again() -> None:
    judge = first(CUT_OFF, CUT_OFF, CUT_OFF, CUT_OFF)
    with pytest.raises(JudgeFailed) as failed:
        await alone(judge)
    assert (failed.value.reason, len(judge.requests)) == ("truncated", 4)
    assert failed.value.spend == Spend(calls=4)


async def test_one_shot_cannot_be_halved() -> None:
    judge = first(CUT_OFF, CUT_OFF)
    with pytest.raises(JudgeFailed):
        await alone(judge, question(shots=question().shots[:1]))
    assert len(judge.requests) == 2


async def test_a_challenge_that_stays_truncated_is_halved_by_its_numbers() -> None:
    rows = [row(name) for name in ("a", "b", "c")]
    one = rulings("agree", ("dispute", "no"), additions=[row("c", title="Also c"), row("new")])
    other = (
        '{"verdicts":[{"index":2,"verdict":"dispute","note":"gone"},{"index":0,"verdict":"agree"}],"additions":[{}]}'
    )
    challenger = second(CUT_OFF, CUT_OFF, one, other)
    result = await hold(first(proposal(*rows), rulings("agree")), challenger)
    assert [[item.index for item in request.findings] for request in challenger.requests] == [
        [0, 1, 2],
        [0, 1, 2],
        [0, 1],
        [2],
    ]
    assert [request.task for request in challenger.requests][2:] == ["challenge", "rule"]
    words = [finding.rulings[0].verdict for finding in result.findings]
    assert words == ["agree", "dispute", "agree", "agree"]  # c was restated, which voids the dispute of the other half
    assert result.unruled == ()
    assert sorted(lost.where for lost in result.rejected) == ["additions[0]", "verdicts[0]", "verdicts[1]"]


async def test_half_a_challenge_keeps_its_good_rulings() -> None:
    for script in (
        [CUT_OFF, CUT_OFF, rulings("agree"), CUT_OFF],
        [CUT_OFF, CUT_OFF, CUT_OFF, rulings("agree", "agree")],
    ):
        result = await hold(first(proposal(row("a"), row("b"))), second(*script))
        assert result.dialogued
        assert len(result.unruled) == 1
        assert not result.cacheable


async def test_a_challenge_of_which_no_half_comes_is_no_dialogue() -> None:
    result = await hold(first(proposal(row("a"), row("b"))), second(*[CUT_OFF] * 4))
    assert (result.dialogued, result.undialogued_reason) == (False, "truncated")


async def test_an_unreadable_and_then_truncated_reply_is_asked_for_three_times_at_most() -> None:
    judge = first("x", CUT_OFF, "x")
    with pytest.raises(JudgeFailed) as failed:
        await alone(judge)
    assert (failed.value.reason, len(judge.requests)) == ("unreadable", 3)


async def test_a_reply_that_does_not_come_in_time_is_timed_out() -> None:
    judge = second(Line(text=rulings("agree"), delay_s=30))
    result = await hold(first(proposal(row())), judge, question(timeout_s=0.01))
    assert (result.dialogued, result.undialogued_reason) == (False, "timed-out")


@pytest.mark.parametrize("whose", ["proposer", "challenger"])
async def test_cancellation_passes_through(whose: str) -> None:
    slow = Line(text=proposal(row()), delay_s=30)
    proposer = first(slow if whose == "proposer" else proposal(row()))
    task = asyncio.ensure_future(hold(proposer, second(slow)))
    await asyncio.sleep(0.01)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


async def test_a_script_that_runs_out_is_no_failed_judge() -> None:
    with pytest.raises(ScriptRanOut):
        await hold(first(proposal(row())), second())


async def test_a_person_watching_sees_each_ask_and_what_came_of_it() -> None:
    events: list[JudgeEvent] = []
    await hold(first("x", proposal(row())), second(RuntimeError("exited 1")), events=events)
    assert [(event.kind, event.task, event.handle) for event in events] == [
        ("asked", "propose", "claude-code"),
        ("answered", "propose", "claude-code"),
        ("asking-again", "propose", "claude-code"),
        ("asked", "propose", "claude-code"),
        ("answered", "propose", "claude-code"),
        ("asked", "challenge", "codex"),
        ("failed", "challenge", "codex"),
    ]
    assert events[-1].detail == "RuntimeError: exited 1"


async def test_a_raw_reply_is_kept_whole_with_all_it_takes_to_read_it_again() -> None:
    text = "Well. " + proposal(row())
    line = Line(text=text, parts=("axe", "layout"), reads=(LIGHT, DARK, PHONE), meta={"pictures": "halved"})
    (raw,) = (await alone(ScriptedJudge(Seat("axe+layout", "4"), [line]))).raw
    assert (raw.text, raw.task, raw.handle, raw.model) == (text, "propose", "axe+layout", "4")
    assert raw.digest == sha256_digest(text.encode())
    assert (raw.parts, raw.reads, raw.meta, raw.half) == (line.parts, line.reads, line.meta, 0)


async def test_a_raw_reply_that_no_store_could_keep_is_kept_as_escapes() -> None:
    (raw,) = (await alone(first("\ud800\0 " + proposal(row())))).raw
    assert raw.text.startswith("\\ud800\\u0000 ")
    assert raw.state == "complete"


async def test_a_reply_of_ten_megabytes_is_cut_off_and_unreadable() -> None:
    with pytest.raises(JudgeFailed) as failed:
        await alone(first(*["x" * 10_000_000] * 2))
    assert failed.value.reason == "unreadable"
    assert failed.value.raw is not None
    assert len(failed.value.raw.text) == MAX_REPLY + 1


async def test_spend_is_summed_over_failures_too() -> None:
    cost = Spend(calls=1, input_tokens=10, output_tokens=5, usd=0.25)
    broken = JudgeFailed("x", reason="unreachable", spend=Spend(calls=1, usd=0.5))
    result = await hold(first(Line(text=proposal(row()), spend=cost)), second(broken))
    assert result.spend == Spend(calls=2, input_tokens=10, output_tokens=5, usd=0.75)


async def test_an_adapter_that_breaks_its_own_contract_ends_the_challenge_in_order() -> None:
    class Careless:
        seat = second().seat
        costs_nothing = True

        @property
        def identity(self) -> dict[str, str]:
            return {}

        async def ask(self, request: object) -> object:
            return None

    result = await hold(first(proposal(row())), Careless())  # type: ignore[arg-type]
    assert (result.dialogued, result.undialogued_reason) == (False, "unreadable")
