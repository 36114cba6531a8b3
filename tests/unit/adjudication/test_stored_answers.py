"""An NLI that remembers: each pair is asked once for each model, and a store that fails costs nothing but time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from adjudication_doubles import CONTRADICTS, BatchingNLI, ScriptedNLI, by_words, raising
from bicameral.adjudication import StoredNLI, adjudicate_many
from bicameral.canonical import digest_of
from bicameral.errors import StoreError
from bicameral.ports import NLIResult


class KeptAnswers:
    """The port in memory."""

    def __init__(self) -> None:
        self.kept: dict[tuple[str, str], NLIResult] = {}

    def answers(self, model: str, pairs: Sequence[str]) -> Mapping[str, NLIResult]:
        return {pair: self.kept[model, pair] for pair in pairs if (model, pair) in self.kept}

    def keep_answers(self, model: str, found: Mapping[str, NLIResult]) -> None:
        self.kept.update({(model, pair): answer for pair, answer in found.items()})


class BrokenAnswers:
    def answers(self, model: str, pairs: Sequence[str]) -> Mapping[str, NLIResult]:
        raise StoreError("the disk is full")

    def keep_answers(self, model: str, found: Mapping[str, NLIResult]) -> None:
        raise StoreError("the disk is full")


async def test_a_pair_is_asked_once_for_a_model() -> None:
    store, nli = KeptAnswers(), BatchingNLI()
    first = await StoredNLI(nli, store).classify_batch([("a", "b"), ("b", "a"), ("a", "b")])
    assert nli.asked == [("a", "b"), ("b", "a")]
    again = StoredNLI(nli, store)
    assert await again.classify_batch([("a", "b"), ("b", "a"), ("a", "b")]) == first
    assert await again.classify("a", "b") == by_words("a", "b")
    assert len(nli.asked) == 2
    assert {pair for _, pair in store.kept} == {digest_of(["a", "b"]), digest_of(["b", "a"])}


async def test_another_model_is_asked_again() -> None:
    store, nli, other = KeptAnswers(), BatchingNLI(), BatchingNLI()
    other.digest = "sha256:another"
    await StoredNLI(nli, store).classify("a", "b")
    await StoredNLI(other, store).classify("a", "b")
    assert other.asked == [("a", "b")]


async def test_only_what_is_not_known_is_asked_and_the_order_is_kept() -> None:
    store, nli = KeptAnswers(), BatchingNLI()
    stored = StoredNLI(nli, store)
    await stored.classify_batch([("2", "x"), ("4", "x")])
    nli.asked.clear()
    pairs = [(str(number), "x") for number in range(6)]
    assert await stored.classify_batch(pairs) == [by_words(*pair) for pair in pairs]
    assert nli.asked == [("0", "x"), ("1", "x"), ("3", "x"), ("5", "x")]


@pytest.mark.parametrize("answer", [None, 42, NLIResult("maybe", CONTRADICTS.scores), NLIResult("neutral", {})])
async def test_what_cannot_be_used_is_not_kept(answer: Any) -> None:
    store = KeptAnswers()
    assert await StoredNLI(ScriptedNLI(lambda p, h: answer), store).classify("a", "b") == answer
    assert store.kept == {}


async def test_a_damaged_stored_answer_is_asked_again() -> None:
    store = KeptAnswers()
    store.kept["sha256:scripted", digest_of(["a", "b"])] = NLIResult("neutral", {"neutral": 7})
    assert await StoredNLI(ScriptedNLI(), store).classify("a", "b") == by_words("a", "b")


async def test_a_store_that_fails_does_not_fail_the_answer() -> None:
    assert await StoredNLI(ScriptedNLI(), BrokenAnswers()).classify("a", "b") == by_words("a", "b")


async def test_half_a_character_is_asked_and_not_kept() -> None:
    store = KeptAnswers()
    assert await StoredNLI(ScriptedNLI(), store).classify("\ud800", "b") == by_words("\ud800", "b")
    assert store.kept == {}


async def test_a_models_failure_comes_through_and_nothing_is_kept() -> None:
    store = KeptAnswers()
    with pytest.raises(ValueError, match="down"):
        await StoredNLI(ScriptedNLI(raising(ValueError("down"))), store).classify("a", "b")
    assert store.kept == {}


async def test_the_ladder_gives_the_same_results_from_the_store() -> None:
    pairs = [(f"claim {n}", f"target {n}") for n in range(30)]
    store, nli = KeptAnswers(), BatchingNLI()
    fresh = [one async for one in adjudicate_many(pairs, nli=nli)]
    first = [one async for one in adjudicate_many(pairs, nli=StoredNLI(nli, store))]
    nli.asked.clear()
    second = [one async for one in adjudicate_many(pairs, nli=StoredNLI(nli, store))]
    assert fresh == first == second
    assert nli.asked == []
