"""The findings of a run as a person reads them: by issue, worst first, each with its accounts.

Answers for: which findings are one issue, in what order issues come, where an issue shows, and who said what of a
finding, as one value for every surface. It declines to decide anything: statuses, severities and what counts as open
are the run's. Words for people are `wording`'s.

Rules, in order:
1. Findings with one issue key are one row; its severity is the highest among them.
2. Rows come by severity, then target, place, state, category, attribute, so that two runs read alike.
3. A row is disputed only if all its findings are (DESIGN 13, Counting); `disputed in part` where some are.
4. An account is a ruling of the other judge: its word, its notes, and the adjudicator's advice where it was weighed.
   No account is one of three things, never mixed up: nobody was asked, no dialogue took place, not ruled on.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final, Literal, get_args

from bicameral.model.adjudication import AdjudicationResult
from bicameral.model.evidence import Shot
from bicameral.model.findings import Consensus, Dissent, Finding
from bicameral.model.identity import place_of
from bicameral.model.run import BatchOutcome, ReportedFinding, RunReport
from bicameral.model.vocabulary import OPEN_STATUSES, SEVERITIES, SUPPRESSED_STATUSES, Severity, Status, Word

Standing = Literal["agreed", "amended", "disputed", "undecided", "unruled", "undialogued", "alone"]
"""What came of a finding between the judges. `alone`: the roster has one seat."""

STANDINGS: Final[tuple[Standing, ...]] = get_args(Standing)


@dataclass(frozen=True, kw_only=True)
class Account:
    """What the other judge said of one finding. notes: each whole, in the order given; empty where none was needed."""

    oracle: str
    word: Word
    notes: tuple[str, ...] = ()
    advice: AdjudicationResult | None = None


@dataclass(frozen=True, kw_only=True)
class FindingRow:
    """One finding with all that is shown of it.

    reporter: the part that filed it (`axe`).  seat: the seat it sits in (`axe+layout`).
    other: who was to rule on it, or None where nobody was.  added: the challenger filed it.
    accounts: what the other said; empty where it said nothing.  shots: where it shows, in the view's order.
    strange_shot_ids: shots it names that are no shot of this run.
    """

    reported: ReportedFinding
    batch: BatchOutcome
    reporter: str
    seat: str
    other: str | None
    added: bool
    standing: Standing
    accounts: tuple[Account, ...]
    shots: tuple[Shot, ...]
    view_shots: tuple[Shot, ...]
    strange_shot_ids: tuple[str, ...] = ()

    @property
    def finding(self) -> Finding:
        return self.reported.finding


@dataclass(frozen=True, kw_only=True)
class IssueRow:
    """One issue as this run saw it. findings: at least one, worst first, then in the run's order."""

    issue: str
    target: str
    place: str
    state: str
    findings: tuple[FindingRow, ...]

    @property
    def lead(self) -> FindingRow:
        """The finding that speaks for the issue: the first of the highest severity."""
        return self.findings[0]

    @property
    def severity(self) -> Severity:
        return self.lead.finding.severity

    @property
    def status(self) -> Status:
        return self.lead.reported.status

    @property
    def standing(self) -> Standing:
        """The lead's, but a dispute of any of them shows."""
        if any(row.standing == "disputed" for row in self.findings):
            return "disputed"
        return self.lead.standing

    @property
    def disputed_in_part(self) -> bool:
        return self.standing == "disputed" and any(row.standing != "disputed" for row in self.findings)

    @property
    def shots(self) -> tuple[Shot, ...]:
        return _distinct(shot for row in self.findings for shot in row.shots)

    @property
    def view_shots(self) -> tuple[Shot, ...]:
        return _distinct(shot for row in self.findings for shot in row.view_shots)

    @property
    def strange_shot_ids(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(name for row in self.findings for name in row.strange_shot_ids))

    @property
    def is_open(self) -> bool:
        return self.status in OPEN_STATUSES

    @property
    def is_suppressed(self) -> bool:
        return self.status in SUPPRESSED_STATUSES

    @property
    def is_new(self) -> bool:
        return any(row.reported.is_new for row in self.findings)

    @property
    def reopened(self) -> bool:
        return any(row.reported.reopened for row in self.findings)


