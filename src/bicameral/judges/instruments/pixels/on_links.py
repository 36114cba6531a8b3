"""The picture's word on links that are said to be marked by colour alone.

Rules, in order:
1. The link's text is held against the text around it: the text of the nearest element above it that has any.
2. Dispute where a line runs below the link's letters, or where the two colours are measurably 3:1 or more apart.
3. Agree where neither is so, and both colours are known for certain (WCAG 2.2, technique G183).
4. Otherwise cannot-tell: a weight, a slant or an icon may mark the link as well.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from bicameral.imaging.contrast import ratio
from bicameral.imaging.ink import INK_LEVELS, RULE_ROW
from bicameral.judges.instruments import wording
from bicameral.judges.instruments.instrument import Answer
from bicameral.judges.instruments.pixels.sheet import Sheet, cut
from bicameral.judges.instruments.pixels.texts import Text
from bicameral.model.facts import Colour, Facts

WANTED_APART: Final = 3.0
MARGIN: Final = 0.05
"""Two colours, each within a level of what was read."""
UNDERLINE_FROM: Final = 0.6
"""Of a line's height from its top: lower, a full row of ink is an underline and no bar of a letter."""


def on_link(sheet: Sheet, texts: Sequence[Text], about: Sequence[Text], who: str) -> Answer:
    """texts: all of the sheet.  about: those of the link.  who: the link in words, to begin a sentence with."""
    links = [text for text in about if text.reading.state == "measured" and text.reading.exact]
    around = next((other for link in links[:1] if (other := _around(sheet.facts, texts, link)) is not None), None)
    if not links or around is None:
        return Answer(
            verdict="cannot-tell", note="The colours of the link and of the text around it are not both known."
        )
    link = links[0]
    x, y = link.reading.median_at
    if _is_underlined(sheet, link):
        unlike = f"{who} is not marked by its colour alone."
        return Answer(verdict="dispute", note=f"{unlike} A line runs below its letters at {x},{y}.")
    apart = float(ratio(link.reading.colour, around.reading.colour))
    mine, theirs = (wording.colour(Colour(*text.reading.colour, 1.0)) for text in (link, around))
    apart_by = f"{wording.ratio(apart, WANTED_APART)} apart, without a line below"
    said = f"{mine} of the link at {x},{y} and {theirs} around it are {apart_by}"
    if apart - MARGIN >= WANTED_APART:
        return Answer(verdict="dispute", note=f"{said}, {wording.against(apart, WANTED_APART)}.")
    alike = link.run.weight == around.run.weight and link.run.font_px == around.run.font_px
    if apart + MARGIN <= WANTED_APART and alike:
        return Answer(verdict="agree", note=f"{said}, {wording.against(apart, WANTED_APART)}.")
    return Answer(verdict="cannot-tell", note=f"{said}; {wording.ratio(WANTED_APART)} is needed.")


def _around(facts: Facts | None, texts: Sequence[Text], link: Text) -> Text | None:
    """A measured text of the nearest element above the link that has text of its own."""
    if facts is None:
        return None
    at = facts.elements[link.run.element].parent
    while at is not None:
        own = [text for text in texts if text.run.element == at and text.run.pseudo is None]
        if own:
            return next((text for text in own if text.reading.state == "measured" and text.reading.exact), None)
        at = facts.elements[at].parent
    return None


def _is_underlined(sheet: Sheet, link: Text) -> bool:
    """A row in the lower part of one of its lines that is inked from end to end, but for gaps at descenders."""
    if sheet.companion is None:
        return False
    for line in link.run.lines:
        bounds = sheet.bounds(line)
        step = cut(sheet.picture, bounds).astype(np.int16) - cut(sheet.companion, bounds)
        if step.size == 0:
            continue
        inked = np.abs(step).max(axis=-1) > INK_LEVELS
        if (inked[int(UNDERLINE_FROM * inked.shape[0]) :].mean(axis=1) >= RULE_ROW).any():
            return True
    return False
