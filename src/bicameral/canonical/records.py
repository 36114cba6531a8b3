"""Records: reading one, writing it again, and the dialog in it.

Answers for: what kind of record a document is, and that reading and writing it gives the same bytes, members that
nobody here knows included. Declines to: verify. A record that is readable may still lie; `witness.verify_record`
re-derives what it says.

Rules, in order:
1. A document is an object with a text `solverType`; that word says what it is.
2. `agent.dialog.v1` has dialogId and wireKey (text), specVersion and turnCount (whole numbers), and label only as text.
3. `equivalence.v1` and `ui.session.v1` whose specVersion is 1 have the members of their pages, of their kinds. Others
   also use these words (a public recorder puts `ui.session.v1` into its traces): without our version, rule 4 holds.
4. Anything else is carried through unharmed, as an unknown record.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, cast

from bicameral.canonical.dialogs import DialogSource, canonical_turn
from bicameral.canonical.equivalences import EQUIVALENCE_V1, EquivalenceRecord, equivalence_shape
from bicameral.canonical.reading import parse_json
from bicameral.canonical.record import (
    TEXT_SHOWN,
    Fault,
    Record,
    is_whole,
    kind_of,
    member_faults,
    record_bytes,
    refuse_faults,
)
from bicameral.canonical.sessions import UI_SESSION_V1, SessionRecord, session_shape
from bicameral.canonical.shown import shown
from bicameral.errors import RecordError
from bicameral.model.dialogs import AGENT_DIALOG_V1, Dialog, DialogTurn

__all__ = ["DialogRecord", "Record", "open_dialog", "read_record", "record_bytes"]

FAMILY_VERSION: Final = 1
"""The specVersion of the two types whose words others use for other documents."""

_DIALOG_MEMBERS: Final = {
    "dialogId": "text",
    "wireKey": "text",
    "specVersion": "whole number",
    "turnCount": "whole number",
    "label": "text?",
}
_VERSIONED: Final[Mapping[str, tuple[type[Record], Callable[[Mapping[str, Any]], Iterator[Fault]]]]] = {
    EQUIVALENCE_V1: (EquivalenceRecord, equivalence_shape),
    UI_SESSION_V1: (SessionRecord, session_shape),
}


class DialogRecord(Record):
    """An `agent.dialog.v1` record."""

    @property
    def dialog_id(self) -> str:
        return cast(str, self["dialogId"])

    @property
    def wire_key(self) -> str:
        return cast(str, self["wireKey"])

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
    """A document as the record it is: a DialogRecord, an EquivalenceRecord, a SessionRecord, or a Record of any other
    type. From JSON text or a mapping; a record is given back as it is.

    Raises RecordError for what is no JSON object, has no solverType, names a member twice, or lacks what its type asks.
    """
    if isinstance(source, Record):
        return source
    data: bytes | None = None
    members: Any = source
    if isinstance(source, (bytes, bytearray, str)):
        members = parse_json(source, unique_members=True, what="The record")
        data = source.encode("utf-8", "surrogatepass") if isinstance(source, str) else bytes(source)
    if not isinstance(members, Mapping):
        raise RecordError(f"A record is an object, not {kind_of(members)}.")
    solver_type = members.get("solverType")
    if not isinstance(solver_type, str):
        raise RecordError(
            "This document has no solverType in text, so it is no record.",
            mend=f"A record of a dialog says {AGENT_DIALOG_V1!r} there.",
        )
    if solver_type == AGENT_DIALOG_V1:
        refuse_faults(solver_type, member_faults(members, _DIALOG_MEMBERS))
        return DialogRecord(members, data)
    version = members.get("specVersion")
    if solver_type not in _VERSIONED or not is_whole(version) or version != FAMILY_VERSION:
        return Record(members, data)
    kind, shape = _VERSIONED[solver_type]
    refuse_faults(solver_type, shape(members))
    return kind(members, data)


def open_dialog(document: bytes | str | Mapping[str, Any], *, what: str = "The document") -> DialogSource:
    """The dialog of a document that is either a dialog (`dialogId` and `turns`) or a record of one.

    What `witness key` and `witness diff` are handed. what: its name, in an error. Raises RecordError for anything else.
    """
    members = parse_json(document, what=what) if isinstance(document, (bytes, bytearray, str)) else document
    if not isinstance(members, Mapping):
        raise RecordError(f"A dialog or its record is an object, not {kind_of(members)}.")
    if "turns" in members and "solverType" not in members:
        return members
    record = read_record(document)
    if not isinstance(record, DialogRecord):
        raise RecordError(
            f"This is a record of type {shown(record.solver_type, most=TEXT_SHOWN)}, which holds no dialog."
        )
    return record.wire_dialog()


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
