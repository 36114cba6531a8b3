"""Rows of a challenge to one ruling a number.

Answers for: each number ruled at most once, and never against a finding by accident. Declines to weigh the rulings.

Rules, in order:
1. A number is an integer in any spelling (`1.0` is one, `true` and `"1"` are not) among those that were put; the word
   is one of four, trimmed and case folded; a note is a text; a dispute or an amendment carries one that shows
   something. Else the row is absent and rejected.
2. A mark that is another finding's and not its own finding's voids the ruling. None, or one of no finding, does not.
3. A restated finding is an agreement and voids a different ruling on it.
4. Rulings on one number with one word are one, with all notes; with different words they are all absent.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from bicameral.dialogue.extract import Row
from bicameral.dialogue.ingest import NOTE, Refused, members
from bicameral.dialogue.texts import cut, is_blank, trimmed, word
from bicameral.model.findings import RejectedRow, Ruling
from bicameral.model.vocabulary import WORDS, Word

ACCOUNTED_WORDS: Final[frozenset[Word]] = frozenset({"dispute", "amend"})
"""Words that count only with an account."""


@dataclass(frozen=True, kw_only=True)
class Stated:
    """One usable row: what it says of which number."""

    index: int
    verdict: Word
    note: str | None
    row: Row


@dataclass(frozen=True, kw_only=True)
class Put:
    """What was put to the judge. numbers: those asked about in this request.  marks: of every finding, by number; empty
    where they are not known.  all_marks: of every finding of the dialogue, put or not."""

    numbers: Collection[int]
    marks: Sequence[str] = ()
    all_marks: frozenset[str] = field(default=frozenset())


def read_ruling(row: Row, put: Put) -> Stated | RejectedRow:
    """What a row states, or the row with the reason why it states nothing."""
    try:
        given = members(row.value)
        index = _index(given.get("index"), put.numbers)
        verdict = _verdict(given.get("verdict"))
        note = _note(given.get("note"))
        if note is None and verdict in ACCOUNTED_WORDS:
            raise Refused(f"{verdict} of #{index} with no note")
        _check_mark(given.get("mark"), index, put)
    except Refused as refused:
        return RejectedRow(reason=str(refused), row=row.text, where=row.where)
    return Stated(index=index, verdict=verdict, note=note, row=row)


def _index(value: object, numbers: Collection[int]) -> int:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise Refused("no finding is named")
    if isinstance(value, float) and not value.is_integer():  # is_integer is false for both infinities
        raise Refused("the index is no whole number")
    if value not in numbers:
        raise Refused("no such finding")
    return int(value)


def _verdict(value: object) -> Word:
    said = word(value)
    if said not in WORDS:
        raise Refused(f'unknown verdict "{value[:40]}"' if isinstance(value, str) else "the verdict is no word")
    return said


def _note(value: object) -> str | None:
    """The account: trimmed, cut, None if nothing of it can be seen. Raises Refused for what is no text."""
    if value is None:
        return None
    if not isinstance(value, str):
        raise Refused("note is not a text")
    if "\0" in value:
        raise Refused("note holds a NUL")
    note = cut(trimmed(value), NOTE)
    return None if is_blank(note) else note


def _check_mark(value: object, index: int, put: Put) -> None:
    mark = word(value)
    if mark is None or index >= len(put.marks) or mark == put.marks[index]:
        return
    if mark in put.all_marks:
        raise Refused(f"the mark given for #{index} is another finding's")


def settle(
    stated: Iterable[Stated], folded: Mapping[int, Sequence[str]], *, oracle: str
) -> tuple[tuple[Ruling, ...], tuple[RejectedRow, ...]]:
    """One ruling a number, by number, and the rows that others of the same reply made void.

    folded: number to the words with which additions restated that finding.
    """
    by_number: dict[int, list[Stated]] = {number: [] for number in folded}
    for row in stated:
        by_number.setdefault(row.index, []).append(row)
    rulings: list[Ruling] = []
    void: list[RejectedRow] = []
    for number in sorted(by_number):
        rows = by_number[number]
        agreed = number in folded
        words: set[Word] = {"agree"} if agreed else {row.verdict for row in rows}
        if len(words) > 1:
            void += [_void(row, f"rulings on #{number} that differ") for row in rows]
            continue
        (verdict,) = words
        void += [_void(row, f"#{number} is also restated, which agrees") for row in rows if row.verdict != verdict]
        notes = [row.note for row in rows if row.verdict == verdict and row.note is not None]
        rulings.append(Ruling(index=number, oracle=oracle, verdict=verdict, notes=(*notes, *folded.get(number, ()))))
    return tuple(rulings), tuple(void)


def _void(row: Stated, reason: str) -> RejectedRow:
    return RejectedRow(reason=reason, row=row.row.text, where=row.row.where)
