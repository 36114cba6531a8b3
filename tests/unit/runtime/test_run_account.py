"""What a run comes to: what counts as open, and which exit status that is."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from bicameral.model.backlog import Issue
from bicameral.model.findings import Consensus, Dissent, Finding, Ruling
from bicameral.model.identity import issue_key, place_of
from bicameral.model.judging import DialogueResult, Spend
from bicameral.model.run import RunReport, SkippedInput
from bicameral.model.seats import Roster, Seat
from bicameral.model.vocabulary import Status
from bicameral.runtime.account import Closed, Scope, report_of
from dialogue_batches import LIGHT, PHONE, SHOTS

ROSTER = Roster(Seat("one", "m"), Seat("two", "m"))
AGREED = Consensus(reported_by="one", agreed_by=("two",))
DISPUTED = Consensus(reported_by="one", disputed_by=(Dissent(oracle="two", note="no"),))


def finding(attribute: str = "gap", shot_id: str = LIGHT, **changes: Any) -> Finding:
    given: dict[str, Any] = {
        "shot_id": shot_id,
        "category": "spacing",
        "attribute": attribute,
        "severity": "medium",
        "title": "t",
        "problem": "p",
        "confidence": "high",
        "oracle": "one",
        "consensus": AGREED,
        "rulings": (Ruling(index=0, oracle="two", verdict="agree"),),
    }
    return Finding(**(given | changes))


def issue_of(one: Finding, status: Status) -> Issue:
    shot = next(shot for shot in SHOTS if shot.shot_id == one.shot_id)
    return Issue(
        issue=issue_key(one, shot),
        target=shot.target,
        place=place_of(one, shot),
        state=shot.state,
        platform=shot.platform,
        category=one.category,
        attribute=one.attribute,
        region=one.region,
        severity=one.severity,
        title=one.title,
        problem=one.problem,
        expected=one.expected,
        observed=one.observed,
        status=status,
        first_run="r1",
        last_run="r1",
    )


def closed(*findings: Finding, status: Status = "open", **changes: Any) -> Closed:
    result = DialogueResult(
        findings=findings, clean_shot_ids=(), unaccounted=(), dialogued=True, roster=ROSTER, cacheable=True
    )
    issues = {issue.issue: issue for issue in (issue_of(one, status) for one in findings)}
    given: dict[str, Any] = {
        "view": SHOTS[0].view,
        "shots": SHOTS,
        "roster": ROSTER,
        "result": replace(result, **{name: changes.pop(name) for name in list(changes) if hasattr(result, name)}),
        "issues": issues,
        "happened": dict.fromkeys(issues, "new"),
    }
    return Closed(**(given | changes))


def account(*views: Closed, skipped: tuple[SkippedInput, ...] = (), **scope: bool) -> RunReport:
    return report_of(
        run_id="r1",
        project="p",
        roster=ROSTER,
        closed=views,
        skipped=skipped,
        notes=(),
        scope=Scope(**scope),
        program_version="0",
    )


def test_nothing_found_is_status_0_and_something_open_is_1() -> None:
    assert account(closed()).exit_status == 0
    assert account(closed(finding())).exit_status == 1


@pytest.mark.parametrize(
    ("status", "expected"),
    [("open", 1), ("confirmed", 1), ("by-design", 0), ("not-a-defect", 0), ("blocked", 0)],
)
def test_what_a_person_ruled_decides_whether_an_issue_counts(status: Status, expected: int) -> None:
    report = account(closed(finding(), status=status))
    assert report.exit_status == expected
    assert report.findings[0].status == status
    assert len(report.findings) == 1  # suppressed is shown, never dropped


def test_a_disputed_issue_counts_unless_it_is_ignored() -> None:
    disputed = closed(finding(consensus=DISPUTED))
    assert account(disputed).exit_status == 1
    assert account(disputed, ignore_disputed=True).exit_status == 0


def test_an_issue_is_disputed_only_if_every_finding_of_it_is() -> None:
    both = closed(finding(consensus=DISPUTED), finding(shot_id=PHONE))
    assert len({row.issue for row in account(both).findings}) == 1
    assert account(both, ignore_disputed=True).exit_status == 1


def test_two_findings_of_one_issue_are_one_open_issue_of_the_higher_severity() -> None:
    report = account(closed(finding(severity="low"), finding(shot_id=PHONE, severity="high")))
    assert (report.summary.open, report.summary.findings) == (1, 2)
    assert report.summary.by_severity == {"high": 1}


def test_a_view_that_could_not_be_judged_is_status_2_and_its_shots_are_unaccounted_for() -> None:
    failed = Closed(
        view=SHOTS[0].view,
        shots=SHOTS,
        roster=ROSTER,
        failure="timed-out",
        failure_note="It gave no reply in time.",
        spend=Spend(calls=2),
        issues={},
        happened={},
    )
    report = account(failed, closed(finding()))
    assert report.exit_status == 2
    assert report.unaccounted == tuple(shot.shot_id for shot in SHOTS)
    assert report.summary.failed_views == 1
    assert report.summary.judge_calls == 2
    assert report.batches[0].failure == "timed-out"


def test_an_input_that_was_skipped_or_a_shot_nobody_accounts_for_is_status_2() -> None:
    assert account(closed(), skipped=(SkippedInput(where="x.png", reason="empty"),)).exit_status == 2
    assert account(closed(unaccounted=(PHONE,))).exit_status == 2
    assert account().exit_status == 2


def test_a_dialogue_that_was_not_had_is_status_2_only_when_strict() -> None:
    alone = closed(dialogued=False, undialogued_reason="unreachable", cacheable=False)
    assert account(alone).exit_status == 0
    assert account(alone, strict=True).exit_status == 2
    assert account(alone).summary.undialogued_views == 1


def test_status_2_stands_above_1() -> None:
    assert account(closed(finding(), unaccounted=(PHONE,))).exit_status == 2
