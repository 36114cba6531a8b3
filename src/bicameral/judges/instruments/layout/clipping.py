"""Text that is cut through: part of a line's glyphs is drawn and the rest is not, and cannot be reached.

Only partly drawn lines count. A text that is hidden whole, or cut between two lines, was hidden on purpose: folded
panels, slides, clamped teasers. Silent where the cut shows an ellipsis or can be scrolled, where the cut box is a track
of slides (what is cut sticks out as a box), where a fade or a control to unfold lies on the cut, and where it moves.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Final

from bicameral.judges.instruments import wording
from bicameral.judges.instruments.instrument import Measured
from bicameral.judges.instruments.layout.filing import Rule
from bicameral.judges.instruments.layout.tree import Tree, united
from bicameral.model.facts import Rect, TextRun

GLYPHS_EM: Final = 0.72
"""A line that shows less of its height than this, in ems, has lost a part of its letters: capitals are about 0.7 em
high, and a line-height of 1 with hidden overflow leaves 1 em."""
HANGS_EM: Final = 0.2
"""How far g, j, p, q and y hang below the baseline; they are cut where a tenth of an em of that is lost."""
LEAST_HANGING_EM: Final = 0.1
DESCENT_SHARE: Final = 0.216
"""Of a line's ascent and descent: the most that lies below the baseline (Arial 0.19, DejaVu 0.2, Noto 0.215)."""
HANGING: Final = frozenset("gjpqy")
LEAST_LEFT: Final = 0.15
"""Of an em: less is an edge that nobody takes for text."""
LEAST_LOST_PX: Final = 4.0
LEAST_FRACTION: Final = 0.02
MOST_FRACTION: Final = 0.97
AT_EDGE_PX: Final = 1.5
NEAR: Final = 200
SIBLINGS: Final = 3
"""A control that unfolds a box stands in it or right after it."""
NOT_CUT: Final = frozenset({"html", "body", "textarea", "select", "input", "option", "iframe", "marquee"})
"""The window, fields whose text is scrolled by its caret, and what moves by itself."""
CUTTING: Final = frozenset({"hidden", "clip"})
SCROLLING: Final = frozenset({"auto", "scroll", "overlay"})

RULE: Final = Rule(
    name="text-cut",
    category="clipping",
    severity="medium",
    title="Text cut off",
    problem="A part of the text is not drawn and cannot be scrolled to, so its end cannot be read.",
    expected="The text fits its box, or is shortened with an ellipsis, or can be scrolled.",
    acceptance="Every line of the text is drawn whole, or ends in an ellipsis.",
)


def text_cut(tree: Tree) -> Iterator[Measured]:
    filed: set[int] = set()
    opens: dict[int, bool] = {}
    for run in tree.read_runs:
        if not LEAST_FRACTION <= run.clipped_fraction <= MOST_FRACTION or run.pseudo is not None:
            continue
        box = _cutter(tree, run.element)
        if box is None or box in filed or run.element in tree.moving or _is_moved_out(tree, run.element, box):
            continue
        if box not in opens:
            opens[box] = _says_more(tree, box)
        if opens[box]:
            continue
        where = _cut_through(tree, run, box)
        if where is not None:
            filed.add(box)
            share = round(run.clipped_fraction * 100)
            words = f"shows {wording.quote(run.text, 40)} cut through at its {where}; {share} % of it is not drawn."
            yield RULE.file(tree, run.element, words, rect=united(list(run.lines)))


def _cutter(tree: Tree, index: int) -> int | None:
    """The nearest box that cuts overflow; None where one that scrolls, or shows an ellipsis, comes first."""
    for at in tree.upward(index):
        element = tree.elements[at]
        style = element.style
        if element.tag in NOT_CUT:
            return None
        if style.overflow_x in SCROLLING or style.overflow_y in SCROLLING:
            return None
        if style.overflow_x in CUTTING or style.overflow_y in CUTTING:
            clamped = "ellipsis" in style.text_overflow or "-webkit-box" in style.display
            return None if clamped else at
    return None


