"""Text that runs out of the box it belongs to.

The box is one that a reader sees: it has a border, or a background that differs from what is around it. Silent for text
that was taken out of the flow (badges, tooltips), for boxes that cut or scroll, for the page's own boxes, for less than
half a line, and for what leaves the page itself (`sideways-scroll` says that).
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Final

from bicameral.judges.instruments import wording
from bicameral.judges.instruments.instrument import Measured
from bicameral.judges.instruments.layout.filing import Rule
from bicameral.judges.instruments.layout.tree import DRAWINGS, Tree
from bicameral.model.facts import Colour, Rect, TextRun

LEAST_BOX_PX: Final = 16.0
LEAST_PAST_PX: Final = 8.0
"""Sideways: less is an italic's or a shadow's overhang."""
DIFFERS: Final = 8.0
"""Of 255 in one channel: less is not seen as an edge."""
LEVELS: Final = 12
"""A box further up is not the one that the text stands in to a reader's eye."""
PAGES_OWN: Final = frozenset({"html", "body", "main"}) | DRAWINGS

RULE: Final = Rule(
    name="text-spill",
    category="layout-overflow",
    severity="medium",
    title="Text runs out of its box",
    problem="The text does not fit the box it stands in and runs over its edge, into whatever is there.",
    expected="The box grows with its text, or the text wraps or scrolls inside it.",
    acceptance="Every line of the text lies inside the box.",
)


def text_spill(tree: Tree) -> Iterator[Measured]:
    worst: dict[int, tuple[float, str, TextRun]] = {}
    for run in tree.read_runs:
        if run.pseudo is not None or run.element in tree.moving:
            continue
        box = _box(tree, run.element)
        if box is None:
            continue
        past = _past(run, tree.elements[box].box)
        if past is not None and past[1] == "right" and _leaves_the_page(tree, run):
            continue
        if past is not None and past > worst.get(box, (0.0, "", run))[:2]:
            worst[box] = (*past, run)
    for box, (past_px, edge, run) in worst.items():
        words = f"holds {wording.quote(run.text, 40)}, which runs {wording.px(past_px)} over its {edge} edge."
        yield RULE.file(tree, box, words)


def _box(tree: Tree, index: int) -> int | None:
    """The nearest seen box around a text, reached through the flow alone."""
    for at in islice(tree.upward(index), LEVELS):
        element = tree.elements[at]
        style = element.style
        if element.tag in PAGES_OWN or style.overflow_x != "visible" or style.overflow_y != "visible":
            return None
        inline = style.display.startswith("inline") and style.display != "inline-block"
        if not inline and _has_edge(tree, at):
            big = min(element.box.width, element.box.height) >= LEAST_BOX_PX
            return at if big and tree.is_seen(at) else None
        if style.position in ("absolute", "fixed", "sticky") or style.display in ("contents", "table-cell"):
            return None
        if min(style.margin_px) < 0:
            return None
    return None


def _past(run: TextRun, frame: Rect) -> tuple[float, str] | None:
    """How far the text is past the lower or the right edge, where it is for more than half a line."""
    lowest = max(run.lines, key=lambda line: line.bottom)
    if lowest.y + lowest.height / 2 > frame.bottom and lowest.y > frame.y:
        return (lowest.bottom - frame.bottom, "lower")
    widest = max(run.lines, key=lambda line: line.right)
    if widest.right > frame.right + LEAST_PAST_PX and widest.x < frame.right:
        return (widest.right - frame.right, "right")
    return None


def _leaves_the_page(tree: Tree, run: TextRun) -> bool:
    edge = tree.facts.page.window.x + tree.facts.geometry.client_width_px
    return max(line.right for line in run.lines) > edge


def _has_edge(tree: Tree, index: int) -> bool:
    """Whether a reader sees where the element ends: a border all around, or a background unlike the one behind it."""
    style = tree.elements[index].style
    if all(side > 0 for side in style.border_px):
        return True
    if style.background.alpha < 0.5:
        return False
    behind = next(
        (tree.elements[at].style for at in tree.ancestors(index) if tree.elements[at].style.background.alpha >= 0.5),
        None,
    )
    white = Colour(255, 255, 255, 1)
    return _differ(style.background, white if behind is None else behind.background)


def _differ(a: Colour, b: Colour) -> bool:
    return max(abs(one - other) for one, other in zip(a[:3], b[:3], strict=True)) > DIFFERS
