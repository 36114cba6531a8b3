"""The digests that records name, gathered while they pass, each once and in order afterwards.

Answers for: memory that does not grow with the chain. SQLite keeps a bounded cache and puts the rest into a temporary
file without a name. Declines to know what the digests are of.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from types import TracebackType
from typing import Final

from bicameral.errors import StoreError

CACHE_KIB: Final = 8192
RECENT: Final = 20_000
"""Digests that are remembered as noted: most records name the same instructions."""


class Wanted:
    """A context manager. Raises StoreError where the temporary folder cannot be written."""

    def __enter__(self) -> Wanted:
        self._recent: set[str] = set()
        try:
            # An empty name is a private temporary database (sqlite.org, In-Memory Databases, 2).
            self._connection = sqlite3.connect("", isolation_level=None, check_same_thread=False)
            self._connection.executescript(
                f"PRAGMA cache_size = -{CACHE_KIB}; PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;"
                " CREATE TABLE wanted (digest TEXT PRIMARY KEY) WITHOUT ROWID; BEGIN"
            )
        except sqlite3.Error as error:
            raise _fault(error) from error
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._connection.close()

    def add(self, digests: Iterable[str]) -> None:
        fresh = [digest for digest in digests if digest not in self._recent]
        if not fresh:
            return
        if len(self._recent) >= RECENT:
            self._recent.clear()
        self._recent.update(fresh)
        try:
            self._connection.executemany("INSERT OR IGNORE INTO wanted VALUES (?)", [(digest,) for digest in fresh])
        except sqlite3.Error as error:
            raise _fault(error) from error

    def __contains__(self, digest: object) -> bool:
        found = self._connection.execute("SELECT 1 FROM wanted WHERE digest = ?", (digest,)).fetchone()
        return found is not None

    def __iter__(self) -> Iterator[str]:
        """By digest."""
        for (digest,) in self._connection.execute("SELECT digest FROM wanted ORDER BY digest"):
            yield digest


def _fault(error: sqlite3.Error) -> StoreError:
    return StoreError(
        f"The temporary index of what is named cannot be written: {error}.",
        mend="Free some space in the temporary folder, or name another in TMPDIR.",
    )
