"""Which judges there are, and how a seat is filled.

Answers for finding the adapter of a seat by its name: the instruments that ship with Bicameral, what a program
registered, and what installed packages offer under the entry-point group `bicameral.judges`, in this order. Declines
to judge, and to say which two may sit together (`Roster` does).

Rules: a combined seat (`axe+layout`) is made of instruments alone, written in any order and spoken of in one; a name
nobody has is an error that suggests the nearest known one; an adapter is imported when it is first wanted.
"""

from __future__ import annotations

import difflib
import importlib
from collections.abc import Callable, Mapping
from importlib.metadata import EntryPoint, entry_points
from types import MappingProxyType
from typing import Final, cast

from bicameral.errors import BicameralError, RosterError
from bicameral.judges.instruments.instrument import Instrument
from bicameral.judges.instruments.judge import InstrumentJudge
from bicameral.model.seats import Seat, check_seat, fault_of_name
from bicameral.ports import Health, Judge, JudgeFactory

ENTRY_POINTS: Final = "bicameral.judges"

INSTRUMENTS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "axe": "bicameral.judges.instruments.axe:AxeInstrument",
        "layout": "bicameral.judges.instruments.layout:LayoutInstrument",
        "pixels": "bicameral.judges.instruments.pixels:PixelsInstrument",
    }
)
_WHAT: Final[Mapping[str, str]] = MappingProxyType(
    {
        "axe": "an instrument on the page's facts: axe-core's violations",
        "layout": "an instrument on the page's facts: geometry, broken parts, craft",
        "pixels": "an instrument on the picture: what was really rendered",
    }
)


class Registry:
    """Adapters by name. One is shared by the process (`register_judge`, `open_judge`); tests make their own."""

    def __init__(self, *, installed: Callable[[], Mapping[str, EntryPoint]] | None = None) -> None:
        self._registered: dict[str, JudgeFactory] = {}
        self._installed = installed or _installed

    def register(self, name: str, factory: JudgeFactory) -> None:
        """Raises RosterError for a name that no judge may have.

        That is one of an instrument or of Bicameral's own (`clerk`, `team`, `none`), an empty one, one with `+`, `:`,
        `/` or white space, and one that is not what it looks like.
        """
        fault = "it holds '+', ':' or '/'" if any(mark in name for mark in "+:/") else fault_of_name(name)
        if fault is not None:
            raise RosterError(
                f"{name!r} cannot name a judge: {fault}.", mend="Use a word without '+', ':', '/' or white space."
            )
        if name in INSTRUMENTS:
            raise RosterError(f"{name} is an instrument of Bicameral.", mend="Register the judge by another name.")
        self._registered[name] = factory

    def names(self) -> tuple[str, ...]:
        """Every name a seat may have by itself, sorted."""
        return tuple(sorted({*INSTRUMENTS, *self._registered, *self._installed()}))

    def open(self, seat: Seat) -> Judge:
        """The judge that fills a seat; its `.seat` is the effective one (an instrument's has its version).

        Raises RosterError for a name nobody has or may have, for no model where there is no default, for a combined
        seat with a part that is no instrument, and for an installed adapter that cannot be loaded.
        """
        check_seat(seat)
        parts = seat.ai.split("+")
        if all(part in INSTRUMENTS for part in parts):
            return InstrumentJudge(seat, [_instrument(part) for part in parts])
        if len(parts) > 1:
            other = next(part for part in parts if part not in INSTRUMENTS)
            if other in self.names():
                raise RosterError(
                    f"{seat.ai} cannot be one seat: {other} is no instrument.",
                    mend=f"Only instruments are combined: {', '.join(INSTRUMENTS)}.",
                )
            raise self._unknown(other)
        return self._factory(seat.ai)(seat)

    def health(self) -> tuple[Health, ...]:
        """Every adapter and whether it can be used here, sorted by name."""
        return tuple(self._health(name) for name in self.names())

    def _factory(self, name: str) -> JudgeFactory:
        if name in self._registered:
            return self._registered[name]
        entry = self._installed().get(name)
        if entry is None:
            raise self._unknown(name)
        try:
            return cast(JudgeFactory, entry.load())
        except Exception as exc:  # whatever another package raises while it is imported
            raise RosterError(
                f"The judge {name} is installed ({entry.value}) and cannot be loaded: {exc}.",
                mend="Reinstall the package that offers it, or name another judge.",
            ) from exc

    def _unknown(self, name: str) -> RosterError:
        known = self.names()
        near = difflib.get_close_matches(name.lower(), known, n=1)
        suggestion = f"Did you mean {near[0]}? " if near else ""
        return RosterError(f"No judge is called {name!r}.", mend=f"{suggestion}Known: {', '.join(known)}.")

    def _health(self, name: str) -> Health:
        if name in INSTRUMENTS:
            return Health(name=name, ok=True, what=_WHAT[name], needs="nothing")
        if name in self._registered:
            return Health(name=name, ok=True, what="registered by this program", needs="what its program says")
        needs = "what its package says"
        try:
            self._factory(name)
        except BicameralError as exc:
            return Health(name=name, ok=False, what="an installed adapter", needs=needs, why_not=str(exc))
        return Health(name=name, ok=True, what="an installed adapter", needs=needs)


def _installed() -> Mapping[str, EntryPoint]:
    return {entry.name: entry for entry in entry_points(group=ENTRY_POINTS) if entry.name not in INSTRUMENTS}


def _instrument(name: str) -> Instrument:
    module, _, made_by = INSTRUMENTS[name].partition(":")
    return cast(Instrument, getattr(importlib.import_module(module), made_by)())


_shared: Final = Registry()


def register_judge(name: str, factory: JudgeFactory) -> None:
    """Add an adapter for this process: seats whose `ai` is `name` are filled by `factory(seat)`.

    Registering a name again replaces it. Raises RosterError for a name that is taken by an instrument or unusable.
    """
    _shared.register(name, factory)


def open_judge(seat: Seat) -> Judge:
    """The judge that fills a seat; `.seat` of it is the effective seat. Raises RosterError, see `Registry.open`."""
    return _shared.open(seat)


def known_judges() -> tuple[Health, ...]:
    """Every adapter that exists here and whether it can be used, for `bicameral doctor`."""
    return _shared.health()
