"""The bytes of a bundle, one after the other, from a file or a pipe, plain or gzip'd.

Answers for: exactly as many bytes as are asked for, or BundleError; a running digest; no more memory than is asked for,
however much a gzip would become. Declines to seek, and to know what the bytes mean.
"""

from __future__ import annotations

import hashlib
import zlib
from typing import BinaryIO, Final, Protocol

from bicameral.errors import BundleError
from bicameral.witness.bundle.limits import Limits

GZIP: Final = b"\x1f\x8b"
_PIECE: Final = 64 * 1024


class _Bytes(Protocol):
    def read(self, size: int) -> bytes:
        """At most so many, and none only at the end. size: 1 or more (to zlib 0 is no limit)."""
        ...


class Source:
    """at: how many bytes have been taken.  digest: the SHA-256 over them."""

    def __init__(self, file: BinaryIO, limits: Limits) -> None:
        raw = _Raw(file)
        start = raw.read_whole(len(GZIP))
        raw.put_back(start)
        self._inner: _Bytes = _Inflating(raw, limits) if start == GZIP else raw
        self._most = limits.total
        self.at = 0
        self.digest = hashlib.sha256()

    def take(self, size: int, what: str) -> bytes:
        """Exactly `size` bytes. what: how a message names them. Raises BundleError where they end before."""
        self.at += size
        if self.at > self._most:
            raise BundleError(f"The bundle has more than {self._most:,} bytes; it is not read further.")
        body = self._inner.read(size) if size else b""
        if len(body) < size:
            body = self._rest(body, size, what)
        self.digest.update(body)
        return body

    def _rest(self, body: bytes, size: int, what: str) -> bytes:
        pieces, have = [body], len(body)
        while have < size and (piece := self._inner.read(size - have)):
            pieces.append(piece)
            have += len(piece)
        if have < size:
            at = self.at - size + have
            raise BundleError(
                f"The bundle ends after {at:,} bytes, in the middle of {what}.", mend="It is torn: fetch it again."
            )
        return b"".join(pieces)

    def at_end(self) -> bool:
        """Whether nothing follows."""
        return not self._inner.read(1)


class _Raw:
    """A file's own bytes. What the file raises is a BundleError."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._back = b""

    def put_back(self, data: bytes) -> None:
        self._back = data

    def read(self, size: int) -> bytes:
        if self._back:
            piece, self._back = self._back[:size], self._back[size:]
            return piece
        try:
            return self._file.read(size) or b""
        except (OSError, ValueError) as exc:
            raise BundleError(f"The bundle cannot be read: {getattr(exc, 'strerror', None) or exc}.") from exc

    def read_whole(self, size: int) -> bytes:
        body = b""
        while len(body) < size and (piece := self.read(size - len(body))):
            body += piece
        return body


class _Inflating:
    """What a gzip of one member holds (RFC 1952), never more of it than is asked for."""

    def __init__(self, raw: _Raw, limits: Limits) -> None:
        self._raw = raw
        self._limits = limits
        self._inflate = zlib.decompressobj(wbits=31)  # a gzip header and trailer, checked
        self._tail = b""
        self._came_in = self._came_out = 0

    def read(self, size: int) -> bytes:
        while not self._inflate.eof:
            data = self._tail or self._raw.read(_PIECE)
            self._came_in += 0 if self._tail else len(data)
            if not data:
                raise BundleError("The gzip around the bundle is torn.", mend="Fetch it again.")
            try:
                body = self._inflate.decompress(data, size)
            except zlib.error as exc:
                raise BundleError(f"The gzip around the bundle is damaged: {exc}.", mend="Fetch it again.") from exc
            self._tail = self._inflate.unconsumed_tail
            self._came_out += len(body)
            if self._came_out > max(self._limits.free, self._limits.inflation * self._came_in):
                raise BundleError(
                    f"The bundle becomes more than {self._limits.inflation} times larger than its gzip; "
                    "it is not read further.",
                    mend="If you trust it, unpack it yourself (gzip -d) and name what comes out.",
                )
            if body:
                return body
        if self._inflate.unused_data or self._raw.read(1):
            raise BundleError("Something follows the gzip that the bundle is in.")
        return b""
