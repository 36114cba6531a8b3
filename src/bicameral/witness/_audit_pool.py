"""Links examined in order, here or by more processes.

Answers for: the reports come in the order of the links, whoever made them; what is under way is bounded; a process that
cannot be started or dies costs time and nothing else. Declines to examine: `_audit_link` does.

Rules, in order:
1. The first START_AFTER links are examined here: a small deposit starts no process.
2. A helper is this very program, started anew (`_audit_worker`), and answers one batch after the other over its pipes.
   It imports nothing of the caller's, and a folder that the program stands in is no place to import from.
3. This process examines too whenever every helper has enough to do.
"""

from __future__ import annotations

import contextlib
import subprocess
import sys
from collections import deque
from collections.abc import Generator, Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from types import TracebackType
from typing import IO, Final, TypeAlias

import msgspec

from bicameral.model.witnessing import KeptLink
from bicameral.witness._audit_link import examine
from bicameral.witness._audit_report import Report

Batch: TypeAlias = list[KeptLink]
Reports: TypeAlias = list[Report]

BATCH_LINKS: Final = 128
BATCH_BYTES: Final = 2 * 1024 * 1024
"""A batch ends with the link that reaches one of these."""

START_AFTER: Final = 1500
"""Links that are examined before a helper is started: about the time that starting one takes."""

WAITING: Final = 3
"""Batches that a helper has at most before it, so that it never waits for the next."""

_LENGTH: Final = 8
_batch_bytes = msgspec.msgpack.Encoder().encode
_read_reports = msgspec.msgpack.Decoder(Reports).decode
_BROKEN: Final = (OSError, EOFError, ValueError, msgspec.DecodeError)


def examine_batch(batch: Batch) -> Reports:
    """The report of each link, in order."""
    return [examine(kept) for kept in batch]


def examine_all(batches: Iterable[Batch], *, jobs: int = 1) -> Generator[Reports, None, None]:
    """The reports of each batch, in order. jobs: processes at once, this one included."""
    if jobs <= 1:
        yield from map(examine_batch, batches)
        return
    seen = 0
    under_way: deque[Future[Reports]] = deque()
    with contextlib.ExitStack() as stack:
        helpers: list[_Helper] = []
        for batch in batches:
            if seen < START_AFTER <= seen + len(batch):
                helpers = [stack.enter_context(_Helper()) for _ in range(jobs - 1)]
            seen += len(batch)
            idle = min(helpers, key=lambda helper: helper.waiting, default=None)
            under_way.append(_done(batch) if idle is None or idle.waiting >= WAITING else idle.submit(batch))
            while under_way and (under_way[0].done() or len(under_way) > 2 * WAITING * jobs):
                yield under_way.popleft().result()
        while under_way:
            yield under_way.popleft().result()


def _done(batch: Batch) -> Future[Reports]:
    future: Future[Reports] = Future()
    future.set_result(examine_batch(batch))
    return future


class _Helper:
    """One more process. One thread sends to it and one hears it, so that it has the next batch before it asks, and so
    that nobody here waits for it."""

    def __init__(self) -> None:
        self._asked: deque[Future[Reports]] = deque()
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> _Helper:
        command = [sys.executable, "-P", "-m", "bicameral.witness._audit_worker"]
        with contextlib.suppress(OSError, ValueError):
            self._process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
            )
        self._sender = ThreadPoolExecutor(max_workers=1, thread_name_prefix="bicameral-verify-send")
        self._hearer = ThreadPoolExecutor(max_workers=1, thread_name_prefix="bicameral-verify-hear")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        process = self._process
        if kind is not None and process is not None:
            process.kill()
        self._hearer.shutdown(cancel_futures=True)
        self._sender.shutdown(cancel_futures=True)
        self._stop()

    def submit(self, batch: Batch) -> Future[Reports]:
        sent = self._sender.submit(self._send, batch)
        future = self._hearer.submit(self._hear, sent, batch)
        self._asked.append(future)
        return future

    @property
    def waiting(self) -> int:
        """Batches that it has not answered yet."""
        while self._asked and self._asked[0].done():
            self._asked.popleft()
        return len(self._asked)

    def _send(self, batch: Batch) -> bool:
        """Whether the batch is on its way."""
        process = self._process
        if process is None or process.stdin is None:
            return False
        try:
            send(process.stdin, _batch_bytes(batch))
        except _BROKEN:
            return False
        return True

    def _hear(self, sent: Future[bool], batch: Batch) -> Reports:
        """The helper's answer, or our own where it cannot give one."""
        process = self._process
        if sent.result() and process is not None and process.stdout is not None:
            try:
                body = receive(process.stdout)
                reports = [] if body is None else _read_reports(body)
                if len(reports) == len(batch):
                    return reports
            except _BROKEN:
                pass
        self._stop()
        return examine_batch(batch)

    def _stop(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        process.kill()  # before its pipes are closed: whoever is writing to one has to come back first
        process.wait()
        for pipe in (process.stdin, process.stdout):
            if pipe is not None:
                with contextlib.suppress(OSError, ValueError):
                    pipe.close()


def send(pipe: IO[bytes], body: bytes) -> None:
    """One message: its length in eight bytes, most significant first, and its bytes."""
    pipe.write(len(body).to_bytes(_LENGTH, "big"))
    pipe.write(body)
    pipe.flush()


def receive(pipe: IO[bytes]) -> bytes | None:
    """The next message, None where there is none. Raises EOFError for half of one."""
    head = pipe.read(_LENGTH)
    if not head:
        return None
    body = pipe.read(int.from_bytes(head, "big")) if len(head) == _LENGTH else b""
    if len(head) < _LENGTH or len(body) < int.from_bytes(head, "big"):
        raise EOFError("half of a message")
    return body
