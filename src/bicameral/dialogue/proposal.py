"""A proposer's reply: findings, clean shots, and an account of every shot.

Answers for: `parse_judge_reply`, which never raises. Declines to ask again (`asking` does).

Rules, in order:
1. Why the judge stopped is looked at first: a truncated or refused reply is not read.
2. The answer is the last whole object of the contract with a usable row (a finding that is accepted, or a shot of the
   batch that is called clean). Several, none of which has one, that differ: unreadable.
   Findings in the answers it replaces, and not in it, are lost: they are listed.
3. A shot in a finding is flagged, also if it is called clean. A shot called clean that the judge did not open, where
   it says what it opened, is not. Every other shot is unaccounted.
4. Complete: every shot is accounted for, findings is a list and no member was of a wrong type. Otherwise incomplete.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import get_args

from bicameral.dialogue.extract import (
    PROPOSAL_MEMBERS,
    JsonObject,
    Row,
    Unreadable,
    contract_objects,
    json_objects,
)
from bicameral.dialogue.ingest import Filed, Terms, read_finding
from bicameral.dialogue.same import once_each, replaced
from bicameral.dialogue.texts import storable, trimmed
from bicameral.model.findings import Finding, RejectedRow
from bicameral.model.vocabulary import CATEGORIES, Finish, ReplyState

NOT_READ: dict[Finish, ReplyState] = {"length": "truncated", "refusal": "refused"}
"""Ends of a reply that is not read at all."""


def not_read(text: object, finish: object) -> ReplyState | None:
    """The state of a reply of which nothing is read: the judge was cut off or refused, or this is no reply or no text.

    None where it is to be read.
    """
    if not isinstance(text, str) or not isinstance(finish, str) or finish not in get_args(Finish):
        return "unreadable"
    if finish in NOT_READ:
        return NOT_READ[finish]
    return None if trimmed(text) else "empty"


@dataclass(frozen=True, kw_only=True)
class ProposalReply:
    """What a reply files. Each shot is in a finding, in clean_shot_ids or in unaccounted, in the batch's order.

    rejected: rows that could not be used.  dropped: what else was left out (an unknown shot called clean, a member that
    is no list), in the same form.  both: shots that were flagged and called clean.  findings_lost: a finding was
    meant that is not here, for its row could not be used or a later answer replaced it.
    """

    findings: tuple[Finding, ...] = ()
    clean_shot_ids: tuple[str, ...] = ()
    unaccounted: tuple[str, ...] = ()
    rejected: tuple[RejectedRow, ...] = ()
    dropped: tuple[RejectedRow, ...] = ()
    both: tuple[str, ...] = ()
    findings_lost: bool = False
    state: ReplyState = "complete"

    @property
    def usable(self) -> bool:
        """At least one row counts."""
        return bool(self.findings or self.clean_shot_ids or self.both)


def parse_judge_reply(
    text: str,
    *,
    shots: Iterable[str],
    categories: Iterable[str] | None = None,
    finish: Finish = "stop",
    parts: Iterable[str] = (),
    oracle: str = "",
    reads: Collection[str] | None = None,
) -> ProposalReply:
    """Read a judge's reply to `propose`. Never raises, whatever the text.

    shots: ids of the batch, in order.  categories: the vocabulary, None for all of it.  finish: why the judge stopped;
    a word that is none of `Finish` is unreadable, as is what is no text.  parts: what a row's `part` may name as its
    oracle.  oracle: who files a row without one.  reads: shots the judge reports to have opened, None where it does
    not report.
    """
    terms = Terms(
        shots=tuple(dict.fromkeys(shots)),
        categories=CATEGORIES if categories is None else tuple(categories),
        parts=tuple(parts),
        oracle=oracle,
    )
    state = not_read(text, finish)
    if state is not None:
        return _nothing(state, terms)
    try:
        objects = json_objects(storable(text), PROPOSAL_MEMBERS)
        return _answer(objects, terms, reads)
    except Unreadable:
        return _nothing("unreadable", terms)


def _nothing(state: ReplyState, terms: Terms) -> ProposalReply:
    return ProposalReply(unaccounted=terms.shots, state=state)


def _answer(objects: Sequence[JsonObject], terms: Terms, reads: Collection[str] | None) -> ProposalReply:
    candidates = contract_objects(objects, PROPOSAL_MEMBERS) or tuple(objects)
    if not candidates:
        raise Unreadable("no object")
    for place in reversed(range(len(candidates))):
        reading = _read(candidates[place], terms, reads)
        if reading.usable:
            return _said_of(reading, candidates[:place], terms)
    if any(candidate.members != candidates[0].members for candidate in candidates):
        raise Unreadable("several answers with nothing in them")
    return _read(candidates[-1], terms, reads)


def _said_of(reading: ProposalReply, passed_over: Sequence[JsonObject], terms: Terms) -> ProposalReply:
    """The reading, with what the answers before it held and it does not."""
    lost = replaced(passed_over, "findings", reading.findings, terms)
    if not lost:
        return reading
    return replace(reading, rejected=(*reading.rejected, *lost), findings_lost=True)


def _read(answer: JsonObject, terms: Terms, reads: Collection[str] | None) -> ProposalReply:
    spelling = "cleanShotIds" if "cleanShotIds" in answer.members else "clean_shot_ids"
    if {"clean_shot_ids", "cleanShotIds"} <= answer.members.keys():
        raise Unreadable("clean_shot_ids twice")
    rows = [read_finding(row, terms) for row in answer.rows("findings") or ()]
    filed = [row for row in rows if isinstance(row, Filed)]
    once = once_each(filed)
    flagged = {shot_id for finding in once.findings for shot_id in finding.shot_ids}
    called_clean, strangers = _clean(answer.rows(spelling) or (), terms)
    clean = {shot_id for shot_id in called_clean - flagged if reads is None or shot_id in reads}
    accounted = flagged | clean
    unaccounted = tuple(shot_id for shot_id in terms.shots if shot_id not in accounted)
    rejected = tuple(row for row in rows if isinstance(row, RejectedRow))
    misshapen = tuple(no_list(answer, name) for name in ("findings", spelling) if is_misshapen(answer, name))
    return ProposalReply(
        findings=once.findings,
        clean_shot_ids=tuple(shot_id for shot_id in terms.shots if shot_id in clean),
        unaccounted=unaccounted,
        rejected=rejected,
        dropped=(*(row.dropped for row in filed if row.dropped is not None), *once.dropped, *strangers, *misshapen),
        both=tuple(shot_id for shot_id in terms.shots if shot_id in called_clean and shot_id in flagged),
        findings_lost=bool(rejected),
        state="incomplete" if unaccounted or misshapen or answer.rows("findings") is None else "complete",
    )


def _clean(rows: Iterable[Row], terms: Terms) -> tuple[set[str], tuple[RejectedRow, ...]]:
    called: set[str] = set()
    strangers: list[RejectedRow] = []
    for row in rows:
        if isinstance(row.value, str) and row.value in terms.known:
            called.add(row.value)
        else:
            strangers.append(RejectedRow(reason="no shot of this batch", row=row.text, where=row.where))
    return called, tuple(strangers)


def is_misshapen(answer: JsonObject, name: str) -> bool:
    """Whether a member that should be a list is there and is something else. null stands for absent."""
    value = answer.members.get(name)
    return value is not None and not isinstance(value, list)


def no_list(answer: JsonObject, name: str) -> RejectedRow:
    """A member that is no list, as something that was left out."""
    return RejectedRow(reason=f"{name} is not a list", row=answer.text_of(name), where=name)
