"""A store brought to this program's schema, once, whoever comes first.

Answers for: two processes that open a new store at once both find it whole. Declines to go back: a store of a newer
version is left alone.

Rules, in order:
1. The version is read without a lock; where it is ours, nothing else is done (and Alembic is not even loaded).
2. Else the store's write lock is taken, the version read again, and what is missing is made in that one transaction.
"""

from __future__ import annotations

import threading
from typing import Final

from sqlalchemy import Connection, Engine, inspect, select

from bicameral.errors import StoreVersionError
from bicameral.storage import _sqlite
from bicameral.storage.schema import SCHEMA_VERSION, meta

_ALEMBIC: Final = threading.Lock()
"""Alembic keeps its context in module globals: one thread of a process at a time."""


def migrate(reader: Engine, writer: Engine, place: str) -> None:
    """Bring the store up to SCHEMA_VERSION. Raises StoreVersionError where it is past that, and the driver's errors."""
    with reader.begin() as connection:
        if _version(connection, place) == SCHEMA_VERSION:
            return
    with _ALEMBIC, writer.begin() as connection:
        if _version(connection, place) != SCHEMA_VERSION:
            _upgrade(connection)
            _sqlite.mark(connection)


def _version(connection: Connection, place: str) -> int:
    """0 for a store that holds nothing yet."""
    if not inspect(connection).has_table(meta.name):
        return 0
    version = connection.execute(select(meta.c.version)).scalar() or 0
    if version > SCHEMA_VERSION:
        raise StoreVersionError(
            f"The store {place} was made by a newer version of Bicameral (schema {version}; this one knows "
            f"{SCHEMA_VERSION}).",
            mend="Upgrade Bicameral; nothing was changed.",
        )
    return version


def _upgrade(connection: Connection) -> None:
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", "bicameral.storage:migrations")
    config.attributes["connection"] = connection
    command.upgrade(config, "head")
