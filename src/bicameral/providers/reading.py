"""The JSON object that a model's text holds, or why it holds none. Pure; nothing is mended or invented.

Rules, in order:
1. A text that is one JSON value is read as that. It must be an object.
2. Otherwise the object may stand in a code fence or in prose: the text must hold exactly one whole object at its top
   level, or several that are equal. Two different ones are unreadable: which is meant is not ours to guess.
3. An object that breaks off or is no JSON makes the text unreadable; what is inside it passes for no answer. A brace
   that no member follows is prose.
4. Repeated members, NaN and Infinity, lone surrogates, and nesting too deep to walk are unreadable.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

LONGEST: Final = 1 << 20
"""Characters of a text that are read. An adjudicator's answer has some two hundred."""

_START: Final = re.compile(r'\{(?=[ \t\r\n]*+["}])')
"""A brace that a member or the end of an object follows."""


class Unreadable(Exception):
    """Why, in words for a message. Raised here, caught by who asked."""


def object_in(text: str) -> Mapping[str, Any]:
    """The one JSON object in a text. Raises Unreadable."""
    if not text.strip():
        raise Unreadable("it is empty")
    if len(text) > LONGEST:
        raise Unreadable(f"it has more than {LONGEST} characters")
    try:
        value = _decoder().decode(text.strip())
    except (json.JSONDecodeError, RecursionError):
        return _only(list(_objects(text)))
    if not isinstance(value, dict):
        raise Unreadable("it is JSON, but no object")
    return _checked(value)


def _only(found: list[dict[str, Any]]) -> Mapping[str, Any]:
    if not found:
        raise Unreadable("it holds no JSON object")
    if any(other != found[0] for other in found[1:]):
        raise Unreadable("it holds several different JSON objects")
    return _checked(found[0])


def _objects(text: str) -> Iterator[dict[str, Any]]:
    """The whole objects in a text that are in no other, in order."""
    decoder = _decoder()
    at = 0
    while (start := _START.search(text, at)) is not None:
        try:
            value, at = decoder.raw_decode(text, start.start())
        except json.JSONDecodeError as exc:
            raise Unreadable(f"an object in it is no JSON or breaks off ({exc.msg})") from None
        except RecursionError:
            raise Unreadable("it is nested too deep") from None
        yield value


def _checked(value: dict[str, Any]) -> Mapping[str, Any]:
    try:
        json.dumps(value, ensure_ascii=False).encode("utf-8")
    except UnicodeEncodeError:
        raise Unreadable("it holds a lone surrogate") from None
    except RecursionError:
        raise Unreadable("it is nested too deep") from None
    return value


def _decoder() -> json.JSONDecoder:
    return json.JSONDecoder(parse_constant=_constant, object_pairs_hook=_members, parse_int=_integer)


def _constant(word: str) -> object:
    raise Unreadable(f"it holds {word}, which is no JSON")


def _members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) != len(pairs):
        raise Unreadable("it names a member twice in one object")
    return members


def _integer(digits: str) -> int | float:
    return int(digits) if len(digits) <= 20 else float(digits)
