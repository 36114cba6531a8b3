"""Endless movement that goes on although the reader asked for reduced motion.

Silent for changes of colour and opacity, for what says or shows that it waits (spinners, progress, skeletons; a small
round sign that turns), and for what nobody sees.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from bicameral.judges.instruments import wording
from bicameral.judges.instruments.instrument import Measured
from bicameral.judges.instruments.layout.filing import Rule
from bicameral.judges.instruments.layout.tree import Tree

MOVING: Final = frozenset(
    {
        "transform",
        "translate",
        "rotate",
        "scale",
        "left",
        "right",
        "top",
        "bottom",
        "inset",
        "width",
        "height",
        "backgroundPosition",
        "backgroundPositionX",
        "backgroundPositionY",
        "offsetDistance",
        "offsetPath",
        "strokeDashoffset",
        "perspective",
    }
)
SEEN_PX: Final = 8.0
SMALL_PX: Final = 64.0
"""Dots and signs: they disturb less than what fills a part of the page."""
SPINNER_PX: Final = 32.0
"""A ring, or a drawing as wide as high, up to this size that turns shows that something is under way. A filled disc
turns to no eye: it swells or wanders."""
TURNING: Final = frozenset({"transform", "rotate"})
WAITING: Final = re.compile(r"spin|load|progress|skeleton|shimmer|placeholder|busy|wait|pulse", re.IGNORECASE)
WAITING_ROLES: Final = frozenset({"progressbar", "status", "alert", "timer"})

RULE: Final = Rule(
    name="endless-motion",
    category="motion",
    severity="medium",
    title="Movement that does not stop",
    problem="The element moves without end although the reader asks for reduced motion; it makes some people ill.",
    expected="Where reduced motion is asked for, nothing moves by itself (prefers-reduced-motion).",
    acceptance="With reduced motion asked for, the animation does not run.",
)


def endless_motion(tree: Tree) -> Iterator[Measured]:
    filed: set[int] = set()
    for row in tree.facts.geometry.animations:
        if row.element is None or row.element in filed or not tree.is_seen(row.element):
            continue
        moves = [name for name in row.properties if name in MOVING or name.startswith("margin")]
        box = tree.elements[row.element].box
        if not moves or max(box.width, box.height) < SEEN_PX or _waits(tree, row.element):
            continue
        if TURNING.issuperset(moves) and _is_spinner(tree, row.element):
            continue
        filed.add(row.element)
        seconds = wording.number(row.duration_ms / 1000)
        words = f"changes its {' and '.join(moves[:3])} every {seconds} s without end."
        severity = RULE.severity if max(box.width, box.height) > SMALL_PX else "low"
        yield RULE.file(tree, row.element, words, severity=severity)


def _is_spinner(tree: Tree, index: int) -> bool:
    element = tree.elements[index]
    size = max(element.box.width, element.box.height)
    if size > SPINNER_PX or abs(element.box.width - element.box.height) > 1 or tree.lines_below(index):
        return False
    style = element.style
    ring = style.background.alpha < 0.5 and all(side > 0 for side in style.border_px)
    round_sign = style.border_radius_px >= 0.4 * size and (ring or style.background_image)
    return element.tag == "svg" or round_sign


def _waits(tree: Tree, index: int) -> bool:
    for at in list(tree.upward(index))[:3]:
        element = tree.elements[at]
        words = f"{element.attributes.get('class', '')} {element.attributes.get('id', '')}"
        if element.role in WAITING_ROLES or element.attributes.get("aria-busy") == "true" or WAITING.search(words):
            return True
    return False
