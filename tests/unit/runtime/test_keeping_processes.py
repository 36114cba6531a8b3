"""Several processes at one store: one unbroken chain, and an audit that sees one state of it from end to end."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from witness_store import held, keep, shots_with_evidence, workspace

from bicameral.runtime.witnessing.rereading import replay_path
from bicameral.runtime.witnessing.source import parts_of_store
from bicameral.runtime.witnessing.verifying import verify_path
from bicameral.settings import Settings
from bicameral.witness.audit import End, Link, audit

WORKER = Path(__file__).with_name("keeping_worker.py")
COUNT = 8


@contextmanager
def worker(state: Path, run_id: str, count: int = COUNT) -> Iterator[subprocess.Popen[str]]:
    """A process that waits for a line before it keeps its batches; killed when the block ends if it still runs."""
    process = subprocess.Popen(
        [sys.executable, str(WORKER), str(state), run_id, str(count)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout is not None
        assert process.stdout.readline().strip() == "ready"
        yield process
    finally:
        process.kill()
        process.communicate()


def go(process: subprocess.Popen[str]) -> None:
    assert process.stdin is not None
    process.stdin.write("go\n")
    process.stdin.flush()


def test_two_writers_and_an_auditor_at_once_give_one_unbroken_chain(tmp_path: Path) -> None:
    seen: list[int] = []
    with ExitStack() as stack:
        crowd = [stack.enter_context(worker(tmp_path, run_id)) for run_id in ("one", "two")]
        for process in crowd:
            go(process)
        while any(process.poll() is None for process in crowd):
            found = verify_path(Settings(state_dir=tmp_path), None)
            assert (found.status, found.problems) == (0, ())
            seen.append(found.entries)
        assert [process.returncode for process in crowd] == [0, 0]
    found = verify_path(Settings(state_dir=tmp_path), None)
    assert (found.status, found.entries) == (0, 2 * COUNT)
    assert seen == sorted(seen)
    assert replay_path(Settings(state_dir=tmp_path), "one").replayed == COUNT


def test_a_writer_that_is_killed_in_the_middle_leaves_a_sound_chain(tmp_path: Path) -> None:
    with worker(tmp_path, "one", 40) as process:
        go(process)
        while verify_path(Settings(state_dir=tmp_path), None).entries == 0:
            assert process.poll() is None
        process.kill()
        process.wait()
    found = verify_path(Settings(state_dir=tmp_path), None)
    assert (found.status, found.problems) == (0, ())
    assert found.entries >= 1


def test_an_audit_under_way_does_not_see_what_is_written_meanwhile_nor_hinder_it(tmp_path: Path) -> None:
    with workspace(tmp_path, "r1") as space:
        for position in range(2):
            shots = shots_with_evidence(space.evidence, str(position))
            keep(space, held("one judge alone", shots), shots, position=position)
        with space.store.read() as reader:
            parts = parts_of_store(space, reader)
            early = [next(parts), next(parts)]
            shots = shots_with_evidence(space.evidence, "late")
            keep(space, held("one judge alone", shots), shots, position=2)
            rest = [part for part in parts if isinstance(part, Link | End)]
        assert [isinstance(part, Link) for part in (early[1], *rest)] == [True, True, False]
        assert isinstance(rest[-1], End)
        assert rest[-1].entries == 2
        with space.store.read() as reader:
            check = audit(parts_of_store(space, reader))
            assert list(check) == []
        assert check.summary.entries == 3
