"""What stands in the way of a store, and what is said of it."""

from __future__ import annotations

import os
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from store_worker import pieces, run_row

from bicameral.errors import BicameralError, ConfigError, StoreBusyError, StoreError, StoreVersionError
from bicameral.storage import Store
from bicameral.storage.schema import APPLICATION_ID, SCHEMA_VERSION


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A store with one run in it."""
    made = tmp_path / "store.db"
    with Store.open(made) as store, store.write() as tx:
        for piece in pieces("run-1"):
            piece(tx)
    return made


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that another user can reach, unlike pytest's own."""
    folder = Path(tempfile.mkdtemp(prefix="bicameral-test-"))
    folder.chmod(0o777)
    yield folder
    folder.chmod(0o777)
    shutil.rmtree(folder)


@contextmanager
def as_nobody() -> Iterator[None]:
    """Root may write anywhere, so permissions are tried as a user that is not root."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(0)


def refusal(path: Path | str, kind: type[BicameralError] = StoreError, *, create: bool = True) -> str:
    with pytest.raises(kind) as caught:
        Store.open(path, create=create, busy_timeout_s=0.05)
    assert caught.value.mend
    return str(caught.value)


def test_a_store_is_found_again_and_the_file_is_marked_as_ours(path: Path) -> None:
    with Store.open(path) as store:
        assert [run.run_id for run in store.runs()] == ["run-1"]
        assert store.place == str(path)
        assert store.notes == ()
    with closing(sqlite3.connect(path)) as raw:
        assert raw.execute("PRAGMA application_id").fetchone() == (APPLICATION_ID,)
        assert raw.execute("PRAGMA journal_mode").fetchone() == ("wal",)
        assert raw.execute("SELECT version FROM meta").fetchall() == [(SCHEMA_VERSION,)]


@pytest.mark.parametrize("name", ["a b%20?#.db", "läden 店.db", "x.sqlite"])
def test_any_file_name_will_do_as_a_path_or_as_text_or_as_an_address(tmp_path: Path, name: str) -> None:
    for place in (tmp_path / name, str(tmp_path / name), f"sqlite:///{tmp_path / name}"):
        with Store.open(place):
            assert (tmp_path / name).stat().st_size > 0


def test_an_empty_file_is_a_new_store(tmp_path: Path) -> None:
    path = tmp_path / "empty.db"
    path.touch()
    with Store.open(path) as store:
        assert store.issues() == ()


def test_every_connection_checks_references_and_waits_for_the_disk(path: Path) -> None:
    with Store.open(path) as store:
        for engine in (store._reader, store._writer):
            with engine.begin() as connection:
                asked = [
                    connection.exec_driver_sql(f"PRAGMA {name}").scalar() for name in ("foreign_keys", "synchronous")
                ]
                assert asked == [1, 2]


def test_reading_cannot_write(path: Path) -> None:
    with Store.open(path) as store, pytest.raises(StoreError, match="read-only"), store.read() as reader:
        reader._connection.exec_driver_sql("DELETE FROM runs")


def test_a_store_that_is_not_there_is_not_made_unasked(tmp_path: Path) -> None:
    path = tmp_path / "none.db"
    assert "There is no store at" in refusal(path, create=False)
    assert not path.exists()


@pytest.mark.parametrize("create", [True, False])
def test_a_name_too_long_for_the_system_is_refused_in_words(tmp_path: Path, create: bool) -> None:
    message = refusal(tmp_path / ("a" * 5000), create=create)
    assert "name too long" in message
    assert len(message) < 500


def test_a_loop_of_links_is_refused_in_words(tmp_path: Path) -> None:
    (tmp_path / "a.db").symlink_to(tmp_path / "b.db")
    (tmp_path / "b.db").symlink_to(tmp_path / "a.db")
    refusal(tmp_path / "a.db")


@pytest.mark.parametrize(
    ("change", "what"),
    [
        ("UPDATE sightings SET acceptance = '['", "acceptance"),
        ("UPDATE sightings SET acceptance = '[1]'", "acceptance"),
        ("UPDATE sightings SET acceptance = '3'", "acceptance"),
        ("UPDATE sightings SET acceptance = x'ff'", "acceptance"),
        ("UPDATE sightings SET box = '{}'", "box"),
        ("UPDATE sightings SET consensus = 'null x'", "consensus"),
        ("UPDATE sightings SET rulings = '{}'", "ruling"),
        ("UPDATE sightings SET severity = 'urgent'", "sighting (severity)"),
        ("UPDATE issues SET severity = 'urgent'", "issue (severity)"),
        ("UPDATE issues SET status = ''", "issue (status)"),
        ("UPDATE runs SET spend = '{'", "spend"),
        ("UPDATE runs SET spend = printf('%.*c', 100000, '[')", "spend"),
        ("UPDATE raw_replies SET reported = '['", "raw reply"),
        ("UPDATE raw_replies SET reported = '[]', state = 'odd'", "raw reply"),
    ],
)
def test_a_row_that_was_damaged_is_a_store_error_that_names_it(path: Path, change: str, what: str) -> None:
    with closing(sqlite3.connect(path)) as raw:
        raw.execute(change)
        raw.commit()
    with pytest.raises(StoreError) as caught:
        _read_all(path)
    assert f"damaged {what}" in str(caught.value)
    assert "backlog import" in str(caught.value)


def _read_all(path: Path) -> None:
    with Store.open(path) as store, store.read() as reader:
        reader.issues()
        reader.runs()
        reader.raw_replies("sha256:run-1")


def test_a_missing_folder_is_named(tmp_path: Path) -> None:
    assert str(tmp_path / "no" / "store.db") in refusal(tmp_path / "no" / "store.db")


def test_a_folder_is_no_store(tmp_path: Path) -> None:
    assert "is a folder" in refusal(tmp_path)


@pytest.mark.parametrize(
    ("place", "said"),
    [("", "no path"), ("a\0b", "no path"), ("postgresql+psycopg://host/db", "postgresql"), ("redis://x", "redis")],
)
def test_what_is_no_place_for_a_store_is_refused(place: str, said: str) -> None:
    assert said in refusal(place, ConfigError)


@pytest.mark.parametrize(
    "body", [b"not a database at all, but long enough to look", b"short", b"\x89PNG\r\n\x1a\n" * 99]
)
def test_a_file_that_is_no_database_is_refused_and_left_alone(tmp_path: Path, body: bytes) -> None:
    path = tmp_path / "other.db"
    path.write_bytes(body)
    message = refusal(path)
    assert str(path) in message
    assert "not a database" in message
    assert path.read_bytes() == body


def test_a_database_of_another_program_is_refused_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "other.db"
    with closing(sqlite3.connect(path)) as raw:
        raw.execute("CREATE TABLE issues (x)")
        raw.commit()
    before = path.read_bytes()
    assert "some other program" in refusal(path)
    assert path.read_bytes() == before


def test_an_empty_database_marked_by_another_program_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "other.db"
    with closing(sqlite3.connect(path)) as raw:
        raw.execute("PRAGMA application_id=1")
        raw.execute("CREATE TABLE t (x)")
        raw.execute("DROP TABLE t")
        raw.commit()
    assert "some other program" in refusal(path)


def test_a_store_of_a_newer_version_is_refused_and_left_alone(path: Path) -> None:
    with closing(sqlite3.connect(path)) as raw:
        raw.execute("UPDATE meta SET version = 99")
        raw.commit()
        raw.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    before = path.read_bytes()
    message = refusal(path, StoreVersionError)
    assert "schema 99" in message
    assert "Upgrade Bicameral" in message
    assert path.read_bytes() == before


def test_a_truncated_store_is_refused_in_words(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:5000])
    assert "damaged" in refusal(path)


def test_a_store_with_a_damaged_page_is_told_when_the_page_is_read(path: Path) -> None:
    body = bytearray(path.read_bytes())
    body[4096 * 2 :] = b"\xa5" * (len(body) - 4096 * 2)
    path.write_bytes(body)
    with pytest.raises(StoreError, match=r"damaged.*backlog import"), Store.open(path) as store:
        store.issues()


def test_a_read_only_file_is_refused_with_its_mend(open_folder: Path) -> None:
    path = open_folder / "store.db"
    Store.open(path).close()
    path.chmod(0o444)
    with as_nobody():
        assert "Make the file and its folder" in refusal(path)


def test_a_read_only_folder_is_refused_with_its_mend(open_folder: Path) -> None:
    open_folder.chmod(0o555)
    with as_nobody():
        assert "its folder is read-only" in refusal(open_folder / "store.db")


def test_a_store_in_a_folder_that_became_read_only_is_refused(open_folder: Path) -> None:
    path = open_folder / "store.db"
    Store.open(path).close()
    path.chmod(0o666)
    open_folder.chmod(0o555)
    with as_nobody():
        assert "read-only" in refusal(path)


def test_while_another_process_writes_a_write_gives_up_after_its_time_and_says_so(path: Path) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as other, Store.open(path, busy_timeout_s=0.05) as store:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreBusyError, match="Another process is writing"), store.write():
            pass
        assert [run.run_id for run in store.runs()] == ["run-1"]
        other.execute("COMMIT")
        with store.write() as tx:
            tx.add_run(run_row("run-2"))


def test_a_write_within_a_write_is_refused_and_the_outer_one_goes_on(path: Path) -> None:
    with Store.open(path, busy_timeout_s=0.05) as store:
        with store.write() as tx:
            tx.add_run(run_row("run-2"))
            with pytest.raises(StoreBusyError), store.write():
                pass
        assert len(store.runs()) == 2


def test_a_full_disk_rolls_back_the_whole_write_and_later_ones_work(path: Path) -> None:
    with Store.open(path) as store:
        with pytest.raises(StoreError, match=r"disk is full.*Nothing of this write was kept") as caught:
            _fill_the_disk(store)
        assert not isinstance(caught.value, StoreBusyError)
        assert [run.run_id for run in store.runs()] == ["run-1"]
        with store.write() as tx:
            tx._connection.exec_driver_sql("PRAGMA max_page_count=1000000")
            tx.add_run(run_row("run-2"))
        assert len(store.runs()) == 2


def _fill_the_disk(store: Store) -> None:
    """SQLite's own limit on pages ends a write just as a full disk does (SQLITE_FULL)."""
    with store.write() as tx:
        pages = tx._connection.exec_driver_sql("PRAGMA page_count").scalar_one()
        tx._connection.exec_driver_sql(f"PRAGMA max_page_count={pages + 2}")
        tx.add_run(run_row("half"))
        tx.put_verdict("large", b"x" * 1_000_000)


def test_a_closed_store_may_be_closed_again(path: Path) -> None:
    store = Store.open(path)
    store.close()
    store.close()
