"""A control that is on the screen at one form factor and out of reach at another.

Out of reach: wholly past an edge of the page to which nothing scrolls. Silent for what a whole group or its container
does (a menu that waits off the canvas), for links that jump within the page (they come in when focused), for
what sits in a scroller, and for fields that a drawn control stands in for.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from bicameral.judges.instruments import wording
from bicameral.judges.instruments.instrument import Measured
from bicameral.judges.instruments.layout.filing import Rule
from bicameral.judges.instruments.layout.tree import Tree
from bicameral.judges.instruments.slug import slug_of

MOST_GONE: Final = 2
"""More than this leave together, as a menu or a row of slides does."""
FIELDS: Final = frozenset({"input", "select", "textarea"})

RULE: Final = Rule(
    name="off-screen-control",
    category="responsive",
    severity="high",
    title="Control out of reach",
    problem="The control lies outside the page at this width, where no scrolling gets to, so it cannot be used.",
    expected="Every control is on the page at every width.",
    acceptance="The control's box lies inside the page.",
)


def off_screen(tree: Tree, others: Sequence[Tree]) -> Iterator[Measured]:
    """others: the same page at other form factors, on which the control must be seen."""
    gone = [index for index, element in enumerate(tree.elements) if element.interactive and _is_gone(tree, index)]
    if len(gone) > MOST_GONE:
        return
    seen = {slug_of(other.facts, at) for other in others for at in _reachable(other)}
    for index in gone:
        if slug_of(tree.facts, index) in seen:
            box = tree.elements[index].box
            words = f"lies from x = {wording.number(box.x)} to {wording.number(box.right)} in a window of "
            yield RULE.file(
                tree, index, words + f"{wording.px(tree.facts.page.viewport.width)}, where nothing scrolls."
            )


def _reachable(tree: Tree) -> Iterator[int]:
    for index, element in enumerate(tree.elements):
        if element.interactive and tree.is_seen(index) and not _is_past(tree, index):
            yield index


def _is_gone(tree: Tree, index: int) -> bool:
    element = tree.elements[index]
    parent = element.parent
    if element.disabled or element.tag in FIELDS or parent is None or not _is_past(tree, index):
        return False
    if not any(character.isalpha() for character in element.name or "") or element.style.visibility != "visible":
        return False
    if element.attributes.get("href", "").startswith("#") or element.style.opacity < 0.1:
        return False
    if any(_is_past(tree, at) for at in tree.ancestors(index)):
        return False
    held = (tree.elements[at] for at in tree.ancestors(index))
    return all(at.style.overflow_x == "visible" for at in held if at.tag not in ("html", "body"))


def _is_past(tree: Tree, index: int) -> bool:
    """Wholly outside the page, sideways: to the left of it, or to the right of a window that does not scroll there."""
    box = tree.elements[index].box
    if box.width < 1 or box.height < 1:
        return False
    geometry = tree.facts.geometry
    scrolls = tree.page_scrolls_sideways and geometry.scroll_width_px > geometry.client_width_px
    window = tree.facts.page.window.x + geometry.client_width_px
    edge = max(geometry.scroll_width_px, window) if scrolls else window
    return box.right <= 0 or box.x >= edge > 0
