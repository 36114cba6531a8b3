"""A SQLite file as two engines: one that reads, one that writes.

Answers for: how connections are set up, and that a file is ours before anything is written to it. Declines to make
folders, and to touch a database of some other program.

Rules, in order:
1. The folder exists and can be written, and the file, if there, is an SQLite database with our mark or an empty one.
2. Write-ahead log, synchronous FULL: what was committed survives a killed process and a power cut.
3. Every write begins with BEGIN IMMEDIATE, so that whoever reads in order to write has the lock before it reads.
4. A lock is waited for `busy_timeout_s` seconds. Readers never wait for a writer, nor a writer for readers.
"""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.pool import QueuePool

from bicameral.errors import StoreError
from bicameral.storage._faults import is_busy
from bicameral.storage._filesystem import network_file_system
from bicameral.storage.schema import APPLICATION_ID

_MAGIC: Final = b"SQLite format 3\0"
_RETRY_S: Final = 0.02
_SETTLE_MS: Final = 2_000
NAME_SHOWN: Final = 200


def check_file(path: Path, *, create: bool) -> None:
    """Refuse a path that no store can be at. Raises StoreError, which names the path and the mend."""
    try:
        _check(path, create=create)
    except (OSError, ValueError) as error:  # a name too long for the system, a loop of links, a folder we may not enter
        raise StoreError(
            f"The store {_short(path)} cannot be opened: {getattr(error, 'strerror', None) or error}.",
            mend="Name another file.",
        ) from error


def _short(path: Path) -> str:
    text = str(path)
    return text if len(text) <= NAME_SHOWN else text[:NAME_SHOWN] + "…"


def _check(path: Path, *, create: bool) -> None:
    if path.is_dir():
        raise StoreError(f"The store {path} is a folder.", mend="Name a file in it.")
    if not path.parent.is_dir():
        raise StoreError(f"The store {path} cannot be opened: its folder does not exist.", mend="Make the folder.")
    if not path.exists():
        if not create:
            raise StoreError(f"There is no store at {path}.", mend="Run `bicameral check` first, or name --state.")
        if not _may(path.parent, os.W_OK | os.X_OK):
            raise StoreError(f"The store {path} cannot be made: its folder is read-only.", mend="Make it writable.")
        return
    if not _may(path, os.R_OK | os.W_OK) or not _may(path.parent, os.W_OK | os.X_OK):
        raise StoreError(f"The store {path} is read-only.", mend="Make the file and its folder readable and writable.")
    with path.open("rb") as file:
        head = file.read(len(_MAGIC))
    if head not in (b"", _MAGIC):
        raise StoreError(f"The store {path} is not a database.", mend="Name another file, or move this one aside.")


def _may(path: Path, mode: int) -> bool:
    """Whether the user that this process acts as may use the path so."""
    return os.access(path, mode, effective_ids=os.access in os.supports_effective_ids)


def connector(path: Path, *, busy_timeout_s: float, read_only: bool) -> Callable[[], sqlite3.Connection]:
    """A function that opens one connection. It changes nothing in the file."""

    def connect() -> sqlite3.Connection:
        # Autocommit, so that BEGIN is written by us and not guessed by the driver.
        connection = sqlite3.connect(path, timeout=busy_timeout_s, isolation_level=None, check_same_thread=False)
        try:
            connection.execute("PRAGMA foreign_keys=ON")
            connection.execute("PRAGMA synchronous=FULL")
            if read_only:
                connection.execute("PRAGMA query_only=ON")
        except BaseException:
            connection.close()
            raise
        return connection

    return connect


def engine(path: Path, *, busy_timeout_s: float, read_only: bool) -> Engine:
    """An engine whose transactions begin IMMEDIATE, or, for reading, see one state of the store from end to end."""
    connect = connector(path, busy_timeout_s=busy_timeout_s, read_only=read_only)
    made = create_engine("sqlite://", creator=connect, poolclass=QueuePool, pool_size=4, max_overflow=-1)
    begin = "BEGIN" if read_only else "BEGIN IMMEDIATE"

    @event.listens_for(made, "begin")
    def _begin(connection: Connection) -> None:
        connection.exec_driver_sql(begin)

    return made


def prepare(path: Path, *, busy_timeout_s: float) -> tuple[str, ...]:
    """Make sure that the file is ours or empty, then set the write-ahead log.

    Returns notes for the person: sentences, none where all is well.  Raises sqlite3.Error, and StoreError for a
    database of some other program.
    """
    connection = connector(path, busy_timeout_s=busy_timeout_s, read_only=False)()
    try:
        if not _is_ours(connection):
            raise StoreError(
                f"The store {path} is a database of some other program.", mend="Name another file: nothing was changed."
            )
        mode = _write_ahead(connection, busy_timeout_s)
    finally:
        connection.close()
    notes = []
    kind = network_file_system(path.absolute())
    if kind is not None:
        notes.append(
            f"The store {path} is on a network file system ({kind}), where SQLite cannot keep two machines apart: "
            "use it from one machine at a time, or name a local --state."
        )
    if mode != "wal":
        notes.append(f"The store {path} has no write-ahead log here ({mode}): readers and writers wait for each other.")
    return tuple(notes)


def mark(connection: Connection) -> None:
    """Write our mark into the header, in the transaction that makes the tables."""
    connection.exec_driver_sql(f"PRAGMA application_id={APPLICATION_ID}")


def settle(connection: Connection) -> bool:
    """Empty the write-ahead log (https://sqlite.org/pragma.html#pragma_wal_checkpoint). False where a reader holds it.

    Asked of the driver's own connection: within a transaction there is no checkpoint.
    """
    driver: Any = connection.connection.driver_connection
    (before,) = driver.execute("PRAGMA busy_timeout").fetchone()
    try:
        driver.execute(f"PRAGMA busy_timeout={_SETTLE_MS}")
        (busy, _, _) = driver.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    finally:
        driver.execute(f"PRAGMA busy_timeout={before}")
    return not busy


def _is_ours(connection: sqlite3.Connection) -> bool:
    (application_id,) = connection.execute("PRAGMA application_id").fetchone()
    (tables,) = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    return bool(application_id == APPLICATION_ID or (application_id == 0 and tables == 0))


def _write_ahead(connection: sqlite3.Connection, busy_timeout_s: float) -> Any:
    """The journal mode that came of it. The change needs the file alone, for which SQLite does not wait by itself."""
    deadline = time.monotonic() + busy_timeout_s
    while True:
        try:
            return connection.execute("PRAGMA journal_mode=WAL").fetchone()[0]
        except sqlite3.OperationalError as error:
            if not is_busy(error) or time.monotonic() >= deadline:
                raise
            time.sleep(_RETRY_S)
