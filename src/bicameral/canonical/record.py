"""One document of the family `<modality>.<binding>.v1`: its members, its bytes, and how its faults are told.

Answers for: reading and writing a record gives the same bytes, members that nobody here knows included. Declines to:
know any type; `records` routes by type, and each type has a module of its own.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple, cast

from bicameral.canonical.ecmascript import json_text, wire_value
from bicameral.canonical.plain import sha256_digest
from bicameral.canonical.shown import shown
from bicameral.errors import RecordError

SHOWN_FAULTS: Final = 8
"""Faults of one document that a message names; more help nobody."""

TEXT_SHOWN: Final = 80
"""Characters of a foreign text in a message."""

_DIGEST: Final = re.compile(r"sha256:[0-9a-f]{64}\Z")


class Fault(NamedTuple):
    """One thing that is wrong with a record. where: a place such as `steps[2].action`; what: a sentence."""

    where: str
    what: str


class Record(Mapping[str, Any]):
    """One document of the family, as a read-only mapping of its members.

    Equal to any mapping with equal members; where they are too deep to compare, to one with equal bytes. A record of a
    type that is not known here is of this very class.
    """

    def __init__(self, members: Mapping[str, Any], data: bytes | None = None) -> None:
        self._members = dict(members)
        self._data = data

    @property
    def solver_type(self) -> str:
        return cast(str, self._members["solverType"])

    @property
    def label(self) -> str | None:
        """What people call it. It is outside every key and digest but the record's own."""
        found = self._members.get("label")
        return found if isinstance(found, str) else None

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
        if not isinstance(other, Mapping):
            return False
        try:
            return self._members == dict(other)
        except RecursionError:  # as deep as a foreign record may be
            return self.to_bytes() == (other.to_bytes() if isinstance(other, Record) else record_bytes(other))

    __hash__ = None  # type: ignore[assignment]  # a mapping, equal by content, is not for keys

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {shown(self.solver_type, most=TEXT_SHOWN)} of {len(self)} members>"


def record_bytes(record: Mapping[str, Any]) -> bytes:
    """The canonical bytes of a record: RFC 8785 wherever that can say it, else ECMAScript's JSON text. Raises
    UnrecordableError for values that JSON cannot say."""
    return json_text(wire_value(dict(record))).encode("utf-8")


def refuse_faults(solver_type: str, faults: Iterable[Fault]) -> None:
    """Raise RecordError with all faults of a record, each with its place; nothing where there is none."""
    found = list(faults)
    if found:
        raise fault_error(solver_type, found)


def fault_error(solver_type: str, faults: Sequence[Fault]) -> RecordError:
    """The error for a document that says it is a record of this type and has these faults."""
    told = [f"{fault.where} {fault.what}" for fault in faults[:SHOWN_FAULTS]]
    if len(faults) > SHOWN_FAULTS:
        told.append(f"and {len(faults) - SHOWN_FAULTS} more")
    return RecordError(
        f"This says it is {solver_type}, but {'; '.join(told)}.",
        mend=f"The page of {solver_type} says what belongs there.",
    )


def member_faults(members: Mapping[str, Any], kinds: Mapping[str, str], where: str = "") -> Iterator[Fault]:
    """Members that are not of their kind. kinds: a name to `text`, `whole number`, `digest`, `object`, `list`,
    `true`, with `?` after it where the member may be absent."""
    for name, kind in kinds.items():
        asked = kind.removesuffix("?")
        if name not in members:
            if not kind.endswith("?"):
                yield Fault(f"{where}{name}", f"is missing; {_ASKED[asked]} was expected")
        elif not is_kind(members[name], asked):
            yield Fault(f"{where}{name}", f"is {kind_of(members[name])}, not {_ASKED[asked]}")


def stranger_faults(members: Mapping[str, Any], known: Iterable[str], where: str = "") -> Iterator[Fault]:
    """Members that a type's page does not name: a clock or a host would stand there."""
    for name in sorted(set(map(str, members)) - set(known)):
        yield Fault(f"{where}{shown(name, most=TEXT_SHOWN)}", "is no member that this version knows")


_ASKED: Final = {
    "text": "text",
    "whole number": "a whole number",
    "digest": "`sha256:` and 64 hex digits",
    "object": "an object",
    "list": "a list",
    "true": "true",
}


def is_kind(value: object, kind: str) -> bool:
    """Whether a value is of one of the kinds of `member_faults`."""
    match kind:
        case "text":
            return isinstance(value, str)
        case "whole number":
            return is_whole(value)
        case "digest":
            return isinstance(value, str) and _DIGEST.match(value) is not None
        case "object":
            return isinstance(value, Mapping)
        case "list":
            return isinstance(value, (list, tuple))
        case _:
            return value is True


def is_whole(value: object) -> bool:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return False
    return isinstance(value, int) or value.is_integer()


def kind_of(value: object) -> str:
    """What a value is, in the words of JSON, for a message."""
    if isinstance(value, str):
        return f"the text {shown(value, most=TEXT_SHOWN)!r}"
    if isinstance(value, Mapping):
        return "an object"
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    return "a list" if isinstance(value, (list, tuple)) else "a number"
