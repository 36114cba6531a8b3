"""The scripted judge is a judge: it answers, fails, waits and remembers."""

from __future__ import annotations

import pytest

from bicameral.dialogue import hold_dialogue
from bicameral.errors import JudgeFailed
from bicameral.model.judging import JudgeReply
from bicameral.model.seats import Seat
from bicameral.ports import Judge
from bicameral.testing.scripted import Line, ScriptedJudge, ScriptRanOut
from dialogue_batches import FIRST, alone, first, proposal, question, row


def as_port(judge: Judge) -> Judge:
    return judge


async def test_it_answers_line_by_line_and_remembers_what_it_was_asked() -> None:
    judge = ScriptedJudge(Seat("ollama", "qwen"), ["one", Line(text="two", finish="length"), ValueError("three")])
    assert as_port(judge).identity == {"adapter": "scripted/1"}
    asked = first(proposal(row()))
    await alone(asked)
    (request,) = asked.requests
    reply = await judge.ask(request)
    assert (reply.text, reply.handle, reply.model, reply.finish) == ("one", "ollama/qwen", "qwen", "stop")
    assert (await judge.ask(request)).finish == "length"
    with pytest.raises(ValueError, match="three"):
        await judge.ask(request)
    assert judge.requests == [request] * 3
    assert judge.unused == 0
    with pytest.raises(ScriptRanOut):
        await judge.ask(request)


async def test_a_whole_reply_is_handed_over_as_it_is_and_its_model_recorded() -> None:
    reply = JudgeReply(text=proposal(row()), handle="other", model="m7")
    result = await hold_dialogue(question(), first(reply), None, monotonic=lambda: 0.0)
    assert (result.turns[1].speaker, result.turns[1].meta["model"]) == (FIRST, "m7")


async def test_lines_that_nobody_asked_for_are_counted() -> None:
    judge = first(JudgeFailed("no", reason="refused"), "unused")
    with pytest.raises(JudgeFailed):
        await alone(judge)
    assert judge.unused == 1
