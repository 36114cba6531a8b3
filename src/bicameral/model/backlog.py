"""The backlog's nouns: issues, their sightings, and what people ruled.

One defect is one issue, by an identity that contains no prose. `backlog` decides how they merge, `storage` keeps them.
Times are RFC 3339 text in UTC, handed in.
"""

from __future__ import annotations

from dataclasses import dataclass

from bicameral.model.evidence import Box
from bicameral.model.findings import Consensus, Ruling
from bicameral.model.vocabulary import Confidence, Region, Severity, Status


@dataclass(frozen=True, kw_only=True)
class Sighting:
    """Evidence of an issue at one form factor and scheme, as it was last filed.

    picture, facts: digests of what it was seen on.  oracle: who filed it.  dialog_id, wire_digest: the record it is in.
    seen: False once a later complete verdict of the same oracle on changed evidence no longer filed it.
    """

    sighting: str
    issue: str
    form_factor: str
    scheme: str
    route: str
    shot_id: str
    picture: str
    facts: str | None
    box: Box | None
    oracle: str
    severity: Severity
    confidence: Confidence
    title: str
    problem: str
    expected: str
    observed: str
    acceptance: tuple[str, ...]
    consensus: Consensus | None
    rulings: tuple[Ruling, ...]
    dialog_id: str
    wire_digest: str
    first_run: str
    last_run: str
    seen: bool = True


@dataclass(frozen=True, kw_only=True)
class HumanRuling:
    """What a person said of an issue, or what an agent proposes that a person say.

    proposed: True for an agent's proposal, which changes no status.
    """

    issue: str
    status: Status
    reason: str
    ruled_by: str
    ruled_at: str
    proposed: bool = False


@dataclass(frozen=True, kw_only=True)
class Issue:
    """One defect.

    place: the route, or `[shell-nav]` and the like.  severity: the highest of its sightings that are seen.
    title, problem, ...: of the sighting filed first among those of the highest severity.
    reopened: how often it came back after `fixed`; reopened_run: the run that last did that.
    not_seen_since: the first run after which no sighting of it is seen any more, or None.
    sightings: by form factor and scheme.  rulings: oldest first.
    """

    issue: str
    target: str
    place: str
    state: str
    platform: str
    category: str
    attribute: str
    region: Region
    severity: Severity
    title: str
    problem: str
    expected: str
    observed: str
    status: Status = "open"
    first_run: str
    last_run: str
    reopened: int = 0
    reopened_run: str | None = None
    not_seen_since: str | None = None
    sightings: tuple[Sighting, ...] = ()
    rulings: tuple[HumanRuling, ...] = ()

    @property
    def disputed(self) -> bool:
        """Every sighting that is still seen is disputed."""
        seen = [sighting for sighting in self.sightings if sighting.seen]
        return bool(seen) and all(s.consensus is not None and s.consensus.disputed for s in seen)
