"""Writing to the outside: documents to stdout, files whole or not at all."""

from __future__ import annotations

import json
import os
import sys
import tempfile
from pathlib import Path

from bicameral.errors import StoreError


def print_json(document: object) -> None:
    """One JSON document on stdout, and nothing else. Lone surrogates are written escaped."""
    text = json.dumps(document, ensure_ascii=False, indent=2, allow_nan=False)
    sys.stdout.buffer.write(text.encode("utf-8", "backslashreplace") + b"\n")
    sys.stdout.flush()


def write_file(path: Path, content: str | bytes) -> None:
    """Write a file beside its place and move it there, so that a full disk leaves the old one as it was.

    Raises StoreError naming the file.
    """
    body = content.encode("utf-8", "backslashreplace") if isinstance(content, str) else content
    try:
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
        raise StoreError(
            f"{path} could not be written: {exc.strerror or exc}.", mend="Free some space or name another file."
        ) from exc
