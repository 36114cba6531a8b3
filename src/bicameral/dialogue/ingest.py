"""One row of a reply to one finding, or the reason why not.

Answers for: nothing wrong turned into something that looks right. A value of a wrong type is no text; an unknown word
is no category. Declines to judge prose.

Rules, in order:
1. snake_case and camelCase are read; a row that holds both spellings of one member is rejected.
2. shot_id, category and severity are exact words of what was asked about; else the row is rejected.
3. Texts are texts; null and a missing one are empty; any other type rejects the row, and so does a NUL.
4. An unknown region is `content`. An unknown confidence is `medium`, and what is wrong in region, part, acceptance,
   also_shot_ids and the boxes is left out; each of these is said (`dropped`).
5. `part` names the oracle where the judge is made of such parts; else the judge itself is.
6. Lengths are cut, in UTF-16 units, to the limits below.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final, cast, get_args

from bicameral.dialogue.extract import Row
from bicameral.dialogue.texts import cut, slug, trimmed
from bicameral.model.evidence import Box
from bicameral.model.findings import Finding, Place, RejectedRow
from bicameral.model.vocabulary import Confidence, Region, Severity

TITLE: Final = 200
PROBLEM: Final = 1500
EXPECTED: Final = 800
OBSERVED: Final = 800
ACCEPTANCE: Final = 300
ACCEPTANCES: Final = 6
NOTE: Final = 300

FARTHEST_PX: Final = 10_000_000
"""No page is larger; a box beyond it is no box."""

SPELLINGS: Final[Mapping[str, str]] = {
    "shot_id": "shotId",
    "also_shot_ids": "alsoShotIds",
    "also_boxes": "alsoBoxes",
}
"""Members of a finding whose two spellings differ."""


class Refused(Exception):
    """Why a row cannot be used. Raised and caught within `dialogue`."""


@dataclass(frozen=True, kw_only=True)
class Terms:
    """What a row is read against. shots: their ids in order.  oracle: who filed it where no part says so."""

    shots: tuple[str, ...]
    categories: tuple[str, ...]
    parts: tuple[str, ...] = ()
    oracle: str = ""

    @cached_property
    def known(self) -> frozenset[str]:
        """The shots, for the question that every row asks."""
        return frozenset(self.shots)


@dataclass(frozen=True, kw_only=True)
class Filed:
    """A finding with the row it was read from. dropped: the row again, where something in it had to be left out."""

    finding: Finding
    row: Row
    dropped: RejectedRow | None = None


def read_finding(row: Row, terms: Terms) -> Filed | RejectedRow:
    """The finding that a row files, or the row with the reason why it files none."""
    try:
        return _read(row, terms)
    except Refused as refused:
        return RejectedRow(reason=str(refused), row=row.text, where=row.where)


def members(value: object) -> Mapping[str, object]:
    """A row's members in snake_case. Raises Refused for what is no object, or for two spellings of one member."""
    if not isinstance(value, dict):
        raise Refused("not an object")
    found = cast("dict[str, object]", value)
    for snake, camel in SPELLINGS.items():
        if camel in found:
            if snake in found:
                raise Refused(f"both {snake} and {camel}")
            found = {snake if name == camel else name: member for name, member in found.items()}
    return found


def _read(row: Row, terms: Terms) -> Filed:
    given = members(row.value)
    shot_id = _one_of(given, "shot_id", terms.known)
    category = _one_of(given, "category", terms.categories)
    severity = cast(Severity, _one_of(given, "severity", get_args(Severity)))
    left_out: list[str] = []
    also = _also(given.get("also_shot_ids"), shot_id, terms.known, left_out)
    box = _box(given.get("box"))
    if box is None and given.get("box") is not None:
        left_out.append("box is no rectangle")
    finding = Finding(
        shot_id=shot_id,
        category=category,
        attribute=slug(_text(given, "attribute")),
        region=cast(Region, _word_or(given, "region", get_args(Region), "content", left_out)),
        severity=severity,
        title=cut(_text(given, "title"), TITLE),
        problem=cut(_text(given, "problem"), PROBLEM),
        expected=cut(_text(given, "expected"), EXPECTED),
        observed=cut(_text(given, "observed"), OBSERVED),
        confidence=_confidence(given, left_out),
        acceptance=_acceptance(given.get("acceptance"), left_out),
        also_shot_ids=also,
        box=box,
        also_boxes=_also_boxes(given.get("also_boxes"), also, left_out),
        oracle=_word_or(given, "part", terms.parts, terms.oracle, left_out),
    )
    # One line for a row, however much is left out of it: the row's text is kept with each.
    lost = RejectedRow(reason="left out: " + "; ".join(left_out), row=row.text, where=row.where)
    return Filed(finding=finding, row=row, dropped=lost if left_out else None)


