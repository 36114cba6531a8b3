"""Requests that come at the same time share one run of the model."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest

from bicameral.interfaces.nli.batcher import Batcher, Pair, QueueFull
from bicameral.ports import NLIResult


def answer_to(pair: Pair) -> NLIResult:
    """An answer that tells which pair it is for."""
    return NLIResult("neutral", {"contradiction": len(pair[0]) / 1e4, "entailment": len(pair[1]) / 1e4, "neutral": 0.5})


class Model:
    """Runs when it is let. runs: the pairs of each run, in order."""

    name = "model"

    def __init__(self, *, free: bool = True, breaks_on: str | None = None) -> None:
        self.runs: list[list[Pair]] = []
        self.begun = asyncio.Event()
        self.free = asyncio.Event()
        self.breaks_on = breaks_on
        if free:
            self.free.set()

    async def classify(self, premise: str, hypothesis: str) -> NLIResult:
        return (await self.classify_batch([(premise, hypothesis)]))[0]

    async def classify_batch(self, pairs: Sequence[Pair]) -> list[NLIResult]:
        self.runs.append(list(pairs))
        self.begun.set()
        await self.free.wait()
        if any(premise == self.breaks_on for premise, _ in pairs):
            raise ValueError("this pair breaks the model")
        return [answer_to(pair) for pair in pairs]


class OneByOne:
    name = "one by one"

    def __init__(self) -> None:
        self.asked: list[Pair] = []

    async def classify(self, premise: str, hypothesis: str) -> NLIResult:
        self.asked.append((premise, hypothesis))
        return answer_to((premise, hypothesis))


async def behind_a_running_one(model: Model, batcher: Batcher) -> asyncio.Task[list[NLIResult]]:
    """One request that holds the model until it is let."""
    first = asyncio.create_task(batcher.classify([("first", "")]))
    await model.begun.wait()
    return first


async def test_requests_that_wait_while_the_model_runs_go_together() -> None:
    model = Model(free=False)
    async with Batcher(model, queued=100) as batcher:
        first = await behind_a_running_one(model, batcher)
        rest = [asyncio.create_task(batcher.classify([("a" * n, "b")])) for n in range(5)]
        await asyncio.sleep(0)
        model.free.set()
        await first
        answers = await asyncio.gather(*rest)
    assert len(model.runs) == 2
    assert answers == [[answer_to(("a" * n, "b"))] for n in range(5)]


async def test_one_client_alone_is_never_kept_waiting() -> None:
    model = Model()
    async with Batcher(model, queued=100, wait_s=3600) as batcher:
        for n in range(3):
            assert await batcher.classify([("a" * n, "")]) == [answer_to(("a" * n, ""))]
    assert [len(run) for run in model.runs] == [1, 1, 1]


async def test_as_many_as_last_time_are_waited_for_but_not_for_ever() -> None:
    model = Model(free=False)
    async with Batcher(model, queued=100, wait_s=0.01) as batcher:
        first = await behind_a_running_one(model, batcher)
        three = [asyncio.create_task(batcher.classify([("x", "y")])) for _ in range(3)]
        await asyncio.sleep(0)
        model.free.set()
        await asyncio.gather(first, *three)
        await batcher.classify([("alone", "")])
    assert [len(run) for run in model.runs] == [1, 3, 1]


async def test_no_run_has_more_pairs_than_the_most_and_no_request_is_split() -> None:
    model = Model(free=False)
    async with Batcher(model, queued=1000, most=10) as batcher:
        first = await behind_a_running_one(model, batcher)
        sizes = [4, 4, 4, 25, 1]
        rest = [asyncio.create_task(batcher.classify([("p", "h")] * size)) for size in sizes]
        await asyncio.sleep(0)
        model.free.set()
        answers = await asyncio.gather(first, *rest)
    assert [len(run) for run in model.runs] == [1, 8, 4, 25, 1]
    assert [len(answer) for answer in answers] == [1, *sizes]


async def test_a_full_queue_turns_a_request_away_and_keeps_the_others() -> None:
    model = Model(free=False)
    async with Batcher(model, queued=3) as batcher:
        first = await behind_a_running_one(model, batcher)
        kept = [asyncio.create_task(batcher.classify([("p", "h")])) for _ in range(3)]
        await asyncio.sleep(0)
        with pytest.raises(QueueFull):
            await batcher.classify([("one", "too many")])
        model.free.set()
        await asyncio.gather(first, *kept)
        assert await batcher.classify([("room", "again")])


async def test_a_request_bigger_than_the_queue_is_taken_where_nothing_waits() -> None:
    async with Batcher(Model(), queued=3) as batcher:
        assert len(await batcher.classify([("p", "h")] * 7)) == 7


async def test_a_pair_that_breaks_the_model_fails_its_own_request_only() -> None:
    model = Model(free=False, breaks_on="bad")
    async with Batcher(model, queued=100) as batcher:
        first = await behind_a_running_one(model, batcher)
        rest = [asyncio.create_task(batcher.classify([(word, "h")])) for word in ("good", "bad", "fine")]
        await asyncio.sleep(0)
        model.free.set()
        await first
        good, bad, fine = await asyncio.gather(*rest, return_exceptions=True)
        assert await batcher.classify([("after", "")])
    assert good == [answer_to(("good", "h"))]
    assert fine == [answer_to(("fine", "h"))]
    assert isinstance(bad, ValueError)


async def test_a_request_whose_client_has_gone_is_not_run() -> None:
    model = Model(free=False)
    async with Batcher(model, queued=100) as batcher:
        first = await behind_a_running_one(model, batcher)
        gone = asyncio.create_task(batcher.classify([("gone", "")]))
        stays = asyncio.create_task(batcher.classify([("stays", "")]))
        await asyncio.sleep(0)
        gone.cancel()
        model.free.set()
        await asyncio.gather(first, stays)
    assert [pair[0] for run in model.runs for pair in run] == ["first", "stays"]


async def test_a_model_that_takes_pairs_singly_is_asked_singly() -> None:
    model = OneByOne()
    async with Batcher(model, queued=100) as batcher:
        assert len(await batcher.classify([("a", "b"), ("c", "d")])) == 2
    assert model.asked == [("a", "b"), ("c", "d")]


async def test_a_model_that_gives_too_few_answers_is_a_failure() -> None:
    class Short(Model):
        async def classify_batch(self, pairs: Sequence[Pair]) -> list[NLIResult]:
            return []

    async with Batcher(Short(), queued=100) as batcher:
        with pytest.raises(RuntimeError, match="0 answers for 1"):
            await batcher.classify([("a", "b")])


async def test_no_pairs_need_no_model() -> None:
    model = Model()
    async with Batcher(model, queued=100) as batcher:
        assert await batcher.classify([]) == []
    assert model.runs == []


async def test_what_runs_or_waits_when_it_stops_is_cancelled() -> None:
    model = Model(free=False)
    async with Batcher(model, queued=100) as batcher:
        running = await behind_a_running_one(model, batcher)
        waiting = asyncio.create_task(batcher.classify([("p", "h")]))
        await asyncio.sleep(0)
    for task in (running, waiting):
        with pytest.raises(asyncio.CancelledError):
            await task
