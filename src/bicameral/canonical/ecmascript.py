"""JSON text as ECMAScript's JSON.stringify writes it, members sorted by UTF-16 code unit.

Answers for: foreign dialogs, which hold what RFC 8785 refuses. On values that RFC 8785 takes the two agree.
Declines to: keep what the wire cannot say. Every number is an IEEE 754 double; NaN and the infinities become null.

Rules, in order (ECMA-262, 25.5.2 JSON.stringify and 6.1.6.1.20 Number::toString):
1. A member whose value is UNDEFINED vanishes; in a list it becomes null.
2. Integers beyond 2^53 round to doubles; an integral double is that integer; -0 is 0.
3. Surrogate halves that stand side by side are one character; a lone one is written as `\\ud800`.
4. More than MAX_FOREIGN_DEPTH levels is refused.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Mapping
from enum import Enum
from typing import Final, TypeAlias

from bicameral.canonical.plain import encodable, shown_path
from bicameral.errors import UnrecordableError

Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json] | None"
MemberOrder: TypeAlias = Callable[[Mapping[object, object], str], list[tuple[str, object]]]

MAX_FOREIGN_DEPTH: Final = 1000
"""Most levels of lists and mappings in a foreign value: as many as the public TypeScript implementation is known to
take (it fails before 3,000)."""

EXACT: Final = 2**53
"""Up to here every integer is a double."""


class Undefined(Enum):
    """ECMAScript's undefined: a member that is there and has no value. Not null, which is a value."""

    UNDEFINED = "undefined"

    def __repr__(self) -> str:
        return "UNDEFINED"


UNDEFINED: Final = Undefined.UNDEFINED

_LONE: Final = re.compile("[\ud800-\udfff]")
_quoted = json.JSONEncoder(ensure_ascii=False).encode


def number_text(value: float) -> str:
    """A double as ECMAScript's Number::toString writes it: `1`, `0.000001`, `1e-7`, `1e+21`, `NaN`, `-Infinity`."""
    if math.isnan(value):
        return "NaN"
    if value < 0:
        return f"-{number_text(-value)}"
    if math.isinf(value):
        return "Infinity"
    if value == 0:
        return "0"
    # repr gives the shortest digits that read back as the same double, which is what the standard asks for.
    mantissa, _, exponent = repr(float(value)).partition("e")
    whole, _, fraction = mantissa.partition(".")
    significant = (whole + fraction).lstrip("0")
    point = len(whole) + int(exponent or 0) - (len(whole + fraction) - len(significant))
    return _placed(significant.rstrip("0"), point)


def _placed(digits: str, point: int) -> str:
    """The digits with the decimal point after `point` of them, or an exponent where the standard writes one."""
    count = len(digits)
    if count <= point <= 21:
        return digits + "0" * (point - count)
    if 0 < point <= 21:
        return f"{digits[:point]}.{digits[point:]}"
    if -6 < point <= 0:
        return f"0.{'0' * -point}{digits}"
    rest = f".{digits[1:]}" if count > 1 else ""
    return f"{digits[0]}{rest}e{'+' if point > 0 else '-'}{abs(point - 1)}"


def paired(text: str) -> str:
    """The text with neighbouring surrogate halves joined, as UTF-16 reads them. Lone ones stay."""
    if encodable(text):
        return text
    return text.encode("utf-16-be", "surrogatepass").decode("utf-16-be", "surrogatepass")


def text_text(text: str) -> str:
    """A string with its quotes and escapes."""
    if encodable(text):
        return _quoted(text)
    quoted = _quoted(paired(text))
    return quoted if encodable(quoted) else _LONE.sub(lambda half: f"\\u{ord(half[0]):04x}", quoted)


def units(text: str) -> bytes:
    """UTF-16 code units, big-endian: comparing these bytes compares code units."""
    return text.encode("utf-16-be", "surrogatepass")


def as_double(value: int | float) -> float:
    """The number as a double; integers too large for one become an infinity, as in ECMAScript."""
    try:
        return float(value)
    except OverflowError:
        return math.inf if value > 0 else -math.inf


