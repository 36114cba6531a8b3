"""The wire key of an ordinary dialog, fast: a compiled serialiser behind a type gate.

Answers for: either the very key that `dialogs` writes exactly, or None, which sends the caller there. Declines to: say
what is wrong with a dialog; every fault and every odd value is a "no" of the gate.

The gate says yes where the two cannot differ:
1. Every turn has the format's members in their types: texts, a whole depth of at most 2^53 in size, and meta, where it
   is there, an object.
2. Nothing in a meta is a float (ECMAScript writes 1e+21 and 1 where others write 1e21 and 1.0), an integer beyond
   2^53, or of a type that JSON does not name; its member names are ASCII, where the order of bytes is that of UTF-16.
3. No two turns stand in one place. Turns that are not in canonical order are put there first, by ranks of the handles.
The serialiser itself refuses surrogates and nesting that is too deep.

`tests/property/test_canonical_quick.py` holds that both agree wherever the gate says yes.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from operator import lt
from typing import Annotated, Any, Final, TypeAlias

from msgspec import UNSET, Meta, Struct, UnsetType, ValidationError, convert
from msgspec.json import Encoder

from bicameral.canonical.collation import handle_key
from bicameral.canonical.ecmascript import EXACT
from bicameral.model.dialogs import DialogTurn

Depth: TypeAlias = Annotated[int, Meta(ge=-EXACT, le=EXACT)]


class WireTurn(Struct, kw_only=True, rename="camel", gc=False):
    """A turn that a mapping spelled. The fields stand in the order of the canonical form, and are written in it."""

    audience: str
    chain_depth: Depth
    content: str
    meta: dict[str, Any] | UnsetType = UNSET
    parent_hash: str | UnsetType = UNSET
    speaker: str


class ClassTurn(Struct, kw_only=True, rename="camel", gc=False, omit_defaults=True):
    """A turn from a DialogTurn, where None is what is absent."""

    audience: str
    chain_depth: Depth
    content: str
    meta: dict[str, Any] | None = None
    parent_hash: str | None = None
    speaker: str


class WireDialog(Struct, rename="camel", gc=False):
    """The whole key."""

    dialog_id: str
    turns: Sequence[WireTurn | ClassTurn]


_LISTS: Final[frozenset[type]] = frozenset({list, tuple})
_SCALARS: Final[frozenset[type]] = frozenset({str, int, bool, type(None)})
_LEVELS: Final = 200
"""Most levels in a meta; deeper ones are left to the exact serialiser."""

_write = Encoder(order="deterministic").encode  # members of mappings sorted, fields as they are declared


def quick_wire_key(source: object) -> str | None:
    """The wire key, or None where the gate says no. Never raises."""
    if isinstance(source, dict):
        dialog_id, turns = source.get("dialogId"), source.get("turns")
    else:
        dialog_id, turns = getattr(source, "dialog_id", None), getattr(source, "turns", None)
    if type(dialog_id) is not str or type(turns) not in _LISTS:
        return None
    read = _read(turns)
    ordered = None if read is None else _ordered(read)
    if ordered is None:
        return None
    try:
        return _write(WireDialog(dialog_id, ordered)).decode("utf-8")
    except (RecursionError, TypeError, ValueError):  # a UnicodeEncodeError is a ValueError
        return None


def _read(turns: Any) -> Sequence[WireTurn | ClassTurn] | None:
    """The turns, checked by rules 1 and 2; None where one fails."""
    own = bool(turns) and set(map(type, turns)) == {DialogTurn}
    read: Sequence[WireTurn | ClassTurn]
    try:
        read = convert(turns, list[ClassTurn], from_attributes=True) if own else convert(turns, list[WireTurn])
    except (ValidationError, RecursionError, TypeError, ValueError):
        return None
    absent = None if own else UNSET
    return read if _values_pass([turn.meta for turn in read if turn.meta is not absent]) else None


def _values_pass(level: list[Any]) -> bool:
    """Rule 2, one level of nesting at a time."""
    for _ in range(_LEVELS):
        kinds = set(map(type, level))
        if not kinds - _SCALARS <= {dict, list, tuple}:
            return False
        if int in kinds and not all(-EXACT <= value <= EXACT for value in level if type(value) is int):
            return False
        if kinds <= _SCALARS:
            return True
        mappings = [value for value in level if type(value) is dict]
        names = set(chain.from_iterable(mappings))
        if not all(type(name) is str and name.isascii() for name in names):
            return False
        lists = [value for value in level if type(value) in _LISTS]
        level = [*chain.from_iterable(map(dict.values, mappings)), *chain.from_iterable(lists)]
    return False


def _ordered(turns: Sequence[WireTurn | ClassTurn]) -> Sequence[WireTurn | ClassTurn] | None:
    """The turns in canonical order; None where two stand in one place."""
    depths = [turn.chain_depth for turn in turns]
    if all(map(lt, depths, depths[1:])):
        return turns
    handles = {turn.speaker for turn in turns} | {turn.audience for turn in turns}
    rank = {handle: place for place, handle in enumerate(sorted(handles, key=handle_key))}
    base = len(rank)
    # One integer a turn: unlike tuples, integers are nothing that the garbage collector has to walk.
    keys = [(turn.chain_depth * base + rank[turn.speaker]) * base + rank[turn.audience] for turn in turns]
    if not all(map(lt, keys, keys[1:])):
        order = sorted(range(len(keys)), key=keys.__getitem__)
        turns = [turns[place] for place in order]
        keys.sort()
        if not all(map(lt, keys, keys[1:])):
            return None
    return turns
