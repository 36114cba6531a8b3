"""What somebody watching a run is told, as it happens."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from bicameral.model.evidence import View
from bicameral.model.judging import JudgeEvent


@dataclass(frozen=True, kw_only=True)
class ShotTaken:
    """done of total shots are in; where: the last one's id, or why it was passed over."""

    done: int
    total: int
    where: str


@dataclass(frozen=True, kw_only=True)
class ViewJudging:
    """A judge of one view was asked or has answered. total: views of the run."""

    view: View
    event: JudgeEvent
    total: int


@dataclass(frozen=True, kw_only=True)
class ViewDone:
    """One view's account is closed and committed. outcome: a few words for a person."""

    view: View
    done: int
    total: int
    outcome: str


RunEvent = ShotTaken | ViewJudging | ViewDone
Watch = Callable[[RunEvent], None]


def unwatched(event: RunEvent) -> None:
    """For runs that nobody watches."""
