"""An entry of a `cael.v1` trace as canonical text, and the two hashes over it.

Answers for: the very text and hash that the public implementation gives. Declines to: mend its form. It drops every
member named `__proto__` and writes numbers beyond a double as null, so the hash does not cover them; `unhashed` finds
them.

Rules, in order (`spec/cael.v1.md`):
1. HASHED members alone, as compact ECMAScript JSON text.
2. Names that look like array indices (0 to 4294967294, no leading zero) come first, by value; then the others by
   UTF-16 code unit.
3. `fnv1a` is the 32-bit FNV-1a over the text's UTF-16 code units, whole units; `sha256` is over its UTF-8.
"""

from __future__ import annotations

import hashlib
import math
import re
import sys
from array import array
from collections.abc import Iterator, Mapping
from typing import Any, Final, Literal

from bicameral.canonical.ecmascript import json_text, units, wire_members, wire_value

Mode = Literal["fnv1a", "sha256"]

CAEL_V1: Final = "cael.v1"
GENESIS: Final = "cael.genesis"
"""What the first entry names as the hash before it."""

HASHED: Final = ("version", "runId", "index", "event", "timestamp", "simTime", "prevHash", "payload")
"""An entry's members, in the order they are written in; `hash` follows."""

SHAPES: Final[Mapping[Mode, re.Pattern[str]]] = {
    "fnv1a": re.compile(r"cael-[0-9a-f]{8}\Z"),
    "sha256": re.compile(r"cael-sha-[0-9a-f]{64}\Z"),
}
"""How a hash is spelled in each mode."""

DROPPED: Final = "__proto__"

_INDEX: Final = re.compile(r"(?:0|[1-9][0-9]{0,9})\Z")
_LAST_INDEX: Final = 2**32 - 2
_FNV_OFFSET: Final = 0x811C9DC5
_FNV_PRIME: Final = 0x01000193


def member_texts(entry: Mapping[str, Any], where: str) -> dict[str, str]:
    """Each of an entry's HASHED members that it has, as it is hashed. `where` begins the paths in messages.

    Raises UnrecordableError for what JSON cannot say and for too many levels.
    """
    return {
        name: json_text(wire_value(entry[name], f"{where}.{name}", members=_members))
        for name in HASHED
        if name in entry
    }


def joined(texts: Mapping[str, str]) -> str:
    """The text that an entry's hash is taken over, from `member_texts`. Members that are missing are left out."""
    members = ",".join([f'"{name}":{texts[name]}' for name in sorted(texts)])
    return f"{{{members}}}"


def entry_text(entry: Mapping[str, Any], where: str = "$") -> str:
    """The same from the entry."""
    return joined(member_texts(entry, where))


def text_hash(text: str, mode: Mode) -> str:
    """The hash of a canonical text, with the mode's prefix."""
    if mode == "sha256":
        return f"cael-sha-{hashlib.sha256(text.encode('utf-8')).hexdigest()}"
    return f"cael-{fnv1a(text):08x}"


def entry_hash(entry: Mapping[str, Any], mode: Mode, where: str = "$") -> str:
    """What an entry's `hash` must be. Raises as `member_texts`."""
    return text_hash(entry_text(entry, where), mode)


def fnv1a(text: str) -> int:
    """FNV-1a (32 bits) over UTF-16 code units. It tells of accidents, not of intent: collisions are made in seconds."""
    state = _FNV_OFFSET
    code_units = array("H", units(text))
    if sys.byteorder == "little":  # `units` is big-endian
        code_units.byteswap()
    for unit in code_units:
        state = (state ^ unit) * _FNV_PRIME & 0xFFFFFFFF
    return state


def unhashed(value: object, where: str) -> Iterator[tuple[str, str]]:
    """Places that the hash does not cover, with why; each could be changed unseen. Takes any depth."""
    pending: list[tuple[object, str]] = [(value, where)]
    while pending:
        item, place = pending.pop()
        if isinstance(item, Mapping):
            if DROPPED in item:
                yield f"{place}.{DROPPED}", "The hash does not cover a member of this name."
            pending += [(member, f"{place}.{name}") for name, member in item.items() if name != DROPPED]
        elif isinstance(item, (list, tuple)):
            pending += [(element, f"{place}[{index}]") for index, element in enumerate(item)]
        elif isinstance(item, float) and not math.isfinite(item):
            yield place, "It is a number beyond a double, which is hashed as null."


def _members(value: Mapping[object, object], place: str) -> list[tuple[str, object]]:
    named = [(name, member) for name, member in wire_members(value, place) if name != DROPPED]
    indices = [pair for pair in named if _is_index(pair[0])]
    if not indices:
        return named
    return sorted(indices, key=lambda pair: int(pair[0])) + [pair for pair in named if not _is_index(pair[0])]


def _is_index(name: str) -> bool:
    return _INDEX.match(name) is not None and int(name) <= _LAST_INDEX