def _cut_through(tree: Tree, run: TextRun, box: int) -> str | None:
    """`lower edge`, `upper edge` or `right edge` where a line is cut through there, else None."""
    frame = tree.elements[box].box
    wider, taller = _excess(tree, box)
    least, most = LEAST_LEFT * run.font_px, GLYPHS_EM * run.font_px
    for line in run.lines:
        if taller >= LEAST_LOST_PX and line.width >= 1 and least <= line.height < most:
            if abs(line.bottom - frame.bottom) <= AT_EDGE_PX:
                return "lower edge"
            if abs(line.y - frame.y) <= AT_EDGE_PX:
                return "upper edge"
    if taller > 0 and _loses_descenders(tree, run, box):
        return "lower edge"
    block = _block_below(tree, run.element, box)
    if block is not None and tree.elements[block].box.right > frame.right + AT_EDGE_PX:
        return None  # the whole block sticks out: a slide or a track, not a text too long for its place
    inner = frame.right - tree.elements[box].style.border_px.right
    for line in run.lines:
        if wider >= LEAST_LOST_PX and abs(line.right - inner) <= AT_EDGE_PX and line.width >= run.font_px:
            return "right edge"
    return None


def _block_below(tree: Tree, text: int, box: int) -> int | None:
    """The nearest block around a text that is inside the box, or None where the text stands in the box itself."""
    for at in tree.upward(text):
        if at == box:
            return None
        if tree.elements[at].style.display not in ("inline", "contents"):
            return at
    return None


def _loses_descenders(tree: Tree, run: TextRun, box: int) -> bool:
    """Whether the lower edge cuts letters that hang below the line, on a line that shows all that stands on it."""
    last = max(run.lines, key=lambda line: line.bottom)
    frame = tree.elements[box].box
    if (
        last.height < GLYPHS_EM * run.font_px
        or abs(last.bottom - frame.bottom) > AT_EDGE_PX
        or not HANGING.intersection(run.text)
    ):
        return False
    if len(run.lines) > 1:
        whole = max(line.height for line in run.lines)
        below = whole - last.height
    else:
        whole = last.height / (1 - run.clipped_fraction)
        below = _cut_below(tree, run, box, whole)
    hidden = below - (DESCENT_SHARE * whole - HANGS_EM * run.font_px)
    return whole < 2 * run.font_px and hidden >= LEAST_HANGING_EM * run.font_px


def _cut_below(tree: Tree, run: TextRun, box: int, whole: float) -> float:
    """How much of a single line is below the box, where the box is the text's own; 0 where that is not known."""
    element = tree.elements[box]
    pitch = element.style.line_height_px
    if box != run.element or pitch is None or "flex" in element.style.display or "grid" in element.style.display:
        return 0.0
    top = element.box.y + element.style.border_px.top + element.style.padding_px.top
    return top + (pitch + whole) / 2 - element.box.bottom


def _excess(tree: Tree, box: int) -> tuple[float, float]:
    """By how much what a box holds is wider and taller than what it shows; 0 where geometry has no such box."""
    row = tree.scrollers.get(box)
    if row is None:
        return 0.0, 0.0
    return row.scroll.width - row.client.width, row.scroll.height - row.client.height


def _is_moved_out(tree: Tree, text: int, box: int) -> bool:
    """Whether the text, or what holds it below the box, was placed there and did not flow there."""
    for at in tree.upward(text):
        if at == box:
            return False
        if tree.elements[at].style.position in ("absolute", "fixed", "sticky"):
            return True
    return False


def _says_more(tree: Tree, box: int) -> bool:
    """Whether a fade over the cut or a control that unfolds says so, or the box is folded to nothing."""
    frame = tree.elements[box].box
    if frame.width <= 4 or frame.height <= 4:
        return True
    for at in _near(tree, box):
        element = tree.elements[at]
        if "aria-expanded" in element.attributes or element.tag == "summary":
            return True
        if element.style.background_image and element.style.position == "absolute" and _meets(element.box, frame):
            return True
    return False


def _near(tree: Tree, box: int) -> Iterator[int]:
    """What is in the box, and the siblings that follow it with what is in them; at most NEAR elements."""
    parent = tree.elements[box].parent
    after = () if parent is None else (at for at in tree.children[parent] if at > box)
    yield from islice(tree.descendants(box), NEAR)
    for sibling in islice(after, SIBLINGS):
        yield sibling
        yield from islice(tree.descendants(sibling), NEAR)


def _meets(a: Rect, b: Rect) -> bool:
    return a.x < b.right and b.x < a.right and a.y < b.bottom + AT_EDGE_PX and b.y < a.bottom + AT_EDGE_PX
