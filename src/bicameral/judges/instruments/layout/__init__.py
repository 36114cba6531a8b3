"""The `layout` instrument: what the page's measured geometry, loading and wording show to be wrong.

Answers for the rules of RULES, one small module a subject. Each is a pure function of the facts and is silent where it
is not sure. Declines to look at the picture.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

from bicameral.judges.instruments.instrument import Answer, Look, Measured, rules_digest
from bicameral.judges.instruments.layout import (
    alignment,
    clipping,
    consistency,
    console,
    content,
    edges,
    focus,
    hierarchy,
    images,
    motion,
    offscreen,
    overflow,
    overlap,
    render,
    spacing,
    spill,
    typography,
)
from bicameral.judges.instruments.layout.answers import answer
from bicameral.judges.instruments.layout.tree import Tree
from bicameral.model.findings import Finding

__all__ = ["RULES", "LayoutInstrument"]

RULES: Final[tuple[Callable[[Tree], Iterator[Measured]], ...]] = (
    render.empty_page,
    render.empty_main,
    render.blank_canvas,
    images.broken_image,
    console.console_error,
    overflow.sideways_scroll,
    edges.cut_at_edge,
    spill.text_spill,
    overlap.text_overlap,
    overlap.covered_control,
    clipping.text_cut,
    alignment.off_edge,
    alignment.off_column,
    spacing.uneven_gap,
    typography.small_text,
    typography.tight_lines,
    focus.focus_unseen,
    motion.endless_motion,
    hierarchy.heading_larger,
    consistency.odd_button,
    content.leftover_text,
)


class LayoutInstrument:
    """An `Instrument` on the facts' geometry, text and console."""

    name: Final = "layout"

    def __init__(self) -> None:
        shared = ("instrument", "slug", "locate", "wording", "judge")
        self.rules = rules_digest(__name__, *(f"bicameral.judges.instruments.{module}" for module in shared))

    def can_judge(self, look: Look) -> bool:
        return look.facts is not None

    def propose(self, looks: Sequence[Look]) -> Mapping[str, Sequence[Measured]]:
        return measure({look.shot.shot_id: Tree(look.facts) for look in looks if look.facts is not None})

    def unmeasured(self, looks: Sequence[Look]) -> Mapping[str, str]:
        return {}

    def rule(self, looks: Sequence[Look], findings: Sequence[Finding]) -> Sequence[Mapping[str, Answer]]:
        own = self.propose(looks)
        return [
            {
                look.shot.shot_id: answer(look, own[look.shot.shot_id], finding)
                for look in looks
                if look.shot.shot_id in finding.shot_ids
            }
            for finding in findings
        ]


def measure(trees: Mapping[str, Tree]) -> dict[str, list[Measured]]:
    """Shot id to all that the rules file on it, in the order of RULES."""
    found = {shot_id: [row for rule in RULES for row in rule(tree)] for shot_id, tree in trees.items()}
    for shot_id, tree in trees.items():
        others = [other for other in trees.values() if other.facts.page.form_factor != tree.facts.page.form_factor]
        found[shot_id] += offscreen.off_screen(tree, others)
    return found
