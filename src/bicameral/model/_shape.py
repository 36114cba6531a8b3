"""Plain JSON values into frozen values, by the type hints of a dataclass.

Answers for checking that a document has the shape a dataclass describes, and for saying where it has not: all faults
arrive together, each with its path. Declines to know what any member means.

Rules: a member's name is the field's name; a field with a default may be absent; unknown members are passed over; a
NamedTuple is read from a list of exactly its length; `int` takes no fraction, no boolean and nothing beyond
MAX_WHOLE, `float` takes any finite number; a Mapping of strings to objects is any JSON object.
"""

from __future__ import annotations

import math
import types
from collections.abc import Callable, Mapping
from dataclasses import MISSING, dataclass, fields, is_dataclass
from typing import Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

from bicameral.errors import BicameralError

T = TypeVar("T")
FOUND_SHOWN = 40
MAX_WHOLE = 2**53 - 1
"""Beyond it a whole number is not the same one to every reader of JSON (RFC 8259, 6), nor to a 64-bit column."""


@dataclass(frozen=True)
class Fault:
    """One place where a document is not what was expected."""

    path: str
    expected: str
    found: str

    def __str__(self) -> str:
        return f"{self.path or 'the document'}: expected {self.expected}, found {self.found}"


class _Faulty(Exception):
    def __init__(self, faults: list[Fault]) -> None:
        super().__init__()
        self.faults = faults


_Read = Callable[[Any], Any]


def reader(kind: type[T]) -> Callable[[object, list[Fault]], T]:
    """A function that reads a value of `kind` and appends what is wrong to a list.

    Where it appended anything, what it returns is not to be used.
    """
    read = _reader_of(kind)

    def outer(value: object, faults: list[Fault]) -> T:
        try:
            return read(value)  # type: ignore[no-any-return]  # the readers are built from `kind`
        except _Faulty as faulty:
            faults.extend(faulty.faults)
            return None  # type: ignore[return-value]  # the caller looks at the faults first

    return outer


def _wrong(expected: str, value: object) -> _Faulty:
    found = "nothing" if value is MISSING else f"{type(value).__name__} {value!r}"
    return _Faulty([Fault("", expected, found if len(found) <= FOUND_SHOWN else found[:FOUND_SHOWN] + "…")])


def _below(step: str, faults: list[Fault]) -> list[Fault]:
    return [
        Fault(
            step + ("." if fault.path and not fault.path.startswith("[") else "") + fault.path,
            fault.expected,
            fault.found,
        )
        for fault in faults
    ]


def _reader_of(hint: Any) -> _Read:
    origin = get_origin(hint)
    if origin is Union or origin is types.UnionType:
        return _optional(hint)
    if origin is Literal:
        return _word(get_args(hint))
    if origin is tuple:
        return _many(_reader_of(get_args(hint)[0]))
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return _mapping(_reader_of(get_args(hint)[1]))
    if isinstance(hint, type) and is_dataclass(hint):
        return _record(hint)
    if isinstance(hint, type) and issubclass(hint, tuple):
        return _row(hint)
    plain: dict[Any, _Read] = {str: _text, bool: _truth, int: _whole, float: _number, object: lambda value: value}
    return plain[hint]


def _optional(hint: Any) -> _Read:
    """`X | None`: the only union that a document may hold."""
    (inner,) = (member for member in get_args(hint) if member is not type(None))
    read = _reader_of(inner)
    return lambda value: None if value is None else read(value)


def _word(words: tuple[Any, ...]) -> _Read:
    known = frozenset(words)
    expected = " or ".join(repr(word) for word in words)

    def read(value: Any) -> Any:
        if not isinstance(value, str) or value not in known:
            raise _wrong(expected, value)
        return value

    return read


def _many(read_one: _Read) -> _Read:
    def read(value: Any) -> Any:
        if not isinstance(value, list | tuple):
            raise _wrong("a list", value)
        faults: list[Fault] = []
        items = []
        for index, item in enumerate(value):
            try:
                items.append(read_one(item))
            except _Faulty as faulty:
                faults += _below(f"[{index}]", faulty.faults)
        if faults:
            raise _Faulty(faults)
        return tuple(items)

    return read


def _mapping(read_one: _Read) -> _Read:
    def read(value: Any) -> Any:
        if not isinstance(value, Mapping):
            raise _wrong("an object", value)
        faults: list[Fault] = []
        members = {}
        for name, member in value.items():
            try:
                members[_text(name)] = read_one(member)
            except _Faulty as faulty:
                faults += _below(str(name), faulty.faults)
        if faults:
            raise _Faulty(faults)
        return types.MappingProxyType(members)

    return read


def _row(kind: Any) -> _Read:
    readers = [_reader_of(hint) for hint in get_type_hints(kind).values()]

    def read(value: Any) -> Any:
        if not isinstance(value, list | tuple) or len(value) != len(readers):
            raise _wrong(f"a list of {len(readers)} ({', '.join(kind._fields)})", value)
        return kind(*[read_one(item) for read_one, item in zip(readers, value, strict=True)])

    return read


def _record(kind: Any) -> _Read:
    hints = get_type_hints(kind)
    members = [
        (field.name, _reader_of(hints[field.name]), field.default is MISSING and field.default_factory is MISSING)
        for field in fields(kind)
    ]

    def read(value: Any) -> Any:
        if not isinstance(value, Mapping):
            raise _wrong("an object", value)
        faults: list[Fault] = []
        found = {}
        for name, read_one, needed in members:
            if name not in value:
                if needed:
                    faults.append(Fault(name, "a member", "nothing"))
                continue
            try:
                found[name] = read_one(value[name])
            except _Faulty as faulty:
                faults += _below(name, faulty.faults)
        if faults:
            raise _Faulty(faults)
        try:
            return kind(**found)
        except (ValueError, BicameralError) as error:  # a rule of the value's own, such as a box of negative size
            raise _Faulty([Fault("", f"a legal {kind.__name__}", str(error))]) from error

    return read


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise _wrong("a text", value)
    return value


def _truth(value: Any) -> bool:
    if not isinstance(value, bool):
        raise _wrong("true or false", value)
    return value


def _whole(value: Any) -> int:
    if not _is_finite(value) or int(value) != value:
        raise _wrong("a whole number", value)
    if abs(value) > MAX_WHOLE:
        raise _wrong("a whole number within 2^53-1", value)
    return int(value)


def _number(value: Any) -> float:
    if not _is_finite(value):
        raise _wrong("a finite number", value)
    return float(value)


def _is_finite(value: Any) -> bool:
    """Not a boolean, not NaN or infinite, and within what a double can hold."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    try:
        return math.isfinite(value)
    except OverflowError:
        return False
