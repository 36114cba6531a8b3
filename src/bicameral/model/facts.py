"""The facts of one picture as values: what was measured in the live page when the picture was taken.

Answers for the shape of a `facts/1` document (docs/reference/facts.md), member by member, under the document's own
names. Declines to measure, to read files and to judge: a number here is never a verdict.

Boxes and sizes are CSS pixels from the top left corner of the full page. Colours are sRGB, 0 to 255, alpha 0 to 1.
Elements are named by their position in `Facts.elements`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Literal, NamedTuple

from bicameral.errors import EvidenceError
from bicameral.model._shape import Fault, reader
from bicameral.model.evidence import Box
from bicameral.model.vocabulary import Region

FACTS_VERSION: Final = "facts/1"
FAULTS_SHOWN: Final = 8

Pseudo = Literal["::before", "::after", "::placeholder", "value"]


class Rect(NamedTuple):
    """A rectangle in CSS pixels; width and height may be 0 and are never negative."""

    x: float
    y: float
    width: float
    height: float

    @property
    def right(self) -> float:
        return self.x + self.width

    @property
    def bottom(self) -> float:
        return self.y + self.height

    def to_box(self, scale: float = 1.0) -> Box:
        """The smallest whole-pixel box of the picture that holds this one; scale: picture pixels per CSS pixel."""
        left, top = math.floor(self.x * scale), math.floor(self.y * scale)
        right, bottom = math.ceil(self.right * scale), math.ceil(self.bottom * scale)
        return Box(x=left, y=top, width=max(0, right - left), height=max(0, bottom - top))


class Point(NamedTuple):
    """CSS pixels from the upper left corner of the picture."""

    x: float
    y: float


UPPER_LEFT: Final = Point(0.0, 0.0)


class Size(NamedTuple):
    width: float
    height: float


class Edges(NamedTuple):
    """Four sides in CSS's order. Margins may be negative."""

    top: float
    right: float
    bottom: float
    left: float


class Colour(NamedTuple):
    red: float
    green: float
    blue: float
    alpha: float


@dataclass(frozen=True, kw_only=True, slots=True)
class Tools:
    """What measured: versions of axe-core, of the browser and of the capture rules."""

    axe: str
    browser: str
    capture: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Page:
    """path: without host, port and query.  document: the scroll size.  settled: False where it never came to rest.

    window: where in the picture the window's upper left corner was. Not at 0, 0 on pages that scroll to the left.
    """

    path: str
    title: str
    lang: str | None
    form_factor: str
    scheme: str
    viewport: Size
    document: Size
    settled: bool
    tools: Tools
    window: Point = UPPER_LEFT


@dataclass(frozen=True, kw_only=True, slots=True)
class Style:
    """Computed style. opacity: the product along the ancestors.  line_height_px: None for `normal`."""

    display: str
    position: str
    color: Colour
    background: Colour
    background_image: bool
    font_px: float
    weight: float
    line_height_px: float | None
    overflow_x: str
    overflow_y: str
    opacity: float
    visibility: str
    text_overflow: str
    white_space: str
    border_radius_px: float
    border_px: Edges
    padding_px: Edges
    margin_px: Edges
    text_align: str
    z_index: str
    font_family: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Element:
    """One rendered element.

    role, name: computed for assistive technology, or None.  landmark: role and name of the nearest landmark.
    selector: position-free where possible, need not be unique.  path: unique.  parent: index of the nearest ancestor
    that is in the list, always smaller than the element's own.  attributes: a few, by name.
    """

    tag: str
    role: str | None
    name: str | None
    region: Region
    landmark: str | None
    selector: str
    path: str
    parent: int | None
    box: Rect
    interactive: bool
    disabled: bool
    hidden_from_at: bool
    style: Style
    heading_level: int | None
    attributes: Mapping[str, str]


@dataclass(frozen=True, kw_only=True, slots=True)
class TextRun:
    """One piece of rendered text of an element.

    lines: boxes of its line fragments, clipped to what overflow lets through; may be empty where all is clipped.
    large: WCAG's large text.  opacity: the product along the ancestors.  shadow: a text shadow is drawn.
    clipped_fraction: 0 to 1 of its area hidden by an ancestor's overflow.
    """

    element: int
    pseudo: Pseudo | None
    text: str
    lines: tuple[Rect, ...]
    color: Colour
    font_px: float
    weight: float
    large: bool
    opacity: float
    shadow: bool
    background_clip_text: bool
    disabled: bool
    hidden_from_at: bool
    clipped_fraction: float


@dataclass(frozen=True, kw_only=True, slots=True)
class AxeNode:
    """element: None where axe named one that is not in the list (inside a frame, or not rendered).

    box: of what is inside a frame of the page's own origin, cut to the frame.

    data: of the check that failed, as axe gave it (colours, ratio, sizes), or None.
    """

    element: int | None
    target: str
    box: Rect | None
    message: str
    data: Mapping[str, object] | None


@dataclass(frozen=True, kw_only=True, slots=True)
class AxeResult:
    """nodes_total: of how many `nodes` holds the first; None in documents of captures that did not count them."""

    rule: str
    impact: str | None
    tags: tuple[str, ...]
    help: str
    nodes: tuple[AxeNode, ...]
    nodes_total: int | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class ContrastPass:
    """A text that axe measured and found readable; ratio from 1 to 21."""

    element: int | None
    ratio: float


