"""The verdicts of a run over many pairs as they come, in a file beside the output, so that a killed run goes on.

Answers for: one line a row, in order, none twice and none lost; a last line that was torn by a kill is written again;
a file that belongs to another input or other settings is refused; two runs that would write one output, too. Declines
to hold the rows themselves: the output is written from the input and the verdicts once all are there.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from types import ModuleType
from typing import Any, BinaryIO, Final

from bicameral.errors import PairsError
from bicameral.runtime.pair_rows import ADDED, Answer

FORMAT: Final = "bicameral-pairs/1"
_BEGINS: Final = b'{"format":"bicameral-pairs/1"'
SYNC_EVERY_S: Final = 1.0
"""Written lines reach the disk at least so often: what a power cut can cost."""


class Journal:
    """An open journal. rows: how many answers it holds.  resumed: how many it held when it was opened."""

    def __init__(self, stream: BinaryIO, path: Path, rows: int) -> None:
        self._stream = stream
        self.path = path
        self.rows = self.resumed = rows
        self._synced_at = time.monotonic()

    def add(self, answers: list[dict[str, object]]) -> None:
        """Append answers. They survive a kill of the process at once, and a power cut within SYNC_EVERY_S."""
        for answer in answers:
            self.rows += 1
            members = [self.rows, *(answer.get(name) for name in ADDED), answer.get("note")]
            self._stream.write(_line(members))
        self._stream.flush()
        if time.monotonic() - self._synced_at >= SYNC_EVERY_S:
            self.sync()

    def sync(self) -> None:
        """Have everything on the disk."""
        self._stream.flush()
        os.fsync(self._stream.fileno())
        self._synced_at = time.monotonic()

    def answers(self) -> Iterator[Answer]:
        """Every answer, in order. `note` is `gated` or `unweighed` where the row was that."""
        self._stream.flush()
        with self.path.open("rb") as stream:
            stream.readline()
            for line in stream:
                yield dict(zip((*ADDED, "note"), json.loads(line)[1:], strict=True))


@contextmanager
def open_journal(path: Path, head: Mapping[str, object], *, restart: bool) -> Iterator[Journal]:
    """The journal of one run; it stays when the block ends, for `forget` to remove.

    head: what the verdicts depend on (the input's digest, the providers); a journal with another one is refused.
    restart: begin anew. Raises PairsError with the mend; OSError where it cannot be written.
    """
    with _opened(path) as stream:
        _lock(stream, path)
        if restart:
            _check_ours(stream, path)
            stream.truncate(0)
        rows = _taken_up(stream, path, dict(head))
        journal = Journal(stream, path, rows)
        try:
            yield journal
        finally:
            with suppress(OSError):  # a full disk has said so already
                journal.sync()


def _opened(path: Path) -> BinaryIO:
    """The file itself, made if it is not there; what a link leads to is somebody else's, and so is a pipe."""
    if path.is_symlink() or (path.exists() and not path.is_file()):
        raise _foreign(path)
    flags = os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0)
    return os.fdopen(os.open(path, flags, 0o666), "r+b")


def _check_ours(stream: BinaryIO, path: Path) -> None:
    """Raise PairsError unless the file is empty or begins as a journal does, if only with a torn first line."""
    stream.seek(0)
    first = stream.read(len(_BEGINS))
    if not _BEGINS.startswith(first):
        raise _foreign(path)


def _foreign(path: Path) -> PairsError:
    return PairsError(f"{path} is no journal of such a run.", mend="Move it away, or name another --out.")


def forget(journal: Journal) -> None:
    """Remove a journal whose output is written."""
    journal.path.unlink(missing_ok=True)


def _taken_up(stream: BinaryIO, path: Path, head: dict[str, object]) -> int:
    """How many rows are answered. Whatever follows the last whole line is cut off; an empty file gets its head."""
    _check_ours(stream, path)
    stream.seek(0)
    first = stream.readline()
    if not first.endswith(b"\n"):
        stream.seek(0)
        stream.truncate(0)
        stream.write(_line({"format": FORMAT, **head}))
        stream.flush()
        os.fsync(stream.fileno())
        return 0
    _check_head(path, _value(first), head)
    rows, end = 0, stream.tell()
    while (line := stream.readline()).endswith(b"\n"):
        members = _value(line)
        if not isinstance(members, list) or len(members) != len(ADDED) + 2 or members[0] != rows + 1:
            break
        rows, end = rows + 1, stream.tell()
    stream.truncate(end)
    stream.seek(end)
    return rows


def _check_head(path: Path, found: Any, head: dict[str, object]) -> None:
    if not isinstance(found, dict) or found.get("format") != FORMAT:
        raise _foreign(path)
    differing = [name for name in head if found.get(name) != head[name]]
    if differing:
        what = "the input has changed" if differing == ["input"] else f"other settings ({', '.join(differing)})"
        raise PairsError(
            f"{path} holds the verdicts of an unfinished run, and they do not fit: {what}.",
            mend="Run it again as it was begun, or give --restart to begin anew.",
        )


def _lock(stream: BinaryIO, path: Path) -> None:
    locks: ModuleType
    try:
        import fcntl as locks
    except ImportError:  # Windows: nothing tells two runs apart there
        return
    try:
        locks.flock(stream.fileno(), locks.LOCK_EX | locks.LOCK_NB)
    except BlockingIOError as exc:
        raise PairsError(f"Another run is writing {path}.", mend="Wait for it, or name another --out.") from exc


def _value(line: bytes) -> Any:
    try:
        return json.loads(line)
    except ValueError:
        return None


def _line(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=True, separators=(",", ":")).encode("ascii") + b"\n"
