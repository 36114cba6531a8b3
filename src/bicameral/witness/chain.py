"""A store's records in a chain: which came after which, so that none can be dropped, swapped or slipped in unseen.

Answers for: an entry's hash covers its place, the entry before, the record and what is known of each raw reply.
Declines to: prove that the chain was not made anew from some entry on; for that its head is signed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any, Final

from bicameral.canonical.plain import canonical_json, sha256_digest
from bicameral.canonical.reading import parse_json
from bicameral.canonical.shown import shown
from bicameral.errors import RecordError
from bicameral.model.judging import RawReply
from bicameral.model.plain import read_plain, to_plain
from bicameral.model.witnessing import ChainEntry, Problem, ReplyMark, WitnessedDialog

_DIGEST: Final = re.compile("sha256:[0-9a-f]{64}", re.ASCII)

CHAIN_V1: Final = "bicameral.chain.v1"
"""What every entry's hash starts from, so that it can be no other document's digest."""


def chain_entry(
    witnessed: WitnessedDialog, *, seq: int, previous: str | None, outcome: str | None = None
) -> ChainEntry:
    """The entry for a dialog that is stored as number `seq`, after the entry whose hash is `previous`."""
    return ChainEntry(
        seq=seq,
        previous=previous,
        record_digest=witnessed.record_digest,
        dialog_id=witnessed.dialog_id,
        wire_digest=witnessed.wire_digest,
        outcome=outcome,
        replies=tuple(
            ReplyMark(
                chain_depth=reply.chain_depth,
                digest=reply.raw.digest,
                finish=reply.raw.finish,
                state=reply.raw.state,
                about=sha256_digest(about_reply(reply.raw)),
            )
            for reply in witnessed.replies
        ),
    )


def about_reply(raw: RawReply) -> bytes:
    """Canonical JSON of all that is known of a raw reply but its text and that text's digest."""
    return canonical_json({name: value for name, value in to_plain(raw).items() if name not in ("text", "digest")})


def link(previous: ChainEntry | None, witnessed: WitnessedDialog) -> ChainEntry:
    """The entry for a dialog that is stored after `previous`, or first of all where that is None."""
    if previous is None:
        return chain_entry(witnessed, seq=0, previous=None)
    return chain_entry(witnessed, seq=previous.seq + 1, previous=chain_entry_hash(previous))


def chain_entry_bytes(entry: ChainEntry) -> bytes:
    """The entry's RFC 8785 text. `previous` is null in the first entry; `outcome` and `about` are absent where None.

    Raises UnrecordableError for an entry that was made of values canonical JSON cannot say.
    """
    members: dict[str, object] = {
        "type": CHAIN_V1,
        "seq": entry.seq,
        "previous": entry.previous,
        "recordDigest": entry.record_digest,
        "dialogId": entry.dialog_id,
        "wireDigest": entry.wire_digest,
        "replies": [_mark_members(mark) for mark in entry.replies],
    }
    return canonical_json(members if entry.outcome is None else {**members, "outcome": entry.outcome})


def chain_entry_hash(entry: ChainEntry) -> str:
    """`sha256:` and the SHA-256 of `chain_entry_bytes`."""
    return sha256_digest(chain_entry_bytes(entry))


def read_chain_entry(data: bytes, what: str = "The chain entry") -> ChainEntry:
    """An entry from its bytes. Raises RecordError for what is no entry or is not in canonical form."""
    members = parse_json(data, unique_members=True, what=what)
    try:
        if not isinstance(members, dict) or members.pop("type", None) != CHAIN_V1:
            raise RecordError(f"{what} is no {CHAIN_V1} object.")
        entry = _entry_of(members)
        _check_digests(entry, what)
        if chain_entry_bytes(entry) != data:
            raise RecordError(f"{what} is not in canonical form.")
    except (AttributeError, KeyError, TypeError, ValueError) as exc:
        raise RecordError(f"{what} lacks a member of {CHAIN_V1}, or one is of another type: {exc}.") from exc
    return entry


def _entry_of(members: dict[str, Any]) -> ChainEntry:
    """Raises RecordError, which names the member, for one of another type."""
    names = {
        "recordDigest": "record_digest",
        "dialogId": "dialog_id",
        "wireDigest": "wire_digest",
        "seq": "seq",
        "previous": "previous",
        "outcome": "outcome",
    }
    marks = [
        {{"chainDepth": "chain_depth"}.get(name, name): value for name, value in mark.items()}
        for mark in members.pop("replies")
    ]
    named = {names[name]: value for name, value in members.items()}
    return read_plain(ChainEntry, {**named, "replies": marks}, "chain entry")


def _check_digests(entry: ChainEntry, what: str) -> None:
    """Raise RecordError for a digest that is none. `dialogId` is any text: a foreign dialog's id is its maker's."""
    named = [entry.record_digest, entry.wire_digest, entry.previous, entry.outcome]
    named += [digest for mark in entry.replies for digest in (mark.digest, mark.about)]
    for digest in named:
        if digest is not None and not _DIGEST.fullmatch(digest):
            raise RecordError(f"{what} names {shown(digest)[:80]!r}, which is no digest.")


def _mark_members(mark: ReplyMark) -> dict[str, object]:
    members: dict[str, object] = {
        "chainDepth": mark.chain_depth,
        "digest": mark.digest,
        "finish": mark.finish,
        "state": mark.state,
    }
    return members if mark.about is None else {**members, "about": mark.about}


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
