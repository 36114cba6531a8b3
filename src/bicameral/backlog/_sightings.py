"""One sighting: how it is made of a finding, renewed by a later one, and what an issue draws from all of its own.

Rules, in order:
1. A sighting is as it was last filed. Only who disputed it is carried over, until that judge speaks of it again.
2. A defect of the shell is one sighting for all the routes of one run: the worst account of it stands, then one that
   was ruled on and not disputed before a disputed one before one nobody ruled on, then the first shot id.
3. An issue is as severe as the worst of its sightings that are seen (of all, where none is), and has the words of that
   one: of several, the one filed first, runs being ordered by their ids, then by form factor and scheme.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from bicameral.model.backlog import Issue, Sighting
from bicameral.model.evidence import Shot
from bicameral.model.findings import Consensus, Finding
from bicameral.model.identity import issue_key, sighting_key
from bicameral.model.vocabulary import FORM_FACTORS, SCHEMES, SEVERITIES


def sighting_of(finding: Finding, shot: Shot, *, dialog_id: str, wire_digest: str, run_id: str) -> Sighting:
    """The finding on one of its shots, as nobody had seen it before."""
    return Sighting(
        sighting=sighting_key(finding, shot),
        issue=issue_key(finding, shot),
        form_factor=shot.form_factor,
        scheme=shot.scheme,
        route=shot.route,
        shot_id=shot.shot_id,
        picture=shot.picture,
        facts=shot.facts,
        box=finding.box_on(shot.shot_id),
        oracle=finding.oracle,
        severity=finding.severity,
        confidence=finding.confidence,
        title=finding.title,
        problem=finding.problem,
        expected=finding.expected,
        observed=finding.observed,
        acceptance=finding.acceptance,
        consensus=finding.consensus,
        rulings=finding.rulings,
        dialog_id=dialog_id,
        wire_digest=wire_digest,
        first_run=run_id,
        last_run=run_id,
    )


def renewed(old: Sighting, new: Sighting) -> Sighting:
    """A stored sighting that is filed again."""
    if old.last_run == new.last_run and old.shot_id != new.shot_id and stands_before(old, new):
        return replace(old, seen=True)
    return replace(_with_disputes_of(old, new), first_run=old.first_run)


def stands_before(one: Sighting, other: Sighting) -> bool:
    """Which of two filings of one sighting in one run is kept (rule 2). False for equals."""
    return _standing(one) < _standing(other)


def in_order(sightings: Iterable[Sighting]) -> tuple[Sighting, ...]:
    """Sightings by form factor and scheme, as the vocabulary lists them; words it does not hold come last."""
    return tuple(sorted(sightings, key=lambda s: (_place(s.form_factor, FORM_FACTORS), _place(s.scheme, SCHEMES))))


def with_sightings(issue: Issue, sightings: Iterable[Sighting], *, run_id: str | None = None) -> Issue:
    """The issue with these sightings and what it draws from them (rule 3). There is at least one.

    run_id: the run to name in `not_seen_since` where no sighting is seen and none is named yet.
    """
    ordered = in_order(sightings)
    seen = [sighting for sighting in ordered if sighting.seen]
    # min() takes the first of equals, which is the first by form factor and scheme.
    lead = min(seen or ordered, key=lambda sighting: (SEVERITIES.index(sighting.severity), sighting.first_run))
    return replace(
        issue,
        severity=lead.severity,
        title=lead.title,
        problem=lead.problem,
        expected=lead.expected,
        observed=lead.observed,
        not_seen_since=None if seen else issue.not_seen_since or run_id,
        sightings=ordered,
    )


def _standing(sighting: Sighting) -> tuple[int, int, str]:
    consensus = sighting.consensus
    account = 2 if consensus is None or not consensus.ruled else 1 if consensus.disputed else 0
    return (SEVERITIES.index(sighting.severity), account, sighting.shot_id)


def _place(word: str, vocabulary: tuple[str, ...]) -> tuple[int, str]:
    return (vocabulary.index(word) if word in vocabulary else len(vocabulary), word)


def _with_disputes_of(old: Sighting, new: Sighting) -> Sighting:
    """The new filing with the disputes of judges who did not speak this time."""
    spoke = _speakers(new)
    kept = tuple(d for d in (old.consensus.disputed_by if old.consensus else ()) if d.oracle not in spoke)
    if not kept:
        return new
    judges = {dissent.oracle for dissent in kept}
    rulings = tuple(r for r in old.rulings if r.verdict == "dispute" and r.oracle in judges)
    base = new.consensus or _said_nothing(old, new)
    return replace(
        new,
        consensus=replace(base, disputed_by=(*base.disputed_by, *kept)),
        rulings=(*new.rulings, *rulings),
    )


def _speakers(sighting: Sighting) -> set[str]:
    """Everyone who filed it or ruled on it, by the names that findings and consensus use."""
    consensus = sighting.consensus
    if consensus is None:
        return {sighting.oracle}
    dissents = (*consensus.disputed_by, *consensus.amended_by)
    ruled = {*consensus.agreed_by, *consensus.undecided_by, *(dissent.oracle for dissent in dissents)}
    return {sighting.oracle, consensus.reported_by, *ruled}


def _said_nothing(old: Sighting, new: Sighting) -> Consensus:
    """No dialogue took place, so nobody says in which seat the filing oracle sits, unless it filed it before too."""
    before = old.consensus.reported_by if old.consensus and old.oracle == new.oracle else new.oracle
    return Consensus(reported_by=before)
