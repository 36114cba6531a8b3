"""From the numbers that a model puts out to an answer.

Answers for: label and scores from three logits, and the answers that need no model. Pure.
Declines to know which number belongs to which label: the model's config says so.

Rules, in order:
1. Scores are softmax(logits / temperature), rounded to 1e-4 each, so that they need not add up to 1.
2. The label is that of the greatest logit, before rounding; of equal ones neutral comes first, then entailment: a tie
   claims as little as it can.
3. A logit that is not finite is no answer.
4. A text that cannot be read is undecided: neutral at one half, which claims neither conflict nor agreement.
5. A text follows from itself.
6. A plain conflict that `checks` found is a contradiction, as sure as the check was measured to be.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final, Literal, get_args

from bicameral.errors import ProviderFailed
from bicameral.ports import NLIResult

Label = Literal["contradiction", "entailment", "neutral"]
LABELS: Final[tuple[Label, ...]] = get_args(Label)

PLACES: Final = 4
_ON_A_TIE: Final[tuple[Label, ...]] = ("neutral", "entailment", "contradiction")


def scored(logits: Sequence[float], labels: Sequence[Label], temperature: float = 1.0) -> NLIResult:
    """The answer. logits and labels: three each, in the model's order.  temperature: above 0.

    Raises ProviderFailed (`unreadable`) for a logit that is not finite.
    """
    if not all(math.isfinite(logit) for logit in logits):
        raise ProviderFailed("The model put out a number that is not finite.", kind="unreadable")
    by_label = dict(zip(labels, logits, strict=True))
    most = max(logits)
    weights = {label: math.exp((by_label[label] - most) / temperature) for label in LABELS}
    total = math.fsum(weights.values())
    label = max(_ON_A_TIE, key=lambda one: by_label[one])
    return NLIResult(label, {one: round(weights[one] / total, PLACES) for one in LABELS})


def undecided(note: str) -> NLIResult:
    """The answer where a text cannot be read. note: why, for people."""
    return NLIResult("neutral", {"contradiction": 0.25, "entailment": 0.25, "neutral": 0.5}, note)


def follows_from_itself() -> NLIResult:
    """The answer where premise and hypothesis are one text. A weak model is not sure of it for every text."""
    return NLIResult(
        "entailment", {"contradiction": 0.0, "entailment": 1.0, "neutral": 0.0}, "the two texts are the same"
    )


def plain_conflict(note: str) -> NLIResult:
    """The answer where a check fired. The score is the lower bound of how often people agree (see `checks`)."""
    return NLIResult("contradiction", {"contradiction": 0.95, "entailment": 0.02, "neutral": 0.03}, note)
