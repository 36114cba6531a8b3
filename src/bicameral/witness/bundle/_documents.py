"""The documents of a bundle that are its own: header, end mark, redactions, and what is kept of an envelope.

Answers for: one value, one text (RFC 8785). A document is read by being written again; what is not the same is refused.
"""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal, TypeVar

import msgspec
from msgspec import Meta, Struct
from msgspec.json import Decoder, Encoder

from bicameral.canonical.plain import MAX_INTEGER
from bicameral.errors import BundleError
from bicameral.model.witnessing import Envelope, Redaction
from bicameral.witness._audit_parts import Header

T = TypeVar("T", bound=Struct)
_Count = Annotated[int, Meta(ge=0, le=MAX_INTEGER)]


class HeaderText(Struct, forbid_unknown_fields=True):
    """`bicameral.bundle.v1.json`, its members in the order of the canonical text, as in all that follow."""

    instructions: bool
    runs: list[str]
    type: Literal["bicameral.bundle.v1"]


class EndText(Struct, forbid_unknown_fields=True):
    """`end.json`. sha256: over all bytes before this member's header."""

    entries: _Count
    head: str | None
    sha256: str


class RedactionText(Struct, forbid_unknown_fields=True, gc=False):
    """One redaction."""

    digest: str
    kind: Literal["reply", "evidence"]
    reason: str
    redacted_at: str
    redacted_by: str


class EnvelopeText(Struct, forbid_unknown_fields=True):
    """What is kept of an envelope beside its own bytes."""

    key_id: str
    kind: Literal["head", "rotation"]
    run_id: str | None
    signed_at: str
    subject: str


_write: Final = Encoder().encode
_KINDS: Final = (HeaderText, EndText, RedactionText, EnvelopeText)
_READERS: Final[dict[type, Decoder[Any]]] = {kind: Decoder(kind) for kind in _KINDS}


def read_text(kind: type[T], data: bytes, what: str) -> T:
    """The document. Raises BundleError, which begins with `what`, where it is not canonical or not of this kind."""
    value: Any
    try:
        value = _READERS[kind].decode(data)
    except (msgspec.DecodeError, RecursionError, ValueError) as exc:
        raise BundleError(f"{what} is not what belongs there: {exc}.") from exc
    if _write(value) != data:
        raise BundleError(f"{what} is not in canonical form.")
    assert isinstance(value, kind)
    return value


def write_text(value: Struct, what: str) -> bytes:
    """The document's bytes. Raises BundleError for a text that UTF-8 cannot say."""
    try:
        return _write(value)
    except UnicodeEncodeError as exc:
        raise BundleError(f"{what} holds a lone surrogate, which UTF-8 cannot say.") from exc


def redaction_text(redaction: Redaction) -> RedactionText:
    return RedactionText(
        digest=redaction.digest,
        kind=redaction.kind,
        reason=redaction.reason,
        redacted_at=redaction.redacted_at,
        redacted_by=redaction.redacted_by,
    )


def redaction_of(text: RedactionText) -> Redaction:
    return Redaction(
        digest=text.digest,
        kind=text.kind,
        redacted_at=text.redacted_at,
        redacted_by=text.redacted_by,
        reason=text.reason,
    )


def envelope_text(envelope: Envelope) -> EnvelopeText:
    return EnvelopeText(
        key_id=envelope.key_id,
        kind=envelope.kind,
        run_id=envelope.run_id,
        signed_at=envelope.signed_at,
        subject=envelope.subject,
    )


def envelope_of(text: EnvelopeText, body: bytes) -> Envelope:
    return Envelope(
        kind=text.kind,
        subject=text.subject,
        key_id=text.key_id,
        signed_at=text.signed_at,
        body=body,
        run_id=text.run_id,
    )


def header_text(header: Header) -> HeaderText:
    return HeaderText(instructions=header.instructions, runs=list(header.runs), type="bicameral.bundle.v1")


def header_of(text: HeaderText) -> Header:
    return Header(runs=tuple(text.runs), instructions=text.instructions)
