"""The record or dialog that a person means: a file's, a bundle's, a trace's, or one of the store's.

Rules, in order:
1. A path that is a file is read: a record or a dialog as JSON, the record in a trace, or the one record of a bundle.
2. `FILE/NAME`, where FILE is a bundle: its record of that name. `RUN/VIEW`: the record of a view in a run of the store.
3. Anything else is a name in the store: the start of a record's digest, dialog id or wire digest, or a view.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from bicameral.canonical import parse_json, sha256_digest
from bicameral.errors import InputError, RecordError
from bicameral.model.witnessing import KeptLink, KeptReply, Redaction
from bicameral.runtime.records import read_input, record_of
from bicameral.runtime.witnessing.naming import Named, names_of, record_called, records_of, run_called
from bicameral.runtime.witnessing.opening import STDIN, is_pipe, is_trace, kind_of, open_file, opened
from bicameral.runtime.witnessing.source import kept_reply
from bicameral.runtime.workspace import STORE_NAME, Workspace
from bicameral.settings import Settings
from bicameral.storage import Reader
from bicameral.witness.audit import Link
from bicameral.witness.bundle import read_bundle
from bicameral.witness.cael import record_of_trace


@dataclass(frozen=True, kw_only=True)
class Located:
    """A record, or a dialog made one. where: the place in words.  body: its bytes as they lie there.

    replies: the raw replies that its link marks, in order; None where the place keeps none (a file, a trace).
    redactions: those of what it names, by digest.
    """

    where: str
    body: bytes
    members: Mapping[str, Any]
    replies: tuple[KeptReply, ...] | None = None
    redactions: Mapping[str, Redaction] | None = None


def locate(settings: Settings, what: str, name: str | None = None) -> Located:
    """What a person means by a path or a name. name: of a record in a bundle or a store that `what` is the path of.

    Raises InputError for a name that fits none or several, RecordError for a file that holds no record and no dialog.
    """
    if not what:
        raise InputError("No record was named.", mend="`bicameral witness list` lists the records of a store.")
    if name is not None:
        return _within(settings, what, name)
    if what == STDIN or os.path.isfile(what):
        return _of_file(what)
    bundle, inside = _split_at_a_file(what)
    if bundle is not None:
        return _within(settings, bundle, inside)
    if os.path.isdir(what) or is_pipe(what):
        return _within(settings, what, None)
    if settings.database is None and not (settings.state_dir / STORE_NAME).is_file():
        raise InputError(
            f"{what} is no file, and there is no store in {settings.state_dir} in which it could be a name.",
            mend="Name a file, or with --state the folder of the store.",
        )
    with Workspace.open(settings, create=False) as space, space.store.read() as reader:
        run, slash, view = what.partition("/")
        if slash and view and (run == "latest" or any(known.run_id.startswith(run) for known in reader.runs() if run)):
            run_id = run_called(reader, run)
            return _of_store(reader, record_called(view, records_of(reader, run_id), f"run {run_id}"), run_id)
        return _of_store(reader, record_called(what, records_of(reader), "the store"))


def records_in(settings: Settings, what: str | None) -> list[Named]:
    """The records of a store or a bundle, in order. Raises InputError for a path that is neither."""
    if what is not None and kind_of(what) == "bundle":
        return [named for named, _ in _bundled(what)]
    with opened(settings, what) as deposit:
        assert deposit.reader is not None
        return records_of(deposit.reader)


def _within(settings: Settings, path: str, name: str | None) -> Located:
    kind = kind_of(path)
    if kind == "bundle" and path == STDIN:
        raise InputError("A record in a bundle on stdin would be read more than once.", mend="Save it as a file.")
    if kind == "store":
        with opened(settings, path) as deposit:
            assert deposit.reader is not None
            return _of_store(deposit.reader, _one(name, records_of(deposit.reader), path))
    if kind != "bundle":
        raise InputError(f"{path} is one record, which needs no name.", mend=f"Leave {name} out.")
    wanted = _one(name, [named for named, _ in _bundled(path)], path)
    link = next(kept for named, kept in _bundled(path) if named.digest == wanted.digest)
    assert link.record is not None
    return Located(
        where=path,
        body=link.record,
        members=_members(link.record, wanted.digest),
        replies=link.replies,
        redactions=_redactions_of_bundle(path),
    )


def _one(name: str | None, records: list[Named], where: str) -> Named:
    """The record of this name, or the only one there is."""
    if name is not None:
        return record_called(name, records, where)
    if len(records) == 1:
        return records[0]
    mend = f"Name one: {', '.join(one.view or one.digest for one in records[:4])}{', …' if len(records) > 4 else ''}"
    raise InputError(f"{where} holds {len(records)} records.", mend=mend if records else None)


def _bundled(path: str) -> Iterator[tuple[Named, KeptLink]]:
    """The links of a bundle that have their record, with its names."""
    with open_file(path) as file:
        for part in read_bundle(file):
            if isinstance(part, Link) and part.kept.record is not None:
                digest = sha256_digest(part.kept.record)
                try:
                    named = names_of(digest, part.kept.record)
                except RecordError:  # verifying tells what is wrong with it
                    named = Named(digest=digest, dialog_id="", wire_digest="", view="")
                yield named, part.kept


def _redactions_of_bundle(path: str) -> dict[str, Redaction]:
    with open_file(path) as file:
        return {part.digest: part for part in read_bundle(file) if isinstance(part, Redaction)}


def _of_store(reader: Reader, named: Named, run_id: str | None = None) -> Located:
    row = reader.record(named.digest)
    assert row is not None
    replies = reader.replies(named.digest, run_id) if run_id is not None else ()
    return Located(
        where="the store",
        body=row.body,
        members=_members(row.body, named.digest),
        replies=tuple(kept_reply(reply) for reply in replies or reader.replies(named.digest)),
        redactions={one.digest: one for one in reader.redactions()},
    )


def _of_file(path: str) -> Located:
    kind = kind_of(path)
    if kind == "bundle":
        return _within(Settings(), path, None)
    if kind == "store":
        raise InputError(f"{path} is a store.", mend="Name its folder with --state, and the record by its digest.")
    body = read_input(path)
    if kind == "trace" or is_trace(body):
        record = record_of_trace(body.splitlines())
        return Located(where=path, body=record.to_bytes(), members=record)
    return Located(where=path, body=body, members=_members(body, path))


def _members(body: bytes, what: str) -> Mapping[str, Any]:
    """The members of a record; of a dialog, those of its record."""
    value = parse_json(body, what=what)
    if not isinstance(value, Mapping):
        raise RecordError(f"{what} is no record: an object was expected.")
    return value if "solverType" in value else record_of(value, None)


def _split_at_a_file(what: str) -> tuple[str | None, str]:
    """`FILE/NAME` at the first slash before which a file stands: nothing lies below a file."""
    for at, character in enumerate(what):
        if character == "/" and at and os.path.isfile(what[:at]):
            return what[:at], what[at + 1 :]
    return None, what
