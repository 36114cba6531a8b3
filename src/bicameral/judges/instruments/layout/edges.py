"""What is cut where the page ends, and no scrolling gets to it.

Rules, in order:

1. Content of the page's flow that crosses the right edge of a window which does not scroll sideways.
2. A text that does, out of a block that ends inside the window: a word too long, or one that may not wrap.
3. A control placed across the left edge, where no page that reads left to right scrolls, or across the right edge of a
   window that does not scroll; it counts where letters of it are lost.

Silent for what an ancestor cuts or scrolls, what moves, what several siblings or a whole container do (slides, menus
that wait off the canvas), text hidden from assistive technology (ornament), and links that jump within the page.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from bicameral.judges.instruments import wording
from bicameral.judges.instruments.instrument import Measured
from bicameral.judges.instruments.layout.filing import Rule
from bicameral.judges.instruments.layout.tree import Tree
from bicameral.model.facts import TextRun

PAST_WINDOW_PX: Final = 8.0
LEAST_LETTERS: Final = 3
LEAST_CUT: Final = 0.02
"""Share of a text: less is the edge of one letter."""
AT_EDGE_PX: Final = 1.0
LEAST_SEEN_PX: Final = 8.0
"""A control that shows less than this waits off the canvas."""
RIGHT_TO_LEFT: Final = frozenset({"ar", "he", "iw", "fa", "ur", "ps", "yi", "ug", "dv", "sd", "ckb"})

RULE: Final = Rule(
    name="cut-at-edge",
    category="responsive",
    severity="high",
    title="Content cut off at the edge of the window",
    problem="The content is wider than the window, and the page does not scroll there, so its end cannot be read.",
    expected="Content wraps or shrinks to the width of the window.",
    acceptance="The element ends inside the window.",
)
CONTROL_RULE: Final = Rule(
    name="cut-at-edge",
    category="responsive",
    severity="high",
    title="Control cut off at the edge of the page",
    problem="A part of the control lies outside the page, where no scrolling gets to, so its words cannot be read.",
    expected="Every control lies inside the page.",
    acceptance="The control's box lies inside the page.",
)


def cut_at_edge(tree: Tree) -> Iterator[Measured]:
    filed: list[int] = []
    if not tree.page_scrolls_sideways:
        for index, row in (*_boxes(tree), *_texts(tree)):
            if not any(up in filed for up in tree.upward(index)):
                filed.append(index)
                yield row
    for index, side, past in _controls(tree):
        if not any(up in filed for up in tree.upward(index)):
            words = f"reaches {wording.px(past)} past the {side} edge of the page, where nothing scrolls."
            yield CONTROL_RULE.file(tree, index, words)


def _boxes(tree: Tree) -> Iterator[tuple[int, Measured]]:
    edge = tree.facts.geometry.client_width_px
    past = {row.element: row.past_right_px for row in tree.facts.geometry.overflowing}
    crossing = [
        index
        for index, beyond in past.items()
        if beyond >= PAST_WINDOW_PX and tree.elements[index].box.x < edge and _in_flow(tree, index)
    ]
    for index in crossing:
        if any(up in crossing for up in tree.ancestors(index)) or index in tree.moving or not tree.is_seen(index):
            continue
        if any(line.right > edge + PAST_WINDOW_PX / 2 for line in tree.lines_below(index)):
            yield index, RULE.file(tree, index, _reaches(tree, past[index]))


def _texts(tree: Tree) -> Iterator[tuple[int, Measured]]:
    """One a block: the text of it that reaches farthest."""
    edge = tree.facts.geometry.client_width_px
    worst: dict[int, tuple[float, TextRun]] = {}
    for run in tree.read_runs:
        crossing = [
            line for line in run.lines if line.x < edge - PAST_WINDOW_PX and line.right >= edge + PAST_WINDOW_PX
        ]
        block = tree.block_of(run.element)
        if not crossing or run.pseudo is not None or run.hidden_from_at or _letters(run) < LEAST_LETTERS:
            continue
        if block in tree.moving or tree.elements[block].box.right > edge + AT_EDGE_PX or _is_held(tree, run.element):
            continue
        past = max(line.right for line in crossing) - edge
        if _in_flow(tree, run.element) and past > worst.get(block, (0.0, run))[0]:
            worst[block] = (past, run)
    for block, (past, run) in worst.items():
        words = f"holds {wording.quote(run.text, 40)}, which {_reaches(tree, past)}"
        yield block, RULE.file(tree, block, words)


def _controls(tree: Tree) -> Iterator[tuple[int, str, float]]:
    """Element, `left` or `right`, and by how much."""
    leftward = (tree.facts.page.lang or "").split("-")[0].lower() not in RIGHT_TO_LEFT
    rows = {row.element: row for row in tree.facts.geometry.overflowing}
    for index, row in rows.items():
        element = tree.elements[index]
        if not element.interactive or not tree.is_seen(index) or index in tree.moving or element.hidden_from_at:
            continue
        if element.attributes.get("href", "").startswith("#") or any(up in rows for up in tree.ancestors(index)):
            continue
        alike = [at for at in tree.children.get(element.parent or 0, ()) if at != index and at in rows]
        if alike or _is_held(tree, index):
            continue
        edge = tree.facts.geometry.client_width_px
        if leftward and row.past_left_px >= PAST_WINDOW_PX and element.box.right >= LEAST_SEEN_PX:
            if any(_is_cut(run, 0.0) for run in tree.runs_below(index)):
                yield index, "left", row.past_left_px
        elif not tree.page_scrolls_sideways and row.past_right_px >= PAST_WINDOW_PX:
            shown = edge - element.box.x >= LEAST_SEEN_PX
            if shown and any(_is_cut(run, edge) or _crosses(run, edge) for run in tree.runs_below(index)):
                yield index, "right", row.past_right_px


def _is_cut(run: TextRun, edge: float) -> bool:
    """Whether a part of the text is lost at the edge of the page, where the facts cut its lines."""
    ends = (line.x if edge == 0 else line.right for line in run.lines)
    return (
        run.clipped_fraction >= LEAST_CUT and _letters(run) > 0 and any(abs(end - edge) <= AT_EDGE_PX for end in ends)
    )


def _crosses(run: TextRun, edge: float) -> bool:
    return any(line.x < edge and line.right > edge + PAST_WINDOW_PX / 2 for line in run.lines)


def _letters(run: TextRun) -> int:
    return sum(character.isalnum() for character in run.text)


def _reaches(tree: Tree, past: float) -> str:
    edge = tree.facts.geometry.client_width_px
    return f"reaches {wording.px(past)} past the edge of the window ({wording.px(edge)}), where it is cut."


def _in_flow(tree: Tree, index: int) -> bool:
    """Not taken out of the flow by itself or an ancestor: off-canvas menus and decorations are."""
    return all(tree.elements[at].style.position in ("static", "relative") for at in tree.upward(index))


def _is_held(tree: Tree, index: int) -> bool:
    """Whether the element or what holds it, below the body, cuts or scrolls sideways."""
    held = (tree.elements[at] for at in tree.upward(index) if tree.elements[at].tag not in ("html", "body"))
    return any(element.style.overflow_x != "visible" for element in held)
