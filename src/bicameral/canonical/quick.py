"""The wire key of an ordinary dialog, fast: a compiled serialiser behind a type gate.

Answers for: either the very key that `dialogs` writes exactly, or None, which sends the caller there. Declines to: say
what is wrong with a dialog; every fault and every odd value is a "no" of the gate.

The gate says yes where the two cannot differ:
1. The turns are all DialogTurn or all dict, in a list or a tuple.
2. No two of them stand in one place. Turns that are not in canonical order are put there first.
3. Every turn passes the rules of `_quick_turns`.

A key that somebody wrote is read the same way, backwards: what it spells is written again, and must be that key.
The serialiser itself refuses surrogates, nesting that is too deep, and subclasses of the JSON types, but for
enumerations, of which it writes what they hold, as the exact one does.

`tests/property/test_canonical_quick.py` holds that both agree wherever the gate says yes.
"""

from __future__ import annotations

from itertools import repeat
from operator import is_not, le, lt
from typing import Any, Final, NamedTuple

from msgspec import Struct
from msgspec.json import Decoder, Encoder

from bicameral.canonical._quick_turns import OwnMeta, TurnKind, Turns, WireTurn, read_turns, turn_kind
from bicameral.canonical.collation import handle_key

CHUNK: Final = 256
"""Turns that are read and written together: few enough that the processor still holds them when they are written."""

LOOKED_AT: Final = 64
"""Turns by which is guessed whether all came in order. A wrong guess costs time alone."""

COMMA: Final = ord(",")


class OwnDialog(Struct, rename="camel", gc=False):
    """What a wire key spells that our recorder wrote."""

    dialog_id: str
    turns: list[WireTurn[OwnMeta]]


class ReadKey(NamedTuple):
    """A wire key, read. turns: in canonical order.  texts: each turn's canonical text, of which its hash is taken."""

    dialog_id: str
    turns: list[WireTurn[OwnMeta]]
    texts: list[bytes]


_encoder = Encoder(order="deterministic")  # members of mappings sorted, fields as they are declared
_decoder = Decoder(OwnDialog)


def quick_wire_key(source: object) -> str | None:
    """The wire key, or None where the gate says no. Never raises."""
    if isinstance(source, dict):
        dialog_id, turns = source.get("dialogId"), source.get("turns")
    else:
        dialog_id, turns = getattr(source, "dialog_id", None), getattr(source, "turns", None)
    if type(dialog_id) is not str or not (type(turns) is list or type(turns) is tuple):
        return None
    how = turn_kind(turns)
    if how is None:
        return None
    try:
        written = _written(dialog_id, turns, how, ordered=False) if _looks_ordered(turns, how) else None
        if written is None and (ordered := _ordered(turns, how)) is not None:
            written = _written(dialog_id, ordered, how, ordered=True)
    except (AttributeError, KeyError, RecursionError, TypeError, ValueError):
        return None  # a ValidationError and a UnicodeEncodeError are ValueErrors
    return written


def quick_read_key(key: bytes) -> ReadKey | None:
    """The dialog that a wire key spells. None where it is not the canonical key of what it spells, or holds a meta that
    our recorder does not take; never raises."""
    try:
        dialog = _decoder.decode(key)
        texts = list(map(_encoder.encode, dialog.turns))
        written = b'{"dialogId":%b,"turns":[%b]}' % (_encoder.encode(dialog.dialog_id), b",".join(texts))
        if written != key or not _rising(dialog.turns):
            return None
    except (RecursionError, TypeError, ValueError):
        return None
    return ReadKey(dialog.dialog_id, dialog.turns, texts)


def _looks_ordered(turns: Turns, how: TurnKind) -> bool:
    depths = how.depths(turns[:LOOKED_AT])
    return all(map(le, depths, depths[1:]))


def _ordered(turns: Turns, how: TurnKind) -> Turns | None:
    """The turns in canonical order; None where two stand in one place, or a depth or handle is of another type."""
    depths = how.depths(turns)
    if set(map(type, depths)) != {int}:
        return None
    count, low = len(depths), min(depths)
    if max(depths) - low == count - 1:  # perhaps a chain: then its depths say where each turn goes
        placed: list[Any] = [None] * count
        for depth, turn in zip(depths, turns, strict=True):
            placed[depth - low] = turn
        if all(map(is_not, placed, repeat(None))):
            return placed
    speakers, audiences = how.handles(turns)
    if {*map(type, speakers), *map(type, audiences)} != {str}:
        return None
    rank = {handle: place for place, handle in enumerate(sorted({*speakers, *audiences}, key=handle_key))}
    base = len(rank)
    # One integer a turn: unlike tuples, integers are nothing that the garbage collector has to walk.
    keys = [
        ((depth - low) * base + rank[speaker]) * base + rank[audience]
        for depth, speaker, audience in zip(depths, speakers, audiences, strict=True)
    ]
    if len(set(keys)) != count:
        return None
    return [turns[place] for place in sorted(range(count), key=keys.__getitem__)]


def _written(dialog_id: str, turns: Turns, how: TurnKind, *, ordered: bool) -> str | None:
    """The key of turns in canonical order. ordered: they are known to be so; otherwise None where they are not.

    Raises ValueError, TypeError or RecursionError where a turn does not pass.
    """
    # Written into one small buffer again and again: one that grew with the key cost more than all the rest.
    buffer = bytearray()
    pieces = ['{"dialogId":', _encoder.encode(dialog_id).decode("utf-8"), ',"turns":' if turns else ',"turns":[']
    own = True
    before: list[Any] = []
    for start in range(0, len(turns), CHUNK):
        read, own = read_turns(turns[start : start + CHUNK], how, own)
        if not ordered and not _rising(before + read):
            return None
        _encoder.encode_into(read, buffer)
        del buffer[-1:]  # the bracket that closes this list; the one that opens it stands for the whole, or for a comma
        if start:
            buffer[0] = COMMA
        pieces.append(buffer.decode("utf-8"))
        before = read[-1:]
    pieces.append("]}")
    return "".join(pieces)


def _rising(read: list[Any]) -> bool:
    """Whether each of the structs belongs after the one before it."""
    depths = [turn.chain_depth for turn in read]
    if all(map(lt, depths, depths[1:])):
        return True
    if not all(map(le, depths, depths[1:])):
        return False
    places = [(turn.chain_depth, handle_key(turn.speaker), handle_key(turn.audience)) for turn in read]
    return all(map(lt, places, places[1:]))
