"""One live call for one verdict, and a verdict that was paid for is returned whatever becomes of the cache."""

from __future__ import annotations

import asyncio
import logging
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from bicameral.errors import StoreBusyError, StoreError
from bicameral.model.judging import DialogueResult
from bicameral.runtime import verdicts
from bicameral.runtime.verdicts import served_or_judged
from bicameral.storage import SqlVerdictCache, Store
from dialogue_batches import first, hold, proposal, row, rulings, second

WORKER = Path(__file__).with_name("verdict_worker.py")


async def judged() -> DialogueResult:
    return await hold(first(proposal(row())), second(rulings("agree")))


class FakeCache:
    """A cache in memory whose calls can be made to raise, by name and from the n-th on."""

    def __init__(self, **raising: BaseException) -> None:
        self.raising = raising
        self.calls: list[str] = []
        self.body: bytes | None = None
        self.beaten = threading.Event()

    def _called(self, name: str) -> None:
        self.calls.append(name)
        if name in self.raising and not (name == "lease" and self.calls.count("lease") == 1):
            raise self.raising[name]

    def get(self, key: str) -> bytes | None:
        self._called("get")
        return self.body

    def put(self, key: str, body: bytes) -> None:
        self._called("put")
        self.body = body

    def lease(self, key: str, owner: str, *, ttl_s: float) -> bool:
        if self.calls.count("lease"):
            self.beaten.set()
        self._called("lease")
        return True

    def release(self, key: str, owner: str) -> None:
        self._called("release")


@pytest.fixture
def cache(tmp_path: Path) -> Iterator[SqlVerdictCache]:
    with Store.open(tmp_path / "s.db") as store:
        yield SqlVerdictCache(store, now_s=time.time)


