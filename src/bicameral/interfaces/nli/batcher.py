"""Requests that come at the same time share one run of the model.

Answers for: every request gets its own answers or its own failure, in order of arrival; a bounded queue; nothing left
waiting when it stops. Declines to read requests and to know what an answer means.

Rules, in order:
1. While the model runs, requests gather. When it is free, those that wait go together, up to `most` pairs; a request
   is never split, and one that is bigger goes alone.
2. If fewer have gathered than went together last time, it waits for the rest, up to `wait_s`. One client alone is
   never kept waiting.
3. A run that fails is repeated request by request, so that a pair which breaks the model fails its own request only.
4. A request whose client has gone is not run.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from bicameral.ports import NLI, BatchNLI, NLIResult

Pair = tuple[str, str]

WAIT_S: Final = 0.003
MOST: Final = 64


class QueueFull(Exception):
    """So many pairs wait already that another request would wait too long."""


@dataclass(eq=False)
class _Waiting:
    pairs: Sequence[Pair]
    answers: asyncio.Future[list[NLIResult]]


class Batcher:
    """nli: a BatchNLI, or one that takes pairs singly.  queued: pairs that may wait.

    Use it with `async with`, in the loop in which it is asked.
    """

    def __init__(self, nli: NLI, *, queued: int, most: int = MOST, wait_s: float = WAIT_S) -> None:
        self._nli = nli
        self._queued = queued
        self._most = most
        self._wait_s = wait_s
        self._waiting: deque[_Waiting] = deque()
        self._pairs = 0
        self._came = asyncio.Event()
        self._worker: asyncio.Task[None] | None = None
        self._running: list[_Waiting] = []
        self._last = 1

    async def __aenter__(self) -> Batcher:
        self._worker = asyncio.create_task(self._work())
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._worker is not None:
            self._worker.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._worker
        for one in (*self._running, *self._waiting):
            one.answers.cancel()

    async def classify(self, pairs: Sequence[Pair]) -> list[NLIResult]:
        """The answers, in the pairs' order. Raises QueueFull, and whatever the model raises."""
        if not pairs:
            return []
        if self._pairs and self._pairs + len(pairs) > self._queued:
            raise QueueFull
        one = _Waiting(pairs, asyncio.get_running_loop().create_future())
        self._waiting.append(one)
        self._pairs += len(pairs)
        self._came.set()
        return await one.answers

    async def _work(self) -> None:
        while True:
            await self._gather()
            self._running = self._take()
            if self._running:
                await self._run(self._running)

    async def _gather(self) -> None:
        """Until something waits, and a moment longer where more is expected."""
        while not self._waiting:
            self._came.clear()
            await self._came.wait()
        try:
            async with asyncio.timeout(self._wait_s):
                while len(self._waiting) < self._last and self._pairs < self._most:
                    self._came.clear()
                    await self._came.wait()
        except TimeoutError:
            pass

    def _take(self) -> list[_Waiting]:
        """The requests that go together, first come first; those whose client has gone are dropped."""
        batch: list[_Waiting] = []
        taken = 0
        while self._waiting and (not batch or taken + len(self._waiting[0].pairs) <= self._most):
            one = self._waiting.popleft()
            self._pairs -= len(one.pairs)
            if not one.answers.done():
                batch.append(one)
                taken += len(one.pairs)
        self._last = max(1, len(batch))
        return batch

    async def _run(self, batch: list[_Waiting]) -> None:
        try:
            answers = await self._classified([pair for one in batch for pair in one.pairs])
        except Exception as exc:
            if len(batch) == 1:
                _fail(batch[0], exc)
                return
            for one in batch:
                await self._run([one])
            return
        at = 0
        for one in batch:
            if not one.answers.done():
                one.answers.set_result(list(answers[at : at + len(one.pairs)]))
            at += len(one.pairs)

    async def _classified(self, pairs: list[Pair]) -> Sequence[NLIResult]:
        if isinstance(self._nli, BatchNLI):
            answers = await self._nli.classify_batch(pairs)
        else:
            answers = [await self._nli.classify(premise, hypothesis) for premise, hypothesis in pairs]
        if len(answers) != len(pairs):
            raise RuntimeError(f"the model gave {len(answers)} answers for {len(pairs)} pairs")
        return answers


def _fail(one: _Waiting, exc: Exception) -> None:
    if not one.answers.done():
        one.answers.set_exception(exc)
