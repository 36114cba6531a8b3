"""The two pieces of SQL that are written alike for every table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, TypeVar

from sqlalchemy import Connection, Table
from sqlalchemy.dialects import postgresql, sqlite

T = TypeVar("T")

MOST_AT_ONCE: Final = 500
"""Values in one IN list: below every limit on bound parameters (SQLite before 3.32 took 999 in all)."""


def chunks(items: Sequence[T]) -> Iterator[Sequence[T]]:
    """The items in their order, MOST_AT_ONCE at a time. None for none."""
    for start in range(0, len(items), MOST_AT_ONCE):
        yield items[start : start + MOST_AT_ONCE]


def upsert(connection: Connection, table: Table, rows: Sequence[Mapping[str, Any]]) -> None:
    """Insert the rows, or replace those that have the same primary key. All rows name the same columns."""
    if not rows:
        return
    key = [column.name for column in table.primary_key]
    insert: Any = sqlite.insert if connection.dialect.name == "sqlite" else postgresql.insert
    statement = insert(table)
    changed = {name: statement.excluded[name] for name in rows[0] if name not in key}
    statement = statement.on_conflict_do_update(index_elements=key, set_=changed) if changed else statement
    connection.execute(statement, list(rows))
