"""Every text of one shot, measured, with what is wanted of it and who is exempt.

Answers for joining a run of the facts with its reading. Declines to file or to rule.

Rules, in order:
1. Wanted are 3:1 of large text and 4.5:1 of all other (WCAG 2.2, success criterion 1.4.3).
2. Exempt as incidental are text of inactive controls, text that assistive technology is told to pass over and that
   says nothing (no letter, digit or currency sign), and text declared invisible.
3. Not measurable are text over what moves (a video, a canvas that was redrawn), text around which ink does not lie
   where the facts say that there is text (`astray`), and text that vanishes where something else may lie over it.
4. A text that crosses the edge of the window is measured by what lies inside; what vanishes beyond is left open, for
   there the grounds of the page end: that is overflow, and not contrast.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass, replace
from typing import Final, Literal

from bicameral.imaging.flat import changed
from bicameral.imaging.ink import Bools
from bicameral.imaging.legibility import Declared, Reading, read_text
from bicameral.imaging.samples import Outcome
from bicameral.judges.instruments.locate import intersection
from bicameral.judges.instruments.pixels.astray import astray
from bicameral.judges.instruments.pixels.sheet import Bounds, Sheet
from bicameral.model.facts import Facts, Rect, TextRun

WANTED: Final = 4.5
WANTED_LARGE: Final = 3.0
GONE: Final = 1.5
"""Below it text is as good as gone: twice the luminance difference that most readers can see at all (1.25:1)."""
MOVED_SHARE: Final = 0.1
INVISIBLE_ALPHA: Final = 0.05
COVERING_SHARE: Final = 0.1
CLIPPED: Final = 0.5
"""Of a text that vanishes and of which so much is cut away, the picture shows nothing that it could be judged by."""
INSIDE_SHARE: Final = 0.25
"""Of a text that crosses the window's edge: a few letters, which are enough to tell its colours by."""
NO_COMPANION: Final = "no picture without text was taken"

Exempt = Literal["inactive", "decoration", "invisible"]


@dataclass(frozen=True, kw_only=True)
class Text:
    """index: of the run in the facts.  exempt: why no contrast is wanted of it, or None.  outcome: what its reading
    settles about what is wanted.  lost: the instrument could not measure here, whatever the text is like.
    """

    index: int
    run: TextRun
    reading: Reading
    wanted: float
    exempt: Exempt | None
    outcome: Outcome
    lost: bool = False

    @property
    def gone(self) -> bool:
        """Measured, and as good as invisible."""
        return self.outcome == "misses" and self.reading.median + self.reading.margin < GONE

    @property
    def unseen_on_purpose(self) -> bool:
        """Gone, and hidden from assistive technology too, or cut away for the most part: nobody is to read it here."""
        cut_away = self.run.clipped_fraction >= CLIPPED and self.reading.state == "vanished"
        return cut_away or (self.gone and self.run.hidden_from_at)

    @property
    def words(self) -> bool:
        """Two signs or more that are read: a single one may be an icon, which needs 3:1 (WCAG 2.2, 1.4.11)."""
        return sum(1 for character in self.run.text if says_something(character)) > 1


def says_something(character: str) -> bool:
    """A letter, a digit, a mark or a currency sign: what is read, where other signs are looked at."""
    category = unicodedata.category(character)
    return category[0] in "LMN" or category == "Sc"


def read_texts(sheet: Sheet) -> tuple[Text, ...]:
    """Measure every run of the facts, in their order; none without facts or without a companion."""
    facts, companion = sheet.facts, sheet.companion
    if facts is None or companion is None:
        return ()
    altered = changed(sheet.picture, companion)
    moving = _moving(sheet, facts, altered)
    for rect in moving:
        _clear(altered, sheet.bounds(rect))
    misplaced = astray(sheet, facts, altered)
    labels = labels_of_inactive(facts)
    found = []
    for index, run in enumerate(facts.text_runs):
        filmed = any(intersection(line, box) > 0 for box in moving for line in run.lines)
        why_not = "the boxes and the pictures do not lie on each other" if index in misplaced else ""
        why_not = why_not or ("something moves behind it" if filmed else "")
        found.append(_measured(sheet, facts, index, labels=labels, why_not=why_not))
    return tuple(found)


def _moving(sheet: Sheet, facts: Facts, altered: Bools) -> list[Rect]:
    """Videos, and canvases and frames that did not stay the same: what is behind text there is not known."""
    found = []
    for element in facts.elements:
        if element.tag == "video":
            found.append(element.box)
        elif element.tag in ("canvas", "iframe"):
            part = _within(altered, sheet.bounds(element.box))
            if part.size and float(part.mean()) > MOVED_SHARE:
                found.append(element.box)
    return found


