"""axe's word on another judge's finding, on one shot.

Rules, in order:
1. Contrast, and text lost in one colour scheme: agree where axe has the violation on that element; dispute where it
   passed every such element with a ratio clear of the threshold; cannot tell where it is near, was left incomplete or
   was never measured. axe measures the text that stands in the element: of an element that shows generated text or a
   placeholder, which have colours of their own, a pass proves nothing.
2. Target size: dispute where every such element is 24 by 24 px or more.
3. Everything else: agree where axe has a violation of that category on that element. The absence of one is no proof.
"""

from __future__ import annotations

from typing import Final

from bicameral.judges.instruments import wording
from bicameral.judges.instruments.axe.filing import TARGET_PX, contrast_of, wording_of
from bicameral.judges.instruments.axe.rules import NOT_FILED
from bicameral.judges.instruments.instrument import CANNOT_TELL, Answer, Look
from bicameral.judges.instruments.locate import elements_of
from bicameral.judges.instruments.slug import CONTRAST_RULE, SCHEME_RULE
from bicameral.model.facts import AxeNode, Facts
from bicameral.model.findings import Finding

CLEAR: Final = 1.1
"""A pass counts against a finding from a tenth above its threshold: anti-aliasing and sub-pixel text move a measured
ratio by a few per cent."""
OWN_TEXT: Final = (None, "value")
"""Runs that have the colour which the element's style declares."""
COMPUTED: Final = "Computed from the declared colours."
NEEDED: Final = 4.5
NEEDED_LARGE: Final = 3.0
"""WCAG 2.2, success criterion 1.4.3."""


def answer(look: Look, finding: Finding) -> Answer:
    """The word on a finding that shows on this look; cannot-tell where axe has nothing on its elements."""
    facts = look.facts
    elements = frozenset(elements_of(look, finding))
    if facts is None or not elements:
        return CANNOT_TELL
    about_text = finding.attribute.startswith((CONTRAST_RULE, SCHEME_RULE))
    if finding.category == "contrast" or (finding.category == "color-scheme" and about_text):
        return _on_contrast(facts, elements)
    broken = _violation_on(facts, elements, finding.category)
    if broken is not None:
        return Answer(verdict="agree", note=broken)
    if finding.category == "target-size":
        return _on_size(facts, elements)
    return CANNOT_TELL


def _on_contrast(facts: Facts, elements: frozenset[int]) -> Answer:
    who = wording.describe(facts, min(elements))
    for node in _nodes(facts, CONTRAST_RULE):
        if node.element in elements:
            return Answer(verdict="agree", note=_too_little(contrast_of(node), who))
    left_open = [n for r in facts.axe.incomplete if r.rule == CONTRAST_RULE for n in r.nodes if n.element in elements]
    if left_open:
        return Answer(verdict="cannot-tell", note="axe-core could not tell what is behind the text.")
    passes = {row.element: row.ratio for row in facts.axe.contrast_passes if row.element in elements}
    if set(passes) != elements:
        return CANNOT_TELL
    other = next((run for run in facts.text_runs if run.element in elements and run.pseudo not in OWN_TEXT), None)
    if other is not None:
        kind = "a placeholder" if other.pseudo == "::placeholder" else "generated text"
        return Answer(verdict="cannot-tell", note=f"axe-core measures the element's own text, and it shows {kind} too.")
    closest, ratio = min((passes[element] / _needed(facts, element), passes[element]) for element in elements)
    needed = ratio / closest
    said = f"{who} has a contrast of {wording.ratio(ratio, needed)}"
    if closest >= CLEAR:
        return Answer(verdict="dispute", note=f"{said}, {wording.against(ratio, needed)}. {COMPUTED}")
    return Answer(
        verdict="cannot-tell", note=f"{said}, too near to the {wording.ratio(needed)} that is needed. {COMPUTED}"
    )


def _too_little(numbers: tuple[float, float] | None, who: str) -> str:
    if numbers is None:
        return "axe-core finds the contrast too low."
    found, needed = numbers
    return f"{who} has a contrast of {wording.ratio(found, needed)}, {wording.against(found, needed)}. {COMPUTED}"


def _needed(facts: Facts, element: int) -> float:
    """What the smallest text of the element needs."""
    sizes = [run.large for run in facts.text_runs if run.element == element]
    return NEEDED_LARGE if sizes and all(sizes) else NEEDED


def _on_size(facts: Facts, elements: frozenset[int]) -> Answer:
    who = wording.describe(facts, min(elements))
    boxes = [facts.elements[index].box for index in sorted(elements)]
    smallest = min(boxes, key=lambda box: min(box.width, box.height))
    size = f"{wording.number(smallest.width)} by {wording.px(smallest.height)}"
    if min(smallest.width, smallest.height) >= TARGET_PX:
        return Answer(verdict="dispute", note=f"{who} is {size}, which is enough: 24 by 24 px are needed.")
    return Answer(verdict="cannot-tell", note=f"{who} is {size}, which may be enough with the room around it.")


def _violation_on(facts: Facts, elements: frozenset[int], category: str) -> str | None:
    for result in facts.axe.violations:
        if result.rule in NOT_FILED or wording_of(result).category != category:
            continue
        if any(node.element in elements for node in result.nodes):
            return f"axe-core's rule {result.rule} fails on this element."
    return None


def _nodes(facts: Facts, rule: str) -> list[AxeNode]:
    return [node for result in facts.axe.violations if result.rule == rule for node in result.nodes]
