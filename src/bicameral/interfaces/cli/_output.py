"""Writing to the outside: documents to stdout, files whole or not at all."""

from __future__ import annotations

import errno
import json
import os
import sys
import tempfile
from pathlib import Path

from bicameral.errors import StoreError


def print_json(document: object) -> None:
    """One JSON document on stdout, and nothing else.

    It is ASCII, so that no control, bidirectional or invisible character of a page or a model acts on a terminal.
    """
    text = json.dumps(document, ensure_ascii=True, indent=2, allow_nan=False)
    if sys.stdout is None:
        raise StoreError("There is no stdout to write to.", mend="Give the program one, such as /dev/null.")
    sys.stdout.buffer.write(text.encode("ascii") + b"\n")
    sys.stdout.flush()


def check_place(path: Path) -> None:
    """Raise StoreError where a file could not be written at `path`, before any work is done for it.

    It is tried, not asked: permissions tell little to root, and nothing of a file system that takes no files.
    """
    if path.is_dir():
        raise StoreError(f"{path} is a folder.", mend="Name a file in it.")
    folder = path.parent
    while not folder.exists() and folder != folder.parent:
        folder = folder.parent
    try:
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as exc:
        reason = exc.strerror or exc
        raise StoreError(f"{path} cannot be written: {folder}: {reason}.", mend="Name another file.") from exc


def write_file(path: Path, content: str | bytes) -> None:
    """Write a file beside its place and move it there, so that a full disk leaves the old one as it was.

    A pipe or a device, such as /dev/stdout, is written as it stands. Raises StoreError naming the file.
    """
    body = content.encode("utf-8", "backslashreplace") if isinstance(content, str) else content
    try:
        if (
            path.exists() and not path.is_file() and not path.is_dir()
        ):  # a pipe or a device is written to, never replaced
            with path.open("wb") as stream:
                stream.write(body)
            return
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        try:
            with os.fdopen(handle, "wb") as stream:
                stream.write(body)
                stream.flush()
                os.fsync(stream.fileno())
            os.chmod(name, 0o644)
            os.replace(name, path)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise
    except OSError as exc:
        full = exc.errno in (errno.ENOSPC, errno.EDQUOT)
        mend = "Free some space, then run it again." if full else "Name another file."
        raise StoreError(f"{path} could not be written: {exc.strerror or exc}.", mend=mend) from exc
