"""The picture's word on findings about where things lie: text over text, cut text, a page wider than its window.

Rules, in order:
1. `overlap`: lines of different texts are compared by the middle of their heights, where letters have their bodies.
   Agree where two cross, ink shows there, and each is drawn: it shows beside, above or below the other, or the crossing
   holds clearly more ink than the other has beside it. Dispute where no line of the finding's texts crosses any other.
   Ornament hidden from assistive technology that is faint (FAINT_RATIO) is in nobody's way.
2. `clipping`: agree where ink touches the edge at which a line is cut. Nothing else settles it: a cut between two lines
   leaves no mark, and an ellipsis is a mark of another kind.
3. `layout-overflow` of the page: agree where the picture is wider than the window and something shows beyond it; amend
   where it is wider and nothing shows there; dispute where picture and page are as wide as the window.
4. `layout-overflow` of an element: agree where letters show outside its box.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

import numpy as np

from bicameral.imaging.contrast import over, ratio
from bicameral.imaging.flat import flat
from bicameral.imaging.ink import INK_LEVELS, Bools
from bicameral.judges.instruments import wording
from bicameral.judges.instruments.instrument import Answer
from bicameral.judges.instruments.locate import elements_of, intersection, rect_of, subject_of
from bicameral.judges.instruments.pixels.on_text import texts_of
from bicameral.judges.instruments.pixels.sheet import Sheet, cut
from bicameral.judges.instruments.pixels.texts import Text, ancestors
from bicameral.model.facts import Facts, Rect
from bicameral.model.findings import Finding

BODY: Final = (0.25, 0.8)
LEAST_CROSSING_PX: Final = 2.0
LEAST_SHOWN: Final = 20
LEAST_INK: Final = 0.05
"""Of the pixels where two lines cross; letters cover 13 to 25 % of their box."""
BESIDE_PX: Final = 6.0
FAINT_RATIO: Final = 1.5
FULLER: Final = 0.6
FULLER_EM: Final = 6.0
"""Two texts leave less of a place free than one. Measured 2026-11-30 on 1335 single texts: of stretches of six ems, the
one with the least left free has at least 0.56 of what the rest of its line has, and 0.75 in 99 of 100."""
WIDER_PX: Final = 1.0
SPILL_PX: Final = 3.0
PAGE_RULE: Final = "sideways-scroll"


NO_COMPANION: Final = Answer(verdict="cannot-tell", note="No picture without text was taken to measure against.")


class _Crossing(NamedTuple):
    """rect: where the bodies cross.  lines: of `one` and of `other`, whole."""

    rect: Rect
    one: Text
    other: Text
    lines: tuple[Rect, Rect]


def on_overlap(sheet: Sheet, texts: Sequence[Text], finding: Finding) -> Answer:
    facts = sheet.facts
    if facts is None or sheet.companion is None:
        return NO_COMPANION
    about = _texts_below(sheet, facts, texts, finding)
    if not about:
        return Answer(verdict="cannot-tell", note="Only text over text is measured in a picture.")
    own = {text.index for text in about}
    others = [text for text in texts if text.index not in own and _is_drawn(text) and not _is_ornament(sheet, text)]
    crossings = [found for text in about for found in _crossings(text, others)]
    for found in crossings:
        if _hides(facts, found.one.run.element, found.other.run.element):
            return Answer(verdict="cannot-tell", note="One of the texts has a ground of its own that hides the other.")
        shown = _inked(sheet, found.rect) >= LEAST_INK
        if shown and _both_show(sheet, found, texts):
            size = f"{wording.number(found.rect.width)} by {wording.px(found.rect.height)}"
            both = f"{wording.quote(found.one.run.text, 30)} and {wording.quote(found.other.run.text, 30)}"
            return Answer(verdict="agree", note=f"Letters of {both} share {size} {wording.place(found.rect)}.")
    if crossings:
        return Answer(
            verdict="cannot-tell", note="Lines cross, and the picture does not show that both are drawn there."
        )
    if finding.attribute.startswith("text-overlap"):
        line = about[0].run.lines[0]
        who = subject_of(sheet.look, finding)
        return Answer(verdict="dispute", note=f"{who} overlaps no other text. It stands {wording.place(line)}.")
    return Answer(verdict="cannot-tell", note="No text crosses another there; what else may is not measured.")


def _texts_below(sheet: Sheet, facts: Facts, texts: Sequence[Text], finding: Finding) -> list[Text]:
    elements = frozenset(elements_of(sheet.look, finding))
    below = [text for text in texts if elements & ancestors(facts, text.run.element)] if elements else []
    return [text for text in below or texts_of(sheet, texts, finding) if _is_drawn(text)]


def _is_drawn(text: Text) -> bool:
    return bool(text.run.lines) and text.exempt != "invisible" and text.reading.state != "no-ink"


def _is_ornament(sheet: Sheet, text: Text) -> bool:
    """Whether a text is hidden from assistive technology and its colour is faint on what is behind it everywhere.

    By the declared colour: what is drawn over it would be measured with it.
    """
    run = text.run
    if not run.hidden_from_at or run.background_clip_text or sheet.companion is None:
        return False
    for line in run.lines:
        behind = cut(sheet.companion, sheet.bounds(line)).reshape(-1, 3)
        shown = over(run.color[:3], run.color.alpha * run.opacity, behind)
        if behind.size and float(ratio(shown, behind).max()) >= FAINT_RATIO:
            return False
    return True


def _body(line: Rect) -> Rect:
    return Rect(line.x, line.y + BODY[0] * line.height, line.width, (BODY[1] - BODY[0]) * line.height)


def _crossings(text: Text, others: Sequence[Text]) -> Iterator[_Crossing]:
    for whole in text.run.lines:
        line = _body(whole)
        for other in others:
            if other.run.element == text.run.element:
                continue
            for whole_other in other.run.lines:
                lower = _body(whole_other)
                left, top = max(line.x, lower.x), max(line.y, lower.y)
                width, height = min(line.right, lower.right) - left, min(line.bottom, lower.bottom) - top
                if width >= 2 * LEAST_CROSSING_PX and height >= LEAST_CROSSING_PX:
                    yield _Crossing(Rect(left, top, width, height), text, other, (whole, whole_other))


def _hides(facts: Facts, one: int, other: int) -> bool:
    """One of two elements has, below what they share, an opaque ground that covers the other's text."""
    mine, theirs = ancestors(facts, one), ancestors(facts, other)
    for at in mine ^ theirs:
        style = facts.elements[at].style
        if style.background_image or style.background.alpha * style.opacity >= 0.7:
            return True
    return False


