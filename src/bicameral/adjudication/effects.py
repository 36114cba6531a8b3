"""What each verdict does to a belief, and the signal that goes out. Pure.

Answers for: the table of the design, section 3. Declines to apply it: the ledger of beliefs does, with its own bounds.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, Literal

from bicameral.model.adjudication import MAX_CONFIDENCE_PENALTY, AdjudicationResult, Verdict

Signal = Literal["CONTRADICTION", "TENSION"]


@dataclass(frozen=True, kw_only=True)
class Effect:
    """penalty: how far a belief's confidence falls, 0..0.15.  signal, priority (0..1): what is raised, or None.

    revise: the belief was true until the world changed, so it gets an end in valid time rather than less trust.
    """

    penalty: float = 0.0
    signal: Signal | None = None
    priority: float | None = None
    revise: bool = False


EFFECTS: Final[Mapping[Verdict, Effect]] = MappingProxyType(
    {
        "genuine": Effect(penalty=MAX_CONFIDENCE_PENALTY, signal="CONTRADICTION", priority=0.8),
        "supersedes": Effect(signal="TENSION", priority=0.4, revise=True),
        "tension": Effect(signal="TENSION", priority=0.5),
        "complementary": Effect(),
        "unrelated": Effect(),
    }
)
"""By verdict. The penalty is the one of a confidence of 1."""


def effect_of(result: AdjudicationResult) -> Effect:
    """The effect of one result: the verdict's, its penalty times the adjudicator's confidence, not rounded."""
    whole = EFFECTS[result.verdict]
    return Effect(
        penalty=whole.penalty * result.confidence,
        signal=whole.signal,
        priority=whole.priority,
        revise=whole.revise,
    )
