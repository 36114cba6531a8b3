"""Two backlogs into one: what importing a document into a store that holds issues means.

Answers for: an import that loses nothing and undoes nobody's ruling. Declines to choose between two people.

Rules, in order:
1. An issue that only one side has is taken whole.
2. Rulings are the union of both histories. Where one continues the other, the longer one gives the status. Where both
   went on from a common beginning and come to one status, they are put in the order of their times.
3. Where they come to different statuses it is a conflict: the import is refused, every conflict listed, and nothing
   changed, unless the caller says that the newest ruling decides.
4. With equal rulings, the side on which the issue was reopened more often gives the status.
5. Of two states of one sighting the later run's stands, runs being ordered by their ids; of one run's, the store's.
6. Importing into an empty store gives back what was exported; importing twice equals importing once.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TypeAlias

from bicameral.backlog._sightings import with_sightings
from bicameral.backlog.rulings import standing_status
from bicameral.errors import InputError
from bicameral.model.backlog import HumanRuling, Issue, Sighting
from bicameral.model.vocabulary import Status

Rulings: TypeAlias = tuple[HumanRuling, ...]


@dataclass(frozen=True, kw_only=True)
class Combined:
    """issues: those to be saved, as they now stand, by key: added and updated, and no others."""

    issues: tuple[Issue, ...]
    added: tuple[str, ...]
    updated: tuple[str, ...]
    unchanged: tuple[str, ...]


def combine(stored: Iterable[Issue], incoming: Iterable[Issue], *, newest_decides: bool = False) -> Combined:
    """Take `incoming`, a document's issues, into `stored`.

    stored: at least those of the same keys.  newest_decides: settle conflicting rulings by their times (of equal times,
    the store's) instead of refusing.  Raises InputError that lists every conflict.
    """
    held = {issue.issue: issue for issue in stored}
    changed: dict[str, Issue] = {}
    added: list[str] = []
    updated: list[str] = []
    unchanged: list[str] = []
    conflicts: list[str] = []
    for theirs in sorted(incoming, key=lambda issue: issue.issue):
        ours = held.get(theirs.issue)
        if ours is None:
            changed[theirs.issue] = theirs
            added.append(theirs.issue)
            continue
        if not newest_decides and _conflict(ours, theirs):
            conflicts.append(f"{theirs.issue}: here {_said(ours)}; there {_said(theirs)}")
            continue
        both = _both(ours, theirs)
        (unchanged if both == ours else updated).append(theirs.issue)
        if both != ours:
            changed[theirs.issue] = both
    if conflicts:
        raise InputError(
            f"{len(conflicts)} issues were ruled on differently here and in the document:\n  " + "\n  ".join(conflicts),
            mend="\nRule on them here as the document does, or the other way round. Nothing was imported.",
        )
    return Combined(
        issues=tuple(changed[key] for key in sorted(changed)),
        added=tuple(added),
        updated=tuple(updated),
        unchanged=tuple(unchanged),
    )


def _said(issue: Issue) -> str:
    ruling = next(ruling for ruling in reversed(issue.rulings) if not ruling.proposed)
    again = " and seen again since" if issue.status != ruling.status else ""
    return f"ruled {ruling.status} by {ruling.ruled_by} at {ruling.ruled_at}{again}"


def _both(ours: Issue, theirs: Issue) -> Issue:
    """One issue of two states of it."""
    rulings = _history(ours.rulings, theirs.rulings)
    more_often = theirs if theirs.reopened > ours.reopened else ours
    combined = replace(
        ours,
        rulings=rulings,
        status=_status(ours, theirs, rulings),
        reopened=more_often.reopened,
        reopened_run=more_often.reopened_run,
        first_run=min(ours.first_run, theirs.first_run),
        last_run=max(ours.last_run, theirs.last_run),
    )
    sightings = {sighting.sighting: sighting for sighting in ours.sightings}
    for sighting in theirs.sightings:
        held = sightings.get(sighting.sighting)
        sightings[sighting.sighting] = sighting if held is None else _later(held, sighting)
    if tuple(sightings.values()) == ours.sightings:
        return combined
    unseen_since = ours.not_seen_since or theirs.not_seen_since
    return with_sightings(replace(combined, not_seen_since=unseen_since), sightings.values(), run_id=combined.last_run)


def _later(ours: Sighting, theirs: Sighting) -> Sighting:
    first_run = min(ours.first_run, theirs.first_run)
    return replace(theirs if theirs.last_run > ours.last_run else ours, first_run=first_run)


def _history(mine: Rulings, other: Rulings) -> Rulings:
    """Both histories as one: what they share, then both tails by time, each in its own order, the store's last."""
    if set(other) <= set(mine):
        return mine
    if set(mine) <= set(other):
        return other
    shared = _shared(mine, other)
    left = [*mine[shared:]]
    right = [ruling for ruling in other[shared:] if ruling not in left]
    merged = [*mine[:shared]]
    while left and right:
        merged.append((right if _instant(right[0]) <= _instant(left[0]) else left).pop(0))
    return (*merged, *left, *right)


def _status(ours: Issue, theirs: Issue, rulings: Rulings) -> Status:
    """The status on the side that made the last ruling; where both did, on the one reopened more often."""
    last = _last_made(rulings)
    here, there = _last_made(ours.rulings) == last, _last_made(theirs.rulings) == last
    if here and there:
        return (theirs if theirs.reopened > ours.reopened else ours).status
    return ours.status if here else theirs.status if there else standing_status(rulings)


def _conflict(ours: Issue, theirs: Issue) -> bool:
    """Whether people went on from what both sides share and came to different ends."""
    shared = _shared(ours.rulings, theirs.rulings)
    here, there = _made(ours.rulings[shared:]), _made(theirs.rulings[shared:])
    continued = set(there) <= set(here) or set(here) <= set(there)
    return not continued and ours.status != theirs.status


def _shared(mine: Rulings, other: Rulings) -> int:
    """How many rulings both begin with."""
    pairs = enumerate(zip(mine, other, strict=False))
    return next((index for index, (one, two) in pairs if one != two), min(len(mine), len(other)))


def _made(rulings: Rulings) -> Rulings:
    return tuple(ruling for ruling in rulings if not ruling.proposed)


def _last_made(rulings: Rulings) -> HumanRuling | None:
    made = _made(rulings)
    return made[-1] if made else None


def _instant(ruling: HumanRuling) -> str:
    """A time that sorts: without the Z, a whole second comes before its own fractions."""
    return ruling.ruled_at.rstrip("Z")
