"""Dialogs and records as files, for `bicameral witness` and whoever else reads a file whole."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any, BinaryIO, Final

from bicameral.canonical import (
    build_agent_dialog_v1_record,
    dialog_wire_key,
    open_dialog,
    wire_digest,
)
from bicameral.canonical.dialogs import DialogSource
from bicameral.errors import InputError

MAX_INPUT_BYTES: Final = 512 * 1024 * 1024


def open_stdin() -> BinaryIO:
    """Raises InputError where the program was started without a stdin."""
    if sys.stdin is None:
        raise InputError("There is no stdin to read.", mend="Name a file.")
    return sys.stdin.buffer


def read_input(name: str) -> bytes:
    """The bytes of a file, or of stdin for `-`. Raises InputError naming it."""
    try:
        if name == "-":
            body = open_stdin().read(MAX_INPUT_BYTES + 1)
        else:
            with Path(name).open("rb") as file:
                body = file.read(MAX_INPUT_BYTES + 1)
    except (OSError, ValueError) as exc:
        reason = exc.strerror if isinstance(exc, OSError) else exc
        raise InputError(f"{name} cannot be read: {reason or exc}.") from exc
    if len(body) > MAX_INPUT_BYTES:
        raise InputError(f"{name} has more than {MAX_INPUT_BYTES:,} bytes; it is not read.")
    return body


def read_dialog_file(name: str) -> DialogSource:
    """A dialog from a file: `{"dialogId", "turns"}`, or a record that carries one in its wireKey.

    Raises RecordError for anything else.
    """
    return open_dialog(read_input(name), what="stdin" if name == "-" else name)


def key_of(dialog: DialogSource) -> dict[str, Any]:
    """wireKey, wireDigest and turnCount of a dialog."""
    return {
        "wireKey": dialog_wire_key(dialog),
        "wireDigest": wire_digest(dialog),
        "turnCount": build_agent_dialog_v1_record(dialog)["turnCount"],
    }


def record_of(dialog: DialogSource, label: str | None) -> dict[str, Any]:
    return dict(build_agent_dialog_v1_record(dialog, label=label))
