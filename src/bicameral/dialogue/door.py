"""What an adapter handed over, before anything of it is believed.

Answers for: a reply that can be read, recorded and kept, or the fault in it. An adapter may be anybody's program, and
whatever it returns or raises, the dialogue ends in order. Declines to read the text (the parsers do).

Rules, in order:
1. Who spoke is the seat that was asked, never a name in a reply: the handle of record is the seat's, another one that
   the adapter reports is kept in `meta`, and only the seat's own parts may be named as oracles.
2. Text, model, finish, parts, reads and meta are of their declared types and vocabularies, and a record can hold them;
   else the reply cannot be read. Only the text may hold lone surrogates and NUL: they are kept as escapes.
3. What a reply cost is bookkeeping, for which no reply is lost: a number that cannot be one is left out.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Final, TypeGuard, get_args

from bicameral.dialogue.extract import MAX_REPLY
from bicameral.dialogue.texts import storable
from bicameral.model.judging import JudgeReply, Spend
from bicameral.model.seats import Seat
from bicameral.model.vocabulary import REASONS, Finish, Reason

LONGEST: Final = 1000
"""Characters of a model's name, a part, a shot's id or a text of meta."""

MOST: Final = 2**53 - 1
"""The largest count that every store and record can hold."""

MOST_USD: Final = 1e9
"""No reply costs more. A price beyond it, infinite or negative, is none."""

REPORTED: Final = "handle"
"""The member of meta under which a handle is kept that is not the seat's."""


class Odd(Exception):
    """What is wrong with a reply. Raised and caught within `dialogue`."""


def admitted(reply: object, seat: Seat) -> JudgeReply:
    """The reply as it may be read and recorded. Raises Odd, and nothing else, where it cannot be."""
    try:
        return _admitted(reply, seat)
    except Exception as error:  # what is not of its declared type may do anything when it is looked at
        raise error if isinstance(error, Odd) else Odd(f"{type(error).__name__}: {words_of_error(error)}") from error


def _admitted(reply: object, seat: Seat) -> JudgeReply:
    if not isinstance(reply, JudgeReply):
        raise Odd(f"the adapter returned {type(reply).__name__} and no JudgeReply")
    if not isinstance(reply.text, str):
        raise Odd(f"text is {type(reply.text).__name__} and no text")
    if reply.handle == "" or not _is_plain(reply.handle):
        raise Odd("handle is empty or no plain text")
    if not _is_plain(reply.model):
        raise Odd("model is no plain text")
    finish: object = reply.finish
    if not isinstance(finish, str) or finish not in get_args(Finish):
        raise Odd(f"finish is {_shown(reply.finish)} and none of {', '.join(get_args(Finish))}")
    meta = _meta(reply.meta)
    if reply.handle != seat.handle:
        meta = {**meta, REPORTED: reply.handle}
    parts = _names(reply.parts, "parts")
    return replace(
        reply,
        text=storable(reply.text)[: MAX_REPLY + 1],  # beyond it nothing is read
        handle=seat.handle,
        spend=counted(reply.spend),
        parts=tuple(part for part in parts if part in seat.parts),
        reads=None if reply.reads is None else _names(reply.reads, "reads"),
        meta=meta,
    )


def spend_of(reply: object) -> Spend:
    """What a reply cost, whatever it is: it may have been paid for before anything was wrong with it."""
    return counted(reply.spend if isinstance(reply, JudgeReply) else None)


def counted(spend: object) -> Spend:
    """A call's cost, as far as it can be one: one call where nothing is stated."""
    if not isinstance(spend, Spend):
        return Spend(calls=1)
    usd: object = spend.usd
    priced = isinstance(usd, int | float) and not isinstance(usd, bool) and 0 <= usd <= MOST_USD
    return Spend(
        calls=spend.calls if _is_count(spend.calls) else 1,
        input_tokens=spend.input_tokens if _is_count(spend.input_tokens) else 0,
        output_tokens=spend.output_tokens if _is_count(spend.output_tokens) else 0,
        usd=spend.usd if priced else None,
    )


def reason_of(given: object) -> Reason:
    """The reason that an adapter states, where it is one of the closed words. Any other is `unreachable`."""
    return next((reason for reason in REASONS if isinstance(given, str) and reason == given), "unreachable")


def words_of_error(error: BaseException) -> str:
    """An error's own words, for the log. An error may fail to say what it is."""
    try:
        return storable(str(error))
    except Exception:
        return "it cannot say what it is"


def _is_count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= MOST


def _is_plain(value: object) -> TypeGuard[str]:
    """Whether the value is a text of bearable length that any store and record can hold."""
    return isinstance(value, str) and len(value) <= LONGEST and storable(value) == value


def _names(given: object, what: str) -> tuple[str, ...]:
    if not isinstance(given, Collection) or isinstance(given, str | bytes | Mapping):
        raise Odd(f"{what} is {type(given).__name__} and no list of names")
    names = tuple(given)
    if not all(_is_plain(name) for name in names):
        raise Odd(f"{what} holds something that is no plain text")
    return names


def _meta(given: object) -> dict[str, str]:
    if not isinstance(given, Mapping):
        raise Odd(f"meta is {type(given).__name__} and no mapping")
    meta = dict(given)
    if not all(_is_plain(name) and _is_plain(text) for name, text in meta.items()):
        raise Odd("meta holds something that is no plain text")
    return meta


def _shown(value: object) -> str:
    return repr(value[:40]) if isinstance(value, str) else type(value).__name__
