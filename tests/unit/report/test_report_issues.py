"""Findings become issues, worst first, each with what every judge said."""

from __future__ import annotations

from dataclasses import replace

import pytest
from report_samples import ROSTER, Pictures, empty_report, outcome, reported, shop_report, view_shots

from bicameral.model.findings import Consensus, Dissent, Finding, Ruling
from bicameral.model.run import RunReport
from bicameral.model.seats import Roster, Seat
from bicameral.report.issues import Standing, issue_rows, numbers_in_batch


def one_finding(consensus: Consensus | None, *, rulings: tuple[Ruling, ...] = (), **batch: object) -> RunReport:
    shots = view_shots(Pictures(), "/")
    finding = Finding(
        shot_id=shots[0].shot_id,
        category="contrast",
        attribute="a",
        severity="high",
        title="t",
        problem="p",
        confidence="high",
        oracle="axe",
        rulings=rulings,
        consensus=consensus,
    )
    by_id = {shot.shot_id: shot for shot in shots}
    return replace(
        empty_report(),
        shots=shots,
        batches=(outcome(shots[0].view, 0, **batch),),
        findings=(reported(finding, by_id, 0),),
    )


def dissent(note: str = "n") -> Dissent:
    return Dissent(oracle="pixels", note=note)


@pytest.mark.parametrize(
    ("consensus", "batch", "standing"),
    [
        (Consensus(reported_by="axe+layout", agreed_by=("pixels",)), {}, "agreed"),
        (Consensus(reported_by="axe+layout", amended_by=(dissent(),)), {}, "amended"),
        (Consensus(reported_by="axe+layout", disputed_by=(dissent(),), agreed_by=("x",)), {}, "disputed"),
        (Consensus(reported_by="axe+layout", undecided_by=("pixels",)), {}, "undecided"),
        (Consensus(reported_by="axe+layout"), {}, "unruled"),
        (None, {}, "unruled"),
        (None, {"dialogued": False, "undialogued_reason": "timed-out"}, "undialogued"),
        (None, {"roster": Roster(ROSTER.proposer)}, "alone"),
        (None, {"roster": Roster(ROSTER.proposer), "dialogued": False}, "undialogued"),
    ],
)
def test_every_absence_of_an_account_has_its_own_name(
    consensus: Consensus | None, batch: dict[str, object], standing: Standing
) -> None:
    (row,) = issue_rows(one_finding(consensus, **batch))
    assert row.standing == standing


def test_an_addition_of_the_challenger_is_told_from_a_proposal() -> None:
    (row,) = issue_rows(one_finding(Consensus(reported_by="pixels", agreed_by=("axe+layout",), rounds=2)))
    assert (row.lead.added, row.lead.seat, row.lead.other) == (True, "pixels", "axe+layout")
    (row,) = issue_rows(one_finding(Consensus(reported_by="axe+layout", agreed_by=("pixels",))))
    assert (row.lead.added, row.lead.seat, row.lead.other) == (False, "axe+layout", "pixels")


def test_an_agreement_shows_the_notes_of_its_own_ruling_only() -> None:
    rulings = (
        Ruling(index=0, oracle="pixels", verdict="agree", notes=("2.9:1 measured", "  ")),
        Ruling(index=0, oracle="someone", verdict="agree", notes=("not mine",)),
    )
    (row,) = issue_rows(one_finding(Consensus(reported_by="axe+layout", agreed_by=("pixels",)), rulings=rulings))
    assert [account.notes for account in row.lead.accounts] == [("2.9:1 measured",)]


def test_issues_come_worst_first_and_then_by_place() -> None:
    report, _ = shop_report()
    severities = [row.severity for row in issue_rows(report)]
    assert severities == sorted(severities, key=["critical", "high", "medium", "low"].index)
    assert issue_rows(report)[1].place == "/"


def test_the_order_of_issues_does_not_depend_on_the_order_of_findings() -> None:
    report, _ = shop_report()
    turned = replace(report, findings=tuple(reversed(report.findings)))
    assert [row.issue for row in issue_rows(turned)] == [row.issue for row in issue_rows(report)]


def test_findings_of_one_issue_are_one_row_disputed_in_part_when_some_are() -> None:
    pictures = Pictures()
    shots = view_shots(pictures, "/") + view_shots(pictures, "/about")
    by_id = {shot.shot_id: shot for shot in shots}
    findings = tuple(
        Finding(
            shot_id=shot.shot_id,
            category="a11y",
            attribute="logo",
            region="shell-header",
            severity=severity,
            title="t",
            problem="p",
            confidence="high",
            consensus=consensus,
        )
        for shot, severity, consensus in (
            (shots[0], "low", Consensus(reported_by="axe+layout", disputed_by=(dissent(),))),
            (shots[6], "high", Consensus(reported_by="axe+layout", agreed_by=("pixels",))),
        )
    )
    report = replace(
        empty_report(),
        shots=shots,
        batches=(outcome(shots[0].view, 0), outcome(shots[6].view, 1)),
        findings=tuple(reported(finding, by_id, batch) for batch, finding in enumerate(findings)),
    )
    (row,) = issue_rows(report)
    assert (row.severity, row.standing, row.disputed_in_part) == ("high", "disputed", True)
    assert len(row.shots) == 2
    assert len(row.view_shots) == 12


def test_a_shot_that_the_run_does_not_know_is_named_and_loses_nothing() -> None:
    report = one_finding(None)
    odd = replace(report.findings[0], finding=replace(report.findings[0].finding, also_shot_ids=("ghost",)))
    (row,) = issue_rows(replace(report, findings=(odd,)))
    assert row.strange_shot_ids == ("ghost",)
    assert len(row.shots) == 1


def test_numbers_count_within_each_batch() -> None:
    report, _ = shop_report()
    assert numbers_in_batch(report) == (0, 1, 2, 0, 1, 2, 0, 1)


def test_a_seat_that_serves_many_makers_is_known_by_its_handle() -> None:
    roster = Roster(Seat("axe+layout", "1"), Seat("ollama", "b"))
    (row,) = issue_rows(one_finding(Consensus(reported_by="ollama/b"), roster=roster))
    assert (row.lead.added, row.lead.other) == (True, "axe+layout")
