"""Providers for tests of the ladder: scripted ones, and some that mean harm."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from bicameral.ports import NLIResult

LABELS = ("contradiction", "entailment", "neutral")


def scored(label: str, score: float = 0.9) -> NLIResult:
    """A label with its score, the rest shared by the others."""
    rest = (1 - score) / 2
    return NLIResult(label, {one: score if one == label else rest for one in LABELS})


CONTRADICTS, ENTAILS, NEUTRAL = (scored(label) for label in LABELS)


def by_words(premise: str, hypothesis: str) -> NLIResult:
    """An answer that depends on the two texts alone: the same for the same pair, on any machine."""
    digest = hashlib.sha256(repr((premise, hypothesis)).encode("utf-8", "surrogatepass")).digest()
    return scored(LABELS[digest[0] % 3], 0.4 + digest[1] / 256 * 0.6)


Answering = Callable[[str, str], Any]


class ScriptedNLI:
    """Classifies one pair at a time by a function; it may raise, or give what is no answer. asked: in order."""

    name = "scripted"
    digest = "sha256:scripted"

    def __init__(self, answer: Answering | Any = by_words) -> None:
        self._answer = answer if callable(answer) else lambda premise, hypothesis: answer
        self.asked: list[tuple[str, str]] = []

    async def classify(self, premise: str, hypothesis: str) -> Any:
        self.asked.append((premise, hypothesis))
        return self._answer(premise, hypothesis)


class BatchingNLI(ScriptedNLI):
    """The same, many at a time. batches: how long each was."""

    def __init__(self, answer: Answering | Any = by_words) -> None:
        super().__init__(answer)
        self.batches: list[int] = []

    async def classify_batch(self, pairs: Sequence[tuple[str, str]]) -> Any:
        self.batches.append(len(pairs))
        self.asked += pairs
        return [self._answer(premise, hypothesis) for premise, hypothesis in pairs]


class ScriptedLLM:
    """Answers each prompt with the same object, by a function, or by raising. prompts: in order."""

    name = "scripted-llm"
    model_id = "scripted:llm-1"

    def __init__(self, answer: Any) -> None:
        self._answer = answer
        self.prompts: list[str] = []
        self.schemas: list[Mapping[str, object]] = []

    async def generate_json(self, prompt: str, *, schema: Mapping[str, object], temperature: float) -> Any:
        self.prompts.append(prompt)
        self.schemas.append(schema)
        if isinstance(self._answer, BaseException):
            raise self._answer
        return self._answer(prompt) if callable(self._answer) else self._answer


class StuckNLI:
    """Never answers. stubborn: it also swallows the first cancellation. cancelled: how often it was told to stop."""

    name = "stuck"

    def __init__(self, *, stubborn: bool = False) -> None:
        self.stubborn = stubborn
        self.cancelled = 0
        self.started = asyncio.Event()
        self.released = asyncio.Event()

    async def classify(self, premise: str, hypothesis: str) -> Any:
        self.started.set()
        try:
            await self.released.wait()
        except asyncio.CancelledError:
            self.cancelled += 1
            if not self.stubborn:
                raise
            await self.released.wait()


def raising(error: BaseException) -> Answering:
    """A function that raises it."""

    def answer(premise: str, hypothesis: str) -> Any:
        raise error

    return answer
