"""axe-core's violations, one finding an element.

Rules, in order:
1. Rules of NOT_FILED and experimental rules are passed over, and so are nodes without an element or a box, and the
   contrast of ornaments.
2. Severity is axe's impact: critical high, serious high, moderate medium, minor low. `critical` is kept for a page that
   cannot be used at all. Text contrast is high below 2:1, where words are lost, else medium. Advice that no success
   criterion asks for (`best-practice`) is low, but for what leaves a part of the page unusable (KEPT_SEVERE).
3. What was observed is said in numbers where axe gives them, else in axe's own words: the first of its messages.
4. Elements that are filed for having no name are called by what their author wrote on them, and links that colour alone
   marks by the style they share: one style rule is one defect.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Final

from bicameral.judges.instruments import wording
from bicameral.judges.instruments.axe.rules import NOT_FILED, RULES, Wording
from bicameral.judges.instruments.instrument import Measured
from bicameral.judges.instruments.slug import (
    CONTRAST_RULE,
    attribute_for,
    shorten,
    slug_of_selector,
    style_slug_of,
    unnamed_slug_of,
)
from bicameral.model.facts import AxeNode, AxeResult, Facts
from bicameral.model.vocabulary import Severity

SEVERITY_OF_IMPACT: Final[Mapping[str | None, Severity]] = MappingProxyType(
    {"critical": "high", "serious": "high", "moderate": "medium", "minor": "low"}
)
KEPT_SEVERE: Final = frozenset(
    {"tabindex", "skip-link", "label-title-only", "aria-dialog-name", "heading-order", "empty-heading"}
)
NAMED_ALL_THE_SAME: Final = frozenset(
    {"label-content-name-mismatch", "label-title-only", "form-field-multiple-labels", "image-redundant-alt"}
)
"""Rules on names that are filed of elements which have one."""
STYLE_RULES: Final = frozenset({"link-in-text-block"})
LOST_TEXT_RATIO: Final = 2.0
"""Below it most readers lose words, not only comfort: WCAG 2.2's lowest requirement for anything is 3:1."""
MESSAGE_CHARACTERS: Final = 240
TARGET_PX: Final = 24.0
"""WCAG 2.2, success criterion 2.5.8."""


def violations(facts: Facts) -> Iterator[Measured]:
    """What axe-core found wrong, in its own order: rules, then elements."""
    for result in facts.axe.violations:
        if result.rule in NOT_FILED or "experimental" in result.tags:
            continue
        for node in result.nodes:
            if (node.element is not None or node.box is not None) and not _is_ornament(facts, result, node):
                yield _measured(facts, result, node)


def wording_of(result: AxeResult) -> Wording:
    """The rule's words, or axe's own for a rule of another version."""
    known = RULES.get(result.rule)
    if known is not None:
        return known
    return Wording("a11y", wording.plain(result.help or result.rule, 80), "Assistive technology is misled.")


def contrast_of(node: AxeNode) -> tuple[float, float] | None:
    """The measured and the required ratio of a contrast node, or None where axe gave no usable numbers."""
    data = node.data or {}
    found, needed = data.get("contrastRatio"), data.get("expectedContrastRatio")
    if isinstance(needed, str):
        try:
            needed = float(needed.removesuffix(":1"))
        except ValueError:
            return None
    if isinstance(found, bool) or not isinstance(found, int | float) or not isinstance(needed, int | float):
        return None
    return (float(found), float(needed)) if 1 <= found <= 21 and 1 <= needed <= 21 else None


def _measured(facts: Facts, result: AxeResult, node: AxeNode) -> Measured:
    words = wording_of(result)
    element = None if node.element is None else facts.elements[node.element]
    who = _who(facts, node)
    title = f"{words.title}: {wording.plain(who.removeprefix('The '), 70)}"
    whole_page = element is None or element.tag == "html"
    return Measured(
        part="axe",
        category=words.category,
        attribute=_attribute(facts, result.rule, node),
        region="content" if element is None else element.region,
        severity=_severity(result, node),
        title=words.title if whole_page and element is not None else title,
        problem=words.problem,
        expected=_expected(result, node),
        observed=_observed(facts, result, node, who),
        acceptance=(f"axe-core's rule {result.rule} passes on this element.",),
        rect=node.box if element is None else None if whole_page else element.box,
        weight=_weight(node),
    )


