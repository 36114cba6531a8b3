"""The picture's word on findings about one part of a page: an image, a blank area, the size of its letters.

Rules, in order:
1. `broken-image`: agree where the facts say that nothing was decoded and the picture shows nothing else: a box that is
   mostly one colour, or no larger than the browser's own mark. Dispute where something was decoded, and the picture
   shows many colours there.
2. `render`: agree where the part (or the page) is one flat colour; dispute a rule that calls it blank
   (BLANK_RULES) where it is not. Other faults of rendering are cannot-tell.
3. `typography`, of a rule on small text: the height of the letters in the picture. Other rules are cannot-tell.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from bicameral.imaging.flat import flat
from bicameral.imaging.ink import INK_LEVELS
from bicameral.judges.instruments import wording
from bicameral.judges.instruments.instrument import Answer
from bicameral.judges.instruments.locate import elements_of, rect_of, subject_of
from bicameral.judges.instruments.pixels.blank import BARE_SHARE, inner, is_blank, is_undecoded
from bicameral.judges.instruments.pixels.on_text import texts_of
from bicameral.judges.instruments.pixels.sheet import Sheet, cut
from bicameral.judges.instruments.pixels.texts import Text
from bicameral.model.facts import Rect
from bicameral.model.findings import Finding

FLAT_SHARE: Final = 0.995
PAGE_RULE: Final = "empty-page"
BLANK_RULES: Final = ("blank-", PAGE_RULE)
LEAST_SHOWN: Final = 100
"""Pixels of another colour from which a part is certainly not blank: a word of small type has more."""
PICTURE_SHARE: Final = 0.3
"""A photograph's commonest colour covers less than this; a box with alt text has far more of one."""
MARK_PX: Final = 24.0
"""The browser's mark of a missing picture is 16 px wide and high; with its frame a box of one is no larger."""
ALT_SHARE: Final = 0.3
"""What alt text and the mark leave of one colour in a box that is as large as they need."""
SMALL_RULES: Final = ("small", "tiny", "size")
SMALL_PX: Final = 10.0
READABLE_PX: Final = 12.0


def on_broken_image(sheet: Sheet, texts: Sequence[Text], finding: Finding) -> Answer:
    rect, undecoded = _image(sheet, finding)
    if rect is None:
        return Answer(verdict="cannot-tell", note="The finding points at no place in this picture.")
    rect = sheet.shown(rect)
    part = sheet.part(rect)
    if part.size == 0:
        return Answer(verdict="cannot-tell", note="The image lies outside the picture.")
    found = flat(part)
    share = f"{round(100 * found.share)} % of the box {wording.place(rect)} is one colour"
    nothing = "its file was not decoded"
    if undecoded and max(rect.width, rect.height) <= MARK_PX:
        size = f"{wording.number(rect.width)} by {wording.px(rect.height)} {wording.place(rect)}"
        room = f"The box, {size}, has room for the browser's mark alone"
        return Answer(verdict="agree", note=f"{room}, and {nothing}.")
    if undecoded and found.share >= (BARE_SHARE if rect.height > 2 * MARK_PX else ALT_SHARE):
        return Answer(verdict="agree", note=f"{share}, and {nothing}.")
    if undecoded:
        return Answer(
            verdict="cannot-tell", note=f"Although {nothing}, the box {wording.place(rect)} is of many colours."
        )
    if found.share <= PICTURE_SHARE:
        return Answer(
            verdict="dispute", note=f"{subject_of(sheet.look, finding, 'The box')} shows a picture. Only {share}."
        )
    return Answer(verdict="cannot-tell", note=f"{share}, which a picture may be.")


def _image(sheet: Sheet, finding: Finding) -> tuple[Rect | None, bool]:
    """The box of the image, and whether the facts say that nothing was decoded for it."""
    facts = sheet.facts
    elements = frozenset(elements_of(sheet.look, finding))
    if facts is not None:
        for image in facts.geometry.images:
            if image.element in elements:
                return inner(facts, image.element), is_undecoded(image)
    return rect_of(sheet.look, finding), False


def on_render(sheet: Sheet, texts: Sequence[Text], finding: Finding) -> Answer:
    part, where = _part(sheet, finding)
    if part is None or part.size == 0:
        return Answer(verdict="cannot-tell", note="The part lies outside the picture.")
    found = flat(part)
    height, width = part.shape[:2]
    whole = part.shape == sheet.picture.shape
    said = f"{found.others} of {width} by {height} pixels {where} are not of the one colour"
    if is_blank(found) if whole else found.share >= FLAT_SHARE:
        one_colour = f"All of the {width} by {height} pixels {where} are of one colour."
        return Answer(verdict="agree", note=f"Only {said}." if found.others else one_colour)
    if finding.attribute.startswith(BLANK_RULES) and found.others >= LEAST_SHOWN:
        return Answer(
            verdict="dispute", note=f"{subject_of(sheet.look, finding, 'The part')} is not blank. In it, {said}."
        )
    return Answer(verdict="cannot-tell", note=f"It is not one flat colour: {said}.")


def _part(sheet: Sheet, finding: Finding) -> tuple[np.typing.NDArray[np.uint8] | None, str]:
    facts = sheet.facts
    if finding.attribute.startswith(PAGE_RULE):
        return sheet.picture, "of the page"
    elements = elements_of(sheet.look, finding)
    if facts is not None and elements:
        rect = sheet.shown(inner(facts, elements[0]))
        return sheet.part(rect), wording.place(rect)
    framed = rect_of(sheet.look, finding)
    if framed is not None:
        framed = sheet.shown(framed)
        return sheet.part(framed), wording.place(framed)
    return sheet.picture, "of the page"


def on_size(sheet: Sheet, texts: Sequence[Text], finding: Finding) -> Answer:
    if not any(word in finding.attribute.split("-")[:3] for word in SMALL_RULES) or sheet.companion_digest is None:
        return Answer(verdict="cannot-tell", note="Of type, only the height of its letters is measured.")
    sized = [(text, high) for text in texts_of(sheet, texts, finding) if (high := _letter_height(sheet, text)) > 0]
    if not sized:
        return Answer(verdict="cannot-tell", note="No ink of this text was found.")
    text, high = max(sized, key=lambda pair: pair[1])
    size = text.run.font_px
    said = f"The letters are {wording.px(high)} high {wording.place(text.run.lines[0])}, of type of {wording.px(size)}"
    fits = 0.45 * size <= high <= 1.25 * size
    if fits and size < SMALL_PX:
        return Answer(verdict="agree", note=f"{said}.")
    if fits and size >= READABLE_PX:
        who = subject_of(sheet.look, finding)
        return Answer(verdict="dispute", note=f"{who} is set in {wording.px(size)}. {said}.")
    return Answer(verdict="cannot-tell", note=f"{said}.")


def _letter_height(sheet: Sheet, text: Text) -> float:
    """From the top of the highest to the foot of the lowest ink of a run's first line, in CSS pixels; 0 without ink."""
    if sheet.companion is None or not text.run.lines:
        return 0.0
    bounds = sheet.bounds(text.run.lines[0])
    step = cut(sheet.picture, bounds).astype(np.int16) - cut(sheet.companion, bounds)
    rows = np.flatnonzero((np.abs(step).max(axis=-1) > INK_LEVELS).any(axis=-1))
    return float(rows[-1] - rows[0] + 1) / sheet.scale if rows.size else 0.0
