"""The two kinds of turn: one judge proposes, one judge rules on numbered findings.

Answers for: one account from each, also where a reply had to be halved. Declines to decide whose turn it is (`engine`).

Rules, in order:
1. What a reply is read against is what was asked: its shots, its numbers.
2. A batch whose reply stays truncated with the limit raised is halved once: a proposal by its shots, a challenge by its
   numbers, and what is missing is asked for with the first half. A half that fails leaves its part unaccounted or
   unruled; what the other said is kept.
3. Who spoke is the seat that was asked; the model is what its adapter reports (`door`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from bicameral.dialogue.asking import Answer, Ledger, NoAnswer, ask, raised
from bicameral.dialogue.challenge import Challenge, ChallengeReply, Heard, hear, settled
from bicameral.dialogue.content import mark_of, numbered
from bicameral.dialogue.ingest import Terms
from bicameral.dialogue.prompt import compose
from bicameral.dialogue.proposal import ProposalReply, parse_judge_reply
from bicameral.dialogue.question import Question
from bicameral.dialogue.schemas import reply_schema
from bicameral.errors import JudgeFailed
from bicameral.model.evidence import Shot
from bicameral.model.findings import Finding
from bicameral.model.judging import JudgeReply, JudgeRequest, NumberedFinding, RawReply
from bicameral.model.vocabulary import ReplyState, Task
from bicameral.ports import Judge


@dataclass(frozen=True, kw_only=True)
class Speaker:
    """Who spoke. handle: the seat's.  model: as the adapter reports it.  raw: the reply, the first one where it came in
    halves."""

    handle: str
    model: str
    parts: tuple[str, ...]
    meta: Mapping[str, str]
    raw: RawReply


@dataclass(frozen=True, kw_only=True)
class Batch:
    """Findings that are put to a judge, by number. elsewhere: the marks of the dialogue's other findings."""

    put: tuple[NumberedFinding, ...]
    elsewhere: frozenset[str] = frozenset()


@dataclass(frozen=True, kw_only=True)
class Proposed:
    """A proposal and who made it."""

    reply: ProposalReply
    speaker: Speaker


@dataclass(frozen=True, kw_only=True)
class Ruled:
    """Rulings on numbered findings and who gave them."""

    reply: ChallengeReply
    speaker: Speaker


async def propose(question: Question, judge: Judge, ledger: Ledger) -> Proposed:
    """One judge's findings. Raises JudgeFailed, with the last reply and all spend, where there is nothing to use."""
    got = await _ask_to_propose(question, judge, question.shots, ledger)
    answers = [got] if isinstance(got, Answer) else []
    if isinstance(got, NoAnswer) and got.reason == "truncated" and len(question.shots) > 1:
        middle = (len(question.shots) + 1) // 2
        halves = [
            await _ask_to_propose(question, judge, shots, ledger, half=half)
            for half, shots in ((1, question.shots[:middle]), (2, question.shots[middle:]))
        ]
        answers = [half for half in halves if isinstance(half, Answer)]
        got = next((half for half in halves if isinstance(half, NoAnswer)), got)
    if answers:
        reply = _joined([answer.reading for answer in answers], question.shot_ids)
        return Proposed(reply=reply, speaker=_speaker(answers[0]))
    assert isinstance(got, NoAnswer)
    raise JudgeFailed(
        f"{judge.seat} gave nothing that can be used ({got.reason}): {got.detail.rstrip('.')}.",
        reason=got.reason,
        raw=got.raw,
        spend=ledger.spend,
    ) from got.cause


async def _ask_to_propose(
    question: Question, judge: Judge, shots: Sequence[Shot], ledger: Ledger, *, half: int = 0
) -> Answer[ProposalReply] | NoAnswer:
    request = _request("propose", question, judge, shots, (), half=half)

    def read(reply: JudgeReply) -> tuple[ProposalReply, ReplyState]:
        reading = parse_judge_reply(
            reply.text,
            shots=[shot.shot_id for shot in shots],
            categories=question.categories,
            finish=reply.finish,
            parts=reply.parts,
            oracle=reply.handle,
            reads=reply.reads,
        )
        return reading, reading.state

    return await ask(judge, request, read, ledger)


def _joined(replies: Sequence[ProposalReply], shot_ids: Sequence[str]) -> ProposalReply:
    """The halves of a batch as one account of all its shots."""
    missing = _missing(replies, shot_ids)
    complete = not missing and all(reply.state == "complete" for reply in replies)
    return ProposalReply(
        findings=tuple(finding for reply in replies for finding in reply.findings),
        clean_shot_ids=tuple(shot_id for reply in replies for shot_id in reply.clean_shot_ids),
        unaccounted=missing,
        rejected=tuple(row for reply in replies for row in reply.rejected),
        dropped=tuple(row for reply in replies for row in reply.dropped),
        both=tuple(shot_id for reply in replies for shot_id in reply.both),
        findings_lost=any(reply.findings_lost for reply in replies),
        state="complete" if complete else "incomplete",
    )


