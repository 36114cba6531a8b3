"""Endless movement that goes on although the reader asked for reduced motion.

Silent for changes of colour and opacity, for what says that it waits (spinners, progress, skeletons), and for what
nobody sees.
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
        filed.add(row.element)
        seconds = wording.number(row.duration_ms / 1000)
        words = f"changes its {' and '.join(moves[:3])} every {seconds} s without end."
        severity = RULE.severity if max(box.width, box.height) > SMALL_PX else "low"
        yield RULE.file(tree, row.element, words, severity=severity)


def _waits(tree: Tree, index: int) -> bool:
    for at in list(tree.upward(index))[:3]:
        element = tree.elements[at]
        words = f"{element.attributes.get('class', '')} {element.attributes.get('id', '')}"
        if element.role in WAITING_ROLES or element.attributes.get("aria-busy") == "true" or WAITING.search(words):
            return True
    return False
