"""What a record's charge tells without being judged: the view, and the evidence that it names.

Answers for: records of our own read fast, for a chain has many; every other record is read all the same, and one that
does not read names nothing. Declines to say what is wrong with it: the audit does.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

import msgspec
from msgspec import Struct
from msgspec.json import Decoder

from bicameral.canonical import DialogRecord, parse_json, read_record
from bicameral.errors import RecordError
from bicameral.model.evidence import View
from bicameral.model.vocabulary import CLERK

DIGEST: Final = re.compile(r"sha256:[0-9a-f]{64}", re.ASCII)
_DIGITS: Final = len("sha256:") + 12
_NAMED: Final = ("picture", "companion", "facts")


def charge_of(record: Mapping[str, Any]) -> dict[str, Any] | None:
    """The content of a record's charge; None for a record without one. Raises RecordError where it does not read."""
    if not isinstance(record, DialogRecord):
        return None
    turns = record.wire_dialog()["turns"]
    genesis = turns[0] if turns else {}
    if genesis.get("speaker") != CLERK or not str(genesis.get("content")).startswith("{"):
        return None
    content = parse_json(str(genesis["content"]), what="The charge")
    return content if isinstance(content, dict) and content.get("act") == "charge" else None


def is_adjudication(charge: Mapping[str, Any]) -> bool:
    """Whether a charge puts dissents to an adjudicator, and not shots to judges."""
    return charge.get("kind") == "adjudication"


def view_of(charge: Mapping[str, Any] | None) -> str:
    """The view that a charge's content names, as reports write it; `""` where it names none.

    Of a dialog in which dissents were weighed: whose they are.
    """
    if charge is not None and is_adjudication(charge):
        return f"adjudication of {str(charge.get('parent'))[:_DIGITS]}"
    view = view_members(charge)
    return "" if view is None else str(view)


def view_members(charge: Mapping[str, Any] | None) -> View | None:
    """The view that a charge's content names; None where it names none."""
    names = [(charge or {}).get(name) for name in ("target", "platform", "route", "state")]
    texts = [name for name in names if isinstance(name, str)]
    if len(texts) < len(names):
        return None
    target, platform, route, state = texts
    return View(target=target, platform=platform, route=route, state=state)


def evidence_of(body: bytes) -> tuple[str, ...]:
    """The digests that a record's charge names, each once: pictures, companions, facts, instructions.

    Empty for a record without a charge, or one that does not read: the audit tells that.
    """
    try:
        charge = _quick_charge(body)
        named: list[object] = [getattr(shot, name) for shot in charge.shots for name in _NAMED]
        named += [skill.digest for skill in charge.skills]
    except (msgspec.DecodeError, RecursionError, TypeError, ValueError, IndexError):
        named = _slow_evidence(body)
    return tuple(dict.fromkeys(name for name in named if isinstance(name, str) and DIGEST.fullmatch(name)))


class _Shot(Struct, gc=False):
    picture: str
    companion: str | None = None
    facts: str | None = None


class _Skill(Struct, gc=False):
    digest: str


class _Charge(Struct, tag_field="act", tag="charge", gc=False):
    shots: list[_Shot]
    skills: list[_Skill]


class _Turn(Struct, gc=False):
    content: str
    speaker: str


class _Dialog(Struct, gc=False):
    turns: list[_Turn]


class _Record(Struct, rename="camel", gc=False):
    wire_key: str


_record = Decoder(_Record).decode
_dialog = Decoder(_Dialog).decode
_charge = Decoder(_Charge).decode


def _quick_charge(body: bytes) -> _Charge:
    """A charge as we write it: a million turns are gone through. Raises for everything else."""
    genesis = _dialog(_record(body).wire_key).turns[0]
    if genesis.speaker != CLERK:
        raise ValueError(genesis.speaker)
    return _charge(genesis.content)


def _slow_evidence(body: bytes) -> list[object]:
    try:
        charge = charge_of(read_record(body))
    except RecordError:
        return []
    if charge is None:
        return []
    named = [shot.get(name) for shot in _objects(charge.get("shots")) for name in _NAMED]
    return [*named, *(skill.get("digest") for skill in _objects(charge.get("skills")))]


def _objects(value: object) -> list[dict[str, Any]]:
    return [element for element in value if isinstance(element, dict)] if isinstance(value, list) else []
