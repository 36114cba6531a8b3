"""A comparison and a session as lines for a person.

Answers for: every line is safe for a terminal, and no member is left out unsaid, those that no page names included.
Declines to: verify, or to shorten what was typed or what differs.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from bicameral.canonical.ecmascript import json_text, wire_value
from bicameral.canonical.equivalences import EquivalenceRecord
from bicameral.canonical.sessions import SessionRecord, step_hash
from bicameral.canonical.shown import shown
from bicameral.errors import UnrecordableError

_COMPARED: Final = {"solverType", "specVersion", "a", "b", "outcome", "firstDifference", "label"}
_DIALOG: Final = {"dialogId", "turnCount", "wireDigest"}
_RECORDED: Final = {
    "solverType", "specVersion", "sessionId", "wireDigest", "opened", "steps", "stepCount", "label"
}  # fmt: skip
_STEP: Final = {"action", "target", "value", "secret", "seen", "failed", "previous"}


def equivalence_lines(record: EquivalenceRecord) -> Iterator[str]:
    """The outcome, the two dialogs, and where they part."""
    yield f"two dialogs: {shown(str(record['outcome']))}"
    yield from _label(record.label)
    for side, dialog in zip("ab", record.sides, strict=True):
        yield f"{side}      {shown(str(dialog['dialogId']))}"
        yield f"       key    {shown(str(dialog['wireDigest']))}"
        yield f"       turns  {_said(dialog['turnCount'])}"
        yield from _others(dialog, _DIALOG, "       ")
    difference = record.first_difference
    if difference is not None:
        yield f"they part at {shown(str(difference['where']))}"
        for side in ("a", "b"):
            yield f"    {side}: {_value(difference.get(side))}"
        yield from _others(difference, {"where", "turn", "a", "b"}, "    ")
    yield from _others(record, _COMPARED, "")


def session_lines(record: SessionRecord) -> Iterator[str]:
    """The opening, then each step with what was seen."""
    yield f"session {shown(record.session_id)}"
    yield from _label(record.label)
    yield f"key    {shown(record.wire_digest)}"
    for name, value in record.opened.items():
        yield f"{shown(name)}: {_said(value)}"
    yield f"steps  {_said(record['stepCount'])}"
    for index, step in enumerate(record.steps):
        yield ""
        yield f"[{index}] {_done(step)}"
        yield f"    hash    {_hash(step)}"
        if "seen" in step:
            seen = ", ".join(f"{shown(name)} {_said(digest)}" for name, digest in step["seen"].items())
            yield f"    saw     {seen or 'nothing'}"
        if "failed" in step:
            yield f"    failed  {_said(step['failed'])}"
        yield from _others(step, _STEP, "    ")
    yield from _others(record, _RECORDED, "")


def _done(step: Mapping[str, Any]) -> str:
    """`fill textbox Email: ada@example.org`; a secret is named as one."""
    words = [shown(str(step["action"]))]
    if "target" in step:
        words.append(_said(step["target"]))
    told = " ".join(words)
    if "value" in step:
        told += f": {_said(step['value'])}"
    return f"{told}, a secret" if "secret" in step else told


def _hash(step: Mapping[str, Any]) -> str:
    try:
        return step_hash(step)
    except UnrecordableError as exc:
        return f"none: {shown(exc.message)}"


def _value(value: Mapping[str, Any] | None) -> str:
    """A side's value: its text where the record has it, else its digest; and members that no page names."""
    if value is None:
        return "(absent)"
    known = shown(str(value["text"])) if "text" in value else shown(str(value["digest"]))
    strange = {name: member for name, member in value.items() if name not in ("text", "digest")}
    return f"{known}, and {_said(strange)}" if strange else known


def _label(label: str | None) -> Iterator[str]:
    if label is not None:
        yield f"label  {shown(label)}"


def _others(members: Mapping[str, Any], known: set[str], gutter: str) -> Iterator[str]:
    for name, value in members.items():
        if name not in known:
            yield f"{gutter}{shown(str(name))}: {_said(value)}"


def _said(value: object) -> str:
    if isinstance(value, str):
        return shown(value)
    return shown(json_text(wire_value(value)))
