"""What was said in a dialogue of two judges, read from the contents of its turns.

Answers for: the acts of `agent.dialog.v1` section 6 as values, and the digests that a charge names. Declines to know
other contents: what is no act of this page is another dialog's text.

Rules, in order:
1. Only a dialog whose genesis is a `charge` is read so; each content in it is RFC 8785 text of an object with an `act`.
2. An act with a member that is not known here, or one of another type, is an Unknown: its evidence, where it is a
   charge, is still named.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Annotated, Any, Final, TypeAlias

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType
from msgspec.json import Decoder, Encoder

from bicameral.canonical.plain import MAX_INTEGER
from bicameral.errors import RecordError
from bicameral.witness._audit_texts import read_canonical

Whole: TypeAlias = Annotated[int, Meta(ge=-MAX_INTEGER, le=MAX_INTEGER)]


class Dissent(Struct, gc=False):
    """A dispute or an amendment in a consensus."""

    note: str
    oracle: str


class Consensus(Struct, gc=False):
    """What the other judge made of a finding. Members stand in the order of the canonical text, here and below."""

    agreed_by: list[str]
    amended_by: list[Dissent]
    disputed_by: list[Dissent]
    reported_by: str
    rounds: Whole
    undecided_by: list[str]


class Finding(Struct, kw_only=True, gc=False):
    """A finding as it was filed; in an outcome with its consensus."""

    acceptance: list[str]
    also_boxes: dict[str, list[Whole]]
    also_shot_ids: list[str]
    attribute: str
    box: list[Whole] | None
    category: str
    confidence: str
    consensus: Consensus | UnsetType | None = UNSET
    expected: str
    observed: str
    oracle: str
    problem: str
    region: str
    severity: str
    shot_id: str
    title: str


class Ruling(Struct, gc=False):
    """One judge's word on one finding, by number."""

    index: Whole
    notes: list[str]
    verdict: str


class Shot(Struct, kw_only=True, gc=False):
    """A shot of a charge, with the digests of what was looked at."""

    companion: str | None = None
    facts: str | None = None
    form_factor: str
    picture: str
    platform: str | UnsetType = UNSET
    route: str | UnsetType = UNSET
    scale: str
    scheme: str
    shot_id: str
    size: list[Whole]
    state: str | UnsetType = UNSET
    target: str | UnsetType = UNSET


class Skill(Struct, gc=False):
    """Instructions that a judge was given."""

    digest: str
    task: str


class Seat(Struct, gc=False):
    """A seat of the roster."""

    ai: str
    handle: str
    model: str


class Charge(Struct, kw_only=True, tag_field="act", tag="charge", gc=False):
    """What was asked, about which evidence, and of whom."""

    challenge_clean: bool
    contract: str
    platform: str
    project: str
    roster: list[Seat]
    route: str
    shots: list[Shot]
    skills: list[Skill]
    state: str
    target: str
    vocabulary: list[str]


class Findings(Struct, tag_field="act", tag="findings", gc=False):
    """What the proposer filed."""

    clean_shot_ids: list[str]
    findings: list[Finding]
    rejected: list[str]
    unaccounted: list[str]


class Rulings(Struct, tag_field="act", tag="rulings", gc=False):
    """What a judge said of the other's findings, and what it added."""

    additions: list[Finding]
    rejected: list[str]
    rulings: list[Ruling]


class NoChallenge(Struct, tag_field="act", tag="no-challenge", gc=False):
    """Nobody challenged."""

    reason: str


class NoSecondRound(Struct, tag_field="act", tag="no-second-round", gc=False):
    """Nobody ruled on the additions."""

    reason: str


class Unknown(Struct, gc=False):
    """An act that this version does not know. members: all of it."""

    act: str
    members: dict[str, Any]


_KNOWN: TypeAlias = Charge | Findings | Rulings | NoChallenge | NoSecondRound
Act: TypeAlias = _KNOWN | Unknown

_act: Decoder[_KNOWN] = Decoder(_KNOWN)
_write = Encoder(order="deterministic").encode
_FAULTS: Final = (msgspec.DecodeError, RecursionError, TypeError, ValueError, OverflowError)
_LAST_OF_ONE_UNIT: Final = "\uffff"
"""Up to this character UTF-16 has one unit, and sorts as UTF-8 does."""
_EVIDENCE: Final = ("picture", "companion", "facts")


def is_charge(content: str) -> bool:
    """Whether a genesis turn's content is a charge, so that the dialog's contents are acts."""
    if content.startswith('{"act":"charge",'):
        return True
    if not content.startswith("{"):
        return False
    try:
        value = msgspec.json.decode(content)
    except _FAULTS:
        return False
    return isinstance(value, dict) and value.get("act") == "charge"


def read_act(content: str, what: str) -> Act:
    """One content. Raises RecordError for what is not canonical JSON of an object with an `act`."""
    data = content.encode("utf-8", "surrogatepass")
    try:
        act = _act.decode(data)
        if _write(act) == data and (len(data) == len(content) or _names_sort_alike(act)):
            return act
    except _FAULTS:
        pass
    value = read_canonical(data, what)
    if not isinstance(value, dict) or not isinstance(value.get("act"), str):
        raise RecordError(f"{what} is no object with an act.")
    with suppress(msgspec.ValidationError):
        known: _KNOWN = msgspec.convert(value, _KNOWN)
        if msgspec.to_builtins(known) == value:
            return known
    return Unknown(value["act"], value)


def _names_sort_alike(act: _KNOWN) -> bool:
    """Whether the one table whose names others chose is in one order by UTF-8 and by UTF-16."""
    findings: Sequence[Finding] = ()
    if isinstance(act, Findings):
        findings = act.findings
    elif isinstance(act, Rulings):
        findings = act.additions
    return all(max(name, default="") <= _LAST_OF_ONE_UNIT for finding in findings for name in finding.also_boxes)


def named_by(charge: Act) -> Iterator[tuple[str, str, object]]:
    """Where, what (`picture`, `companion`, `facts`, `instructions`) and the digest of each thing that a charge names.

    What is null or absent is not named. The digest is whatever stands there.
    """
    shots: Sequence[Any]
    skills: Sequence[Any]
    if isinstance(charge, Charge):
        for index, shot in enumerate(charge.shots):
            yield f"shots[{index}].picture", "picture", shot.picture
            if shot.companion is not None:
                yield f"shots[{index}].companion", "companion", shot.companion
            if shot.facts is not None:
                yield f"shots[{index}].facts", "facts", shot.facts
        for index, skill in enumerate(charge.skills):
            yield f"skills[{index}].digest", "instructions", skill.digest
    elif isinstance(charge, Unknown):
        shots, skills = _listed(charge.members.get("shots")), _listed(charge.members.get("skills"))
        for index, shot in enumerate(shots):
            for name in _EVIDENCE:
                if isinstance(shot, dict) and shot.get(name) is not None:
                    yield f"shots[{index}].{name}", name, shot[name]
        for index, skill in enumerate(skills):
            if isinstance(skill, dict) and skill.get("digest") is not None:
                yield f"skills[{index}].digest", "instructions", skill["digest"]


def _listed(value: object) -> Sequence[Any]:
    return value if isinstance(value, list) else ()
