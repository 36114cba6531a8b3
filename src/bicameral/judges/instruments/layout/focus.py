"""Controls that show no change when they receive the keyboard's focus.

Named by place and selector and not by name, because one style rule hides the focus of all its like: those are one
defect. Silent for text fields (the caret shows), for what is disabled, and for what was not measured.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from bicameral.judges.instruments.instrument import Measured
from bicameral.judges.instruments.layout.filing import Rule
from bicameral.judges.instruments.layout.tree import Tree
from bicameral.judges.instruments.slug import kebab, shorten, slug_of_selector

CARET_TYPES: Final = frozenset(
    {
        "text",
        "search",
        "email",
        "url",
        "tel",
        "password",
        "number",
        "date",
        "time",
        "datetime-local",
        "month",
        "week",
        "",
    }
)
LEAST_PX: Final = 4.0

RULE: Final = Rule(
    name="focus-unseen",
    category="focus",
    severity="high",
    title="Focus not visible",
    problem="Nothing changes when the control receives focus, so keyboard users do not know where they are.",
    expected="A control that has the keyboard's focus shows it (WCAG 2.2, 2.4.7).",
    acceptance="The control's outline, border, background or shadow changes when it is focused by keyboard.",
)


def focus_unseen(tree: Tree) -> Iterator[Measured]:
    for row in tree.facts.geometry.focus:
        element = tree.elements[row.element]
        if row.changes or element.disabled or not tree.is_seen(row.element) or _has_caret(tree, row.element):
            continue
        if min(element.box.width, element.box.height) < LEAST_PX or element.tag in ("iframe", "body", "html"):
            continue
        words = "changes none of its outline, border, background, shadow or text when it is focused."
        found = RULE.file(tree, row.element, words)
        place = "-".join(part for part in (kebab(element.landmark or ""), slug_of_selector(element.selector)) if part)
        yield replace(found, attribute=f"{RULE.name}-{shorten(place or element.tag)}")


def _has_caret(tree: Tree, index: int) -> bool:
    element = tree.elements[index]
    if element.tag == "input":
        return element.attributes.get("type", "").lower() in CARET_TYPES
    return element.tag == "textarea" or element.role in ("textbox", "searchbox")
