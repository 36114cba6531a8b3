"""Text too small to read, and lines set so close that they touch.

Silent for drawings (their sizes are scaled), for sub- and superscripts, for a word or two of ornament, and for large
display lines, which are set tight by design.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from bicameral.judges.instruments import wording
from bicameral.judges.instruments.instrument import Measured
from bicameral.judges.instruments.layout.filing import Rule
from bicameral.judges.instruments.layout.tree import DRAWINGS, Tree, united
from bicameral.model.facts import TextRun

SMALLEST_PX: Final = 9.0
"""Below it x-heights fall under 5 px, where letters are no longer told apart on a screen of 96 dpi."""
LEAST_LETTERS: Final = 3
TIGHTEST_EM: Final = 0.95
TIGHTEST_DISPLAY_EM: Final = 0.75
"""From one baseline to the next. Ascenders meet descenders at about 0.95 em; display lines, all capitals or with few
descenders, stand closer by design."""
DISPLAY_PX: Final = 32.0
PASSED_OVER: Final = frozenset({"sub", "sup", "rt", "rp"}) | DRAWINGS

SMALL_RULE: Final = Rule(
    name="small-text",
    category="typography",
    severity="medium",
    title="Text too small",
    problem="The text is smaller than letters can be told apart at on a screen.",
    expected=f"Text is at least {SMALLEST_PX:.0f} px, and 12 px or more where it is to be read.",
    acceptance=f"The text is at least {SMALLEST_PX:.0f} px.",
)
TIGHT_RULE: Final = Rule(
    name="tight-lines",
    category="typography",
    severity="medium",
    title="Lines too close",
    problem="The lines of the text touch each other and are hard to tell apart.",
    expected="Lines of running text stand at least 1.2 times the text size apart.",
    acceptance="The distance from line to line is at least the text size.",
)


def small_text(tree: Tree) -> Iterator[Measured]:
    """One defect a block: what stands in its lines is as small as the block, and mended with it."""
    blocks: dict[int, list[TextRun]] = {}
    for run in tree.read_runs:
        letters = sum(character.isalnum() for character in run.text)
        if run.font_px >= SMALLEST_PX or letters < LEAST_LETTERS or run.pseudo in ("::before", "::after"):
            continue
        if not tree.within(run.element, PASSED_OVER) and not run.hidden_from_at:
            blocks.setdefault(tree.block_of(run.element), []).append(run)
    for block, runs in blocks.items():
        smallest = min(runs, key=lambda run: run.font_px)
        words = f"shows {wording.quote(smallest.text, 40)} in {wording.px(smallest.font_px)}."
        yield SMALL_RULE.file(tree, block, words, rect=united([line for run in runs for line in run.lines]))


def tight_lines(tree: Tree) -> Iterator[Measured]:
    for run in tree.read_runs:
        pitch = _pitch(run)
        if pitch is None or tree.within(run.element, PASSED_OVER):
            continue
        least = TIGHTEST_DISPLAY_EM if run.font_px >= DISPLAY_PX else TIGHTEST_EM
        if pitch < least * run.font_px - 0.25:
            words = f"sets lines of {wording.px(run.font_px)} text {wording.px(pitch)} apart."
            yield TIGHT_RULE.file(tree, run.element, words, rect=united(list(run.lines)))


def _pitch(run: TextRun) -> float | None:
    """The smallest distance from one line's middle to the next, or None for a single line or for columns."""
    if run.clipped_fraction > 0 or len(run.lines) < 2 or len(run.text) < 12:
        return None
    middles = sorted({round(line.y + line.height / 2, 1) for line in run.lines})
    steps = [after - before for before, after in pairwise(middles) if after - before > 1]
    left = min(line.x for line in run.lines)
    if not steps or any(line.x - left > 20 * run.font_px for line in run.lines):
        return None
    return min(steps)
