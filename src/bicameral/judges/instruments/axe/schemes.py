"""Text that axe-core finds lost in one colour scheme and readable in the other.

Answers for telling that apart from text of low contrast: the defect is the scheme's, and is filed once, as
`color-scheme` and under the name that `pixels` gives it too. Compared are shots of one form factor in two schemes, by
axe's own numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from bicameral.judges.instruments.axe.filing import contrast_of, violations
from bicameral.judges.instruments.instrument import Look, Measured
from bicameral.judges.instruments.slug import CONTRAST_RULE, SCHEME_RULE, attribute_for
from bicameral.model.facts import Facts

LOST_RATIO: Final = 1.5
"""Below it text is not seen to be there; `pixels` draws the line at the same place."""
READABLE_RATIO: Final = 3.0
"""WCAG's lowest requirement for text of any size: from it on the text was meant to be read."""


def across_schemes(look: Look, looks: Sequence[Look]) -> list[Measured]:
    """axe's violations on `look`, those of lost text turned into the scheme's defect. looks: all of the view."""
    if look.facts is None:
        return []
    readable = _readable_elsewhere(look, looks)
    lost = _lost(look.facts)
    return [
        _as_scheme(look.facts, measured) if measured.attribute in lost & readable else measured
        for measured in violations(look.facts)
    ]


def _lost(facts: Facts) -> frozenset[str]:
    """Attributes of the texts whose contrast is below LOST_RATIO."""
    nodes = (node for result in facts.axe.violations if result.rule == CONTRAST_RULE for node in result.nodes)
    return frozenset(
        attribute_for(CONTRAST_RULE, facts, node.element)
        for node in nodes
        if node.element is not None and (contrast_of(node) or (LOST_RATIO,))[0] < LOST_RATIO
    )


def _readable_elsewhere(look: Look, looks: Sequence[Look]) -> frozenset[str]:
    """Attributes of the texts that axe passed at READABLE_RATIO or more, same form factor, other scheme."""
    return frozenset(
        attribute_for(CONTRAST_RULE, other.facts, row.element)
        for other in looks
        if other.facts is not None
        and other.shot.form_factor == look.shot.form_factor
        and other.shot.scheme != look.shot.scheme
        for row in other.facts.axe.contrast_passes
        if row.element is not None and row.ratio >= READABLE_RATIO
    )


def _as_scheme(facts: Facts, measured: Measured) -> Measured:
    scheme = facts.page.scheme
    return replace(
        measured,
        category="color-scheme",
        attribute=measured.attribute.replace(CONTRAST_RULE, SCHEME_RULE, 1),
        severity="high",
        title=measured.title.replace("Text contrast too low", f"Text gone in the {scheme} scheme"),
        problem=f"The text is readable in the other scheme and cannot be seen in the {scheme} one.",
        expected="The text can be read in both schemes.",
        acceptance=(f"axe-core's rule {CONTRAST_RULE} passes on this element in both schemes.",),
    )
