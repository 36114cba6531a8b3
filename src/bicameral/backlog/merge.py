"""A batch's findings into the backlog.

Answers for: what becomes of each issue that a batch files, or no longer files. Declines to read or keep anything, and
to undo what a person ruled: a machine moves one status only, `fixed` to `open`, and says so.

Rules, in order (DESIGN 2, Identity):
1. One issue an identity, one sighting a form factor and scheme. An issue nobody has filed yet is added `open`.
2. Filed again: `open` and `confirmed` are refreshed, `fixed` is reopened, `by-design` and `not-a-defect` are
   suppressed, `blocked` stays blocked. Each takes the new sighting whatever its status, so that nothing is hidden.
   A run that had already filed an issue when it was ruled fixed does not reopen it: it is not seen *again*.
3. A sighting is unseen once the oracle that filed it, in a complete verdict on changed evidence (the digest of the
   picture or of the facts differs), files it no more. On unchanged evidence its absence is the judge's variance.
   An issue none of whose sightings is seen is `not_seen_since` that run, and offered for closing; it stays what it is.
4. A dispute stands until the judge that made it speaks of the sighting again: silence takes nothing back. Agreements
   are not carried so, for they would be read as said of the new evidence.
5. Merging a batch twice equals merging it once, in what happened too.
6. A run that ends late, after one that began later, undoes nothing: it reopens no issue that the later run filed or no
   longer saw, marks nothing unseen that the later one saw, and leaves the later one's evidence and `last_run` as they
   are. What it saw first or alone is taken from it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

from bicameral.backlog._sightings import renewed, sighting_of, stands_before, with_sightings
from bicameral.backlog.reach import Reach
from bicameral.errors import DefectError
from bicameral.model.backlog import Issue, Sighting
from bicameral.model.evidence import Shot, View
from bicameral.model.findings import Finding
from bicameral.model.identity import issue_key, place_of
from bicameral.model.vocabulary import SUPPRESSED_STATUSES

Happening = Literal["new", "refreshed", "reopened", "suppressed", "blocked"]


@dataclass(frozen=True, kw_only=True)
class JudgedBatch:
    """What one batch brings to the backlog.

    run_id: ids sort in the order the runs began.  shots: all of the view, whatever was found on them.
    reaches: see `reach_of`; an oracle without one marks nothing unseen.
    """

    run_id: str
    shots: tuple[Shot, ...]
    findings: tuple[Finding, ...]
    dialog_id: str
    wire_digest: str
    reaches: tuple[Reach, ...] = ()

    @property
    def views(self) -> tuple[View, ...]:
        return tuple(sorted({shot.view for shot in self.shots}))


@dataclass(frozen=True, kw_only=True)
class Merged:
    """What became of it.

    issues: every issue the batch filed or no longer files, as it stands now, by key; these are to be saved.
    happened: by key, for each issue the batch filed.  new_sightings: keys of sightings this run was the first to file.
    not_seen: keys of issues that this run was the first not to see anywhere any more.
    """

    issues: tuple[Issue, ...]
    happened: Mapping[str, Happening]
    new_sightings: tuple[str, ...] = ()
    not_seen: tuple[str, ...] = ()


def keys_of(batch: JudgedBatch) -> tuple[str, ...]:
    """The issues that a batch's findings belong to, sorted. With the issues seen at its views, they are what `merge`
    has to be given."""
    return tuple(sorted({issue_key(finding, shot) for finding, shot in _filed(batch)}))


def merge(stored: Iterable[Issue], batch: JudgedBatch) -> Merged:
    """Merge one batch.

    stored: at least every stored issue of `keys_of(batch)` and every one with a sighting on the batch's views; more do
    no harm.  Raises DefectError where a finding names a shot that is not of the batch.
    """
    before = {issue.issue: issue for issue in stored}
    filed = _filings(batch)
    after = dict(before)
    for key, filing in filed.items():
        after[key] = _filed_again(before.get(key), filing, batch)
    for key in before:
        after[key] = _without_the_unseen(after[key], filed.get(key), batch)
    not_seen = sorted(
        key for key, issue in after.items() if issue.not_seen_since == batch.run_id and _on(issue, batch.shots)
    )
    concerned = {*filed, *not_seen, *(key for key in before if after[key] != before[key])}
    return Merged(
        issues=tuple(after[key] for key in sorted(concerned)),
        happened={key: _happening(after[key], batch.run_id) for key in sorted(filed)},
        new_sightings=tuple(
            sighting.sighting
            for key in sorted(filed)
            for sighting in after[key].sightings
            if sighting.first_run == batch.run_id and sighting.sighting in filed[key].sightings
        ),
        not_seen=tuple(not_seen),
    )


@dataclass(frozen=True)
class _Filing:
    """What one batch files of one issue: where it is described first, and its sightings by key."""

    finding: Finding
    shot: Shot
    sightings: dict[str, Sighting] = field(default_factory=dict)


def _filed(batch: JudgedBatch) -> Iterator[tuple[Finding, Shot]]:
    """Each finding on each of its shots, in order."""
    shots = {shot.shot_id: shot for shot in batch.shots}
    for finding in batch.findings:
        for shot_id in finding.shot_ids:
            if shot_id not in shots:
                raise DefectError(f"A finding names the shot {shot_id!r}, which is not one of its batch.")
            yield finding, shots[shot_id]


def _filings(batch: JudgedBatch) -> dict[str, _Filing]:
    filings: dict[str, _Filing] = {}
    for finding, shot in _filed(batch):
        new = sighting_of(finding, shot, dialog_id=batch.dialog_id, wire_digest=batch.wire_digest, run_id=batch.run_id)
        filing = filings.setdefault(new.issue, _Filing(finding, shot))
        held = filing.sightings.get(new.sighting)
        if held is None or stands_before(new, held):
            filing.sightings[new.sighting] = new
    return filings


def _filed_again(old: Issue | None, filing: _Filing, batch: JudgedBatch) -> Issue:
    """The issue with what this batch files of it."""
    issue = _new_issue(filing, batch.run_id) if old is None else old
    later = max(issue.last_run, issue.not_seen_since or "")  # the last run that is known to have looked
    if issue.status == "fixed" and batch.run_id > later:
        issue = replace(issue, status="open", reopened=issue.reopened + 1, reopened_run=batch.run_id)
    seen = issue.not_seen_since is None or issue.not_seen_since <= batch.run_id
    sightings = {sighting.sighting: sighting for sighting in issue.sightings}
    for key, new in filing.sightings.items():
        held = sightings.get(key)
        if held is None:
            sightings[key] = replace(new, seen=seen)
        elif held.last_run > batch.run_id or (not held.seen and later > batch.run_id):
            sightings[key] = replace(held, first_run=min(held.first_run, batch.run_id))
        else:
            sightings[key] = renewed(held, new)
    first_run, last_run = min(issue.first_run, batch.run_id), max(issue.last_run, batch.run_id)
    return with_sightings(replace(issue, first_run=first_run, last_run=last_run), sightings.values())


def _new_issue(filing: _Filing, run_id: str) -> Issue:
    finding, shot = filing.finding, filing.shot
    return Issue(
        issue=issue_key(finding, shot),
        target=shot.target,
        place=place_of(finding, shot),
        state=shot.state,
        platform=shot.platform,
        category=finding.category,
        attribute=finding.attribute,
        region=finding.region,
        severity=finding.severity,
        title=finding.title,
        problem=finding.problem,
        expected=finding.expected,
        observed=finding.observed,
        first_run=run_id,
        last_run=run_id,
    )


def _without_the_unseen(issue: Issue, filing: _Filing | None, batch: JudgedBatch) -> Issue:
    """The issue with those sightings marked that this batch, by rule 3, no longer sees."""
    here = () if filing is None else filing.sightings
    gone = {
        sighting.sighting
        for sighting, shot in _on(issue, batch.shots)
        if sighting.seen
        and sighting.last_run <= batch.run_id
        and sighting.sighting not in here
        and (shot.picture, shot.facts) != (sighting.picture, sighting.facts)
        and any(reach.covers(sighting.oracle, issue.category, shot.shot_id) for reach in batch.reaches)
    }
    if not gone:
        return issue
    sightings = (replace(s, seen=False) if s.sighting in gone else s for s in issue.sightings)
    return with_sightings(issue, sightings, run_id=batch.run_id)


def _on(issue: Issue, shots: Iterable[Shot]) -> list[tuple[Sighting, Shot]]:
    """The issue's sightings with the shot that shows the same view at the same form factor and scheme."""
    by_place = {(shot.view, shot.form_factor, shot.scheme): shot for shot in shots}
    found = []
    for sighting in issue.sightings:
        view = View(target=issue.target, platform=issue.platform, route=sighting.route, state=issue.state)
        shot = by_place.get((view, sighting.form_factor, sighting.scheme))
        if shot is not None:
            found.append((sighting, shot))
    return found


def _happening(issue: Issue, run_id: str) -> Happening:
    """Read from where the issue stands, so that a batch merged again says the same."""
    if issue.status in SUPPRESSED_STATUSES:
        return "suppressed"
    if issue.status == "blocked":
        return "blocked"
    if issue.reopened_run == run_id:
        return "reopened"
    return "new" if issue.first_run == run_id else "refreshed"
