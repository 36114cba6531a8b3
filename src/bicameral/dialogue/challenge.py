"""A challenger's reply: rulings by number, and what it adds.

Answers for: `parse_challenge`, which never raises. Declines to ask again (`asking` does).

Rules, in order:
1. Why the judge stopped is looked at first: a truncated or refused reply is not read.
2. The answer is the last whole object of the contract with a usable row (a ruling that counts, or an accepted addition;
   with nothing put to the judge, a list of additions). Two that stand bare in the text with different rulings, or
   several that all say nothing and differ: unreadable. What the answers before it held and it does not is listed.
3. Additions are ingested as a proposal's findings are. What of them restates a filed finding agrees with it, its words
   kept; only the rest is added. A judge who may not add has its additions rejected.
4. Complete: every number is ruled, and something could be used. Otherwise incomplete.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from bicameral.dialogue.content import mark_of
from bicameral.dialogue.extract import (
    CHALLENGE_MEMBERS,
    JsonObject,
    Unreadable,
    contract_objects,
    json_objects,
)
from bicameral.dialogue.ingest import Filed, Terms, read_finding
from bicameral.dialogue.proposal import is_misshapen, no_list, not_read
from bicameral.dialogue.rulings import Put, Stated, read_ruling, settle
from bicameral.dialogue.same import REPLACED, Register, once_each, replaced
from bicameral.dialogue.texts import is_blank, storable
from bicameral.model.findings import Finding, RejectedRow, Ruling
from bicameral.model.vocabulary import CATEGORIES, Finish, ReplyState


@dataclass(frozen=True, kw_only=True)
class ChallengeReply:
    """What a reply says of the findings that were put.

    verdicts: at most one a number, by number.  unruled: numbers that got none.  additions: findings of its own.
    rejected: rows that are absent.  dropped: what else was left out, in the same form.
    usable: something in it counts; a reply in which nothing does was not understood.
    findings_lost: an addition was meant that is not here, for its row could not be used or a later answer replaced it.
    """

    verdicts: tuple[Ruling, ...] = ()
    unruled: tuple[int, ...] = ()
    additions: tuple[Finding, ...] = ()
    rejected: tuple[RejectedRow, ...] = ()
    dropped: tuple[RejectedRow, ...] = ()
    usable: bool = False
    findings_lost: bool = False
    state: ReplyState = "complete"


@dataclass(frozen=True, kw_only=True)
class Challenge:
    """A challenge as it was put. numbers: of the findings asked about.  filed, marks: every finding of the batch and
    its mark, empty where the parser is not told them.  elsewhere: marks of the dialogue's other findings.  may_add: the
    judge may file additions."""

    terms: Terms
    numbers: tuple[int, ...]
    filed: tuple[Finding, ...] = ()
    marks: tuple[str, ...] = ()
    elsewhere: frozenset[str] = frozenset()
    may_add: bool = True

    @property
    def put(self) -> Put:
        return Put(numbers=frozenset(self.numbers), marks=self.marks, all_marks=self.elsewhere | {*self.marks})


@dataclass(frozen=True, kw_only=True)
class Heard:
    """A reply's usable rows before they are settled, so that two halves of one challenge can be settled together."""

    stated: tuple[Stated, ...] = ()
    folded: tuple[tuple[int, str], ...] = ()
    additions: tuple[Finding, ...] = ()
    rejected: tuple[RejectedRow, ...] = ()
    dropped: tuple[RejectedRow, ...] = ()
    misshapen: bool = False
    findings_lost: bool = False
    says_none_missed: bool = False  # a list of additions that is empty, which is an answer where nothing was put
    state: ReplyState | None = None  # set where the reply was not read

    def __add__(self, other: Heard) -> Heard:
        return Heard(
            stated=self.stated + other.stated,
            folded=self.folded + other.folded,
            additions=self.additions + other.additions,
            rejected=self.rejected + other.rejected,
            dropped=self.dropped + other.dropped,
            misshapen=self.misshapen or other.misshapen,
            findings_lost=self.findings_lost or other.findings_lost,
            says_none_missed=self.says_none_missed or other.says_none_missed,
            state=self.state or other.state,
        )


def parse_challenge(
    text: str,
    *,
    count: int,
    shots: Iterable[str],
    categories: Iterable[str] | None = None,
    findings: Sequence[Finding] | None = None,
    finish: Finish = "stop",
    parts: Iterable[str] = (),
    oracle: str = "",
    may_add: bool = True,
) -> ChallengeReply:
    """Read a judge's reply to a challenge in which `count` findings were put, numbered from 0. Never raises.

    shots: ids of the batch, in order.  categories: the vocabulary, None for all of it.  findings: those that were put;
    with them marks are checked and restatements folded.  finish: why the judge stopped.  parts: what an addition's
    `part` may name as its oracle.  oracle: the judge.  may_add: False in the second round.
    """
    terms = Terms(
        shots=tuple(dict.fromkeys(shots)),
        categories=CATEGORIES if categories is None else tuple(categories),
        parts=tuple(parts),
        oracle=oracle,
    )
    filed = () if findings is None else tuple(findings)
    marks = tuple(mark_of(finding) for finding in filed)
    challenge = Challenge(terms=terms, numbers=tuple(range(count)), filed=filed, marks=marks, may_add=may_add)
    return settled(hear(text, challenge, finish), challenge)


