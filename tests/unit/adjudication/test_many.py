"""Many pairs: in order, in bounded windows, one bad pair costing only itself."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest

from adjudication_doubles import CONTRADICTS, NEUTRAL, BatchingNLI, ScriptedLLM, ScriptedNLI, StuckNLI, by_words
from bicameral.adjudication import adjudicate_contradiction, adjudicate_many
from bicameral.errors import InputError
from bicameral.model.adjudication import AdjudicationResult

PAIRS = [(f"claim {number}", f"target {number}") for number in range(300)]


async def collected(pairs: Any, **more: Any) -> list[AdjudicationResult]:
    return [result async for result in adjudicate_many(pairs, **more)]


@pytest.mark.parametrize("kind", [ScriptedNLI, BatchingNLI])
async def test_each_result_is_the_one_its_pair_has_alone_in_order(kind: Any) -> None:
    llm = ScriptedLLM({"verdict": "supersedes", "confidence": 0.7, "reasoning": "r"})
    alone = [await adjudicate_contradiction(*pair, nli=kind(), llm=llm) for pair in PAIRS]
    assert await collected(PAIRS, nli=kind(), llm=llm) == alone


async def test_a_window_is_one_call_with_both_directions_together() -> None:
    nli = BatchingNLI()
    await collected(PAIRS, nli=nli, window=128)
    assert nli.batches == [256, 256, 88]
    assert nli.asked[:2] == [("target 0", "claim 0"), ("claim 0", "target 0")]


async def test_pairs_are_read_as_they_are_needed() -> None:
    read = 0

    def endless() -> Iterator[tuple[str, str]]:
        nonlocal read
        while True:
            read += 1
            yield f"claim {read}", "target"

    results = adjudicate_many(endless(), nli=BatchingNLI(), window=10)
    for _ in range(25):
        await anext(results)
    assert read <= 30
    await results.aclose()  # type: ignore[attr-defined]


async def test_pairs_may_come_from_a_coroutine() -> None:
    async def some() -> AsyncIterator[tuple[str, str]]:
        for pair in PAIRS[:3]:
            yield pair

    assert len(await collected(some(), nli=BatchingNLI())) == 3
    assert await collected([]) == []


async def test_one_bad_pair_in_a_batch_costs_only_itself() -> None:
    def fussy(premise: str, hypothesis: str) -> Any:
        if "claim 7" in (premise, hypothesis):
            raise ValueError("cannot read that")
        return by_words(premise, hypothesis)

    nli = BatchingNLI(fussy)
    results = await collected(PAIRS[:20], nli=nli)
    good = await collected(PAIRS[:20], nli=BatchingNLI())
    assert [i for i, (one, other) in enumerate(zip(results, good, strict=True)) if one != other] == [7]
    assert results[7].method == "none"


async def test_one_answer_that_cannot_be_used_costs_only_itself_and_no_second_call() -> None:
    nli = BatchingNLI(lambda p, h: None if p == "claim 3" else CONTRADICTS)
    results = await collected(PAIRS[:8], nli=nli)
    assert [result.method for result in results] == ["nli"] * 3 + ["none"] + ["nli"] * 4
    assert nli.batches == [16]


@pytest.mark.parametrize("length", [0, 5, 7, 99])
async def test_a_batch_of_the_wrong_length_is_asked_again_pair_by_pair(length: int) -> None:
    class Miscounting(BatchingNLI):
        async def classify_batch(self, pairs: Any) -> Any:
            self.batches.append(len(pairs))
            return [by_words(*pair) for pair in pairs] if len(pairs) == 2 else [NEUTRAL] * length

    assert await collected(PAIRS[:3], nli=Miscounting()) == await collected(PAIRS[:3], nli=BatchingNLI())


async def test_after_a_batch_that_took_too_long_windows_are_smaller() -> None:
    class Slow(BatchingNLI):
        async def classify_batch(self, pairs: Any) -> Any:
            if len(pairs) > 8:
                self.batches.append(len(pairs))
                await asyncio.Event().wait()
            return await super().classify_batch(pairs)

    nli = Slow()
    results = await collected(PAIRS[:40], nli=nli, window=16, timeout_s=0.05)
    assert {result.method for result in results} == {"nli"}
    assert max(nli.batches[-3:]) == 8
    assert nli.batches.count(32) == nli.batches.count(16) == 1


async def test_few_calls_run_at_once() -> None:
    running = most = 0

    class Counting(ScriptedLLM):
        async def generate_json(self, prompt: str, **more: Any) -> Any:
            nonlocal running, most
            running += 1
            most = max(most, running)
            await asyncio.sleep(0)
            running -= 1
            return {"verdict": "tension"}

    await collected(PAIRS, llm=Counting(None))
    assert 1 < most <= 8


async def test_a_caller_that_is_cancelled_in_the_middle_is_cancelled() -> None:
    stuck = StuckNLI()
    task = asyncio.create_task(collected(PAIRS, nli=stuck, timeout_s=None))
    await stuck.started.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


@pytest.mark.parametrize("pair", [("a",), ("a", "b", "c"), ("a", 1), None, "ab", {"claim": "a", "target": "b"}])
async def test_what_is_no_pair_is_named_by_its_number(pair: Any) -> None:
    with pytest.raises(InputError, match="Pair 1"):
        await collected([("a", "b"), pair])


async def test_what_the_pairs_raise_comes_through() -> None:
    def broken() -> Iterator[tuple[str, str]]:
        yield "a", "b"
        raise OSError("the disk is gone")

    with pytest.raises(OSError, match="the disk is gone"):
        await collected(broken())
