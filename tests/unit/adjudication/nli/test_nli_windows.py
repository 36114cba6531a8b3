"""Long texts by windows of sentences: which are weighed, and what they come to."""

from __future__ import annotations

import pytest

from bicameral.adjudication.nli.windows import Windows, combined, cut, pair_windows, rooms
from bicameral.ports import NLIResult


def spans(text: str) -> list[tuple[int, int]]:
    """Every word a piece."""
    found, at = [], 0
    for word in text.split():
        at = text.index(word, at)
        found.append((at, at + len(word)))
        at += len(word)
    return found


def said(label: str, score: float) -> NLIResult:
    rest = (1 - score) / 2
    return NLIResult(
        label, {one: score if one == label else rest for one in ("contradiction", "entailment", "neutral")}
    )


def windows(*parts: int, related: tuple[bool, ...] | None = None, hypotheses: int | None = None) -> Windows:
    return Windows(
        pairs=tuple((f"p{at}", f"h{part}") for at, part in enumerate(parts)),
        parts=parts,
        related=related or (True,) * len(parts),
        premises=len(parts),
        hypotheses=len(set(parts)) if hypotheses is None else hypotheses,
        left_out=0,
    )


@pytest.mark.parametrize(
    ("premise", "hypothesis", "expected"),
    [(500, 10, (90, 50)), (10, 500, (50, 90)), (500, 500, (50, 50)), (60, 60, (50, 50)), (99, 2, (98, 50))],
)
def test_a_side_of_no_more_than_half_of_the_room_goes_whole(
    premise: int, hypothesis: int, expected: tuple[int, int]
) -> None:
    assert rooms(premise, hypothesis, 100) == expected


def test_a_text_that_fits_is_one_window_even_of_several_sentences() -> None:
    text = "One is here. Two is there."
    assert cut(text, spans(text), 6) == [text]


def test_a_text_that_does_not_fit_is_cut_by_sentence() -> None:
    text = "The first stands here. The second follows. The third ends it."
    assert cut(text, spans(text), 6) == ["The first stands here.", "The second follows.", "The third ends it."]


def test_a_sentence_that_does_not_fit_is_cut_between_words_and_each_part_begins_with_the_end_of_the_one_before() -> (
    None
):
    text = " ".join(f"w{number}" for number in range(20))
    parts = cut(text, spans(text), 8)
    assert parts[0] == "w0 w1 w2 w3 w4 w5 w6 w7"
    assert parts[1].startswith("w6 w7 w8")
    assert parts[-1].endswith("w19")
    assert all(len(part.split()) <= 8 for part in parts)


def test_a_word_of_many_pieces_is_cut_within() -> None:
    text = "x" * 40
    parts = cut(text, [(at, at + 1) for at in range(40)], 8)
    assert all(len(part) <= 8 for part in parts)
    assert "".join(parts).count("x") >= 40


def test_windows_about_the_same_thing_are_weighed_and_strangers_are_not() -> None:
    premises = ["The treasurer signed the contract.", "Bees like clover.", "Rain fell on the harbour."]
    chosen = pair_windows(premises, ["The treasurer never signed the contract."])
    assert chosen.pairs == (("The treasurer signed the contract.", "The treasurer never signed the contract."),)
    assert chosen.related == (True,)


def test_where_nothing_is_related_what_is_nearest_is_weighed() -> None:
    chosen = pair_windows(["Bees like clover.", "Rain fell."], ["Il pleut."])
    assert len(chosen.pairs) == 2
    assert chosen.related == (True, True)


def test_a_window_that_names_all_goes_before_one_that_names_most() -> None:
    premises = ["The shop in street 12 is closed.", "The shop in street 13 is closed."]
    assert pair_windows(premises, ["The shop in street 13 is closed."]).pairs == ((premises[1], premises[1]),)


def test_every_window_of_the_hypothesis_is_weighed_and_strangers_are_marked() -> None:
    chosen = pair_windows(
        ["The treasurer signed the contract."], ["The treasurer signed nothing.", "Bees like clover."]
    )
    assert chosen.parts == (0, 1)
    assert chosen.related == (True, False)


def test_beyond_the_bound_the_most_related_are_weighed_and_the_rest_is_said_to_be_left_out() -> None:
    premises = [f"The shop number {number} is closed." for number in range(30)]
    chosen = pair_windows(premises, ["The shop number 7 is closed.", "Shops are closed."], most=5)
    assert len(chosen.pairs) == 5
    assert (premises[7], "The shop number 7 is closed.") in chosen.pairs
    assert chosen.left_out > 0
    assert f"{chosen.left_out} that would have been were left out" in chosen.note
    assert "left out" not in pair_windows(premises[:2], premises[:1]).note


def test_the_strongest_contradiction_stands() -> None:
    answer = combined(windows(0, 0, 0), [said("neutral", 0.9), said("contradiction", 0.7), said("contradiction", 0.9)])
    assert answer == said("contradiction", 0.9)
    assert "by sentence" in str(answer.note)


def test_an_entailment_that_is_stronger_than_the_contradiction_stands_for_its_window() -> None:
    assert combined(windows(0, 0), [said("entailment", 0.9), said("contradiction", 0.8)]) == said("entailment", 0.9)
    assert combined(windows(0, 0), [said("entailment", 0.8), said("contradiction", 0.8)]).label == "contradiction"


def test_a_contradiction_by_a_stranger_counts_for_nothing() -> None:
    found = [said("contradiction", 0.99), said("neutral", 0.6)]
    assert combined(windows(0, 0, related=(False, True)), found) == said("neutral", 0.6)
    alone = combined(windows(0, related=(False,)), [said("contradiction", 0.99)])
    assert alone.scores == {"contradiction": 0.25, "entailment": 0.25, "neutral": 0.5}


def test_a_hypothesis_is_entailed_only_if_all_its_windows_are_and_as_surely_as_the_weakest() -> None:
    both = [said("entailment", 0.9), said("entailment", 0.7)]
    assert combined(windows(0, 1), both) == said("entailment", 0.7)
    assert combined(windows(0, 1), [said("entailment", 0.9), said("neutral", 0.6)]) == said("neutral", 0.6)
    assert combined(windows(0, 1, hypotheses=3), both).label == "neutral"


def test_one_contradicted_window_contradicts_the_whole_hypothesis() -> None:
    found = [said("entailment", 0.9), said("contradiction", 0.6), said("neutral", 0.9)]
    assert combined(windows(0, 1, 2), found) == said("contradiction", 0.6)
