"""What a dialogue came to, derived again from the turns of its record.

Answers for: the outcome that stands beside a record is the one that its turns lead to: the findings that were filed and
added, each with the consensus that the rulings make, what was left open, and why. Declines to read the raw replies
again: that the turns follow from these is `replay`'s.

Rules, in order (bicameral.chain.v1, section 2):
1. The acts are, in order: a charge, findings, and at most one of rulings or no-challenge; after rulings with additions
   one of rulings or no-second-round, after others nothing.
2. The findings are those of the findings turn, then the additions of the rulings turn, as they were filed.
3. Every ruling names a finding of the list that it rules on, by its place from 0, and names it once. The second round
   rules on the additions and adds nothing.
4. A finding has a consensus if there was a challenge: who filed it, and the speaker's word on it; a dispute or an
   amendment with its notes joined by a line break.
5. Clean and unaccounted are the proposer's, without the shots that a finding is on. Unruled is what got no word; where
   the challenge failed, every finding.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

from msgspec import Struct
from msgspec.json import Encoder

from bicameral.canonical.reading import parse_json
from bicameral.canonical.shown import shown
from bicameral.errors import RecordError
from bicameral.witness._audit_acts import (
    Act,
    Charge,
    Consensus,
    Dissent,
    Finding,
    Findings,
    NoChallenge,
    NoSecondRound,
    Ruling,
    Rulings,
    Unknown,
    Whole,
)
from bicameral.witness._audit_texts import read_canonical

_write = Encoder(order="deterministic").encode


class Outcome(Struct, kw_only=True, gc=False):
    """A `bicameral.outcome.v1` document, its members in the order of the canonical text."""

    clean_shot_ids: list[str]
    dialogued: bool
    findings: list[Finding]
    second_round_reason: str | None
    type: Literal["bicameral.outcome.v1"] = "bicameral.outcome.v1"
    unaccounted: list[str]
    undialogued_reason: str | None
    unruled: list[Whole]


class NotDerivable(Exception):
    """The turns are not those of a dialogue that this version knows."""


class Said(NamedTuple):
    """An act and who spoke it."""

    speaker: str
    act: Act


def outcome_problems(data: bytes, said: Sequence[Said]) -> Iterator[str]:
    """What is wrong with an outcome's bytes beside these acts, in sentences; nothing where it is what they lead to.

    Raises NotDerivable where nobody here can say. The acts' findings are given their consensus.
    """
    outcome = derive(said)
    if _write(outcome) == data:
        return
    try:
        value = read_canonical(data, "The outcome")
    except RecordError as exc:
        yield exc.message
        return
    derived = parse_json(_write(outcome))
    if value == derived:  # a name beyond the Basic Multilingual Plane, which the two writers place differently
        return
    if not isinstance(value, dict):
        yield "The outcome is no object."
        return
    for name in sorted(derived.keys() | value.keys()):
        if name not in value or name not in derived or value[name] != derived[name]:
            yield from _difference(name, value.get(name), derived.get(name))


def _difference(name: str, has: object, derived: object) -> Iterator[str]:
    if name == "findings" and isinstance(has, list) and isinstance(derived, list) and len(has) == len(derived):
        numbers = [str(number) for number, (one, other) in enumerate(zip(has, derived, strict=True)) if one != other]
        yield f"Finding {', '.join(numbers[:10])} is not what the record's turns say."
    else:
        yield f"Its {shown(name)} is not what the record's turns lead to."


def derive(said: Sequence[Said]) -> Outcome:
    """The outcome of these acts, the charge first. Raises NotDerivable."""
    proposed, rest = _proposed(said)
    findings, additions, unruled = proposed.findings, list[Finding](), list[int]()
    dialogued, no_challenge, no_second = True, None, None
    if rest and isinstance(rest[0].act, NoChallenge):
        dialogued, no_challenge = False, rest[0].act.reason
        unruled = list(range(len(findings)))
        _nothing_after(rest)
        _without_consensus(findings)
    elif rest:
        first = _rulings(rest[0])
        additions = first.additions
        second, no_second = _second(rest[1:], additions)
        rounds = 1 if second is None else 2
        _rule(findings, first.rulings, rest[0].speaker, said[1].speaker, rounds)
        _rule(additions, [] if second is None else second.rulings, rest[-1].speaker, rest[0].speaker, rounds)
        unruled = [number for number, finding in enumerate([*findings, *additions]) if not _is_ruled(finding)]
    else:
        _without_consensus(findings)
    every = [*findings, *additions]
    flagged = {shot_id for finding in every for shot_id in (finding.shot_id, *finding.also_shot_ids)}
    return Outcome(
        clean_shot_ids=[shot_id for shot_id in proposed.clean_shot_ids if shot_id not in flagged],
        dialogued=dialogued,
        findings=every,
        second_round_reason=no_second,
        unaccounted=[shot_id for shot_id in proposed.unaccounted if shot_id not in flagged],
        undialogued_reason=no_challenge,
        unruled=unruled,
    )


def _proposed(said: Sequence[Said]) -> tuple[Findings, Sequence[Said]]:
    """The findings turn and what came after it."""
    unknown = next((one.act.act for one in said if isinstance(one.act, Unknown)), None)
    if unknown is not None:
        raise NotDerivable(f"the act {shown(unknown)[:60]!r} is not one that is known here in this form")
    if len(said) < 2 or not isinstance(said[0].act, Charge):
        raise NotDerivable("it has no charge and findings")
    act = said[1].act
    if not isinstance(act, Findings):
        raise NotDerivable("its second turn is no findings")
    return act, said[2:]


def _rulings(said: Said) -> Rulings:
    if not isinstance(said.act, Rulings):
        raise NotDerivable("its third turn is neither rulings nor no-challenge")
    return said.act


def _second(rest: Sequence[Said], additions: Sequence[Finding]) -> tuple[Rulings | None, str | None]:
    """The second round's rulings, or the reason why there are none."""
    if not additions:
        if rest:
            raise NotDerivable("it goes on although nothing was added")
        return None, None
    if len(rest) != 1:
        raise NotDerivable("a dialogue with additions ends with the fourth turn")
    act = rest[0].act
    if isinstance(act, NoSecondRound):
        return None, act.reason
    if not isinstance(act, Rulings) or act.additions:
        raise NotDerivable("its fourth turn is neither rulings on the additions nor no-second-round")
    return act, None


