"""Where two dialogs part: the first turn, in canonical order, that is not the same in both, and what differs in it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from bicameral.canonical.dialogs import DialogSource, canonical_dialog_snapshot
from bicameral.canonical.ecmascript import Json, json_text, wire_value
from bicameral.canonical.reading import parse_json
from bicameral.canonical.shown import shown
from bicameral.errors import RecordError

SHOWN: Final = 120
"""Characters of each side's value in a sentence."""

_ABSENT: Final = "(absent)"


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
    one, other = canonical_dialog_snapshot(a), canonical_dialog_snapshot(b)
    for index, (mine, theirs) in enumerate(_side_by_side(_turns(one), _turns(other))):
        if mine is None or theirs is None or json_text(mine) != json_text(theirs):
            return _turn_difference(index, mine, theirs)
    if one["dialogId"] != other["dialogId"]:
        return Difference(where="dialogId", a=json_text(one["dialogId"]), b=json_text(other["dialogId"]))
    return None


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


def _side_by_side(a: list[Json], b: list[Json]) -> list[tuple[Json, Json]]:
    longest = max(len(a), len(b))
    return [(a[i] if i < len(a) else None, b[i] if i < len(b) else None) for i in range(longest)]


def _turns(snapshot: Mapping[str, Json]) -> list[Json]:
    turns = snapshot["turns"]
    return turns if isinstance(turns, list) else []


def _place(turn: Mapping[str, Json]) -> tuple[Json, Json, Json]:
    return turn["chainDepth"], turn["speaker"], turn["audience"]


def _text(value: Json) -> str | None:
    return None if value is None else json_text(value)


def _short(text: str | None) -> str:
    if text is None:
        return _ABSENT
    line = shown(text)
    return line if len(line) <= SHOWN else f"{line[: SHOWN - 1]}…"
