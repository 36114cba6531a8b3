"""Any providers, any answers: a result comes back, within its bounds, and its rungs alone lead to it again."""

from __future__ import annotations

import asyncio
import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from adjudication_doubles import LABELS, BatchingNLI, ScriptedLLM, ScriptedNLI, raising
from bicameral.adjudication import adjudicate_contradiction, adjudicate_many, effect_of, read_result, replay_rungs
from bicameral.adjudication.recorded import result_document
from bicameral.canonical import record_json
from bicameral.errors import ProviderFailed
from bicameral.model.adjudication import MAX_CONFIDENCE_PENALTY, VERDICTS
from bicameral.ports import NLIResult

WILD = st.text(st.characters(), max_size=20)
NUMBERS = st.floats() | st.integers() | st.booleans() | st.none() | WILD | st.just(10**400)
JUNK = st.recursive(NUMBERS, lambda inner: st.lists(inner, max_size=2) | st.dictionaries(WILD, inner, max_size=2))
SCORES = st.fixed_dictionaries({}, optional=dict.fromkeys(LABELS, st.floats(0, 1) | NUMBERS))
GOOD_SCORES = st.fixed_dictionaries(dict.fromkeys(LABELS, st.floats(0, 1)))
SPELT = st.sampled_from([*LABELS, "CONTRADICTION", " entailment\ufeff", "maybe", ""])
ANSWERS = st.builds(NLIResult, SPELT, GOOD_SCORES) | st.builds(NLIResult, SPELT | JUNK, SCORES | JUNK) | JUNK
ERRORS = st.sampled_from(
    [ValueError("x"), asyncio.CancelledError(), SystemExit(1), TimeoutError(), ProviderFailed("x", kind="refused")]
)
WORDS = st.sampled_from([*VERDICTS, "Genuine", " supersedes\u3000", "moved", ""])
REPLIES = (
    st.fixed_dictionaries(
        {"verdict": WORDS}, optional={"confidence": st.floats(-1, 2) | NUMBERS, "reasoning": WILD | JUNK}
    )
    | JUNK
)
TIERS = st.sampled_from(["low", "medium", "high", "tiny", "", "High"])


@st.composite
def classifiers(draw: st.DrawFn) -> ScriptedNLI | None:
    kind = draw(st.sampled_from([ScriptedNLI, BatchingNLI, None]))
    if kind is None:
        return None
    answers = draw(st.lists(ANSWERS | ERRORS, min_size=1, max_size=3))

    def answer(premise: str, hypothesis: str) -> Any:
        one = answers[(len(premise) + 2 * len(hypothesis)) % len(answers)]
        return raising(one)(premise, hypothesis) if isinstance(one, BaseException) else one

    return kind(answer)


MODELS = st.none() | (REPLIES | ERRORS).map(ScriptedLLM)


@given(WILD, WILD, classifiers(), MODELS, TIERS)
def test_a_result_comes_back_and_its_rungs_lead_to_it_again(
    claim: str, target: str, nli: ScriptedNLI | None, llm: ScriptedLLM | None, tier: str
) -> None:
    result = asyncio.run(adjudicate_contradiction(claim, target, nli=nli, llm=llm, llm_tier=tier))
    assert result.verdict in VERDICTS
    assert 0 <= result.confidence <= 1
    assert (result.method == "none") <= (result.confidence == 0 and result.verdict == "tension")
    assert result.tier_capped <= (result.verdict == "tension" and result.method == "llm")
    assert replay_rungs(result.rungs, tier=tier) == result
    effect = effect_of(result)
    assert 0 <= effect.penalty <= MAX_CONFIDENCE_PENALTY
    assert (effect.penalty > 0) <= (result.verdict == "genuine")
    written = json.loads(record_json(result_document(result)))
    assert read_result(written) == result
    assert result_document(read_result(written)) == result_document(result)


@given(st.lists(st.tuples(WILD, WILD), max_size=6), classifiers(), MODELS, TIERS, st.integers(1, 4))
def test_many_are_weighed_as_each_is_alone(
    pairs: list[tuple[str, str]], nli: ScriptedNLI | None, llm: ScriptedLLM | None, tier: str, window: int
) -> None:
    async def both() -> None:
        found = adjudicate_many(pairs, nli=nli, llm=llm, llm_tier=tier, window=window)
        many = [one async for one in found]
        assert many == [await adjudicate_contradiction(*pair, nli=nli, llm=llm, llm_tier=tier) for pair in pairs]

    asyncio.run(both())
