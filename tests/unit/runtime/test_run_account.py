"""What a run comes to: what counts as open, and which exit status that is."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import pytest

from bicameral.backlog import JudgedBatch, Merged, merge
from bicameral.model.backlog import Issue
from bicameral.model.findings import Consensus, Dissent, Finding, Ruling
from bicameral.model.judging import DialogueResult, RawReply, Spend
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


def merged(findings: Iterable[Finding], run_id: str = "r1", before: Iterable[Issue] = ()) -> Merged:
    """What the backlog makes of a view's findings."""
    batch = JudgedBatch(
        run_id=run_id, shots=SHOTS, findings=tuple(findings), dialog_id="sha256:d", wire_digest="sha256:w"
    )
    return merge(before, batch)


def closed(*findings: Finding, status: Status = "open", before: Iterable[Issue] = (), **changes: Any) -> Closed:
    result = DialogueResult(
        findings=findings, clean_shot_ids=(), unaccounted=(), dialogued=True, roster=ROSTER, cacheable=True
    )
    made = merged(findings, run_id="r2", before=before)
    given: dict[str, Any] = {
        "view": SHOTS[0].view,
        "shots": SHOTS,
        "roster": ROSTER,
        "result": replace(result, **{name: changes.pop(name) for name in list(changes) if hasattr(result, name)}),
        "issues": {issue.issue: replace(issue, status=status) for issue in made.issues},
        "happened": made.happened,
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


def test_an_issue_is_disputed_only_if_all_its_open_sightings_are() -> None:
    both = closed(finding(consensus=DISPUTED), finding(shot_id=PHONE))
    assert len({row.issue for row in account(both).findings}) == 1
    assert account(both, ignore_disputed=True).exit_status == 1
    all_of_them = closed(finding(consensus=DISPUTED), finding(shot_id=PHONE, consensus=DISPUTED))
    assert account(all_of_them, ignore_disputed=True).exit_status == 0


def test_a_sighting_of_an_earlier_run_that_nobody_disputed_still_counts() -> None:
    before = merged([finding(shot_id=PHONE)]).issues
    again = closed(finding(consensus=DISPUTED), before=before)
    assert account(again, ignore_disputed=True).exit_status == 1


def test_a_dispute_of_an_earlier_run_stands_where_the_challenger_was_silent_this_time() -> None:
    before = merged([finding(consensus=DISPUTED)]).issues
    silent = closed(finding(consensus=None, rulings=()), before=before, dialogued=False)
    assert account(silent, ignore_disputed=True).exit_status == 0
    assert account(silent).exit_status == 1


def test_two_findings_of_one_issue_are_one_open_issue_of_the_higher_severity() -> None:
    report = account(closed(finding(severity="low"), finding(shot_id=PHONE, severity="high")))
    assert (report.summary.open, report.summary.findings) == (1, 2)
    assert report.summary.by_severity == {"high": 1}


def test_an_issue_is_as_severe_as_a_sighting_of_an_earlier_run_that_is_still_open() -> None:
    before = merged([finding(shot_id=PHONE, severity="critical")]).issues
    assert account(closed(finding(severity="low"), before=before)).summary.by_severity == {"critical": 1}


def test_an_issue_that_several_views_filed_counts_as_it_stands_at_the_end() -> None:
    first = closed(finding(consensus=DISPUTED, region="shell-nav", severity="low"))
    then = closed(finding(shot_id=PHONE, region="shell-nav", severity="high"), before=first.issues.values())
    for views in ((first, then), (replace(first, issues=then.issues), then)):
        report = account(*views, ignore_disputed=True)
        assert (report.exit_status, report.summary.open, report.summary.by_severity) == (1, 1, {"high": 1})


def test_a_status_that_a_later_view_met_is_shown_of_every_finding() -> None:
    first = closed(finding(region="shell-nav"))
    ruled = closed(finding(shot_id=PHONE, region="shell-nav"), status="by-design")
    assert {row.status for row in account(first, ruled).findings} == {"by-design"}


def test_a_view_that_could_not_be_judged_is_status_2_and_its_shots_are_unaccounted_for() -> None:
    failed = Closed(
        view=SHOTS[0].view,
        shots=SHOTS,
        roster=ROSTER,
        failure="timed-out",
        failure_note="It gave no reply in time.",
        raw=RawReply(handle="one", model="m", task="propose", text="?", digest="d", finish="stop", state="unreadable"),
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
    assert report.summary.reply_states == {"unreadable": 1}


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


def test_what_a_judge_could_not_look_at_is_told_as_a_note() -> None:
    raw = RawReply(
        handle="two",
        model="m",
        task="challenge",
        text="{}",
        digest="sha256:0",
        finish="stop",
        state="complete",
        meta={"pictures": "contrast not measured on 2 of 6 shots"},
    )
    report = account(closed(raw=(raw, raw)))
    assert report.notes == (f"{SHOTS[0].view}: two: contrast not measured on 2 of 6 shots.",)
