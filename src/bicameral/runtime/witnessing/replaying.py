"""Holding a recorded dialogue again from its raw replies, and comparing what comes of it with what is recorded.

Answers for: every turn, meta included, and the outcome (findings and consensus) come out identical in canonical form,
or the first place where they do not, by turn. Declines to know the rules of a dialogue: the callable that holds one is
handed in, and nothing else is reached. Declines to verify: who calls it has the link audited.

Rules, in order:
1. The question is read back from the charge. It is put together again and compared too, but for the instructions, which
   the record names by digest: a judge who repeats what he said reads none. Nor does he look at evidence, so a dialogue
   whose pictures were redacted is replayed all the same.
2. A reply whose text was redacted or is missing, or another version of the reply contract: sound, not replayable.
3. Reasons come from the record's own words (`no-challenge`, `no-second-round`), and count only where no reply came.
4. Every reply must be asked for, and be read into the state in which it was recorded.
"""

from __future__ import annotations

from collections.abc import Awaitable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import Any, Final, Literal, Protocol, cast

from bicameral.canonical import DialogRecord, canonical_json, open_dialog, parse_json, read_record, shown
from bicameral.dialogue import outcome_of, read_charge
from bicameral.errors import BicameralError, RecordError
from bicameral.model.judging import DialogueResult, RawReply
from bicameral.model.plain import read_plain
from bicameral.model.vocabulary import CLERK, CONTRACT_VERSION, REASONS, TEAM, Reason
from bicameral.model.witnessing import ChainEntry, KeptLink, KeptReply
from bicameral.runtime.witnessing.charges import charge_of, is_adjudication, view_of
from bicameral.witness import Difference, first_difference, read_chain_entry, record_dialog

State = Literal["replayed", "not-replayable", "different", "nothing"]


class Refold(Protocol):
    """`dialogue.refold`: the result that replies lead to."""

    def __call__(
        self,
        question: Any,
        roster: Any,
        raw: Any,
        *,
        undialogued_reason: Reason | None = None,
        second_round_reason: Reason | None = None,
    ) -> Awaitable[DialogueResult]: ...


@dataclass(frozen=True, kw_only=True)
class Replay:
    """What came of one record. record: its digest.  view: which one was judged, `""` where the record does not tell.

    state: `nothing` for a record that no replies led to (an adjudication, a foreign dialog).
    why: of `not-replayable`, a sentence.  difference: of `different`.
    """

    record: str
    view: str
    state: State
    why: str | None = None
    difference: Difference | None = None


_OUTCOME_AT: Final = "turns[0].content"


class _CannotReplay(Exception):
    """Why a sound record cannot be held again here."""


async def replay_link(link: KeptLink, refold: Refold) -> Replay | None:
    """Hold the dialogue of a link again. None for a link whose record is not at hand.

    Raises nothing of its own: a record or an entry that does not read is for the audit to tell, and is `nothing` here.
    """
    if link.record is None:
        return None
    try:
        entry = read_chain_entry(link.entry)
        record = read_record(link.record)
        opening = charge_of(record)
    except RecordError:
        return Replay(record="", view="", state="nothing")
    if opening is None or is_adjudication(opening) or not isinstance(record, DialogRecord):
        return Replay(record=entry.record_digest, view="", state="nothing")
    told = Replay(record=entry.record_digest, view=view_of(opening), state="replayed")
    try:
        difference = await _compared(record, opening, entry, link, refold)
    except _CannotReplay as reason:
        return replace(told, state="not-replayable", why=str(reason))
    return told if difference is None else replace(told, state="different", difference=difference)


async def _compared(
    record: DialogRecord, opening: dict[str, Any], entry: ChainEntry, link: KeptLink, refold: Refold
) -> Difference | None:
    """None where everything comes out the same. Raises _CannotReplay."""
    if opening.get("contract") != CONTRACT_VERSION:
        raise _CannotReplay(
            f"It was read under the reply contract {shown(str(opening.get('contract')))[:40]}; "
            f"this program reads {CONTRACT_VERSION}."
        )
    raw = _replies(entry, link.replies)
    try:
        charge = read_charge(opening)
    except RecordError as error:
        return Difference(where="turns[0].content", a=None, b=error.message, turn=0)
    reasons = _reasons(record.wire_dialog()["turns"])
    try:
        again = await refold(charge.question, charge.roster, raw, **reasons)
    except BicameralError as failed:  # no proposal in the replies, or something that a record may not hold
        difference: Difference | None = Difference(where="turns[1]", a=None, b=failed.message, turn=1)
    else:
        difference = _difference(record, opening, link, raw, again)
    if difference is not None and any(mark.about is None for mark in entry.replies):
        raise _CannotReplay("Its link was made before every reply was marked, so some may not be at hand.")
    return difference


