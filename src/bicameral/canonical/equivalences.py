"""`equivalence.v1`: two dialogs were compared, and what came of it.

Answers for: what such a record holds and which of its members contradict each other. Declines to: compare. Whoever has
both dialogs makes the record (`bicameral.witness.build_equivalence_v1_record`) and can derive it again.

Rules, in order (`spec/equivalence.v1.md`):
1. `a` and `b` each name a dialog by id, turn count and wire digest.
2. `outcome` is `equivalent` exactly where the two wire digests are equal, else `different`.
3. `firstDifference` is there exactly where the outcome is `different`: a path, the turn's number unless it is the id
   that differs, and each side's value by digest, with its text where that is short.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final, cast

from bicameral.canonical.ecmascript import as_double, number_text, units
from bicameral.canonical.plain import sha256_digest
from bicameral.canonical.record import Fault, Record, member_faults, stranger_faults

EQUIVALENCE_V1: Final = "equivalence.v1"
"""The `solverType` of a comparison's record."""

OUTCOMES: Final = ("equivalent", "different")

VALUE_UNITS: Final = 200
"""Most UTF-16 code units of a differing value's JSON text that stands in the record; a longer one is its digest."""

_MEMBERS: Final = {
    "solverType": "text",
    "specVersion": "whole number",
    "a": "object",
    "b": "object",
    "outcome": "text",
    "firstDifference": "object?",
    "label": "text?",
}
_DIALOG: Final = {"dialogId": "text", "turnCount": "whole number", "wireDigest": "digest"}
_DIFFERENCE: Final = {"where": "text", "turn": "whole number?", "a": "object?", "b": "object?"}
_LOOKED_INTO: Final = ("content", "meta", "parentHash")
_VALUE: Final = {"digest": "digest", "text": "text?"}


class EquivalenceRecord(Record):
    """An `equivalence.v1` record."""

    @property
    def equivalent(self) -> bool:
        return cast(str, self["outcome"]) == "equivalent"

    @property
    def sides(self) -> tuple[Mapping[str, Any], Mapping[str, Any]]:
        """`a` and `b`: each a dialogId, a turnCount and a wireDigest."""
        return self["a"], self["b"]

    @property
    def first_difference(self) -> Mapping[str, Any] | None:
        return cast("Mapping[str, Any] | None", self.get("firstDifference"))


def difference_value(text: str | None) -> dict[str, str] | None:
    """A side's value as the record holds it, from its canonical JSON text; None where that side has nothing there."""
    if text is None:
        return None
    value = {"digest": sha256_digest(text.encode("utf-8", "surrogatepass"))}
    return {**value, "text": text} if len(units(text)) <= 2 * VALUE_UNITS else value


def equivalence_shape(members: Mapping[str, Any]) -> Iterator[Fault]:
    """What keeps a document from being read as an `equivalence.v1` record: members that are missing or no such kind."""
    yield from member_faults(members, _MEMBERS)
    for side in ("a", "b"):
        if isinstance(members.get(side), Mapping):
            yield from member_faults(members[side], _DIALOG, f"{side}.")
    difference = members.get("firstDifference")
    if isinstance(difference, Mapping):
        yield from member_faults(difference, _DIFFERENCE, "firstDifference.")
        for side in ("a", "b"):
            if isinstance(difference.get(side), Mapping):
                yield from member_faults(difference[side], _VALUE, f"firstDifference.{side}.")


def equivalence_faults(members: Mapping[str, Any]) -> Iterator[Fault]:
    """What contradicts itself in a record of the right shape, as far as can be told without the dialogs."""
    yield from stranger_faults(members, _MEMBERS)
    a, b = members["a"], members["b"]
    for side, dialog in (("a", a), ("b", b)):
        yield from stranger_faults(dialog, _DIALOG, f"{side}.")
        if dialog["turnCount"] < 0:
            yield Fault(f"{side}.turnCount", "is less than 0")
    same = a["wireDigest"] == b["wireDigest"]
    if members["outcome"] not in OUTCOMES:
        yield Fault("outcome", f"is neither of {' and '.join(OUTCOMES)}")
    elif members["outcome"] != ("equivalent" if same else "different"):
        yield Fault("outcome", f"is {members['outcome']}, but the wire digests are {'equal' if same else 'not equal'}")
    if same and any(a[name] != b[name] for name in ("dialogId", "turnCount")):
        yield Fault("b", "has the wire digest of a, but another dialogId or turnCount")
    if same and "firstDifference" in members:
        yield Fault("firstDifference", "is there, but the wire digests are equal")
    elif not same and "firstDifference" not in members:
        yield Fault("firstDifference", "is missing, but the wire digests are not equal")
    if "firstDifference" in members:
        yield from _difference_faults(members["firstDifference"])


def _difference_faults(difference: Mapping[str, Any]) -> Iterator[Fault]:
    yield from stranger_faults(difference, _DIFFERENCE, "firstDifference.")
    for side in ("a", "b"):
        value = difference.get(side)
        if value is None:
            continue
        where = f"firstDifference.{side}"
        yield from stranger_faults(value, _VALUE, f"{where}.")
        text = value.get("text")
        if text is not None and difference_value(text) != value:
            yield Fault(where, f"is not the digest of its text, or the text has more than {VALUE_UNITS} code units")
    if difference.get("a") == difference.get("b"):
        yield Fault("firstDifference", "has one value on both sides")
    where, turn = difference["where"], difference.get("turn")
    named = "dialogId" if turn is None else f"turns[{number_text(as_double(turn))}]"
    inside = () if turn is None else tuple(f"{named}.{name}" for name in _LOOKED_INTO)
    if where != named and not where.startswith(inside):
        yield Fault("firstDifference.where", f"is not {named} or in it, as its turn says")
