"""The table of effects: verdict to penalty and signal."""

from __future__ import annotations

import pytest

from bicameral.adjudication import EFFECTS, effect_of
from bicameral.model.adjudication import VERDICTS, AdjudicationResult


def test_every_verdict_has_an_effect() -> None:
    assert tuple(EFFECTS) == VERDICTS


@pytest.mark.parametrize(
    ("verdict", "penalty", "signal", "priority", "revise"),
    [
        ("genuine", 0.15 * 0.6, "CONTRADICTION", 0.8, False),
        ("supersedes", 0.0, "TENSION", 0.4, True),
        ("tension", 0.0, "TENSION", 0.5, False),
        ("complementary", 0.0, None, None, False),
        ("unrelated", 0.0, None, None, False),
    ],
)
def test_an_effect_is_the_verdicts_times_the_confidence(
    verdict: object, penalty: float, signal: str | None, priority: float | None, revise: bool
) -> None:
    effect = effect_of(AdjudicationResult(verdict=verdict, confidence=0.6, method="nli"))  # type: ignore[arg-type]
    assert (effect.penalty, effect.signal, effect.priority, effect.revise) == (penalty, signal, priority, revise)
