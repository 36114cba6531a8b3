"""JSON text that somebody else wrote, read into values as ECMAScript's JSON.parse reads it.

Answers for: every outcome is a value or a RecordError, whatever the bytes. Declines to: mend. NaN and Infinity as bare
words, a byte order mark, invalid UTF-8 and nesting too deep to walk are errors; so are repeated members where the
caller says so, because two readers may keep different ones. Numbers become doubles where they are beyond 2^53.
"""

from __future__ import annotations

import json
from typing import Any

from bicameral.canonical.ecmascript import EXACT
from bicameral.canonical.plain import encodable
from bicameral.canonical.shown import shown
from bicameral.errors import RecordError


def parse_json(data: bytes | str, *, unique_members: bool = False, what: str = "The document") -> Any:
    """The value of a JSON text. `what` begins the message of a RecordError, the only thing that is raised.

    unique_members: refuse an object that names a member twice; otherwise the last one counts, as in JSON.parse.
    """
    text = _decoded(data, what)
    pairs = _unique(what) if unique_members else None
    try:
        return json.loads(text, parse_constant=_refuse, parse_int=_integer, object_pairs_hook=pairs)
    except json.JSONDecodeError as exc:
        raise RecordError(f"{what} is no JSON: {exc.msg} at line {exc.lineno}, column {exc.colno}.") from exc
    except RecursionError:
        # The cause would hold a traceback as deep as the document.
        raise RecordError(f"{what} is nested deeper than can be read.") from None
    except _BareWord as exc:
        raise RecordError(f"{what} holds the bare word {exc.word}, which is no JSON.") from exc


class _BareWord(Exception):
    def __init__(self, word: str) -> None:
        self.word = word


def _decoded(data: bytes | str, what: str) -> str:
    if isinstance(data, str):
        if not encodable(data):
            raise RecordError(f"{what} holds a lone surrogate outside an escape, so it is no Unicode text.")
        text = data
    elif isinstance(data, (bytes, bytearray, memoryview)):
        try:
            text = bytes(data).decode("utf-8")
        except UnicodeDecodeError as exc:
            raise RecordError(f"{what} is no UTF-8: byte {exc.start} cannot be read.") from exc
    else:
        raise RecordError(f"{what} is of type {type(data).__name__}; text or bytes were expected.")
    if text.startswith("\ufeff"):
        raise RecordError(f"{what} starts with a byte order mark.", mend="Save it as UTF-8 without one.")
    return text


def _refuse(word: str) -> object:
    raise _BareWord(word)


def _integer(digits: str) -> int | float:
    if len(digits) > 17:  # more than 2^53 has, and int() refuses thousands of digits
        return float(digits)
    number = int(digits)
    return number if -EXACT <= number <= EXACT else float(number)


def _unique(what: str) -> Any:
    def collect(pairs: list[tuple[str, object]]) -> dict[str, object]:
        members: dict[str, object] = {}
        for name, value in pairs:
            if name in members:
                raise RecordError(f"{what} names the member {shown(name)!r} twice in one object.")
            members[name] = value
        return members

    return collect
