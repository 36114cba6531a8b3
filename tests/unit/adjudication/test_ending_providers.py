"""Providers whose own members would end the program, or pretend that the caller was cancelled."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from adjudication_doubles import CONTRADICTS
from bicameral.adjudication import adjudicate_contradiction

ENDS = [SystemExit("x"), GeneratorExit(), asyncio.CancelledError(), BaseException("x"), ValueError("x")]


def named(error: BaseException) -> str:
    return type(error).__name__


class Ending:
    """An NLI one of whose members raises."""

    def __init__(self, member: str, error: BaseException) -> None:
        self._member, self._error = member, error

    def _give(self, member: str, value: Any) -> Any:
        if member == self._member:
            raise self._error
        return value

    @property
    def name(self) -> str:
        return str(self._give("name", "n"))

    @property
    def digest(self) -> str:
        return str(self._give("digest", "sha256:d"))

    @property
    def classify_batch(self) -> Any:
        return self._give("classify_batch", None)

    async def classify(self, premise: str, hypothesis: str) -> Any:
        return CONTRADICTS


@pytest.mark.parametrize("error", ENDS, ids=named)
@pytest.mark.parametrize("member", ["name", "digest", "classify_batch"])
async def test_a_member_that_raises_whatever_costs_no_verdict(member: str, error: BaseException) -> None:
    result = await adjudicate_contradiction("a", "b", nli=Ending(member, error))
    assert (result.verdict, result.method) == ("genuine", "nli")


@pytest.mark.parametrize("error", ENDS, ids=named)
async def test_an_error_that_cannot_be_put_into_words_is_a_failed_provider(error: BaseException) -> None:
    class Mute(Exception):
        def __str__(self) -> str:
            raise error

    class Failing:
        name = "failing"

        async def classify(self, premise: str, hypothesis: str) -> Any:
            raise Mute

    result = await adjudicate_contradiction("a", "b", nli=Failing())
    assert (result.verdict, result.method, [rung.failure for rung in result.rungs]) == ("tension", "none", ["error"])
