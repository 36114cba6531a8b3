"""What one run came to: the value every report is a projection of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from bicameral.model.evidence import Shot, View
from bicameral.model.findings import Finding, RejectedRow
from bicameral.model.judging import Spend
from bicameral.model.seats import Roster
from bicameral.model.vocabulary import Reason, ReplyState, Status


@dataclass(frozen=True, kw_only=True)
class BatchOutcome:
    """What became of one view.

    failure: the proposer gave nothing that can be used: the view could not be judged.  failure_note: one sentence.
    unruled: indexes into the run's `findings` rows of this batch, in the batch's own numbering.
    reply_states: how many replies were read into each of the five states and `complete`.
    """

    view: View
    roster: Roster
    dialogued: bool
    undialogued_reason: Reason | None = None
    second_round_reason: Reason | None = None
    unruled: tuple[int, ...] = ()
    cached: bool = False
    cacheable: bool = False
    dialog_id: str | None = None
    wire_digest: str | None = None
    failure: Reason | None = None
    failure_note: str | None = None
    rejected: tuple[RejectedRow, ...] = ()
    unaccounted: tuple[str, ...] = ()
    lanes_not_judged: tuple[str, ...] = ()
    reply_states: Mapping[ReplyState, int] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class ReportedFinding:
    """One finding with where it stands in the backlog.

    issue, sighting: the keys on `finding.shot_id`.  sightings: shot id to sighting key for every shot it shows on.
    status: the issue's after this run was merged.  is_new: first filed by this run.
    batch: position in `RunReport.batches`.
    """

    finding: Finding
    issue: str
    sighting: str
    sightings: Mapping[str, str]
    status: Status
    batch: int
    is_new: bool = False
    reopened: bool = False


@dataclass(frozen=True, kw_only=True)
class SkippedInput:
    """An input that was passed over, with the place and the reason."""

    where: str
    reason: str


@dataclass(frozen=True, kw_only=True)
class RunSummary:
    """Counts for a person's first glance. Each counts findings of this run unless named otherwise.

    open: issues that make the exit status 1.  suppressed: issues ruled by-design or not-a-defect, seen again.
    """

    views: int
    shots: int
    findings: int
    issues: int
    open: int
    new: int
    reopened: int
    suppressed: int
    blocked: int
    agreed: int
    disputed: int
    amended: int
    undecided: int
    unruled: int
    rejected_rows: int
    judge_calls: int
    cached_views: int
    undialogued_views: int
    failed_views: int
    unaccounted_shots: int
    by_severity: Mapping[str, int] = field(default_factory=dict)
    reply_states: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class RunReport:
    """Everything a report shows. exit_status: 0 nothing open, 1 open findings, 2 could not be done whole.

    notes: sentences the reader should see (lanes not judged, unsettled pages, skipped inputs).
    """

    run_id: str
    project: str
    roster: Roster
    shots: tuple[Shot, ...]
    batches: tuple[BatchOutcome, ...]
    findings: tuple[ReportedFinding, ...]
    clean_shot_ids: tuple[str, ...]
    unaccounted: tuple[str, ...]
    spend: Spend
    summary: RunSummary
    exit_status: int
    skipped: tuple[SkippedInput, ...] = ()
    notes: tuple[str, ...] = ()
    program_version: str = ""