def _nothing_after(rest: Sequence[Said]) -> None:
    if len(rest) > 1:
        raise NotDerivable("it goes on after no-challenge")


def _without_consensus(findings: Sequence[Finding]) -> None:
    for finding in findings:
        finding.consensus = None


def _rule(findings: Sequence[Finding], rulings: Sequence[Ruling], by: str, reported_by: str, rounds: int) -> None:
    """Give each finding its consensus. Rule 3 is `ruling_problems`'s: what names no finding is passed over here."""
    for finding in findings:
        finding.consensus = Consensus([], [], [], reported_by, rounds, [])
    for ruling in rulings:
        if not 0 <= ruling.index < len(findings):
            continue
        consensus = findings[ruling.index].consensus
        assert isinstance(consensus, Consensus)
        note = "\n".join(ruling.notes)
        if ruling.verdict == "agree":
            consensus.agreed_by.append(by)
        elif ruling.verdict == "cannot-tell":
            consensus.undecided_by.append(by)
        elif ruling.verdict in ("dispute", "amend") and not _is_blank(note):
            (consensus.disputed_by if ruling.verdict == "dispute" else consensus.amended_by).append(Dissent(note, by))


def _is_ruled(finding: Finding) -> bool:
    consensus = finding.consensus
    return isinstance(consensus, Consensus) and bool(
        consensus.agreed_by or consensus.disputed_by or consensus.amended_by or consensus.undecided_by
    )


def _is_blank(text: str) -> bool:
    """Whether a note shows nothing: white space, control and format characters alone."""
    return all(unicodedata.category(character)[0] in "ZC" for character in text)


def ruling_problems(said: Sequence[Said]) -> Iterator[tuple[int, str]]:
    """Rule 3, for each turn of rulings: its place in the dialog and what is wrong, in a sentence."""
    put: list[Finding] = []
    for depth, one in enumerate(said):
        if isinstance(one.act, Findings):
            put = one.act.findings
        elif isinstance(one.act, Rulings):
            ruled: set[int] = set()
            for number, ruling in enumerate(one.act.rulings):
                if not 0 <= ruling.index < len(put):
                    yield depth, f"rulings[{number}] is on finding {ruling.index}, but {len(put)} were put."
                elif ruling.index in ruled:
                    yield depth, f"rulings[{number}] is a second word on finding {ruling.index}."
                ruled.add(ruling.index)
            put = one.act.additions
