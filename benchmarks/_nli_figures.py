"""Figures of a classifier on labelled pairs: accuracy, macro-F1, confusion, calibration, one label's worth. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from _nli_data import LABELS

from bicameral.ports import NLIResult

BINS: Final = 15


@dataclass(frozen=True)
class Worth:
    """Of what was called positive and of what is: called, right among them, and all that are."""

    called: int
    right: int
    there: int

    @property
    def precision(self) -> float | None:
        return self.right / self.called if self.called else None

    @property
    def recall(self) -> float | None:
        return self.right / self.there if self.there else None


@dataclass(frozen=True)
class Figures:
    """confusion: (gold, said) to count.  ece: of the label's own score.  above: contradiction with more than 0.8."""

    pairs: int
    accuracy: float
    macro_f1: float
    confusion: Mapping[tuple[str, str], int]
    ece: float
    ece_unscaled: float
    above: Worth


def figures(gold: Sequence[str], said: Sequence[NLIResult], temperature: float) -> Figures:
    """gold and said: one for one. Macro-F1 is over the labels that the set has. temperature: that the scores have."""
    confusion = Counter(zip(gold, (one.label for one in said), strict=True))
    strong = [one.label == "contradiction" and one.scores["contradiction"] > 0.8 for one in said]
    right = sum(count for (wanted, label), count in confusion.items() if wanted == label)
    return Figures(
        pairs=len(gold),
        accuracy=right / len(gold),
        macro_f1=_macro_f1(confusion),
        confusion=confusion,
        ece=calibration_error(gold, [(one.label, one.scores[one.label]) for one in said]),
        ece_unscaled=calibration_error(gold, [(one.label, _unscaled(one, temperature)) for one in said]),
        above=worth([label == "contradiction" for label in gold], strong),
    )


def worth(there: Sequence[bool], called: Sequence[bool]) -> Worth:
    """Of one kind of answer."""
    both = sum(a and b for a, b in zip(there, called, strict=True))
    return Worth(sum(called), both, sum(there))


def calibration_error(gold: Sequence[str], said: Sequence[tuple[str, float]]) -> float:
    """Expected calibration error with 15 bins of equal width (Guo et al. 2017): 0 is perfect."""
    bins: list[list[tuple[bool, float]]] = [[] for _ in range(BINS)]
    for wanted, (label, score) in zip(gold, said, strict=True):
        bins[min(BINS - 1, int(score * BINS))].append((wanted == label, score))
    gaps = (abs(sum(right for right, _ in one) - sum(score for _, score in one)) for one in bins)
    return sum(gaps) / len(gold)


def _unscaled(one: NLIResult, temperature: float) -> float:
    """The label's score as it would be at temperature 1 (to the rounding of the scores)."""
    raised = {label: one.scores[label] ** temperature for label in LABELS}
    return float(raised[one.label] / (sum(raised.values()) or 1.0))


def _macro_f1(confusion: Mapping[tuple[str, str], int]) -> float:
    present = sorted({wanted for wanted, _ in confusion})
    scores: list[float] = []
    for label in present:
        right = confusion.get((label, label), 0)
        called = sum(count for (_, said), count in confusion.items() if said == label)
        there = sum(count for (wanted, _), count in confusion.items() if wanted == label)
        scores.append(2 * right / (called + there))
    return sum(scores) / len(scores)
