"""Where a run is kept: the evidence folder and the store, below one folder."""

from __future__ import annotations

import time
from pathlib import Path
from types import TracebackType
from typing import Final

from bicameral.errors import EvidenceError, RedactedEvidenceError, StoreError
from bicameral.evidence.store import EvidenceFolder
from bicameral.runtime.clock import SystemClock
from bicameral.settings import Settings
from bicameral.storage import SqlVerdictCache, Store

STORE_NAME: Final = "bicameral.db"
EVIDENCE_NAME: Final = "evidence"


class Workspace:
    """An open state folder: `evidence` and `store`. Close it, or use it in a `with`."""

    def __init__(self, folder: Path, store: Store) -> None:
        self.folder = folder
        self.store = store
        self.evidence: EvidenceFolder = _Evidence(folder / EVIDENCE_NAME, store)
        self.verdicts = SqlVerdictCache(store, now_s=time.time)
        self.clock = SystemClock()

    @classmethod
    def open(cls, settings: Settings, *, create: bool = True) -> Workspace:
        """Open the state folder of these settings. create: make it where it is not there; else that is a StoreError."""
        folder = settings.state_dir
        place = settings.database or str(folder / STORE_NAME)
        if create:
            _make(folder)
        elif settings.database is None and not _is_file(folder / STORE_NAME):
            raise StoreError(
                f"There is no store in {folder}: nothing has been checked yet.",
                mend="Run `bicameral check` first, or name the folder with --state.",
            )
        return cls(folder, Store.open(place, create=create))

    def close(self) -> None:
        self.store.close()

    def __enter__(self) -> Workspace:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()


class _Evidence(EvidenceFolder):
    """The evidence folder of a store, which knows what was dropped on purpose."""

    def __init__(self, path: Path, store: Store) -> None:
        super().__init__(path)
        self._store = store

    def read(self, digest: str) -> bytes:
        """As EvidenceFolder.read. Raises RedactedEvidenceError for bytes that are gone because they were redacted."""
        try:
            return super().read(digest)
        except EvidenceError as absent:
            with self._store.read() as reader:
                found = next((one for one in reader.redactions(digest) if one.kind == "evidence"), None)
            if found is None:
                raise
            raise RedactedEvidenceError(
                f"The evidence {digest} was redacted by {found.redacted_by} at {found.redacted_at}: {found.reason}"
            ) from absent


def _is_file(path: Path) -> bool:
    """False too for a name that no file can have: one too long for the system, say."""
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False


def _make(folder: Path) -> None:
    """Make the state folder, with a note to git that its content is not for committing."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        ignore = folder / ".gitignore"
        if not ignore.exists():
            ignore.write_text("*\n", encoding="utf-8")
    except (OSError, ValueError) as exc:  # ValueError: a NUL or half a character in the name
        raise StoreError(
            f"{str(folder)[:200]} cannot be used as the state folder: {getattr(exc, 'strerror', None) or exc}.",
            mend="Name a folder that can be written with --state.",
        ) from exc
