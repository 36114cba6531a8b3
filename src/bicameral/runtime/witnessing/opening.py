"""What a path holds: a state folder, a store's file, a bundle, a trace, or a record or dialog as JSON.

Answers for: a path that holds none of these is an error that says what was expected. Declines to believe a file's name:
its first bytes tell. Nothing is unpacked and nothing is written.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import BinaryIO, Final, Literal

from bicameral.canonical import parse_json
from bicameral.errors import BundleError, InputError, RecordError
from bicameral.runtime.records import open_stdin
from bicameral.runtime.witnessing.source import parts_of_store
from bicameral.runtime.workspace import STORE_NAME, Workspace
from bicameral.settings import Settings
from bicameral.storage import Reader
from bicameral.witness.audit import BUNDLE_V1, Part
from bicameral.witness.bundle import read_bundle
from bicameral.witness.cael import CAEL_V1

Kind = Literal["store", "bundle", "trace", "document"]
"""`document`: anything else that is read whole, a record or a dialog if it is one of ours."""

STDIN: Final = "-"
_SNIFFED: Final = 512
_LINE: Final = 1024 * 1024
_SQLITE: Final = b"SQLite format 3\0"
_GZIP: Final = b"\x1f\x8b"
_TAR: Final = (257, b"ustar")
"""Where a tar says that it is one (POSIX.1-2017, pax, ustar interchange format)."""


@dataclass(frozen=True, kw_only=True)
class Deposit:
    """An open store or bundle. parts: to be gone through once, while it is open.

    reader: of a store, the transaction that the parts come from; None for a bundle.
    """

    kind: Literal["store", "bundle"]
    parts: Iterator[Part]
    reader: Reader | None = None


def kind_of(name: str | None) -> Kind:
    """What a path holds; None is this project's store. Raises InputError for what is not there or cannot be read."""
    if name is None:
        return "store"
    if name == STDIN:
        return "bundle" if _begins_a_bundle(_start_of_stdin()) else "document"
    path = Path(name)
    try:
        if not name:
            raise InputError("A path is empty.", mend="Name a bundle, a record's file, a trace, or a state folder.")
        if path.is_dir():
            return "store"
        if is_pipe(name):
            raise InputError(
                f"{name} is a pipe or a device, and is read more than once.",
                mend=f"Save it as a file, or send it to stdin and name it {STDIN}.",
            )
        with path.open("rb") as file:
            start = file.read(_SNIFFED)
    except (OSError, ValueError) as error:
        raise InputError(
            f"{name} cannot be read: {getattr(error, 'strerror', None) or error}.",
            mend="Name a bundle, a record's file, a trace, or a state folder.",
        ) from error
    if start.startswith(_SQLITE):
        return "store"
    if _begins_a_bundle(start):
        return "bundle"
    return "trace" if _is_trace(path) else "document"


def is_pipe(name: str) -> bool:
    """Whether a path is neither a file nor a folder: what it gives, it gives once."""
    try:
        return os.path.exists(name) and not os.path.isfile(name) and not os.path.isdir(name)
    except ValueError:  # a NUL in the name
        return False


def _begins_a_bundle(start: bytes) -> bool:
    return start.startswith((_GZIP, BUNDLE_V1.encode())) or start.startswith(_TAR[1], _TAR[0])


def _start_of_stdin() -> bytes:
    """The first bytes, which the next reader is given again."""
    file = open_stdin()
    if file.seekable():
        at = file.tell()
        start = file.read(_SNIFFED)
        file.seek(at)
        return start
    peek = getattr(file, "peek", None)
    return b"" if peek is None else bytes(peek(_SNIFFED))


@contextmanager
def opened(settings: Settings, name: str | None, *, run_id: str | None = None) -> Iterator[Deposit]:
    """A store or a bundle as its parts. run_id: of a store, that run alone.

    Raises InputError where the path holds neither, StoreError for a store that cannot be opened.
    """
    kind = kind_of(name)
    if kind == "store":
        with Workspace.open(store_settings(settings, name), create=False) as space, space.store.read() as reader:
            yield Deposit(kind="store", parts=parts_of_store(space, reader, run_id), reader=reader)
    elif kind == "bundle":
        assert name is not None
        with open_file(name) as file:
            yield Deposit(kind="bundle", parts=read_bundle(file))
    else:
        raise InputError(f"{name} is neither a store nor a bundle.", mend="`bicameral witness bundle` makes a bundle.")


def store_settings(settings: Settings, name: str | None) -> Settings:
    """The settings of the store at a path: a state folder, or the store's own file in one. None: these settings."""
    if name is None:
        return settings
    path = Path(name)
    if path.is_dir():
        return replace(settings, state_dir=path, database=None)
    return replace(settings, state_dir=path.parent, database=None if path.name == STORE_NAME else name)


@contextmanager
def open_file(name: str) -> Iterator[BinaryIO]:
    """A file, or stdin for `-`. Raises BundleError, naming the file, where it cannot be opened."""
    if name == STDIN:
        yield open_stdin()
        return
    try:
        file = Path(name).open("rb")  # noqa: SIM115  # an OSError of the block is not one of opening it
    except OSError as error:
        raise BundleError(f"{name} cannot be read: {error.strerror or error}.") from error
    with file:
        yield file


def is_trace(body: bytes) -> bool:
    """Whether a text begins as a `cael.v1` trace: its first line that is not blank is a JSON object of that version."""
    line = next((line for line in body.splitlines() if line.strip()), b"")
    try:
        entry = parse_json(line)
    except RecordError:
        return False
    return isinstance(entry, dict) and entry.get("version") == CAEL_V1


def _is_trace(path: Path) -> bool:
    """As `is_trace`. A file named `.jsonl` is one: what is wrong with its first line is then told as a problem."""
    if path.suffix == ".jsonl":
        return True
    with path.open("rb") as file:
        return is_trace(file.readline(_LINE))
