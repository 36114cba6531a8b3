"""The `pixels` instrument: it measures the picture, rules on findings by what it measures, and adds what it finds.

Answers for text contrast against what is truly behind the letters (a companion picture without text), text that is gone
in one colour scheme, blank pages and canvases, and images that do not show. Declines whatever a picture cannot show,
and rules cannot-tell there, and wherever a number lies within its margin of error.

Rules, in order:
1. Every text of the facts is measured (`texts`); what measurably fails is filed (`contrast`), and what is blank
   (`blank`). Where the page is blank, nothing else is filed.
2. Every finding of another judge is ruled on each of its shots (`answers`).
3. Without facts only a blank picture is filed: LANES_WITHOUT_FACTS are the lanes it looks at then, and none of them
   whole.
4. Where the facts hold text that it could not measure (no companion, boxes that are not on the ink, something that
   moves behind it) it says so: such a shot is not clean.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from bicameral.judges.instruments.instrument import Answer, Look, Measured, rules_digest
from bicameral.judges.instruments.pixels.answers import answer
from bicameral.judges.instruments.pixels.blank import BLANK_PAGE_RULE, blank
from bicameral.judges.instruments.pixels.contrast import unreadable
from bicameral.judges.instruments.pixels.sheet import Sheet
from bicameral.judges.instruments.pixels.texts import Text, exemption, read_texts
from bicameral.model.facts import Facts
from bicameral.model.findings import Finding
from bicameral.model.vocabulary import LANES

__all__ = ["LANES_WITHOUT_FACTS", "LANES_WITH_FACTS", "NOT_JUDGED_WITHOUT_FACTS", "PixelsInstrument"]

LANES_WITH_FACTS: Final[tuple[str, ...]] = ("rendering", "legibility")
"""Lanes in which it files findings on a captured page."""
LANES_WITHOUT_FACTS: Final[tuple[str, ...]] = ("rendering",)
"""Lanes in which it files findings on a bare picture: blank ones alone."""
NOT_JUDGED_WITHOUT_FACTS: Final[tuple[str, ...]] = tuple(lane for lane in LANES if lane not in LANES_WITHOUT_FACTS)
SHOTS_KEPT: Final = 24
"""Shots of which what was measured is kept between the asks of a batch; some hundred kilobytes each."""


@dataclass(frozen=True)
class _Seen:
    """lost: what of the text was not measured, in a few words; empty where all was."""

    texts: tuple[Text, ...]
    blanks: tuple[Measured, ...]
    lost: str = ""

    @property
    def blank_page(self) -> bool:
        return any(one.attribute == BLANK_PAGE_RULE for one in self.blanks)


class PixelsInstrument:
    """An `Instrument` on pictures. It keeps what it measured, by the digests of what it measured it on."""

    name: Final = "pixels"

    def __init__(self) -> None:
        shared = ("slug", "locate", "wording")
        instruments = "bicameral.judges.instruments"
        self.rules = rules_digest(__name__, "bicameral.imaging", *(f"{instruments}.{module}" for module in shared))
        self._seen: dict[tuple[object, ...], _Seen] = {}

    def can_judge(self, look: Look) -> bool:
        return True

    def propose(self, looks: Sequence[Look]) -> Mapping[str, Sequence[Measured]]:
        seen = {look.shot.shot_id: self._measured(Sheet(look)) for look in looks}
        filed = unreadable(looks, {shot_id: one.texts for shot_id, one in seen.items() if not one.blank_page})
        return {shot_id: [*filed.get(shot_id, ()), *one.blanks] for shot_id, one in seen.items()}

    def unmeasured(self, looks: Sequence[Look]) -> Mapping[str, str]:
        seen = {look.shot.shot_id: self._measured(Sheet(look)) for look in looks}
        return {shot_id: one.lost for shot_id, one in seen.items() if one.lost and not one.blank_page}

    def rule(self, looks: Sequence[Look], findings: Sequence[Finding]) -> Sequence[Mapping[str, Answer]]:
        said: list[dict[str, Answer]] = [{} for _ in findings]
        for look in looks:
            shot_id = look.shot.shot_id
            asked = [index for index, finding in enumerate(findings) if shot_id in finding.shot_ids]
            if not asked:
                continue
            sheet = Sheet(look)
            texts = self._measured(sheet).texts
            for index in asked:
                said[index][shot_id] = answer(sheet, texts, findings[index])
        return said

    def _measured(self, sheet: Sheet) -> _Seen:
        shot = sheet.look.shot
        key = (shot.picture, sheet.companion_digest, shot.facts, shot.scale)
        known = self._seen.get(key)
        if known is None:
            texts = read_texts(sheet)
            known = _Seen(texts=texts, blanks=tuple(blank(sheet)), lost=_lost(sheet.facts, texts))
            while len(self._seen) >= SHOTS_KEPT:
                self._seen.pop(next(iter(self._seen)), None)  # views are asked about side by side
            self._seen[key] = known
        return known


def _lost(facts: Facts | None, texts: Sequence[Text]) -> str:
    """What of the text that is to be read was not measured. texts: as read; none where there is no companion."""
    if facts is None:
        return ""
    asked = [
        index
        for index, run in enumerate(facts.text_runs)
        if run.lines and exemption(run) is None and not run.hidden_from_at
    ]
    read = {text.index for text in texts if not text.lost}
    lost = [index for index in asked if index not in read]
    if not lost:
        return ""
    return "contrast not measured" if len(lost) == len(asked) else "contrast measured in part only"
