"""A run's account: the report's value from what the batches came to. Pure.

Rules, in order:
1. An issue is open where its status is open or confirmed. Disputed ones count unless they are ignored. Whether an issue
   is disputed, and how severe it is, is the backlog's account of all its sightings (`Issue.disputed`, `Issue.severity`;
   DESIGN 13, Counting), those of earlier runs included, and not this run's findings alone.
2. Exit status 2 where a view was not judged, an input was skipped or a shot is unaccounted for; with `strict` also
   where a dialogue that the roster called for was not had. Otherwise 1 where an issue is open, else 0.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from bicameral.backlog import Happening
from bicameral.model.backlog import Issue
from bicameral.model.evidence import Shot, View
from bicameral.model.findings import Finding
from bicameral.model.identity import issue_key, sighting_key
from bicameral.model.judging import DialogueResult, RawReply, Spend
from bicameral.model.run import BatchOutcome, ReportedFinding, RunReport, RunSummary, SkippedInput
from bicameral.model.seats import Roster
from bicameral.model.vocabulary import OPEN_STATUSES, SEVERITIES, SUPPRESSED_STATUSES, Reason


@dataclass(frozen=True, kw_only=True)
class Closed:
    """One view whose account is closed and kept. result: None where the proposer gave nothing to use.

    raw: where it gave nothing to use, the reply that came, if one did.
    issues: by key, those it filed or no longer files, as they stand in the backlog at the end of the run; where several
    views name one, the last one's is taken.  happened: of every issue it filed.
    """

    view: View
    shots: tuple[Shot, ...]
    roster: Roster
    lanes_not_judged: tuple[str, ...] = ()
    result: DialogueResult | None = None
    failure: Reason | None = None
    failure_note: str | None = None
    raw: RawReply | None = None
    spend: Spend = field(default_factory=Spend)
    dialog_id: str | None = None
    wire_digest: str | None = None
    issues: Mapping[str, Issue]
    happened: Mapping[str, Happening]


@dataclass(frozen=True, kw_only=True)
class Scope:
    """What the run was asked to count."""

    ignore_disputed: bool = False
    strict: bool = False


def report_of(
    *,
    run_id: str,
    project: str,
    roster: Roster,
    closed: Sequence[Closed],
    skipped: Sequence[SkippedInput],
    notes: Sequence[str],
    scope: Scope,
    program_version: str,
) -> RunReport:
    """The whole run as one value. closed: in the order of the views."""
    batches = tuple(_outcome(one) for one in closed)
    issues = {key: issue for one in closed for key, issue in one.issues.items()}
    findings = tuple(row for number, one in enumerate(closed) for row in _reported(number, one, issues))
    unaccounted = tuple(shot_id for batch in batches for shot_id in batch.unaccounted)
    summary = _summary(closed, batches, findings, issues, scope)
    undone = summary.failed_views or skipped or unaccounted or not closed
    unheard = scope.strict and summary.undialogued_views
    exit_status = 2 if undone or unheard else int(summary.open > 0)
    return RunReport(
        run_id=run_id,
        project=project,
        roster=roster,
        shots=tuple(shot for one in closed for shot in one.shots),
        batches=batches,
        findings=findings,
        clean_shot_ids=tuple(
            shot_id for one in closed if one.result is not None for shot_id in one.result.clean_shot_ids
        ),
        unaccounted=unaccounted,
        spend=sum((one.spend for one in closed), Spend()),
        summary=summary,
        exit_status=exit_status,
        skipped=tuple(skipped),
        notes=(*notes, *_losses(closed)),
        program_version=program_version,
    )


def _losses(closed: Sequence[Closed]) -> Iterable[str]:
    """What a judge says it could not look at, in its own words: its `pictures`, once a view."""
    for one in closed:
        told = set() if one.result is None else {(raw.handle, raw.meta.get("pictures", "")) for raw in one.result.raw}
        yield from (f"{one.view}: {handle}: {words}." for handle, words in sorted(told) if words)


def _outcome(one: Closed) -> BatchOutcome:
    result = one.result
    if result is None:
        return BatchOutcome(
            view=one.view,
            roster=one.roster,
            dialogued=False,
            failure=one.failure,
            failure_note=one.failure_note,
            unaccounted=tuple(shot.shot_id for shot in one.shots),
            lanes_not_judged=one.lanes_not_judged,
            reply_states={} if one.raw is None else {one.raw.state: 1},
        )
    return BatchOutcome(
        view=one.view,
        roster=result.roster,
        dialogued=result.dialogued,
        undialogued_reason=result.undialogued_reason,
        second_round_reason=result.second_round_reason,
        unruled=result.unruled,
        cached=result.cached,
        cacheable=result.cacheable,
        dialog_id=one.dialog_id,
        wire_digest=one.wire_digest,
        rejected=result.rejected,
        unaccounted=result.unaccounted,
        lanes_not_judged=one.lanes_not_judged,
        reply_states=dict(sorted(Counter(reply.state for reply in result.raw).items())),
    )


def _reported(number: int, one: Closed, issues: Mapping[str, Issue]) -> Iterable[ReportedFinding]:
    if one.result is None:
        return
    shots = {shot.shot_id: shot for shot in one.shots}
    for finding in one.result.findings:
        key = issue_key(finding, shots[finding.shot_id])
        yield ReportedFinding(
            finding=finding,
            issue=key,
            sighting=sighting_key(finding, shots[finding.shot_id]),
            sightings={shot_id: sighting_key(finding, shots[shot_id]) for shot_id in finding.shot_ids},
            status=issues[key].status,
            batch=number,
            is_new=one.happened[key] == "new",
            reopened=one.happened[key] == "reopened",
        )


def _summary(
    closed: Sequence[Closed],
    batches: Sequence[BatchOutcome],
    findings: Sequence[ReportedFinding],
    issues: Mapping[str, Issue],
    scope: Scope,
) -> RunSummary:
    by_issue: dict[str, list[ReportedFinding]] = {}
    for row in findings:
        by_issue.setdefault(row.issue, []).append(row)
    counted = [issues[key] for key in by_issue if _counts(issues[key], scope)]
    states = Counter(state for batch in batches for state, count in batch.reply_states.items() for _ in range(count))
    worst = Counter(issue.severity for issue in counted)
    return RunSummary(
        views=len(batches),
        shots=sum(len(one.shots) for one in closed),
        findings=len(findings),
        issues=len(by_issue),
        open=len(counted),
        new=_issues_where(by_issue, lambda row: row.is_new),
        reopened=_issues_where(by_issue, lambda row: row.reopened),
        suppressed=_issues_where(by_issue, lambda row: row.status in SUPPRESSED_STATUSES),
        blocked=_issues_where(by_issue, lambda row: row.status == "blocked"),
        agreed=sum(_said(row.finding, "agree") for row in findings),
        disputed=sum(_said(row.finding, "dispute") for row in findings),
        amended=sum(_said(row.finding, "amend") for row in findings),
        undecided=sum(_said(row.finding, "cannot-tell") for row in findings),
        unruled=sum(len(batch.unruled) for batch in batches),
        rejected_rows=sum(len(batch.rejected) for batch in batches),
        judge_calls=sum(one.spend.calls for one in closed),
        cached_views=sum(batch.cached for batch in batches),
        undialogued_views=sum(not batch.dialogued and batch.failure is None for batch in batches),
        failed_views=sum(batch.failure is not None for batch in batches),
        unaccounted_shots=sum(len(batch.unaccounted) for batch in batches),
        by_severity={severity: worst[severity] for severity in SEVERITIES if worst[severity]},
        reply_states=dict(sorted(states.items())),
    )


def _counts(issue: Issue, scope: Scope) -> bool:
    return issue.status in OPEN_STATUSES and not (issue.disputed and scope.ignore_disputed)


def _issues_where(by_issue: Mapping[str, Sequence[ReportedFinding]], holds: Callable[[ReportedFinding], bool]) -> int:
    return sum(any(holds(row) for row in rows) for rows in by_issue.values())


def _said(finding: Finding, word: str) -> bool:
    return any(ruling.verdict == word for ruling in finding.rulings)
