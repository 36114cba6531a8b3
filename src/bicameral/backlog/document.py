"""The backlog as one document that a team can commit.

Answers for: the same issues, the same bytes; a document that reads well in a diff; what was written is read back equal.
Declines to merge: what a document means for a store that holds issues already is `combine`'s.

Rules, in order:
1. `{"issues": [...], "type": "bicameral.backlog.v1"}` in UTF-8, two blanks a level, members in order of their names,
   a line break at the end. Issues come by target, place, state, platform, category, attribute.
2. Nothing in it names a machine, and its only times are those at which people ruled.
3. A document is read whole or not at all. Every fault is told at once, with its path: shape, unknown and repeated
   members, keys that their own parts do not give, a status that its rulings do not give, two issues of one key, NUL.
4. A contradiction is a fault too, for no store of ours makes one: an issue that nobody has seen, whose severity and
   words are not its sightings', or that is not seen while one of them is; a dispute or amendment without its account;
   a last run before the first.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Final, Literal, NoReturn

from bicameral.backlog._sightings import with_sightings
from bicameral.backlog.rulings import faults_of, standing_status
from bicameral.canonical import canonical_json
from bicameral.errors import RecordError, UnrecordableError
from bicameral.model.backlog import Issue, Sighting
from bicameral.model.identity import key_of_issue, key_of_sighting
from bicameral.model.plain import plain_faults, refuse, to_plain

BACKLOG_V1: Final = "bicameral.backlog.v1"

DISSENTS: Final = frozenset({"dispute", "amend"})

FOUND_SHOWN: Final = 40

NOTHING_CHANGED: Final = "Nothing was imported: mend the document, or export it anew."


@dataclass(frozen=True, kw_only=True)
class _Document:
    type: Literal["bicameral.backlog.v1"]
    issues: tuple[Issue, ...]


def export_document(issues: Iterable[Issue]) -> bytes:
    """The document that holds these issues, in whatever order they come.

    Raises UnrecordableError, naming the place, for a text that UTF-8 or a store cannot hold.
    """
    ordered = sorted(issues, key=_order)
    plain = {"type": BACKLOG_V1, "issues": [to_plain(issue) for issue in ordered]}
    for where in _nuls(plain, ""):
        raise UnrecordableError(f"{where} holds a NUL character, which no store can keep.")
    # Through the canonical form, so that 1.0 and 1 are written alike and what JSON cannot say is named by its place.
    same = json.loads(canonical_json(plain))
    return (json.dumps(same, indent=2, sort_keys=True, ensure_ascii=False) + "\n").encode()


def read_document(body: bytes, *, name: str = "the backlog document") -> tuple[Issue, ...]:
    """The issues of a document, in its order.

    name: how messages name it, a file's name say.  Raises RecordError with every fault, each with its path.
    """
    value = _parsed(body, name)
    document, shape_faults = plain_faults(_Document, value)
    faults = [str(fault) for fault in shape_faults]
    faults += (f"{where}: holds a NUL character, which no store can keep" for where in _nuls(value, ""))
    try:
        canonical_json(value)
    except UnrecordableError as error:
        faults.append(error.message)
    if document is not None:
        faults += _faults(document.issues)
    refuse(name, faults, mend=NOTHING_CHANGED)
    assert document is not None  # no fault means a document
    return document.issues


def _order(issue: Issue) -> tuple[str, ...]:
    place = (issue.target, issue.place, issue.state, issue.platform, issue.category, issue.attribute)
    return (*place, issue.issue)


class _Broken(ValueError):
    pass


def _parsed(body: bytes, name: str) -> Any:
    """The JSON value of the bytes, a byte order mark forgiven. Raises RecordError."""
    try:
        return json.loads(body.decode("utf-8-sig"), object_pairs_hook=_members, parse_constant=_no_constant)
    except UnicodeDecodeError as error:
        raise RecordError(f"{name} is not UTF-8 at byte {error.start}.", mend=NOTHING_CHANGED) from error
    except json.JSONDecodeError as error:
        mend = NOTHING_CHANGED
        if "<<<<<<<" in error.doc:
            mend = "It holds a merge conflict: settle that first. Nothing was imported."
        where = f"line {error.lineno}, column {error.colno}"
        raise RecordError(f"{name} is not JSON at {where}: {error.msg}.", mend=mend) from error
    except RecursionError as error:
        raise RecordError(f"{name} is nested too deeply.", mend=NOTHING_CHANGED) from error
    except ValueError as error:
        raise RecordError(f"{name}: {error}.", mend=NOTHING_CHANGED) from error


def _members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) < len(pairs):
        twice = next(member for member, count in Counter(member for member, _ in pairs).items() if count > 1)
        raise _Broken(f"the member {twice!r} stands twice in one object")
    return members


def _no_constant(word: str) -> NoReturn:
    raise _Broken(f"{word} is not a JSON value")


def _nuls(value: Any, path: str) -> Iterator[str]:
    """The paths of texts that hold a NUL."""
    if isinstance(value, str):
        if "\0" in value:
            yield path
    elif isinstance(value, dict):
        for member, below in value.items():
            yield from _nuls(member, f"a member's name in {path or 'the document'}")
            yield from _nuls(below, f"{path}.{member}" if path else member)
    elif isinstance(value, list):
        for index, below in enumerate(value):
            yield from _nuls(below, f"{path}[{index}]")


def _faults(issues: tuple[Issue, ...]) -> Iterator[str]:
    first: dict[str, int] = {}
    for index, issue in enumerate(issues):
        here = f"issues[{index}]"
        if issue.issue in first:
            yield f"{here}.issue: {issue.issue} is already issues[{first[issue.issue]}]"
        first.setdefault(issue.issue, index)
        yield from (f"{here}.{fault}" for fault in _issue_faults(issue))


def _issue_faults(issue: Issue) -> Iterator[str]:
    key = key_of_issue(issue)
    if issue.issue != key:
        yield f"issue: {issue.issue!r}, but its target, place, state, platform, category and attribute give {key}"
    if issue.region != "content" and issue.place != f"[{issue.region}]":
        yield f"place: {issue.place!r}, but its region gives [{issue.region}]"
    if issue.reopened < 0:
        yield f"reopened: {issue.reopened}, but it counts from 0"
    elif (issue.reopened > 0) != (issue.reopened_run is not None):
        yield f"reopened_run: {issue.reopened_run!r}, but it was reopened {issue.reopened} times"
    status = standing_status(issue.rulings)
    reopened = issue.status == "open" and status == "fixed" and issue.reopened > 0
    if issue.status != status and not reopened:
        yield f"status: {issue.status}, but its rulings give {status}; use `bicameral backlog rule`"
    for index, ruling in enumerate(issue.rulings):
        if ruling.issue != issue.issue:
            yield f"rulings[{index}].issue: {ruling.issue!r} is another issue"
        yield from (f"rulings[{index}].{fault}" for fault in faults_of(ruling))
    yield from _run_faults(issue)
    yield from _drawn_faults(issue)
    yield from _sighting_faults(issue)


def _drawn_faults(issue: Issue) -> Iterator[str]:
    """Where an issue does not say what its sightings do."""
    if not issue.sightings:
        yield "sightings: none, but an issue is what somebody saw"
        return
    drawn = with_sightings(issue, issue.sightings)
    for member in ("severity", "title", "problem", "expected", "observed"):
        said, given = getattr(issue, member), getattr(drawn, member)
        if said != given:
            yield f"{member}: {_cut(said)}, but its sightings give {_cut(given)}"
    if any(sighting.seen for sighting in issue.sightings) != (issue.not_seen_since is None):
        seen = "one of its sightings is seen" if issue.not_seen_since is not None else "none of its sightings is seen"
        yield f"not_seen_since: {issue.not_seen_since!r}, but {seen}"


def _cut(text: str) -> str:
    return repr(text if len(text) <= FOUND_SHOWN else text[:FOUND_SHOWN] + "…")


def _run_faults(item: Issue | Sighting) -> Iterator[str]:
    if item.first_run > item.last_run:
        yield f"last_run: {item.last_run!r}, but its first_run {item.first_run!r} comes after it"


def _sighting_faults(issue: Issue) -> Iterator[str]:
    first: dict[str, int] = {}
    for index, sighting in enumerate(issue.sightings):
        here = f"sightings[{index}]"
        key = key_of_sighting(issue, sighting.form_factor, sighting.scheme)
        if sighting.issue != issue.issue:
            yield f"{here}.issue: {sighting.issue!r} is another issue"
        if sighting.sighting != key:
            yield f"{here}.sighting: {sighting.sighting!r}, but the issue, form factor and scheme give {key}"
        if sighting.sighting in first:
            yield f"{here}.sighting: already sightings[{first[sighting.sighting]}]"
        first.setdefault(sighting.sighting, index)
        if issue.region == "content" and sighting.route != issue.place:
            yield f"{here}.route: {sighting.route!r}, but the issue's place is {issue.place!r}"
        yield from (f"{here}.{fault}" for fault in (*_run_faults(sighting), *_account_faults(sighting)))


def _account_faults(sighting: Sighting) -> Iterator[str]:
    """What no judge can have said (DESIGN 2: a dispute or amendment carries its account; there are two rounds at
    most)."""
    for index, ruling in enumerate(sighting.rulings):
        if ruling.index < 0:
            yield f"rulings[{index}].index: {ruling.index}, but findings are numbered from 0"
        if ruling.verdict in DISSENTS and not any(note.strip() for note in ruling.notes):
            yield f"rulings[{index}].notes: none, but {ruling.verdict} carries its account"
    consensus = sighting.consensus
    if consensus is None:
        return
    if consensus.rounds not in (1, 2):
        yield f"consensus.rounds: {consensus.rounds}, but there are one or two"
    for member in ("disputed_by", "amended_by"):
        for index, dissent in enumerate(getattr(consensus, member)):
            here = f"consensus.{member}[{index}]"
            if not dissent.note.strip():
                yield f"{here}.note: empty, but a dissent carries its account"
            if dissent.adjudication is not None and not 0 <= dissent.adjudication.confidence <= 1:
                yield f"{here}.adjudication.confidence: {dissent.adjudication.confidence}, but it is from 0 to 1"