def issue_rows(report: RunReport) -> tuple[IssueRow, ...]:
    """Every issue of the run, open and ruled alike, worst first."""
    by_id = {shot.shot_id: shot for shot in report.shots}
    grouped: dict[str, list[FindingRow]] = {}
    for reported in report.findings:
        grouped.setdefault(reported.issue, []).append(_finding_row(reported, report, by_id))
    return tuple(sorted((_issue_row(issue, rows) for issue, rows in grouped.items()), key=_order))


def numbers_in_batch(report: RunReport) -> tuple[int, ...]:
    """For each finding of the run, its number among the findings of its batch: what `unruled` counts by."""
    seen: dict[int, int] = {}
    numbers = []
    for reported in report.findings:
        number = seen.get(reported.batch, 0)
        numbers.append(number)
        seen[reported.batch] = number + 1
    return tuple(numbers)


def _issue_row(issue: str, rows: list[FindingRow]) -> IssueRow:
    ordered = tuple(sorted(rows, key=lambda row: SEVERITIES.index(row.finding.severity)))
    lead = ordered[0]
    view = lead.batch.view
    return IssueRow(
        issue=issue,
        target=view.target,
        place=place_of(lead.finding, lead.shots[0]) if lead.shots else view.route,
        state=view.state,
        findings=ordered,
    )


def _order(row: IssueRow) -> tuple[int, str, str, str, str, str]:
    finding = row.lead.finding
    return (SEVERITIES.index(row.severity), row.target, row.place, row.state, finding.category, finding.attribute)


def _finding_row(reported: ReportedFinding, report: RunReport, by_id: Mapping[str, Shot]) -> FindingRow:
    batch, finding = report.batches[reported.batch], reported.finding
    proposer = batch.roster.proposer.handle
    # The effective roster of a view may have lost the challenger that the run asked for.
    challenger = batch.roster.challenger or (None if batch.dialogued else report.roster.challenger)
    seat = finding.consensus.reported_by if finding.consensus else proposer
    added = challenger is not None and seat == challenger.handle
    other = None if challenger is None else proposer if added else challenger.handle
    return FindingRow(
        reported=reported,
        batch=batch,
        reporter=finding.oracle or seat,
        seat=seat,
        other=other,
        added=added,
        standing=_standing(finding.consensus, batch, other),
        accounts=tuple(_accounts(finding)),
        shots=tuple(shot for shot in report.shots if shot.shot_id in finding.shot_ids),
        view_shots=tuple(shot for shot in report.shots if shot.view == batch.view),
        strange_shot_ids=tuple(name for name in finding.shot_ids if name not in by_id),
    )


def _standing(consensus: Consensus | None, batch: BatchOutcome, other: str | None) -> Standing:
    if consensus is not None and consensus.ruled:
        if consensus.disputed_by:
            return "disputed"
        if consensus.amended_by:
            return "amended"
        return "agreed" if consensus.agreed_by else "undecided"
    if other is None:
        return "alone"
    return "unruled" if batch.dialogued or consensus is not None else "undialogued"


def _accounts(finding: Finding) -> Iterator[Account]:
    """Disputes first, then amendments: what differs is what a person has to read."""
    if finding.consensus is None:
        return
    for dissent in finding.consensus.disputed_by:
        yield _dissenting("dispute", dissent)
    for dissent in finding.consensus.amended_by:
        yield _dissenting("amend", dissent)
    for oracle in finding.consensus.agreed_by:
        yield Account(oracle=oracle, word="agree", notes=_notes(finding, oracle, "agree"))
    for oracle in finding.consensus.undecided_by:
        yield Account(oracle=oracle, word="cannot-tell", notes=_notes(finding, oracle, "cannot-tell"))


def _dissenting(word: Word, dissent: Dissent) -> Account:
    return Account(oracle=dissent.oracle, word=word, notes=(dissent.note,), advice=dissent.adjudication)


def _notes(finding: Finding, oracle: str, word: Word) -> tuple[str, ...]:
    return tuple(
        note
        for ruling in finding.rulings
        if ruling.oracle == oracle and ruling.verdict == word
        for note in ruling.notes
        if note.strip()
    )


def _distinct(shots: Iterable[Shot]) -> tuple[Shot, ...]:
    return tuple({shot.shot_id: shot for shot in shots}.values())
