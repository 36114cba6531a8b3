"""A record as lines for a person: who said what to whom, with the hashes, branches drawn.

Answers for: every line is safe for a terminal (no control, bidirectional or invisible character acts) and no value of a
known act is left out unsaid. Declines to: verify; a transcript shows what a record says.

Our own acts (a content that is a JSON object with an `act`) are summarised: findings and rulings one a line, the rest
by name. Any other content is shown as it is, line by line. The family's other records are told by `_family_lines`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from bicameral.canonical.dialogs import CanonicalTurn, canonical_turn
from bicameral.canonical.ecmascript import Json, json_text, text_text, wire_value
from bicameral.canonical.equivalences import EquivalenceRecord
from bicameral.canonical.plain import sha256_digest
from bicameral.canonical.reading import parse_json
from bicameral.canonical.records import DialogRecord, read_record
from bicameral.canonical.sessions import SessionRecord
from bicameral.canonical.shown import shown, shown_lines
from bicameral.errors import RecordError
from bicameral.witness._family_lines import equivalence_lines, session_lines

_DIGEST_DIGITS: Final = 12
"""Hex digits shown of a digest that is not needed for checking by eye."""


def render_transcript(source: bytes | str | Mapping[str, Any]) -> str:
    """The transcript of a record, with a line break at its end. Turns come as canonical order has them; where a turn
    has several answers, each answer's branch is drawn below it.

    Raises RecordError for what is no record or a dialog record whose key spells no dialog. A record of a type that is
    not known here is shown member by member.
    """
    record = read_record(source)
    if isinstance(record, (EquivalenceRecord, SessionRecord)):
        told = equivalence_lines(record) if isinstance(record, EquivalenceRecord) else session_lines(record)
        return "\n".join(told) + "\n"
    if not isinstance(record, DialogRecord):
        lines = [f"record of type {shown(record.solver_type)}"]
        lines += [f"  {line}" for name, value in record.items() for line in _member(str(name), wire_value(value))]
        return "\n".join(lines) + "\n"
    dialog = record.wire_dialog()
    turns = sorted((canonical_turn(turn) for turn in dialog["turns"]), key=lambda turn: turn.key)
    lines = [f"dialog {shown(record.dialog_id)}"]
    if record.label is not None:
        lines.append(f"label  {shown(record.label)}")
    lines += [f"key    {sha256_digest(record.wire_key.encode('utf-8', 'surrogatepass'))}", f"turns  {len(turns)}"]
    for turn, gutter in _drawn(turns):
        lines.append(gutter.above.rstrip())
        head, *rest = _turn_lines(turn)
        lines.append(f"{gutter.first}{head}")
        lines += [f"{gutter.rest}{line}".rstrip() for line in rest]
    return "\n".join(lines) + "\n"


class _Gutter:
    """What stands left of a turn's lines: before its head, before the others, and on the empty line above."""

    def __init__(self, above: str = "", first: str = "", rest: str = "") -> None:
        self.above, self.first, self.rest = above, first, rest


def _drawn(turns: list[CanonicalTurn]) -> Iterator[tuple[CanonicalTurn, _Gutter]]:
    """The turns, each branch whole before the next. A turn whose parent is not here starts a tree of its own."""
    hashes = [_hash(turn) for turn in turns]
    known = {turn_hash: index for index, turn_hash in enumerate(hashes)}
    answers: dict[int, list[int]] = {}
    roots: list[int] = []
    for index, turn in enumerate(turns):
        parent = turn.members.get("parentHash")
        at = known.get(parent) if isinstance(parent, str) else None
        # A parent that does not come before its answer cannot be trusted to end; such a turn is a root.
        if at is None or at >= index:
            roots.append(index)
        else:
            answers.setdefault(at, []).append(index)
    pending = [(index, _Gutter()) for index in reversed(roots)]
    while pending:
        index, gutter = pending.pop()
        yield turns[index], gutter
        below = answers.get(index, [])
        stem = gutter.rest
        if len(below) == 1:
            pending.append((below[0], _Gutter(stem, stem, stem)))
            continue
        for answer in reversed(below):
            last = answer == below[-1]
            first, rest = (f"{stem}└─ ", f"{stem}   ") if last else (f"{stem}├─ ", f"{stem}│  ")
            pending.append((answer, _Gutter(f"{stem}│", first, rest)))


