"""What a provider handed over, read into values in one place.

Answers for: an answer that can be used, or the word for why it cannot. Pure. Declines to decide anything by it.

Rules, in order:
1. An NLI's answer has a label, compared after trimming and case folding, that is one of three, and a score from 0 to 1
   for each of the three. Anything else is no answer.
2. An LLM's answer is a mapping with at least one member. Its members are read leniently: a verdict that is no text, a
   confidence that is no finite number (a boolean and a text are none) and a reasoning that is no text are absent.
3. A confidence is clamped to 0..1. A text is kept as any store can keep it, and to a length.
"""

from __future__ import annotations

import math
import numbers
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal, cast, get_args

from bicameral.canonical.words import storable, trimmed, word

Label = Literal["contradiction", "entailment", "neutral"]
LABELS: Final[tuple[Label, ...]] = get_args(Label)

MAX_REASONING: Final = 2_000
MAX_WORD: Final = 200
"""Characters of an LLM's sentence and of its verdict that are kept: it is asked for one sentence and one word."""


class Unusable(Exception):
    """An answer that cannot be used. word: the short one of the rung.  detail: a sentence's part for people."""

    def __init__(self, word: str, detail: str) -> None:
        super().__init__(detail)
        self.word = word
        self.detail = detail


@dataclass(frozen=True, kw_only=True)
class NLIReading:
    """One direction. scores: the three labels to 0..1."""

    label: Label
    scores: Mapping[Label, float]

    @property
    def score(self) -> float:
        """The label's own score."""
        return self.scores[self.label]

    def said(self) -> dict[str, object]:
        """As plain JSON values."""
        return {"label": self.label, "scores": dict(self.scores)}


@dataclass(frozen=True, kw_only=True)
class LLMReading:
    """What a language model said. verdict: its own word, known or not.  confidence: 0..1.  None: nothing usable."""

    verdict: str | None
    confidence: float | None
    reasoning: str | None

    def said(self) -> dict[str, object]:
        """As plain JSON values."""
        return {"verdict": self.verdict, "confidence": self.confidence, "reasoning": self.reasoning}


def read_nli(answer: object) -> NLIReading:
    """One direction's answer: an NLIResult, or a mapping with `label` and `scores`. Raises Unusable."""
    if isinstance(answer, Mapping):
        label, scores = answer.get("label"), answer.get("scores")
    else:
        label, scores = getattr(answer, "label", None), getattr(answer, "scores", None)
    known = next((one for one in LABELS if one == word(label)), None)
    if known is None:
        what = f"the label {storable(label)[:MAX_WORD]!r}" if isinstance(label, str) else "no label"
        raise Unusable("unknown-label", f"{what}; contradiction, entailment or neutral was expected")
    if not isinstance(scores, Mapping):
        raise Unusable("unusable-scores", "no scores")
    return NLIReading(label=known, scores={one: _score(scores, one) for one in LABELS})


def _score(scores: Mapping[object, object], label: Label) -> float:
    if label not in scores:
        raise Unusable("unusable-scores", f"no score for {label}")
    score = usable_number(scores[label])
    if score is None or not 0 <= score <= 1:
        raise Unusable("unusable-scores", f"the score of {label} is no number from 0 to 1")
    return score


def read_llm(answer: object) -> LLMReading:
    """A language model's answer. Raises Unusable for what is no mapping, or an empty one."""
    if not isinstance(answer, Mapping):
        raise Unusable("unreadable", "what came is no object")
    if not answer:
        raise Unusable("unreadable", "the object is empty")
    verdict, sure, why = (answer.get(name) for name in ("verdict", "confidence", "reasoning"))
    confidence = usable_number(sure)
    return LLMReading(
        verdict=trimmed(storable(verdict))[:MAX_WORD] if isinstance(verdict, str) else None,
        confidence=None if confidence is None else min(max(confidence, 0.0), 1.0) + 0.0,
        reasoning=storable(why)[:MAX_REASONING] if isinstance(why, str) else None,
    )


def usable_number(value: object) -> float | None:
    """A finite number as a double, never -0; None for anything else. Booleans and texts are no numbers."""
    if type(value) is float:
        return value + 0.0 if math.isfinite(value) else None
    if isinstance(value, bool) or not isinstance(value, numbers.Real):
        return None
    try:
        double = float(cast(float, value))
    except OverflowError:  # a whole number too large for a double is still a number
        return math.copysign(float(2**1000), 1.0 if cast(int, value) > 0 else -1.0)
    return double + 0.0 if math.isfinite(double) else None
