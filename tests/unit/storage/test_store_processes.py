"""Several real processes at one store: killed in the middle, writing at once, opening at once."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from store_worker import TURNS, pieces

from bicameral.storage import SqlVerdictCache, Store

WORKER = Path(__file__).with_name("store_worker.py")


@contextmanager
def worker(job: str, path: Path, name: str = "one") -> Iterator[subprocess.Popen[str]]:
    """A process at work; killed when the block ends if it still runs."""
    process = subprocess.Popen(
        [sys.executable, str(WORKER), job, str(path), name], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def heard(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    return process.stdout.readline().strip()


def everything(path: Path) -> tuple[object, ...]:
    with Store.open(path) as store, store.read() as reader:
        return (
            reader.runs(),
            tuple(reader.records()),
            tuple(reader.chain()),
            reader.issues(),
            [(reader.batches(run.run_id), reader.verdict(f"v-{run.run_id}")) for run in reader.runs()],
        )


@pytest.mark.parametrize("done", range(1, len(pieces("half")) + 1))
def test_a_process_killed_between_two_statements_leaves_all_that_was_there_and_nothing_of_its_own(
    tmp_path: Path, done: int
) -> None:
    path = tmp_path / "store.db"
    with Store.open(path) as store, store.write() as tx:
        for piece in pieces("before"):
            piece(tx)
    before = everything(path)
    with worker(f"stop-after-{done}", path) as process:
        assert heard(process) == "written"
        process.kill()
        process.wait()
    assert everything(path) == before
    with Store.open(path, busy_timeout_s=5) as store, store.write() as tx:
        for piece in pieces("after"):
            piece(tx)


def test_a_process_killed_while_it_commits_loses_no_run_that_it_named_and_leaves_no_half_run(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    with worker("commit", path) as process:
        named = [heard(process) for _ in range(30)]
        process.kill()
        assert process.stdout is not None
        named += process.stdout.read().split()
    with Store.open(path) as store, store.read() as reader:
        runs = [run.run_id for run in reader.runs()]
        assert runs[: len(named)] == named
        assert len(runs) <= len(named) + 1
        for run_id in runs:
            assert len(reader.batches(run_id)) == 1
            assert reader.verdict(f"v-{run_id}") == b"{}"
        assert [entry.seq for entry in reader.chain()] == list(range(len(runs)))
        (issue,) = reader.issues()
        assert issue.last_run == runs[-1]


def test_two_processes_that_merge_into_one_store_at_once_lose_nothing(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    with worker("merge", path, "desktop") as one, worker("merge", path, "phone") as two:
        assert (one.wait(), two.wait()) == (0, 0)
    with Store.open(path) as store:
        (issue,) = store.issues()
    assert [sighting.form_factor for sighting in issue.sightings] == ["desktop", "phone"]
    assert len(issue.rulings) == 2 * TURNS
    assert issue.reopened == 2 * TURNS - 1
    assert {ruling.ruled_by for ruling in issue.rulings} == {
        f"{name}-{turn:02}" for name in ("desktop", "phone") for turn in range(TURNS)
    }


def test_processes_that_open_a_new_store_at_once_all_find_it_whole(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    with (
        worker("open", path) as one,
        worker("open", path) as two,
        worker("open", path) as three,
        worker("open", path) as four,
    ):
        crowd = (one, two, three, four)
        assert [heard(process) for process in crowd] == ["ready"] * 4
        for process in crowd:
            process.communicate("go\n")
        assert [process.returncode for process in crowd] == [0] * 4
    with Store.open(path) as store, store.write() as tx:
        for piece in pieces("one"):
            piece(tx)


def test_a_lease_held_by_a_killed_process_is_free_once_it_has_run_out(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    with worker("lease", path, "dead") as process:
        assert heard(process) == "leased"
    with Store.open(path) as store:
        assert not SqlVerdictCache(store, now_s=lambda: 29.0).lease("k", "alive", ttl_s=30)
        assert SqlVerdictCache(store, now_s=lambda: 30.0).lease("k", "alive", ttl_s=30)
