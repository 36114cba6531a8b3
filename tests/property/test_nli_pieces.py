"""Batches, windows and scores of the NLI provider hold for any input."""

from __future__ import annotations

from itertools import accumulate

from hypothesis import given
from hypothesis import strategies as st

from bicameral.adjudication.nli.batches import plan_batches
from bicameral.adjudication.nli.reading import answered, whole
from bicameral.adjudication.nli.scores import LABELS, scored
from bicameral.adjudication.nli.windows import combined, cut, pair_windows, rooms
from bicameral.ports import NLIResult

WORDS = st.text(st.sampled_from(["a", "b", "7", ".", "。", " ", "\n", "é", "你", "!", "\u0300", "😀"]), max_size=120)
LOGITS = st.floats(-1e30, 1e30)
SIDES = st.lists(WORDS.filter(bool), min_size=1, max_size=6)


@given(st.lists(st.integers(1, 128), max_size=60), st.integers(1, 8), st.integers(0, 600))
def test_every_pair_is_in_one_batch_of_its_own_length(lengths: list[int], workers: int, most: int) -> None:
    batches = plan_batches(lengths, workers=workers, most_pieces=most)
    assert sorted(at for batch in batches for at in batch) == list(range(len(lengths)))
    for batch in batches:
        assert len({lengths[at] for at in batch}) == 1
        assert len(batch) == 1 or len(batch) * lengths[batch[0]] <= most
    firsts = [lengths[batch[0]] for batch in batches]
    assert firsts == sorted(firsts, reverse=True)


@given(st.integers(1, 64), st.integers(1, 8))
def test_pairs_of_one_length_are_spread_over_the_workers(count: int, workers: int) -> None:
    batches = plan_batches([10] * count, workers=workers, most_pieces=10_000)
    assert len(batches) >= min(count, workers) or max(map(len, batches)) <= -(-count // workers)


@given(st.lists(st.sampled_from(["", ".", "!", "\n\n", ","]), min_size=1, max_size=60), st.integers(1, 20))
def test_windows_hold_every_word_and_none_is_too_long(marks: list[str], room: int) -> None:
    words = [f"W{number}{mark}" for number, mark in enumerate(marks)]
    text = " ".join(words)
    ends = list(accumulate(len(word) + 1 for word in words))
    windows = cut(text, [(end - len(word) - 1, end - 1) for word, end in zip(words, ends, strict=True)], room)
    if len(words) <= room:
        assert windows == [text]
        return
    assert all(window in text and 1 <= len(window.split()) <= room for window in windows)
    numbers = [[int(word.strip("W.!,")) for word in window.split()] for window in windows]
    assert {number for window in numbers for number in window} == set(range(len(words)))
    assert [window[-1] for window in numbers] == sorted(window[-1] for window in numbers)


@given(st.integers(0, 400), st.integers(0, 400), st.integers(4, 200))
def test_the_rooms_of_both_sides_fit_together(premise: int, hypothesis: int, room: int) -> None:
    of_premise, of_hypothesis = rooms(premise, hypothesis, room)
    assert min(premise, of_premise) + min(hypothesis, of_hypothesis) <= room or premise + hypothesis <= room
    assert of_premise > 0
    assert of_hypothesis > 0


@given(SIDES, SIDES, st.integers(1, 12), st.data())
def test_any_windows_come_to_one_answer_that_is_one_of_theirs_or_undecided(
    premises: list[str], hypotheses: list[str], most: int, data: st.DataObject
) -> None:
    chosen = pair_windows(premises, hypotheses, most=most)
    assert 1 <= len(chosen.pairs) <= most
    assert all(p in premises and h in hypotheses for p, h in chosen.pairs)
    assert len(chosen.pairs) == len(chosen.parts) == len(chosen.related)
    logits = st.tuples(*[st.floats(-9, 9)] * 3)
    results = [scored(data.draw(logits), LABELS) for _ in chosen.pairs]
    answer = combined(chosen, results)
    undecided = NLIResult("neutral", {"contradiction": 0.25, "entailment": 0.25, "neutral": 0.5})
    assert answer in (*results, undecided)
    assert str(chosen.left_out) in str(answer.note) or chosen.left_out == 0


@given(st.tuples(LOGITS, LOGITS, LOGITS), st.permutations(LABELS), st.floats(0.05, 20))
def test_scores_are_quantised_probabilities_whatever_the_order_of_the_labels(
    logits: tuple[float, float, float], order: list[str], temperature: float
) -> None:
    answer = scored(logits, order, temperature)  # type: ignore[arg-type]
    assert list(answer.scores) == list(LABELS)
    assert all(0 <= score <= 1 and score == round(score, 4) for score in answer.scores.values())
    assert abs(sum(answer.scores.values()) - 1) <= 2e-4
    by_label = dict(zip(order, logits, strict=True))
    assert by_label[answer.label] == max(logits)
    turned = scored([by_label[label] for label in LABELS], LABELS, temperature)
    assert turned == answer


@given(st.text(), st.text())
def test_any_two_texts_can_be_encoded_and_are_answered_or_put_to_the_model(premise: str, hypothesis: str) -> None:
    whole(premise).encode()
    answer = answered(whole(premise), whole(hypothesis), frozenset({"LATIN"}))
    assert answer is None or answer.label in LABELS
