"""What can be used on this machine, and why the rest cannot."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from bicameral.errors import BicameralError
from bicameral.evidence.browser import find_browser
from bicameral.judges import known_judges
from bicameral.ports import Health
from bicameral.runtime.rosters import DEFAULT_CHALLENGER, DEFAULT_PROPOSER, rosters_for
from bicameral.runtime.workspace import Workspace
from bicameral.settings import Settings

_WHERE_NONE = {"proposer": DEFAULT_PROPOSER, "challenger": DEFAULT_CHALLENGER, "database": "a file in state_dir"}
_SHOWN = ("project", "targets", "form_factors", "schemes", "proposer", "challenger", "state_dir", "database")


@dataclass(frozen=True, kw_only=True)
class Diagnosis:
    """checks: judges, then browser, store and roster.  ok: the main job can be done as set.

    settings: name, value and where it came from.
    """

    checks: tuple[Health, ...]
    ok: bool
    settings: tuple[tuple[str, str, str], ...]

    def document(self) -> dict[str, Any]:
        """The same as plain JSON values."""
        return {
            "ok": self.ok,
            "checks": [
                {"name": one.name, "ok": one.ok, "what": one.what, "needs": one.needs, "why_not": one.why_not}
                for one in self.checks
            ],
            "settings": [{"name": name, "value": value, "source": source} for name, value, source in self.settings],
        }


def diagnose(settings: Settings) -> Diagnosis:
    """Try everything the main job needs. Raises nothing for what is merely missing: that is the answer."""
    needed = [_browser(), _store(settings), _roster(settings)]
    return Diagnosis(
        checks=(*known_judges(), *needed),
        ok=all(one.ok for one in needed),
        settings=tuple(_values(settings)),
    )


def _browser() -> Health:
    needs = "Debian's chromium-headless-shell, or any Chromium"
    try:
        program = find_browser()
    except BicameralError as exc:
        return Health(name="browser", ok=False, what="a Chromium", needs=needs, why_not=str(exc))
    if program is not None:
        return Health(name="browser", ok=True, what=program, needs=needs)
    why_not = "No Chromium was found. Install chromium-headless-shell, or set BICAMERAL_CHROMIUM to a program."
    return Health(name="browser", ok=False, what="a Chromium", needs=needs, why_not=why_not)


def _store(settings: Settings) -> Health:
    needs = "a folder that can be written"
    if settings.database is None and not settings.state_dir.exists():
        return Health(name="store", ok=True, what=f"{settings.state_dir}, made by the first check", needs=needs)
    try:
        with Workspace.open(settings) as space:
            return Health(name="store", ok=True, what=space.store.place, needs=needs)
    except BicameralError as exc:
        return Health(name="store", ok=False, what=str(settings.state_dir), needs=needs, why_not=str(exc))


def _roster(settings: Settings) -> Health:
    try:
        roster = rosters_for(settings).captured
    except BicameralError as exc:
        return Health(name="roster", ok=False, what="who judges", needs="two different judges", why_not=str(exc))
    other = "nobody" if roster.challenger is None else str(roster.challenger)
    return Health(name="roster", ok=True, what=f"{roster.proposer} proposes, {other} challenges", needs="nothing more")


def _values(settings: Settings) -> Iterator[tuple[str, str, str]]:
    for name in _SHOWN:
        value = getattr(settings, name)
        if value is None:
            text = _WHERE_NONE[name]
        elif name == "targets":
            text = ", ".join(target.name for target in value) or "none"
        elif name == "database":
            text = "set"  # an address of a database may hold a password
        else:
            text = ", ".join(value) if isinstance(value, tuple) else str(value)
        yield name, text, settings.sources.get(name, "default")