def _missing(replies: Sequence[ProposalReply], shot_ids: Sequence[str]) -> tuple[str, ...]:
    seen = {shot_id for reply in replies for finding in reply.findings for shot_id in finding.shot_ids}
    seen |= {shot_id for reply in replies for shot_id in reply.clean_shot_ids}
    return tuple(shot_id for shot_id in shot_ids if shot_id not in seen)


async def rule_on(
    findings: tuple[Finding, ...],
    question: Question,
    judge: Judge,
    ledger: Ledger,
    *,
    task: Task,
    elsewhere: Iterable[Finding] = (),
) -> Ruled | NoAnswer:
    """One judge's rulings on another's findings. task: `challenge` (and add) or `rule` (the second round).

    elsewhere: the dialogue's other findings, whose marks void a ruling too.  A reply in which nothing can be used is
    `nothing-usable`.
    """
    filed = Batch(put=numbered(findings), elsewhere=frozenset(map(mark_of, elsewhere)))
    put = filed.put
    got = await _ask_to_rule(put, filed, question, judge, ledger, task=task)
    answers = [got] if isinstance(got, Answer) else []
    if isinstance(got, NoAnswer) and got.reason == "truncated" and len(put) > 1:
        middle = (len(put) + 1) // 2
        first = await _ask_to_rule(put[:middle], filed, question, judge, ledger, task=task, half=1)
        second = await _ask_to_rule(put[middle:], filed, question, judge, ledger, task="rule", half=2)
        answers = [half for half in (first, second) if isinstance(half, Answer)]
        got = next((half for half in (first, second) if isinstance(half, NoAnswer)), got)
    if not answers:
        assert isinstance(got, NoAnswer)
        return got
    speaker = _speaker(answers[0])
    heard = sum((answer.reading for answer in answers), Heard())
    reply = settled(heard, _challenge(put, filed, question, answers[0].reply, task))
    if not reply.usable:
        return NoAnswer(reason="nothing-usable", detail="no row of the reply could be used", raw=speaker.raw)
    return Ruled(reply=reply, speaker=speaker)


async def _ask_to_rule(
    put: Sequence[NumberedFinding],
    filed: Batch,
    question: Question,
    judge: Judge,
    ledger: Ledger,
    *,
    task: Task,
    half: int = 0,
) -> Answer[Heard] | NoAnswer:
    """put: what is asked about.  filed: all of it, which additions may restate."""
    request = _request(task, question, judge, question.shots, put, half=half)

    def read(reply: JudgeReply) -> tuple[Heard, ReplyState]:
        challenge = _challenge(put, filed, question, reply, task)
        heard = hear(reply.text, challenge, reply.finish)
        return heard, settled(heard, challenge).state

    return await ask(judge, request, read, ledger)


def _challenge(
    put: Sequence[NumberedFinding],
    filed: Batch,
    question: Question,
    reply: JudgeReply,
    task: Task,
) -> Challenge:
    return Challenge(
        terms=Terms(shots=question.shot_ids, categories=question.categories, parts=reply.parts, oracle=reply.handle),
        numbers=tuple(item.index for item in put),
        filed=tuple(item.finding for item in filed.put),
        marks=tuple(item.mark for item in filed.put),
        elsewhere=filed.elsewhere,
        may_add=task == "challenge",
    )


def _request(
    task: Task,
    question: Question,
    judge: Judge,
    shots: Sequence[Shot],
    put: Sequence[NumberedFinding],
    *,
    half: int,
) -> JudgeRequest:
    limit = raised(question.output_limit) if half else question.output_limit
    return JudgeRequest(
        task=task,
        project=question.project,
        seat=judge.seat,
        shots=tuple(shots),
        evidence=question.evidence,
        instructions=question.instructions if task == "propose" else question.challenge_instructions or "",
        prompt=compose(task, question, shots, put),
        categories=question.categories,
        findings=tuple(put),
        schema=reply_schema(
            task,
            shots=[shot.shot_id for shot in shots],
            categories=question.categories,
            numbers=[item.index for item in put],
        ),
        timeout_s=question.timeout_s,
        output_limit=limit,
        half=half,
    )


def _speaker(answer: Answer[ProposalReply] | Answer[Heard]) -> Speaker:
    reply = answer.reply
    return Speaker(handle=reply.handle, model=reply.model, parts=reply.parts, meta=reply.meta, raw=answer.raw)