@dataclass(frozen=True, kw_only=True, slots=True)
class Axe:
    """error: why axe-core gave no results, or None where it did."""

    version: str
    violations: tuple[AxeResult, ...]
    incomplete: tuple[AxeResult, ...]
    contrast_passes: tuple[ContrastPass, ...]
    error: str | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Overflowing:
    """An element that sticks out of the page sideways, by so many pixels past each edge (0 where it does not)."""

    element: int
    past_left_px: float = 0.0
    past_right_px: float = 0.0


@dataclass(frozen=True, kw_only=True, slots=True)
class Scroller:
    """An element that scrolls or hides overflow: the size of what it holds and of what it shows."""

    element: int
    scroll: Size
    client: Size


@dataclass(frozen=True, kw_only=True, slots=True)
class Covered:
    """An interactive element whose centre belongs to another element; by is None where that one is not in the list."""

    element: int
    by: int | None


@dataclass(frozen=True, kw_only=True, slots=True)
class Image:
    """natural: the size of the file's picture, 0 by 0 where none was decoded.  complete: loading has ended.

    address: what it shows, as in FailedRequest; the scheme alone for `data:` and the like, None where it names nothing.
    """

    element: int
    natural: Size
    complete: bool
    address: str | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class FocusStop:
    """A focusable element and the computed properties that change when it receives visible focus, sorted."""

    element: int
    changes: tuple[str, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Animation:
    """An endless animation that still runs while reduced motion is asked for; duration of one round.

    properties: what its key frames change, by the names scripts use (`backgroundColor`), sorted.
    """

    element: int | None
    duration_ms: float
    properties: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class Geometry:
    """blank_canvases: those of `canvases` that can be read and hold not one drawn pixel."""

    scroll_width_px: float
    client_width_px: float
    overflowing: tuple[Overflowing, ...] = ()
    scrollers: tuple[Scroller, ...] = ()
    covered: tuple[Covered, ...] = ()
    images: tuple[Image, ...] = ()
    focus: tuple[FocusStop, ...] = ()
    animations: tuple[Animation, ...] = ()
    canvases: tuple[int, ...] = ()
    blank_canvases: tuple[int, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class ConsoleEntry:
    level: str
    text: str
    source: str | None


@dataclass(frozen=True, kw_only=True, slots=True)
class FailedRequest:
    """address: relative for the page's own origin, else the bare origin.  status: None where nothing answered."""

    address: str
    kind: str
    status: int | None
    error: str | None


@dataclass(frozen=True, kw_only=True, slots=True)
class Facts:
    """companion: digest of the second picture, taken with the text made transparent, or None."""

    facts_version: Literal["facts/1"]
    page: Page
    companion: str | None
    elements: tuple[Element, ...]
    text_runs: tuple[TextRun, ...]
    axe: Axe
    geometry: Geometry
    console: tuple[ConsoleEntry, ...] = ()
    failed_requests: tuple[FailedRequest, ...] = ()
    aria: str = field(default="")


_read_facts = reader(Facts)


def parse_facts(value: object) -> Facts:
    """Read a facts document from plain JSON values.

    Members that this version does not know are passed over. Raises EvidenceError that lists the first faults, each
    with its path, for a missing member, a wrong type, a number that is not finite, or an index that names no element.
    """
    faults: list[Fault] = []
    facts = _read_facts(value, faults)
    if not faults:
        faults.extend(_dangling(facts))
    if faults:
        shown = "; ".join(str(fault) for fault in faults[:FAULTS_SHOWN])
        more = f" (and {len(faults) - FAULTS_SHOWN} more)" if len(faults) > FAULTS_SHOWN else ""
        raise EvidenceError(
            f"This is not a {FACTS_VERSION} document: {shown}{more}.", mend="Capture the page again with this version."
        )
    return facts


def _dangling(facts: Facts) -> list[Fault]:
    """Indexes that name no element, and parents that do not come before their children."""
    count = len(facts.elements)
    named: list[tuple[str, int | None, int]] = [
        (f"elements[{i}].parent", element.parent, i) for i, element in enumerate(facts.elements)
    ]
    named += [(f"text_runs[{i}].element", run.element, count) for i, run in enumerate(facts.text_runs)]
    for group, results in (("violations", facts.axe.violations), ("incomplete", facts.axe.incomplete)):
        for i, result in enumerate(results):
            named += [(f"axe.{group}[{i}].nodes[{j}]", node.element, count) for j, node in enumerate(result.nodes)]
    named += [(f"axe.contrast_passes[{i}]", row.element, count) for i, row in enumerate(facts.axe.contrast_passes)]
    geometry = facts.geometry
    for group in ("overflowing", "scrollers", "covered", "images", "focus", "animations"):
        named += [(f"geometry.{group}[{i}]", row.element, count) for i, row in enumerate(getattr(geometry, group))]
    named += [(f"geometry.covered[{i}].by", row.by, count) for i, row in enumerate(geometry.covered)]
    for group in ("canvases", "blank_canvases"):
        named += [(f"geometry.{group}[{i}]", index, count) for i, index in enumerate(getattr(geometry, group))]
    return [
        Fault(path=path, expected=f"an element before {bound}", found=str(index))
        for path, index, bound in named
        if index is not None and not 0 <= index < bound
    ]
