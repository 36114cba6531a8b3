"""Whatever two judges write: no finding is lost, none is disputed without an account, no severity, status or confidence
moves, and every number is ruled once or listed as unruled."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

from dialogue_strategies import ANY_CHALLENGE, ANY_PROPOSAL, FINDINGS, weighted
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bicameral.canonical import record_json
from bicameral.dialogue import Question, decode_result, encode_result, refold
from bicameral.dialogue.texts import is_blank
from bicameral.errors import JudgeFailed
from bicameral.model.judging import DialogueResult, JudgeReply, RawReply, Spend
from bicameral.model.plain import read_plain, to_plain
from bicameral.testing.scripted import Line
from dialogue_batches import SHOT_IDS, first, hold, proposal, question, second

LINES = weighted(
    (16, ANY_CHALLENGE),
    (2, st.builds(lambda text: Line(text=text, finish="length"), ANY_CHALLENGE)),
    (1, st.just(Line(finish="refusal"))),
    (1, st.just(JudgeFailed("gone", reason="unreachable"))),
    (1, st.just(ValueError("broken"))),
    (1, st.just(JudgeFailed("cut off", reason="truncated"))),
    (1, st.just(asyncio.CancelledError())),
    (1, st.builds(lambda text: JudgeReply(text=text, handle="team", model="m"), ANY_CHALLENGE)),
    (1, st.builds(lambda text: JudgeReply(text=text, handle="codex", model="m", parts=None), ANY_CHALLENGE)),  # type: ignore[arg-type]
)
FILED = st.lists(FINDINGS, min_size=1, max_size=3).map(lambda rows: proposal(*rows))
OPENINGS = weighted((4, FILED), (1, ANY_PROPOSAL))
MANY = settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def held(asked: Question, opening: Any, challenge: list[Any], answers: list[Any]) -> DialogueResult | None:
    """The result, None where the proposer's reply cannot be used. Scripts are long enough for every ask."""
    try:
        return asyncio.run(hold(first(opening, *answers, *["x"] * 8), second(*challenge, *["x"] * 8), asked))
    except JudgeFailed:
        return None


@MANY
@given(OPENINGS, st.lists(LINES, min_size=1, max_size=3), st.lists(LINES, min_size=1, max_size=3), st.booleans())
def test_the_promises_of_a_dialogue_hold_for_any_reply(
    opening: str, challenge: list[Any], answers: list[Any], clean: bool
) -> None:
    asked = question(challenge_clean=clean)
    result = held(asked, opening, challenge, answers)
    if result is None:
        return
    single = asyncio.run(hold(first(opening, *answers, *["x"] * 8), None, asked))

    # No finding is lost, and none is changed: what was filed stands first, as it was filed.
    bare = [replace(finding, rulings=(), consensus=None) for finding in result.findings]
    assert bare[: len(single.findings)] == list(single.findings)

    # Every number is ruled exactly once, or listed as unruled.
    if single.findings or result.findings:
        for number, finding in enumerate(result.findings):
            ruled = finding.consensus is not None and finding.consensus.ruled
            assert ruled != (number in result.unruled)
            assert len(finding.rulings) <= 1
            assert ruled == bool(finding.rulings)

    # None is disputed or amended without an account.
    for finding in result.findings:
        if finding.consensus is not None:
            dissents = (*finding.consensus.disputed_by, *finding.consensus.amended_by)
            assert not any(is_blank(dissent.note) for dissent in dissents)
            assert finding.consensus.reported_by not in finding.consensus.agreed_by

    # A dialogue that did not happen is said not to have, and carries no consensus.
    assert result.dialogued == (result.undialogued_reason is None)
    if not result.dialogued:
        assert {finding.consensus for finding in result.findings} <= {None}
    if result.cacheable:
        assert result.dialogued
        assert (result.unruled, result.unaccounted, result.second_round_reason) == ((), (), None)
        assert not any(lost.where.startswith("findings") and "left out" not in lost.reason for lost in result.rejected)

    # Every shot is in a finding, called clean, or unaccounted.
    flagged = {shot_id for finding in result.findings for shot_id in finding.shot_ids}
    parts = [flagged, set(result.clean_shot_ids), set(result.unaccounted)]
    assert sum(map(len, parts)) == len(SHOT_IDS)

    # It can be recorded, cached and held again.
    for turn in result.turns:
        record_json(turn.content)
    assert decode_result(encode_result(result)) == result
    again = asyncio.run(
        refold(
            asked,
            result.roster,
            [read_plain(RawReply, to_plain(raw), "reply") for raw in result.raw],
            undialogued_reason=result.undialogued_reason,
            second_round_reason=result.second_round_reason,
        )
    )
    assert again == replace(result, spend=Spend(), duration_s=0.0)
