"""When two findings of one batch are the same defect.

Answers for: own repeats filed once, and a restatement by the other judge known as one. Declines to compare prose
across judges: a reworded agreement is still one defect, by its identity.

Rules, in order:
1. One judge's rows are repeats of each other if they say the same in every member but the shots and boxes, and share a
   shot. Two accounts of one thing in different words are both kept.
2. A finding restates another on each shot that both name, if category, attribute and region are the same (`model.
   identity` without what is the same for a whole view).
3. Nothing is lost: the shots that a repeat or a restatement adds are kept.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from bicameral.dialogue.ingest import Filed, members
from bicameral.model.evidence import Box
from bicameral.model.findings import Finding, Place

_WHERE = frozenset({"shot_id", "also_shot_ids", "box", "also_boxes"})


@dataclass(frozen=True, kw_only=True)
class Restated:
    """An addition held against what was filed. folded: numbers of the findings that it restates.  rest: what it adds
    on shots where nobody filed it, None where nothing is left."""

    folded: tuple[int, ...]
    rest: Finding | None


def once_each(filed: Iterable[Filed]) -> tuple[Finding, ...]:
    """The findings of one reply, its repeats filed once, in the order of their first row."""
    kept: list[Finding | None] = []
    said: dict[str, list[int]] = {}
    for item in filed:
        finding = item.finding
        places = said.setdefault(_what_it_says(item), [])
        alike = [place for place in places if _share_a_shot(kept[place], finding)]
        if not alike:
            places.append(len(kept))
            kept.append(finding)
            continue
        # The first keeps its place; a later one that this row has joined to it goes into it too.
        first = alike[0]
        for joined in (*(kept[place] for place in alike), finding):
            kept[first] = _with_shots_of(kept[first] or finding, joined or finding)
        for place in alike[1:]:
            kept[place] = None
            places.remove(place)
    return tuple(finding for finding in kept if finding is not None)


def _share_a_shot(one: Finding | None, other: Finding) -> bool:
    return one is not None and not set(one.shot_ids).isdisjoint(other.shot_ids)


def _what_it_says(item: Filed) -> str:
    said = {name: member for name, member in members(item.row.value).items() if name not in _WHERE}
    return repr(sorted(said.items(), key=lambda pair: pair[0]))


def _with_shots_of(finding: Finding, other: Finding) -> Finding:
    """The finding, shown also on the shots of its repeat."""
    more = tuple(shot_id for shot_id in other.shot_ids if shot_id not in finding.shot_ids)
    boxes = [(shot_id, other.box_on(shot_id)) for shot_id in other.shot_ids]
    places = tuple(
        Place(shot_id=shot_id, box=box)
        for shot_id, box in boxes
        if box is not None and shot_id != finding.shot_id and finding.box_on(shot_id) is None
    )
    own: Box | None = finding.box if finding.box is not None else other.box_on(finding.shot_id)
    return replace(
        finding,
        also_shot_ids=(*finding.also_shot_ids, *more),
        box=own,
        also_boxes=(*finding.also_boxes, *places),
    )


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
    first, *also = shot_ids
    boxes = [(shot_id, finding.box_on(shot_id)) for shot_id in also]
    return replace(
        finding,
        shot_id=first,
        also_shot_ids=tuple(also),
        box=finding.box_on(first),
        also_boxes=tuple(Place(shot_id=shot_id, box=box) for shot_id, box in boxes if box is not None),
    )
