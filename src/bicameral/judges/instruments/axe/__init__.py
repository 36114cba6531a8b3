"""The `axe` instrument: axe-core's violations as findings, and its word on the findings of others.

Answers for what axe-core settled when the picture was taken. Declines to judge what axe left incomplete: that is a
fact, which `pixels` measures.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from bicameral.judges.instruments.axe.answers import answer
from bicameral.judges.instruments.axe.schemes import across_schemes
from bicameral.judges.instruments.instrument import Answer, Look, Measured, rules_digest
from bicameral.model.findings import Finding

__all__ = ["AxeInstrument"]


class AxeInstrument:
    """An `Instrument` on the facts' `axe` member."""

    name: Final = "axe"

    def __init__(self) -> None:
        shared = ("instrument", "slug", "locate", "wording", "judge")
        self.rules = rules_digest(__name__, *(f"bicameral.judges.instruments.{module}" for module in shared))

    def can_judge(self, look: Look) -> bool:
        return look.facts is not None

    def propose(self, looks: Sequence[Look]) -> Mapping[str, Sequence[Measured]]:
        return {look.shot.shot_id: across_schemes(look, looks) for look in looks}

    def unmeasured(self, looks: Sequence[Look]) -> Mapping[str, str]:
        """Every shot on which axe-core itself did not come to an end."""
        failed = [look.shot.shot_id for look in looks if look.facts is not None and look.facts.axe.error is not None]
        return dict.fromkeys(failed, "not measured by axe-core")

    def rule(self, looks: Sequence[Look], findings: Sequence[Finding]) -> Sequence[Mapping[str, Answer]]:
        return [
            {look.shot.shot_id: answer(look, finding) for look in looks if look.shot.shot_id in finding.shot_ids}
            for finding in findings
        ]