FAULTS = [StoreBusyError("busy"), StoreError("full"), OSError("gone"), RuntimeError("somebody else's cache")]


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: type(fault).__name__)
@pytest.mark.parametrize("where", ["put", "release", "lease"])
async def test_a_cache_that_fails_after_the_live_call_costs_nobody_the_verdict(
    where: str, fault: Exception, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(verdicts, "LEASE_S", 0.03)
    failing = FakeCache(**{where: fault})

    async def live() -> DialogueResult:
        await asyncio.to_thread(failing.beaten.wait, 5)  # the first heartbeat, which for `lease` is the one that fails
        return await judged()

    with caplog.at_level(logging.WARNING):
        result = await served_or_judged("k", failing, live)
    assert result.findings
    assert not result.cached
    assert str(fault) in caplog.text
    assert failing.beaten.is_set()
    assert "release" in failing.calls


async def test_a_result_that_cannot_be_written_is_returned_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(result: DialogueResult) -> bytes:
        raise ValueError("not JSON")

    monkeypatch.setattr(verdicts, "encode_result", refuse)
    assert (await served_or_judged("k", FakeCache(), judged)).findings


def test_a_busy_store_is_a_store_error_too() -> None:
    with pytest.raises(StoreError):
        raise StoreBusyError("busy")


async def test_who_gets_the_lease_looks_once_more_before_he_calls() -> None:
    """The other's verdict was stored, and his lease given back, between the look and the lease."""
    body = verdicts.encode_result(await judged())

    class Late(FakeCache):
        def lease(self, key: str, owner: str, *, ttl_s: float) -> bool:
            self.body = body
            return True

    async def never() -> DialogueResult:
        raise AssertionError("a second live call")

    assert (await served_or_judged("k", Late(), never)).cached


async def test_a_lease_is_kept_alive_for_as_long_as_the_judge_takes(
    cache: SqlVerdictCache, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(verdicts, "LEASE_S", 0.6)
    others: list[bool] = []

    async def slow() -> DialogueResult:
        for _ in range(8):
            await asyncio.sleep(0.2)
            others.append(await asyncio.to_thread(cache.lease, "k", "somebody else", ttl_s=0.001))
        return await judged()

    await served_or_judged("k", cache, slow)
    assert others == [False] * 8
    assert cache.lease("k", "somebody else", ttl_s=1)


def test_a_judge_that_blocks_its_event_loop_keeps_the_lease(
    cache: SqlVerdictCache, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(verdicts, "LEASE_S", 0.6)
    monkeypatch.setattr(verdicts, "POLL_S", 0.05)
    calls: list[int] = []

    async def blocking() -> DialogueResult:
        calls.append(1)
        time.sleep(1.5)
        return await judged()

    threads = [threading.Thread(target=lambda: asyncio.run(served_or_judged("k", cache, blocking))) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(calls) == 1


async def test_a_caller_that_is_cancelled_while_it_waits_for_the_lease_does_not_keep_it() -> None:
    asked, answer, released = threading.Event(), threading.Event(), threading.Event()

    class Slow(FakeCache):
        def lease(self, key: str, owner: str, *, ttl_s: float) -> bool:
            asked.set()
            return answer.wait(10)

        def release(self, key: str, owner: str) -> None:
            released.set()

    caller = asyncio.create_task(served_or_judged("k", Slow(), judged))
    await asyncio.to_thread(asked.wait, 10)
    caller.cancel()
    with pytest.raises(asyncio.CancelledError):
        await caller
    answer.set()
    assert await asyncio.to_thread(released.wait, 10)


async def test_a_caller_that_is_cancelled_during_the_live_call_gives_the_lease_back(cache: SqlVerdictCache) -> None:
    begun = asyncio.Event()

    async def endless() -> DialogueResult:
        begun.set()
        await asyncio.sleep(600)
        return await judged()

    caller = asyncio.create_task(served_or_judged("k", cache, endless))
    await begun.wait()
    caller.cancel()
    with pytest.raises(asyncio.CancelledError):
        await caller
    assert cache.lease("k", "somebody else", ttl_s=1)


class TestProcesses:
    """DESIGN 2: two processes that need one verdict at once make one live call."""

    @staticmethod
    def start(store: Path, log: Path, job: str) -> subprocess.Popen[bytes]:
        return subprocess.Popen([sys.executable, str(WORKER), str(store), str(log), job], stdin=subprocess.PIPE)

    @staticmethod
    def until(log: Path, word: str) -> None:
        deadline = time.monotonic() + 60
        while not log.exists() or word not in log.read_text():
            assert time.monotonic() < deadline
            time.sleep(0.05)

    def test_several_at_once_make_one_live_call_and_all_get_its_verdict(self, tmp_path: Path) -> None:
        store, log = tmp_path / "s.db", tmp_path / "log"
        Store.open(store).close()
        crowd = [self.start(store, log, "judge") for _ in range(3)]
        try:
            self.until(log, "ready\nready\nready\n")
            for process in crowd:
                assert process.stdin is not None
                process.stdin.write(b"go\n")
                process.stdin.close()
            assert [process.wait(60) for process in crowd] == [0, 0, 0]
        finally:
            _end(crowd)
        said = log.read_text().splitlines()
        assert said.count("live") == 1
        assert sorted(word for word in said if word.startswith("cached")) == ["cached=False", *["cached=True"] * 2]

    def test_where_the_one_that_called_is_killed_another_calls_once_the_lease_has_run_out(self, tmp_path: Path) -> None:
        store, log = tmp_path / "s.db", tmp_path / "log"
        Store.open(store).close()
        dying = self.start(store, log, "hang")
        other = None
        try:
            assert dying.stdin is not None
            dying.stdin.close()
            self.until(log, "live\n")
            other = self.start(store, log, "judge")
            assert other.stdin is not None
            other.stdin.close()
            self.until(log, "ready\nlive\nready\n")
            dying.kill()
            assert other.wait(60) == 0
        finally:
            _end([dying, *([] if other is None else [other])])
        assert log.read_text().splitlines() == ["ready", "live", "ready", "live", "cached=False"]


def _end(processes: list[subprocess.Popen[bytes]]) -> None:
    for process in processes:
        process.kill()
        process.wait()
        if process.stdin is not None and not process.stdin.closed:
            process.stdin.close()
