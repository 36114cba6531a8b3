"""The public face of judging: one judge alone, or two who reach one account.

Answers for: filling the seats, opening the evidence, and serving a verdict from the cache where one is given. The rules
of a dialogue are `dialogue`'s; the fan-out to a second judge lives in `judge_with_dialogue` and nowhere below, so that
whoever calls `judge_batch` gets one judge, whatever is set.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path

from bicameral.dialogue import Question, cache_key, hold_dialogue, judge_alone
from bicameral.errors import InputError
from bicameral.evidence.store import EvidenceFolder
from bicameral.judges import known_judges, open_judge
from bicameral.model.evidence import Shot
from bicameral.model.judging import DialogueContext, DialogueResult, JudgeBatchResult, JudgeContext
from bicameral.model.seats import Roster, Seat
from bicameral.model.vocabulary import CATEGORIES
from bicameral.ports import EvidenceReader
from bicameral.runtime.verdicts import served_or_judged


async def judge_batch(
    skill_text: str,
    project: str,
    shots: Sequence[Shot],
    evidence_dir: Path | str | EvidenceReader,
    seat: Seat,
    ctx: JudgeContext | None = None,
) -> JudgeBatchResult:
    """One judge's account of a batch: the members of one view.

    skill_text: its instructions (instruments read none).  evidence_dir: the folder that holds the shots' bytes by
    digest, or anything else that reads them.  Raises InputError for a DialogueContext, RosterError for a seat that
    nobody here can fill, EvidenceError for an empty batch, and JudgeFailed where the judge gives nothing to use.
    """
    if isinstance(ctx, DialogueContext):
        raise InputError(
            "judge_batch is one judge and takes no DialogueContext.", mend="Call judge_with_dialogue for two."
        )
    context = ctx or JudgeContext()
    question = _question(skill_text, project, shots, evidence_dir, context)
    return await judge_alone(question, open_judge(seat), monotonic=time.monotonic, on_event=context.on_event)


async def judge_with_dialogue(
    skill_text: str,
    project: str,
    shots: Sequence[Shot],
    evidence_dir: Path | str | EvidenceReader,
    roster: Roster,
    ctx: DialogueContext | None = None,
) -> DialogueResult:
    """Two judges' account of a batch: the proposer files findings, the challenger rules on them by number.

    A roster without a challenger, or a context without a challenge_skill, is a single-judge call: same findings, no
    consensus, `dialogued` True. A challenger that will not speak is not opened, so it needs no key and no server here;
    a name nobody has is refused all the same, as wherever a roster is read.  With `ctx.cache` a verdict whose every
    cause is unchanged is served whole.
    Raises as judge_batch does; a challenger that fails raises nothing and is told in the result.
    """
    context = ctx or DialogueContext()
    question = _question(skill_text, project, shots, evidence_dir, context)
    proposer = open_judge(roster.proposer)
    challenger = None
    if roster.challenger is not None and context.challenge_skill is not None:
        challenger = open_judge(roster.challenger)
    elif roster.challenger is not None:
        _refuse_unknown(roster.challenger)

    async def live() -> DialogueResult:
        return await hold_dialogue(question, proposer, challenger, monotonic=time.monotonic, on_event=context.on_event)

    if context.cache is None:
        return await live()
    return await served_or_judged(cache_key(question, proposer, challenger), context.cache, live)


def _refuse_unknown(seat: Seat) -> None:
    """Raise RosterError for a seat that nobody here can fill, without calling the adapter that could."""
    if seat.ai not in {adapter.name for adapter in known_judges()}:
        open_judge(seat)  # instruments in one seat open to no effect; whatever else is refused in its own words


def _question(
    skill_text: str,
    project: str,
    shots: Sequence[Shot],
    evidence_dir: Path | str | EvidenceReader,
    context: JudgeContext,
) -> Question:
    evidence = EvidenceFolder(evidence_dir) if isinstance(evidence_dir, (str, Path)) else evidence_dir
    two = context if isinstance(context, DialogueContext) else DialogueContext()
    return Question(
        project=project,
        shots=tuple(shots),
        evidence=evidence,
        instructions=skill_text,
        challenge_instructions=two.challenge_skill,
        categories=CATEGORIES if context.categories is None else context.categories,
        challenge_clean=two.challenge_clean,
        facts_lines=context.facts_lines,
        timeout_s=context.timeout_s,
    )
