"""The canonical documents beside a record, read fast: chain entries, what is known of a reply, plain JSON.

Answers for: a document that is not RFC 8785 text is refused with the place; so is one that names a member twice, which
no canonical text does. Declines to compare them with anything.

Rules, in order:
1. A document with more than MAX_VALUES values is not read.
2. A compiled reader gives the value and a compiled writer its bytes again; where these are the document, it is
   canonical and read.
3. Else the exact reader decides, and says what is wrong. `tests/unit/witness/test_audit_texts.py` holds both to one
   answer.
"""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal, TypeAlias

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType
from msgspec.json import Decoder, Encoder

from bicameral.canonical.plain import MAX_INTEGER, canonical_json
from bicameral.canonical.reading import parse_json
from bicameral.errors import RecordError, UnrecordableError
from bicameral.model.vocabulary import Finish, ReplyState, Task
from bicameral.witness.chain import read_chain_entry

MAX_VALUES: Final = 4_000_000
"""Most values in one document, counted by the punctuation between them. A value costs 60 bytes of memory or more when
it is read, however short it is written."""


Digest: TypeAlias = Annotated[str, Meta(pattern=r"\Asha256:[0-9a-f]{64}\Z")]
Whole: TypeAlias = Annotated[int, Meta(ge=0, le=MAX_INTEGER)]


class Mark(Struct, kw_only=True, rename="camel", forbid_unknown_fields=True, gc=False):
    """A reply's mark in an entry, its members in the order of the canonical text."""

    about: Digest | UnsetType = UNSET
    chain_depth: Whole | None
    digest: Digest
    finish: Finish
    state: ReplyState


class Entry(Struct, kw_only=True, rename="camel", forbid_unknown_fields=True, gc=False):
    """An entry of the chain, its members in the order of the canonical text."""

    dialog_id: str
    outcome: Digest | UnsetType = UNSET
    previous: Digest | None
    record_digest: Digest
    replies: list[Mark]
    seq: Whole
    type: Literal["bicameral.chain.v1"] = "bicameral.chain.v1"
    wire_digest: Digest


class About(Struct, kw_only=True, gc=False):
    """What is known of a reply, its members in the order of the canonical text."""

    finish: Finish
    half: Whole
    handle: str
    meta: dict[str, str]
    model: str
    parts: list[str]
    reads: list[str] | None
    state: ReplyState
    task: Task


_FAULTS: Final = (msgspec.DecodeError, RecursionError, TypeError, ValueError, OverflowError)
_write = Encoder(order="deterministic").encode
_entry = Decoder(Entry).decode
_about = Decoder(About).decode


def read_entry(data: bytes, what: str) -> Entry:
    """The entry whose canonical bytes these are. Raises RecordError as `read_chain_entry` does."""
    try:
        entry = _entry(data)
        if _write(entry) == data:
            return entry
    except _FAULTS:
        pass
    check_values(data, what)
    exact = read_chain_entry(data, what)
    return Entry(
        dialog_id=exact.dialog_id,
        outcome=UNSET if exact.outcome is None else exact.outcome,
        previous=exact.previous,
        record_digest=exact.record_digest,
        replies=[
            Mark(
                about=UNSET if mark.about is None else mark.about,
                chain_depth=mark.chain_depth,
                digest=mark.digest,
                finish=mark.finish,
                state=mark.state,
            )
            for mark in exact.replies
        ],
        seq=exact.seq,
        wire_digest=exact.wire_digest,
    )


def read_about(data: bytes, what: str) -> About:
    """What is known of a reply. Members that this version does not know are passed over.

    Raises RecordError for what is not canonical or lacks a member.
    """
    try:
        about = _about(data)
        if _write(about) == data and all(map(str.isascii, about.meta)):
            return about
    except _FAULTS:
        pass
    members = read_canonical(data, what)
    try:
        return msgspec.convert(members, About)
    except msgspec.ValidationError as exc:
        raise RecordError(f"{what} is not what is known of a reply: {exc}.") from exc


def read_canonical(data: bytes, what: str) -> Any:
    """The value of an RFC 8785 text. Raises RecordError for what is none, is not canonical, or has too many values."""
    check_values(data, what)
    value = parse_json(data, unique_members=True, what=what)
    try:
        written = canonical_json(value)
    except UnrecordableError as exc:
        raise RecordError(f"{what} has no canonical form. {exc.message}") from exc
    if written != data:
        raise RecordError(f"{what} is not in canonical form.")
    return value


def check_values(data: bytes, what: str) -> None:
    """Raises RecordError for a document with more values than anybody should read into memory."""
    if len(data) <= MAX_VALUES:
        return
    values = data.count(b",") + data.count(b"[") + data.count(b"{") + data.count(b":")
    if values > MAX_VALUES:
        raise RecordError(f"{what} holds more than {MAX_VALUES:,} values, which is more than is read.")
