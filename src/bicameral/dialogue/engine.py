"""Whose turn it is, and what comes of it.

Answers for: one judge alone, and two who reach one account. Takes judges as ports and the time as a callable; keeps,
caches and witnesses nothing.

Rules, in order (DESIGN 2):
1. The proposer files findings. If it gives nothing that can be used, JudgeFailed is raised.
2. Without a challenger, or without instructions for one, that is all.
3. The challenger rules on the findings by number and may add its own. An empty list is put to it only if what was
   missed is to be asked for. If it fails, the proposal stands alone, and no finding carries a consensus.
4. If it added something, the proposer rules on that, once. If it fails, the additions are the challenger's account
   alone.
5. Nothing that was filed is taken away or changed; rulings and consensus are put beside it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from bicameral.dialogue import transcript
from bicameral.dialogue.asking import Ledger, Listener, NoAnswer
from bicameral.dialogue.consensus import consensus_for
from bicameral.dialogue.phases import Proposed, Ruled, propose, rule_on
from bicameral.dialogue.question import Question, asks_about_clean, effective_roster
from bicameral.model.findings import Finding, RejectedRow, Ruling
from bicameral.model.judging import DialogueResult, JudgeBatchResult, Utterance
from bicameral.model.seats import Roster, check_seat
from bicameral.model.vocabulary import Reason
from bicameral.ports import Judge

Monotonic = Callable[[], float]
"""Seconds on a clock that only goes forward. Handed in: no rule here depends on it."""


@dataclass(frozen=True, kw_only=True)
class _Challenged:
    """How the challenge went. put: somebody was asked.  round_one, round_two: None where none was held; then failure
    and second_failure say why, if it should have been."""

    put: bool = False
    round_one: Ruled | None = None
    failure: Reason | None = None
    round_two: Ruled | None = None
    second_failure: Reason | None = None

    @property
    def rounds(self) -> int:
        return 1 if self.round_two is None else 2

    @property
    def additions(self) -> tuple[Finding, ...]:
        return () if self.round_one is None else self.round_one.reply.additions


async def judge_alone(
    question: Question, judge: Judge, *, monotonic: Monotonic, on_event: Listener | None = None
) -> JudgeBatchResult:
    """One judge's account of a batch.

    Raises JudgeFailed where it gives nothing that can be used, and RosterError where its seat can be no judge's.
    """
    started = monotonic()
    check_seat(judge.seat)
    ledger = Ledger(listener=on_event)
    proposed = await propose(question, judge, ledger)
    return JudgeBatchResult(
        findings=proposed.reply.findings,
        clean_shot_ids=proposed.reply.clean_shot_ids,
        unaccounted=proposed.reply.unaccounted,
        rejected=_left_out(proposed),
        raw=tuple(ledger.raw),
        spend=ledger.spend,
        duration_s=monotonic() - started,
    )


async def hold_dialogue(
    question: Question,
    proposer: Judge,
    challenger: Judge | None = None,
    *,
    monotonic: Monotonic,
    on_event: Listener | None = None,
) -> DialogueResult:
    """Two judges' account of a batch, or one judge's where the roster has no challenger.

    Raises JudgeFailed where the proposer gives nothing that can be used, and RosterError where one AI has both seats.
    """
    started = monotonic()
    roster = effective_roster(question, proposer, challenger)
    clean = asks_about_clean(question, challenger)
    ledger = Ledger(listener=on_event)
    turns = [transcript.charge(question, roster, challenge_clean=clean)]
    proposed = await propose(question, proposer, ledger)
    outcome = _Challenged()
    if challenger is not None and roster.challenger is not None and (proposed.reply.findings or clean):
        turns.append(transcript.findings_turn(proposed, roster.challenger.handle))
        outcome = await _challenged(question, proposed, proposer, challenger, ledger)
        turns += _said(proposed, outcome)
    else:
        turns.append(transcript.findings_turn(proposed, None))
    result = _account(proposed, outcome, roster, turns)
    return replace(result, raw=tuple(ledger.raw), spend=ledger.spend, duration_s=monotonic() - started)


async def _challenged(
    question: Question, proposed: Proposed, proposer: Judge, challenger: Judge, ledger: Ledger
) -> _Challenged:
    first = await rule_on(proposed.reply.findings, question, challenger, ledger, task="challenge")
    if isinstance(first, NoAnswer):
        return _Challenged(put=True, failure=first.reason)
    if not first.reply.additions:
        return _Challenged(put=True, round_one=first)
    filed = proposed.reply.findings
    second = await rule_on(first.reply.additions, question, proposer, ledger, task="rule", elsewhere=filed)
    if isinstance(second, NoAnswer):
        return _Challenged(put=True, round_one=first, second_failure=second.reason)
    return _Challenged(put=True, round_one=first, round_two=second)


def _said(proposed: Proposed, outcome: _Challenged) -> list[Utterance]:
    """The turns after the findings."""
    if outcome.round_one is None:
        return [] if outcome.failure is None else [transcript.no_challenge(outcome.failure)]
    turns = [transcript.rulings_turn(outcome.round_one, proposed.speaker.handle)]
    if outcome.round_two is not None:
        turns.append(transcript.rulings_turn(outcome.round_two, outcome.round_one.speaker.handle))
    elif outcome.second_failure is not None:
        turns.append(transcript.no_second_round(outcome.second_failure))
    return turns


def _account(proposed: Proposed, outcome: _Challenged, roster: Roster, turns: Sequence[Utterance]) -> DialogueResult:
    """One account of both: every finding filed, with what was said of it."""
    filed = proposed.reply.findings
    findings = filed
    unruled: tuple[int, ...] = tuple(range(len(filed))) if outcome.put else ()
    if outcome.round_one is not None:
        first = outcome.round_one
        second = () if outcome.round_two is None else outcome.round_two.reply.verdicts
        findings = (
            *_with_rulings(filed, first.reply.verdicts, proposed.speaker.handle, outcome.rounds),
            *_with_rulings(outcome.additions, second, first.speaker.handle, outcome.rounds),
        )
        unruled = tuple(
            i for i, finding in enumerate(findings) if finding.consensus is not None and not finding.consensus.ruled
        )
    flagged = {shot_id for finding in findings for shot_id in finding.shot_ids}
    dialogued = outcome.failure is None
    return DialogueResult(
        findings=findings,
        clean_shot_ids=tuple(shot_id for shot_id in proposed.reply.clean_shot_ids if shot_id not in flagged),
        unaccounted=tuple(shot_id for shot_id in proposed.reply.unaccounted if shot_id not in flagged),
        rejected=(*_left_out(proposed), *_left_out(outcome.round_one), *_left_out(outcome.round_two)),
        dialogued=dialogued,
        undialogued_reason=outcome.failure,
        second_round_reason=outcome.second_failure,
        unruled=unruled,
        cacheable=dialogued and not unruled and _complete(proposed, outcome),
        roster=roster,
        turns=tuple(turns),
    )


def _with_rulings(
    findings: Sequence[Finding], verdicts: Sequence[Ruling], reported_by: str, rounds: int
) -> tuple[Finding, ...]:
    """The findings with the rulings on each. They are otherwise as they were filed."""
    on: dict[int, tuple[Ruling, ...]] = {}
    for ruling in verdicts:
        on[ruling.index] = (*on.get(ruling.index, ()), ruling)
    return tuple(
        replace(
            finding,
            rulings=on.get(number, ()),
            consensus=consensus_for(reported_by, on.get(number, ()), rounds=rounds),
        )
        for number, finding in enumerate(findings)
    )


def _complete(proposed: Proposed, outcome: _Challenged) -> bool:
    """Every reply that the account rests on was complete, no finding that one meant is missing, and no reply is."""
    said: tuple[Proposed | Ruled | None, ...] = (proposed, outcome.round_one, outcome.round_two)
    return outcome.second_failure is None and all(
        each is None or (each.reply.state == "complete" and not each.reply.findings_lost) for each in said
    )


def _left_out(said: Proposed | Ruled | None) -> tuple[RejectedRow, ...]:
    return () if said is None else (*said.reply.rejected, *said.reply.dropped)
