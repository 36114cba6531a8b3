"""What can be wrong with a store and with no bundle of it: what its rows say beside the bytes that the chain covers.

Answers for, in order:
1. The columns of the chain, of its records and of its replies' depths say what the entry's bytes say.
2. Each record has a link; each batch that names a record finds it, and finds one about the very view that was judged; a
   record in which dissents were weighed is about the record that it stands beside.
3. The replies of later runs, which no link marks, have the digests they go by, or were dropped on purpose.
4. What a signed envelope says of a run (times, spend, its records and their replies) is what the store says of it.

Declines to look at what the chain covers: that is the audit's, of a store and of a bundle alike.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import fields
from typing import Any, Final

import msgspec
from msgspec import UNSET, Struct, UnsetType
from msgspec.json import Decoder

from bicameral.canonical import DialogRecord, read_record, sha256_digest
from bicameral.errors import InputError, RecordError, UnrecordableError
from bicameral.model.evidence import View
from bicameral.model.witnessing import Problem
from bicameral.runtime.signing import run_as_kept
from bicameral.runtime.witnessing.charges import charge_of, is_adjudication, view_members
from bicameral.storage import LinkColumns, Reader
from bicameral.witness.keys import PublicKey
from bicameral.witness.signing import check_envelope, follow_rotations
from bicameral.witness.statement import HeadStatement, SignedRun


class _Mark(Struct, rename="camel", gc=False):
    chain_depth: int | None
    about: str | UnsetType = UNSET


class _Entry(Struct, rename="camel", gc=False):
    seq: int
    previous: str | None
    record_digest: str
    dialog_id: str
    replies: list[_Mark]


_entry = Decoder(_Entry).decode
_UNREADABLE: Final = (msgspec.DecodeError, RecursionError, ValueError, TypeError)
_LATER: Final = ("finished_at", "exit_status")
"""Null where a run was signed before it was closed."""


def store_problems(reader: Reader, keys: Sequence[PublicKey] = ()) -> Iterator[Problem]:
    """Every problem of the four kinds above. keys: those that the reader pinned; without one nothing is known of 4."""
    for columns in reader.link_columns():
        yield from _column_problems(columns)
    for digest in reader.unlinked_records():
        yield Problem(where=f"records[{digest}]", what="No entry of the chain names it: one was dropped.")
    for run_id, position, digest in reader.lost_records():
        what = f"The record that it names is not there: {digest}."
        yield Problem(where=f"runs[{run_id}].views[{position}]", what=what, kind="missing")
    for digest, body, views, parents in reader.judged_views():
        yield from _view_problems(reader, digest, body, views, parents)
    yield from _later_replies(reader)
    yield from _signed_run_problems(reader, keys)


def _column_problems(columns: LinkColumns) -> Iterator[Problem]:
    """A row of the chain has the hash and the record of its bytes in columns of their own, by which it is found."""
    link = columns.link
    if link.body is None:
        return
    where = f"entries[{link.seq}]"
    if sha256_digest(link.body) != link.entry:
        yield Problem(where=where, what=f"It is kept under {link.entry}, which is not the hash of its bytes.")
    try:
        entry = _entry(link.body)
    except _UNREADABLE:
        return  # the audit tells what is wrong with its bytes
    if entry.record_digest != link.record:
        yield Problem(where=where, what=f"It is kept for the record {link.record}, which its bytes do not name.")
    kept = {"seq": link.seq, "previous": link.previous or None, "dialogId": columns.dialog_id}
    said = {"seq": entry.seq, "previous": entry.previous, "dialogId": entry.dialog_id}
    for name in said:
        if kept[name] != said[name] and (name != "dialogId" or columns.dialog_id is not None):
            yield Problem(where=f"{where}.{name}", what=f"It is kept as {kept[name]}; its bytes say {said[name]}.")
    if all(mark.about is not UNSET for mark in entry.replies):  # the first form marks spoken replies alone
        yield from _depth_problems(where, columns.depths, [mark.chain_depth for mark in entry.replies])


def _depth_problems(where: str, kept: Sequence[int | None], said: Sequence[int | None]) -> Iterator[Problem]:
    for number, (one, other) in enumerate(zip(kept, said, strict=False)):  # the audit counts them
        if one != other:
            what = f"Its reply is kept as one of turn {one}; the entry says {other}."
            yield Problem(where=f"{where}.replies[{number}].chainDepth", what=what)


def _view_problems(
    reader: Reader, digest: str, body: bytes, views: Sequence[View], parents: Collection[str]
) -> Iterator[Problem]:
    """What a batch says that a record is about, against the record."""
    where = f"records[{digest}]"
    try:
        charge = charge_of(read_record(body))
    except RecordError:
        return  # the audit tells what is wrong with it
    about = view_members(charge)
    for view in views:
        if about != view:
            yield Problem(where=where, what=f"A run has it for the view {view}, which it is not about.")
    weighed = charge.get("parent") if charge is not None and is_adjudication(charge) else None
    for parent in sorted(parents):
        if weighed is None or weighed != _wire_digest(reader, parent):
            yield Problem(where=where, what=f"A run has it for the dissents of {parent}, which it is not about.")


def _wire_digest(reader: Reader, digest: str) -> str | None:
    row = reader.record(digest)
    try:
        record = None if row is None else read_record(row.body)
    except RecordError:
        return None
    return sha256_digest(record.wire_key.encode("utf-8", "surrogatepass")) if isinstance(record, DialogRecord) else None


def _later_replies(reader: Reader) -> Iterator[Problem]:
    redacted = {one.digest for one in reader.redactions() if one.kind == "reply"}
    for record, run_id, position, reply in reader.unmarked_replies():
        where = f"records[{record}].runs[{run_id}].replies[{position}]"
        if reply.body is None:
            if reply.digest not in redacted:
                yield Problem(where=where, what="Its text is neither here nor redacted.", kind="missing")
        elif sha256_digest(reply.body) != reply.digest:
            yield Problem(where=where, what=f"Its text does not have the digest {reply.digest}.")


def _signed_run_problems(reader: Reader, keys: Sequence[PublicKey]) -> Iterator[Problem]:
    if not keys:
        return
    trusted, _ = follow_rotations(reader.envelopes(kind="rotation"), keys)
    for envelope in reader.envelopes(kind="head"):
        checked = check_envelope(envelope.body, trusted)
        statement = checked.statement
        if checked.verdict != "good" or not isinstance(statement, HeadStatement) or statement.run is None:
            continue
        where = f"runs[{statement.run.run_id}]"
        try:
            kept = run_as_kept(reader, statement)
        except (InputError, RecordError, UnrecordableError) as error:
            yield Problem(where=where, what=f"It was signed, and cannot be read from the store: {error.message}")
            continue
        yield from _run_problems(where, statement.run, kept)


def _run_problems(where: str, signed: SignedRun, kept: SignedRun) -> Iterator[Problem]:
    for field in fields(SignedRun):
        said, found = getattr(signed, field.name), getattr(kept, field.name)
        if said == found or (field.name in _LATER and said is None):
            continue
        if field.name == "records":
            what = "Its records and their replies are not those that were signed when it ended."
        else:
            what = f"It is kept as {_shown(found)}; when it ended {_shown(said)} was signed."
        yield Problem(where=f"{where}.{field.name}", what=what)


def _shown(value: object) -> str:
    members: Mapping[str, Any] | None = getattr(value, "__dict__", None)
    return str(value) if members is None else ", ".join(f"{name} {one}" for name, one in members.items())