def _turn_lines(turn: CanonicalTurn) -> Iterator[str]:
    members = turn.members
    content = str(members["content"])
    said = _own_act(content)
    act = f": {shown(str(said['act']))}" if said else ""
    depth = json_text(members["chainDepth"])
    yield f"[{depth}] {shown(str(members['speaker']))} -> {shown(str(members['audience']))}{act}"
    yield f"    hash    {_hash(turn)}"
    if "parentHash" in members:
        parent = members["parentHash"]
        yield f"    parent  {shown(parent if isinstance(parent, str) else json_text(parent))}"
    if "meta" in members:
        meta = members["meta"]
        for name, value in meta.items() if isinstance(meta, dict) else [("meta", meta)]:
            yield f"    {shown(name)}: {_inline(value)}"
    if said is None:
        yield from (f"    | {line}" for line in shown_lines(content))
        return
    for name, value in said.items():
        if name != "act":
            yield from (f"    {line}" for line in _member(name, value))


def _own_act(content: str) -> dict[str, Json] | None:
    """The content as one of our acts, or None where it is anything else."""
    if not content.startswith("{"):
        return None
    try:
        value = wire_value(parse_json(content))
    except RecordError:
        return None
    return value if isinstance(value, dict) and isinstance(value.get("act"), str) else None


def _member(name: str, value: Json) -> Iterator[str]:
    """A member of an act: lists one element a line, numbered from 0 as rulings number findings."""
    if isinstance(value, list) and value and any(isinstance(element, (dict, list)) for element in value):
        yield f"{shown(name)} ({len(value)}):"
        for index, element in enumerate(value):
            head, *rest = _element(element)
            yield f"  {index}. {head}"
            yield from (f"     {line}" for line in rest)
    elif isinstance(value, dict) and any(isinstance(member, (dict, list)) for member in value.values()):
        yield f"{shown(name)}:"
        for below, member in value.items():
            yield f"  {shown(below)}: {_inline(member)}"
    else:
        yield f"{shown(name)}: {_inline(value)}"


def _element(value: Json) -> Iterator[str]:
    if isinstance(value, dict) and "verdict" in value and "index" in value:
        yield from _ruling(value)
    elif isinstance(value, dict) and "category" in value and "title" in value:
        yield from _finding(value)
    elif isinstance(value, dict):
        yield ", ".join(f"{shown(name)} {_inline(member)}" for name, member in value.items()) or "{}"
    else:
        yield _inline(value)


def _ruling(ruling: Mapping[str, Json]) -> Iterator[str]:
    """`0. on finding 2: dispute`, then its notes, then whatever else it holds."""
    yield f"on finding {_inline(ruling['index'])}: {_inline(ruling['verdict'])}"
    notes = [ruling.get("note"), *_listed(ruling.get("notes"))]
    yield from (line for note in notes if note is not None for line in shown_lines(_plain(note)))
    yield from _others(ruling, {"index", "verdict", "note", "notes"})


def _finding(finding: Mapping[str, Json]) -> Iterator[str]:
    """`0. high contrast: title`, where it is, what is wrong, then whatever else it holds."""
    yield " ".join(
        [_inline(finding.get("severity", "")), f"{_inline(finding['category'])}:", _inline(finding["title"])]
    ).strip()
    place = [_inline(finding[name]) for name in ("shot_id", "attribute") if name in finding]
    if place:
        yield ", ".join(place)
    if "problem" in finding:
        yield from shown_lines(_plain(finding["problem"]))
    yield from _others(finding, {"severity", "category", "title", "shot_id", "attribute", "problem"})


def _others(value: Mapping[str, Json], done: set[str]) -> Iterator[str]:
    """The members that are not shown yet and say something."""
    for name, member in value.items():
        if name not in done and member not in (None, "", [], {}):
            yield f"{shown(name)}: {_inline(member)}"


def _listed(value: Json) -> list[Json]:
    return value if isinstance(value, list) else [] if value is None else [value]


def _plain(value: Json) -> str:
    return value if isinstance(value, str) else json_text(value)


def _inline(value: Json) -> str:
    """A value on one line: texts bare, digests shortened, lists of plain values joined by commas."""
    if isinstance(value, str):
        if value.startswith("sha256:") and len(value) == len("sha256:") + 64:
            return shown(value[: len("sha256:") + _DIGEST_DIGITS]) + "…"
        return shown(value) if value else text_text(value)
    if value == []:
        return "none"
    if isinstance(value, list) and not any(isinstance(element, (dict, list)) for element in value):
        return ", ".join(map(_inline, value))
    return shown(json_text(value))


def _hash(turn: CanonicalTurn) -> str:
    return sha256_digest(turn.text.encode("utf-8"))
