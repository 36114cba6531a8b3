"""A database's errors in Bicameral's words: which store, what happened, what to do.

Answers for: no error of a library reaches a caller bare. Declines to try again: a lock was waited for already.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from bicameral.errors import BicameralError, DefectError, StoreBusyError, StoreError

_KEPT: Final = "Nothing of this write was kept; what was there before is untouched."

# https://sqlite.org/rescode.html: the low byte of an extended result code is the primary one.
_STORE_FAULTS: Final[dict[int, tuple[str, str]]] = {
    sqlite3.SQLITE_FULL: ("the disk is full", f"Free some space and run again. {_KEPT}"),
    sqlite3.SQLITE_IOERR: ("the disk could not be read or written", f"Check the disk and run again. {_KEPT}"),
    sqlite3.SQLITE_READONLY: ("it is read-only", "Make the file and its folder writable."),
    sqlite3.SQLITE_CANTOPEN: ("it cannot be opened", "Check that its folder exists and can be written."),
    sqlite3.SQLITE_PERM: ("access is denied", "Make the file and its folder readable and writable."),
    sqlite3.SQLITE_AUTH: ("access is denied", "Make the file and its folder readable and writable."),
    sqlite3.SQLITE_CORRUPT: (
        "it is damaged",
        "Move it aside, run again, and read your last export back with `bicameral backlog import`.",
    ),
    sqlite3.SQLITE_NOTADB: ("it is not a database", "Name another file, or move this one aside."),
    sqlite3.SQLITE_TOOBIG: ("a value is too large for it", _KEPT),
}


@contextmanager
def told_of(place: str) -> Iterator[None]:
    """Raise what the database raises inside as StoreError (a lock as StoreBusyError) or DefectError. Others pass."""
    try:
        yield
    except DBAPIError as error:
        raise _translated(error.orig, place) from error
    except sqlite3.Error as error:
        raise _translated(error, place) from error
    except SQLAlchemyError as error:
        raise DefectError(f"The store {place} was asked something it cannot do: {error}.") from error


def is_busy(error: BaseException | None) -> bool:
    return _primary(error) in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)


def _primary(error: BaseException | None) -> int | None:
    code = getattr(error, "sqlite_errorcode", None)
    return None if code is None else code & 0xFF


def _translated(error: BaseException | None, place: str) -> BicameralError:
    if is_busy(error):
        return StoreBusyError(
            f"Another process is writing to the store {place}.", mend=f"Wait for it to end and run again. {_KEPT}"
        )
    code = _primary(error)
    if code in _STORE_FAULTS:
        what, mend = _STORE_FAULTS[code]
        return StoreError(f"The store {place} cannot be used: {what} ({error}).", mend=mend)
    if code == sqlite3.SQLITE_CONSTRAINT:
        return DefectError(f"The store {place} refused what it was given: {error}.", mend=_KEPT)
    return StoreError(f"The store {place} cannot be used: {error}.", mend=_KEPT)
