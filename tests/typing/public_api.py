"""A program that needs only type-check: the public names with the shapes that others rely on."""

from __future__ import annotations

from pathlib import Path
from typing import assert_type

import bicameral
from bicameral import (
    DialogueContext,
    DialogueResult,
    Finding,
    JudgeBatchResult,
    JudgeContext,
    Roster,
    Seat,
    Shot,
    judge_batch,
    judge_with_dialogue,
    parse_challenge,
)


async def one_judge(shots: list[Shot]) -> None:
    result = await judge_batch("look", "project", shots, Path("evidence"), Seat("axe"), JudgeContext(timeout_s=1.0))
    assert_type(result, JudgeBatchResult)
    assert_type(result.findings, tuple[Finding, ...])


async def two_judges(shots: list[Shot]) -> None:
    roster = Roster(proposer=Seat("axe+layout"), challenger=Seat("pixels"))
    result = await judge_with_dialogue(
        "look", "project", shots, "evidence", roster, DialogueContext(challenge_skill="rule")
    )
    assert_type(result, DialogueResult)
    assert_type(result.dialogued, bool)
    assert_type(result.unruled, tuple[int, ...])


def parsing(text: str) -> None:
    reply = parse_challenge(text, count=2, shots=["a"])
    for row in reply.rejected:
        assert_type(row.reason, str)
        assert_type(row.row, str)


solver_type: str = bicameral.AGENT_DIALOG_V1
