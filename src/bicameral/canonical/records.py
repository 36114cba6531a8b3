"""Records: reading one, writing it again, and the dialog in it.

Answers for: what kind of record a document is, and that reading and writing it gives the same bytes, members that
nobody here knows included. Declines to: verify. A record that is readable may still lie; `witness.verify_record`
re-derives what it says.

Rules, in order:
1. A document is an object with a text `solverType`; that word says what it is.
2. `agent.dialog.v1` has dialogId and wireKey (text), specVersion and turnCount (whole numbers), and label only as text.
3. Any other word is carried through unharmed, as an unknown record.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any, cast

from bicameral.canonical.dialogs import DialogSource, canonical_turn
from bicameral.canonical.ecmascript import json_text, wire_value
from bicameral.canonical.plain import sha256_digest
from bicameral.canonical.reading import parse_json
from bicameral.canonical.shown import shown
from bicameral.errors import RecordError
from bicameral.model.dialogs import AGENT_DIALOG_V1, Dialog, DialogTurn


class Record(Mapping[str, Any]):
    """One document of the family `<modality>.<binding>.v1`, as a read-only mapping of its members.

    Equal to any mapping with equal members. A record of a type that is not known here is of this very class.
    """

    def __init__(self, members: Mapping[str, Any], data: bytes | None = None) -> None:
        self._members = dict(members)
        self._data = data

    @property
    def solver_type(self) -> str:
        return cast(str, self._members["solverType"])

    def to_bytes(self) -> bytes:
        """The bytes it was read from, or for one that was handed over as a mapping, its canonical text in UTF-8."""
        return record_bytes(self._members) if self._data is None else self._data

    @property
    def digest(self) -> str:
        """`sha256:` digest of `to_bytes()`."""
        return sha256_digest(self.to_bytes())

    def __getitem__(self, name: str) -> Any:
        return self._members[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._members)

    def __len__(self) -> int:
        return len(self._members)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Mapping) and self._members == dict(other)

    __hash__ = None  # type: ignore[assignment]  # a mapping, equal by content, is not for keys

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {shown(self.solver_type)} of {len(self)} members>"


class DialogRecord(Record):
    """An `agent.dialog.v1` record."""

    @property
    def dialog_id(self) -> str:
        return cast(str, self["dialogId"])

    @property
    def wire_key(self) -> str:
        return cast(str, self["wireKey"])

    @property
    def label(self) -> str | None:
        return cast("str | None", self.get("label"))

    def wire_dialog(self) -> dict[str, Any]:
        """The dialog that the wire key spells, as a mapping with the wire's names, turns in the order they have there.

        A null depth, which is how the wire spells NaN and the infinities, is NaN. Raises RecordError where the key
        spells no dialog.
        """
        return _dialog(parse_json(self.wire_key, what="The record's wireKey"))

    def dialog(self) -> Dialog:
        """The same as values. A null parentHash or meta, which only foreign records hold, is None and so absent."""
        members = self.wire_dialog()
        return Dialog(dialog_id=members["dialogId"], turns=tuple(_turn(turn) for turn in members["turns"]))


def read_record(source: bytes | str | Mapping[str, Any]) -> Record:
    """Read a record from JSON text or from a mapping; a DialogRecord for `agent.dialog.v1`, else a Record.

    Raises RecordError for what is no JSON object, has no solverType, names a member twice, or lacks what its type asks.
    """
    data: bytes | None = None
    members: Any = source
    if isinstance(source, (bytes, bytearray, str)):
        members = parse_json(source, unique_members=True, what="The record")
        data = source.encode("utf-8", "surrogatepass") if isinstance(source, str) else bytes(source)
    if not isinstance(members, Mapping):
        raise RecordError(f"A record is an object, not {_kind(members)}.")
    solver_type = members.get("solverType")
    if not isinstance(solver_type, str):
        raise RecordError(
            "This document has no solverType in text, so it is no record.",
            mend=f"A record of a dialog says {AGENT_DIALOG_V1!r} there.",
        )
    if solver_type != AGENT_DIALOG_V1:
        return Record(members, data)
    _check_dialog_record(members)
    return DialogRecord(members, data)


def open_dialog(document: bytes | str | Mapping[str, Any]) -> DialogSource:
    """The dialog of a document that is either a dialog (`dialogId` and `turns`) or a record of one.

    What `witness key` and `witness diff` are handed. Raises RecordError for anything else.
    """
    members = parse_json(document) if isinstance(document, (bytes, bytearray, str)) else document
    if not isinstance(members, Mapping):
        raise RecordError(f"A dialog or its record is an object, not {_kind(members)}.")
    if "turns" in members and "solverType" not in members:
        return members
    record = read_record(document)
    if not isinstance(record, DialogRecord):
        raise RecordError(f"This is a record of type {shown(record.solver_type)}, which holds no dialog.")
    return record.wire_dialog()


def record_bytes(record: Mapping[str, Any]) -> bytes:
    """The canonical bytes of a record: RFC 8785 wherever that can say it, else ECMAScript's JSON text. Raises
    UnrecordableError for values that JSON cannot say."""
    return json_text(wire_value(dict(record))).encode("utf-8")


def _check_dialog_record(members: Mapping[str, Any]) -> None:
    faults = [f"{name} is {_kind(members.get(name))}, not text" for name in ("dialogId", "wireKey")
              if not isinstance(members.get(name), str)]  # fmt: skip
    faults += [f"{name} is {_kind(members.get(name))}, not a whole number" for name in ("specVersion", "turnCount")
               if not _is_whole(members.get(name))]  # fmt: skip
    if not isinstance(members.get("label", ""), str):
        faults.append(f"label is {_kind(members['label'])}, not text")
    if faults:
        raise RecordError(f"This says it is {AGENT_DIALOG_V1}, but {'; '.join(faults)}.")


def _dialog(members: Any) -> dict[str, Any]:
    if not isinstance(members, dict) or not isinstance(members.get("turns"), list):
        raise RecordError("The wireKey spells no dialog: an object with a list of turns was expected.")
    if not isinstance(members.get("dialogId"), str):
        raise RecordError("The wireKey spells a dialog without a dialogId in text.")
    for index, turn in enumerate(members["turns"]):
        if isinstance(turn, dict) and turn.get("chainDepth", 0) is None:
            turn["chainDepth"] = math.nan
        canonical_turn(turn, f"wireKey.turns[{index}]")
    return members


def _turn(members: Mapping[str, Any]) -> DialogTurn:
    return DialogTurn(
        speaker=members["speaker"],
        audience=members["audience"],
        chain_depth=members["chainDepth"],
        content=members["content"],
        parent_hash=members.get("parentHash"),
        meta=members.get("meta"),
    )


def _is_whole(value: object) -> bool:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return False
    return isinstance(value, int) or value.is_integer()


def _kind(value: object) -> str:
    names = {dict: "an object", list: "a list", str: "text", bool: "true or false", type(None): "null or missing"}
    return names.get(type(value), "a number")
