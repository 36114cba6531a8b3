"""The migrations make the schema, and nothing is known of the schema that they do not make."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy.dialects import postgresql
from sqlalchemy.schema import CreateTable

from bicameral.storage import Store, _sqlite
from bicameral.storage.schema import SCHEMA_VERSION, metadata


def test_the_migrations_make_exactly_the_schema(tmp_path: Path) -> None:
    with Store.open(tmp_path / "store.db") as store, store._writer.begin() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, metadata) == []


def test_a_migration_that_breaks_off_leaves_a_new_store_new(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "store.db"

    def break_off(_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(_sqlite, "mark", break_off)
        with pytest.raises(KeyboardInterrupt):
            Store.open(path)
    with closing(sqlite3.connect(path)) as raw:
        assert raw.execute("SELECT count(*) FROM sqlite_master").fetchone() == (0,)
    with Store.open(path) as store:
        assert store.issues() == ()


def test_the_newest_migration_is_the_version_this_program_knows() -> None:
    config = Config()
    config.set_main_option("script_location", "bicameral.storage:migrations")
    (head,) = ScriptDirectory.from_config(config).get_heads()
    assert int(head) == SCHEMA_VERSION


def test_postgresql_compares_texts_by_code_point_and_keeps_bytes_as_bytes() -> None:
    for table in metadata.sorted_tables:
        written = str(CreateTable(table).compile(dialect=postgresql.dialect()))
        for line in written.splitlines():
            if " TEXT" in line:
                assert 'COLLATE "C"' in line
    assert "body BYTEA NOT NULL" in str(CreateTable(metadata.tables["records"]).compile(dialect=postgresql.dialect()))


def test_opening_a_store_that_is_up_to_date_does_not_load_alembic(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    Store.open(path).close()
    program = (
        "import sys; from bicameral.storage import Store; Store.open(sys.argv[1]).close(); "
        "sys.exit('alembic' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", program, str(path)], check=False).returncode == 0
