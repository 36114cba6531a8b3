"""The type gate of `quick`: turns of one kind read into structs, or refused.

Answers for: what passes is written by the serialiser as the exact one writes it, but for what the serialiser itself
refuses. Declines to: say why something does not pass; a ValueError or TypeError is a "no".

Rules, in order:
1. A turn has the format's members in their types: texts, a depth that is a whole number of at most 2^53 in size, and
   meta, where it is there, an object.
2. Nothing in a meta is a float (ECMAScript writes 1e+21 and 1 where others write 1e21 and 1.0), an integer beyond
   2^53, or of a type that JSON does not name; its member names are ASCII, where the order of bytes is that of UTF-16.
   What our own recorder takes as a meta, the few texts of META_KEYS, is checked as a struct, anything else by a walk.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Annotated, Any, Final, Generic, TypeAlias, TypeVar

from msgspec import UNSET, Meta, Struct, UnsetType, ValidationError, convert

from bicameral.canonical.ecmascript import EXACT
from bicameral.model.dialogs import DialogTurn

Turns: TypeAlias = Sequence[Any]
Depth: TypeAlias = Annotated[int, Meta(ge=-EXACT, le=EXACT)]
M = TypeVar("M")

LEVELS: Final = 200
"""Most levels in a meta; deeper ones are left to the exact serialiser."""

_SCALARS: Final[frozenset[type]] = frozenset({str, int, bool, type(None)})
_LISTS: Final[frozenset[type]] = frozenset({list, tuple})


class OwnMeta(Struct, gc=False, forbid_unknown_fields=True):
    """What our recorder takes as a turn's meta. The fields are META_KEYS in their order."""

    model: str | UnsetType = UNSET
    parts: str | UnsetType = UNSET
    pictures: str | UnsetType = UNSET


class WireTurn(Struct, Generic[M], kw_only=True, rename="camel", gc=False):
    """A turn that a mapping spelled. The fields stand in the order of the canonical form, and are written in it."""

    audience: str
    chain_depth: Depth
    content: str
    meta: M | UnsetType = UNSET
    parent_hash: str | UnsetType = UNSET
    speaker: str


class ClassTurn(Struct, Generic[M], kw_only=True, rename="camel", gc=False, omit_defaults=True):
    """A turn from a DialogTurn, where None is what is absent."""

    audience: str
    chain_depth: Depth
    content: str
    meta: M | None = None
    parent_hash: str | None = None
    speaker: str


@dataclass(frozen=True, slots=True)
class TurnKind:
    """How turns of one kind are read.

    own, open: the types of a list of them, where a meta is an OwnMeta and where it is anything.
    attributes: whether members are attributes.  metas: those that are there, null ones too.
    """

    own: Any
    open: Any
    attributes: bool
    depths: Callable[[Turns], list[Any]]
    handles: Callable[[Turns], tuple[list[Any], list[Any]]]
    metas: Callable[[Turns], list[Any]]


CLASSES: Final = TurnKind(
    own=list[ClassTurn[OwnMeta]],
    open=list[ClassTurn[Any]],
    attributes=True,
    depths=lambda turns: [turn.chain_depth for turn in turns],
    handles=lambda turns: ([turn.speaker for turn in turns], [turn.audience for turn in turns]),
    metas=lambda turns: [meta for turn in turns if (meta := turn.meta) is not None],
)
MAPPINGS: Final = TurnKind(
    own=list[WireTurn[OwnMeta]],
    open=list[WireTurn[Any]],
    attributes=False,
    depths=lambda turns: [turn["chainDepth"] for turn in turns],
    handles=lambda turns: ([turn["speaker"] for turn in turns], [turn["audience"] for turn in turns]),
    metas=lambda turns: [turn["meta"] for turn in turns if "meta" in turn],
)


def turn_kind(turns: Turns) -> TurnKind | None:
    """How these are read: as mappings (no turns too) or as classes. None for a mixture and for any other type."""
    kinds = set(map(type, turns))
    if kinds <= {dict}:
        return MAPPINGS
    return CLASSES if kinds == {DialogTurn} else None


def read_turns(turns: Turns, how: TurnKind, own: bool) -> tuple[list[Any], bool]:
    """The turns as structs, and whether every meta was such as our recorder takes.

    own: whether to try that at all. Raises ValueError or TypeError where a turn does not pass.
    """
    metas = how.metas(turns)
    # A subclass may have members of its own making; and read by attributes, any object would pass for an OwnMeta.
    if not set(map(type, metas)) <= {dict}:
        raise ValueError
    if own:
        try:
            return convert(turns, how.own, from_attributes=how.attributes), True
        except ValidationError:
            pass
    if not _values_pass(metas):
        raise ValueError
    return convert(turns, how.open, from_attributes=how.attributes), False


def _values_pass(level: list[Any]) -> bool:
    """Rule 2, one level of nesting at a time."""
    for _ in range(LEVELS):
        kinds = set(map(type, level))
        if not kinds - _SCALARS <= {dict, list, tuple}:
            return False
        if int in kinds and not all(-EXACT <= value <= EXACT for value in level if type(value) is int):
            return False
        if kinds <= _SCALARS:
            return True
        mappings = level if kinds == {dict} else [value for value in level if type(value) is dict]
        names = set(chain.from_iterable(mappings))
        if not all(type(name) is str and name.isascii() for name in names):
            return False
        lists = [value for value in level if type(value) in _LISTS] if kinds & _LISTS else []
        level = [*chain.from_iterable(map(dict.values, mappings)), *chain.from_iterable(lists)]
    return False
