"""The chain's rows with what hangs on them, read in one pass and one link at a time.

Answers for: flat memory however long the chain is, and no question asked of the database for each link. Declines to
say whether what is read is sound.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby
from typing import Any, Final

from sqlalchemy import Connection, Row, RowMapping, Select, and_, exists, func, null, select, union

from bicameral.model.evidence import View
from bicameral.storage._sql import chunks
from bicameral.storage.rows import ChainEntry, ReplyRow, row_of
from bicameral.storage.schema import batches, chain, raw_replies, records

FETCHED: Final = 20
"""Rows held at once where the database sends them in lots: a raw reply may have megabytes."""

VIEW_COLUMNS: Final = ("target", "platform", "route", "state")
_SMALL: Final = ("seq", "previous", "entry", "record", "run_id", "body")
_REPLY_FIELDS: Final = tuple(ReplyRow.__dataclass_fields__)
_REPLY: Final = tuple(raw_replies.c[name] for name in _REPLY_FIELDS)


@dataclass(frozen=True, kw_only=True)
class KeptRow:
    """A link with its record's bytes (None where the row is gone) and the replies of the run that it names."""

    link: ChainEntry
    record: bytes | None
    replies: tuple[ReplyRow, ...] = ()


def links(connection: Connection, last: int | None) -> Iterator[ChainEntry]:
    asked = select(chain).order_by(chain.c.seq)
    for row in _streamed(connection, asked if last is None else asked.where(chain.c.seq <= last)):
        yield link_of(row._mapping)


def kept_links(connection: Connection) -> Iterator[KeptRow]:
    """Two streams side by side, both in the order of the links."""
    asked = select(*chain.c, records.c.body.label("record_body"))
    linked = _streamed(connection, asked.outerjoin(records, records.c.digest == chain.c.record).order_by(chain.c.seq))
    of_link = and_(raw_replies.c.record == chain.c.record, raw_replies.c.run_id == chain.c.run_id)
    said = _streamed(
        connection,
        select(chain.c.seq, *_REPLY).join(raw_replies, of_link).order_by(chain.c.seq, raw_replies.c.position),
    )
    grouped = groupby(said, key=lambda row: row.seq)
    seq, found = next(grouped, (None, iter(())))
    for row in linked:
        members = dict(row._mapping)
        record = members.pop("record_body")
        replies: tuple[ReplyRow, ...] = ()
        if seq == row.seq:
            replies = tuple(reply_of(one) for one in found)
            seq, found = next(grouped, (None, iter(())))
        kept = {"link": link_of(members), "record": record, "replies": replies}
        yield row_of(KeptRow, kept, "record")


@dataclass(frozen=True, kw_only=True)
class LinkColumns:
    """A link beside what other columns say of it: those of its record's row (None where that is gone), and the depth of
    each reply, in order."""

    link: ChainEntry
    dialog_id: str | None
    solver_type: str | None
    depths: tuple[int | None, ...]


def link_columns(connection: Connection) -> Iterator[LinkColumns]:
    """Two streams side by side, as `kept_links`, without the large columns."""
    asked = select(*(chain.c[name] for name in _SMALL), records.c.dialog_id, records.c.solver_type)
    linked = _streamed(connection, asked.outerjoin(records, records.c.digest == chain.c.record).order_by(chain.c.seq))
    of_link = and_(raw_replies.c.record == chain.c.record, raw_replies.c.run_id == chain.c.run_id)
    said = _streamed(
        connection,
        select(chain.c.seq, raw_replies.c.depth)
        .join(raw_replies, of_link)
        .order_by(chain.c.seq, raw_replies.c.position),
    )
    grouped = groupby(said, key=lambda row: row.seq)
    seq, found = next(grouped, (None, iter(())))
    for row in linked:
        members = dict(row._mapping)
        named = {name: members.pop(name) for name in ("dialog_id", "solver_type")}
        depths: tuple[int | None, ...] = ()
        if seq == row.seq:
            depths = tuple(one.depth for one in found)
            seq, found = next(grouped, (None, iter(())))
        link = link_of({**members, "outcome": None})
        yield row_of(LinkColumns, {**named, "link": link, "depths": depths}, "link of the chain")