def _both_show(sheet: Sheet, found: _Crossing, texts: Sequence[Text]) -> bool:
    one, other = (
        _shows_elsewhere(sheet, text, found.rect) or _shows_past(sheet, text, line, over, texts)
        for text, line, over in (
            (found.one, found.lines[0], found.lines[1]),
            (found.other, found.lines[1], found.lines[0]),
        )
    )
    if one and other:
        return True
    shown = found.one if one else found.other
    return (one or other) and _is_fuller(sheet, shown, found)


def _shows_past(sheet: Sheet, text: Text, line: Rect, over: Rect, texts: Sequence[Text]) -> bool:
    """Ink of its own line above or below the whole of the other's, where no third text lies."""
    for top, bottom in ((line.y, min(over.y, line.bottom)), (max(over.bottom, line.y), line.bottom)):
        part = Rect(line.x, top, line.width, bottom - top)
        if part.height < BESIDE_PX or _inked(sheet, part) < LEAST_INK:
            continue
        others = (at for other in texts if other.index != text.index for at in other.run.lines)
        if not any(intersection(part, at) > 0 for at in others):
            return True
    return False


def _is_fuller(sheet: Sheet, shown: Text, found: _Crossing) -> bool:
    """Whether the crossing leaves clearly less free than the text that is known to be drawn does beside it."""
    line, rect = found.lines[0 if shown is found.one else 1], found.rect
    beside = [
        Rect(left, rect.y, right - left, rect.height)
        for left, right in ((line.x, rect.x), (rect.right, line.right))
        if right - left >= BESIDE_PX
    ]
    width = sum(part.width for part in beside)
    if min(width, rect.width) < FULLER_EM * shown.run.font_px:
        return False
    free = sum((1 - _inked(sheet, part)) * part.width for part in beside) / width
    return 1 - _inked(sheet, rect) <= FULLER * free


def _shows_elsewhere(sheet: Sheet, text: Text, crossing: Rect) -> bool:
    """Ink beside the crossing, left or right, on a line that crosses: this text is drawn, and not the other alone."""
    for line in map(_body, text.run.lines):
        if min(line.bottom, crossing.bottom) <= max(line.y, crossing.y):
            continue
        for left, right in ((line.x, crossing.x), (crossing.right, line.right)):
            if right - left >= BESIDE_PX and _inked(sheet, Rect(left, line.y, right - left, line.height)) >= LEAST_INK:
                return True
    return any(
        not _same_row(line, crossing) and _inked(sheet, line) >= LEAST_INK for line in map(_body, text.run.lines)
    )


def _same_row(line: Rect, crossing: Rect) -> bool:
    return min(line.bottom, crossing.bottom) > max(line.y, crossing.y)


def _inked(sheet: Sheet, rect: Rect) -> float:
    ink = _ink(sheet, rect)
    return float(ink.mean()) if ink.size else 0.0


