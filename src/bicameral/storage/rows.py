"""What a store holds beside issues, as frozen values; what no store may hold; and what is said of a damaged row.

Ids, times and digests are handed in; nothing here makes one.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Hashable, Mapping
from dataclasses import dataclass, field, is_dataclass
from functools import lru_cache
from types import UnionType
from typing import Any, Final, Literal, TypeVar, Union, cast, get_args, get_origin, get_type_hints

from sqlalchemy import RowMapping

from bicameral.canonical import canonical_json
from bicameral.canonical.plain import encodable
from bicameral.errors import RecordError, StoreError, UnrecordableError
from bicameral.model.evidence import View
from bicameral.model.judging import RawReply, Spend
from bicameral.model.plain import read_plain, to_plain
from bicameral.model.vocabulary import Finish, ReplyState, Task

T = TypeVar("T")


@dataclass(frozen=True, kw_only=True)
class RunRow:
    """One run. finished_at and exit_status are None while it goes on, and for ever where it was killed.

    run_id: ids sort in the order the runs began.  roster: as the caller writes it, e.g. `axe+layout:1, pixels:1`.
    started_at, finished_at: RFC 3339 in UTC.  The report's bytes are asked for by themselves: `Reader.report`.
    """

    run_id: str
    project: str
    roster: str
    started_at: str
    program_version: str
    finished_at: str | None = None
    exit_status: int | None = None
    spend: Spend = field(default_factory=Spend)


@dataclass(frozen=True, kw_only=True)
class BatchRow:
    """One view of a run. record: digest of its record, None where the view could not be judged.

    body: whatever the caller needs in order to say later what became of it; opaque here.
    adjudication: digest of the child record in which its disputes and amendments were weighed, None where none was.
    """

    run_id: str
    position: int
    view: View
    record: str | None = None
    body: bytes = b""
    adjudication: str | None = None


@dataclass(frozen=True, kw_only=True)
class RecordRow:
    """One immutable record, named by its digest. body: its canonical bytes."""

    digest: str
    dialog_id: str
    solver_type: str
    body: bytes


@dataclass(frozen=True, kw_only=True)
class ReplyRow:
    """A raw reply beside the record that it led to. depth: of the turn that was read from it, None where none was.

    reported: canonical JSON of all else that its adapter and its request said (parts, reads, meta, which half, ...).
    body: the reply in UTF-8, None where it was dropped later; the digest stays.
    """

    depth: int | None
    handle: str
    model: str
    task: Task
    finish: Finish
    state: ReplyState
    digest: str
    body: bytes | None
    reported: str = "{}"


_OWN_COLUMNS: Final = ("handle", "model", "task", "finish", "state", "digest")


def reply_row(raw: RawReply, *, depth: int | None) -> ReplyRow:
    """The row of a reply, with nothing of it left out. depth: as in ReplyRow."""
    rest = {name: value for name, value in to_plain(raw).items() if name not in (*_OWN_COLUMNS, "text")}
    return ReplyRow(
        depth=depth,
        **{name: getattr(raw, name) for name in _OWN_COLUMNS},
        body=raw.text.encode("utf-8"),
        reported=canonical_json(rest).decode(),
    )


def about_of(row: ReplyRow) -> bytes:
    """Canonical JSON of all that is known of a reply but its text and digest, as its link in the chain marks it."""
    return _about(row.reported, tuple((name, getattr(row, name)) for name in _OWN_COLUMNS if name != "digest"))


@lru_cache(maxsize=1024)
def _about(reported: str, known: tuple[tuple[str, str], ...]) -> bytes:
    """Remembered, for most replies of a store say the same of themselves: a million turns are gone through.

    Of member names in ASCII, and texts and whole numbers, sorted compact JSON is RFC 8785.
    """
    rest = stored_json(reported, "raw reply")
    members = {**(rest if isinstance(rest, dict) else {}), **dict(known)}
    if reported.isascii() and "." not in reported:
        return json.dumps(members, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()
    return canonical_json(members)


def raw_of(row: ReplyRow) -> RawReply | None:
    """The reply of a row, equal to the one that it was made of; None where its text was dropped.

    Raises StoreError for a row that is damaged.
    """
    if row.body is None:
        return None
    rest = stored_json(row.reported, "raw reply")
    columns = {name: getattr(row, name) for name in _OWN_COLUMNS}
    text = row.body.decode("utf-8", "replace")  # the digest tells whether it is what came
    return stored(RawReply, {**(rest if isinstance(rest, dict) else {}), **columns, "text": text}, "raw reply")


def row_of(kind: type[T], members: Mapping[str, Any] | RowMapping, what: str) -> T:
    """A `kind` of a row's columns, each of the type that the kind says: SQLite keeps any value in any column.

    Raises StoreError, naming `what` is damaged and the column, for a value of another type.
    """
    for name, types in _types_of(cast("Hashable", kind)):
        value = members[name]
        if not isinstance(value, types):
            raise _damaged(what, f"its {name} is kept as {type(value).__name__}")
    return kind(**members)


@lru_cache(maxsize=64)
def _types_of(kind: Hashable) -> tuple[tuple[str, tuple[type, ...]], ...]:
    return tuple((name, _plain_types(hint)) for name, hint in get_type_hints(cast("type", kind)).items())


def _plain_types(hint: Any) -> tuple[type, ...]:
    if get_origin(hint) in (Union, UnionType):
        return tuple(one for part in get_args(hint) for one in _plain_types(part))
    plain = get_origin(hint) or hint
    return (str,) if plain is Literal else (plain,)


def stored_json(text: object, what: str) -> Any:
    """The value of a JSON text that a row holds. Raises StoreError, naming `what` is damaged, where it is none."""
    try:
        if isinstance(text, str):
            return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise _damaged(what, error) from error
    raise _damaged(what, f"{type(text).__name__} where a text was expected")


def stored(kind: type[T], value: object, what: str) -> T:
    """A `kind` of the plain value that a row holds. Raises StoreError, naming `what` is damaged, where it is none."""
    try:
        return read_plain(kind, value, f"a stored {what}", closed=False)
    except RecordError as error:
        raise _damaged(what, error.message) from error


def known_word(word: str, words: Collection[str], what: str) -> None:
    """Raise StoreError where a row holds a word that is not of its vocabulary."""
    if word not in words:
        raise _damaged(what, f"there is no {word!r}")


def _damaged(what: str, how: object) -> StoreError:
    return StoreError(
        f"The store holds a damaged {what}: {how}.",
        mend="Move the store aside, run again, and read your last export back with `bicameral backlog import`.",
    )


@dataclass(frozen=True, kw_only=True)
class ChainEntry:
    """One link: the order in which records came in. seq counts up by one; entry is a hash over previous and record.

    run_id: the run whose replies the link marks.  body: the bytes that `entry` is the hash of, None in a store of the
    first version where they could not be derived.  outcome: the bytes of what the dialogue came to, None for none.
    """

    seq: int
    previous: str
    entry: str
    record: str
    run_id: str | None = None
    body: bytes | None = None
    outcome: bytes | None = None


def keepable(value: object, where: str) -> None:
    """Raise UnrecordableError, naming the place, where a text anywhere in the value cannot be kept.

    A NUL character cannot be in a PostgreSQL text, a lone surrogate in no UTF-8. where: the value's own name.
    """
    if isinstance(value, str):
        if "\0" in value:
            raise UnrecordableError(f"{where} holds a NUL character, which no store can keep.", mend="Take it out.")
        if not value.isascii() and not encodable(value):
            raise UnrecordableError(f"{where} holds half a character (a lone surrogate).", mend="Take it out.")
    elif is_dataclass(value) and not isinstance(value, type):
        for name, member in vars(value).items():
            if member is not None:
                keepable(member, f"{where}.{name}")
    elif isinstance(value, Mapping):
        for name, member in value.items():
            keepable(name, f"a member's name in {where}")
            keepable(member, f"{where}.{name}")
    elif isinstance(value, list | tuple):
        for index, item in enumerate(value):
            keepable(item, f"{where}[{index}]")
