"""Every text of one shot, measured, with what is wanted of it and who is exempt.

Answers for joining a run of the facts with its reading. Declines to file or to rule.

Rules, in order:
1. Wanted are 3:1 of large text and 4.5:1 of all other (WCAG 2.2, success criterion 1.4.3).
2. Exempt as incidental are text of inactive controls, text that assistive technology is told to pass over and that
   says nothing (no letter, digit or currency sign), and text declared invisible.
3. Not measurable are text over what moves (a video, a canvas that was redrawn), text in a page whose ink does not lie
   where the facts say its text is, and text that vanishes where something else may lie over it.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass, replace
from typing import Final, Literal

from bicameral.imaging.flat import changed, share_outside
from bicameral.imaging.ink import Bools
from bicameral.imaging.legibility import Declared, Reading, read_text
from bicameral.imaging.samples import Outcome
from bicameral.judges.instruments.locate import intersection
from bicameral.judges.instruments.pixels.sheet import Bounds, Sheet
from bicameral.model.facts import Facts, Rect, TextRun

WANTED: Final = 4.5
WANTED_LARGE: Final = 3.0
GONE: Final = 1.5
"""Below it text is as good as gone: twice the luminance difference that most readers can see at all (1.25:1)."""
ASTRAY_SHARE: Final = 0.05
"""Of the ink of 130 captured pages at most 2.6 % lay outside the boxes of its text (2026-11-30; alt text of broken
images). From 7 % on, the boxes were those of a page that had moved since."""
REACH_EM: Final = 0.35
"""How far letters reach out of their line box: swashes, accents, shadows."""
MOVED_SHARE: Final = 0.1
INVISIBLE_ALPHA: Final = 0.05
COVERING_SHARE: Final = 0.1

Exempt = Literal["inactive", "decoration", "invisible"]


@dataclass(frozen=True, kw_only=True)
class Text:
    """index: of the run in the facts.  exempt: why no contrast is wanted of it, or None.  outcome: what its reading
    settles about what is wanted."""

    index: int
    run: TextRun
    reading: Reading
    wanted: float
    exempt: Exempt | None
    outcome: Outcome

    @property
    def gone(self) -> bool:
        """Measured, and as good as invisible."""
        return self.outcome == "misses" and self.reading.median + self.reading.margin < GONE

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
    reach = [_grown(sheet.bounds(line), REACH_EM * run.font_px) for run in facts.text_runs for line in run.lines]
    astray = (
        "the boxes and the pictures do not lie on each other" if share_outside(altered, reach) > ASTRAY_SHARE else ""
    )
    labels = labels_of_inactive(facts)
    found = []
    for index, run in enumerate(facts.text_runs):
        filmed = any(intersection(line, box) > 0 for box in moving for line in run.lines)
        why_not = astray or ("something moves behind it" if filmed else "")
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


def _grown(bounds: Bounds, by: float) -> Bounds:
    x, y, width, height = bounds
    return (x - by, y - by, width + 2 * by, height + 2 * by)


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
        return Reading(state="unsure", why=why_not or "no picture without text was taken")
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
    reading = read_text(sheet.picture, sheet.companion, [sheet.bounds(line) for line in run.lines], declared)
    if (reading.state == "vanished" or reading.vanishing > COVERING_SHARE) and _may_be_covered(facts, run):
        return Reading(state="unsure", why="something of its own colour may lie over it")
    return reading


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
