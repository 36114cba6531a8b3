"""The dissents of a dialogue as pairs to weigh, and what was made of them: advice beside each, and a dialog of its own.

Answers for: which pairs a dialogue leaves, in which words, and how the verdicts are told and recorded. Declines to
weigh: `ladder` does. Nothing here moves a status, a severity or a confidence.

Rules, in order:
1. Each dispute and each amendment of each finding is one pair, in the order of the findings.
2. The target is what the finding states: what was observed, or the problem where nothing is said to have been observed.
   The claim is the dissent's note. White space is folded; the words are the judges' own.
   An instrument says what it found in its first sentence, and where and how it measured in the next: of what it wrote
   the first sentence alone is weighed. Coordinates and colours tell a classifier nothing.
3. The verdicts are recorded as a child dialog: its charge names the parent's wire digest, so its id does too. Scores
   are decimal texts. The rungs are in it: the verdicts follow from them with no model.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

from bicameral.adjudication.recorded import result_document
from bicameral.adjudication.sentences import sentences
from bicameral.model.adjudication import AdjudicationResult
from bicameral.model.findings import Dissent, Finding
from bicameral.model.judging import Utterance
from bicameral.model.vocabulary import CLERK, CONTRACT_VERSION, TEAM

ADJUDICATOR: Final = "adjudicator"
"""The handle that the verdicts are spoken under; which providers it asked is in the charge and in the rungs."""


@dataclass(frozen=True, kw_only=True)
class WeighedPair:
    """One dissent as it is put to the adjudicator. finding: the finding's number in the account."""

    finding: int
    oracle: str
    word: Literal["dispute", "amend"]
    claim: str
    target: str


def dissents_of(findings: Sequence[Finding], *, instruments: Collection[str] = ()) -> tuple[WeighedPair, ...]:
    """Every dispute and amendment, in the order of the findings, disputes first.

    instruments: the oracles, or parts of a combined one (`axe+layout`), that measure.
    """
    measured = frozenset(instruments)
    return tuple(pair for index, finding in enumerate(findings) for pair in _pairs(index, finding, measured))


def _pairs(index: int, finding: Finding, instruments: frozenset[str]) -> Iterator[WeighedPair]:
    consensus = finding.consensus
    if consensus is None:
        return
    words: tuple[tuple[Literal["dispute", "amend"], tuple[Dissent, ...]], ...] = (
        ("dispute", consensus.disputed_by),
        ("amend", consensus.amended_by),
    )
    for word, dissents in words:
        for dissent in dissents:
            yield WeighedPair(
                finding=index,
                oracle=dissent.oracle,
                word=word,
                claim=_statement(dissent.note, dissent.oracle, instruments),
                target=_statement(finding.observed, finding.oracle, instruments) or _folded(finding.problem),
            )


def with_advice(findings: Sequence[Finding], verdicts: Sequence[AdjudicationResult]) -> tuple[Finding, ...]:
    """The findings with each verdict beside its dissent. verdicts: one for each of `dissents_of(findings)`."""
    left = iter(verdicts)
    return tuple(_advised(finding, left) for finding in findings)


def _advised(finding: Finding, left: Iterator[AdjudicationResult]) -> Finding:
    consensus = finding.consensus
    if consensus is None or not (consensus.disputed_by or consensus.amended_by):
        return finding
    disputed = tuple(replace(dissent, adjudication=next(left)) for dissent in consensus.disputed_by)
    amended = tuple(replace(dissent, adjudication=next(left)) for dissent in consensus.amended_by)
    return replace(finding, consensus=replace(consensus, disputed_by=disputed, amended_by=amended))


def said_of(
    pairs: Sequence[WeighedPair],
    verdicts: Sequence[AdjudicationResult],
    *,
    parent: str,
    parent_dialog: str,
    project: str,
    providers: Mapping[str, str],
) -> tuple[Utterance, Utterance]:
    """The child dialog: the clerk's charge and the adjudicator's verdicts.

    parent: the parent's wire digest.  providers: each provider's name and what identifies its model, a digest or an id.
    """
    charge = {
        "act": "charge",
        "kind": "adjudication",
        "contract": CONTRACT_VERSION,
        "project": project,
        "parent": parent,
        "parent_dialog": parent_dialog,
        "providers": dict(providers),
        "pairs": [vars(pair) for pair in pairs],
    }
    told = {
        "act": "adjudications",
        "verdicts": [{"pair": number, **result_document(result)} for number, result in enumerate(verdicts)],
    }
    return (
        Utterance(act="charge", speaker=CLERK, audience=ADJUDICATOR, content=charge),
        Utterance(act="adjudications", speaker=ADJUDICATOR, audience=TEAM, content=told),
    )


def _statement(text: str, oracle: str, instruments: frozenset[str]) -> str:
    folded = _folded(text)
    if not set(oracle.split("+")) <= instruments:
        return folded
    for start, sentence in sentences(folded):
        first = folded[: start + len(sentence)]
        if first.count("“") == first.count("”"):  # a stop inside what a page says ends no sentence of ours
            return first
    return folded


def _folded(text: str) -> str:
    return " ".join(text.split())
