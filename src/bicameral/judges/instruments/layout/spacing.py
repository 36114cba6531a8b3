"""One gap between like siblings differs from all the others.

Compared where all gaps but one are equal, there are at least four, and nothing else stands between the siblings. Of
three gaps only the middle one is compared, between boxes whose edges are drawn, and only where it is the smaller: a
wider one parts two pairs. Silent in running text, where the difference is below LEAST_PX (rounding, borders), where a
group is set apart on purpose (more than MOST_PX or MOST_RATIO, or a border drawn in the gap), and where it is the first
gap or the last and the sibling there is of another kind by its classes.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from bicameral.judges.instruments import wording
from bicameral.judges.instruments.instrument import Measured
from bicameral.judges.instruments.layout.filing import Rule
from bicameral.judges.instruments.layout.siblings import LEAST, SAME_PX, Series, odd_one, series
from bicameral.judges.instruments.layout.tree import Tree

LEAST_PX: Final = 4.0
MOST_PX: Final = 40.0
MOST_RATIO: Final = 2.5
"""A gap of more than this many usual ones sets a group apart, and is meant to be seen."""
LEAST_USUAL_PX: Final = 2.0
"""Siblings that touch make one block; a gap among them begins another."""

PROSE: Final = frozenset(
    {"p", "h1", "h2", "h3", "h4", "h5", "h6", "blockquote", "pre", "ul", "ol", "figure", "hr", "img"}
)
"""Running text is spaced by what it says."""

RULE: Final = Rule(
    name="uneven-gap",
    category="spacing",
    severity="low",
    confidence="medium",
    title="Uneven gap",
    problem="The gap before one of several like elements differs from the gaps between the others.",
    expected="Like elements are spaced evenly.",
    acceptance="The gap before the element equals those between its siblings.",
)


def uneven_gap(tree: Tree) -> Iterator[Measured]:
    for group in series(tree):
        if not group.unbroken or tree.elements[group.members[0]].tag in PROSE:
            continue
        gaps = _gaps(tree, group)
        odd = odd_one(gaps) if len(gaps) >= LEAST else _pinched(tree, group, gaps)
        if odd is None:
            continue
        position, usual = odd
        if not LEAST_PX <= abs(gaps[position] - usual) <= MOST_PX or usual < LEAST_USUAL_PX:
            continue
        if gaps[position] > usual * MOST_RATIO or _has_rule(tree, group, position):
            continue
        if position in (0, len(gaps) - 1) and _is_set_apart(tree, group, position):
            continue
        words = (
            f"follows a gap of {wording.px(gaps[position])}; the {len(gaps) - 1} other gaps are {wording.px(usual)}."
        )
        yield RULE.file(tree, group.members[position + 1], words)


def _pinched(tree: Tree, group: Series, gaps: list[float]) -> tuple[int, float] | None:
    """(1, usual gap) where the middle one of three gaps between drawn boxes of one kind is the smaller, else None."""
    if len(gaps) != LEAST - 1 or abs(gaps[0] - gaps[2]) > SAME_PX or gaps[1] >= gaps[0]:
        return None
    drawn = all(_is_drawn(tree, index) for index in group.members)
    return (1, gaps[0]) if drawn else None


def _is_drawn(tree: Tree, index: int) -> bool:
    style = tree.elements[index].style
    return all(side > 0 for side in style.border_px) or style.background.alpha > 0.05


def _gaps(tree: Tree, group: Series) -> list[float]:
    boxes = [tree.elements[index].box for index in group.members]
    pairs = list(pairwise(boxes))
    if group.axis == "column":
        return [below.y - above.bottom for above, below in pairs]
    return [after.x - before.right for before, after in pairs]


def _has_rule(tree: Tree, group: Series, position: int) -> bool:
    """Whether a border is drawn in the gap and in no other: it parts two groups."""
    before, after = (0, 2) if group.axis == "column" else (3, 1)  # which sides of what follows and precedes face a gap
    borders = [tree.elements[index].style.border_px for index in group.members]
    drawn = [borders[at][after] + borders[at + 1][before] for at in range(len(borders) - 1)]
    return drawn[position] > 0 and all(width == 0 for at, width in enumerate(drawn) if at != position)


def _is_set_apart(tree: Tree, group: Series, position: int) -> bool:
    """Whether the sibling at the end beside the gap bears classes that none of the others does."""
    end = group.members[0] if position == 0 else group.members[-1]
    rest = [index for index in group.members if index != end]
    common = set.union(*(_classes(tree, index) for index in rest))
    return bool(_classes(tree, end) - common)


def _classes(tree: Tree, index: int) -> set[str]:
    return set(tree.elements[index].attributes.get("class", "").split())
