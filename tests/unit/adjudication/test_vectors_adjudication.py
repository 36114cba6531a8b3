"""Every case of vectors/adjudication.json: providers that answer, fail or hand over garbage, to a result.

Compared: verdict, confidence, method, the cap, the reasoning, how often each provider was called, and which failures
are told (by the rungs). An NLI's reasoning begins as the vector's and then says which direction stood.
"""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest

from bicameral.adjudication import adjudicate_contradiction, replay_rungs
from bicameral.model.adjudication import AdjudicationResult

FOLDER = Path(__file__).parents[2] / "vectors"
CASES = {case["name"]: case for case in json.loads((FOLDER / "adjudication.json").read_text("utf-8"))["cases"]}
ABSENT = object()
NOBODY = "No adjudication provider available — recorded as unverified tension."


def value(tagged: Any) -> Any:
    """The value of a vector: numbers that JSON cannot say, and members without a value, which are left out."""
    if isinstance(tagged, list):
        return [value(item) for item in tagged]
    if not isinstance(tagged, dict):
        return tagged
    if "$undefined" in tagged:
        return ABSENT
    if "$num" in tagged:
        return float(tagged["$num"].replace("Infinity", "inf"))
    return {name: found for name, member in tagged.items() if (found := value(member)) is not ABSENT}


class VectorNLI:
    """Answers the two directions of its case and counts how often it is called."""

    name = "fake-nli"

    def __init__(self, case: dict[str, Any]) -> None:
        self.case = case
        self.calls = 0

    async def classify(self, premise: str, hypothesis: str) -> Any:
        self.calls += 1
        if self.case["nli"] == "error":
            raise RuntimeError("the sidecar is down")
        # Where claim and target are one text both directions have one answer in the vectors.
        forward = (premise, hypothesis) == (self.case["target"], self.case["claim"])
        answer = self.case["nli"]["forward" if forward else "reverse"]
        if answer == "error":
            raise RuntimeError("the sidecar is down")
        return value(answer)


class VectorBatchNLI(VectorNLI):
    """The same with one batched call."""

    batches = 0

    async def classify_batch(self, pairs: list[tuple[str, str]]) -> Any:
        self.batches += 1
        if self.case["nli"] == "error":
            raise RuntimeError("the sidecar is down")
        if "batch_results" in self.case["nli"]:
            return value(self.case["nli"]["batch_results"])
        # Both directions in one call, the target as premise first.
        assert pairs == [(self.case["target"], self.case["claim"]), (self.case["claim"], self.case["target"])]
        return [value(self.case["nli"]["forward"]), value(self.case["nli"]["reverse"])]


class VectorLLM:
    """Answers with the object of its case."""

    name = "fake-llm"
    model_id = "fake-llm-1"

    def __init__(self, case: dict[str, Any]) -> None:
        self.answer = case["llm"]
        self.calls = 0

    async def generate_json(self, prompt: str, *, schema: Any, temperature: float) -> Any:
        self.calls += 1
        if self.answer == "error":
            raise RuntimeError("no credit")
        return value(self.answer["$returns"]) if "$returns" in self.answer else value(self.answer)


async def weigh(case: dict[str, Any]) -> tuple[AdjudicationResult, dict[str, int]]:
    nli = None if case["nli"] is None else (VectorBatchNLI if case["nli_batch"] else VectorNLI)(case)
    llm = None if case["llm"] is None else VectorLLM(case)
    tier = {} if case["tier"] is None else {"llm_tier": case["tier"]}
    result = await adjudicate_contradiction(case["claim"], case["target"], nli=nli, llm=llm, **tier)
    calls = {
        "nli_classify": nli.calls if nli else 0,
        "nli_batch": getattr(nli, "batches", 0),
        "llm": llm.calls if llm else 0,
    }
    assert replay_rungs(result.rungs, tier=tier.get("llm_tier", "medium")) == result
    return result, calls


def told(result: AdjudicationResult) -> list[str]:
    """The failures, as the vectors name them."""
    weighed_by_nli = any(rung.kind == "nli" and rung.said for rung in result.rungs)
    names = {"nli": "adjudicate:nli", "llm": "adjudicate:supersede-check" if weighed_by_nli else "adjudicate:llm"}
    return [names[rung.kind] for rung in result.rungs if rung.failure]


def said(result: AdjudicationResult) -> tuple[str, float, str, bool]:
    return result.verdict, result.confidence, result.method, result.tier_capped


