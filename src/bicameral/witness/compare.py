"""Where two dialogs part: the first turn, in canonical order, that is not the same in both, and what differs in it.

Answers for: a difference exactly where the wire keys differ. Declines to: weigh it.

Rules, in order:
1. Two dialogs with one wire key have no difference.
2. Turns are compared before ids: where an id is derived from what was said, what was said is the difference.
3. The first turn that is not the same text in both: as a whole where its place differs or one side has none, else the
   first of content, meta and parent that differs, followed down to the member where both sides spell JSON.

The cost is that of the two keys, and of one pass over what they have in common.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from bicameral.canonical.dialogs import DialogSource, dialog_wire_key
from bicameral.canonical.ecmascript import Json, json_text, wire_value
from bicameral.canonical.reading import parse_json
from bicameral.canonical.shown import shown
from bicameral.errors import RecordError

SHOWN: Final = 120
"""Characters of each side's value in a sentence."""

_ABSENT: Final = "(absent)"

_STRING: Final = r'"[^"\\]*+(?:\\.[^"\\]*+)*+"'  # possessive: a content may be a hundred megabytes long
_HEAD: Final = re.compile(rf'\{{"dialogId":({_STRING}),"turns":\[')
_TOKEN: Final = re.compile(rf"{_STRING}|[{{}}\[\]]")
_STEP: Final = {"{": 1, "[": 1, "}": -1, "]": -1}


@dataclass(frozen=True, kw_only=True)
class Difference:
    """The first difference. where: a path such as `turns[2].content.rulings[0].verdict`; turn: its number, or None.

    a, b: each side's value as JSON text, None where that side has nothing there.
    """

    where: str
    a: str | None
    b: str | None
    turn: int | None = None

    def __str__(self) -> str:
        return f"{shown(self.where)}: {_short(self.a)} in the first, {_short(self.b)} in the second."


def first_difference(a: DialogSource, b: DialogSource) -> Difference | None:
    """None for two dialogs with one wire key. Raises as `canonical_dialog_snapshot` does."""
    one, other = dialog_wire_key(a), dialog_wire_key(b)
    if one == other:
        return None
    (my_id, mine), (their_id, theirs) = _parted(one), _parted(other)
    if mine == theirs:
        return Difference(where="dialogId", a=my_id, b=their_id)
    index, start = _common_turns(mine, common_length(mine, theirs))
    return _turn_difference(index, _turn_at(mine, start), _turn_at(theirs, start))


def common_length(a: str, b: str) -> int:
    """Characters that two texts have in common at their start. By halving: the texts may be long."""
    low, high = 0, min(len(a), len(b))
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if a[low:middle] == b[low:middle] else (low, middle - 1)
    return low


def _parted(key: str) -> tuple[str, str]:
    """The JSON text of a key's id, and all of the key that follows the bracket of its turns."""
    head = _HEAD.match(key)
    assert head is not None, "a wire key starts with its id"
    return head[1], key[head.end() :]


def _common_turns(turns: str, common: int) -> tuple[int, int]:
    """How many turns end within the first `common` characters, and where the next would start."""
    count, start = 0, 0
    while (end := _turn_end(turns, start)) and end <= common:
        count, start = count + 1, end + 1
    return count, start


def _turn_end(turns: str, start: int) -> int:
    """Where the turn that starts there ends; 0 where none starts there. By brackets: a turn may be nested deep."""
    if not turns.startswith("{", start):
        return 0
    depth = 0
    for token in _TOKEN.finditer(turns, start):
        depth += _STEP.get(token[0], 0)
        if depth == 0:
            return token.end()
    return 0


def _turn_at(turns: str, start: int) -> Json:
    end = _turn_end(turns, start)
    value: Json = parse_json(turns[start:end], what="The turn") if end else None
    return value


def _turn_difference(index: int, mine: Json, theirs: Json) -> Difference:
    """The turn itself where it stands in another place, else the member that differs, looked into where it is JSON."""
    where = f"turns[{index}]"
    if not isinstance(mine, dict) or not isinstance(theirs, dict) or _place(mine) != _place(theirs):
        return Difference(where=where, a=_text(mine), b=_text(theirs), turn=index)
    for name in ("content", "meta", "parentHash"):
        left, right = mine.get(name), theirs.get(name)
        if (name in mine) != (name in theirs) or json_text(left) != json_text(right):
            if name == "content":
                left, right = _opened(left, right)
            path, left, right, has_left, has_right = _descend(
                f"{where}.{name}", left, right, name in mine, name in theirs
            )
            return Difference(
                where=path,
                a=json_text(left) if has_left else None,
                b=json_text(right) if has_right else None,
                turn=index,
            )
    return Difference(where=where, a=_text(mine), b=_text(theirs), turn=index)


def _descend(path: str, a: Json, b: Json, has_a: bool, has_b: bool) -> tuple[str, Json, Json, bool, bool]:
    """Down to the first member or element that differs, as long as both sides are of one kind."""
    while has_a and has_b:
        steps: list[tuple[str, Json, Json, bool, bool]] = []
        if isinstance(a, dict) and isinstance(b, dict):
            steps = [(f".{n}", a.get(n), b.get(n), n in a, n in b) for n in {**a, **b}]
        elif isinstance(a, list) and isinstance(b, list):
            steps = [
                (f"[{i}]", a[i] if i < len(a) else None, b[i] if i < len(b) else None, i < len(a), i < len(b))
                for i in range(max(len(a), len(b)))
            ]
        for step, left, right, in_a, in_b in steps:
            if in_a != in_b or json_text(left) != json_text(right):
                path, a, b, has_a, has_b = path + step, left, right, in_a, in_b
                break
        else:
            break
    return path, a, b, has_a, has_b


def _opened(a: Json, b: Json) -> tuple[Json, Json]:
    """Two contents as the JSON they spell, where both spell a list or an object that differs; else as the texts."""
    values: list[Json] = []
    for text in (a, b):
        try:
            value: Json = wire_value(parse_json(str(text)))
        except RecordError:
            return a, b
        if not isinstance(value, (dict, list)):
            return a, b
        values.append(value)
    return (a, b) if json_text(values[0]) == json_text(values[1]) else (values[0], values[1])


def _place(turn: Mapping[str, Json]) -> tuple[Json, Json, Json]:
    return turn["chainDepth"], turn["speaker"], turn["audience"]


def _text(value: Json) -> str | None:
    return None if value is None else json_text(value)


def _short(text: str | None) -> str:
    if text is None:
        return _ABSENT
    line = shown(text)
    return line if len(line) <= SHOWN else f"{line[: SHOWN - 1]}…"
