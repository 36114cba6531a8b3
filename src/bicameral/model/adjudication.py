"""The outcome of weighing a claim against a statement, and the rungs that led to it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Literal, get_args

Verdict = Literal["genuine", "supersedes", "tension", "complementary", "unrelated"]
Method = Literal["nli", "llm", "none"]
Kind = Literal["nli", "llm"]

VERDICTS: Final[tuple[Verdict, ...]] = get_args(Verdict)

MAX_CONFIDENCE_PENALTY: Final = 0.15
"""The most that one source of evidence can take from one belief."""


@dataclass(frozen=True)
class Rung:
    """What one provider said, or how it failed. Enough to reproduce the result with no provider.

    provider: its name.  said: its answer as plain JSON values, or None where it failed.  failure: a short word, or
    None.  kind: which kind of provider it is.  model: its digest or id, where it has one.  prompt: `sha256:` of the
    prompt's text before the pair was put into it, where there is one.  detail: the failure in the provider's own words,
    for people; it may name hosts, so it is no part of a record, and two rungs that differ in it alone are equal.
    """

    provider: str
    said: Mapping[str, object] | None = None
    failure: str | None = None
    kind: Kind = "nli"
    model: str | None = None
    prompt: str | None = None
    detail: str | None = field(default=None, compare=False)


@dataclass(frozen=True)
class AdjudicationResult:
    """verdict with the confidence (0..1) of whoever gave it; 0 and method `none` where nobody could say."""

    verdict: Verdict
    confidence: float
    method: Method
    reasoning: str | None = None
    tier_capped: bool = False
    rungs: tuple[Rung, ...] = field(default=())
