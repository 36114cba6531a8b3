"""The store: where runs, records, the backlog and cached verdicts are kept.

Answers for: what was committed is never lost, and nothing is ever kept in half. Declines to decide: it keeps what
`backlog`, `witness` and `runtime` hand it.

Rules, in order:
1. A store is a SQLite file, named by its path. Schema and statements are PostgreSQL's too; its engine is not built.
2. Opening checks that the file is ours, brings it up to date under its write lock, and notes what a person should know.
3. Reading and writing happen in transactions. A write takes the lock first, so that reading, merging and saving within
   it cannot lose what another process saved meanwhile.
4. Every failure is a StoreError that names the store and the mend; a lock that another holds is its StoreBusyError.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Final

from sqlalchemy import Engine

from bicameral.errors import ConfigError
from bicameral.model.backlog import Issue
from bicameral.model.vocabulary import Severity, Status
from bicameral.storage import _sqlite
from bicameral.storage._faults import told_of
from bicameral.storage._migrate import migrate
from bicameral.storage.reader import Reader
from bicameral.storage.rows import BatchRow, RecordRow, RunRow
from bicameral.storage.transaction import Transaction

BUSY_TIMEOUT_S: Final = 30.0
"""How long a write waits for another's: far longer than any one transaction of ours takes."""

_SQLITE_URL: Final = "sqlite:///"


class Store:
    """An open store. Made by `Store.open`; may be used from several threads; to be closed."""

    def __init__(self, place: str, reader: Engine, writer: Engine, notes: tuple[str, ...]) -> None:
        self.place = place
        self.notes = notes
        self._reader = reader
        self._writer = writer

    @classmethod
    def open(cls, place: str | Path, *, create: bool = True, busy_timeout_s: float = BUSY_TIMEOUT_S) -> Store:
        """Open the store at a path (or `sqlite:///PATH`), made if `create` and not there. Its folder exists.

        Raises StoreVersionError for one of a newer version, StoreBusyError, and StoreError for whatever else stands in
        the way: a missing folder, a read-only file, one that is damaged or is no store of ours.
        """
        path = _path_of(place)
        _sqlite.check_file(path, create=create)
        with told_of(str(path)):
            notes = _sqlite.prepare(path, busy_timeout_s=busy_timeout_s)
            store = cls(
                str(path),
                _sqlite.engine(path, busy_timeout_s=busy_timeout_s, read_only=True),
                _sqlite.engine(path, busy_timeout_s=busy_timeout_s, read_only=False),
                notes,
            )
            try:
                migrate(store._reader, store._writer, store.place)
            except BaseException:
                store.close()
                raise
        return store

    @contextmanager
    def read(self) -> Iterator[Reader]:
        """One state of the store, whatever others write meanwhile."""
        with told_of(self.place), self._reader.begin() as connection:
            yield Reader(connection)

    @contextmanager
    def write(self) -> Iterator[Transaction]:
        """One transaction. It is kept when the block ends, and none of it where the block raises.

        There is one writer at a time: a second `write` inside the block waits for itself and raises StoreBusyError.
        """
        with told_of(self.place), self._writer.begin() as connection:
            yield Transaction(connection)

    def issues(
        self,
        *,
        statuses: Collection[Status] | None = None,
        severities: Collection[Severity] | None = None,
        targets: Collection[str] | None = None,
        categories: Collection[str] | None = None,
    ) -> tuple[Issue, ...]:
        """As Reader.issues."""
        with self.read() as reader:
            return reader.issues(statuses=statuses, severities=severities, targets=targets, categories=categories)

    def issue(self, key: str) -> Issue | None:
        """As Reader.issue."""
        with self.read() as reader:
            return reader.issue(key)

    def issue_keys(self) -> frozenset[str]:
        """As Reader.issue_keys."""
        with self.read() as reader:
            return reader.issue_keys()

    def runs(self) -> tuple[RunRow, ...]:
        """As Reader.runs."""
        with self.read() as reader:
            return reader.runs()

    def run(self, run_id: str) -> RunRow | None:
        """As Reader.run."""
        with self.read() as reader:
            return reader.run(run_id)

    def report(self, run_id: str) -> bytes | None:
        """As Reader.report."""
        with self.read() as reader:
            return reader.report(run_id)

    def batches(self, run_id: str) -> tuple[BatchRow, ...]:
        """As Reader.batches."""
        with self.read() as reader:
            return reader.batches(run_id)

    def record(self, digest: str) -> RecordRow | None:
        """As Reader.record."""
        with self.read() as reader:
            return reader.record(digest)

    def records(self, run_id: str | None = None) -> tuple[RecordRow, ...]:
        """As Reader.records, all at once; for many, read them one by one within `read`."""
        with self.read() as reader:
            return tuple(reader.records(run_id))

    def settle(self) -> bool:
        """Bring everything that is committed into the store's own file, so that its log holds nothing old any more.

        False where another process still reads an older state; the next call, or whoever closes last, does it.
        """
        with told_of(self.place), self._writer.connect() as connection:
            return _sqlite.settle(connection)

    def close(self) -> None:
        """Let go of the file. Closing twice does no harm."""
        self._reader.dispose()
        self._writer.dispose()

    def __enter__(self) -> Store:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()


def _path_of(place: str | Path) -> Path:
    text = str(place)
    if isinstance(place, str) and text.startswith(_SQLITE_URL):
        return Path(text.removeprefix(_SQLITE_URL))
    if isinstance(place, str) and "://" in text:
        scheme = text.partition("://")[0]
        raise ConfigError(
            f"A store of the kind {scheme} cannot be opened by this version.", mend="Name a path for a SQLite file."
        )
    if "\0" in text or not text:
        raise ConfigError(f"{text!r} is no path for a store.", mend="Name a file.")
    return Path(place)