def _one_of(given: Mapping[str, object], name: str, known: Collection[str]) -> str:
    value = given.get(name)
    if isinstance(value, str) and value in known:
        return value
    shown = f'"{value[:80]}"' if isinstance(value, str) else "none" if value is None else "not a text"
    raise Refused(f"unknown {name}: {shown}")


def _text(given: Mapping[str, object], name: str) -> str:
    value = given.get(name)
    if value is None:
        return ""
    if not isinstance(value, str):
        raise Refused(f"{name} is not a text")
    if "\0" in value:
        raise Refused(f"{name} holds a NUL")
    return value


def _word_or(
    given: Mapping[str, object], name: str, known: Collection[str], otherwise: str, left_out: list[str]
) -> str:
    """The word, or what stands for an unknown one. What is no word at all is said to be left out."""
    value = given.get(name)
    if isinstance(value, str):
        return value if value in known else otherwise
    if value is not None:
        left_out.append(f"{name} is not a word")
    return otherwise


def _confidence(given: Mapping[str, object], left_out: list[str]) -> Confidence:
    word = _word_or(given, "confidence", get_args(Confidence), "", left_out)
    if not word and isinstance(given.get("confidence"), str):
        left_out.append("confidence is none of its words")
    return cast(Confidence, word or "medium")


def _listed(value: object, name: str, left_out: list[str]) -> Sequence[object]:
    if value is not None and not isinstance(value, list):
        left_out.append(f"{name} is not a list")
    return value if isinstance(value, list) else ()


def _acceptance(value: object, left_out: list[str]) -> tuple[str, ...]:
    """The first six of the texts in the list that say something."""
    given = _listed(value, "acceptance", left_out)
    texts = [trimmed(item) for item in given if isinstance(item, str) and "\0" not in item]
    if len(texts) < len(given):
        left_out.append(f"{len(given) - len(texts)} of acceptance that are no text")
    return tuple(cut(text, ACCEPTANCE) for text in texts if text)[:ACCEPTANCES]


def _also(value: object, shot_id: str, shots: Collection[str], left_out: list[str]) -> tuple[str, ...]:
    """The other shots, each once and in the order given."""
    named = _listed(value, "also_shot_ids", left_out)
    known = [item for item in named if isinstance(item, str) and item in shots]
    if len(known) < len(named):
        left_out.append(f"{len(named) - len(known)} of also_shot_ids outside this batch")
    return tuple(dict.fromkeys(name for name in known if name != shot_id))


def _also_boxes(value: object, also: tuple[str, ...], left_out: list[str]) -> tuple[Place, ...]:
    if not isinstance(value, dict):
        if value is not None:
            left_out.append("also_boxes is not an object")
        return ()
    boxes = {shot_id: _box(value.get(shot_id)) for shot_id in also}
    places = tuple(Place(shot_id=shot_id, box=box) for shot_id, box in boxes.items() if box is not None)
    lost = sum(member is not None for member in value.values()) - len(places)
    if lost:
        left_out.append(f"{lost} of also_boxes that are no rectangle on another of its shots")
    return places


def _box(value: object) -> Box | None:
    """[x, y, width, height] or an object of these, in whole pixels that cover what was given; None for all else."""
    if isinstance(value, dict):
        value = [value.get(name) for name in ("x", "y", "width", "height")]
    if not isinstance(value, list) or len(value) != 4:
        return None
    if not all(_is_measure(side) for side in value):
        return None
    x, y, width, height = value
    if width < 0 or height < 0:
        return None
    left, top = math.floor(x), math.floor(y)
    return Box(x=left, y=top, width=math.ceil(x + width) - left, height=math.ceil(y + height) - top)


def _is_measure(value: object) -> bool:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return -FARTHEST_PX <= value <= FARTHEST_PX  # false for both infinities