def _ink(sheet: Sheet, rect: Rect) -> Bools:
    if sheet.companion is None:
        return np.zeros((0, 0), dtype=np.bool_)
    bounds = sheet.bounds(rect)
    step = cut(sheet.picture, bounds).astype(np.int16) - cut(sheet.companion, bounds)
    return np.asarray(np.abs(step).max(axis=-1) > INK_LEVELS) if step.size else np.zeros((0, 0), dtype=np.bool_)


def on_clipping(sheet: Sheet, texts: Sequence[Text], finding: Finding) -> Answer:
    facts = sheet.facts
    if facts is None or sheet.companion is None:
        return NO_COMPANION
    for text in _texts_below(sheet, facts, texts, finding):
        if text.run.clipped_fraction <= 0:
            continue
        whole = max(line.height for line in text.run.lines)
        for line in text.run.lines:
            edge = _cut_edge(facts, text, line, whole)
            if edge is not None and _ink(sheet, edge).sum() >= 2:
                return Answer(verdict="agree", note=f"Ink touches the edge that cuts the line {wording.place(edge)}.")
    return Answer(verdict="cannot-tell", note="No ink touches an edge there, and a cut between lines leaves no mark.")


def _cut_edge(facts: Facts, text: Text, line: Rect, whole: float) -> Rect | None:
    """The last row or column of pixels of a line that overflow cuts; None where the line ends by itself."""
    for at in ancestors(facts, text.run.element):
        element = facts.elements[at]
        border = element.style.border_px
        if element.style.overflow_y in ("hidden", "clip"):
            bottom = element.box.bottom - border.bottom
            if abs(line.bottom - bottom) < 0.75 and line.height < whole - 1:
                return Rect(line.x, float(int(bottom) - 1), line.width, 1.0)
        if element.style.overflow_x in ("hidden", "clip") and element.style.text_overflow != "ellipsis":
            right = element.box.right - border.right
            if abs(line.right - right) < 0.75:
                return Rect(float(int(right) - 1), line.y, 1.0, line.height)
    return None


def on_overflow(sheet: Sheet, texts: Sequence[Text], finding: Finding) -> Answer:
    facts = sheet.facts
    if facts is None:
        return Answer(verdict="cannot-tell", note="How wide the window was is not known.")
    window = facts.page.viewport.width
    box = rect_of(sheet.look, finding)
    if finding.attribute.startswith(PAGE_RULE) or box is None or box.right > window + WIDER_PX:
        return _of_page(sheet, facts, window)
    return _spilled(sheet, facts, texts, finding)


def _of_page(sheet: Sheet, facts: Facts, window: float) -> Answer:
    width = sheet.picture.shape[1] / sheet.scale
    sizes = f"the picture is {wording.px(width)} wide, the window {wording.px(window)}"
    fits = f"The page does not reach past the window. T{sizes[1:]}."
    if width <= window + WIDER_PX:
        if facts.geometry.scroll_width_px <= facts.geometry.client_width_px + WIDER_PX:
            return Answer(verdict="dispute", note=fits)
        return Answer(verdict="cannot-tell", note=f"The picture shows nothing beyond the window: {sizes}.")
    beyond = sheet.picture[:, int(window * sheet.scale) :]
    found = flat(beyond)
    if found.others < LEAST_SHOWN:
        return Answer(verdict="amend", note=f"Nothing but one colour shows beyond the window; {sizes}.")
    return Answer(verdict="agree", note=f"{_reach(beyond, found.colour, window, sheet.scale)}; {sizes}.")


def _spilled(sheet: Sheet, facts: Facts, texts: Sequence[Text], finding: Finding) -> Answer:
    """Text that runs out of an element's own box."""
    if sheet.companion is None:
        return NO_COMPANION
    elements = elements_of(sheet.look, finding)
    for at in elements:
        box = facts.elements[at].box
        for text in texts:
            if at not in ancestors(facts, text.run.element):
                continue
            for line in text.run.lines:
                below = max(line.y, box.bottom)
                beside = max(line.x, box.right)
                parts = (
                    Rect(line.x, below, line.width, line.bottom - below),
                    Rect(beside, line.y, line.right - beside, line.height),
                )
                for part in parts:
                    if min(part.width, part.height) >= SPILL_PX and _inked(sheet, part) >= LEAST_INK:
                        return Answer(verdict="agree", note=f"Letters show outside the box {wording.place(part)}.")
    return Answer(verdict="cannot-tell", note="No letters were found outside the box.")


def _reach(beyond: np.typing.NDArray[np.uint8], colour: tuple[int, int, int], window: float, scale: float) -> str:
    """How far to the right something shows, and at which height."""
    far = np.abs(beyond.astype(np.int16) - np.array(colour, dtype=np.int16)).max(axis=-1) > INK_LEVELS
    column = int(np.flatnonzero(far.any(axis=0))[-1])
    row = int(np.flatnonzero(far[:, column])[0])
    return f"Something shows at {round(window + column / scale)},{round(row / scale)}"
