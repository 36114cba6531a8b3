"""Text drawn over other text, and controls that something else lies on.

Lines are compared by their cores, the middle part of their height, because line boxes of neighbouring lines touch by
design. Silent for text under an opaque box (it is hidden, not garbled: dialogs, menus, sticky headers), for the same
text twice (shadows, cross-fades), for icons, drawings, sub- and superscripts, for text that moves, and for a faint
ornament behind: hidden from assistive technology and of nearly the colour of its ground.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Final, NamedTuple

import numpy as np

from bicameral.imaging.contrast import over, ratio
from bicameral.judges.instruments import wording
from bicameral.judges.instruments.instrument import Measured
from bicameral.judges.instruments.layout.filing import Rule
from bicameral.judges.instruments.layout.tree import DRAWINGS, Tree
from bicameral.judges.instruments.locate import intersection
from bicameral.model.facts import Rect, TextRun

CORE: Final = 0.6
"""Share of a line's height, around its middle: small letters with half of what rises above them. Two lines whose cores
meet stand less than about half an em apart."""
LEAST_WIDTH_PX: Final = 4.0
LEAST_HEIGHT_PX: Final = 1.5
LEAST_SHARE: Final = 0.1
"""Of the smaller core: less is a letter's edge, which kerning and italics produce."""
MOST_PAIRS: Final = 4000
MOST_FILED: Final = 50
"""Bounds for pages made to break a judge; one with so many collisions is broken as a whole."""
COVERING_ALPHA: Final = 0.7
FAINT_RATIO: Final = 1.5
"""Below it letters do not get in the way of those that are drawn over them."""
SOLID: Final = 0.99
WIDE_COVER: Final = 0.5
"""Something that covers half the window is a dialog or a veil: it covers on purpose."""
PASSED_OVER: Final = frozenset({"sub", "sup", "rt", "rp", "option", "optgroup"}) | DRAWINGS

TEXT_RULE: Final = Rule(
    name="text-overlap",
    category="overlap",
    severity="high",
    title="Text over text",
    problem="Two texts are drawn on top of each other, and neither can be read there.",
    expected="Each text has its own place.",
    acceptance="The lines of the two texts no longer intersect.",
)
COVERED_RULE: Final = Rule(
    name="covered-control",
    category="overlap",
    severity="high",
    confidence="medium",
    title="Control covered",
    problem="Something else receives the click or the tap at the middle of the control.",
    expected="Nothing lies over the middle of a control.",
    acceptance="A click at the middle of the control reaches it.",
)


class _Line(NamedTuple):
    run: TextRun
    core: Rect


def text_overlap(tree: Tree) -> Iterator[Measured]:
    filed: set[int] = set()
    for first, second in islice(_touching(_lines(tree)), MOST_PAIRS):
        if len(filed) >= MOST_FILED:
            return
        upper, lower = _stacked(tree, first.run.element, second.run.element)
        over, under = (first, second) if first.run.element == upper else (second, first)
        if upper in filed or _is_opaque(tree, upper, lower) or _is_backdrop(tree, under.run):
            continue
        filed.add(upper)
        place = wording.place(Rect(max(over.core.x, under.core.x), max(over.core.y, under.core.y), 0, 0))
        words = f"draws {wording.quote(over.run.text, 40)} over {wording.quote(under.run.text, 40)} {place}."
        yield TEXT_RULE.file(tree, upper, words)


def covered_control(tree: Tree) -> Iterator[Measured]:
    view = tree.facts.page.viewport
    for row in tree.facts.geometry.covered:
        if row.by is None or not tree.is_seen(row.element) or row.by in tree.moving or row.element in tree.moving:
            continue
        control, cover = tree.elements[row.element], tree.elements[row.by]
        if cover.box.width * cover.box.height >= WIDE_COVER * view.width * view.height:
            continue
        if _is_one_control(tree, row.element, row.by) or control.disabled:
            continue
        yield COVERED_RULE.file(tree, row.element, f"is covered at its middle by {_small(tree, row.by)}.")


def _small(tree: Tree, index: int) -> str:
    who = wording.describe(tree.facts, index)
    return who[0].lower() + who[1:]


