"""One of several buttons that belong together differs in height, corner radius or text size while the others agree.

Buttons belong together when they are siblings, or sit in like places of sibling boxes (one in each card). Silent for
groups whose buttons touch (their corners differ by design), for buttons without words, for those that wrap to more
lines, and for a link among filled buttons: only what is painted alike is compared, and one whose background is unlike
that of all the others is a quieter or louder choice by design.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Final

from bicameral.judges.instruments import wording
from bicameral.judges.instruments.instrument import Measured
from bicameral.judges.instruments.layout.filing import Rule
from bicameral.judges.instruments.layout.tree import Tree
from bicameral.model.facts import Colour

LEAST: Final = 3
TOUCHING_PX: Final = 1.5
SAME_PX: Final = 1.0
SAME_COLOUR: Final = 8.0
DIFFERS_PX: Final = {"height": 3.0, "corner radius": 3.0, "text size": 1.5}
"""Differences that are seen side by side; a border more or less makes 2 px."""
BUTTON_TYPES: Final = frozenset({"button", "submit", "reset"})

RULE: Final = Rule(
    name="odd-button",
    category="consistency",
    severity="low",
    confidence="medium",
    title="Button unlike its siblings",
    problem="One of several buttons that belong together looks different without a reason that a reader could see.",
    expected="Buttons that belong together agree in height, corner radius and text size.",
    acceptance="The button has the measures of its siblings.",
)


def odd_button(tree: Tree) -> Iterator[Measured]:
    measures: dict[str, Callable[[int], float]] = {
        "height": lambda index: tree.elements[index].box.height,
        "corner radius": lambda index: min(
            tree.elements[index].style.border_radius_px, tree.elements[index].box.height / 2
        ),
        "text size": lambda index: tree.elements[index].style.font_px,
    }
    for group in _groups(tree):
        for what, measure in measures.items():
            found = _odd([measure(index) for index in group], DIFFERS_PX[what])
            if found is not None:
                position, usual = found
                if _is_set_off(tree, group, position):
                    break
                own = wording.px(measure(group[position]))
                words = f"has a {what} of {own}; its {len(group) - 1} siblings have {wording.px(usual)}."
                yield RULE.file(tree, group[position], words)
                break


def _is_set_off(tree: Tree, group: list[int], position: int) -> bool:
    """Whether the others share one background, and this one has another."""
    grounds = [tree.elements[index].style.background for index in group]
    others = [ground for at, ground in enumerate(grounds) if at != position]
    alike = all(_distance(ground, others[0]) <= SAME_COLOUR for ground in others)
    return alike and _distance(grounds[position], others[0]) > SAME_COLOUR


def _distance(a: Colour, b: Colour) -> float:
    """The largest difference of a channel, 0 to 255, opacity among them."""
    return max(*(abs(one - other) for one, other in zip(a[:3], b[:3], strict=True)), 255 * abs(a.alpha - b.alpha))


def _odd(values: list[float], differs: float) -> tuple[int, float] | None:
    usual = sorted(values)[len(values) // 2]
    odd = [position for position, value in enumerate(values) if abs(value - usual) > SAME_PX]
    if len(odd) != 1 or abs(values[odd[0]] - usual) < differs:
        return None
    return odd[0], usual


def _groups(tree: Tree) -> Iterator[list[int]]:
    buttons = [index for index in range(len(tree.elements)) if _is_button(tree, index)]
    by_place: dict[tuple[object, ...], list[int]] = {}
    for index in buttons:
        by_place.setdefault(_place(tree, index, buttons), []).append(index)
    for alike in by_place.values():
        if len(alike) >= LEAST and not _touch(tree, alike):
            yield alike


def _place(tree: Tree, index: int, buttons: list[int]) -> tuple[object, ...]:
    """The parent where it holds several buttons; else the grandparent and what the parent is."""
    element = tree.elements[index]
    parent = element.parent
    lines = len({round(line.y) for line in tree.lines_below(index)})
    if parent is None or sum(tree.elements[other].parent == parent for other in buttons) > 1:
        return (element.tag, parent, lines)
    holder = tree.elements[parent]
    return (element.tag, holder.parent, holder.tag, holder.attributes.get("class", ""), lines)


def _is_button(tree: Tree, index: int) -> bool:
    element = tree.elements[index]
    named = (
        element.tag == "button"
        or element.role == "button"
        or (element.tag == "input" and element.attributes.get("type") in BUTTON_TYPES)
    )
    if not named and element.tag == "a":
        classes = element.attributes.get("class", "").lower().replace("_", "-").split()
        named = any(word in ("btn", "button") for name in classes for word in name.split("-"))
    words = sum(character.isalpha() for character in tree.text_below(index)) if named else 0
    return named and words >= 2 and tree.is_painted(index) and tree.is_seen(index)


def _touch(tree: Tree, group: list[int]) -> bool:
    boxes = [tree.elements[index].box for index in group]
    return any(abs(b.x - a.right) <= TOUCHING_PX or abs(b.y - a.bottom) <= TOUCHING_PX for a, b in pairwise(boxes))
