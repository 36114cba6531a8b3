"""A judge that answers from a script.

Answers for: a real `Judge` without an AI behind it, for tests of anything that takes judges. Declines to check what it
is asked; it keeps every request, for the test to look at.

A line of the script is a text to answer with, an exception to raise, a whole JudgeReply, or a `Line` that also waits or
stops for another reason. A script that has run out fails the test that asked once more than it meant to.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from bicameral.model.judging import JudgeReply, JudgeRequest, Spend
from bicameral.model.seats import Seat
from bicameral.model.vocabulary import Finish


@dataclass(frozen=True, kw_only=True)
class Line:
    """One answer. delay_s: seconds to wait first.  parts, reads, meta: as an adapter would report them."""

    text: str = ""
    delay_s: float = 0.0
    finish: Finish = "stop"
    parts: tuple[str, ...] = ()
    reads: tuple[str, ...] | None = None
    meta: Mapping[str, str] = field(default_factory=dict)
    spend: Spend = field(default_factory=lambda: Spend(calls=1))


class ScriptRanOut(BaseException):
    """A judge was asked more often than its script goes. No Exception: nothing takes it for a judge that failed."""


class ScriptedJudge:
    """Answers its n-th request with the n-th line.

    seat: where it sits.  costs_nothing: whether it is also asked about clean batches.  identity: what decides its
    answers.  requests: every request it saw, in order.
    """

    def __init__(
        self,
        seat: Seat,
        script: Iterable[str | BaseException | JudgeReply | Line],
        *,
        costs_nothing: bool = False,
        identity: Mapping[str, str] | None = None,
    ) -> None:
        self._seat = seat
        self._script = list(script)
        self._costs_nothing = costs_nothing
        self._identity = dict(identity or {"adapter": "scripted/1"})
        self.requests: list[JudgeRequest] = []

    @property
    def seat(self) -> Seat:
        return self._seat

    @property
    def costs_nothing(self) -> bool:
        return self._costs_nothing

    @property
    def identity(self) -> Mapping[str, str]:
        return self._identity

    @property
    def unused(self) -> int:
        """Lines that nobody asked for."""
        return max(0, len(self._script) - len(self.requests))

    async def ask(self, request: JudgeRequest) -> JudgeReply:
        """The next line. Raises what the line is, if it is an exception, and ScriptRanOut past the last line."""
        self.requests.append(request)
        if len(self.requests) > len(self._script):
            raise ScriptRanOut(f"{self._seat} was asked {len(self.requests)} times; its script is shorter.")
        line = self._script[len(self.requests) - 1]
        if isinstance(line, BaseException):
            raise line
        if isinstance(line, JudgeReply):
            return line
        if isinstance(line, str):
            line = Line(text=line)
        if line.delay_s:
            await asyncio.sleep(line.delay_s)
        return JudgeReply(
            text=line.text,
            handle=self._seat.handle,
            model=self._seat.model,
            finish=line.finish,
            spend=line.spend,
            parts=line.parts,
            reads=line.reads,
            meta=line.meta,
        )