def _is_one_control(tree: Tree, control: int, cover: int) -> bool:
    """A card's link that is stretched over it, two links to one place, a control styled by a part of its own label."""
    link = next((at for at in tree.upward(cover) if tree.elements[at].tag == "a"), None)
    href = tree.elements[control].attributes.get("href")
    if link is not None and href is not None and tree.elements[link].attributes.get("href") == href:
        return True
    if any(tree.elements[at].tag == "label" for at in tree.upward(cover)):
        return True
    parent = tree.elements[control].parent
    return tree.elements[control].tag in ("input", "select") and parent is not None and parent in tree.upward(cover)


def _lines(tree: Tree) -> list[_Line]:
    """The line cores of all text that could collide, from top to bottom."""
    found = []
    for run in tree.read_runs:
        letters = sum(character.isalnum() for character in run.text)
        if letters < 2 or run.pseudo in ("::before", "::after") or run.element in tree.moving:
            continue
        if tree.within(run.element, PASSED_OVER):
            continue
        for line in run.lines:
            inset = line.height * (1 - CORE) / 2
            found.append(_Line(run, Rect(line.x, line.y + inset, line.width, line.height - 2 * inset)))
    return sorted(found, key=lambda line: line.core.y)


def _touching(lines: list[_Line]) -> Iterator[tuple[_Line, _Line]]:
    """Pairs of lines of different elements whose cores intersect enough; a sweep from top to bottom."""
    open_lines: list[_Line] = []
    for line in lines:
        open_lines = [other for other in open_lines if other.core.bottom > line.core.y]
        for other in open_lines:
            if other.run.element != line.run.element and other.run.text != line.run.text and _collide(other, line):
                yield other, line
        open_lines.append(line)


def _collide(a: _Line, b: _Line) -> bool:
    width = min(a.core.right, b.core.right) - max(a.core.x, b.core.x)
    height = min(a.core.bottom, b.core.bottom) - max(a.core.y, b.core.y)
    if width < LEAST_WIDTH_PX or height < LEAST_HEIGHT_PX:
        return False
    smaller = min(a.core.width * a.core.height, b.core.width * b.core.height)
    return intersection(a.core, b.core) >= LEAST_SHARE * smaller


def _stacked(tree: Tree, a: int, b: int) -> tuple[int, int]:
    """(upper, lower) as painted: by z-index below the common ancestor, then positioned over not, later over earlier."""
    return (a, b) if _rank(tree, a, b) > _rank(tree, b, a) else (b, a)


def _rank(tree: Tree, index: int, other: int) -> tuple[float, bool, int]:
    shared = set(tree.upward(other))
    z_index, positioned = 0.0, False
    for at in tree.upward(index):
        if at in shared:
            break
        style = tree.elements[at].style
        if style.position != "static":
            positioned = True
            z_index = float(style.z_index) if style.z_index.lstrip("-").isdigit() else 0.0
    return (z_index, positioned, index)


def _is_backdrop(tree: Tree, run: TextRun) -> bool:
    """Whether a text is ornament that hides nothing: not read aloud, and faint on a ground of one known colour."""
    if not run.hidden_from_at:
        return False
    for at in tree.upward(run.element):
        style = tree.elements[at].style
        if style.background_image:
            return False
        if style.background.alpha >= SOLID:
            ground = np.asarray(style.background[:3], dtype=np.float64)
            ink = over(np.asarray(run.color[:3], dtype=np.float64), run.color.alpha * run.opacity, ground)
            return float(ratio(ink, ground)) < FAINT_RATIO
    ground = np.full(3, 255.0)
    return float(ratio(over(np.asarray(run.color[:3]), run.color.alpha * run.opacity, ground), ground)) < FAINT_RATIO


def _is_opaque(tree: Tree, upper: int, lower: int) -> bool:
    """Whether the upper text brings a background of its own that hides the lower one."""
    shared = set(tree.upward(lower))
    for at in tree.upward(upper):
        if at in shared:
            return False
        style = tree.elements[at].style
        if style.background_image or style.background.alpha * style.opacity >= COVERING_ALPHA:
            return True
    return False
