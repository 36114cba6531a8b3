"""Who judges, where nobody was named, and what each is told.

Rules, in order:
1. The default roster is `axe+layout` proposing and `pixels` challenging. Who names one seat keeps the default of the
   other; if the two would share a part, that is an error that asks for both. Nobody is seated who was not meant.
2. Pictures without facts are judged by `pixels` alone where no seat was named.
3. `none` for the challenger is one judge. A seat that nobody here can fill is refused before anything is captured.
4. An instrument's rule set is its skill; every other judge gets the shipped one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from bicameral.errors import RosterError
from bicameral.judges import open_judge
from bicameral.judges.registry import INSTRUMENTS
from bicameral.model.evidence import Shot
from bicameral.model.seats import Roster, Seat, parse_seat
from bicameral.model.vocabulary import LANES
from bicameral.settings import Settings
from bicameral.skills import load_skill

DEFAULT_PROPOSER: Final = "axe+layout"
DEFAULT_CHALLENGER: Final = "pixels"
NOBODY: Final = "none"

_FILES_IN: Final[Mapping[str, frozenset[str]]] = MappingProxyType(
    {
        "axe": frozenset({"legibility", "accessibility"}),
        "layout": frozenset({"rendering", "geometry", "legibility", "accessibility", "craft"}),
        "pixels": frozenset({"rendering", "legibility"}),
    }
)
"""Lanes in which an instrument can file at all, given facts."""
_FILES_IN_BARE: Final[Mapping[str, frozenset[str]]] = MappingProxyType({"pixels": frozenset({"rendering"})})
"""The same on a picture without facts."""


@dataclass(frozen=True, kw_only=True)
class Rosters:
    """captured: for shots with facts.  bare: for pictures without. Their seats are effective, with versions."""

    captured: Roster
    bare: Roster

    def for_view(self, shots: Iterable[Shot]) -> Roster:
        return self.captured if any(shot.facts is not None for shot in shots) else self.bare


def rosters_for(settings: Settings) -> Rosters:
    """The rosters of a run. Raises RosterError for seats that cannot be filled or may not sit together."""
    if settings.proposer == NOBODY:
        raise RosterError("Nobody would propose.", mend="`none` is for the challenger; name a proposer.")
    captured = _filled(_proposer(settings), _challenger(settings))
    if settings.proposer is None and settings.challenger is None:
        return Rosters(captured=captured, bare=_filled(parse_seat(DEFAULT_CHALLENGER), None))
    return Rosters(captured=captured, bare=captured)


def instructions_for(seat: Seat, *, skill: str) -> str:
    """What a judge is told: its own rule set's name for an instrument, the shipped skill for everyone else."""
    if seat.parts <= set(INSTRUMENTS):
        identity = open_judge(seat).identity
        return "".join(f"{name}: {value}\n" for name, value in sorted(identity.items()))
    return load_skill(skill).text


def lanes_not_judged(roster: Roster, shots: Iterable[Shot]) -> tuple[str, ...]:
    """Lanes in which no seat could file anything on these shots, in the vocabulary's order.

    Nothing is known of what a judge that is no instrument can see: with one in a seat, none is named.
    """
    seats = [seat for seat in (roster.proposer, roster.challenger) if seat is not None]
    parts = frozenset[str]().union(*(seat.parts for seat in seats))
    if not parts <= set(INSTRUMENTS):
        return ()
    table = _FILES_IN if any(shot.facts is not None for shot in shots) else _FILES_IN_BARE
    seen = frozenset[str]().union(*(table.get(part, frozenset()) for part in parts))
    return tuple(lane for lane in LANES if lane not in seen)


def _proposer(settings: Settings) -> Seat:
    return parse_seat(DEFAULT_PROPOSER if settings.proposer is None else settings.proposer)


def _challenger(settings: Settings) -> Seat | None:
    if settings.challenger == NOBODY:
        return None
    return parse_seat(DEFAULT_CHALLENGER if settings.challenger is None else settings.challenger)


def _filled(proposer: Seat, challenger: Seat | None) -> Roster:
    """Both seats with a judge in them. The pair is looked at as named and again as filled, for defaults may meet."""
    try:
        Roster(proposer, challenger)
    except RosterError as exc:
        mend = "Name both seats, for example --proposer pixels --challenger axe+layout, or `none` for one judge."
        raise RosterError(exc.message, mend=mend) from exc
    return Roster(open_judge(proposer).seat, None if challenger is None else open_judge(challenger).seat)
