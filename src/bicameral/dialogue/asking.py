"""Asking one judge until there is something to read, or there is not.

Answers for: bounded asking, a closed word for every failure, and a ledger of all that was asked and said. Declines to
read a reply (a function that is handed in does) and to wait between asks (providers know when).

Rules, in order:
1. An adapter's failure has its own word, if it is one of ours; any other error of it is `unreachable`; past the
   deadline it is `timed-out`; what it hands over that is no reply (`door`) is `unreadable`, and is not asked for again.
2. An unreadable reply is asked for once more. A truncated one once more, with the limit raised. A refusal or an empty
   reply is final.
3. Cancellation of the caller passes through. An adapter that was cancelled by itself is `cancelled`.
4. Who is watching cannot break what is watched.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Final, Generic, TypeVar

from bicameral.canonical import sha256_digest
from bicameral.dialogue.door import Odd, admitted, counted, reason_of, spend_of, words_of_error
from bicameral.errors import JudgeFailed
from bicameral.model.judging import EventKind, JudgeEvent, JudgeReply, JudgeRequest, RawReply, Spend
from bicameral.model.vocabulary import Reason, ReplyState
from bicameral.ports import Judge

T = TypeVar("T")

RAISED_OUTPUT_LIMIT: Final = 64_000
"""Output tokens asked for after a truncated reply, where the question names no limit of its own. Adapters clamp it."""

UNUSABLE: Final[dict[ReplyState, Reason]] = {
    "truncated": "truncated",
    "refused": "refused",
    "empty": "empty",
    "unreadable": "unreadable",
}
"""States of a reply from which nothing is taken, and the reason's word."""

Listener = Callable[[JudgeEvent], None]
Reader = Callable[[JudgeReply], tuple[T, ReplyState]]
"""Reads a reply into a value and its state. Never raises."""


@dataclass(frozen=True, kw_only=True)
class Answer(Generic[T]):
    """What was read, and from what."""

    reading: T
    reply: JudgeReply
    raw: RawReply


@dataclass(frozen=True, kw_only=True)
class NoAnswer:
    """Why there is nothing to read. raw: the last reply, where one came.  cause: the error, where one was raised."""

    reason: Reason
    detail: str
    raw: RawReply | None = None
    cause: BaseException | None = None


@dataclass
class Ledger:
    """All that was asked in one dialogue: replies in order, spend, and who is told of it."""

    listener: Listener | None = None
    raw: list[RawReply] = field(default_factory=list)
    spend: Spend = field(default_factory=Spend)

    def tell(self, kind: EventKind, judge: Judge, request: JudgeRequest, detail: str = "") -> None:
        if self.listener is not None:
            event = JudgeEvent(
                kind=kind, task=request.task, handle=judge.seat.handle, shots=len(request.shots), detail=detail
            )
            with suppress(Exception):
                self.listener(event)


async def ask(judge: Judge, request: JudgeRequest, read: Reader[T], ledger: Ledger) -> Answer[T] | NoAnswer:
    """Put one request, again where the rules say so. At most three asks."""
    # Of a half, the limit has been raised already.
    tried: set[ReplyState] = {"truncated"} if request.half else set()
    while True:
        got, state = await _once(judge, request, read, ledger)
        if isinstance(got, NoAnswer) or state not in UNUSABLE:
            return got
        if state not in {"unreadable", "truncated"} or state in tried:
            return NoAnswer(reason=UNUSABLE[state], detail=f"the reply was {state}", raw=got.raw)
        tried.add(state)
        ledger.tell("asking-again", judge, request, f"the reply was {state}")
        limit = raised(request.output_limit) if state == "truncated" else request.output_limit
        request = replace(request, attempt=request.attempt + 1, output_limit=limit)


def raised(limit: int | None) -> int:
    """The output limit after a truncated reply."""
    return RAISED_OUTPUT_LIMIT if limit is None else max(2 * limit, RAISED_OUTPUT_LIMIT)


async def _once(
    judge: Judge, request: JudgeRequest, read: Reader[T], ledger: Ledger
) -> tuple[Answer[T] | NoAnswer, ReplyState]:
    ledger.tell("asked", judge, request)
    try:
        async with asyncio.timeout(request.timeout_s):
            handed = await judge.ask(request)
        ledger.spend += spend_of(handed)
        reply = admitted(handed, judge.seat)
    except asyncio.CancelledError as stopped:
        if _is_being_cancelled():
            raise
        ledger.spend += Spend(calls=1)
        got = NoAnswer(reason="cancelled", detail="the adapter was cancelled by itself", cause=stopped)
    except JudgeFailed as failed:
        reason = reason_of(failed.reason)
        ledger.spend += Spend(calls=0 if reason == "budget" else 1) if failed.spend is None else counted(failed.spend)
        got = NoAnswer(reason=reason, detail=words_of_error(failed), raw=_raw_of(failed), cause=failed)
    except Odd as odd:
        got = NoAnswer(reason="unreadable", detail=str(odd), cause=odd)
    except TimeoutError as late:
        ledger.spend += Spend(calls=1)
        got = NoAnswer(reason="timed-out", detail=f"no reply in time ({request.timeout_s} s)", cause=late)
    except Exception as error:  # an adapter may be anybody's: whatever it raises, the dialogue ends in order
        ledger.spend += Spend(calls=1)
        detail = f"{type(error).__name__}: {words_of_error(error)}"
        got = NoAnswer(reason="unreachable", detail=detail, cause=error)
    except BaseExceptionGroup as group:
        if group.split((Exception, asyncio.CancelledError))[1] is not None:
            raise
        if _is_being_cancelled():
            raise asyncio.CancelledError from group
        ledger.spend += Spend(calls=1)
        got = NoAnswer(reason="cancelled", detail=words_of_error(group), cause=group)
    else:
        reading, state = read(reply)
        raw = _raw(reply, request, state)
        ledger.raw.append(raw)
        ledger.tell("answered", judge, request, state)
        return Answer(reading=reading, reply=reply, raw=raw), state
    ledger.tell("failed", judge, request, got.detail)
    return got, "empty"


def _is_being_cancelled() -> bool:
    """Whether somebody wants this task to end, rather than an adapter having cancelled something of its own."""
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0


def _raw_of(failed: JudgeFailed) -> RawReply | None:
    return failed.raw if isinstance(failed.raw, RawReply) else None


def _raw(reply: JudgeReply, request: JudgeRequest, state: ReplyState) -> RawReply:
    return RawReply(
        handle=reply.handle,
        model=reply.model,
        task=request.task,
        text=reply.text,
        digest=sha256_digest(reply.text.encode("utf-8")),
        finish=reply.finish,
        state=state,
        parts=reply.parts,
        reads=reply.reads,
        meta=reply.meta,
        half=request.half,
    )
