"""Links that several processes examine: the same reports in the same order, whatever becomes of the helpers."""

from __future__ import annotations

import io
import subprocess
import sys
from dataclasses import replace
from typing import Any

import pytest

from bicameral.errors import BundleError
from bicameral.model.witnessing import Problem
from bicameral.witness import _audit_pool
from bicameral.witness._audit_pool import BATCH_LINKS, examine_all, examine_batch, receive, send
from bicameral.witness.audit import Link, audit
from witness_deposits import agreement, deposit, dispute, places, verified

LINKS = deposit(*[dispute(), agreement()] * 40).links


@pytest.fixture
def early(monkeypatch: pytest.MonkeyPatch) -> None:
    """Helpers from the first batch on."""
    monkeypatch.setattr(_audit_pool, "START_AFTER", 1)


def batches(size: int = 4) -> list[list[Any]]:
    return [list(LINKS[at : at + size]) for at in range(0, len(LINKS), size)]


@pytest.mark.usefixtures("early")
@pytest.mark.parametrize("jobs", [2, 3])
def test_the_reports_are_the_same_and_in_order(jobs: int) -> None:
    given = batches()
    given[3][1] = replace(given[3][1], outcome=b"{}")
    assert list(examine_all(given, jobs=jobs)) == [examine_batch(batch) for batch in given]


@pytest.mark.usefixtures("early")
def test_a_whole_verification_says_the_same_with_helpers() -> None:
    whole = deposit(dispute(), agreement()).with_link(1, record=b"{}")
    assert verified(whole.parts(), jobs=2) == verified(whole.parts(), jobs=1)
    assert ("entries[1].record", "broken") in places(verified(whole.parts(), jobs=2)[0])


@pytest.mark.usefixtures("early")
@pytest.mark.parametrize(
    "command",
    [
        [sys.executable, "-c", "pass"],
        [
            sys.executable,
            "-c",
            "import sys; sys.stdout.buffer.write(b'\\0' * 4000); sys.stdout.flush(); sys.stdin.read()",
        ],
        [
            sys.executable,
            "-c",
            "import sys; sys.stdout.buffer.write(b'\\0' * 7 + b'\\3abc'); sys.stdin.buffer.read(100)",
        ],
        ["/no/such/program"],
    ],
)
def test_a_helper_that_cannot_start_dies_or_talks_nonsense_changes_no_report(
    command: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    real = subprocess.Popen
    monkeypatch.setattr(subprocess, "Popen", lambda _, **options: real(command, **options))
    given = batches(8)
    assert list(examine_all(given, jobs=2)) == [examine_batch(batch) for batch in given]


@pytest.mark.usefixtures("early")
def test_a_verification_that_is_given_up_leaves_no_process(monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[subprocess.Popen[bytes]] = []
    real = subprocess.Popen

    def start(command: list[str], **options: Any) -> subprocess.Popen[bytes]:
        started.append(real(command, **options))
        return started[-1]

    monkeypatch.setattr(subprocess, "Popen", start)
    reports = examine_all(iter(batches()), jobs=2)
    next(reports)
    reports.close()
    assert [process.returncode is None for process in started] == [False]


def test_a_small_deposit_starts_no_process(monkeypatch: pytest.MonkeyPatch) -> None:
    def never(*_: Any, **__: Any) -> None:
        raise AssertionError("a process was started")

    monkeypatch.setattr(subprocess, "Popen", never)
    assert verified(deposit(dispute()).parts(), jobs=8)[0] == []


@pytest.mark.usefixtures("early")
def test_what_came_before_a_torn_end_is_told_before_the_error() -> None:
    whole = deposit(*[agreement()] * (BATCH_LINKS + 3)).with_link(2, outcome=b"{}")

    def torn() -> Any:
        for part in whole.parts():
            if not isinstance(part, Link) and not hasattr(part, "runs"):
                raise BundleError("torn")
            yield part

    for jobs in (1, 2):
        running = audit(torn(), jobs=jobs)
        found: list[Problem] = []
        with pytest.raises(BundleError, match="torn"):
            found.extend(running)
        assert {problem.where for problem in found} == {"entries[2].outcome"}
        assert (running.summary.entries, running.summary.broken) == (BATCH_LINKS + 3, len(found))


def test_half_of_a_message_is_no_message() -> None:
    pipe = io.BytesIO()
    send(pipe, b"abc")
    whole = pipe.getvalue()
    assert receive(io.BytesIO(whole)) == b"abc"
    assert receive(io.BytesIO(b"")) is None
    for cut in range(1, len(whole)):
        with pytest.raises(EOFError):
            receive(io.BytesIO(whole[:cut]))
