"""One of several siblings stands a few pixels off the edge that the others share.

Silent where the text of the odd one lines up all the same (a border or padding makes up for the shift), where it is
wider by as much on either side (it is centred), where the siblings differ in size across the shared edge, and where the
odd one shows nothing of its own. A shift of more than MOST_PX is an indent, less than LEAST_PX is rounding.

Fields are also compared across the rows of a form, where each row holds one: there the text in front of them proves
nothing, and a field that is narrower by as much on either side is centred.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from bicameral.judges.instruments import wording
from bicameral.judges.instruments.instrument import Measured
from bicameral.judges.instruments.layout.filing import Rule
from bicameral.judges.instruments.layout.siblings import LEAST, SAME_PX, Series, odd_one, series
from bicameral.judges.instruments.layout.tree import Tree, united

LEAST_PX: Final = 2.0
MOST_PX: Final = 10.0

NOT_FIELDS: Final = frozenset({"checkbox", "radio", "hidden", "submit", "reset", "button", "image", "range", "color"})

RULE: Final = Rule(
    name="off-edge",
    category="alignment",
    severity="low",
    confidence="medium",
    title="Element out of line",
    problem="One of several like elements is not in line with the others.",
    expected="Like elements share an edge.",
    acceptance="The element's edge is where its siblings' edges are.",
)


def off_edge(tree: Tree) -> Iterator[Measured]:
    for group in series(tree):
        found = _left(tree, group) if group.axis == "column" else _top(tree, group)
        if found is not None:
            yield found


def off_column(tree: Tree) -> Iterator[Measured]:
    """A field that is not in line with those of the rows above and below it."""
    for group in series(tree):
        fields = [_only_field(tree, index) for index in group.members] if group.axis == "column" else []
        row = [index for index in fields if index is not None]
        if len(row) < LEAST or len(row) != len(fields) or set(row) == set(group.members):
            continue
        boxes = [tree.elements[index].box for index in row]
        odd = odd_one([box.x for box in boxes], beyond=MOST_PX)
        if odd is None:
            continue
        position, usual = odd
        shift = boxes[position].x - usual
        usual_right = sorted(box.right for box in boxes)[len(boxes) // 2]
        centred = abs((boxes[position].right - usual_right) + shift) <= SAME_PX
        if LEAST_PX <= abs(shift) <= MOST_PX and not centred:
            way = "right" if shift > 0 else "left"
            words = f"stands {wording.px(abs(shift))} to the {way} of the left edge that the other rows' fields share."
            yield RULE.file(tree, row[position], words)


def _only_field(tree: Tree, index: int) -> int | None:
    """The one text field or list that a row holds, or None for none or several."""
    inside = (index, *tree.descendants(index))
    fields = [at for at in inside if _is_field(tree, at) and tree.is_seen(at)]
    return fields[0] if len(fields) == 1 else None


def _is_field(tree: Tree, index: int) -> bool:
    element = tree.elements[index]
    if element.tag == "input":
        return element.attributes.get("type", "text") not in NOT_FIELDS
    return element.tag in ("select", "textarea")


def _left(tree: Tree, group: Series) -> Measured | None:
    boxes = [tree.elements[index].box for index in group.members]
    odd = odd_one([box.x for box in boxes], beyond=MOST_PX)
    if odd is None:
        return None
    position, usual = odd
    shift = boxes[position].x - usual
    usual_right = sorted(box.right for box in boxes)[len(boxes) // 2]
    centred = abs((boxes[position].right - usual_right) + shift) <= SAME_PX and abs(shift) > SAME_PX
    if not LEAST_PX <= abs(shift) <= MOST_PX or (centred and _is_wider(tree, group, position)):
        return None
    starts = [_text_start(tree, index, sideways=True) for index in group.members]
    if _lines_up(starts, position):
        return None
    return _file(tree, group, position, shift, "right" if shift > 0 else "left", "left")


def _top(tree: Tree, group: Series) -> Measured | None:
    boxes = [tree.elements[index].box for index in group.members]
    heights = [box.height for box in boxes]
    if max(heights) - min(heights) > 2 * SAME_PX:
        return None
    odd = odd_one([box.y for box in boxes], beyond=MOST_PX)
    if odd is None:
        return None
    position, usual = odd
    shift = boxes[position].y - usual
    if not LEAST_PX <= abs(shift) <= MOST_PX:
        return None
    if _lines_up([_text_start(tree, index, sideways=False) for index in group.members], position):
        return None
    return _file(tree, group, position, shift, "below" if shift > 0 else "above", "top")


def _file(tree: Tree, group: Series, position: int, shift: float, way: str, edge: str) -> Measured:
    side = f"{wording.px(abs(shift))} to the {way} of" if edge == "left" else f"{wording.px(abs(shift))} {way}"
    return RULE.file(tree, group.members[position], f"stands {side} the {edge} edge that its siblings share.")


def _is_wider(tree: Tree, group: Series, position: int) -> bool:
    widths = [tree.elements[index].box.width for index in group.members]
    return abs(widths[position] - sorted(widths)[len(widths) // 2]) > SAME_PX


def _text_start(tree: Tree, index: int, *, sideways: bool) -> float | None:
    """Where what the element shows begins: its text, else None."""
    lines = tree.lines_below(index)
    if not lines:
        return None
    whole = united(lines)
    return whole.x if sideways else whole.y


def _lines_up(starts: list[float | None], position: int) -> bool:
    """Whether the odd one's text starts where the others' texts do; one that shows no text is never in line by it."""
    own = starts[position]
    others = sorted(start for at, start in enumerate(starts) if at != position and start is not None)
    if own is None or not others:
        return False
    return abs(own - others[len(others) // 2]) <= 1.0
