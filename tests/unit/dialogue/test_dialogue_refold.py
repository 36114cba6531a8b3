"""A dialogue held again from its raw replies comes out the same, through the same code."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from typing import Any

import pytest

from bicameral.dialogue import refold
from bicameral.errors import JudgeFailed
from bicameral.model.judging import DialogueResult, JudgeReply, RawReply, Spend
from bicameral.model.plain import read_plain, to_plain
from bicameral.testing.scripted import Line
from dialogue_batches import DARK, LIGHT, PHONE, first, hold, proposal, question, row, rulings, second

CUT_OFF = Line(text='{"', finish="length")
GONE = JudgeFailed("gone", reason="unreachable")
TOO_LONG = JudgeFailed("cut off", reason="truncated")
LATE = JudgeFailed("late", reason="timed-out")

SCRIPTS: dict[str, tuple[list[Any], list[Any]]] = {
    "agreement": ([proposal(row())], [rulings("agree")]),
    "a second round": ([proposal(row()), rulings(("dispute", "no"))], [rulings("agree", additions=[row("new")])]),
    "parts and reads": (
        [Line(text=proposal(row(part="axe")), parts=("axe",), reads=(LIGHT, DARK), meta={"pictures": "halved"})],
        [rulings("agree")],
    ),
    "asked again": (["x", proposal(row())], ["y", rulings("agree")]),
    "a failed challenge": ([proposal(row())], [LATE]),
    "unreadable, then gone": ([proposal(row())], ["x", LATE]),
    "a failed second round": ([proposal(row()), GONE], [rulings("agree", additions=[row("new")])]),
    "nothing usable": ([proposal(row())], ["{}"]),
    "the second half only": ([CUT_OFF, CUT_OFF, GONE, proposal(row(shot_id=PHONE))], [rulings("agree")]),
    "half a challenge": (
        [proposal(row("a"), row("b"))],
        [CUT_OFF, CUT_OFF, GONE, '{"verdicts":[{"index":1,"verdict":"agree"}]}'],
    ),
    "halved without a reply that was cut off": (
        [TOO_LONG, proposal(row("a"), row("b"), clean=[DARK]), proposal(clean=[PHONE])],
        [TOO_LONG, rulings("agree"), '{"verdicts":[{"index":1,"verdict":"dispute","note":"no"}]}'],
    ),
    "halved without one, and the first half gone": (
        [proposal(row("a"), row("b"))],
        [TOO_LONG, LATE, '{"verdicts":[{"index":1,"verdict":"agree"}]}'],
    ),
    "both rulings halved": (
        [
            proposal(row("a"), row("b")),
            CUT_OFF,
            CUT_OFF,
            rulings("agree"),
            '{"verdicts":[{"index":1,"verdict":"agree"}]}',
        ],
        [
            CUT_OFF,
            CUT_OFF,
            rulings("agree", additions=[row("c"), row("d")]),
            '{"verdicts":[{"index":1,"verdict":"agree"}]}',
        ],
    ),
    "the second round halved without a reply": (
        [proposal(row("a"), row("b")), TOO_LONG, GONE, '{"verdicts":[{"index":1,"verdict":"agree"}]}'],
        [
            CUT_OFF,
            CUT_OFF,
            rulings("agree", additions=[row("c"), row("d")]),
            '{"verdicts":[{"index":1,"verdict":"agree"}]}',
        ],
    ),
    "both halves failed": ([proposal(row("a"), row("b"))], [CUT_OFF, CUT_OFF, LATE, Line(finish="refusal")]),
    "other handles": (
        [JudgeReply(text=proposal(row("a"), row("b")), handle="codex", model="m1"), rulings("agree")],
        [
            CUT_OFF,
            TOO_LONG,
            JudgeReply(text=rulings("agree", additions=[row("c")]), handle="claude-code", model="m2"),
            JudgeReply(text='{"verdicts":[{"index":1,"verdict":"agree"}]}', handle="clerk", model="m2"),
        ],
    ),
    "an odd reply": ([proposal(row())], ["x", JudgeReply(text="{}", handle="codex", model="m", finish="?")]),  # type: ignore[arg-type]
    "cancelled by itself": ([proposal(row())], [asyncio.CancelledError()]),
    "findings lost": ([proposal(row("a")) + proposal(row("b"))], [rulings("agree", additions=[{}])]),
    "nothing found": ([proposal()], ['{"additions":[]}']),
}


def comparable(result: DialogueResult) -> DialogueResult:
    return replace(result, spend=Spend(), duration_s=0.0)


@pytest.mark.parametrize("name", SCRIPTS)
async def test_the_same_replies_lead_to_the_same_result(name: str) -> None:
    proposer, challenger = SCRIPTS[name]
    asked = question(challenge_clean=True)
    held = await hold(first(*proposer), second(*challenger), asked)
    stored = json.dumps([to_plain(raw) for raw in held.raw])
    again = await refold(
        asked,
        held.roster,
        [read_plain(RawReply, raw, "reply") for raw in json.loads(stored)],
        undialogued_reason=held.undialogued_reason,
        second_round_reason=held.second_round_reason,
    )
    assert comparable(again) == comparable(held)


async def test_one_judge_alone_is_folded_again_too() -> None:
    held = await hold(first(proposal(row())), None)
    assert comparable(await refold(question(), held.roster, held.raw)) == comparable(held)


async def test_without_the_proposers_reply_there_is_nothing_to_fold() -> None:
    held = await hold(first(proposal(row())), second(rulings("agree")))
    with pytest.raises(JudgeFailed, match="No reply was recorded"):
        await refold(question(), held.roster, held.raw[1:])


async def test_another_reply_leads_to_another_result() -> None:
    held = await hold(first(proposal(row())), second(rulings("agree")))
    changed = [replace(raw, text=raw.text.replace("agree", "cannot-tell")) for raw in held.raw]
    again = await refold(question(), held.roster, changed)
    assert again.findings != held.findings
