"""What every LLM promises (`ports.LLM`). Run by one test file a kind.

A subclass gives the fixture `llm_that`: from what the model is to say, or how it is to fail, to an
LLM that is served so.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Literal

import pytest

from bicameral.errors import ProviderFailed
from bicameral.ports import LLM

SCHEMA = {
    "type": "object",
    "properties": {"word": {"type": "string", "enum": ["yes", "no"]}, "weight": {"type": "number"}},
    "required": ["word", "weight"],
    "additionalProperties": False,
}
Trouble = Literal["text", "list", "empty", "truncated", "refused", "unauthorised", "overloaded", "cut", "silent"]
KINDS: dict[Trouble, str] = {
    "text": "unreadable",
    "list": "unreadable",
    "empty": "unreadable",
    "truncated": "truncated",
    "refused": "refused",
    "unauthorised": "unauthorised",
    "overloaded": "overloaded",
    "cut": "unreachable",
    "silent": "timed-out",
}
MakeLLM = Callable[[str | Trouble], LLM]


class LLMContract:
    """Inherit it as `TestSomething`, with a fixture `llm_that`."""

    async def test_an_object_is_what_the_model_said(self, llm_that: MakeLLM) -> None:
        llm = llm_that('{"word": "yes", "weight": 0.5}')
        assert await llm.generate_json("Well?", schema=SCHEMA, temperature=0.0) == {"word": "yes", "weight": 0.5}

    async def test_members_are_the_callers_to_judge(self, llm_that: MakeLLM) -> None:
        llm = llm_that('{"word": "perhaps", "more": [1]}')
        assert await llm.generate_json("Well?", schema=SCHEMA, temperature=0.0) == {"word": "perhaps", "more": [1]}

    @pytest.mark.parametrize("trouble", sorted(KINDS))
    async def test_what_is_no_answer_is_a_failure_of_its_kind(self, llm_that: MakeLLM, trouble: Trouble) -> None:
        with pytest.raises(ProviderFailed) as caught:
            await llm_that(trouble).generate_json("Well?", schema=SCHEMA, temperature=0.0)
        assert caught.value.kind == KINDS[trouble]

    async def test_a_cancelled_caller_is_cancelled(self, llm_that: MakeLLM) -> None:
        llm = llm_that("silent")
        task = asyncio.create_task(llm.generate_json("Well?", schema=SCHEMA, temperature=0.0))
        await asyncio.sleep(0.05)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    def test_it_says_who_it_is(self, llm_that: MakeLLM) -> None:
        llm = llm_that("{}")
        assert llm.name
        assert llm.model_id
