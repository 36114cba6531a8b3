"""A heading that is set larger than the heading of the section it belongs to.

The section's heading is the nearest one before it of a higher rank, in the same landmark and box. Silent in the shell
(names of sites are small headings there), for figures set large, and for differences below LEAST_RATIO.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from bicameral.judges.instruments import wording
from bicameral.judges.instruments.instrument import Measured
from bicameral.judges.instruments.layout.filing import Rule
from bicameral.judges.instruments.layout.tree import Tree

LEAST_RATIO: Final = 1.15
LEAST_PX: Final = 2.0
WRAPPERS: Final = 3
SECTIONS: Final = frozenset({"section", "article", "aside", "dialog", "nav", "form", "fieldset"})

RULE: Final = Rule(
    name="heading-larger",
    category="hierarchy",
    severity="medium",
    confidence="medium",
    title="Heading larger than its section's",
    problem="The sizes of the headings contradict their ranks, so readers take a part for the whole.",
    expected="A heading is no larger than the heading of the section that it belongs to.",
    acceptance="The heading's text size is at most that of its section's heading.",
)


def heading_larger(tree: Tree) -> Iterator[Measured]:
    above: list[tuple[int, int, float]] = []  # (rank, element, text size) of the open sections, outermost first
    for index, element in enumerate(tree.elements):
        rank = element.heading_level
        size = _size(tree, index) if rank is not None else None
        if rank is None or size is None:
            continue
        above = [one for one in above if one[0] < rank]
        if above:
            _, parent, parent_size = above[-1]
            if size >= parent_size * LEAST_RATIO and size >= parent_size + LEAST_PX and _belong(tree, index, parent):
                head = f"{wording.quote(tree.text_below(parent), 40)} in {wording.px(parent_size)}"
                words = f"(level {rank}) is set in {wording.px(size)}, its section's heading {head}."
                yield RULE.file(tree, index, words)
        above.append((rank, index, size))


def _size(tree: Tree, index: int) -> float | None:
    """The size of most of the heading's text a reader sees; None without words."""
    letters: dict[float, int] = {}
    for run in tree.runs_below(index):
        if run.pseudo is None:
            letters[run.font_px] = letters.get(run.font_px, 0) + sum(character.isalpha() for character in run.text)
    if sum(letters.values()) < 2:
        return None
    return max(letters, key=lambda size: letters[size])


def _belong(tree: Tree, index: int, parent: int) -> bool:
    """Both in the content and in one landmark, and the deeper one inside the box that the other one heads.

    A heading heads the box it stands in, or the next one out where it has a wrapper of its own; what follows in other
    boxes (the next card) is ranked under it by accident.
    """
    a, b = tree.elements[index], tree.elements[parent]
    if a.region != "content" or b.region != "content" or a.landmark != b.landmark:
        return False
    headed = [at for _, at in zip(range(WRAPPERS), tree.ancestors(parent), strict=False)]
    box = next((at for at in tree.ancestors(index) if at in headed), None)
    if box is None:
        return False
    between = (tree.elements[at].tag for at in tree.ancestors(parent) if at > box)
    return not any(tag in SECTIONS for tag in between)