def _difference(
    record: DialogRecord,
    opening: dict[str, Any],
    link: KeptLink,
    raw: Sequence[RawReply],
    again: DialogueResult,
) -> Difference | None:
    """The first place where what was held again is another: in a turn, in a reply's state, in the outcome."""
    first, *others = again.turns
    charge = replace(first, content={**first.content, "skills": opening["skills"]})
    held = open_dialog(record_dialog([charge, *others]).record)
    difference = first_difference(record.wire_dialog(), held)
    return difference or _reply_difference(raw, again.raw) or _outcome_difference(link.outcome, outcome_of(again))


def _replies(entry: ChainEntry, kept: Sequence[KeptReply]) -> tuple[RawReply, ...]:
    """Every reply as it came. Raises _CannotReplay where one is not at hand or does not read."""
    if len(kept) < len(entry.replies):
        raise _CannotReplay(f"Of {len(entry.replies)} raw replies {len(kept)} are at hand.")
    return tuple(_reply(number, reply) for number, reply in enumerate(kept))


def _reply(number: int, kept: KeptReply) -> RawReply:
    if kept.text is None:
        raise _CannotReplay(f"The text of raw reply {number} ({kept.digest}) was redacted or is missing.")
    try:
        about = parse_json(kept.about, unique_members=True, what="What is known of it")
        if not isinstance(about, dict):
            raise RecordError("What is known of it is no object.")
        text = kept.text.decode("utf-8")
        return read_plain(RawReply, {**about, "text": text, "digest": kept.digest}, "The reply")
    except (RecordError, UnicodeDecodeError) as error:
        raise _CannotReplay(f"Raw reply {number} does not read: {error}") from error


def _reasons(turns: Sequence[Mapping[str, Any]]) -> dict[str, Reason]:
    """Why there was no challenge or no second round, as the clerk noted it."""
    names = {"no-challenge": "undialogued_reason", "no-second-round": "second_round_reason"}
    found: dict[str, Reason] = {}
    for turn in turns:
        if turn.get("speaker") != CLERK or turn.get("chainDepth") == 0:
            continue
        content = _object(str(turn.get("content")))
        name, reason = names.get(str(content.get("act"))), content.get("reason")
        if name is not None and reason in REASONS:
            found[name] = cast("Reason", reason)
    return found


def _reply_difference(raw: Sequence[RawReply], again: Sequence[RawReply]) -> Difference | None:
    for number, (mine, theirs) in enumerate(zip_longest(raw, again)):
        if mine != theirs:
            a = None if mine is None else _shown_reply(mine)
            b = None if theirs is None else _shown_reply(theirs)
            return Difference(where=f"replies[{number}]", a=a, b=b)
    return None


def _shown_reply(raw: RawReply) -> str:
    return canonical_json({"task": raw.task, "handle": raw.handle, "state": raw.state, "digest": raw.digest}).decode()


def _outcome_difference(recorded: bytes | None, again: bytes) -> Difference | None:
    """The first member that differs, as of two dialogs with one turn each. None where no outcome was recorded."""
    if recorded is None or recorded == again:
        return None
    found = first_difference(_one_turn(recorded), _one_turn(again))
    if found is None:  # other spellings of one value
        return Difference(where="outcome", a=recorded.decode("utf-8", "replace"), b=again.decode())
    return Difference(where=found.where.replace(_OUTCOME_AT, "outcome", 1), a=found.a, b=found.b)


def _one_turn(body: bytes) -> dict[str, Any]:
    turn = {"speaker": CLERK, "audience": TEAM, "chainDepth": 0, "content": body.decode("utf-8", "replace")}
    return {"dialogId": "outcome", "turns": [turn]}


def _object(text: str) -> dict[str, Any]:
    try:
        value = parse_json(text)
    except RecordError:
        return {}
    return value if isinstance(value, dict) else {}
