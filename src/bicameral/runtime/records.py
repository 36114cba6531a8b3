"""Dialogs and records as files and as rows of the store, for `bicameral witness`."""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from bicameral.canonical import (
    build_agent_dialog_v1_record,
    dialog_wire_key,
    open_dialog,
    parse_json,
    wire_digest,
)
from bicameral.canonical.dialogs import DialogSource
from bicameral.errors import InputError, RecordError
from bicameral.runtime.workspace import Workspace
from bicameral.settings import Settings
from bicameral.witness import render_transcript

MAX_INPUT_BYTES: Final = 512 * 1024 * 1024
_DIGEST_START: Final = re.compile(r"(?:sha256:)?([0-9a-f]{4,64})", re.ASCII)


def read_input(name: str) -> bytes:
    """The bytes of a file, or of stdin for `-`. Raises InputError naming it."""
    try:
        if name == "-":
            body = sys.stdin.buffer.read(MAX_INPUT_BYTES + 1)
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
    return open_dialog(read_input(name))


def key_of(dialog: DialogSource) -> dict[str, Any]:
    """wireKey, wireDigest and turnCount of a dialog."""
    return {
        "wireKey": dialog_wire_key(dialog),
        "wireDigest": wire_digest(dialog),
        "turnCount": build_agent_dialog_v1_record(dialog)["turnCount"],
    }


def record_of(dialog: DialogSource, label: str | None) -> dict[str, Any]:
    return dict(build_agent_dialog_v1_record(dialog, label=label))


def stored_records(space: Workspace) -> list[dict[str, Any]]:
    """Every record once, in the order of the runs that gave it first, by each of the names a report may call it."""
    found: dict[str, dict[str, Any]] = {}
    with space.store.read() as reader:
        dialogs = {row.digest: row.dialog_id for row in reader.records()}
        for run in reader.runs():
            for batch in reader.batches(run.run_id):
                if batch.record is None:
                    continue
                row = {
                    "digest": batch.record,
                    "dialog_id": dialogs[batch.record],
                    "wire_digest": parse_json(batch.body)["wire_digest"],
                    "view": str(batch.view),
                    "runs": [],
                }
                found.setdefault(batch.record, row)["runs"].append(run.run_id)
    return list(found.values())


def find_record(settings: Settings, what: str) -> Mapping[str, Any]:
    """A record by its file, or in the store by the start of its digest, its dialog's id or its wire digest.

    Raises InputError for a name that fits none or several, and RecordError for a file that holds none.
    """
    if what == "-" or Path(what).is_file():
        value = parse_json(read_input(what), what=what)
        if not isinstance(value, Mapping):
            raise RecordError(f"{what} is no record: an object was expected.")
        return value if "solverType" in value else record_of(value, None)
    start = _DIGEST_START.fullmatch(what)
    if start is None:
        raise InputError(
            f"{what} is neither a file nor the start of a digest.", mend="`bicameral witness list` lists the digests."
        )
    with Workspace.open(settings, create=False) as space:
        named = [row for row in stored_records(space) if _is_called(row, start[1])]
        if len(named) != 1:
            how_many = "No record in the store has" if not named else f"{len(named)} records in the store have"
            raise InputError(f"{how_many} a name that starts with {what}.", mend="`bicameral witness list` lists them.")
        found = space.store.record(named[0]["digest"])
    assert found is not None
    value = parse_json(found.body, what=f"record {found.digest}")
    assert isinstance(value, Mapping)
    return value


def _is_called(row: Mapping[str, Any], start: str) -> bool:
    names = (row["digest"], row["dialog_id"], row["wire_digest"])
    return any(str(name).removeprefix("sha256:").startswith(start) for name in names)


def transcript(record: Mapping[str, Any]) -> str:
    """A record as readable lines, safe for a terminal."""
    return render_transcript(record)
