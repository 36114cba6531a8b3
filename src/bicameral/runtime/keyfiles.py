"""Key files: made once and never overwritten, read only where nobody else can read them.

Answers for: a private key's file is written with mode 0600 and refused where others may open it; both files of a pair
are made, or none. Declines to keep a key anywhere else, and to print one.
"""

from __future__ import annotations

import os
import secrets
import stat
from pathlib import Path
from typing import Final

from bicameral.errors import SigningKeyError
from bicameral.witness.keys import (
    KEY_BYTES,
    PrivateKey,
    PublicKey,
    is_public_pem,
    read_private_key,
    read_public_key,
)

MAX_KEY_BYTES: Final = 64 * 1024
PUBLIC_SUFFIX: Final = ".pub"
"""What the public key's file is called beside the private one, where no other name is given."""

_OTHERS: Final = stat.S_IRWXG | stat.S_IRWXO


def generate_key() -> PrivateKey:
    """A new key, of the system's randomness."""
    return PrivateKey(secrets.token_bytes(KEY_BYTES))


def write_key_pair(
    key: PrivateKey, private: Path, public: Path | None = None, *, passphrase: str | None = None
) -> Path:
    """Write both halves into files that do not exist yet; the public one's path is given back.

    public: by default the private one's name and `.pub`.  passphrase: what the private file is encrypted with; None
    leaves it readable to whoever may open it. Raises SigningKeyError where a file is there or cannot be written; then
    neither is left.
    """
    beside = private.with_name(private.name + PUBLIC_SUFFIX) if public is None else public
    secret = key.pem(passphrase)
    _create(private, secret, 0o600)
    try:
        _create(beside, key.public.pem, 0o644)
    except BaseException:
        private.unlink(missing_ok=True)
        raise
    return beside


def load_private_key(path: Path, *, passphrase: str | None = None) -> PrivateKey:
    """The private key in a file. Raises SigningKeyError for one that is missing, open to others, or no such key."""
    return read_private_key(_read(path, private=True), str(path), passphrase=passphrase)


def load_public_key(path: Path) -> PublicKey:
    """The public key in a file. Raises SigningKeyError for one that is missing or no such key."""
    return read_public_key(_read(path, private=False), str(path))


def _create(path: Path, body: bytes, mode: int) -> None:
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0)
    try:
        handle = os.open(path, flags, mode)
    except FileExistsError as exc:
        raise SigningKeyError(
            f"{path} is there already: a key is never overwritten.", mend="Name another file, or move this one away."
        ) from exc
    except (OSError, ValueError) as exc:
        raise SigningKeyError(f"{path} cannot be written: {_reason(exc)}.", mend="Name another file.") from exc
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(body)
            file.flush()
            os.fsync(file.fileno())
    except BaseException as exc:
        path.unlink(missing_ok=True)
        if isinstance(exc, OSError):
            raise SigningKeyError(f"{path} could not be written: {_reason(exc)}.", mend="Free some space.") from exc
        raise


def _read(path: Path, *, private: bool) -> bytes:
    try:
        # Non-blocking, so that a pipe without a writer is refused and not waited for.
        handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    except FileNotFoundError as exc:
        raise SigningKeyError(f"There is no key file {path}.", mend="`bicameral witness keygen` makes one.") from exc
    except (OSError, ValueError) as exc:
        raise SigningKeyError(f"The key file {str(path)[:200]!r} cannot be read: {_reason(exc)}.") from exc
    try:
        found = os.fstat(handle)
        if not stat.S_ISREG(found.st_mode):
            raise SigningKeyError(f"{path} is no file.", mend="Name a key's file.")
        if found.st_size > MAX_KEY_BYTES:
            raise SigningKeyError(f"{path} has more than {MAX_KEY_BYTES:,} bytes, which no key file has.")
        body = os.read(handle, MAX_KEY_BYTES)
    except OSError as exc:
        raise SigningKeyError(f"The key file {path} cannot be read: {_reason(exc)}.") from exc
    finally:
        os.close(handle)
    open_to_others = os.name == "posix" and found.st_mode & _OTHERS
    if private and open_to_others and not is_public_pem(body):  # a public key in its place is told as that
        raise SigningKeyError(
            f"{path} can be opened by others (mode {stat.S_IMODE(found.st_mode):04o}), so it is not used.",
            mend=f"Run: chmod 600 {path}",
        )
    return body


def _reason(exc: Exception) -> object:
    return getattr(exc, "strerror", None) or exc
