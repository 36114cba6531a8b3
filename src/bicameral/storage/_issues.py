"""Issues, their sightings and rulings as rows of three tables, and back.

Answers for: what was saved is read back equal, in the order it had. Declines to decide what becomes of an issue.

Rules, in order:
1. Saving replaces an issue, its sightings and its rulings, but never drops one: a caller who worked on a stale copy is
   stopped before it can undo what a person ruled.
2. Issues come by target, place, state, platform, category, attribute, key.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import fields
from typing import Any, Final, TypeVar

from sqlalchemy import Connection, Row, Select, Table, and_, delete, false, or_, select

from bicameral.canonical import canonical_json
from bicameral.errors import DefectError
from bicameral.model.backlog import HumanRuling, Issue, Sighting
from bicameral.model.evidence import Box, View
from bicameral.model.findings import Consensus, Ruling
from bicameral.model.plain import to_plain
from bicameral.model.vocabulary import CONFIDENCES, REGIONS, SEVERITIES, STATUSES
from bicameral.storage._sql import chunks, upsert
from bicameral.storage.rows import keepable, known_word, stored, stored_json
from bicameral.storage.schema import human_rulings, issues, sightings

T = TypeVar("T")

_NESTED: Final = ("sightings", "rulings")
_ISSUE: Final = tuple(field.name for field in fields(Issue) if field.name not in _NESTED)
_SIGHTING_TEXTS: Final = ("box", "acceptance", "consensus", "rulings")
_SIGHTING: Final = tuple(field.name for field in fields(Sighting) if field.name not in _SIGHTING_TEXTS)
_RULING: Final = tuple(field.name for field in fields(HumanRuling))
_ISSUE_WORDS: Final = {"region": frozenset(REGIONS), "severity": frozenset(SEVERITIES), "status": frozenset(STATUSES)}
_SIGHTING_WORDS: Final = {"severity": frozenset(SEVERITIES), "confidence": frozenset(CONFIDENCES)}

_ORDER: Final = tuple(
    issues.c[name] for name in ("target", "place", "state", "platform", "category", "attribute", "issue")
)


def all_issues(connection: Connection, *conditions: Any) -> tuple[Issue, ...]:
    """The issues that meet all the conditions on the table `issues`."""
    chosen = select(issues.c.issue).where(*conditions)
    of_issue = _grouped(
        connection, select(sightings).where(sightings.c.issue.in_(chosen)).order_by(sightings.c.position)
    )
    ruled = _grouped(
        connection, select(human_rulings).where(human_rulings.c.issue.in_(chosen)).order_by(human_rulings.c.position)
    )
    rows = connection.execute(select(issues).where(*conditions).order_by(*_ORDER))
    return tuple(_issue(row, of_issue.get(row.issue, []), ruled.get(row.issue, [])) for row in rows)


def issues_of(connection: Connection, keys: Iterable[str]) -> tuple[Issue, ...]:
    """Those of the keys that exist, in the order of issues."""
    found = [issue for some in chunks(sorted(set(keys))) for issue in all_issues(connection, issues.c.issue.in_(some))]
    return tuple(sorted(found, key=_order))


def keys_at(connection: Connection, views: Iterable[View]) -> set[str]:
    """Keys of the issues that have a sighting on one of the views."""
    places = [
        and_(
            issues.c.target == view.target,
            issues.c.platform == view.platform,
            issues.c.state == view.state,
            sightings.c.route == view.route,
        )
        for view in views
    ]
    joined = select(issues.c.issue).join(sightings, sightings.c.issue == issues.c.issue)
    return set(connection.execute(joined.where(or_(false(), *places))).scalars())


def save(connection: Connection, changed: Sequence[Issue]) -> None:
    """Write the issues. Raises UnrecordableError for a text no store can keep, DefectError for a stale copy."""
    for issue in changed:
        keepable(issue, f"issue {issue.issue}")
    keys = [issue.issue for issue in changed]
    seen = _grouped_by_issue(connection, sightings, keys)
    ruled = {key: _rulings(rows) for key, rows in _grouped_by_issue(connection, human_rulings, keys).items()}
    for issue in changed:
        _refuse_stale(issue, {row.sighting for row in seen.get(issue.issue, [])}, ruled.get(issue.issue, ()))
    upsert(connection, issues, [{name: getattr(issue, name) for name in _ISSUE} for issue in changed])
    upsert(connection, sightings, [row for issue in changed for row in _sighting_rows(issue)])
    # Rulings of a combined history may stand in another order, so they are written anew: all of them are at hand.
    ruled_anew = [issue for issue in changed if issue.rulings != ruled.get(issue.issue, ())]
    for some in chunks([issue.issue for issue in ruled_anew]):
        connection.execute(delete(human_rulings).where(human_rulings.c.issue.in_(some)))
    upsert(connection, human_rulings, [row for issue in ruled_anew for row in _ruling_rows(issue)])


def _refuse_stale(issue: Issue, seen: set[str], ruled: tuple[HumanRuling, ...]) -> None:
    lost = [ruling for ruling in ruled if ruling not in issue.rulings]
    gone = seen - {sighting.sighting for sighting in issue.sightings}
    if lost or gone:
        raise DefectError(
            f"Issue {issue.issue} was to be saved without {len(lost)} of its rulings and {len(gone)} of its sightings.",
            mend="Read, change and save an issue within one transaction.",
        )


def _sighting_rows(issue: Issue) -> Iterator[dict[str, Any]]:
    for position, sighting in enumerate(issue.sightings):
        row = {name: getattr(sighting, name) for name in _SIGHTING}
        yield row | {"position": position} | {name: _written(getattr(sighting, name)) for name in _SIGHTING_TEXTS}


def _ruling_rows(issue: Issue) -> Iterator[dict[str, Any]]:
    for position, ruling in enumerate(issue.rulings):
        yield {name: getattr(ruling, name) for name in _RULING} | {"position": position}


def _issue(row: Row[Any], seen: list[Row[Any]], ruled: list[Row[Any]]) -> Issue:
    for name, words in _ISSUE_WORDS.items():
        known_word(getattr(row, name), words, f"issue ({name})")
    return Issue(
        **{name: getattr(row, name) for name in _ISSUE},
        sightings=tuple(_sighting(one) for one in seen),
        rulings=_rulings(ruled),
    )


def _rulings(rows: Iterable[Row[Any]]) -> tuple[HumanRuling, ...]:
    return tuple(HumanRuling(**{name: getattr(row, name) for name in _RULING}) for row in rows)


def _sighting(row: Row[Any]) -> Sighting:
    for name, words in _SIGHTING_WORDS.items():
        known_word(getattr(row, name), words, f"sighting ({name})")
    return Sighting(
        **{name: getattr(row, name) for name in _SIGHTING},
        box=_one(Box, row.box),
        acceptance=tuple(stored(str, text, "acceptance") for text in _list(row.acceptance, "acceptance")),
        consensus=_one(Consensus, row.consensus),
        rulings=tuple(stored(Ruling, ruling, "ruling") for ruling in _list(row.rulings, "ruling")),
    )


def _one(kind: type[T], text: str | None) -> T | None:
    what = kind.__name__.lower()
    return None if text is None else stored(kind, stored_json(text, what), what)


def _list(text: str, what: str) -> list[Any]:
    found = stored_json(text, what)
    return found if isinstance(found, list) else [found]  # whose one element is then none of its kind


def _written(value: object) -> str | None:
    return None if value is None else canonical_json(to_plain(value)).decode()


def _grouped_by_issue(connection: Connection, table: Table, keys: Sequence[str]) -> dict[str, list[Row[Any]]]:
    """What is stored of each of the keys: the sightings' keys, or the rulings in their order."""
    columns = [table.c.issue, table.c.sighting] if table is sightings else [table.c[name] for name in _RULING]
    grouped: dict[str, list[Row[Any]]] = {}
    for some in chunks(keys):
        asked = select(*columns).where(table.c.issue.in_(some)).order_by(table.c.position)
        grouped |= _grouped(connection, asked)
    return grouped


def _grouped(connection: Connection, rows: Select[Any]) -> dict[str, list[Row[Any]]]:
    grouped: dict[str, list[Row[Any]]] = {}
    for row in connection.execute(rows):
        grouped.setdefault(row.issue, []).append(row)
    return grouped


def _order(issue: Issue) -> tuple[str, ...]:
    return tuple(getattr(issue, column.name) for column in _ORDER)


def matching(table: Table, **allowed: Collection[str] | None) -> list[Any]:
    """Conditions: each named column is one of the words, or anything where None is given."""
    return [table.c[name].in_(sorted(words)) for name, words in allowed.items() if words is not None]
