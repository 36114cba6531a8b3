"""Places that should show something and show nothing.

A page without a word, a picture or a control; a main part that is tall and empty; a canvas in the flow that nobody drew
on. Silent where something is there that cannot be looked into (frames, videos, embedded objects, custom elements), for
canvases that lie over the page (they are effects), and for small ones.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from bicameral.judges.instruments import wording
from bicameral.judges.instruments.instrument import Measured
from bicameral.judges.instruments.layout.filing import Rule
from bicameral.judges.instruments.layout.tree import Tree
from bicameral.judges.instruments.locate import intersection

LEAST_WIDTH_PX: Final = 100.0
LEAST_HEIGHT_PX: Final = 60.0
EMPTY_MAIN_PX: Final = 200.0
SHOWING: Final = frozenset(
    {
        "img",
        "svg",
        "picture",
        "video",
        "audio",
        "canvas",
        "iframe",
        "frame",
        "object",
        "embed",
        "input",
        "select",
        "textarea",
        "button",
        "meter",
        "progress",
        "hr",
        "math",
    }
)

SAID: Final = re.compile(r'"[^"]|: \S')
"""A name or a text in the ARIA snapshot: the page says something, whether or not its text was measured."""

CANVAS_RULE: Final = Rule(
    name="blank-canvas",
    category="render",
    severity="high",
    confidence="medium",
    title="Drawing left blank",
    problem="A canvas that takes up room on the page holds not one drawn pixel: its chart or drawing is missing.",
    expected="The canvas shows what it was made for.",
    acceptance="The canvas holds drawn pixels.",
)
EMPTY_RULE: Final = Rule(
    name="empty-page",
    category="render",
    severity="critical",
    title="Nothing is shown",
    problem="The page has rendered, and there is neither text nor a picture nor a control on it.",
    expected="The page shows its content.",
    acceptance="The page shows text, a picture or a control.",
)
MAIN_RULE: Final = Rule(
    name="empty-main",
    category="render",
    severity="high",
    confidence="medium",
    title="Main part is empty",
    problem="The main part of the page takes up room and shows nothing.",
    expected="The main part shows the page's content.",
    acceptance="The main part shows text, a picture or a control.",
)


def blank_canvas(tree: Tree) -> Iterator[Measured]:
    for index in tree.facts.geometry.blank_canvases:
        element = tree.elements[index]
        box = element.box
        laid_over = any(tree.elements[at].style.position in ("absolute", "fixed") for at in tree.upward(index))
        if box.width < LEAST_WIDTH_PX or box.height < LEAST_HEIGHT_PX or not tree.is_seen(index):
            continue
        if laid_over and not _is_framed(tree, index):
            continue
        if any(intersection(line, box) > 0 for run in tree.read_runs for line in run.lines):
            continue
        yield CANVAS_RULE.file(tree, index, f"is {wording.number(box.width)} by {wording.px(box.height)} and blank.")


def empty_page(tree: Tree) -> Iterator[Measured]:
    if tree.read_runs or not tree.elements or SAID.search(tree.facts.aria):
        return
    if any(_shows(tree, index) for index in range(len(tree.elements)) if tree.is_seen(index)):
        return
    width, height = tree.facts.page.document
    yield EMPTY_RULE.file_page(
        "page", f"The page is {wording.number(width)} by {wording.px(height)} and shows nothing."
    )


def empty_main(tree: Tree) -> Iterator[Measured]:
    if not tree.read_runs:
        return  # empty_page says it
    for index, element in enumerate(tree.elements):
        if element.role != "main" or element.box.height < EMPTY_MAIN_PX or not tree.is_seen(index):
            continue
        inside = [index, *tree.descendants(index)]
        if any(_shows(tree, at) for at in inside) or tree.lines_below(index):
            continue
        size = f"{wording.number(element.box.width)} by {wording.px(element.box.height)}"
        yield MAIN_RULE.file(tree, index, f"is {size} and shows nothing.")


def _shows(tree: Tree, index: int) -> bool:
    """Whether the element may show something without text: by its tag, its paint, or as a custom element."""
    element = tree.elements[index]
    own = element.tag not in ("html", "body", "main") and tree.is_painted(index)
    return element.tag in SHOWING or "-" in element.tag or element.style.background_image or own


def _is_framed(tree: Tree, index: int) -> bool:
    """Whether a canvas that is taken out of the flow fills a box of the flow that was kept for it, as charts do."""
    element = tree.elements[index]
    parent = element.parent
    if parent is None or element.style.position == "fixed":
        return False
    holder = tree.elements[parent]
    in_flow = all(tree.elements[at].style.position in ("static", "relative") for at in tree.upward(parent))
    alone = not any(at != index for at in tree.children.get(parent, ()))
    return in_flow and alone and holder.tag not in ("body", "html") and abs(holder.box.height - element.box.height) < 40
