"""One call of one provider, that ends whatever the provider does.

Answers for: an answer that was read, or a short word for why there is none. Declines to ask again.

Rules, in order:
1. A provider's failure has its own word where it is one of ours; any other error of it is `error`; what it hands over
   that cannot be used has the reader's word; past the deadline it is `timed-out`, and is not waited for any longer.
2. A provider that was cancelled by itself is `cancelled`. Cancellation of the caller passes through at once.
3. An interruption by the person at the keyboard passes through.
4. A provider that blocks the event loop cannot be stopped from within it; that is for the provider to mend.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Final, Generic, TypeVar

from bicameral.adjudication.answers import Unusable
from bicameral.canonical.words import storable
from bicameral.errors import InputError, ProviderFailed

T = TypeVar("T")

KINDS: Final = frozenset(
    {"unreachable", "timed-out", "refused", "truncated", "overloaded", "unauthorised", "unreadable"}
)
"""Of ProviderFailed; any other word of it is `error`."""
MAX_DETAIL: Final = 500
LONGEST_WAIT_S: Final = 365 * 86_400.0
"""A year: more than an event loop's clock takes is an OverflowError in it."""


@dataclass(frozen=True, kw_only=True)
class Failed:
    """word: the rung's.  detail: the failure in the provider's words, for people."""

    word: str
    detail: str


@dataclass(frozen=True, kw_only=True)
class Answered(Generic[T]):
    """What was read from an answer."""

    value: T


def checked_timeout(timeout_s: object) -> float | None:
    """Seconds for one call, None for no limit. Raises InputError for what is no number, or below 0."""
    if timeout_s is None:
        return None
    if isinstance(timeout_s, bool) or not isinstance(timeout_s, int | float) or not timeout_s >= 0:
        raise InputError(f"timeout_s is {timeout_s!r}.", mend="Give a number of seconds, or None for no limit.")
    return min(float(timeout_s), LONGEST_WAIT_S)


async def asked(
    call: Callable[[], Awaitable[Any]], read: Callable[[object], T], timeout_s: float | None
) -> Answered[T] | Failed:
    """Call a provider and read what comes. Raises nothing of the provider's; see the module's rules."""
    task = asyncio.create_task(_guarded(call, read))
    try:
        done, _ = await asyncio.wait({task}, timeout=timeout_s)
    finally:
        task.cancel()  # nobody waits for it from here on: one that goes on regardless must not hold up the caller
    if not done:
        return Failed(word="timed-out", detail=f"no answer in {timeout_s:g} s")
    if task.cancelled():
        return Failed(word="cancelled", detail="the provider cancelled itself")
    return task.result()


async def _guarded(call: Callable[[], Awaitable[Any]], read: Callable[[object], T]) -> Answered[T] | Failed:
    try:
        return Answered(value=read(await call()))
    except KeyboardInterrupt:
        raise
    except asyncio.CancelledError:
        task = asyncio.current_task()
        if task is not None and task.cancelling():
            raise
        return Failed(word="cancelled", detail="the provider was cancelled by itself")
    except Unusable as odd:
        return Failed(word=odd.word, detail=odd.detail)
    except ProviderFailed as failed:
        word = failed.kind if failed.kind in KINDS else "error"
        return Failed(word=word, detail=_words(failed))
    except TimeoutError as late:
        return Failed(word="timed-out", detail=_words(late))
    except BaseException as error:  # a provider may be anybody's: whatever it raises, the ladder goes on
        if isinstance(error, BaseExceptionGroup) and error.subgroup(KeyboardInterrupt) is not None:
            raise
        return Failed(word="error", detail=f"{type(error).__name__}: {_words(error)}")


def _words(error: BaseException) -> str:
    try:
        return storable(str(error))[:MAX_DETAIL]
    except KeyboardInterrupt:
        raise
    except BaseException:  # its own __str__ may be broken too, or end the program
        return "it cannot say what is wrong"
