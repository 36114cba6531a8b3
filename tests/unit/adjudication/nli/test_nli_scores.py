"""From logits to an answer, and what a model can read."""

from __future__ import annotations

import math

import pytest

from bicameral.adjudication.nli.reading import answered, whole
from bicameral.adjudication.nli.scores import LABELS, scored, undecided
from bicameral.adjudication.rules import nli_to_verdict
from bicameral.errors import ProviderFailed

ORDER = ("entailment", "neutral", "contradiction")
LATIN = frozenset({"LATIN"})


def test_scores_are_the_softmax_over_the_labels_in_the_models_order() -> None:
    answer = scored([1.0, 2.0, 4.0], ORDER)
    total = math.exp(1) + math.exp(2) + math.exp(4)
    assert answer.label == "contradiction"
    assert answer.scores == {
        "contradiction": round(math.exp(4) / total, 4),
        "entailment": round(math.exp(1) / total, 4),
        "neutral": round(math.exp(2) / total, 4),
    }


def test_a_temperature_above_one_makes_the_answer_less_sure_and_leaves_the_label() -> None:
    sharp, soft = scored([0.0, 1.0, 3.0], ORDER), scored([0.0, 1.0, 3.0], ORDER, 2.0)
    assert soft.label == sharp.label
    assert soft.scores["contradiction"] < sharp.scores["contradiction"]


@pytest.mark.parametrize(
    ("logits", "label"),
    [([1.0, 1.0, 1.0], "neutral"), ([2.0, 1.0, 2.0], "entailment"), ([0.0, 2.0, 2.0], "neutral")],
)
def test_of_equal_logits_the_label_that_claims_least_stands(logits: list[float], label: str) -> None:
    assert scored(logits, ORDER).label == label


def test_the_label_is_that_of_the_greatest_logit_even_where_rounding_makes_the_scores_equal() -> None:
    answer = scored([1.0, 1.0, 1.000001], ORDER)
    assert answer.label == "contradiction"
    assert len(set(answer.scores.values())) == 1


def test_huge_logits_are_no_overflow() -> None:
    assert scored([3e38, -3e38, 0.0], ORDER).scores["entailment"] == 1.0


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf])
def test_a_logit_that_is_not_finite_is_no_answer(bad: float) -> None:
    with pytest.raises(ProviderFailed, match="not finite") as failed:
        scored([0.0, bad, 1.0], ORDER)
    assert failed.value.kind == "unreadable"


def test_undecided_is_tension_to_the_ladder_and_neither_conflict_nor_agreement() -> None:
    answer = undecided("why")
    assert set(answer.scores) == set(LABELS)
    assert nli_to_verdict(answer.label, answer.scores) == "tension"
    assert answer.note == "why"


@pytest.mark.parametrize("text", ["", " \n\t", "...", "😀😢", "—", "\ud800"])
def test_a_text_without_letter_or_digit_is_undecided_even_against_itself(text: str) -> None:
    for pair in ((text, "The shop is open."), ("The shop is open.", text), (text, text)):
        answer = answered(*pair, None)
        assert answer == undecided("")
        assert "letter" in str(answer.note)


@pytest.mark.parametrize("text", ["ok", "5", "é", "Übergröße, naïve café", "x 你", "٣"])
def test_a_text_mostly_in_a_known_script_is_put_to_the_model(text: str) -> None:
    assert answered(text, "The shop is open.", LATIN) is None


@pytest.mark.parametrize(
    ("text", "script"),
    [
        ("他住在巴黎。", "cjk"),
        ("هو يعيش في باريس", "arabic"),
        ("Она живёт в Москве", "cyrillic"),
        ("Athens Αθήνα Σπάρτη", "greek"),
    ],
)
def test_a_text_mostly_in_another_script_is_undecided_and_the_script_is_named(text: str, script: str) -> None:
    for pair in ((text, "The shop is open."), ("The shop is open.", text)):
        answer = answered(*pair, LATIN)
        assert answer == undecided("")
        assert script in str(answer.note)


def test_a_model_that_does_not_say_its_scripts_is_given_every_script() -> None:
    assert answered("他住在巴黎。", "他不住在巴黎。", None) is None


@pytest.mark.parametrize("text", ["The shop is open.", "他住在巴黎。", "5"])
def test_a_text_follows_from_itself_in_any_script_and_spacing(text: str) -> None:
    for premise in (text, f"  {text}\n"):
        answer = answered(premise, text, LATIN)
        assert answer is not None
        assert (answer.label, answer.scores["entailment"]) == ("entailment", 1.0)
    assert answered("The shop  is\nopen.", "The shop is open.", LATIN) == answered(text, text, LATIN)


def test_texts_that_differ_in_case_or_a_mark_are_put_to_the_model() -> None:
    assert answered("The shop is open.", "the shop is open", LATIN) is None


def test_half_a_character_becomes_the_replacement_character_and_nothing_else_changes() -> None:
    assert whole("a\ud800b\udfffc 😀 é") == "a\ufffdb\ufffdc 😀 é"
    assert whole("plain") == "plain"
