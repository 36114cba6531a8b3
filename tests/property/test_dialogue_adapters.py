"""Whatever an adapter hands over or raises, the dialogue ends in order; whatever hides in a name, it is one name."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from dialogue_strategies import JUNK, WILD_TEXT
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bicameral.canonical import record_json
from bicameral.dialogue import decode_result, encode_result
from bicameral.dialogue.texts import slug
from bicameral.errors import JudgeFailed
from bicameral.model.judging import JudgeReply, Spend
from bicameral.model.vocabulary import REASONS
from bicameral.witness import record_dialog
from dialogue_batches import SECOND, first, hold, proposal, row, rulings, second

ANYTHING: st.SearchStrategy[Any] = JUNK | WILD_TEXT | st.floats() | st.binary(max_size=3)
NEARLY = {
    "text": st.just(rulings("agree")) | ANYTHING,
    "handle": st.just(SECOND) | ANYTHING,
    "model": st.just("m2") | ANYTHING,
    "finish": st.sampled_from(["stop", "length", "refusal"]) | ANYTHING,
    "spend": st.builds(Spend, calls=ANYTHING, input_tokens=ANYTHING, usd=ANYTHING) | ANYTHING,
    "parts": st.just(()) | st.lists(ANYTHING, max_size=2) | ANYTHING,
    "reads": st.none() | st.lists(ANYTHING, max_size=2) | ANYTHING,
    "meta": st.just({}) | st.dictionaries(WILD_TEXT, ANYTHING, max_size=2) | ANYTHING,
}
REPLIES = st.fixed_dictionaries(
    {name: NEARLY[name] for name in ("text", "handle", "model")},
    optional={name: strategy for name, strategy in NEARLY.items() if name not in {"text", "handle", "model"}},
).map(lambda members: JudgeReply(**members))
FAILURES = st.builds(lambda reason, spend: JudgeFailed("x", reason=reason, spend=spend), ANYTHING, ANYTHING)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(REPLIES | FAILURES, min_size=1, max_size=2))
def test_a_dialogue_with_any_adapter_ends_and_can_be_recorded_and_kept(lines: list[Any]) -> None:
    result = asyncio.run(hold(first(proposal(row())), second(*lines, *["x"] * 3)))
    assert result.dialogued == (result.undialogued_reason is None)
    assert result.undialogued_reason in {None, *REASONS}
    assert len(result.findings) == 1
    assert {turn.speaker for turn in result.turns} <= {"clerk", "claude-code", SECOND}
    for turn in result.turns:
        record_json(turn.content)
    record_dialog(result.turns)
    assert decode_result(encode_result(result)) == result


HIDDEN = st.sampled_from(["\u200b", "\u200c", "\u00ad", "\ufe0f", "\u034f", "\u2060", "\ufeff"])


@settings(deadline=None)
@given(st.lists(st.text(max_size=5), max_size=5), HIDDEN)
def test_what_nobody_sees_makes_no_other_name(pieces: list[str], hidden: str) -> None:
    plain = "".join(pieces)
    assert slug(hidden.join(pieces)) == slug(plain)
    assert slug(slug(plain)) == slug(plain)


@pytest.mark.parametrize(("one", "other"), [("ΣΑΣ", "σας"), ("ÉTÉ", "été"), ("ŻÓŁW", "żółw"), ("ПРИВЕТ", "привет")])
def test_a_name_is_one_in_either_case(one: str, other: str) -> None:
    assert slug(one) == slug(other)
