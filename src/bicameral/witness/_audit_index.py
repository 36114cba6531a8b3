"""What was named and has not been seen yet, in a temporary index on disk.

Answers for: memory that does not grow with the chain. SQLite keeps a bounded cache and puts the rest into a file of the
system's own temporary folder, which has no name and goes when it is closed. Declines to know what is wrong with what.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from typing import Final, Literal, NamedTuple

from bicameral.errors import StoreError
from bicameral.witness._audit_report import Named

CACHE_KIB: Final = 8192
"""What SQLite may hold in memory."""

PENDING: Final = 2000
"""Rows that are gathered before they are written."""

RECENT: Final = 20_000
"""Names that are remembered as written: most links name the same instructions."""

State = Literal["wanted", "settled", "unknown"]
"""`unknown`: nothing names it."""
_PRAGMAS: Final = f"PRAGMA cache_size = -{CACHE_KIB}; PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;"
_SCHEMA: Final = """
CREATE TABLE named (
  digest BLOB NOT NULL, reply INTEGER NOT NULL, kind TEXT NOT NULL, entry INTEGER NOT NULL, place TEXT NOT NULL,
  held INTEGER NOT NULL DEFAULT 0, PRIMARY KEY (digest, reply)
) WITHOUT ROWID;
CREATE TABLE heads (digest BLOB NOT NULL, entry INTEGER NOT NULL);
"""


class Wanted(NamedTuple):
    """A name and where it was named first. entry: the link's place."""

    digest: bytes
    kind: str
    entry: int
    place: str


class Index:
    """A context manager. Raises StoreError where the temporary folder cannot be written."""

    def __init__(self) -> None:
        self._named: list[tuple[bytes, bool, str, int, str]] = []
        self._heads: list[tuple[bytes, int]] = []
        self._recent: set[tuple[bytes, bool]] = set()
        self._heads_sorted = False

    def __enter__(self) -> Index:
        try:
            # An empty name is a private temporary database (sqlite.org, In-Memory Databases, 2).
            self._connection = sqlite3.connect("", isolation_level=None, check_same_thread=False)
            self._connection.executescript(f"{_PRAGMAS} {_SCHEMA} BEGIN;")
        except sqlite3.Error as exc:
            raise _fault(exc) from exc
        return self

    def __exit__(self, *_: object) -> None:
        self._connection.close()

    def add(self, named: Iterable[Named], entry: int) -> None:
        """Remember what a link names; what was named before keeps its first place."""
        for digest, kind, place in named:
            key = (digest, kind == "reply")
            if key not in self._recent:
                if len(self._recent) >= RECENT:
                    self._recent.clear()
                self._recent.add(key)
                self._named.append((*key, kind, entry, place))
        if len(self._named) >= PENDING:
            self._flush()

    def add_head(self, digest: bytes, entry: int) -> None:
        """Remember the hash of an entry."""
        self._heads.append((digest, entry))
        if len(self._heads) >= PENDING:
            self._flush()

    def entry_of(self, head: bytes) -> int | None:
        """The place of the entry with this hash, None where there is none."""
        self._flush()
        if not self._heads_sorted:
            self._run("CREATE INDEX heads_by_digest ON heads (digest)")
            self._heads_sorted = True
        found = self._run("SELECT min(entry) FROM heads WHERE digest = ?", (head,)).fetchone()
        return None if found is None or found[0] is None else int(found[0])

    def settle(self, digest: bytes, *, reply: bool) -> State:
        """What it was until now. It was seen, or it is known to have been dropped: it is wanted no longer."""
        self._flush()
        key = (digest, reply)
        if self._run("UPDATE named SET held = 1 WHERE digest = ? AND reply = ? AND held = 0", key).rowcount:
            return "wanted"
        known = self._run("SELECT 1 FROM named WHERE digest = ? AND reply = ?", key).fetchone()
        return "unknown" if known is None else "settled"

    def wanted(self) -> Iterator[Wanted]:
        """What was not seen, in the order in which it was named."""
        self._flush()
        rows = self._run("SELECT digest, kind, entry, place FROM named WHERE held = 0 ORDER BY entry, place")
        while True:
            try:
                row = rows.fetchone()
            except sqlite3.Error as exc:
                raise _fault(exc) from exc
            if row is None:
                return
            yield Wanted(*row)

    def _flush(self) -> None:
        if self._named or self._heads:
            named, self._named = self._named, []
            heads, self._heads = self._heads, []
            try:
                self._connection.executemany(
                    "INSERT OR IGNORE INTO named (digest, reply, kind, entry, place) VALUES (?, ?, ?, ?, ?)", named
                )
                self._connection.executemany("INSERT INTO heads (digest, entry) VALUES (?, ?)", heads)
            except sqlite3.Error as exc:
                raise _fault(exc) from exc

    def _run(self, sql: str, values: tuple[object, ...] = ()) -> sqlite3.Cursor:
        try:
            return self._connection.execute(sql, values)
        except sqlite3.Error as exc:
            raise _fault(exc) from exc


def _fault(exc: sqlite3.Error) -> StoreError:
    return StoreError(
        f"The temporary index of this verification cannot be written: {exc}.",
        mend="Free some space in the temporary folder, or name another in TMPDIR.",
    )