def judged_views(connection: Connection) -> Iterator[tuple[str, bytes, list[View], set[str]]]:
    """Each record that a batch names, with its bytes, the views that name it, and those that it is said to weigh."""
    of_view = [batches.c[name] for name in VIEW_COLUMNS]
    plain = select(batches.c.record.label("digest"), *of_view, null().label("parent"))
    child = select(batches.c.adjudication.label("digest"), *of_view, batches.c.record.label("parent"))
    plain, child = plain.where(batches.c.record.is_not(None)), child.where(batches.c.adjudication.is_not(None))
    named = union(plain, child).subquery()
    asked = select(named, records.c.body).join(records, records.c.digest == named.c.digest).order_by(named.c.digest)
    for digest, rows in groupby(_streamed(connection, asked), key=lambda row: row.digest):
        views: list[View] = []
        parents: set[str] = set()
        for row in rows:
            if row.parent is None:
                views.append(row_of(View, {name: getattr(row, name) for name in VIEW_COLUMNS}, "view of a run"))
            else:
                parents.add(row.parent)
            body = row.body
        yield digest, row_of(_Body, {"body": body}, "record").body, views, parents


@dataclass(frozen=True)
class _Body:
    body: bytes


def last_of(connection: Connection, digests: Collection[str]) -> int | None:
    found = [
        connection.execute(select(func.max(chain.c.seq)).where(chain.c.record.in_(some))).scalar()
        for some in chunks(sorted(set(digests)))
    ]
    return max((seq for seq in found if seq is not None), default=None)


def of_first_form(connection: Connection, digests: Collection[str] | None) -> bool:
    asked = select(chain.c.seq).join(batches, batches.c.record == chain.c.record).where(chain.c.outcome.is_(None))
    if digests is None:
        return connection.execute(asked.limit(1)).first() is not None
    some = chunks(sorted(set(digests)))
    return any(connection.execute(asked.where(chain.c.record.in_(part)).limit(1)).first() for part in some)


def unlinked(connection: Connection) -> Iterator[str]:
    # A join, because the database makes an index for one and none for a question asked of each row.
    asked = select(records.c.digest).outerjoin(chain, chain.c.record == records.c.digest).where(chain.c.seq.is_(None))
    for row in _streamed(connection, asked.order_by(records.c.digest)):
        yield row.digest


def lost(connection: Connection) -> Iterator[tuple[str, int, str]]:
    kept = exists().where(records.c.digest == batches.c.record)
    asked = select(batches.c.run_id, batches.c.position, batches.c.record).where(batches.c.record.is_not(None), ~kept)
    for row in _streamed(connection, asked.order_by(batches.c.run_id, batches.c.position)):
        yield row.run_id, row.position, row.record


def unmarked(connection: Connection) -> Iterator[tuple[str, str, int, ReplyRow]]:
    marks = and_(chain.c.record == raw_replies.c.record, chain.c.run_id == raw_replies.c.run_id)
    asked = select(raw_replies).outerjoin(chain, marks).where(chain.c.seq.is_(None))
    ordered = asked.order_by(raw_replies.c.record, raw_replies.c.run_id, raw_replies.c.position)
    for row in _streamed(connection, ordered):
        yield row.record, row.run_id, row.position, reply_of(row)


def reply_of(row: Row[Any]) -> ReplyRow:
    members = row._mapping
    return row_of(ReplyRow, {name: members[name] for name in _REPLY_FIELDS}, "raw reply")


def link_of(members: Mapping[str, Any] | RowMapping) -> ChainEntry:
    return row_of(ChainEntry, members, "link of the chain")


def _streamed(connection: Connection, asked: Select[Any]) -> Iterator[Row[Any]]:
    return iter(connection.execute(asked, execution_options={"stream_results": True, "max_row_buffer": FETCHED}))
