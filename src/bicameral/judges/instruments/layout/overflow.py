"""Sideways scroll: the page is wider than the window and can be scrolled there.

Silent where root or body cut the overflow off (nothing scrolls; `cut_at_edge` looks at what is lost), for less than
LEAST_PX, and for elements held by a scroller or by the viewport, which geometry does not list.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from bicameral.judges.instruments import wording
from bicameral.judges.instruments.instrument import Measured
from bicameral.judges.instruments.layout.filing import Rule
from bicameral.judges.instruments.layout.tree import Tree

LEAST_PX: Final = 5.0
"""Fractions of columns and hairline borders add up to a few pixels that nobody meets."""
FAR_SHARE: Final = 0.5
"""Of the farthest: what reaches less far is seen once the page scrolls, and is seldom its cause."""
MOST_FILED: Final = 3
"""Culprits a page; the first is usually the cause of the rest."""

RULE: Final = Rule(
    name="sideways-scroll",
    category="layout-overflow",
    severity="high",
    title="Page scrolls sideways",
    problem="Readers have to scroll in two directions, and what sticks out is easily missed.",
    expected="The page fits the width of the window; wide content wraps, shrinks or scrolls inside a box of its own.",
    acceptance="The page's scroll width is no larger than the window's width.",
)


def sideways_scroll(tree: Tree) -> Iterator[Measured]:
    geometry = tree.facts.geometry
    extra = geometry.scroll_width_px - geometry.client_width_px
    if extra < LEAST_PX or geometry.client_width_px <= 0 or not tree.page_scrolls_sideways:
        return
    reach = _reach(tree, extra)
    window = f"in a window of {wording.px(geometry.client_width_px)}"
    outermost = [index for index in reach if not any(up in reach for up in tree.ancestors(index))]
    for index in outermost[:MOST_FILED]:
        past = f"reaches {wording.px(reach[index])} past the edge of the page {window}"
        yield RULE.file(tree, index, f"{past}; the page is {wording.px(geometry.scroll_width_px)} wide.")
    if not outermost:
        yield RULE.file_page("page", f"The page is {wording.px(geometry.scroll_width_px)} wide {window}.")


def _reach(tree: Tree, extra: float) -> dict[int, float]:
    """Elements that stick out, by their box or a line of their text, and by how much; the far ones alone.

    Nothing sticks out further than the page can be scrolled: such a box lies where nobody gets. Right-to-left pages
    scroll to the left, so what sticks out there counts where nothing does on the right.
    """
    rows = tree.facts.geometry.overflowing
    reach = {row.element: row.past_right_px for row in rows}
    edge = tree.facts.page.window.x + tree.facts.geometry.client_width_px
    for run in tree.read_runs:
        past = max(line.right for line in run.lines) - edge
        if past > reach.get(run.element, 0.0) and not _is_held(tree, run.element):
            reach[run.element] = past
    for side in (reach, {row.element: row.past_left_px for row in rows}):
        real = {index: past for index, past in side.items() if LEAST_PX <= past <= extra + LEAST_PX}
        if real:
            return {index: past for index, past in real.items() if past >= max(real.values()) * FAR_SHARE}
    return {}


def _is_held(tree: Tree, index: int) -> bool:
    styles = (tree.elements[at].style for at in tree.upward(index) if tree.elements[at].tag not in ("html", "body"))
    return any(style.overflow_x != "visible" or style.position == "fixed" for style in styles)
