"""The main job on the site that ships with the project: every defect is found and everything else is left alone."""

from __future__ import annotations

from pathlib import Path

import pytest
from demo_truth import check_demo, mismatches, read_truth

from bicameral.evidence.store import EvidenceFolder
from bicameral.model.run import RunReport
from bicameral.model.vocabulary import CATEGORIES

pytestmark = [pytest.mark.browser, pytest.mark.timeout(600)]

Checked = tuple[Path, RunReport, EvidenceFolder]


@pytest.fixture(scope="module")
def checked(tmp_path_factory: pytest.TempPathFactory) -> Checked:
    state = tmp_path_factory.mktemp("demo")
    report, evidence = check_demo(state)
    return state, report, evidence


def test_the_truth_holds_a_defect_and_a_near_miss_of_every_category() -> None:
    truth = read_truth()
    assert {entry.category for entry in truth if entry.is_defect} == set(CATEGORIES)
    assert {entry.category for entry in truth if not entry.is_defect} == set(CATEGORIES)


def test_every_defect_is_found_wherever_it_is(checked: Checked) -> None:
    _, report, evidence = checked
    assert not mismatches(report, evidence)[0]


def test_nothing_else_is_filed(checked: Checked) -> None:
    _, report, evidence = checked
    assert not mismatches(report, evidence)[1]


def test_every_finding_was_ruled_on_and_every_view_had_its_dialogue(checked: Checked) -> None:
    _, report, _ = checked
    assert report.exit_status == 1
    assert all(batch.dialogued and batch.cacheable and not batch.unruled for batch in report.batches)
    assert all(row.finding.consensus is not None and row.finding.consensus.ruled for row in report.findings)


def test_what_the_proposer_misjudges_is_filed_disputed_and_weighed_all_the_same(checked: Checked) -> None:
    _, report, _ = checked
    disputed = [row for row in report.findings if row.finding.consensus and row.finding.consensus.disputed]
    assert len(disputed) == sum(entry.is_disputed for entry in read_truth()) == 1
    for row in disputed:
        assert row.status == "open"
        (dissent,) = row.finding.consensus.disputed_by if row.finding.consensus else ()
        assert dissent.adjudication is not None
        assert (dissent.adjudication.verdict, dissent.adjudication.method) == ("genuine", "nli")


def test_where_axe_cannot_tell_pixels_files_what_is_unreadable_with_the_number_and_the_place(checked: Checked) -> None:
    _, report, _ = checked
    added = [row.finding for row in report.findings if row.finding.oracle == "pixels"]
    assert {finding.category for finding in added} >= {"contrast"}
    for finding in added:
        if finding.category == "contrast":
            assert ":1. Measured at " in finding.problem + finding.observed


def test_a_second_run_of_the_unchanged_site_calls_no_judge(checked: Checked) -> None:
    state, first, _ = checked
    second, _ = check_demo(state)
    assert second.summary.judge_calls == 0
    assert second.summary.cached_views == len(second.batches) == len(first.batches)
    assert [row.finding for row in second.findings] == [row.finding for row in first.findings]
    assert [batch.wire_digest for batch in second.batches] == [batch.wire_digest for batch in first.batches]
