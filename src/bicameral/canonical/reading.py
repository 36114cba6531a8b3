"""JSON text that somebody else wrote, read into values as ECMAScript's JSON.parse reads it.

Answers for: every outcome is a value or a RecordError that names the place, whatever the bytes. Declines to: mend.

Rules, in order:
1. UTF-8 without a byte order mark; in a str, no lone surrogate outside an escape.
2. JSON (RFC 8259), so no bare NaN or Infinity; whole numbers beyond 2^53 become doubles.
3. At most MAX_LEVELS levels of lists and objects.
4. Repeated members are an error where the caller says so, because two readers may keep different ones; else the last
   one counts.
"""

from __future__ import annotations

import json
from typing import Any, Final

from bicameral.canonical._walk import BareWord, JsonFault, RepeatedMember, refuse_bare_word, walk_json
from bicameral.canonical.ecmascript import EXACT, MAX_FOREIGN_DEPTH
from bicameral.canonical.plain import encodable
from bicameral.errors import RecordError

MAX_LEVELS: Final = MAX_FOREIGN_DEPTH + 8
"""Most levels that are read: a turn's value of the most levels stands a few levels down in its dialog."""

PLACED: Final = 20_000_000
"""Characters up to which a fault's path is looked for: reading step by step costs about a second a million tokens."""


def parse_json(data: bytes | str, *, unique_members: bool = False, what: str = "The document") -> Any:
    """The value of a JSON text. `what` begins the message of a RecordError, the only thing that is raised.

    unique_members: refuse an object that names a member twice; otherwise the last one counts, as in JSON.parse.
    """
    text = _decoded(data, what)
    try:
        return _fast(text, unique_members)
    except json.JSONDecodeError as exc:
        raise RecordError(f"{what} is no JSON: {exc.msg} at line {exc.lineno}, column {exc.colno}.") from exc
    except RecursionError:
        pass  # below, because the cause would hold a traceback as deep as the document
    except (BareWord, RepeatedMember) as exc:
        if len(text) > PLACED:
            raise RecordError(f"{what} cannot be read: {exc}.") from exc
    try:
        return walk_json(text, unique_members=unique_members, levels=MAX_LEVELS, parse_int=_integer)
    except JsonFault as exc:
        raise RecordError(f"{what} cannot be read: {exc}.") from exc


def _fast(text: str, unique_members: bool) -> Any:
    pairs = _unique if unique_members else None
    return json.loads(text, parse_constant=refuse_bare_word, parse_int=_integer, object_pairs_hook=pairs)


def _decoded(data: bytes | str, what: str) -> str:
    if isinstance(data, str):
        if not encodable(data):
            at = next(index for index, character in enumerate(data) if "\ud800" <= character <= "\udfff")
            raise RecordError(
                f"{what} holds a lone surrogate outside an escape, at character {at}, so it is no Unicode text.",
                mend="Read it from its bytes.",
            )
        text = data
    elif isinstance(data, (bytes, bytearray, memoryview)):
        try:
            text = bytes(data).decode("utf-8")
        except UnicodeDecodeError as exc:
            raise RecordError(
                f"{what} is no UTF-8: byte {exc.start} cannot be read.", mend="Save it as UTF-8."
            ) from exc
    else:
        raise RecordError(f"{what} is of type {type(data).__name__}; text or bytes were expected.")
    if text.startswith("\ufeff"):
        raise RecordError(f"{what} starts with a byte order mark.", mend="Save it as UTF-8 without one.")
    return text


def _integer(digits: str) -> int | float:
    if len(digits) > 17:  # more than 2^53 has, and int() refuses thousands of digits
        return float(digits)
    number = int(digits)
    return number if -EXACT <= number <= EXACT else float(number)


def _unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
    members = dict(pairs)
    if len(members) != len(pairs):
        seen: set[str] = set()
        twice = next(name for name, _ in pairs if name in seen or seen.add(name))  # type: ignore[func-returns-value]
        raise RepeatedMember(twice)
    return members
