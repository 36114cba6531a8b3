"""Frozen values to plain JSON values and back, whole.

Answers for: what `to_plain` writes, `read_plain` reads back equal, for every dataclass whose members are texts,
numbers, booleans, None, closed words, tuples, mappings and other such dataclasses. Declines to know bytes: those are
`canonical`'s.

Rules, in order:
1. A member's name is the field's name. A field with a default may be absent; a member that is no field is a fault.
2. What has no shape of its own (`Mapping[str, object]`) is carried as it is.
3. All faults arrive together, each with its path.
"""

from __future__ import annotations

import difflib
import types
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from functools import lru_cache
from typing import Any, Final, TypeVar, Union, get_args, get_origin, get_type_hints

from bicameral.errors import RecordError
from bicameral.model._shape import Fault, reader

T = TypeVar("T")

FAULTS_SHOWN: Final = 50
"""More than this of one document's faults help nobody; the rest are counted."""


def to_plain(value: object) -> Any:
    """A value as dicts, lists, texts, numbers, booleans and None. Leaves what it does not know as it is."""
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: to_plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, Mapping):
        return {name: to_plain(member) for name, member in value.items()}
    if isinstance(value, list | tuple):
        return [to_plain(member) for member in value]
    return value


def read_plain(kind: type[T], value: object, what: str, *, closed: bool = True) -> T:
    """A `kind` from the plain value that `to_plain` made of it.

    what: how messages name the document, e.g. `backlog.json`.  closed: a member that is no field is a fault; for what
    we wrote ourselves the look for one costs more than the reading.  Raises RecordError with every fault and its path.
    """
    found, faults = plain_faults(kind, value, closed=closed)
    refuse(what, faults)
    assert found is not None  # no fault means a value
    return found


def plain_faults(kind: type[T], value: object, *, closed: bool = True) -> tuple[T | None, list[Fault]]:
    """The value, or None with what is wrong with it. For documents whose reader has more rules to check."""
    faults: list[Fault] = []
    shape: Any = kind  # a class is hashable, which mypy does not see of `type[T]`
    found: T = _cached_reader(shape)(value, faults)
    if closed:
        faults.extend(_strangers(kind, value, ""))
    return (None if faults else found), faults


def refuse(what: str, faults: Iterable[object], *, mend: str | None = None) -> None:
    """Raise RecordError naming every fault, one a line; nothing where there is none."""
    lines = [str(fault) for fault in faults]
    if not lines:
        return
    shown = lines[:FAULTS_SHOWN]
    if len(lines) > len(shown):
        shown.append(f"and {len(lines) - len(shown)} more")
    count = "one place is" if len(lines) == 1 else f"{len(lines)} places are"
    raise RecordError(f"{what}: {count} not as expected.\n  " + "\n  ".join(shown), mend=mend and f"\n{mend}")


@lru_cache(maxsize=64)
def _cached_reader(kind: Any) -> Any:
    return reader(kind)


@lru_cache(maxsize=64)
def _hints(kind: Any) -> dict[str, Any]:
    return get_type_hints(kind)


def _strangers(hint: Any, value: object, path: str) -> Iterator[Fault]:
    """Members that no field answers to, with the nearest one that exists."""
    origin = get_origin(hint)
    if origin is Union or origin is types.UnionType:
        for member in get_args(hint):
            if member is not type(None) and value is not None:
                yield from _strangers(member, value, path)
    elif origin is tuple and isinstance(value, list | tuple):
        for index, item in enumerate(value):
            yield from _strangers(get_args(hint)[0], item, f"{path}[{index}]")
    elif isinstance(origin, type) and issubclass(origin, Mapping) and isinstance(value, Mapping):
        for name, member in value.items():
            yield from _strangers(get_args(hint)[1], member, f"{path}.{name}" if path else str(name))
    elif isinstance(hint, type) and is_dataclass(hint) and isinstance(value, Mapping):
        known = _hints(hint)
        for name, member in value.items():
            below = f"{path}.{name}" if path else str(name)
            if name in known:
                yield from _strangers(known[name], member, below)
            else:
                near = difflib.get_close_matches(str(name), known, n=1)
                yield Fault(below, f"a known member (perhaps {near[0]})" if near else "a known member", "another")