def hear(text: str, challenge: Challenge, finish: Finish) -> Heard:
    """The usable rows of a reply."""
    state = not_read(text, finish)
    if state is not None:
        return Heard(state=state)
    try:
        return _answer(json_objects(storable(text), CHALLENGE_MEMBERS), challenge)
    except Unreadable:
        return Heard(state="unreadable")


def settled(heard: Heard, challenge: Challenge) -> ChallengeReply:
    """One ruling a number, and what came of the reply."""
    folded: dict[int, list[str]] = {}
    for number, words in heard.folded:
        folded.setdefault(number, []).extend([words] if words else [])
    rulings, void = settle(heard.stated, folded, oracle=challenge.terms.oracle)
    ruled = {ruling.index for ruling in rulings}
    unruled = tuple(number for number in challenge.numbers if number not in ruled)
    usable = bool(rulings or heard.additions) or (not challenge.numbers and heard.says_none_missed)
    complete = usable and not unruled and not heard.misshapen
    return ChallengeReply(
        verdicts=rulings,
        unruled=unruled,
        additions=heard.additions,
        rejected=(*heard.rejected, *void),
        dropped=heard.dropped,
        usable=usable,
        findings_lost=heard.findings_lost,
        state=heard.state or ("complete" if complete else "incomplete"),
    )


def _answer(objects: Sequence[JsonObject], challenge: Challenge) -> Heard:
    candidates = contract_objects(objects, CHALLENGE_MEMBERS) or tuple(objects)
    if not candidates:
        raise Unreadable("no object")
    put = challenge.put
    read = [(candidate, _read(candidate, challenge, put)) for candidate in candidates]
    judged = [(candidate, heard, settled(heard, challenge)) for candidate, heard in read]
    usable = [place for place, (_, _, reply) in enumerate(judged) if reply.usable]
    bare = {reply.verdicts for candidate, _, reply in judged if reply.verdicts and not candidate.fenced}
    if len(bare) > 1:
        raise Unreadable("two answers with different rulings")
    if usable:
        _, heard, reply = judged[usable[-1]]
        return _said_of(heard, reply, judged[: usable[-1]], challenge)
    if any(candidate.members != candidates[0].members for candidate in candidates):
        raise Unreadable("several answers with nothing in them")
    return judged[-1][1]


def _said_of(
    heard: Heard, reply: ChallengeReply, passed_over: Sequence[tuple[JsonObject, Heard, object]], challenge: Challenge
) -> Heard:
    """The answer, with what those before it held and it does not: rulings on other numbers, and additions."""
    ruled = {ruling.index for ruling in reply.verdicts}
    unruled = [row.row for _, before, _ in passed_over for row in before.stated if row.index not in ruled]
    lost: tuple[RejectedRow, ...] = ()
    if challenge.may_add:
        kept = (*heard.additions, *challenge.filed)
        lost = replaced((answer for answer, _, _ in passed_over), "additions", kept, challenge.terms)
    rejected = [RejectedRow(reason=REPLACED, row=row.text, where=row.where) for row in unruled]
    return replace(heard, rejected=(*heard.rejected, *rejected, *lost), findings_lost=heard.findings_lost or bool(lost))


def _read(answer: JsonObject, challenge: Challenge, put: Put) -> Heard:
    rows = [read_ruling(row, put) for row in answer.rows("verdicts") or ()]
    misshapen = [no_list(answer, name) for name in ("verdicts", "additions") if is_misshapen(answer, name)]
    added = _additions(answer, challenge)
    return Heard(
        stated=tuple(row for row in rows if isinstance(row, Stated)),
        folded=added.folded,
        additions=added.additions,
        rejected=(*(row for row in rows if isinstance(row, RejectedRow)), *added.rejected),
        dropped=(*added.dropped, *misshapen),
        misshapen=bool(misshapen),
        findings_lost=added.findings_lost,
        says_none_missed=answer.rows("additions") == (),
    )


def _additions(answer: JsonObject, challenge: Challenge) -> Heard:
    given = answer.rows("additions") or ()
    if not challenge.may_add:
        reason = "nothing may be added in this round"
        return Heard(rejected=tuple(RejectedRow(reason=reason, row=row.text, where=row.where) for row in given))
    rows = [read_finding(row, challenge.terms) for row in given]
    filed = [row for row in rows if isinstance(row, Filed)]
    register = Register(challenge.filed)
    folded: list[tuple[int, str]] = []
    additions: list[Finding] = []
    rejected = tuple(row for row in rows if isinstance(row, RejectedRow))
    once = once_each(filed)
    for finding in once.findings:
        held = register.restated(finding)
        folded += [(number, words_of(finding)) for number in held.folded]
        additions += [] if held.rest is None else [held.rest]
    return Heard(
        folded=tuple(folded),
        additions=tuple(additions),
        rejected=rejected,
        dropped=(*(row.dropped for row in filed if row.dropped is not None), *once.dropped),
        findings_lost=bool(rejected),
    )


def words_of(finding: Finding) -> str:
    """A restatement's words, as the note of the agreement it becomes. Empty where it has none."""
    texts = (
        ("", finding.title),
        ("", finding.problem),
        ("expected: ", finding.expected),
        ("observed: ", finding.observed),
        *(("acceptance: ", text) for text in finding.acceptance),
    )
    return "\n".join(f"{label}{text}" for label, text in texts if not is_blank(text))
