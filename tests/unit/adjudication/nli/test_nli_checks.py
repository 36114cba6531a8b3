"""The check on differing counts: it fires on plain conflicts, and on nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest
from nli_toys import write_model

from bicameral.adjudication.nli import OnnxNLI
from bicameral.adjudication.nli.checks import differing_counts
from bicameral.adjudication.nli.configuration import read_config
from bicameral.errors import ModelError

WORDS = {"0": "contradiction", "1": "entailment", "2": "neutral"}


@pytest.mark.parametrize(
    ("premise", "hypothesis", "found"),
    [
        ("The limit is 100 requests.", "The limit is 500 requests", "100 and 500"),
        ("Three dogs chase a ball.", "Two dogs chase a ball.", "three and two"),
        ("the server keeps fourteen copies", "The server keeps 7 copies!", "fourteen and 7"),
        ("Prices rose by 4 % last year.", "Prices rose by 5 % last year.", "4 and 5"),
        ("The tower holds 1,200 people.", "The tower holds 12,000 people.", "1,200 and 12,000"),
        ("The bag weighs 1.5 kilos.", "The bag weighs 2.5 kilos.", "1.5 and 2.5"),
    ],
)
def test_two_counts_of_one_thing_conflict_in_both_directions(premise: str, hypothesis: str, found: str) -> None:
    assert differing_counts(premise, hypothesis) == found
    assert differing_counts(hypothesis, premise) == " and ".join(reversed(found.split(" and ")))


@pytest.mark.parametrize(
    ("premise", "hypothesis"),
    [
        ("The limit is 100 requests.", "The limit is 100 requests."),
        ("The team has three dogs.", "The team has 3 dogs."),
        ("The hall holds 1,000 people.", "The hall holds 1000 people."),
        ("The hall holds 2.50 litres now.", "The hall holds 2.5 litres now."),
        ("The shop in street 12 is closed.", "The shop in street 13 is closed."),
        ("The service listens on port 9090.", "The service listens on port 8080."),
        ("All chapter 3 headings are blue.", "All chapter 4 headings are blue."),
        ("He was seen on 4 May.", "He was seen on 5 May."),
        ("The bell rings at 5 pm.", "The bell rings at 6 pm."),
        ("There are at least 3 dogs here.", "There are at least 2 dogs here."),
        ("She read more than two books.", "She read more than three books."),
        ("About 20 people came in.", "About 30 people came in."),
        ("The limit is 100 requests a day.", "The limit is 500 requests an hour."),
        ("The limit is 100 requests.", "The limit was 500 requests."),
        ("There is one dog here.", "There are two dogs here."),
        ("The car is red today.", "The car is blue today."),
        ("2 dogs run", "3 dogs run"),
        ("It runs version 2.1.3 builds.", "It runs version 2.1.4 builds."),
        ("The train left at 12:30 sharp.", "The train left at 12:45 sharp."),
        ("", "The limit is 100 requests."),
        ("The box holds ١٢ eggs today.", "The box holds ١٣ eggs today."),
        ("The box holds 12e99999999 eggs.", "The box holds 12 eggs."),
    ],
)
def test_it_does_not_fire_where_both_can_be_true_or_it_is_not_plain(premise: str, hypothesis: str) -> None:
    assert differing_counts(premise, hypothesis) is None
    assert differing_counts(hypothesis, premise) is None


async def test_the_packaged_model_has_the_check_and_says_when_it_spoke() -> None:
    with OnnxNLI.packaged() as nli:
        answer = await nli.classify("The server keeps fourteen copies.", "The server keeps seven copies.")
    assert (answer.label, answer.scores["contradiction"]) == ("contradiction", 0.95)
    assert "fourteen and seven" in str(answer.note)


def test_a_model_whose_config_does_not_ask_for_it_is_left_alone(tmp_path: Path) -> None:
    pair = ("the shop has 3 doors", "the shop has 4 doors")
    with OnnxNLI.open(write_model(tmp_path / "plain")) as plain:
        (answer,) = plain.classify_many([pair])
    with OnnxNLI.open(write_model(tmp_path / "checked", checks=["numbers-1"])) as checked:
        (other,) = checked.classify_many([pair])
    assert answer.note is None
    assert other.label == "contradiction"
    assert plain.digest != checked.digest


@pytest.mark.parametrize("checks", ["numbers-1", ["numbers-2"], [1], {}, None])
def test_a_check_that_this_version_does_not_know_is_refused(checks: object) -> None:
    with pytest.raises(ModelError, match="checks"):
        read_config({"id2label": WORDS, "checks": checks})
