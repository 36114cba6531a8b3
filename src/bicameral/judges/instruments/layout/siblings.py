"""Elements that a designer meant to be alike: siblings of one tag that stand in one column or one row.

Answers for grouping alone; `alignment`, `spacing` and `consistency` compare.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Final, Literal

from bicameral.judges.instruments.layout.tree import DRAWINGS, Tree

SAME_PX: Final = 0.6
"""Lay-out rounds to fractions of a pixel; two edges within this are one edge."""
LEAST: Final = 4
"""Fewer than three that agree show no intention."""
SKIPPED_TAGS: Final = frozenset(
    {"tr", "td", "th", "thead", "tbody", "tfoot", "col", "colgroup", "br", "option", "dt", "dd", "rect", "path", "g"}
)
_OUT_OF_LINE: Final = ("absolute", "fixed", "sticky")


@dataclass(frozen=True)
class Series:
    """Siblings in order along one axis. members: element indexes.  unbroken: nothing else stands between them."""

    axis: Literal["column", "row"]
    members: tuple[int, ...]
    unbroken: bool


def series(tree: Tree) -> Iterator[Series]:
    """Columns and rows of at least LEAST siblings of one tag and one way of display, in document order."""
    for parent, children in tree.children.items():
        if tree.within(parent, DRAWINGS):
            continue
        shown = [index for index in children if tree.is_seen(index) and _in_line(tree, index)]
        for tag in dict.fromkeys(tree.elements[index].tag for index in shown):
            alike = [index for index in shown if tree.elements[index].tag == tag]
            if tag not in SKIPPED_TAGS and len(alike) >= LEAST:
                yield from _split(tree, alike, len(alike) == len(shown))


def _in_line(tree: Tree, index: int) -> bool:
    style = tree.elements[index].style
    return style.position not in _OUT_OF_LINE and style.display not in ("inline", "contents", "none")


def _split(tree: Tree, alike: list[int], alone: bool) -> Iterator[Series]:
    """The whole as a column where each is below the one before; else the rows that it makes, one after another."""
    boxes = [tree.elements[index].box for index in alike]
    if all(below.y >= above.bottom - SAME_PX for above, below in pairwise(boxes)):
        yield Series("column", tuple(alike), alone)
        return
    row: list[int] = []
    for index in alike:
        box = tree.elements[index].box
        if row and (box.x < tree.elements[row[-1]].box.right - SAME_PX or box.y >= tree.elements[row[-1]].box.bottom):
            if len(row) >= LEAST:
                yield Series("row", tuple(row), alone)
            row = []
        row.append(index)
    if len(row) >= LEAST:
        yield Series("row", tuple(row), alone)


def odd_one(values: list[float], *, beyond: float | None = None) -> tuple[int, float] | None:
    """(position, usual value) where all but one of the values agree within SAME_PX; None otherwise, or below LEAST.

    beyond: values that differ by more than this were meant to; at least LEAST - 1 of the others must agree even so.
    """
    if len(values) < LEAST:
        return None
    usual = sorted(values)[len(values) // 2]
    meant = beyond if beyond is not None else float("inf")
    odd = [at for at, value in enumerate(values) if SAME_PX < abs(value - usual) <= meant]
    agree = sum(abs(value - usual) <= SAME_PX for value in values)
    return (odd[0], usual) if len(odd) == 1 and agree >= LEAST - 1 else None
