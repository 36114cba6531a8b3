"""A bundle into parts, as they are asked for.

Answers for: the parts that were written, or BundleError with the place; nothing but what is asked for is in memory, and
nothing is written to the disk. Declines to verify what the parts say: `witness.audit` does.

Plan: the header; segments of links, numbered from 0; blobs by digest; segments of redactions; envelopes, two members
each; the end mark, whose digest is compared with that of all bytes before it; two blocks of zeros; nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import BinaryIO, Final

from bicameral.errors import BundleError
from bicameral.witness._audit_parts import Blob, End, Link, Part
from bicameral.witness.bundle._documents import (
    EndText,
    EnvelopeText,
    HeaderText,
    RedactionText,
    envelope_of,
    header_of,
    read_text,
    redaction_of,
)
from bicameral.witness.bundle._frames import read_link
from bicameral.witness.bundle._order import Ascending, envelope_key, redaction_key
from bicameral.witness.bundle._source import Source
from bicameral.witness.bundle._tar import BLOCK, END, END_NAME, HEADER_NAME, padding, read_tar_header
from bicameral.witness.bundle.limits import LIMITS, SEGMENT, Limits

PIECE: Final = 256 * 1024
"""Bytes of a blob that are in memory at once."""


def read_bundle(file: BinaryIO, *, limits: Limits = LIMITS) -> Iterator[Part]:
    """The parts of a bundle, from a binary file that need not seek: the header first, the end last.

    A blob's chunks are read before the next part is asked for; what is left of them then is passed over. Raises
    BundleError for what is no bundle, is torn, or holds what no bundle may hold; parts that came before stay valid.
    """
    return _Reader(file, limits).parts()


class _Reader:
    """The member whose header was read last, and what is left of the bundle after it."""

    def __init__(self, file: BinaryIO, limits: Limits) -> None:
        self._file = file
        self._limits = limits
        self._name = ""
        self._size = 0

    def parts(self) -> Iterator[Part]:
        self._source = Source(self._file, self._limits)
        self._next()
        if self._name != HEADER_NAME:
            raise BundleError(f"The bundle begins with {self._name}, not with {HEADER_NAME}.")
        yield header_of(read_text(HeaderText, self._body(self._limits.small), HEADER_NAME))
        self._next()
        yield from self._links()
        yield from self._blobs()
        yield from self._redactions()
        yield from self._envelopes()
        yield self._end()

    def _links(self) -> Iterator[Part]:
        count = 0
        for name, segment in self._segments("chain", ".links", self._limits.link):
            at = 0
            while at < len(segment):
                _check_place(name, at)
                kept, at = read_link(segment, at, name, self._limits)
                count = _counted(count, self._limits.links, "links")
                yield Link(kept=kept)

    def _redactions(self) -> Iterator[Part]:
        count, ascending = 0, Ascending("A redaction")
        for name, segment in self._segments("redactions", ".lines", self._limits.small):
            at = 0
            while at < len(segment):
                _check_place(name, at)
                end = segment.find(b"\n", at)
                if end < 0:
                    raise BundleError(f"{name} ends in the middle of a line.")
                what = f"The line at byte {at:,} of {name}"
                redaction = redaction_of(read_text(RedactionText, segment[at:end], what))
                at = end + 1
                ascending.check(redaction_key(redaction))
                count = _counted(count, self._limits.redactions, "redactions")
                yield redaction

    def _segments(self, folder: str, suffix: str, most: int) -> Iterator[tuple[str, bytes]]:
        """Name and bytes of each segment in a folder, in order. most: bytes of one item."""
        number, short = 0, None
        while self._name.startswith(f"{folder}/"):
            name = self._name
            if name != f"{folder}/{number:010d}{suffix}":
                raise BundleError(f"{name} stands where {folder}/{number:010d}{suffix} belongs.")
            if short is not None:
                raise BundleError(f"{short} ends with {SEGMENT:,} bytes not reached, and {name} follows.")
            if self._size == 0:
                raise BundleError(f"{name} is empty.")
            segment = self._body(SEGMENT + most)
            yield name, segment
            number, short = number + 1, None if len(segment) >= SEGMENT else name
            self._next()

    def _blobs(self) -> Iterator[Part]:
        count, ascending = 0, Ascending("A blob")
        while self._name.startswith("blobs/"):
            count = _counted(count, self._limits.blobs, "blobs")
            digest = self._name.removeprefix("blobs/")
            ascending.check(digest)
            self._check_size(self._limits.blob)
            chunks = self._chunks(self._size)
            yield Blob(digest=f"sha256:{digest}", size=self._size, chunks=chunks)
            for _ in chunks:
                pass  # what the caller left
            self._pad()
            self._next()

    def _chunks(self, size: int) -> Iterator[bytes]:
        while size:
            piece = min(size, PIECE)
            size -= piece
            yield self._source.take(piece, self._name)

    def _envelopes(self) -> Iterator[Part]:
        number, ascending = 0, Ascending("An envelope")
        while self._name.startswith("envelopes/"):
            stem = f"envelopes/{number:010d}"
            number = _counted(number, self._limits.envelopes, "envelopes")
            self._expect(f"{stem}.json")
            text = read_text(EnvelopeText, self._body(self._limits.small), self._name)
            self._next()
            self._expect(f"{stem}.dsse.json")
            envelope = envelope_of(text, self._body(self._limits.envelope))
            ascending.check(envelope_key(envelope))
            yield envelope
            self._next()

    def _end(self) -> End:
        self._expect(END_NAME)
        before = f"sha256:{self._before.hexdigest()}"
        text = read_text(EndText, self._body(self._limits.small), END_NAME)
        if self._source.take(len(END), "its last two blocks") != END or not self._source.at_end():
            raise BundleError("After its end mark the bundle does not end.", mend="Two bundles are not one.")
        return End(entries=text.entries, head=text.head, altered=text.sha256 != before)

    def _next(self) -> None:
        """Read the next member's header."""
        self._before = self._source.digest.copy()
        at = self._source.at
        block = self._source.take(BLOCK, "a member's header" if at else "its first header")
        if block == bytes(BLOCK):
            raise BundleError("The bundle ends without its end mark: something is cut off.", mend="Fetch it again.")
        self._name, self._size = read_tar_header(block, at)

    def _expect(self, name: str) -> None:
        if self._name != name:
            raise BundleError(f"{self._name} stands where {name} belongs.")

    def _body(self, most: int) -> bytes:
        self._check_size(most)
        body = self._source.take(self._size, self._name)
        self._pad()
        return body

    def _check_size(self, most: int) -> None:
        if self._size > most:
            raise BundleError(f"{self._name} has {self._size:,} bytes; at most {most:,} may be in a bundle.")

    def _pad(self) -> None:
        zeros = padding(self._size)
        if self._source.take(len(zeros), self._name) != zeros:
            raise BundleError(f"After {self._name} other bytes than zeros fill the block.")


def _check_place(name: str, at: int) -> None:
    if at >= SEGMENT:
        raise BundleError(f"{name} goes on at byte {at:,}, where the next segment begins.")


def _counted(count: int, most: int, what: str) -> int:
    if count >= most:
        raise BundleError(f"The bundle has more than {most:,} {what}.")
    return count + 1
