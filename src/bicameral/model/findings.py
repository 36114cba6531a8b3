"""Findings, rulings and consensus.

A finding is what one judge filed. Rulings are what the other said of it, by number. Consensus is derived from
both and is never part of an identity: no word of a challenger changes a finding's severity, confidence or status.
"""

from __future__ import annotations

from dataclasses import dataclass

from bicameral.model.adjudication import AdjudicationResult
from bicameral.model.evidence import Box
from bicameral.model.vocabulary import Confidence, Region, Severity, Word


@dataclass(frozen=True, kw_only=True)
class Ruling:
    """One judge's word on one finding.

    index: the finding's number in the list that was put to the judge.  oracle: the judge's handle.
    notes: its account; never empty for a dispute or an amendment, which without one are absent.
    """

    index: int
    oracle: str
    verdict: Word
    notes: tuple[str, ...] = ()

    @property
    def note(self) -> str | None:
        """The whole account: its notes joined by a line break, None where there are none."""
        return "\n".join(self.notes) or None


@dataclass(frozen=True, kw_only=True)
class Dissent:
    """A dispute or an amendment with its account. Several notes of one ruling are joined by a line break."""

    oracle: str
    note: str
    adjudication: AdjudicationResult | None = None


@dataclass(frozen=True, kw_only=True)
class Consensus:
    """Who filed a finding and what the other judge made of it. Empty lists throughout: not ruled on."""

    reported_by: str
    agreed_by: tuple[str, ...] = ()
    disputed_by: tuple[Dissent, ...] = ()
    amended_by: tuple[Dissent, ...] = ()
    undecided_by: tuple[str, ...] = ()
    rounds: int = 1

    @property
    def disputed(self) -> bool:
        return bool(self.disputed_by)

    @property
    def agreed(self) -> bool:
        """Two judges say the defect is real and neither says it is not. An amendment says it is real, with a caveat."""
        return bool(self.agreed_by or self.amended_by) and not self.disputed_by

    @property
    def ruled(self) -> bool:
        return bool(self.agreed_by or self.disputed_by or self.amended_by or self.undecided_by)


@dataclass(frozen=True, kw_only=True)
class Place:
    """Where a finding shows on one of its other shots."""

    shot_id: str
    box: Box


@dataclass(frozen=True, kw_only=True)
class Finding:
    """One defect as one judge filed it.

    shot_id: the shot it is described on; also_shot_ids: other shots of the view that show the same defect.
    attribute: kebab-case, letters of any script; with category and region it is the finding's identity.
    box: page pixels on shot_id's picture; also_boxes: the same on the others, where the judge gave them.
    oracle: the judge, or the part of an instrument, that filed it.
    rulings, consensus: what the other judge said. None: no dialogue took place.
    """

    shot_id: str
    category: str
    attribute: str
    region: Region = "content"
    severity: Severity
    title: str
    problem: str
    expected: str = ""
    observed: str = ""
    confidence: Confidence
    acceptance: tuple[str, ...] = ()
    also_shot_ids: tuple[str, ...] = ()
    box: Box | None = None
    also_boxes: tuple[Place, ...] = ()
    oracle: str = ""
    rulings: tuple[Ruling, ...] = ()
    consensus: Consensus | None = None

    @property
    def shot_ids(self) -> tuple[str, ...]:
        return (self.shot_id, *self.also_shot_ids)

    def box_on(self, shot_id: str) -> Box | None:
        """The box on one of this finding's shots, or None where the judge gave none."""
        if shot_id == self.shot_id:
            return self.box
        for place in self.also_boxes:
            if place.shot_id == shot_id:
                return place.box
        return None


@dataclass(frozen=True, kw_only=True)
class RejectedRow:
    """A row of a reply that could not be used.

    reason: a short sentence for a person.  row: the row's JSON text, whole, as it was written.
    where: `findings`, `verdicts`, `additions` or `clean_shot_ids`, with its position, e.g. `verdicts[2]`.
    """

    reason: str
    row: str
    where: str = ""
