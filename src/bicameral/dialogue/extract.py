"""The JSON objects of a reply's text that may be the answer.

Answers for: every whole top-level object in the text, in order, or the word that the text cannot be read. Declines to
choose between them (the parsers do, who know what a usable row is) and to invent what is missing.

Rules, in order:
1. More than MAX_REPLY characters, MAX_VALUES values or MAX_ROWS rows in all: unreadable.
2. Prose, code fences and lists are passed over. A list that holds exactly one object is read as that object, where the
   text has no object of its own.
3. A broken object is passed over to where its brackets close. One that never closes, and has a member of the contract,
   is an answer that broke off: unreadable. So is nesting beyond any contract.
4. An object of the contract with repeated members or a lone surrogate makes the whole reply unreadable.

A character is looked at a bounded number of times, whatever the text (`LENIENT_LOOKS`).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final, cast

from bicameral.dialogue.scan import MAX_ROWS, Broken, TooMuch, Whole, end_of_broken, value_at

MAX_REPLY: Final = 4 << 20
"""Characters of a reply that are read: some four thousand findings with all their texts."""

LENIENT_LOOKS: Final = 4
"""How often the rest of a text may be searched for the end of a broken object. Prose needs one or two."""

LONGEST_INTEGER: Final = 20
"""Digits beyond which an integer is read as the double that it is in JSON anyway; the interpreter refuses 4,300."""

PROPOSAL_MEMBERS: Final = frozenset({"findings", "clean_shot_ids", "cleanShotIds"})
CHALLENGE_MEMBERS: Final = frozenset({"verdicts", "additions"})
CONTRACT_MEMBERS: Final = PROPOSAL_MEMBERS | CHALLENGE_MEMBERS

MAX_VALUES: Final = 10_000
"""Lists and objects of one reply, whole or broken, `[1]` in prose among them."""

# A bracket that no value can follow is prose, and most of what prose holds.
_START: Final = re.compile(r"`{3,}|\{(?=[ \t\r\n]*+[\"}])|\[(?=[ \t\r\n]*+[\[{\"\]tfn0-9-])")


@dataclass(frozen=True, kw_only=True)
class Row:
    """One element of a list: its value, its JSON text as written, and its place, e.g. `verdicts[2]`."""

    value: object
    text: str
    where: str


@dataclass(frozen=True, kw_only=True)
class JsonObject:
    """A whole object. fenced: it stands in a code fence.  row_texts: of each member that is a list.  texts: of each
    that is none."""

    members: Mapping[str, object]
    row_texts: Mapping[str, tuple[str, ...]]
    texts: Mapping[str, str]
    fenced: bool = False

    def rows(self, name: str) -> tuple[Row, ...] | None:
        """The elements of a member that is a list; None where it is absent or something else."""
        values = self.members.get(name)
        if not isinstance(values, list):
            return None
        texts = self.row_texts.get(name, ())
        pairs = zip(values, texts, strict=True)
        return tuple(Row(value=value, text=text, where=f"{name}[{i}]") for i, (value, text) in enumerate(pairs))

    def text_of(self, name: str) -> str:
        """A member that is no list as it was written; `null` for one that is absent."""
        return self.texts.get(name, "null")


class Unreadable(Exception):
    """The text, or an object of the contract in it, cannot be read. Raised and caught within `dialogue`."""


def json_objects(text: str, contract: frozenset[str]) -> tuple[JsonObject, ...]:
    """The whole top-level objects of a text without lone surrogates, in order.

    contract: the names of the members that make an object an answer. Raises Unreadable.
    """
    if len(text) > MAX_REPLY:
        raise Unreadable("longer than the limit")
    objects: list[JsonObject] = []
    wrapped: list[JsonObject] = []
    for value, fenced in _whole_values(text, contract):
        if value.is_object:
            found = _object(text, value, contract, fenced=fenced)
            objects += [] if found is None else [found]
        else:
            wrapped += _only_object(text, value, contract, fenced=fenced)
    return tuple(objects or (wrapped if len(wrapped) == 1 else ()))


def _whole_values(text: str, contract: frozenset[str]) -> Iterator[tuple[Whole, bool]]:
    """Each whole list or object that is in no other, and whether it stands in a code fence."""
    at = 0
    fenced = False
    looks = values = rows = 0
    while (start := _START.search(text, at)) is not None:
        if start.group().startswith("`"):
            fenced = not fenced
            at = start.end()
            continue
        values += 1
        if values > MAX_VALUES:
            raise Unreadable("too many values")
        value = value_at(text, start.start())
        if isinstance(value, Whole):
            at = value.end
            rows += sum(map(len, value.rows.values()))
            if rows > MAX_ROWS:
                raise Unreadable("too many rows")
            yield value, fenced
        elif isinstance(value, TooMuch):
            raise Unreadable("nested too deep, or too many rows")
        else:
            at, looked = _after_broken(text, value, contract)
            looks += looked
            if looks > LENIENT_LOOKS:
                raise Unreadable("too many objects that never close")


def _after_broken(text: str, broken: Broken, contract: frozenset[str]) -> tuple[int, int]:
    """Where to go on after a broken value, and how many times the rest of the text was searched in vain.

    What breaks before its first colon (`{curly}`, `[x]`, `"{"`) is prose; what follows the bracket is looked at anew.
    """
    resume = max(broken.at, broken.start + 1)
    if not broken.began:
        return (broken.start + 1 if broken.depth == 1 else resume), 0
    end, names = end_of_broken(text, broken)
    if end is not None:
        return end, 0
    if names & contract:
        raise Unreadable("broken off")
    return resume, 1


def _only_object(text: str, value: Whole, contract: frozenset[str], *, fenced: bool) -> list[JsonObject]:
    """The object of a list that holds nothing else."""
    inner = text[value.start + 1 : value.end - 1].strip(" \t\r\n")
    if not inner.startswith("{"):
        return []
    start = text.index("{", value.start)
    first = value_at(text, start)
    if not isinstance(first, Whole) or first.end - first.start != len(inner):
        return []
    found = _object(text, first, contract, fenced=fenced)
    return [] if found is None else [found]


def _object(text: str, value: Whole, contract: frozenset[str], *, fenced: bool) -> JsonObject | None:
    """The object's value; None for one that cannot be read and is no answer. Raises Unreadable for an answer."""
    repeated: list[str] = []

    def members_of(pairs: list[tuple[str, object]]) -> dict[str, object]:
        members = dict(pairs)
        if len(members) != len(pairs):
            repeated.append("repeated members")
        return members

    # The scanner has checked the grammar, so NaN and the like cannot occur, nor a depth that matters to the stack.
    read = cast(
        "dict[str, object]",
        json.loads(text[value.start : value.end], object_pairs_hook=members_of, parse_int=_integer),
    )
    if repeated or not _encodable(read):
        if contract & read.keys():
            raise Unreadable("repeated members or a lone surrogate")
        return None
    texts = {name: tuple(text[start:end] for start, end in spans) for name, spans in value.rows.items()}
    written = {name: text[start:end] for name, (start, end) in value.members.items() if text[start] != "["}
    return JsonObject(members=read, row_texts=texts, texts=written, fenced=fenced)


def _integer(digits: str) -> int | float:
    return int(digits) if len(digits) <= LONGEST_INTEGER else float(digits)


def _encodable(value: object) -> bool:
    """Whether UTF-8 can say every text in the value: no escape left a lone surrogate behind."""
    try:
        json.dumps(value, ensure_ascii=False).encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def contract_objects(objects: Iterable[JsonObject], contract: frozenset[str]) -> tuple[JsonObject, ...]:
    """Those that have a member of the contract."""
    return tuple(found for found in objects if contract & found.members.keys())
