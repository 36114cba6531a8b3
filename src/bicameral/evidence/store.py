"""The evidence folder: pictures and facts as files named by what they hold.

Answers for putting bytes under their SHA-256 and for reading them back unchanged. Declines to know what they mean.

Rules: a file is `sha256/ab/<64 hex><suffix>`; it is written beside its place and moved there whole, so a reader never
sees half of one and a full disk leaves everything older as it was; what is read is hashed again, so a changed file is
an error and never evidence; a digest is checked before it becomes a path, so nothing that a document says can name
another file.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import tempfile
from pathlib import Path
from typing import Final

from bicameral.errors import EvidenceError, StoreError

SUFFIXES: Final = (".png", ".json", ".txt")
"""Pictures, facts, and the instructions that judges were given."""

_DIGEST: Final = re.compile(r"sha256:([0-9a-f]{64})", re.ASCII)


def digest_of(body: bytes) -> str:
    """`sha256:` and 64 lower-case hex digits."""
    return "sha256:" + hashlib.sha256(body).hexdigest()


class EvidenceFolder:
    """Content-addressed bytes under one folder; a `ports.EvidenceReader`. The folder is made at the first `put`."""

    def __init__(self, path: Path | str) -> None:
        self.path = Path(path)

    def put(self, body: bytes, suffix: str) -> str:
        """Keep the bytes and return their digest. suffix: one of SUFFIXES.

        Putting what is there already changes nothing; a file that no longer holds what its name says is replaced.
        Raises StoreError, naming the place, where the folder cannot be written or the disk is full.
        """
        if suffix not in SUFFIXES:
            raise EvidenceError(f"Evidence files end in {' or '.join(SUFFIXES)}, not in {suffix!r}.")
        digest = digest_of(body)
        place = self._place(digest, suffix)
        try:
            if not _holds(place, digest):
                place.parent.mkdir(parents=True, exist_ok=True)
                _write_whole(place, body)
        except OSError as error:
            raise StoreError(
                f"Evidence could not be written to {place}: {error.strerror or error}.",
                mend="Free some space or make the folder writable; nothing that was there before has changed.",
            ) from error
        return digest

    def read(self, digest: str) -> bytes:
        """The bytes with this digest.

        Raises EvidenceError for text that is no digest, for bytes that are absent and for bytes that no longer match.
        """
        changed: Path | None = None
        for suffix in SUFFIXES:
            place = self._place(digest, suffix)
            try:
                body = place.read_bytes()
            except FileNotFoundError:
                continue
            except OSError as error:
                raise EvidenceError(
                    f"{place} could not be read: {error.strerror or error}.", mend="Check the folder's permissions."
                ) from error
            if digest_of(body) == digest:
                return body
            changed = place
        if changed is not None:
            raise EvidenceError(
                f"{changed} no longer holds the bytes it is named for.", mend="Restore the file or capture again."
            )
        raise EvidenceError(f"No evidence {digest} in {self.path}.", mend="Capture again, or name another folder.")

    def find(self, digest: str) -> Path | None:
        """The file that should hold the bytes with this digest, None where there is none. Nothing is read.

        Raises EvidenceError for text that is no digest.
        """
        places = (self._place(digest, suffix) for suffix in SUFFIXES)
        return next((place for place in places if place.is_file()), None)

    def remove(self, digest: str) -> bool:
        """Take the bytes with this digest away for good. False where there were none.

        Raises EvidenceError for text that is no digest, and StoreError where a file cannot be removed.
        """
        removed = False
        for suffix in SUFFIXES:
            place = self._place(digest, suffix)
            try:
                place.unlink()
                _flush_folder(place.parent)
            except FileNotFoundError:
                continue
            except OSError as error:
                raise StoreError(
                    f"Evidence could not be removed from {place}: {error.strerror or error}.",
                    mend="Make the folder writable and run it again.",
                ) from error
            removed = True
        return removed

    def _place(self, digest: str, suffix: str) -> Path:
        match = _DIGEST.fullmatch(str(digest))
        if match is None:
            raise EvidenceError(f"{digest!r:.90} is no digest: expected sha256: and 64 lower-case hex digits.")
        return self.path / "sha256" / match[1][:2] / (match[1] + suffix)


def _holds(place: Path, digest: str) -> bool:
    try:
        return digest_of(place.read_bytes()) == digest
    except FileNotFoundError:
        return False


def _write_whole(place: Path, body: bytes) -> None:
    """Write beside the place, flush to the disk, move there. What fails leaves no file behind."""
    handle, beside = tempfile.mkstemp(dir=place.parent, prefix=".new-")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(body)
            file.flush()
            os.fsync(file.fileno())
        os.replace(beside, place)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(beside)
        raise
    _flush_folder(place.parent)


def _flush_folder(folder: Path) -> None:
    """Make the move itself durable, where the system lets a folder be flushed."""
    if os.name != "posix":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