def wire_number(value: int | float) -> int | float | None:
    """The number as the wire keeps it: an int where it is whole and exact, None where it is not finite."""
    if type(value) is int and -EXACT <= value <= EXACT:
        return value
    double = as_double(value)
    if not math.isfinite(double):
        return None
    return int(double) if double.is_integer() and abs(double) <= EXACT else double


def wire_value(value: object, path: str = "$", *, members: MemberOrder | None = None) -> Json:
    """A copy of the value as the wire keeps it: rules 1 to 3, members in order, built-in types only.

    members: gives an object's names and values as they are to be written; None sorts names by UTF-16 code unit.
    Raises UnrecordableError, naming the place, for a type JSON does not know and for too many levels.
    """
    if not isinstance(value, (Mapping, list, tuple)):
        return _scalar(value, path)
    root: list[Json] = []
    # Explicit, because a foreign value may be deeper than the interpreter's stack.
    pending: list[tuple[object, str, int, list[Json] | dict[str, Json], str]] = [(value, path, 0, root, "")]
    while pending:
        item, place, depth, parent, name = pending.pop()
        wired: Json
        if isinstance(item, Mapping):
            named = (members or wire_members)(item, place)
            wired = dict.fromkeys(key for key, _ in named)
            pending += [(member, f"{place}.{key}", depth + 1, wired, key) for key, member in named]
        elif isinstance(item, (list, tuple)):
            wired = []
            pending += [(item[i], f"{place}[{i}]", depth + 1, wired, "") for i in reversed(range(len(item)))]
        else:
            wired = _scalar(item, place)
        if isinstance(wired, (list, dict)) and depth >= MAX_FOREIGN_DEPTH:
            raise UnrecordableError(
                f"The value at {shown_path(place)} is nested deeper than {MAX_FOREIGN_DEPTH} levels."
            )
        if isinstance(parent, dict):
            parent[name] = wired
        else:
            parent.append(wired)
    return root[0]


def wire_members(value: Mapping[object, object], place: str) -> list[tuple[str, object]]:
    """An object's members that have a value, sorted by UTF-16 code unit."""
    kept: list[tuple[str, object]] = []
    for key, member in value.items():
        if not isinstance(key, str):
            raise UnrecordableError(f"A member name at {shown_path(place)} is of type {type(key).__name__}, not text.")
        if member is not UNDEFINED:
            kept.append((paired(key), member))
    return sorted(kept, key=lambda member: units(member[0]))


def _scalar(value: object, place: str) -> bool | int | float | str | None:
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, str):
        return paired(value)
    if isinstance(value, (int, float)):
        return wire_number(value)
    if value is UNDEFINED:
        return None
    raise UnrecordableError(
        f"The value at {shown_path(place)} is of type {type(value).__name__}, which JSON cannot say.",
        mend="Hand in text, numbers, true, false, null, lists and mappings.",
    )


def json_text(value: Json) -> str:
    """The text of a value that `wire_value` gave. Members are written in the order they have there."""
    if not isinstance(value, (dict, list)):
        return _scalar_text(value)
    parts: list[str] = []
    pending: list[tuple[bool, Json]] = [(False, value)]  # (True, text) is text to be written as it stands
    while pending:
        written, item = pending.pop()
        if written:
            parts.append(str(item))
        elif isinstance(item, dict):
            pending.append((True, "}"))
            for index, (key, member) in enumerate(reversed(item.items())):
                comma = "," if index + 1 < len(item) else ""
                pending += [(False, member), (True, f"{comma}{text_text(key)}:")]
            parts.append("{")
        elif isinstance(item, list):
            pending.append((True, "]"))
            for index, element in enumerate(reversed(item)):
                pending.append((False, element))
                if index + 1 < len(item):
                    pending.append((True, ","))
            parts.append("[")
        else:
            parts.append(_scalar_text(item))
    return "".join(parts)


def _scalar_text(value: bool | int | float | str | None) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return text_text(value)
    return str(value) if isinstance(value, int) else number_text(value)
