"""Links and redactions as they stand in a segment: a line that says how long the documents are, and the documents.

Answers for: one link, one text, whatever the documents hold; they are not read here. See spec/bicameral.bundle.v1.md,
section 3. A length is in decimal digits without a leading zero, `-` stands for what is not there, a line feed ends the
line and each document.
"""

from __future__ import annotations

import re
from typing import Final

from bicameral.errors import BundleError
from bicameral.model.witnessing import KeptLink, KeptReply
from bicameral.witness.bundle.limits import Limits

_LINE_FEED: Final = ord("\n")
_HEX: Final = re.compile(rb"[0-9a-f]{64}")
_LINE: Final = re.compile(
    rb"link N (?:-|N) (?:-|N)(?: N:(?:-|N):[0-9a-f]{64})*".replace(b"N", rb"(?:0|[1-9][0-9]{0,11})")
).fullmatch
"""The line before a link. Twelve digits are above every limit."""


def link_frame(kept: KeptLink, limits: Limits) -> bytes:
    """A link's text. Raises BundleError for one that no bundle may hold."""
    _check_link(kept, limits)
    line = _link_line(kept)
    if len(line) > limits.small:
        raise BundleError("A link has more replies than a bundle may hold.")
    documents = [line, kept.entry, *(document for document in (kept.record, kept.outcome) if document is not None)]
    for reply in kept.replies:
        documents += [reply.about] if reply.text is None else [reply.about, reply.text]
    frame = b"\n".join((*documents, b""))
    if len(frame) > limits.link:
        raise BundleError(f"A link with all that hangs on it has {len(frame):,} bytes; at most {limits.link:,} may be.")
    return frame


def _link_line(kept: KeptLink) -> bytes:
    tokens = [b"link", b"%d" % len(kept.entry), _length(kept.record), _length(kept.outcome)]
    tokens += [
        b"%d:%s:%s" % (len(reply.about), _length(reply.text), reply.digest.removeprefix("sha256:").encode("ascii"))
        for reply in kept.replies
    ]
    return b" ".join(tokens)


def _length(document: bytes | None) -> bytes:
    return b"-" if document is None else b"%d" % len(document)


def _check_link(kept: KeptLink, limits: Limits) -> None:
    if len(kept.replies) > limits.replies:
        raise BundleError(f"A link has {len(kept.replies):,} replies; at most {limits.replies:,} may be in a bundle.")
    documents = [("entry", kept.entry, limits.small), ("record", kept.record, limits.document)]
    documents += [("outcome", kept.outcome, limits.document)]
    for reply in kept.replies:
        documents += [("account of a reply", reply.about, limits.small), ("raw reply", reply.text, limits.document)]
        if not reply.digest.startswith("sha256:") or not _HEX.fullmatch(reply.digest[7:].encode("utf-8", "replace")):
            raise BundleError(f"A reply goes by {reply.digest!r:.90}, which is no digest.")
    for what, document, most in documents:
        if document is not None and len(document) > most:
            raise BundleError(f"A link has {what} of {len(document):,} bytes; at most {most:,} may be in a bundle.")


def read_link(segment: bytes, at: int, where: str, limits: Limits) -> tuple[KeptLink, int]:
    """The link that begins at a place in a segment, and the place after it. where: the segment's name.

    Raises BundleError where no link stands there whole.
    """
    end = segment.find(b"\n", at, at + limits.small)
    line = segment[at:end] if end >= 0 else b""
    if not _LINE(line):
        raise _faulty(where, at)
    _, entry, record, outcome, *replies = line.split(b" ")
    if len(replies) > limits.replies:
        raise BundleError(f"At byte {at:,} of {where} a link has more than {limits.replies:,} replies.")
    lengths = [(entry, limits.small), (record, limits.document), (outcome, limits.document)]
    for reply in replies:
        about, text, _ = reply.split(b":")
        lengths += [(about, limits.small), (text, limits.document)]
    documents: list[bytes | None] = []
    place = end
    for length, most in lengths:
        if length == b"-":
            documents.append(None)
            continue
        size, begin = int(length), place + 1
        place = begin + size
        if size > most:
            raise BundleError(f"{where} holds a document of {size:,} bytes; at most {most:,} may be.")
        if place >= len(segment) or segment[place] != _LINE_FEED:
            raise _faulty(where, at)
        documents.append(segment[begin:place])
    kept = [
        KeptReply(
            digest=f"sha256:{reply[-64:].decode('ascii')}", about=documents[number] or b"", text=documents[number + 1]
        )
        for number, reply in zip(range(3, len(documents), 2), replies, strict=True)
    ]
    link = KeptLink(entry=documents[0] or b"", record=documents[1], outcome=documents[2], replies=tuple(kept))
    return link, place + 1


def line_frame(document: bytes) -> bytes:
    """A redaction's text: the document, which holds no line feed, and one."""
    return document + b"\n"


def _faulty(where: str, at: int) -> BundleError:
    return BundleError(
        f"At byte {at:,} of {where} no whole link stands.", mend="It is changed or torn: fetch it again."
    )
