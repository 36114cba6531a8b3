"""A charge read back: the question that was put, and to whom, from what the record says of it.

Answers for: a dialogue that can be held again from its record and its raw replies, with nothing else at hand. Declines
to find instructions or evidence: the record names them by digest, and who only repeats what he said reads neither.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from bicameral.dialogue.question import Question
from bicameral.errors import BicameralError, EvidenceError, RecordError
from bicameral.model.evidence import Shot
from bicameral.model.plain import read_plain
from bicameral.model.seats import Roster, Seat

_PLACE: Final = ("target", "platform", "route", "state")

MOST_SHOTS: Final = 10_000
"""No view has as many; a forged charge with more would be looked at for a long time."""


@dataclass(frozen=True, kw_only=True)
class Charge:
    """What a charge says. contract: the version of the reply contract it was put under.

    question: whole but for its texts: instructions are empty, and there is no evidence to read.
    """

    contract: str
    question: Question
    roster: Roster


@dataclass(frozen=True, kw_only=True)
class _Skill:
    task: str
    digest: str


@dataclass(frozen=True, kw_only=True)
class _Seat:
    ai: str
    model: str
    handle: str


@dataclass(frozen=True, kw_only=True)
class _Shot:
    shot_id: str
    form_factor: str
    scheme: str
    picture: str
    facts: str | None
    companion: str | None
    size: tuple[int, ...]
    scale: str
    target: str | None = None
    platform: str | None = None
    route: str | None = None
    state: str | None = None


@dataclass(frozen=True, kw_only=True)
class _Charge:
    act: str
    contract: str
    project: str
    target: str
    platform: str
    route: str
    state: str
    shots: tuple[_Shot, ...]
    skills: tuple[_Skill, ...]
    vocabulary: tuple[str, ...]
    roster: tuple[_Seat, ...]
    challenge_clean: bool


class NoEvidence:
    """Nobody who repeats what he said looks at anything."""

    def read(self, digest: str) -> bytes:
        """Raises EvidenceError."""
        raise EvidenceError(f"The evidence {digest} is not read again: the replies to it are.")


def read_charge(content: Mapping[str, Any]) -> Charge:
    """The question and the roster of a charge turn's content. Raises RecordError, naming the place, for any other."""
    told = read_plain(_Charge, content, "The charge")
    seats = [Seat(seat.ai, seat.model) for seat in told.roster]
    if told.act != "charge" or not 1 <= len(seats) <= 2:
        raise RecordError("The charge names no judge, or more than two.")
    if [skill.task for skill in told.skills] != ["propose", "challenge"][: len(seats)]:
        raise RecordError("The charge does not name the instructions of each judge.")
    if len(told.shots) > MOST_SHOTS:
        raise RecordError(f"The charge has more than {MOST_SHOTS:,} shots.")
    try:
        question = Question(
            project=told.project,
            shots=tuple(_shot(shot, told) for shot in told.shots),
            evidence=NoEvidence(),
            instructions="",
            challenge_instructions=None if len(seats) == 1 else "",
            categories=told.vocabulary,
            challenge_clean=told.challenge_clean,
        )
        return Charge(contract=told.contract, question=question, roster=Roster(*seats))
    except BicameralError as error:
        raise RecordError(f"The charge cannot be put again: {error.message}") from error


def _shot(shot: _Shot, charge: _Charge) -> Shot:
    if len(shot.size) != 2:
        raise RecordError(f"The size of the shot {shot.shot_id[:80]!r} is not two numbers.")
    try:
        scale = float(shot.scale)
    except ValueError as error:
        raise RecordError(f"The scale of the shot {shot.shot_id[:80]!r} is no number.") from error
    place = {name: getattr(shot, name) for name in _PLACE}
    return Shot(
        shot_id=shot.shot_id,
        picture=shot.picture,
        facts=shot.facts,
        companion=shot.companion,
        form_factor=shot.form_factor,
        scheme=shot.scheme,
        width_px=shot.size[0],
        height_px=shot.size[1],
        scale=scale,
        **{name: getattr(charge, name) if value is None else value for name, value in place.items()},
    )
