"""The facts of one shot as a tree that the layout rules walk.

Answers for relations (children, ancestors, the text an element holds) and for what a reader can see of an element.
Declines to judge.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Final

from bicameral.model.facts import Element, Facts, Rect, Scroller, TextRun

SEEN_OPACITY: Final = 0.1
"""Below it a reader sees nothing; cross-fades and hidden slides rest at 0."""
HIDDEN_BOX_PX: Final = 2.0
"""The visually-hidden pattern leaves a box of 1 by 1 px."""
DRAWINGS: Final = frozenset({"svg", "math"})
CODE_TAGS: Final = frozenset({"code", "pre", "kbd", "samp", "var", "textarea", "xmp", "tt"})


class Tree:
    """Facts with their relations. Elements are named by index, as in the facts."""

    def __init__(self, facts: Facts) -> None:
        self.facts = facts
        self.elements: tuple[Element, ...] = facts.elements

    @cached_property
    def children(self) -> dict[int, list[int]]:
        """Element to its children in document order; elements without any are absent."""
        found: dict[int, list[int]] = {}
        for index, element in enumerate(self.elements):
            if element.parent is not None:
                found.setdefault(element.parent, []).append(index)
        return found

    def ancestors(self, index: int) -> Iterator[int]:
        """From the parent up to the root."""
        parent = self.elements[index].parent
        while parent is not None:
            yield parent
            parent = self.elements[parent].parent

    def upward(self, index: int) -> Iterator[int]:
        """The element itself, then its ancestors."""
        yield index
        yield from self.ancestors(index)

    def block_of(self, index: int) -> int:
        """The nearest box that stands by itself and not in a line: the element itself or an ancestor."""
        return next(
            (at for at in self.upward(index) if not self.elements[at].style.display.startswith("inline")), index
        )

    def within(self, index: int, tags: frozenset[str]) -> bool:
        """Whether the element or an ancestor has one of these tags."""
        return any(self.elements[at].tag in tags for at in self.upward(index))

    def descendants(self, index: int) -> Iterator[int]:
        """Everything below an element, in document order."""
        stack = list(reversed(self.children.get(index, ())))
        while stack:
            at = stack.pop()
            yield at
            stack.extend(reversed(self.children.get(at, ())))

    @cached_property
    def _hidden(self) -> frozenset[int]:
        """Elements that sit in a visually-hidden box, or in one that is folded to nothing."""
        hidden: set[int] = set()
        for index, element in enumerate(self.elements):
            tiny = min(element.box.width, element.box.height) <= HIDDEN_BOX_PX
            cut = element.style.overflow_x in ("hidden", "clip") or element.style.overflow_y in ("hidden", "clip")
            if element.parent in hidden or (tiny and (cut or element.style.position in ("absolute", "fixed"))):
                hidden.add(index)
        return frozenset(hidden)

    def is_seen(self, index: int) -> bool:
        """Whether a reader sees the element's place: it has a size, is not transparent and not visually hidden."""
        element = self.elements[index]
        style = element.style
        return (
            index not in self._hidden
            and style.visibility == "visible"
            and style.opacity >= SEEN_OPACITY
            and element.box.width > 0
            and element.box.height > 0
            and element.box.right > 0
            and element.box.bottom > 0
        )

    def is_read(self, run: TextRun) -> bool:
        """Whether a reader sees this text: it is drawn somewhere, with some colour."""
        return (
            run.element not in self._hidden
            and run.opacity >= SEEN_OPACITY
            and run.color.alpha >= SEEN_OPACITY
            and any(line.width >= 1 and line.height >= 1 for line in run.lines)
        )

    @cached_property
    def read_runs(self) -> tuple[TextRun, ...]:
        """The text a reader sees, in document order."""
        return tuple(run for run in self.facts.text_runs if self.is_read(run))

    @cached_property
    def _read_by_element(self) -> dict[int, list[TextRun]]:
        found: dict[int, list[TextRun]] = {}
        for run in self.read_runs:
            found.setdefault(run.element, []).append(run)
        return found

    def runs_below(self, index: int) -> list[TextRun]:
        """All text a reader sees in an element and below it, in document order."""
        own = self._read_by_element
        return [run for at in (index, *self.descendants(index)) for run in own.get(at, ())]

    def text_below(self, index: int) -> str:
        """The same as one text, joined by spaces."""
        return " ".join(run.text for run in self.runs_below(index))

    def lines_below(self, index: int) -> list[Rect]:
        """The line boxes of the same."""
        return [line for run in self.runs_below(index) for line in run.lines]

    def is_painted(self, index: int) -> bool:
        """Whether the element itself draws a background or a border."""
        style = self.elements[index].style
        return style.background.alpha > 0.05 or style.background_image or any(side > 0 for side in style.border_px)

    @cached_property
    def moving(self) -> frozenset[int]:
        """Elements that an endless animation moves, and all below them."""
        roots = {row.element for row in self.facts.geometry.animations if row.element is not None}
        found: set[int] = set()
        for index, element in enumerate(self.elements):
            if index in roots or element.parent in found:
                found.add(index)
        return frozenset(found)

    @cached_property
    def scrollers(self) -> dict[int, Scroller]:
        """Element to what geometry says it holds and shows."""
        return {row.element: row for row in self.facts.geometry.scrollers}

    @cached_property
    def page_scrolls_sideways(self) -> bool:
        """Whether what sticks out on the side can be scrolled to: neither root nor body cuts it off."""
        for element in self.elements:
            if element.tag in ("html", "body") and element.style.overflow_x in ("hidden", "clip"):
                return False
        return True


def united(rects: list[Rect]) -> Rect:
    """The smallest rectangle that holds all; rects is not empty."""
    left, top = min(rect.x for rect in rects), min(rect.y for rect in rects)
    right, bottom = max(rect.right for rect in rects), max(rect.bottom for rect in rects)
    return Rect(left, top, right - left, bottom - top)
