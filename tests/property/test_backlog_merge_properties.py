"""What holds of merging for any backlog and any batch."""

from __future__ import annotations

from dataclasses import replace

from backlog_strategies import backlogs, batches
from hypothesis import given, settings

from bicameral.backlog import JudgedBatch, Reach, keys_of, merge
from bicameral.backlog.document import export_document, read_document
from bicameral.model.backlog import Issue
from bicameral.model.identity import issue_key, sighting_key
from bicameral.model.vocabulary import SEVERITIES

FEW = settings(max_examples=50, deadline=None)
"""Whole backlogs are slow to make."""


def _after(stored: tuple[Issue, ...], batch: JudgedBatch) -> dict[str, Issue]:
    return {issue.issue: issue for issue in (*stored, *merge(stored, batch).issues)}


@given(backlogs, batches())
@FEW
def test_merging_twice_equals_merging_once(stored: tuple[Issue, ...], batch: JudgedBatch) -> None:
    first = merge(stored, batch)
    once = _after(stored, batch)
    again = merge(once.values(), batch)
    assert {**once, **{issue.issue: issue for issue in again.issues}} == once
    assert (again.happened, again.new_sightings) == (first.happened, first.new_sightings)
    assert again.not_seen == first.not_seen


@given(backlogs, batches())
@FEW
def test_every_finding_is_in_the_backlog_on_each_of_its_shots(stored: tuple[Issue, ...], batch: JudgedBatch) -> None:
    merged = merge(stored, batch)
    issues = _after(stored, batch)
    shots = {shot.shot_id: shot for shot in batch.shots}
    later = {issue.issue for issue in stored if max(issue.last_run, issue.not_seen_since or "") > batch.run_id}
    for finding in batch.findings:
        for shot_id in finding.shot_ids:
            issue = issues[issue_key(finding, shots[shot_id])]
            (found,) = [s for s in issue.sightings if s.sighting == sighting_key(finding, shots[shot_id])]
            if issue.issue not in later:  # else a run that began later may have looked and not seen it
                assert found.seen
                assert issue.not_seen_since is None
            assert issue.issue in merged.happened
    assert set(merged.happened) == set(keys_of(batch))


@given(backlogs, batches())
@FEW
def test_a_run_that_ends_late_undoes_nothing_of_a_later_one(stored: tuple[Issue, ...], batch: JudgedBatch) -> None:
    after = _after(stored, batch)
    for before in stored:
        now = after[before.issue]
        assert now.last_run >= before.last_run
        if before.last_run > batch.run_id:
            assert (now.status, now.reopened) == (before.status, before.reopened)
        held = {sighting.sighting: sighting for sighting in now.sightings}
        for sighting in before.sightings:
            if sighting.last_run > batch.run_id:
                assert replace(held[sighting.sighting], first_run=sighting.first_run) == sighting


@given(backlogs, batches())
@FEW
def test_no_machine_undoes_a_ruling(stored: tuple[Issue, ...], batch: JudgedBatch) -> None:
    merged, after = merge(stored, batch), _after(stored, batch)
    for before in stored:
        now = after[before.issue]
        assert now.rulings == before.rulings
        if now.status != before.status:
            assert (before.status, now.status) == ("fixed", "open")
            assert now.reopened == before.reopened + 1
            assert merged.happened[now.issue] == "reopened"


@given(backlogs, batches())
@FEW
def test_no_sighting_vanishes_and_an_issue_is_as_severe_as_the_worst_that_is_seen(
    stored: tuple[Issue, ...], batch: JudgedBatch
) -> None:
    after = _after(stored, batch)
    for before in stored:
        now = {sighting.sighting for sighting in after[before.issue].sightings}
        assert now >= {sighting.sighting for sighting in before.sightings}
    for issue in merge(stored, batch).issues:
        seen = [sighting.severity for sighting in issue.sightings if sighting.seen]
        assert issue.severity == min(seen or [s.severity for s in issue.sightings], key=SEVERITIES.index)
        assert (issue.not_seen_since is None) == bool(seen)


@given(backlogs, batches())
@FEW
def test_silence_on_unchanged_evidence_changes_nothing(stored: tuple[Issue, ...], batch: JudgedBatch) -> None:
    filed = _after(stored, batch)
    every = frozenset(shot.shot_id for shot in batch.shots)
    everyone = {sighting.oracle for issue in filed.values() for sighting in issue.sightings}
    reaches = tuple(Reach(oracle=oracle, shot_ids=every) for oracle in everyone)
    silent = replace(batch, run_id="run-x", findings=(), reaches=reaches)
    after = {**filed, **{issue.issue: issue for issue in merge(filed.values(), silent).issues}}
    evidence = {shot.shot_id: (shot.picture, shot.facts) for shot in batch.shots}
    for key, before in filed.items():
        for sighting, now in zip(before.sightings, after[key].sightings, strict=True):
            if sighting.shot_id not in evidence or evidence[sighting.shot_id] == (sighting.picture, sighting.facts):
                assert now == sighting
            else:
                assert not now.seen


@given(backlogs, batches())
@FEW
def test_a_dispute_stands_until_its_judge_speaks_again(stored: tuple[Issue, ...], batch: JudgedBatch) -> None:
    silent = replace(
        batch, findings=tuple(replace(f, consensus=None, rulings=(), oracle="newcomer") for f in batch.findings)
    )
    after = _after(stored, silent)
    for before in stored:
        now = {sighting.sighting: sighting for sighting in after[before.issue].sightings}
        for sighting in before.sightings:
            disputes = sighting.consensus.disputed_by if sighting.consensus else ()
            account = now[sighting.sighting].consensus
            assert (account.disputed_by if account else ()) == disputes


@given(backlogs, batches())
@FEW
def test_what_comes_of_a_merge_is_a_legal_document(stored: tuple[Issue, ...], batch: JudgedBatch) -> None:
    issues = merge(stored, batch).issues
    assert {issue.issue: issue for issue in read_document(export_document(issues))} == {i.issue: i for i in issues}


@given(backlogs, batches())
@FEW
def test_the_order_in_which_issues_are_handed_over_does_not_matter(
    stored: tuple[Issue, ...], batch: JudgedBatch
) -> None:
    assert merge(stored, batch) == merge(reversed(stored), batch)
