"""Whether the ink of a page lies where its facts say that there is text.

Answers for telling a page that moved after it was measured, of which no text can be read, from a page that merely
shows text that no facts tell of. Declines to read text.

Rules, in order:
1. Ink that is known to be of something else is passed over: what controls, frames and players write themselves, the alt
   text of pictures that did not load, components that keep their text to themselves, and list markers.
2. A list marker stands beside a first line, with a gap, and the line's own ink fills the line's box from end to end.
   Where a page moved it does not.
3. Up to ASTRAY_SHARE of a page's ink in no box is nothing. From LOST_SHARE on, no text of the page is measured.
4. In between, texts that stand near each other are judged together: those around whose boxes more than NEAR_SHARE of
   the ink is in no box are not measured, and the rest is.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np
import numpy.typing as npt

from bicameral.imaging.flat import outside
from bicameral.imaging.ink import Bools
from bicameral.judges.instruments.pixels.sheet import Bounds, Sheet
from bicameral.model.facts import Facts, Rect

ASTRAY_SHARE: Final = 0.03
"""After rule 1, at most 1.5 % of the ink of any page of six labelled sets is in no box (2026-11-30). Boxes that are 37
px off leave 4 to 30 % of it, those of a page written from the right included."""
LOST_SHARE: Final = 0.25
NEAR_SHARE: Final = 0.02
REACH_EM: Final = 0.35
"""How far letters reach out of their line box: swashes, accents, shadows."""
NEAR_EM: Final = 3.0
GRID_PX: Final = 16
MARKER_EM: Final = 3.5
"""A marker of a few digits or letters, its gap included."""
GAP_EM: Final = 0.1
FILLED_EM: Final = 0.6
"""From the end of a line box to its first ink: an indent of the letter itself."""
OWN_TEXT: Final = frozenset(
    {"input", "select", "textarea", "meter", "progress", "iframe", "object", "embed", "audio", "video"}
)

Ints = npt.NDArray[np.int64]


def astray(sheet: Sheet, facts: Facts, ink: Bools) -> frozenset[int]:
    """The runs of the facts, by index, whose boxes cannot be trusted. ink: where picture and companion differ."""
    reach = [grown(sheet.bounds(line), REACH_EM * run.font_px) for run in facts.text_runs for line in run.lines]
    lowest = max((max(0, int(y + height) + 1) for _, y, _, height in reach), default=0)
    held = ink[:lowest]
    every = int(np.count_nonzero(held))
    stray = outside(held, [*reach, *_known(sheet, facts, ink)])
    share = int(np.count_nonzero(stray)) / every if every else 0.0
    if share <= ASTRAY_SHARE:
        return frozenset()
    if share >= LOST_SHARE:
        return frozenset(range(len(facts.text_runs)))
    return _near_stray(sheet, facts, held, stray)


def grown(bounds: Bounds, by: float) -> Bounds:
    x, y, width, height = bounds
    return (x - by, y - by, width + 2 * by, height + 2 * by)


def _known(sheet: Sheet, facts: Facts, ink: Bools) -> Iterator[Bounds]:
    """Where text shows of which the facts hold no run."""
    has_text: set[int] = set()
    for run in facts.text_runs:
        at: int | None = run.element
        while at is not None and at not in has_text:
            has_text.add(at)
            at = facts.elements[at].parent
    for index, element in enumerate(facts.elements):
        if element.tag in OWN_TEXT or ("-" in element.tag and index not in has_text):
            yield sheet.bounds(element.box)
    for image in facts.geometry.images:
        if image.natural.width == 0:
            yield sheet.bounds(facts.elements[image.element].box)
    yield from _markers(sheet, facts, ink)


def _markers(sheet: Sheet, facts: Facts, ink: Bools) -> Iterator[Bounds]:
    for line, font_px in _first_lines(facts):
        x, y, width, height = sheet.bounds(line)
        size = font_px * sheet.scale
        by = REACH_EM * size
        rows = ink[max(0, int(y - by)) : max(0, int(y + height + by) + 1)]
        if not _is_filled(rows, x, width, FILLED_EM * size):
            continue
        gap = max(1, int(GAP_EM * size))
        for left, edge in ((x - MARKER_EM * size, int(x) - gap), (x + width, int(np.ceil(x + width)))):
            if not rows[:, max(0, edge) : max(0, edge + gap)].any():
                yield (left, y - by, MARKER_EM * size, height + 2 * by)


def _first_lines(facts: Facts) -> Iterator[tuple[Rect, float]]:
    """Of each list item its first line, and the place of one at its own edge; with the size of the type."""
    firsts: dict[int, Rect] = {}
    for run in facts.text_runs:
        at: int | None = run.element if run.lines else None
        while at is not None:
            firsts.setdefault(at, run.lines[0])
            at = facts.elements[at].parent
    for index, element in enumerate(facts.elements):
        if element.style.display != "list-item":
            continue
        font_px, box = element.style.font_px, element.box
        first = firsts.get(index, Rect(box.x, box.y, box.width, 1.5 * font_px))
        yield first, font_px
        if first.x - box.x > 1:
            yield Rect(box.x, first.y, first.right - box.x, first.height), font_px


def _is_filled(rows: Bools, x: float, width: float, slack: float) -> bool:
    """The ink of a line begins and ends where its box does; a line without ink denies nothing."""
    columns = np.flatnonzero(rows[:, max(0, int(x)) : max(0, int(x + width) + 1)].any(axis=0))
    return columns.size == 0 or bool(columns[0] <= slack and columns[-1] >= width - slack)


def _near_stray(sheet: Sheet, facts: Facts, ink: Bools, stray: Bools) -> frozenset[int]:
    rows, columns = (-(-side // GRID_PX) for side in ink.shape)
    near = np.zeros((rows, columns), dtype=np.bool_)
    places: list[list[tuple[slice, slice]]] = []
    for run in facts.text_runs:
        by = NEAR_EM * run.font_px * sheet.scale
        places.append([_cells(grown(sheet.bounds(line), by)) for line in run.lines])
        for cells in places[-1]:
            near[cells] = True
    group = _joined(near)
    count = int(group.max(initial=0)) + 1
    total = np.bincount(group.ravel(), weights=_by_cell(ink, rows, columns).ravel(), minlength=count)
    lost = np.bincount(group.ravel(), weights=_by_cell(stray, rows, columns).ravel(), minlength=count)
    bad = lost > NEAR_SHARE * np.maximum(total, 1.0)
    bad[0] = False  # no text is near
    return frozenset(i for i, lines in enumerate(places) if any(bool(bad[group[cells]].any()) for cells in lines))


def _cells(bounds: Bounds) -> tuple[slice, slice]:
    x, y, width, height = bounds
    top, left = max(0, int(y) // GRID_PX), max(0, int(x) // GRID_PX)
    return (slice(top, max(top, int(y + height) // GRID_PX + 1)), slice(left, max(left, int(x + width) // GRID_PX + 1)))


def _by_cell(mask: Bools, rows: int, columns: int) -> npt.NDArray[np.float64]:
    """How many pixels are set in each cell of the grid."""
    whole = np.zeros((rows * GRID_PX, columns * GRID_PX), dtype=np.bool_)
    whole[: mask.shape[0], : mask.shape[1]] = mask
    parts = whole.reshape(rows, GRID_PX, columns, GRID_PX)
    return np.asarray(parts.sum(axis=(1, 3)), dtype=np.float64)


def _joined(near: Bools) -> Ints:
    """A number from 1 for each connected group of set cells; 0 elsewhere."""
    group = np.zeros(near.shape, dtype=np.int64)
    last = 0
    for row, column in zip(*np.nonzero(near), strict=True):
        if not group[row, column]:
            last += 1
            _fill(near, group, (int(row), int(column)), last)
    return group


def _fill(near: Bools, group: Ints, start: tuple[int, int], number: int) -> None:
    rows, columns = near.shape
    group[start] = number
    stack = [start]
    while stack:
        row, column = stack.pop()
        for at in ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)):
            if 0 <= at[0] < rows and 0 <= at[1] < columns and near[at] and not group[at]:
                group[at] = number
                stack.append(at)
