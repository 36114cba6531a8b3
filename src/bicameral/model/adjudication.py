"""The outcome of weighing a claim against a statement, and the rungs that led to it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Literal

Verdict = Literal["genuine", "supersedes", "tension", "complementary", "unrelated"]
Method = Literal["nli", "llm", "none"]

MAX_CONFIDENCE_PENALTY: Final = 0.15
"""The most that one source of evidence can take from one belief."""


@dataclass(frozen=True)
class Rung:
    """What one provider said, or how it failed. Enough to reproduce the result with no provider.

    said: the provider's answer as plain JSON values, or None where it failed.  failure: a short word, or None.
    """

    provider: str
    said: Mapping[str, object] | None = None
    failure: str | None = None


@dataclass(frozen=True)
class AdjudicationResult:
    """verdict with the confidence (0..1) of whoever gave it; 0 and method `none` where nobody could say."""

    verdict: Verdict
    confidence: float
    method: Method
    reasoning: str | None = None
    tier_capped: bool = False
    rungs: tuple[Rung, ...] = field(default=())
