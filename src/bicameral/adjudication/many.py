"""Many pairs, weighed in the order in which they came, in flat memory.

Answers for: bounded windows, one batched call of the NLI for each where it takes batches (both directions together),
and a bounded number of single calls at once. Declines to keep anything: what was weighed is the caller's to store.

Rules, in order:
1. A window is filled, weighed and handed over before the next one is read; nothing of it is kept.
2. Where a batched call fails, each pair of its window is weighed alone, so that one bad pair costs only itself.
3. After a batched call that took too long, the windows that follow are half as large.
4. The results are those that `adjudicate_contradiction` gives for each pair, if the provider's answers are the same.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterable, AsyncIterator, Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from bicameral.adjudication.asking import Failed, asked, checked_timeout
from bicameral.adjudication.ladder import Pair, ask_nli, batch_of, both_ways, checked_pair, climb, nli_rung, read_many
from bicameral.adjudication.rules import DEFAULTS, Thresholds, replay_rungs
from bicameral.model.adjudication import AdjudicationResult, Rung
from bicameral.ports import LLM, NLI

WINDOW: Final = 128
"""Pairs of one window: enough for batches of even length, and few enough to be weighed within one time-out."""
AT_ONCE: Final = 8
"""Single calls that run at the same time."""


def adjudicate_many(
    pairs: Iterable[Pair] | AsyncIterable[Pair],
    *,
    nli: NLI | None = None,
    llm: LLM | None = None,
    llm_tier: str = "medium",
    timeout_s: float | None = 30.0,
    thresholds: Thresholds = DEFAULTS,
    window: int = WINDOW,
) -> AsyncIterator[AdjudicationResult]:
    """Weigh (claim, target) pairs; the results come in their order. Pairs are read as they are needed.

    The arguments are those of `adjudicate_contradiction`; timeout_s is for each call, a batched one included. Raises
    InputError, naming the number of the pair (0 for the first), for one that is no pair of texts.
    """
    run = _Run(nli, llm, llm_tier, checked_timeout(timeout_s), thresholds, max(1, window))
    return run.results(pairs)


@dataclass
class _Run:
    nli: NLI | None
    llm: LLM | None
    llm_tier: str
    timeout_s: float | None
    thresholds: Thresholds
    window: int

    async def results(self, pairs: Iterable[Pair] | AsyncIterable[Pair]) -> AsyncIterator[AdjudicationResult]:
        window: list[Pair] = []
        count = 0
        async for pair in _each(pairs):
            window.append(checked_pair(pair, f"Pair {count}"))
            count += 1
            if len(window) >= self.window:
                for result in await self.weigh(window):
                    yield result
                window = []
        for result in await self.weigh(window):
            yield result

    async def weigh(self, window: Sequence[Pair]) -> list[AdjudicationResult]:
        firsts = await self.first_rungs(window)
        if self.llm is None:
            return [replay_rungs(rungs, tier=self.llm_tier, thresholds=self.thresholds) for rungs in firsts]

        async def one(pair: Pair, rungs: list[Rung]) -> AdjudicationResult:
            return await climb(
                pair,
                rungs,
                llm=self.llm,
                llm_tier=self.llm_tier,
                timeout_s=self.timeout_s,
                thresholds=self.thresholds,
            )

        return await _bounded(one, list(zip(window, firsts, strict=True)))

    async def first_rungs(self, window: Sequence[Pair]) -> list[list[Rung]]:
        """What the NLI says of each pair; no rung where there is no NLI."""
        nli = self.nli
        if nli is None:
            return [[] for _ in window]
        batch = batch_of(nli)
        if batch is not None and len(window) > 1:
            questions = [question for pair in window for question in both_ways(pair)]
            got = await asked(
                lambda: batch(questions), lambda answer: read_many(answer, len(questions), exact=True), self.timeout_s
            )
            if not isinstance(got, Failed):
                found = got.value
                return [[nli_rung(nli, found[at], found[at + 1])] for at in range(0, len(found), 2)]
            if got.word == "timed-out":
                self.window = max(1, self.window // 2)

        async def alone(pair: Pair) -> list[Rung]:
            return [await ask_nli(nli, pair, self.timeout_s)]

        return await _bounded(alone, [(pair,) for pair in window])


async def _each(pairs: Iterable[Pair] | AsyncIterable[Pair]) -> AsyncIterator[Pair]:
    if isinstance(pairs, AsyncIterable):
        async for pair in pairs:
            yield pair
    else:
        for pair in pairs:
            yield pair


async def _bounded(call: Callable[..., Awaitable[Any]], arguments: Sequence[tuple[Any, ...]]) -> list[Any]:
    """The results in order, at most AT_ONCE calls at the same time."""
    gate = asyncio.Semaphore(AT_ONCE)

    async def one(given: tuple[Any, ...]) -> Any:
        async with gate:
            return await call(*given)

    return list(await asyncio.gather(*(one(given) for given in arguments)))
