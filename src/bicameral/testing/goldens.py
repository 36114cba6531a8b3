"""Golden files of dialogs: recorded once, looked at by a person, and compared with on every later run.

Answers for: a dialog differs from its golden file only where the test fails and says where; a file is written whole or
not at all, and only where the run was told to record. Declines to delete: stale files are told.

A golden file is the dialog's `agent.dialog.v1` record in canonical JSON and a line break, at
`goldens/<test module>/<name>.json` beside the test. The name is the test's own, with its class and parameters, or the
one that was given; what a file system may not like in it is replaced, and then 8 digits of its SHA-256 tell it apart.
"""

from __future__ import annotations

import hashlib
import os
import re
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from bicameral.canonical import DialogRecord, build_agent_dialog_v1_record, read_record, record_bytes
from bicameral.errors import BicameralError
from bicameral.testing.dialogs import AnyDialog, difference_between, open_any
from bicameral.testing.recorded import RecordedDialog

FOLDER: Final = "goldens"
SUFFIX: Final = ".json"
LONGEST: Final = 100
"""Characters of a name that are kept: with what is added it fits every common file system."""

_SAFE: Final = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._-]*", re.ASCII)
_DEVICES: Final = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(\..*)?", re.ASCII | re.IGNORECASE)
"""Names that Windows keeps for itself."""


def file_name(name: str) -> str:
    """A name as a file's, without its suffix: itself where any file system takes it."""
    if _SAFE.fullmatch(name) and len(name) <= LONGEST and not name.endswith(".") and not _DEVICES.fullmatch(name):
        return name
    slug = re.sub(r"[^A-Za-z0-9_-]+", "-", name).strip("-")[: LONGEST - 9].rstrip("-")
    digits = hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:8]
    return f"{slug}-{digits}" if slug else digits


@dataclass
class Touched:
    """What the tests of one process did. used: golden files by the name that they were asked for with."""

    used: dict[str, str] = field(default_factory=dict)
    recorded: list[str] = field(default_factory=list)


class DialogGolden:
    """The `dialog_golden` fixture: golden files of one test."""

    def __init__(self, *, module: Path, test: str, node_id: str, recording: bool, touched: Touched) -> None:
        """module: the test's file.  test: its name in it.  node_id: what names it on pytest's command line."""
        self.folder = module.parent / FOLDER / module.stem
        self._test = test
        self._node_id = node_id
        self._recording = recording
        self._touched = touched
        self._unnamed = 0

    def check(self, dialog: AnyDialog, name: str | None = None) -> None:
        """Compare a dialog with its golden file, or write that where the run records.

        dialog: whatever `assert_dialogs_equivalent` takes.  name: None for the test's own; a second unnamed dialog of
        one test is its name and `-2`. Raises AssertionError with the first difference, or where there is no golden
        file; RecordError for what is no dialog.
        """
        __tracebackhide__ = True
        path = self._path(name, count=True)
        source = open_any(dialog)
        if self._recording:
            self._record(path, record_bytes(build_agent_dialog_v1_record(source)) + b"\n")
            return
        golden = self._read(path)
        difference = difference_between(golden.wire_dialog(), dialog, names=("golden", "now"))
        if difference is not None:
            raise AssertionError(
                f"{difference}\n  golden file: {_shown(path)}\n  If the new one is right: {self._command}"
            )

    def replay(self, name: str | None = None) -> RecordedDialog:
        """A recorded dialog, to be played back. name: as `check` was given it, in any test of this module.

        Raises AssertionError where there is none.
        """
        __tracebackhide__ = True
        return RecordedDialog(self._read(self._path(name, count=False)).dialog())

    @property
    def _command(self) -> str:
        return f'pytest "{self._node_id}" --dialog-golden=record'

    def _path(self, name: str | None, *, count: bool) -> Path:
        """The golden file of a name. Two names that would share one file are told."""
        if name is None:
            self._unnamed += count
            name = self._test if self._unnamed <= 1 else f"{self._test}-{self._unnamed}"
        if not name:
            raise ValueError("A golden dialog's name is not empty.")
        path = self.folder / (file_name(name) + SUFFIX)
        held = self._touched.used.setdefault(str(path).casefold(), f"{path}\n{name}")
        if held != f"{path}\n{name}":
            other = held.partition("\n")[2]
            raise AssertionError(f"Two golden dialogs would share one file: {name!r} and {other!r}. Rename one.")
        return path

    def _read(self, path: Path) -> DialogRecord:
        try:
            record = read_record(path.read_bytes())
            if isinstance(record, DialogRecord):
                record.dialog()
                return record
            told = f"holds a {record.solver_type} record, and no dialog"
        except FileNotFoundError:
            told = "is not there"
        except (OSError, BicameralError) as exc:
            told = f"cannot be read: {str(exc).rstrip('.')}"
        raise AssertionError(
            f"The golden file {_shown(path)} {told}.\n"
            f"  Record it with {self._command}, look at what was written, and commit it."
        )

    def _record(self, path: Path, body: bytes) -> None:
        """Write the file whole, unless it is the same already. Two processes may write one file at once."""
        written = str(path) in self._touched.recorded
        try:
            same = path.is_file() and path.read_bytes() == body
            if written and not same:
                raise AssertionError(f"Two different dialogs were recorded as {_shown(path)}. Give each its own name.")
            if not same:
                _write(path, body)
        except OSError as exc:
            raise AssertionError(f"The golden file {_shown(path)} cannot be written: {exc.strerror or exc}.") from exc
        if not written:
            self._touched.recorded.append(str(path))


def _write(path: Path, body: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, beside = tempfile.mkstemp(dir=path.parent, prefix=".golden-", suffix=".tmp")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(body)
        os.chmod(beside, 0o644)
        os.replace(beside, path)
    except BaseException:
        Path(beside).unlink(missing_ok=True)
        raise


def stale(modules: list[Path], whole: set[Path], used: set[str]) -> list[Path]:
    """Golden files that no test uses, sorted.

    modules: test files that were collected.  whole: those of which every test ran and passed, so that a file which
    none of them used is used by none.  used: paths of the files that were. A folder whose test file is gone is stale.
    """
    found: set[Path] = set()
    known = {(module.parent, module.stem): module for module in modules}
    for parent in {module.parent for module in modules}:
        for folder in sorted((parent / FOLDER).glob("*/")):
            module = known.get((parent, folder.name))
            if module in whole or (module is None and not (parent / f"{folder.name}.py").exists()):
                found |= {path for path in folder.glob(f"*{SUFFIX}") if str(path) not in used}
    return sorted(found)


def _shown(path: Path) -> str:
    try:
        return str(path.relative_to(Path.cwd()))
    except ValueError:
        return str(path)
