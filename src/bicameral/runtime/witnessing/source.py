"""A store as a stream of parts, from one state of it, in memory one link at a time.

Answers for: what an audit reads of a store is what a bundle of it holds, so that both are checked by one engine.
Declines to check anything.

Rules, in order:
1. All rows come from one read transaction, the caller's: writers go on meanwhile and are not seen.
2. Links come in order. Of a whole store each has its record, its outcome and the replies that it marks. Of a run those
   up to the run's last come, and on to the next one that a signature names; only the run's own have more than their
   entry.
3. Then the blobs that the charges of those records name, by digest; redactions; envelopes; the end.
4. A blob that was redacted does not come, though its file be there still (a crash came between), unless it was captured
   anew since. One that is redacted while this goes on is found among the newer redactions: it is never called missing.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import BinaryIO, Final

from bicameral.errors import InputError, StoreError
from bicameral.model.witnessing import Envelope, KeptLink, KeptReply, Redaction
from bicameral.runtime.witnessing.charges import evidence_of
from bicameral.runtime.witnessing.wanted import Wanted
from bicameral.runtime.workspace import Workspace
from bicameral.storage import KeptRow, Reader, ReplyRow, about_of
from bicameral.witness.audit import Blob, End, Header, Link, Part

CHUNK_BYTES: Final = 1024 * 1024


def parts_of_store(space: Workspace, reader: Reader, run_id: str | None = None) -> Iterator[Part]:
    """The whole store, or what a reader of one run needs. The reader is to stay open while this is gone through.

    Raises InputError for a run that left no record, and StoreError for one whose records stand in no chain.
    """
    own = None if run_id is None else frozenset(record_digests(reader, run_id))
    last = None if own is None or run_id is None else _last_link(reader, own, run_id)
    yield Header(runs=() if run_id is None else (run_id,), instructions=not reader.is_of_first_form(own))
    head: str | None = None
    count = 0
    said: set[str] = set()
    with Wanted() as wanted:
        for row in reader.kept_links() if own is None else _links_of_run(reader, own, last):
            kept = kept_link(row)
            if kept.record is not None:
                wanted.add(evidence_of(kept.record))
            if own is not None:
                said.update(reply.digest for reply in kept.replies)
            head, count = row.link.entry, count + 1
            yield Link(kept=kept)
        known = list(reader.redactions())
        absent: set[str] = set()
        yield from _blobs(space, wanted, known, absent)
        for redaction in _with_newer(space, known, absent):
            if own is None or redaction.digest in said or redaction.digest in wanted:
                yield redaction
    yield from _envelopes(reader, last)
    yield End(entries=count, head=head)


def record_digests(reader: Reader, run_id: str) -> Iterator[str]:
    """The records of a run's views, each followed by the one in which its dissents were weighed."""
    for batch in reader.batches(run_id):
        yield from (digest for digest in (batch.record, batch.adjudication) if digest is not None)


def kept_link(row: KeptRow) -> KeptLink:
    """A link with all that the store holds of it, its replies in the order of the entry's marks."""
    entry = row.link.body or b""
    of_first_form = row.link.outcome is None and b'"about":' not in entry  # it marks only replies that a turn is of
    return KeptLink(
        entry=entry,
        record=row.record,
        outcome=row.link.outcome,
        replies=tuple(kept_reply(reply) for reply in row.replies if reply.depth is not None or not of_first_form),
    )


def kept_reply(row: ReplyRow) -> KeptReply:
    return KeptReply(digest=row.digest, about=about_of(row), text=row.body)


def _last_link(reader: Reader, own: Collection[str], run_id: str) -> int:
    """The number of the last link that a reader of the run needs: its own last, or the next that was signed."""
    if not own:
        raise InputError(
            f"The run {run_id} left no record: none of its views was judged.",
            mend="`bicameral witness list` lists the records there are.",
        )
    last = reader.last_link(own)
    if last is None:
        raise StoreError(f"The records of run {run_id} stand in no chain.", mend="Run `bicameral witness verify`.")
    signed: dict[int, bool] = {}
    for envelope in reader.envelopes():
        number = reader.link_number(envelope.subject) if envelope.kind == "head" else None
        if number is not None and number >= last:
            signed[number] = signed.get(number, False) or envelope.run_id == run_id
    by_itself = [number for number, is_own in signed.items() if is_own]
    return min(by_itself or signed, default=last)


def _links_of_run(reader: Reader, own: Collection[str], last: int | None) -> Iterator[KeptRow]:
    """Every link as its entry alone, but the run's own."""
    for link in reader.chain(last=last):
        if link.record not in own:
            yield KeptRow(link=replace(link, outcome=None), record=None)
            continue
        row = reader.record(link.record)
        replies = () if link.run_id is None else reader.replies(link.record, link.run_id)
        yield KeptRow(link=link, record=None if row is None else row.body, replies=replies)


def _blobs(space: Workspace, wanted: Wanted, known: list[Redaction], absent: set[str]) -> Iterator[Blob]:
    """What is wanted and there; what is not there and not known as redacted is put into `absent`."""
    redacted = {one.digest: one.redacted_at for one in known if one.kind == "evidence"}
    for digest in wanted:
        place = space.evidence.find(digest)
        if place is not None and (digest not in redacted or is_newer(place, redacted[digest])):
            with suppress(FileNotFoundError), _opened(place) as file:  # redacted in this very moment
                yield Blob(digest=digest, size=os.fstat(file.fileno()).st_size, chunks=_chunks(file))
                continue
        if digest not in redacted:
            absent.add(digest)


def is_newer(place: Path, redacted_at: str) -> bool:
    """Whether a file was written after the redaction: it is a new capture, and not one that a crash left behind."""
    try:
        return place.stat().st_mtime >= datetime.fromisoformat(redacted_at).timestamp()
    except (OSError, ValueError):
        return False


@contextmanager
def _opened(place: Path) -> Iterator[BinaryIO]:
    """Raises StoreError for a file that is there and cannot be read."""
    try:
        file = place.open("rb")
    except FileNotFoundError:
        raise
    except OSError as error:
        raise StoreError(
            f"The evidence {place} cannot be read: {error.strerror or error}.", mend="Make it readable."
        ) from error
    with file:
        yield file


def _chunks(file: BinaryIO) -> Iterator[bytes]:
    while chunk := file.read(CHUNK_BYTES):
        yield chunk


def _with_newer(space: Workspace, known: list[Redaction], absent: Collection[str]) -> list[Redaction]:
    """The redactions, with those that were made since for what is absent, by digest and kind."""
    if absent:
        with space.store.read() as newer:
            known = [*known, *(one for one in newer.redactions() if one.digest in absent and one.kind == "evidence")]
    return sorted(known, key=lambda one: (one.digest, one.kind))


def _envelopes(reader: Reader, last: int | None) -> Iterator[Envelope]:
    """Every signature over a link that came, and every rotation. last: None where all links came."""
    for envelope in reader.envelopes():
        if last is None or envelope.kind == "rotation":
            yield envelope
            continue
        number = reader.link_number(envelope.subject)
        if number is not None and number <= last:
            yield envelope