def _within(mask: Bools, bounds: Bounds) -> Bools:
    x, y, width, height = bounds
    return mask[max(0, int(y)) : max(0, int(y + height) + 1), max(0, int(x)) : max(0, int(x + width) + 1)]


def _clear(mask: Bools, bounds: Bounds) -> None:
    _within(mask, bounds)[...] = False


def _measured(sheet: Sheet, facts: Facts, index: int, *, labels: frozenset[str], why_not: str) -> Text:
    run = facts.text_runs[index]
    wanted = WANTED_LARGE if run.large else WANTED
    reading = _read(sheet, facts, run, why_not=why_not)
    named = facts.elements[run.element].attributes.get("id", "") in labels
    exempt: Exempt | None = "inactive" if named else exemption(run)
    # The samples have served once the outcome is known; a page of them would fill the memory.
    outcome = reading.outcome(wanted)
    return Text(
        index=index,
        run=run,
        reading=replace(reading, samples=()),
        wanted=wanted,
        exempt=exempt,
        outcome=outcome,
        lost=bool(why_not),
    )


def labels_of_inactive(facts: Facts) -> frozenset[str]:
    """Ids of elements that name an inactive control by aria-labelledby: as exempt as a label element is."""
    found: set[str] = set()
    for element in facts.elements:
        if element.disabled:
            found.update(element.attributes.get("aria-labelledby", "").split())
    return frozenset(found)


def exemption(run: TextRun) -> Exempt | None:
    """Why WCAG 1.4.3 asks nothing of this run, or None."""
    if run.disabled:
        return "inactive"
    if run.color.alpha * run.opacity < INVISIBLE_ALPHA and not run.background_clip_text and not run.shadow:
        return "invisible"
    if run.hidden_from_at and not any(says_something(character) for character in run.text):
        return "decoration"
    return None


def _read(sheet: Sheet, facts: Facts, run: TextRun, *, why_not: str) -> Reading:
    if why_not or sheet.companion is None:
        return Reading(state="unsure", why=why_not or NO_COMPANION)
    if not run.lines:
        return Reading(state="no-ink", why="none of it is shown")
    declared = Declared(
        colour=(run.color.red, run.color.green, run.color.blue),
        alpha=run.color.alpha * run.opacity,
        font_px=run.font_px * sheet.scale,
        shadow=run.shadow,
        clipped=run.background_clip_text,
        text=run.text,
    )
    lines, inside = _inside(facts, run)
    reading = read_text(sheet.picture, sheet.companion, [sheet.bounds(line) for line in lines], declared)
    if not inside and (reading.state == "vanished" or reading.vanishing > COVERING_SHARE):
        return Reading(state="unsure", why="it runs past the edge of the page")
    if (reading.state == "vanished" or reading.vanishing > COVERING_SHARE) and _may_be_covered(facts, run):
        return Reading(state="unsure", why="something of its own colour may lie over it")
    return reading


def _inside(facts: Facts, run: TextRun) -> tuple[tuple[Rect, ...], bool]:
    """The lines of a text as far as they lie inside the window's width, and whether that is what was asked for.

    Where next to nothing lies inside, all of them and False.
    """
    left = facts.page.window.x
    right = left + facts.page.viewport.width
    cut = [
        Rect(max(left, line.x), line.y, min(line.right, right) - max(left, line.x), line.height)
        for line in run.lines
        if line.x < right and line.right > left
    ]
    if sum(line.width for line in cut) >= INSIDE_SHARE * sum(line.width for line in run.lines):
        return tuple(cut), True
    return run.lines, False


def _may_be_covered(facts: Facts, run: TextRun) -> bool:
    """An opaque element that is neither around the text nor inside its element lies over a part of it."""
    around = ancestors(facts, run.element)
    area = sum(line.width * line.height for line in run.lines)
    for index, element in enumerate(facts.elements):
        if index in around or element.style.position == "static":
            continue
        opaque = element.style.background.alpha >= 0.5 or element.style.background_image or element.tag in PICTURES
        if not opaque or element.style.visibility != "visible" or run.element in ancestors(facts, index):
            continue
        if sum(intersection(line, element.box) for line in run.lines) >= COVERING_SHARE * area:
            return True
    return False


PICTURES: Final = frozenset({"img", "canvas", "video", "iframe", "svg"})


def ancestors(facts: Facts, element: int) -> frozenset[int]:
    """The element and all that hold it."""
    found, at = set(), element
    while True:
        found.add(at)
        parent = facts.elements[at].parent
        if parent is None or parent in found:
            return frozenset(found)
        at = parent
