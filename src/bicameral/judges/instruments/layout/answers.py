"""The layout instrument's word on another judge's finding, on one shot.

Rules, in order:
1. Agree where a rule of ours files the same category on the same element or place; the note is what was measured.
2. Dispute only what a measurement excludes: a page that does not scroll sideways, a picture that loaded, a control
   whose focus shows.
3. Otherwise cannot tell.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from bicameral.judges.instruments import wording
from bicameral.judges.instruments.instrument import CANNOT_TELL, Answer, Look, Measured
from bicameral.judges.instruments.locate import elements_of, overlap, rect_of, subject_of
from bicameral.model.facts import Facts
from bicameral.model.findings import Finding

SAME_PLACE: Final = 0.3
"""Intersection over union. Lower than for one element's box: a judge of pictures draws its box by eye."""


def answer(look: Look, own: Sequence[Measured], finding: Finding) -> Answer:
    """own: what our rules file on this look."""
    if look.facts is None:
        return CANNOT_TELL
    alike = [row for row in own if row.category == finding.category]
    for row in alike:
        if row.attribute == finding.attribute:
            return Answer(verdict="agree", note=row.observed)
    box = rect_of(look, finding)
    for row in alike:
        whole_page = row.rect is None and box is None
        if whole_page or (row.rect is not None and box is not None and overlap(row.rect, box) >= SAME_PLACE):
            return Answer(verdict="agree", note=row.observed)
    if alike:
        return CANNOT_TELL
    excluded = _excluded(look, look.facts, finding)
    return CANNOT_TELL if excluded is None else Answer(verdict="dispute", note=excluded)


def _excluded(look: Look, facts: Facts, finding: Finding) -> str | None:
    """What was measured that the finding cannot stand beside, as a sentence."""
    geometry = facts.geometry
    if finding.category == "layout-overflow" and geometry.client_width_px > 0:
        if geometry.scroll_width_px <= geometry.client_width_px:
            return (
                f"The page does not scroll sideways. Page and window are {wording.px(geometry.scroll_width_px)} wide."
            )
        return None
    elements = frozenset(elements_of(look, finding))
    who = subject_of(look, finding, "The element")
    if finding.category == "broken-image" and elements:
        loaded = [image for image in geometry.images if image.element in elements]
        if loaded and all(image.complete and image.natural.width > 0 for image in loaded):
            size = loaded[0].natural
            return f"{who} shows a picture. It loaded, {wording.number(size.width)} by {wording.px(size.height)}."
    if finding.category == "focus" and elements:
        stops = [stop for stop in geometry.focus if stop.element in elements]
        if stops and all(stop.changes for stop in stops):
            return f"{who} changes when it is focused. These change: {', '.join(stops[0].changes[:4])}."
    return None
