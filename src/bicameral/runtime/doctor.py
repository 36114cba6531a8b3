"""What can be used on this machine, and why the rest cannot."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from bicameral.errors import BicameralError
from bicameral.evidence.browser import find_browser
from bicameral.judges import known_judges
from bicameral.ports import Health
from bicameral.runtime.adjudicating import PACKAGED, open_adjudicators
from bicameral.runtime.rosters import DEFAULT_CHALLENGER, DEFAULT_PROPOSER, rosters_for
from bicameral.runtime.workspace import Workspace
from bicameral.settings import Settings

_WHERE_NONE = {
    "proposer": DEFAULT_PROPOSER,
    "challenger": DEFAULT_CHALLENGER,
    "adjudicator_llm": "none",
    "database": "a file in state_dir",
}
_SHOWN = (
    *("project", "targets", "form_factors", "schemes", "proposer", "challenger", "adjudicator", "adjudicator_llm"),
    *("state_dir", "database"),
)


@dataclass(frozen=True, kw_only=True)
class Diagnosis:
    """checks: judges, then adjudicator, browser, store and roster.  ok: the main job can be done as set.

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
        checks=(*known_judges(), _adjudicator(settings), *needed),
        ok=all(one.ok for one in needed),
        settings=tuple(_values(settings)),
    )


def _adjudicator(settings: Settings) -> Health:
    """Who weighs disputes, and what the packaged one is worth. The main job does without, so it is no part of `ok`."""
    try:
        what = asyncio.run(_weighs(settings))
    except BicameralError as exc:
        return Health(name="adjudicator", ok=False, what="weighs disputes", needs="a model", why_not=str(exc))
    needs = "nothing more"
    if settings.adjudicator == PACKAGED:
        needs = "nothing; `bicameral nli pull --help` names a better one"
    return Health(name="adjudicator", ok=True, what=what, needs=needs)


async def _weighs(settings: Settings) -> str:
    async with open_adjudicators(
        nli=settings.adjudicator,
        llm=settings.adjudicator_llm,
        llm_tier=settings.adjudicator_tier,
        tiers=settings.tiers,
    ) as opened:
        for attribute in ("load", "health"):
            check = getattr(opened.nli, attribute, None)
            if callable(check):
                found = check()
                if asyncio.iscoroutine(found):
                    await found
        who = [str(one.name) for one in (opened.nli, opened.llm) if one is not None]
    if not who:
        return "nobody weighs disputes: they are called unverified"
    weak = "; it is small and cautious, and a low score from it is no sign of agreement"
    return f"{' and '.join(who)} weigh{'s' if len(who) == 1 else ''} disputes{weak if opened.packaged else ''}"


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
