"""Whatever a provider does, a result comes back, and its rungs lead to it again."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from adjudication_doubles import (
    CONTRADICTS,
    ENTAILS,
    NEUTRAL,
    BatchingNLI,
    ScriptedLLM,
    ScriptedNLI,
    StuckNLI,
    raising,
    scored,
)
from bicameral.adjudication import Thresholds, adjudicate_contradiction, replay_rungs
from bicameral.adjudication.prompt import weighing
from bicameral.errors import ConfigError, InputError, ProviderFailed
from bicameral.model.adjudication import AdjudicationResult
from bicameral.ports import NLIResult

CLAIM, TARGET = "The user moved to Berlin last month.", "The user lives in Paris."
GENUINE = {"verdict": "genuine", "confidence": 0.9, "reasoning": "r"}


class OwnBaseError(BaseException):
    """What no library should raise, and some do."""


class Mute(Exception):
    def __str__(self) -> str:
        raise ValueError("no words")


class Hostile:
    """An answer that cannot even be looked at."""

    @property
    def label(self) -> str:
        raise RuntimeError("no label for you")


async def weigh(nli: Any = None, llm: Any = None, **more: Any) -> AdjudicationResult:
    return await adjudicate_contradiction(CLAIM, TARGET, nli=nli, llm=llm, **more)


@pytest.mark.parametrize(
    ("error", "word"),
    [
        (RuntimeError("down"), "error"),
        (ProviderFailed("down", kind="unreachable"), "unreachable"),
        (ProviderFailed("down", kind="a word of somebody's own"), "error"),
        (TimeoutError(), "timed-out"),
        (asyncio.CancelledError(), "cancelled"),
        (OwnBaseError("odd"), "error"),
        (SystemExit(3), "error"),
        (GeneratorExit(), "error"),
        (BaseExceptionGroup("several", [OwnBaseError(), ValueError()]), "error"),
        (StopAsyncIteration(), "error"),
        (Mute(), "error"),
        (MemoryError(), "error"),
    ],
)
@pytest.mark.parametrize("kind", [ScriptedNLI, BatchingNLI])
async def test_whatever_an_nli_raises_the_llm_is_asked(kind: Any, error: BaseException, word: str) -> None:
    result = await weigh(kind(raising(error)), ScriptedLLM(GENUINE))
    assert (result.verdict, result.method) == ("genuine", "llm")
    assert [rung.failure for rung in result.rungs] == [word, None]


@pytest.mark.parametrize("error", [RuntimeError("no"), asyncio.CancelledError(), OwnBaseError(), SystemExit(1)])
async def test_whatever_an_llm_raises_nobody_could_say(error: BaseException) -> None:
    result = await weigh(llm=ScriptedLLM(error))
    assert (result.verdict, result.confidence, result.method) == ("tension", 0.0, "none")
    assert result.rungs[0].failure


@pytest.mark.parametrize(
    "answer",
    [
        None,
        42,
        "contradiction",
        b"contradiction",
        [],
        {},
        object(),
        Hostile(),
        NLIResult("", CONTRADICTS.scores),
        NLIResult("contradicts", CONTRADICTS.scores),
        NLIResult(None, CONTRADICTS.scores),  # type: ignore[arg-type]
        NLIResult("contradiction", None),  # type: ignore[arg-type]
        NLIResult("contradiction", []),  # type: ignore[arg-type]
        NLIResult("contradiction", {}),
        NLIResult("contradiction", {"contradiction": 0.9, "entailment": 0.1}),
        NLIResult("contradiction", {"contradiction": 0.9, "entailment": 0.1, "neutral": float("nan")}),
        NLIResult("contradiction", {"contradiction": 1.1, "entailment": 0.0, "neutral": 0.0}),
        NLIResult("contradiction", {"contradiction": 0.9, "entailment": -0.1, "neutral": 0.0}),
        NLIResult("contradiction", {"contradiction": "0.9", "entailment": 0.1, "neutral": 0.0}),  # type: ignore[dict-item]
        NLIResult("contradiction", {"contradiction": True, "entailment": 0.0, "neutral": 0.0}),
        NLIResult("contradiction", {"contradiction": 10**400, "entailment": 0.0, "neutral": 0.0}),
        NLIResult("contradiction", {"contradiction": 0.9j, "entailment": 0.0, "neutral": 0.0}),  # type: ignore[dict-item]
    ],
)
@pytest.mark.parametrize("kind", [ScriptedNLI, BatchingNLI])
async def test_garbage_from_an_nli_is_a_failed_provider(kind: Any, answer: Any) -> None:
    result = await weigh(kind(lambda premise, hypothesis: answer))
    assert (result.verdict, result.confidence, result.method) == ("tension", 0.0, "none")
    assert result.rungs[0].failure in {"unreadable", "unknown-label", "unusable-scores", "error"}
    assert result.rungs[0].said is None


@pytest.mark.parametrize("answer", [None, 42, "text", {}, {"a": 1}, [], [CONTRADICTS], object()])
async def test_a_batch_that_is_no_list_of_two_is_a_failed_provider(answer: Any) -> None:
    class Odd(BatchingNLI):
        async def classify_batch(self, pairs: Any) -> Any:
            return answer

    assert (await weigh(Odd())).method == "none"


async def test_a_provider_that_is_no_coroutine_is_a_failed_provider() -> None:
    class Plain(ScriptedNLI):
        def classify(self, premise: str, hypothesis: str) -> Any:
            return CONTRADICTS

    assert (await weigh(Plain())).rungs[0].failure == "error"


@pytest.mark.parametrize("stubborn", [False, True])
async def test_a_provider_that_never_answers_is_left_behind(stubborn: bool) -> None:
    stuck = StuckNLI(stubborn=stubborn)
    result = await weigh(stuck, ScriptedLLM(GENUINE), timeout_s=0.01)
    assert (result.verdict, result.rungs[0].failure) == ("genuine", "timed-out")
    stuck.released.set()
    await asyncio.sleep(0)


@pytest.mark.parametrize("stubborn", [False, True])
async def test_a_caller_that_is_cancelled_is_cancelled_at_once(stubborn: bool) -> None:
    stuck = StuckNLI(stubborn=stubborn)
    task = asyncio.create_task(weigh(stuck, timeout_s=None))
    await stuck.started.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    await asyncio.sleep(0)
    assert stuck.cancelled > 0
    stuck.released.set()
    await asyncio.sleep(0)


async def test_an_interruption_at_the_keyboard_is_not_taken_for_a_failure() -> None:
    from bicameral.adjudication.asking import _guarded

    async def interrupted() -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        await _guarded(interrupted, lambda answer: answer)


async def test_both_directions_are_asked_and_the_stronger_contradiction_stands() -> None:
    nli = ScriptedNLI(lambda premise, hypothesis: CONTRADICTS if premise == CLAIM else NEUTRAL)
    result = await weigh(nli)
    assert sorted(nli.asked) == sorted([(TARGET, CLAIM), (CLAIM, TARGET)])
    assert result.verdict == "genuine"
    assert result.reasoning == "NLI (scripted): contradiction [c=0.90, e=0.05, n=0.05], claim as premise"


async def test_the_llm_is_not_asked_where_the_nli_is_not_genuine() -> None:
    for answer in (ENTAILS, NEUTRAL, scored("contradiction", 0.8)):
        llm = ScriptedLLM(GENUINE)
        assert (await weigh(ScriptedNLI(lambda p, h, a=answer: a), llm)).method == "nli"
        assert llm.prompts == []


@pytest.mark.parametrize(
    ("tier", "confidence", "verdict"),
    [
        ("medium", 0.5, "supersedes"),
        ("medium", 0.49, "genuine"),
        ("high", 0.5, "supersedes"),
        ("low", 0.79, "genuine"),
        ("low", 0.8, "supersedes"),
        ("huge", 0.79, "genuine"),
        (" HIGH ", 0.5, "supersedes"),
        ("medium", None, "genuine"),
        ("medium", "0.9", "genuine"),
        ("medium", True, "genuine"),
        ("medium", float("inf"), "genuine"),
        ("medium", 7, "supersedes"),
    ],
)
async def test_succession_replaces_a_genuine_verdict_from_its_floor_up(
    tier: str, confidence: Any, verdict: str
) -> None:
    llm = ScriptedLLM({"verdict": "Supersedes ", "confidence": confidence, "reasoning": "It moved."})
    result = await weigh(ScriptedNLI(lambda p, h: CONTRADICTS), llm, llm_tier=tier)
    assert result.verdict == verdict
    assert len(llm.prompts) == 1
    assert replay_rungs(result.rungs, tier=tier) == result


async def test_a_failed_provider_says_why_to_people_and_not_on_record() -> None:
    result = await weigh(ScriptedNLI(raising(ConnectionError("127.0.0.1:9 refused"))))
    (rung,) = result.rungs
    assert rung.detail == "ConnectionError: 127.0.0.1:9 refused"
    other = await weigh(ScriptedNLI(raising(ConnectionError("another host"))))
    assert other == result


async def test_a_rung_names_the_model_and_the_prompt() -> None:
    result = await weigh(ScriptedNLI(raising(ValueError())), ScriptedLLM(GENUINE))
    first, second = result.rungs
    assert (first.kind, first.provider, first.model, first.prompt) == ("nli", "scripted", "sha256:scripted", None)
    assert (second.kind, second.provider, second.model) == ("llm", "scripted-llm", "scripted:llm-1")
    assert second.prompt == weighing().digest


@pytest.mark.parametrize("name", [None, 7, "", "x" * 9999, "\ud800"])
async def test_a_providers_odd_name_is_put_up_with(name: Any) -> None:
    nli = ScriptedNLI(lambda p, h: CONTRADICTS)
    nli.name = name
    result = await weigh(nli)
    assert result.verdict == "genuine"
    assert 0 < len(result.rungs[0].provider) <= 200
    result.rungs[0].provider.encode("utf-8")


@pytest.mark.parametrize(("claim", "target"), [(None, "a"), ("a", None), (b"a", "b"), (1, 2)])
async def test_a_claim_that_is_no_text_is_the_callers_to_mend(claim: Any, target: Any) -> None:
    with pytest.raises(InputError, match="is of type"):
        await adjudicate_contradiction(claim, target)


@pytest.mark.parametrize("timeout", [-1, float("nan"), "30", True])
async def test_an_impossible_time_out_is_the_callers_to_mend(timeout: Any) -> None:
    with pytest.raises(InputError, match="timeout_s"):
        await weigh(timeout_s=timeout)


@pytest.mark.parametrize("timeout", [None, 30, float("inf"), 1e300])
async def test_a_long_time_out_or_none_is_fine(timeout: Any) -> None:
    assert (await weigh(ScriptedNLI(lambda p, h: CONTRADICTS), timeout_s=timeout)).verdict == "genuine"


@pytest.mark.parametrize("text", ["", " ", "x", "🎈", "مرحبا", "你好", "\ud800", "\0", "word " * 5000])
async def test_odd_texts_are_weighed_like_any_other(text: str) -> None:
    llm = ScriptedLLM(GENUINE)
    result = await adjudicate_contradiction(text, text, nli=ScriptedNLI(raising(ValueError())), llm=llm)
    assert result.verdict == "genuine"
    llm.prompts[0].encode("utf-8")


async def test_thresholds_are_settings() -> None:
    nli = ScriptedNLI(lambda p, h: scored("contradiction", 0.7))
    strict, lax = Thresholds(genuine=0.99), Thresholds(genuine=0.6)
    assert (await weigh(nli, thresholds=strict)).verdict == "tension"
    assert (await weigh(nli, thresholds=lax)).verdict == "genuine"
    for wrong in (-0.1, 1.1, float("nan"), "0.8", None, True):
        with pytest.raises(ConfigError, match="'genuine'"):
            Thresholds(genuine=wrong)  # type: ignore[arg-type]


async def test_a_rung_that_was_tampered_with_counts_as_failed() -> None:
    from dataclasses import replace

    result = await weigh(ScriptedNLI(lambda p, h: CONTRADICTS))
    (rung,) = result.rungs
    assert rung.said is not None
    for said in ({}, {"forward": rung.said["forward"]}, {**rung.said, "reverse": {"label": "contradiction"}}):
        assert replay_rungs([replace(rung, said=said)]).method == "none"


async def test_a_long_sentence_is_cut_and_a_word_that_is_none_is_tension() -> None:
    llm = ScriptedLLM({"verdict": "x" * 10_000, "confidence": 0.4, "reasoning": "y" * 100_000})
    result = await weigh(llm=llm)
    assert (result.verdict, result.confidence, len(result.reasoning or "")) == ("tension", 0.4, 2000)
    assert replay_rungs(result.rungs) == result
