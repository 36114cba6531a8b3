"""The family's other records: a comparison made and derived again, and what is wrong with one or with a session.

Answers for: an `equivalence.v1` record says what `compare` finds; `verify_record` says what in a record of these types
contradicts itself. Declines to: guess at dialogs it was not handed. What came first in two dialogs that differ can be
derived only from both: `verify_equivalence`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from bicameral.canonical.dialogs import DialogSource, canonical_dialog_snapshot, wire_digest
from bicameral.canonical.ecmascript import Json, json_text, wire_value
from bicameral.canonical.equivalences import EQUIVALENCE_V1, EquivalenceRecord, difference_value, equivalence_faults
from bicameral.canonical.record import Record, member_faults, refuse_faults
from bicameral.canonical.records import FAMILY_VERSION, read_record
from bicameral.canonical.sessions import SessionRecord, session_faults
from bicameral.errors import RecordError, UnrecordableError
from bicameral.model.witnessing import Problem
from bicameral.witness.compare import first_difference


def build_equivalence_v1_record(a: DialogSource, b: DialogSource, label: str | None = None) -> dict[str, Any]:
    """The `equivalence.v1` record of two dialogs. `label` is for people; None leaves it out.

    Raises as `canonical_dialog_snapshot` does for what is no dialog, and RecordError for a label that is not text.
    """
    difference = first_difference(a, b)
    record: dict[str, Any] = {
        "solverType": EQUIVALENCE_V1,
        "specVersion": FAMILY_VERSION,
        "a": _named(a),
        "b": _named(b),
        "outcome": "equivalent" if difference is None else "different",
    }
    if difference is not None:
        told: dict[str, Json] = {"where": difference.where}
        if difference.turn is not None:
            told["turn"] = difference.turn
        for side, text in (("a", difference.a), ("b", difference.b)):
            value = difference_value(text)
            if value is not None:
                told[side] = dict(value)
        record["firstDifference"] = told
    if label is not None:
        record["label"] = label
        refuse_faults(EQUIVALENCE_V1, member_faults(record, {"label": "text"}))
    return record


def verify_equivalence(source: bytes | str | Mapping[str, Any], a: DialogSource, b: DialogSource) -> list[Problem]:
    """What in an `equivalence.v1` record is not what these two dialogs give; nothing is an empty list.

    Raises RecordError for what is no such record, and as `canonical_dialog_snapshot` does for what is no dialog.
    """
    record = read_record(source)
    if not isinstance(record, EquivalenceRecord):
        raise RecordError(f"This is no {EQUIVALENCE_V1} record of version {FAMILY_VERSION}.")
    derived = build_equivalence_v1_record(a, b, record.label)
    problems = list(family_problems(record) or ())
    for name in ("a", "b", "outcome", "firstDifference"):
        if not _same(record.get(name), derived.get(name)):
            problems.append(Problem(where=name, what="It is not what comparing the two dialogs gives."))
    return problems


def family_problems(record: Record) -> Iterator[Problem] | None:
    """What contradicts itself in a record of one of these types; None for a record of any other."""
    if isinstance(record, EquivalenceRecord):
        faults = equivalence_faults(record)
    elif isinstance(record, SessionRecord):
        faults = session_faults(record)
    else:
        return None
    return (Problem(where=fault.where, what=f"It {fault.what}.") for fault in faults)


def _same(said: object, derived: object) -> bool:
    try:
        return json_text(wire_value(said)) == json_text(wire_value(derived))
    except UnrecordableError:  # what is said is nested without end
        return False


def _named(dialog: DialogSource) -> dict[str, Json]:
    snapshot = canonical_dialog_snapshot(dialog)
    turns = snapshot["turns"]
    return {
        "dialogId": snapshot["dialogId"],
        "turnCount": len(turns) if isinstance(turns, list) else 0,
        "wireDigest": wire_digest(dialog),
    }