FOLDED = "a word is compared after trimming and case folding"
UNUSABLE = "a confidence that is not a finite number is 0.5"
FAILED = "scores that are not finite are a failed provider"
NOTHING_SAID = "what is no object with a member is a failed provider"
NOBODY_SAID = ("tension", 0.0, "none", False)
SUCCESSION = "a succession check has a floor, a higher one for a low tier"

# name: (verdict, confidence, method, capped), why
DIFFERENT: dict[str, tuple[tuple[str, float, str, bool], str]] = {
    "forward_nan": (NOBODY_SAID, FAILED),
    "forward_nan_batch": (NOBODY_SAID, FAILED),
    "both_nan": (NOBODY_SAID, FAILED),
    "both_nan_batch": (NOBODY_SAID, FAILED),
    "label_uppercase": (("genuine", 0.95, "nli", False), FOLDED),
    "label_unknown_low_scores": (NOBODY_SAID, "an unknown label is a failed provider"),
    "llm_word_5_Genuine": (("genuine", 0.9, "llm", False), FOLDED),
    "llm_word_6__genuine": (("genuine", 0.9, "llm", False), FOLDED),
    "llm_conf_nan": (("genuine", 0.5, "llm", False), UNUSABLE),
    "llm_conf_infinity": (("genuine", 0.5, "llm", False), UNUSABLE),
    "llm_conf_str_number": (("genuine", 0.5, "llm", False), UNUSABLE),
    "llm_conf_str_word": (("genuine", 0.5, "llm", False), UNUSABLE),
    "llm_conf_str_empty": (("genuine", 0.5, "llm", False), UNUSABLE),
    "llm_conf_str_padded": (("genuine", 0.5, "llm", False), UNUSABLE),
    "llm_conf_true": (("genuine", 0.5, "llm", False), UNUSABLE),
    "llm_conf_list_empty": (("genuine", 0.5, "llm", False), UNUSABLE),
    "llm_conf_list_one": (("genuine", 0.5, "llm", False), UNUSABLE),
    "llm_conf_object": (("genuine", 0.5, "llm", False), UNUSABLE),
    "sup_yes_low_tier": (("genuine", 0.9, "nli", False), SUCCESSION),
    "tier_low_genuine_nan": (("tension", 0.5, "llm", True), UNUSABLE + " and capped for a low tier"),
    "tier_low_genuine_str_079": (("tension", 0.5, "llm", True), UNUSABLE + " and capped for a low tier"),
    "tier_unknown_word": (("tension", 0.1, "llm", True), "an unknown tier is low"),
    "llm_returns_string": (NOBODY_SAID, NOTHING_SAID),
    "llm_returns_number": (NOBODY_SAID, NOTHING_SAID),
    "llm_returns_list": (NOBODY_SAID, NOTHING_SAID),
    "llm_returns_empty_object": (NOBODY_SAID, NOTHING_SAID),
}


@pytest.mark.parametrize("name", [name for name in CASES if name not in DIFFERENT])
async def test_a_pair_is_weighed_as_the_vector_says(name: str) -> None:
    case, expect = CASES[name], CASES[name]["expect"]
    result, calls = await weigh(case)
    assert said(result) == (
        expect["verdict"],
        expect["confidence"],
        expect["method"],
        expect.get("tier_capped", False),
    )
    assert calls == expect["calls"]
    assert told(result) == expect["logged"]
    for part in expect.get("reasoning_contains", []):
        assert part in (result.reasoning or "")
    if result.method == "nli":
        forward, reverse = (value(case["nli"][way])["scores"]["contradiction"] for way in ("forward", "reverse"))
        if "batch_results" not in case["nli"]:
            direction = "claim as premise" if reverse > forward else "target as premise"
            assert result.reasoning == f"{expect['reasoning']}, {direction}"
        assert (result.reasoning or "").startswith(expect["reasoning"])
    else:
        assert result.reasoning == expect.get("reasoning")


@pytest.mark.parametrize("name", DIFFERENT)
async def test_a_pair_is_weighed_differently_on_purpose(name: str) -> None:
    case, expect = CASES[name], CASES[name]["expect"]
    wanted, _why = DIFFERENT[name]
    result, calls = await weigh(case)
    assert said(result) == wanted
    assert calls == expect["calls"]
    was = (value(expect["verdict"]), value(expect["confidence"]), expect["method"], expect.get("tier_capped", False))
    assert was != wanted, "this case is no difference any more"
    if wanted == NOBODY_SAID:
        assert result.reasoning == NOBODY
        assert all(rung.failure for rung in result.rungs)
    assert math.isfinite(result.confidence)


def test_no_difference_is_named_that_no_vector_has() -> None:
    assert set(DIFFERENT) <= set(CASES)
