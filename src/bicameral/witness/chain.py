"""A store's records in a chain: which came after which, so that none can be dropped, swapped or slipped in unseen.

Answers for: an entry's hash covers its place, the entry before, the record and what is known of each raw reply.
Declines to: prove that the chain was not made anew from some entry on; for that its head is signed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from bicameral.canonical.plain import digest_of
from bicameral.canonical.shown import shown
from bicameral.model.witnessing import ChainEntry, Problem, ReplyMark, WitnessedDialog

CHAIN_V1: Final = "bicameral.chain.v1"
"""What every entry's hash starts from, so that it can be no other document's digest."""


def chain_entry(witnessed: WitnessedDialog, *, seq: int, previous: str | None) -> ChainEntry:
    """The entry for a dialog that is stored as number `seq`, after the entry whose hash is `previous`."""
    return ChainEntry(
        seq=seq,
        previous=previous,
        record_digest=witnessed.record_digest,
        dialog_id=witnessed.dialog_id,
        wire_digest=witnessed.wire_digest,
        replies=tuple(
            ReplyMark(
                chain_depth=reply.chain_depth,
                digest=reply.raw.digest,
                finish=reply.raw.finish,
                state=reply.raw.state,
            )
            for reply in witnessed.replies
        ),
    )


def link(previous: ChainEntry | None, witnessed: WitnessedDialog) -> ChainEntry:
    """The entry for a dialog that is stored after `previous`, or first of all where that is None."""
    if previous is None:
        return chain_entry(witnessed, seq=0, previous=None)
    return chain_entry(witnessed, seq=previous.seq + 1, previous=chain_entry_hash(previous))


def chain_entry_hash(entry: ChainEntry) -> str:
    """`sha256:` and the SHA-256 of the entry's RFC 8785 text. `previous` is null in the first entry.

    Raises UnrecordableError for an entry that was made of values canonical JSON cannot say.
    """
    return digest_of(
        {
            "type": CHAIN_V1,
            "seq": entry.seq,
            "previous": entry.previous,
            "recordDigest": entry.record_digest,
            "dialogId": entry.dialog_id,
            "wireDigest": entry.wire_digest,
            "replies": [
                {"chainDepth": mark.chain_depth, "digest": mark.digest, "finish": mark.finish, "state": mark.state}
                for mark in entry.replies
            ],
        }
    )


def verify_chain(entries: Iterable[ChainEntry], *, head: str | None = None) -> Iterator[Problem]:
    """What is wrong with a chain, as it is read: one entry is held at a time.

    head: the hash that the last entry must have (a signed one, or what the store says); None asks for none. A chain
    without entries has no hash, so any head is a problem there.
    """
    expected_seq, expected_previous = 0, None
    for entry in entries:
        where = f"entries[{expected_seq}]"
        if entry.seq != expected_seq:
            yield Problem(where=f"{where}.seq", what=f"Entry {entry.seq} stands where entry {expected_seq} belongs.")
        if entry.previous != expected_previous:
            yield Problem(
                where=f"{where}.previous",
                what=f"It names {_named(entry.previous)} as the entry before, which is {_named(expected_previous)}.",
            )
        expected_seq, expected_previous = expected_seq + 1, chain_entry_hash(entry)
    if head is not None and head != expected_previous:
        yield Problem(
            where="head",
            what=f"The last entry is {_named(expected_previous)}, not {_named(head)}: the chain was changed.",
        )


def _named(entry_hash: str | None) -> str:
    return "none" if entry_hash is None else shown(entry_hash)
