"""What every NLI promises (`ports.NLI`, `ports.BatchNLI`). Run by one test file a kind.

A subclass gives the fixture `nli`.
"""

from __future__ import annotations

import asyncio
import math

from bicameral.ports import BatchNLI

LABELS = {"contradiction", "entailment", "neutral"}
PAIRS = [
    ("The shop opens at nine.", "The shop opens at nine."),
    ("The shop is open.", "The shop is not open."),
    ("The shop is open.", "Bees like clover."),
    ("", ""),
    ("one", "🐝"),
    ("المتجر مفتوح.", "商店关门了。"),
    ("A very long text. " * 400, "It ends here."),
]


class NLIContract:
    """Inherit it as `TestSomething`, with a fixture `nli`."""

    async def test_an_answer_is_one_of_three_labels_and_their_scores(self, nli: BatchNLI) -> None:
        for premise, hypothesis in PAIRS:
            answer = await nli.classify(premise, hypothesis)
            assert set(answer.scores) == LABELS
            assert all(math.isfinite(score) and 0 <= score <= 1 for score in answer.scores.values())
            assert answer.label in LABELS

    async def test_scores_are_quantised(self, nli: BatchNLI) -> None:
        for premise, hypothesis in PAIRS:
            answer = await nli.classify(premise, hypothesis)
            assert all(score == round(score, 4) for score in answer.scores.values())

    async def test_a_batch_answers_as_single_questions_do_and_in_order(self, nli: BatchNLI) -> None:
        singly = [await nli.classify(*pair) for pair in PAIRS]
        assert list(await nli.classify_batch(PAIRS)) == singly
        assert list(await nli.classify_batch(PAIRS[::-1])) == singly[::-1]

    async def test_a_pair_that_is_asked_twice_in_a_batch_is_answered_twice(self, nli: BatchNLI) -> None:
        first, again = await nli.classify_batch([PAIRS[1], PAIRS[1]])
        assert first == again

    async def test_an_empty_batch_is_an_empty_answer(self, nli: BatchNLI) -> None:
        assert list(await nli.classify_batch([])) == []

    async def test_many_that_ask_at_once_get_their_own_answers(self, nli: BatchNLI) -> None:
        singly = [await nli.classify(*pair) for pair in PAIRS]
        asked = PAIRS * 5
        assert await asyncio.gather(*(nli.classify(*pair) for pair in asked)) == singly * 5

    async def test_the_texts_are_left_as_they_were(self, nli: BatchNLI) -> None:
        pairs = list(PAIRS)
        await nli.classify_batch(pairs)
        assert pairs == PAIRS

    def test_it_says_who_it_is(self, nli: BatchNLI) -> None:
        assert nli.name
