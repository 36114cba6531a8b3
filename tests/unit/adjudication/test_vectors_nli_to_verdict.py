"""Every case of vectors/nli_to_verdict.json: one direction's label and scores to a verdict."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from bicameral.adjudication import nli_to_verdict
from bicameral.errors import ProviderFailed

FOLDER = Path(__file__).parents[2] / "vectors"
CASES = {case["name"]: case for case in json.loads((FOLDER / "nli_to_verdict.json").read_text("utf-8"))["cases"]}

BAD_SCORES = "scores that are missing, not finite or outside 0..1 are a failed provider"
BAD_LABEL = "an unknown label is a failed provider"
# name: (the verdict, None for a failed provider), why
DIFFERENT: dict[str, tuple[str | None, str]] = {
    "CONTRADICTION_0.95_0.02_0.03": ("genuine", "a label is compared after trimming and case folding"),
    "_0.1_0.1_0.1": (None, BAD_LABEL),
    "other_0.1_0.1_0.9": (None, BAD_LABEL),
    "nan_contradiction": (None, BAD_SCORES),
    "nan_elsewhere": (None, BAD_SCORES),
    "nan_elsewhere_low": (None, BAD_SCORES),
    "inf_contradiction": (None, BAD_SCORES),
    "out_of_range": (None, BAD_SCORES),
    "missing_entailment": (None, BAD_SCORES),
    "missing_other_but_genuine": (None, BAD_SCORES),
}


def scores_of(case: dict[str, Any]) -> dict[str, float]:
    return {
        label: float(score["$num"].replace("Infinity", "inf")) if isinstance(score, dict) else score
        for label, score in case["scores"].items()
    }


@pytest.mark.parametrize("name", [name for name in CASES if name not in DIFFERENT])
def test_a_label_and_scores_give_the_verdict_of_the_vector(name: str) -> None:
    case = CASES[name]
    assert nli_to_verdict(case["label"], scores_of(case)) == case["expect"]["verdict"]


@pytest.mark.parametrize("name", DIFFERENT)
def test_a_label_and_scores_are_taken_differently_on_purpose(name: str) -> None:
    case = CASES[name]
    verdict, _why = DIFFERENT[name]
    if verdict is not None:
        assert nli_to_verdict(case["label"], scores_of(case)) == verdict != case["expect"]["verdict"]
        return
    with pytest.raises(ProviderFailed, match=r"cannot be used: .+\.") as failed:
        nli_to_verdict(case["label"], scores_of(case))
    assert failed.value.kind == "unreadable"


def test_no_difference_is_named_that_no_vector_has() -> None:
    assert set(DIFFERENT) <= set(CASES)
