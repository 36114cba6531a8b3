"""When two findings of one batch are the same defect.

Answers for: own repeats filed once, and a restatement by the other judge known as one. Declines to compare prose
across judges: a reworded agreement is still one defect, by its identity.

Rules, in order:
1. One judge's rows are repeats of each other if they say the same in every member but the shots and boxes, and share a
   shot. Two accounts of one thing in different words are both kept.
2. A finding restates another on each shot that both name, if category, attribute and region are the same (`model.
   identity` without what is the same for a whole view).
3. Nothing is lost unsaid: the shots that a repeat or a restatement adds are kept. One finding has one box a shot, the
   first given; a repeat with another is listed.
4. What an answer held that a later one replaced is listed, where the later one does not hold it too.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from bicameral.dialogue.extract import JsonObject
from bicameral.dialogue.ingest import Filed, Terms, members, read_finding
from bicameral.model.evidence import Box
from bicameral.model.findings import Finding, Place, RejectedRow

REPLACED: Final = "in an answer that a later one replaced"
"""Why a row of an answer that was passed over is absent."""

_WHERE: Final = frozenset({"shot_id", "also_shot_ids", "box", "also_boxes"})


@dataclass(frozen=True, kw_only=True)
class Restated:
    """An addition held against what was filed. folded: numbers of the findings that it restates.  rest: what it adds
    on shots where nobody filed it, None where nothing is left."""

    folded: tuple[int, ...]
    rest: Finding | None


@dataclass(frozen=True, kw_only=True)
class Once:
    """The findings of one reply, its repeats filed once. dropped: rows of which something could not be kept."""

    findings: tuple[Finding, ...]
    dropped: tuple[RejectedRow, ...]


def once_each(filed: Iterable[Filed]) -> Once:
    """The findings of one reply, its repeats filed once, in the order of their first row."""
    items = tuple(filed)
    first_of = list(range(len(items)))  # each row's link towards the first of its repeats
    seen: dict[tuple[str, str], int] = {}
    for number, item in enumerate(items):
        said = _what_it_says(item)
        for shot_id in item.finding.shot_ids:
            one, other = _first(first_of, seen.setdefault((said, shot_id), number)), _first(first_of, number)
            first_of[max(one, other)] = min(one, other)
    repeats: dict[int, list[Filed]] = {}
    for number, item in enumerate(items):
        repeats.setdefault(_first(first_of, number), []).append(item)
    joined = [_joined(group) for group in repeats.values()]
    return Once(findings=tuple(one for one, _ in joined), dropped=tuple(row for _, rows in joined for row in rows))


def _first(first_of: list[int], number: int) -> int:
    while first_of[number] != number:
        first_of[number] = first_of[first_of[number]]
        number = first_of[number]
    return number


def _what_it_says(item: Filed) -> str:
    said = {name: member for name, member in members(item.row.value).items() if name not in _WHERE}
    return repr(sorted(said.items(), key=lambda pair: pair[0]))


def _joined(repeats: Sequence[Filed]) -> tuple[Finding, list[RejectedRow]]:
    """The first of these rows, shown on the shots of all, and the rows whose box on a shot had to give way."""
    if len(repeats) == 1:
        return repeats[0].finding, []
    boxes: dict[str, Box | None] = {}
    dropped: list[RejectedRow] = []
    for repeat in repeats:
        given = boxes_of(repeat.finding)
        if any(box is not None and boxes.get(shot_id) not in {None, box} for shot_id, box in given.items()):
            row = repeat.row
            dropped.append(RejectedRow(reason="left out: the box of a repeat", row=row.text, where=row.where))
        boxes |= {shot_id: boxes.get(shot_id) or box for shot_id, box in given.items()}
    return _shown_on(repeats[0].finding, boxes), dropped


def boxes_of(finding: Finding) -> dict[str, Box | None]:
    """Shot to box, for every shot of the finding, the one it is described on first."""
    boxes: dict[str, Box | None] = dict.fromkeys(finding.shot_ids)
    return boxes | {place.shot_id: place.box for place in finding.also_boxes} | {finding.shot_id: finding.box}


def _shown_on(finding: Finding, boxes: Mapping[str, Box | None]) -> Finding:
    """The finding on these shots, described on the first."""
    first, *also = boxes
    places = ((shot_id, boxes[shot_id]) for shot_id in also)
    return replace(
        finding,
        shot_id=first,
        also_shot_ids=tuple(also),
        box=boxes[first],
        also_boxes=tuple(Place(shot_id=shot_id, box=box) for shot_id, box in places if box is not None),
    )


def replaced(
    passed_over: Iterable[JsonObject], member: str, kept: Iterable[Finding], terms: Terms
) -> tuple[RejectedRow, ...]:
    """The usable rows of answers that a later one replaced, as far as what was kept does not hold their findings.

    member: where those rows stand.  kept: findings of which a row may be another account.
    """
    held = {place for finding in kept for place in _places(finding)}
    lost: list[RejectedRow] = []
    for row in (row for answer in passed_over for row in answer.rows(member) or ()):
        item = read_finding(row, terms)
        if isinstance(item, Filed) and not held.issuperset(places := _places(item.finding)):
            lost.append(RejectedRow(reason=REPLACED, row=row.text, where=row.where))
            held.update(places)
    return tuple(lost)


def _places(finding: Finding) -> list[tuple[str, str, str, str]]:
    return [_identity(finding, shot_id) for shot_id in finding.shot_ids]


class Register:
    """What was filed, by identity and shot, so that each addition is held against it at the cost of its own shots."""

    def __init__(self, filed: Sequence[Finding]) -> None:
        self._first: dict[tuple[str, str, str, str], int] = {}
        for number, finding in enumerate(filed):
            for shot_id in finding.shot_ids:
                self._first.setdefault(_identity(finding, shot_id), number)

    def restated(self, addition: Finding) -> Restated:
        """Which findings an addition restates, by number, and what is left of it. The first filed stands for all."""
        matches = {shot_id: self._first.get(_identity(addition, shot_id)) for shot_id in addition.shot_ids}
        folded = {number for number in matches.values() if number is not None}
        left = tuple(shot_id for shot_id, number in matches.items() if number is None)
        return Restated(folded=tuple(sorted(folded)), rest=_only_on(addition, left))


def _identity(finding: Finding, shot_id: str) -> tuple[str, str, str, str]:
    return finding.category, finding.attribute, finding.region, shot_id


def _only_on(finding: Finding, shot_ids: tuple[str, ...]) -> Finding | None:
    if not shot_ids:
        return None
    if shot_ids == finding.shot_ids:
        return finding
    boxes = boxes_of(finding)
    return _shown_on(finding, {shot_id: boxes[shot_id] for shot_id in shot_ids})