def _is_ornament(facts: Facts, result: AxeResult, node: AxeNode) -> bool:
    """Text of no letter or digit that is hidden from assistive technology: WCAG 1.4.3 exempts pure decoration."""
    if result.rule != CONTRAST_RULE or node.element is None or not facts.elements[node.element].hidden_from_at:
        return False
    said = [run.text for run in facts.text_runs if run.element == node.element]
    return bool(said) and not any(character.isalnum() for text in said for character in text)


def _attribute(facts: Facts, rule: str, node: AxeNode) -> str:
    if node.element is not None and rule in STYLE_RULES:
        return f"{rule}-{style_slug_of(facts, node.element)}"
    known = RULES.get(rule)
    if node.element is not None and known is not None and known.category == "label" and rule not in NAMED_ALL_THE_SAME:
        return f"{rule}-{unnamed_slug_of(facts, node.element)}"
    if node.element is not None:
        return attribute_for(rule, facts, node.element)
    return f"{rule}-{shorten(slug_of_selector(node.target) or 'page')}"


def _who(facts: Facts, node: AxeNode) -> str:
    if node.element is None:
        return f"The element {wording.plain(node.target, 70)}"
    if facts.elements[node.element].tag == "html":
        return "The page"
    return wording.describe(facts, node.element)


def _weight(node: AxeNode) -> float:
    """How far a ratio stays short of what is needed; 0 for rules without one."""
    data = node.data or {}
    found = data.get("contrastRatio")
    needed = (contrast_of(node) or (0.0, 3.0))[1]
    return needed / found if isinstance(found, int | float) and not isinstance(found, bool) and found >= 1 else 0.0


def _severity(result: AxeResult, node: AxeNode) -> Severity:
    if result.rule == CONTRAST_RULE:
        numbers = contrast_of(node)
        return "high" if numbers is not None and numbers[0] < LOST_TEXT_RATIO else "medium"
    if "best-practice" in result.tags and result.rule not in KEPT_SEVERE:
        return "low"
    return SEVERITY_OF_IMPACT.get(result.impact, "medium")


def _expected(result: AxeResult, node: AxeNode) -> str:
    if result.rule == CONTRAST_RULE:
        numbers = contrast_of(node)
        if numbers is not None:
            return f"Text of this size has a contrast of at least {wording.ratio(numbers[1])} (WCAG 2.2, 1.4.3)."
    if result.rule == "target-size":
        return "A target is at least 24 by 24 px, or has that much room to itself (WCAG 2.2, 2.5.8)."
    return wording.plain(result.help, MESSAGE_CHARACTERS).rstrip(".") + "."


def _observed(facts: Facts, result: AxeResult, node: AxeNode, who: str) -> str:
    numbers = contrast_of(node) if result.rule == CONTRAST_RULE else None
    if numbers is not None:
        data = node.data or {}
        colours = [data.get("fgColor"), data.get("bgColor")]
        shown = f" ({colours[0]} on {colours[1]})" if all(isinstance(one, str) for one in colours) else ""
        return f"{who} has a contrast of {wording.ratio(*numbers)}. Computed from the declared colours{shown}."
    if result.rule == "target-size" and node.element is not None:
        box = facts.elements[node.element].box
        return f"{who} is {wording.number(box.width)} by {wording.px(box.height)}, with too little room around it."
    if result.rule in STYLE_RULES and (apart := _apart(node)):
        return f"{who} is marked by its colour alone. It {apart}."
    message = wording.plain(_first_message(node.message), MESSAGE_CHARACTERS)
    return f"{who}: {message.rstrip('.')}." if message else f"{who} breaks the rule."


def _apart(node: AxeNode) -> str:
    """How far a link's colour is from that of the text around it; empty where axe gave no usable numbers."""
    data = node.data or {}
    found, mine, theirs = data.get("contrastRatio"), data.get("nodeColor"), data.get("parentColor")
    if isinstance(found, bool) or not isinstance(found, int | float) or not 1 <= found <= 21:
        return ""
    if not isinstance(mine, str) or not isinstance(theirs, str):
        return ""
    return f"has the colour {mine}, which is {wording.ratio(float(found), 3.0)} from the {theirs} of the text around it"


def _first_message(message: str) -> str:
    """The first of axe's messages on a node, without a heading (`Fix any of the following:`).

    The facts hold them joined by `; `, one for each check that failed; the others tell of other ways to mend it.
    """
    lines = [line.strip() for line in message.splitlines() if line.strip()]
    said = [line for line in lines if not line.startswith(("Fix any of", "Fix all of"))]
    return said[0].split("; ")[0] if said else ""
