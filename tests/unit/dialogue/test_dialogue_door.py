"""An adapter may be anybody's program: whatever it returns or raises, the dialogue ends in order, on record."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from bicameral.canonical import record_json
from bicameral.dialogue import decode_result, encode_result, hold_dialogue, judge_alone
from bicameral.errors import JudgeFailed, RosterError
from bicameral.model.judging import DialogueResult, JudgeEvent, JudgeReply, Spend
from bicameral.model.seats import Seat
from bicameral.testing.scripted import Line, ScriptedJudge
from dialogue_batches import FIRST, LIGHT, SECOND, alone, first, hold, proposal, question, row, rulings, second


def reply(**changes: Any) -> JudgeReply:
    given: dict[str, Any] = {"text": rulings("agree"), "handle": SECOND, "model": "m2"}
    return JudgeReply(**(given | changes))


async def answered(**changes: Any) -> DialogueResult:
    return await hold(first(proposal(row())), second(reply(**changes)))


WHOLE = Spend(calls=2, input_tokens=3, output_tokens=4, usd=0.25)


class Wild:
    """Something that fails whatever is done with it."""

    def __eq__(self, other: object) -> bool:
        raise ValueError("no")

    __hash__ = None  # type: ignore[assignment]


ODD: dict[str, dict[str, Any]] = {
    "text none": {"text": None},
    "text bytes": {"text": b"{}"},
    "handle none": {"handle": None},
    "handle empty": {"handle": ""},
    "handle surrogate": {"handle": "\ud800"},
    "handle NUL": {"handle": "codex\0"},
    "handle wild": {"handle": Wild()},
    "model none": {"model": None},
    "model surrogate": {"model": "m\udfff"},
    "model NUL": {"model": "m\0"},
    "model endless": {"model": "m" * 100_000},
    "finish unknown": {"finish": "max_tokens"},
    "finish none": {"finish": None},
    "finish list": {"finish": []},
    "finish another case": {"finish": "Stop"},
    "parts none": {"parts": None},
    "parts one text": {"parts": "codex"},
    "parts numbers": {"parts": (1,)},
    "parts surrogate": {"parts": ("\ud800",)},
    "reads lists": {"reads": [[1]]},
    "reads one text": {"reads": LIGHT},
    "reads NUL": {"reads": (LIGHT, "a\0")},
    "meta none": {"meta": None},
    "meta list": {"meta": [("pictures", "halved")]},
    "meta number": {"meta": {"pictures": 0.5}},
    "meta surrogate": {"meta": {"pictures": "\ud800"}},
    "meta NUL": {"meta": {"pictures": "a\0"}},
    "meta numbered": {"meta": {7: "x"}},
    "meta endless": {"meta": {"pictures": "x" * 100_000}},
}


@pytest.mark.parametrize("what", ODD)
async def test_an_odd_reply_is_a_failed_challenge_and_the_proposal_stands(what: str) -> None:
    result = await answered(**ODD[what])
    assert (result.dialogued, result.undialogued_reason, result.cacheable) == (False, "unreadable", False)
    assert len(result.findings) == 1
    assert result.findings[0].consensus is None
    assert result.spend.calls == 2  # it may have been paid for
    for turn in result.turns:
        record_json(turn.content)
    assert decode_result(encode_result(result)) == result


@pytest.mark.parametrize("what", ODD)
async def test_an_odd_reply_of_the_proposer_fails_the_batch_with_its_cost(what: str) -> None:
    given = {"handle": FIRST, "model": "m1", "text": proposal(row()), "spend": Spend(calls=1, usd=0.5)} | ODD[what]
    with pytest.raises(JudgeFailed) as failed:
        await alone(first(JudgeReply(**given)))
    assert (failed.value.reason, failed.value.spend) == ("unreadable", Spend(calls=1, usd=0.5))


async def test_an_odd_reply_to_the_second_round_leaves_the_additions_as_one_judges_account() -> None:
    odd = JudgeReply(text=rulings("agree"), handle=FIRST, model="m1", finish="max_tokens")  # type: ignore[arg-type]
    result = await hold(first(proposal(row()), odd), second(rulings("agree", additions=[row("new")])))
    assert (result.second_round_reason, result.unruled, result.cacheable) == ("unreadable", (1,), False)


async def test_why_a_reply_was_odd_is_told_to_who_is_watching() -> None:
    events: list[JudgeEvent] = []
    await hold(first(proposal(row())), second(reply(finish="max_tokens")), events=events)
    assert (events[-1].kind, events[-1].handle) == ("failed", SECOND)
    assert "'max_tokens'" in events[-1].detail


@pytest.mark.parametrize(
    ("spend", "counted"),
    [
        (None, Spend(calls=1)),
        ({"usd": 1}, Spend(calls=1)),
        (Spend(calls=1, usd=float("inf")), Spend(calls=1)),
        (Spend(calls=1, usd=float("nan")), Spend(calls=1)),
        (Spend(calls=1, usd=-0.5), Spend(calls=1)),
        (Spend(calls=1, usd=10**400), Spend(calls=1)),
        (Spend(calls=1, usd="0.5"), Spend(calls=1)),  # type: ignore[arg-type]
        (Spend(calls=-3, input_tokens=2**70, output_tokens=1.5), Spend(calls=1)),  # type: ignore[arg-type]
        (WHOLE, WHOLE),
    ],
)
async def test_no_reply_is_lost_for_a_cost_that_cannot_be_one(spend: Any, counted: Spend) -> None:
    result = await answered(spend=spend)
    assert result.dialogued
    assert result.spend == Spend(calls=1) + counted
    assert decode_result(encode_result(result)) == result


@pytest.mark.parametrize("claimed", [FIRST, "clerk", "team", "codex-cli", "Codex"])
async def test_who_spoke_is_the_seat_that_was_asked(claimed: str) -> None:
    result = await answered(handle=claimed)
    assert result.findings[0].consensus is not None
    assert result.findings[0].consensus.agreed_by == (SECOND,)
    assert (result.turns[2].speaker, result.turns[2].audience) == (SECOND, FIRST)
    assert (result.raw[1].handle, result.raw[1].meta) == (SECOND, {"handle": claimed})
    assert "handle" not in result.turns[2].meta


async def test_a_finding_is_filed_by_the_seat_whatever_its_adapter_calls_itself() -> None:
    text = proposal(row())
    result = await hold(first(JudgeReply(text=text, handle=SECOND, model="m1")), second(rulings("agree")))
    assert result.findings[0].oracle == FIRST
    assert result.findings[0].consensus is not None
    assert result.findings[0].consensus.reported_by == FIRST


async def test_only_the_parts_of_the_seat_file_anything() -> None:
    judge = first(Line(text=proposal(row(part="axe")), parts=("axe", "layout")))
    result = await alone(judge)
    assert (result.findings[0].oracle, result.raw[0].parts) == (FIRST, ())
    combined = ScriptedJudge(
        Seat("axe+layout", "4"), [Line(text=proposal(row(part="pixels")), parts=("axe", "layout", "pixels"))]
    )
    result = await alone(combined)
    assert (result.findings[0].oracle, result.raw[0].parts) == ("axe+layout", ("axe", "layout"))


@pytest.mark.parametrize("reason", ["the host 10.0.0.1 was slow", "", None, 3, ["timed-out"], "Timed-out", Wild()])
async def test_a_failure_for_no_known_reason_is_unreachable(reason: Any) -> None:
    events: list[JudgeEvent] = []
    failed = JudgeFailed("it broke", reason=reason, spend="much", raw={"text": "x"})  # type: ignore[arg-type]
    result = await hold(first(proposal(row())), second(failed), events=events)
    assert result.undialogued_reason == "unreachable"
    assert result.turns[-1].content == {"act": "no-challenge", "reason": "unreachable"}
    assert events[-1].detail == "it broke"
    assert result.spend == Spend(calls=2)


async def test_an_error_that_cannot_say_what_it_is_is_a_failure_like_any_other() -> None:
    class Mute(Exception):
        def __str__(self) -> str:
            raise RuntimeError("mute")

    result = await hold(first(proposal(row())), second(Mute()))
    assert result.undialogued_reason == "unreachable"


@pytest.mark.parametrize(
    "error", [asyncio.CancelledError(), BaseExceptionGroup("two", [asyncio.CancelledError(), ValueError("x")])]
)
async def test_an_adapter_that_was_cancelled_by_itself_cancels_nobody_else(error: BaseException) -> None:
    result = await hold(first(proposal(row())), second(error))
    assert (result.dialogued, result.undialogued_reason) == (False, "cancelled")
    assert len(result.findings) == 1


async def test_a_cancellation_from_outside_wins_over_what_the_adapter_makes_of_it() -> None:
    class Stubborn:
        seat = Seat(SECOND, "m2")
        costs_nothing = False

        @property
        def identity(self) -> dict[str, str]:
            return {}

        async def ask(self, request: object) -> JudgeReply:
            try:
                await asyncio.sleep(30)
            except asyncio.CancelledError:
                raise BaseExceptionGroup("late", [asyncio.CancelledError()]) from None
            raise AssertionError("nobody waits that long")

    task = asyncio.ensure_future(hold_dialogue(question(), first(proposal(row())), Stubborn(), monotonic=lambda: 0.0))
    await asyncio.sleep(0.01)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


@pytest.mark.parametrize("error", [KeyboardInterrupt(), BaseExceptionGroup("x", [KeyboardInterrupt()])])
def test_what_is_meant_for_the_program_passes_through(error: BaseException) -> None:
    with pytest.raises((KeyboardInterrupt, BaseExceptionGroup)):
        asyncio.run(hold(first(proposal(row())), second(error)))


async def test_who_is_watching_cannot_break_what_is_watched() -> None:
    def broken(event: JudgeEvent) -> None:
        raise ValueError("the window is closed")

    result = await hold_dialogue(
        question(), first(proposal(row())), second(rulings("agree")), monotonic=lambda: 0.0, on_event=broken
    )
    assert result.cacheable


@pytest.mark.parametrize("name", ["clerk", "team", "none", "", "a\u202eb"])
async def test_a_seat_that_is_nobodys_is_refused_before_anything_is_asked(name: str) -> None:
    judge = ScriptedJudge(Seat(name, "m"), [proposal(row())])
    with pytest.raises(RosterError):
        await judge_alone(question(), judge, monotonic=lambda: 0.0)
    with pytest.raises(RosterError):
        await hold(first(proposal(row())), judge)
    assert judge.requests == []
