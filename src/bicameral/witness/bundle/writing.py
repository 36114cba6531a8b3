"""Parts into a bundle, as they come.

Answers for: the same parts give the same bytes, on any machine; nothing is written that `reading` refuses. Memory holds
one segment. Declines to verify what the parts say, and to make or move files: a file that is half written when an error
comes is the caller's to throw away.

Plan: the header; links in segments; each blob as a member; redactions in segments; each envelope as two members; the
end mark with the digest over all of that; two blocks of zeros.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import BinaryIO

from bicameral.errors import BundleError
from bicameral.model.witnessing import Envelope, Redaction
from bicameral.witness._audit_parts import ORDER, Blob, End, Header, Link, Part
from bicameral.witness._audit_report import raw_digest
from bicameral.witness.bundle._documents import EndText, envelope_text, header_text, redaction_text, write_text
from bicameral.witness.bundle._frames import line_frame, link_frame
from bicameral.witness.bundle._order import Ascending, envelope_key, redaction_key
from bicameral.witness.bundle._tar import END, END_NAME, HEADER_NAME, padding, tar_header
from bicameral.witness.bundle.limits import LIMITS, SEGMENT, Limits


def write_bundle(parts: Iterable[Part], file: BinaryIO, *, limits: Limits = LIMITS) -> int:
    """Write a bundle to a binary file that need not seek, and return how many bytes it has.

    Raises BundleError for parts that are out of order, come twice or are too large, and what the file raises. The
    caller flushes the file to the disk.
    """
    writer = _Writer(file, limits)
    reached = -1
    for part in parts:
        place = ORDER.index(type(part))
        if place < reached or (place == reached and isinstance(part, Header | End)) or (reached < 0 < place):
            raise BundleError(f"A {type(part).__name__} stands where none belongs.")
        if reached == ORDER.index(End):
            raise BundleError("Something follows the end mark.")
        if place != reached:
            writer.close_segment()
        reached = place
        writer.write(part)
    if reached != ORDER.index(End):
        raise BundleError("The parts end without an end mark.")
    return writer.written


class _Writer:
    def __init__(self, file: BinaryIO, limits: Limits) -> None:
        self._file = file
        self._limits = limits
        self._digest = hashlib.sha256()
        self._segment: list[bytes] = []
        self._size = 0
        self._folder = ""
        self._suffix = ""
        self._count = dict.fromkeys(ORDER, 0)
        self._segments = {"chain": 0, "redactions": 0}
        self._ascending = {Blob: Ascending("A blob"), Redaction: Ascending("A redaction")}
        self._envelopes = Ascending("An envelope")
        self.written = 0

    def write(self, part: Part) -> None:
        self._count[type(part)] += 1
        if isinstance(part, Header):
            self._member(HEADER_NAME, self._small(write_text(header_text(part), "The header"), "The header"))
        elif isinstance(part, Link):
            self._number(Link, self._limits.links)
            self._item("chain", ".links", link_frame(part.kept, self._limits))
        elif isinstance(part, Blob):
            self._blob(part)
        elif isinstance(part, Redaction):
            self._redaction(part)
        elif isinstance(part, Envelope):
            self._envelope(part)
        else:
            self._end(part)

    def close_segment(self) -> None:
        """Write out the segment that is being gathered, if there is one."""
        if self._segment:
            number = self._segments[self._folder]
            self._segments[self._folder] = number + 1
            body, self._segment, self._size = b"".join(self._segment), [], 0
            self._member(f"{self._folder}/{number:010d}{self._suffix}", body)

    def _item(self, folder: str, suffix: str, frame: bytes) -> None:
        self._folder, self._suffix = folder, suffix
        self._segment.append(frame)
        self._size += len(frame)
        if self._size >= SEGMENT:
            self.close_segment()

    def _blob(self, blob: Blob) -> None:
        self._number(Blob, self._limits.blobs)
        raw = raw_digest(blob.digest)
        if raw is None:
            raise BundleError(f"A blob goes by {blob.digest!r:.90}, which is no digest.")
        self._ascending[Blob].check(raw.hex())
        if not 0 <= blob.size <= self._limits.blob:
            raise BundleError(f"The blob {blob.digest} has {blob.size:,} bytes; at most {self._limits.blob:,} may be.")
        self._put(tar_header(f"blobs/{raw.hex()}", blob.size))
        size = 0
        for chunk in blob.chunks:
            size += len(chunk)
            if size > blob.size:
                break
            self._put(chunk)
        if size != blob.size:
            raise BundleError(f"The blob {blob.digest} does not have the {blob.size:,} bytes that were announced.")
        self._put(padding(size))

    def _redaction(self, redaction: Redaction) -> None:
        self._number(Redaction, self._limits.redactions)
        self._ascending[Redaction].check(redaction_key(redaction))
        document = write_text(redaction_text(redaction), "A redaction")
        self._item("redactions", ".lines", line_frame(self._small(document, "A redaction")))

    def _envelope(self, envelope: Envelope) -> None:
        self._number(Envelope, self._limits.envelopes)
        self._envelopes.check(envelope_key(envelope))
        if len(envelope.body) > self._limits.envelope:
            raise BundleError(
                f"An envelope has {len(envelope.body):,} bytes; at most {self._limits.envelope:,} may be."
            )
        name = f"envelopes/{self._count[Envelope] - 1:010d}"
        about = write_text(envelope_text(envelope), "An envelope")
        self._member(f"{name}.json", self._small(about, "What is kept of an envelope"))
        self._member(f"{name}.dsse.json", envelope.body)

    def _end(self, end: End) -> None:
        text = EndText(entries=end.entries, head=end.head, sha256=f"sha256:{self._digest.hexdigest()}")
        self._member(END_NAME, self._small(write_text(text, "The end mark"), "The end mark"))
        self._put(END)

    def _number(self, kind: type, most: int) -> None:
        if self._count[kind] > most:
            raise BundleError(f"There are more than {most:,} of {kind.__name__}; a bundle may not hold them.")

    def _small(self, document: bytes, what: str) -> bytes:
        if len(document) > self._limits.small:
            raise BundleError(f"{what} has {len(document):,} bytes; at most {self._limits.small:,} may be in a bundle.")
        return document

    def _member(self, name: str, body: bytes) -> None:
        self._put(tar_header(name, len(body)))
        self._put(body)
        self._put(padding(len(body)))

    def _put(self, data: bytes) -> None:
        self.written += len(data)
        if self.written > self._limits.total:
            raise BundleError(f"The bundle would have more than {self._limits.total:,} bytes.")
        self._digest.update(data)
        self._file.write(data)
