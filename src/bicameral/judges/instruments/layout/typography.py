"""Text too small to read, and lines set so close that they touch.

Each rule asks what its words ask. Of a paragraph more is asked than of a label: it is read, not only met. Silent for
drawings (their sizes are scaled), for sub- and superscripts, for a word or two of ornament, and for large display lines
until they touch, which are set tight by design.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from typing import Final

from bicameral.judges.instruments import wording
from bicameral.judges.instruments.instrument import Measured
from bicameral.judges.instruments.layout.filing import Rule
from bicameral.judges.instruments.layout.tree import CODE_TAGS, DRAWINGS, Tree, united
from bicameral.model.facts import TextRun

SMALLEST_PX: Final = 9.0
"""Below it x-heights fall under 5 px, where letters are no longer told apart on a screen of 96 dpi."""
SMALLEST_READ_PX: Final = 10.0
SENTENCE_LETTERS: Final = 40
"""So many letters are a sentence: it is read from end to end."""
LEAST_LETTERS: Final = 3
PARAGRAPH_EM: Final = 1.1
"""Below it the eye slips from the end of a long line to the wrong next one; WCAG 1.4.12 asks that 1.5 be possible."""
PARAGRAPH_LINES: Final = 3
PARAGRAPH_LETTERS: Final = 120
PARAGRAPH_PX: Final = 20.0
"""Larger text is display text; headings of any size are."""
HEADINGS: Final = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
SAME_SIZE: Final = 1.5
"""Lines this many times as high as the others are of another size: a drop cap beside them."""
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
    expected=f"Text is at least {SMALLEST_PX:.0f} px.",
    acceptance=f"The text is at least {SMALLEST_PX:.0f} px.",
)
SENTENCE_RULE: Final = replace(
    SMALL_RULE,
    expected=f"Text of a sentence or more is at least {SMALLEST_READ_PX:.0f} px.",
    acceptance=f"The text is at least {SMALLEST_READ_PX:.0f} px.",
)
TIGHT_RULE: Final = Rule(
    name="tight-lines",
    category="typography",
    severity="medium",
    title="Lines too close",
    problem="The lines of the text touch each other and are hard to tell apart.",
    expected=f"Lines stand at least {TIGHTEST_EM} times the text size apart.",
    acceptance=f"The distance from line to line is at least {TIGHTEST_EM} times the text size.",
)
DISPLAY_RULE: Final = replace(
    TIGHT_RULE,
    expected=f"Lines of large text stand at least {TIGHTEST_DISPLAY_EM} times its size apart.",
    acceptance=f"The distance from line to line is at least {TIGHTEST_DISPLAY_EM} times the text size.",
)
PARAGRAPH_RULE: Final = replace(
    TIGHT_RULE,
    severity="low",
    confidence="medium",
    problem="The lines of the paragraph stand so close that the eye slips from one into the next.",
    expected=f"Lines of a paragraph stand at least {PARAGRAPH_EM} times the text size apart.",
    acceptance=f"The distance from line to line is at least {PARAGRAPH_EM} times the text size.",
)


def small_text(tree: Tree) -> Iterator[Measured]:
    """One defect a block: what stands in its lines is as small as the block, and mended with it."""
    blocks: dict[int, list[TextRun]] = {}
    for run in tree.read_runs:
        letters = sum(character.isalnum() for character in run.text)
        least = SMALLEST_READ_PX if letters >= SENTENCE_LETTERS else SMALLEST_PX
        if run.font_px >= least or letters < LEAST_LETTERS or run.pseudo in ("::before", "::after"):
            continue
        if not tree.within(run.element, PASSED_OVER) and not run.hidden_from_at:
            blocks.setdefault(tree.block_of(run.element), []).append(run)
    for block, runs in blocks.items():
        smallest = min(runs, key=lambda run: run.font_px)
        words = f"shows {wording.quote(smallest.text, 40)} in {wording.px(smallest.font_px)}."
        rule = SMALL_RULE if smallest.font_px < SMALLEST_PX else SENTENCE_RULE
        yield rule.file(tree, block, words, rect=united([line for run in runs for line in run.lines]))


def tight_lines(tree: Tree) -> Iterator[Measured]:
    for run in tree.read_runs:
        pitch = _pitch(run)
        if pitch is None or tree.within(run.element, PASSED_OVER):
            continue
        large = run.font_px >= DISPLAY_PX
        rule, least = (DISPLAY_RULE, TIGHTEST_DISPLAY_EM) if large else (TIGHT_RULE, TIGHTEST_EM)
        if pitch >= least * run.font_px - 0.25 and _is_paragraph(tree, run):
            rule, least = PARAGRAPH_RULE, PARAGRAPH_EM
        if pitch < least * run.font_px - 0.25:
            words = f"sets lines of {wording.px(run.font_px)} text {wording.px(pitch)} apart."
            yield rule.file(tree, run.element, words, rect=united(list(run.lines)))


def _is_paragraph(tree: Tree, run: TextRun) -> bool:
    letters = sum(character.isalpha() for character in run.text)
    long = len(run.lines) >= PARAGRAPH_LINES and letters >= PARAGRAPH_LETTERS
    return long and run.font_px < PARAGRAPH_PX and not tree.within(run.element, HEADINGS | CODE_TAGS)


def _pitch(run: TextRun) -> float | None:
    """The smallest distance from one line's middle to the next, or None for a single line or for columns."""
    if run.clipped_fraction > 0 or len(run.lines) < 2 or len(run.text) < 12:
        return None
    usual = sorted(line.height for line in run.lines)[len(run.lines) // 2]
    alike = [line for line in run.lines if usual / SAME_SIZE <= line.height <= usual * SAME_SIZE]
    middles = sorted({round(line.y + line.height / 2, 1) for line in alike})
    steps = [after - before for before, after in pairwise(middles) if after - before > 1]
    left = min(line.x for line in run.lines)
    if not steps or any(line.x - left > 20 * run.font_px for line in run.lines):
        return None
    return min(steps)
