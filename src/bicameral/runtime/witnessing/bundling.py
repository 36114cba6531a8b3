"""Making a bundle: one portable file with all that is needed to verify and replay a run, or a whole store.

Answers for: at the place there is a whole bundle or what was there before, whatever happens: it is written beside it as
`.NAME.….partial`, flushed to the disk and moved. Declines to overwrite unless told to, and to judge what it packs: an
unsound store gives a bundle that says so when it is verified.
"""

from __future__ import annotations

import errno
import os
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Final

from bicameral.errors import InputError, StoreError
from bicameral.runtime.witnessing.naming import run_called
from bicameral.runtime.witnessing.source import parts_of_store
from bicameral.runtime.workspace import Workspace
from bicameral.storage import Reader, RunRow
from bicameral.witness.audit import Blob, Link, Part
from bicameral.witness.bundle import write_bundle

SUFFIX: Final = ".bicameral.tar"
WHOLE_STORE: Final = f"store{SUFFIX}"


@dataclass(frozen=True, kw_only=True)
class Bundled:
    """What was packed. run_id: None for the whole store.  file: None for stdout.

    finished: the run was closed; one that was killed or still goes on is packed as far as it came.
    failed: its views that could not be judged, of which no record tells.
    """

    run_id: str | None
    file: Path | None
    size: int
    entries: int
    records: int
    blobs: int
    finished: bool = True
    failed: int = 0


def default_place(reader: Reader, run: str | None) -> Path:
    """Where a bundle goes that nobody named a file for. Raises InputError for an unknown run."""
    return Path(WHOLE_STORE if run is None else f"{run_called(reader, run)}{SUFFIX}")


def bundle(space: Workspace, run: str | None, out: Path | None, *, overwrite: bool = False) -> Bundled:
    """Pack a run, or the whole store where `run` is None, into a file; it is whole and durable when this returns.

    run: its id or a start of it, or `latest`.  out: None is `default_place`.
    Raises InputError for an unknown run, one without a record, and a file that is there already; StoreError where the
    disk is full or the place cannot be written. Then nothing is left at the place, and what was there is as it was.
    """
    with space.store.read() as reader:
        row = _run(reader, run)
        place = out or default_place(reader, run)
        if not overwrite and os.path.lexists(place):
            raise InputError(f"{place} is there already.", mend="Name another file with --out, or give --overwrite.")
        if os.path.isdir(place):
            raise InputError(f"{place} is a folder.", mend="Name a file in it.")
        counted = _Counted(parts_of_store(space, reader, None if row is None else row.run_id))
        size = _written_whole(place, counted)
        return _told(reader, row, place, size, counted)


def bundle_to(space: Workspace, run: str | None, file: BinaryIO) -> Bundled:
    """The same into a stream that is open, such as stdout. Raises StoreError where it cannot be written."""
    with space.store.read() as reader:
        row = _run(reader, run)
        counted = _Counted(parts_of_store(space, reader, None if row is None else row.run_id))
        size = write_bundle(counted.parts(), file)
        file.flush()
        return _told(reader, row, None, size, counted)


class _Counted:
    """Parts on their way through, counted."""

    def __init__(self, parts: Iterator[Part]) -> None:
        self._parts = parts
        self.entries = self.records = self.blobs = 0

    def parts(self) -> Iterator[Part]:
        for part in self._parts:
            if isinstance(part, Link):
                self.entries += 1
                self.records += part.kept.record is not None
            elif isinstance(part, Blob):
                self.blobs += 1
            yield part


def _run(reader: Reader, run: str | None) -> RunRow | None:
    return None if run is None else reader.run(run_called(reader, run))


def _told(reader: Reader, row: RunRow | None, place: Path | None, size: int, counted: _Counted) -> Bundled:
    batches = () if row is None else reader.batches(row.run_id)
    return Bundled(
        run_id=None if row is None else row.run_id,
        file=place,
        size=size,
        entries=counted.entries,
        records=counted.records,
        blobs=counted.blobs,
        finished=row is None or row.finished_at is not None,
        failed=sum(batch.record is None for batch in batches),
    )


def _written_whole(place: Path, counted: _Counted) -> int:
    """Write beside the place and move there. What fails leaves no file behind."""
    try:
        handle, beside = tempfile.mkstemp(dir=place.absolute().parent, prefix=f".{place.name}.", suffix=".partial")
        try:
            with os.fdopen(handle, "wb") as file:
                size = write_bundle(counted.parts(), file)
                file.flush()
                os.fsync(file.fileno())
            os.chmod(beside, 0o644)
            os.replace(beside, place)
        except BaseException:
            with suppress(OSError):
                os.unlink(beside)
            raise
        _flush_folder(place.absolute().parent)
    except OSError as error:
        full = error.errno in (errno.ENOSPC, errno.EDQUOT)
        raise StoreError(
            f"{place} could not be written: {error.strerror or error}.",
            mend="Free some space, then run it again." if full else "Name another file with --out.",
        ) from error
    return size


def _flush_folder(folder: Path) -> None:
    """Make the move itself durable, where the system lets a folder be flushed."""
    if os.name == "posix":
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
