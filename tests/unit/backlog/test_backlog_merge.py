"""DESIGN 2, Identity: what becomes of an issue that a batch files, or no longer files."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from backlog_builders import agreed, batch, digest, disputed, finding, one_issue, ruled, shot, then

from bicameral.backlog import merge
from bicameral.errors import DefectError
from bicameral.model.backlog import Issue
from bicameral.model.evidence import Box, Shot
from bicameral.model.findings import Consensus, Place

HERE = shot()
PHONE = shot(form_factor="phone")
CHANGED = shot(picture="b")


def test_what_nobody_filed_yet_is_added_open() -> None:
    merged = merge([], batch("run-1", [HERE], [finding(HERE)]))
    (issue,) = merged.issues
    assert (issue.status, issue.first_run, issue.last_run, issue.reopened) == ("open", "run-1", "run-1", 0)
    assert issue.place == "/"
    assert merged.happened == {issue.issue: "new"}
    assert merged.new_sightings == (issue.sightings[0].sighting,)


def test_one_defect_on_two_shots_is_one_issue_with_two_sightings_and_their_own_boxes() -> None:
    two = finding(
        HERE,
        also_shot_ids=(PHONE.shot_id,),
        box=Box(x=1, y=2, width=3, height=4),
        also_boxes=(Place(shot_id=PHONE.shot_id, box=Box(x=9, y=9, width=9, height=9)),),
    )
    (issue,) = merge([], batch("run-1", [HERE, PHONE], [two])).issues
    assert [(s.form_factor, s.box and s.box.x) for s in issue.sightings] == [("desktop", 1), ("phone", 9)]


def test_a_reworded_finding_is_the_same_issue_in_its_newest_words() -> None:
    again = finding(CHANGED, title="Grey on grey", severity="low")
    held, merged = then([one_issue()], batch("run-2", [CHANGED], [again]))
    (issue,) = held.values()
    assert merged.happened == {issue.issue: "refreshed"}
    assert (issue.title, issue.severity, issue.first_run, issue.last_run) == ("Grey on grey", "low", "run-1", "run-2")
    assert issue.sightings[0].picture == CHANGED.picture
    assert merged.new_sightings == ()


def test_two_attributes_or_two_routes_are_two_issues() -> None:
    other = shot("/about")
    filed = [finding(HERE), finding(HERE, attribute="link-home"), finding(other)]
    assert len(merge([], batch("run-1", [HERE, other], filed)).issues) == 3


@pytest.mark.parametrize("status", ["open", "confirmed"])
def test_an_open_issue_seen_again_keeps_its_status(status: str) -> None:
    held, merged = then([ruled(one_issue(), status)], batch("run-2", [HERE], [finding(HERE)]))
    (issue,) = held.values()
    assert issue.status == status
    assert merged.happened == {issue.issue: "refreshed"}


def test_a_fixed_issue_seen_again_is_reopened_and_its_rulings_are_kept() -> None:
    fixed = ruled(one_issue(), "fixed")
    held, merged = then([fixed], batch("run-2", [HERE], [finding(HERE)]))
    (issue,) = held.values()
    assert (issue.status, issue.reopened, issue.reopened_run) == ("open", 1, "run-2")
    assert issue.rulings == fixed.rulings
    assert merged.happened == {issue.issue: "reopened"}


def test_a_reopened_issue_is_reopened_once_a_run_however_often_the_run_files_it() -> None:
    again = batch("run-2", [HERE], [finding(HERE)])
    held, merged = then([ruled(one_issue(), "fixed")], again, again)
    (issue,) = held.values()
    assert issue.reopened == 1
    assert merged.happened == {issue.issue: "reopened"}


def test_an_issue_fixed_and_seen_again_twice_counts_two() -> None:
    held, _ = then([ruled(one_issue(), "fixed")], batch("run-2", [HERE], [finding(HERE)]))
    held, _ = then(
        [ruled(next(iter(held.values())), "fixed", at="2026-12-01T00:00:00Z")], batch("run-3", [HERE], [finding(HERE)])
    )
    assert next(iter(held.values())).reopened == 2


def test_a_run_that_had_filed_an_issue_before_it_was_ruled_fixed_does_not_reopen_it() -> None:
    first = batch("run-1", [HERE], [finding(HERE)])
    held, _ = then([ruled(one_issue(), "fixed")], first)
    (issue,) = held.values()
    assert (issue.status, issue.reopened) == ("fixed", 0)


@pytest.mark.parametrize("status", ["by-design", "not-a-defect"])
def test_what_was_ruled_no_defect_is_suppressed_and_its_new_sightings_are_kept(status: str) -> None:
    held, merged = then([ruled(one_issue(), status)], batch("run-2", [HERE, PHONE], [finding(HERE), finding(PHONE)]))
    (issue,) = held.values()
    assert issue.status == status
    assert merged.happened == {issue.issue: "suppressed"}
    assert len(issue.sightings) == 2
    assert len(merged.new_sightings) == 1


def test_a_blocked_issue_stays_blocked() -> None:
    held, merged = then([ruled(one_issue(), "blocked")], batch("run-2", [HERE], [finding(HERE)]))
    (issue,) = held.values()
    assert issue.status == "blocked"
    assert merged.happened == {issue.issue: "blocked"}


def test_an_agents_proposal_suppresses_nothing() -> None:
    proposal = ruled(one_issue(), "not-a-defect", by="agent", proposed=True)
    held, merged = then([proposal], batch("run-2", [HERE], [finding(HERE)]))
    (issue,) = held.values()
    assert (issue.status, merged.happened[issue.issue]) == ("open", "refreshed")


def test_an_issue_is_as_severe_as_the_worst_of_its_sightings_and_has_that_ones_words() -> None:
    filed = [finding(HERE, severity="low", title="A"), finding(PHONE, severity="critical", title="B")]
    (issue,) = merge([], batch("run-1", [HERE, PHONE], filed)).issues
    assert (issue.severity, issue.title) == ("critical", "B")


def test_once_the_worst_sighting_is_not_seen_any_more_the_issue_is_less_severe() -> None:
    filed = [finding(HERE, severity="low"), finding(PHONE, severity="critical")]
    mended = shot(form_factor="phone", picture="b")
    held, merged = then(
        [], batch("run-1", [HERE, PHONE], filed), batch("run-2", [HERE, mended], [finding(HERE, severity="low")])
    )
    (issue,) = held.values()
    assert issue.severity == "low"
    assert [sighting.seen for sighting in issue.sightings] == [True, False]
    assert issue.not_seen_since is None
    assert merged.not_seen == ()


class TestNotSeenSince:
    def test_a_complete_verdict_on_changed_evidence_that_no_longer_files_it_marks_it_and_leaves_it_open(self) -> None:
        held, merged = then([one_issue()], batch("run-2", [CHANGED], []))
        (issue,) = held.values()
        assert (issue.not_seen_since, issue.status) == ("run-2", "open")
        assert merged.not_seen == (issue.issue,)
        assert merged.happened == {}

    def test_changed_facts_alone_are_changed_evidence(self) -> None:
        _, merged = then([one_issue()], batch("run-2", [shot(facts=digest("0"))], []))
        assert len(merged.not_seen) == 1

    def test_on_unchanged_evidence_nothing_changes(self) -> None:
        issue = one_issue()
        merged = merge([issue], batch("run-2", [HERE], []))
        assert (merged.issues, merged.not_seen) == ((), ())

    def test_another_oracles_verdict_says_nothing_of_it(self) -> None:
        assert merge([one_issue()], batch("run-2", [CHANGED], [], complete=("pixels", "layout"))).issues == ()

    def test_an_incomplete_verdict_says_nothing_of_it(self) -> None:
        assert merge([one_issue()], batch("run-2", [CHANGED], [], complete=())).issues == ()

    def test_a_verdict_about_other_categories_says_nothing_of_it(self) -> None:
        asked = batch("run-2", [CHANGED], [])
        narrowed = replace(asked, reaches=tuple(replace(r, categories=frozenset({"overlap"})) for r in asked.reaches))
        assert merge([one_issue()], narrowed).issues == ()

    @pytest.mark.parametrize(
        "elsewhere",
        [
            shot("/about", picture="b"),
            shot(form_factor="phone", picture="b"),
            shot(scheme="dark", picture="b"),
            shot(state="menu", picture="b", shot_id="app/menu"),
            shot(target="shop", picture="b", shot_id="shop"),
            shot(platform="ios", picture="b", shot_id="ios"),
        ],
        ids=["route", "form factor", "scheme", "state", "target", "platform"],
    )
    def test_a_verdict_on_another_shot_says_nothing_of_it(self, elsewhere: Shot) -> None:
        assert merge([one_issue()], batch("run-2", [elsewhere], [])).issues == ()

    def test_it_keeps_naming_the_first_run_that_did_not_see_it(self) -> None:
        held, merged = then([one_issue()], batch("run-2", [CHANGED], []), batch("run-3", [shot(picture="c")], []))
        (issue,) = held.values()
        assert issue.not_seen_since == "run-2"
        assert merged.not_seen == ()

    def test_seen_once_more_it_is_seen(self) -> None:
        held, _ = then([one_issue()], batch("run-2", [CHANGED], []), batch("run-3", [CHANGED], [finding(CHANGED)]))
        (issue,) = held.values()
        assert issue.not_seen_since is None
        assert issue.sightings[0].seen

    def test_filed_by_the_other_judge_it_is_seen(self) -> None:
        held, _ = then([one_issue()], batch("run-2", [CHANGED], [finding(CHANGED, oracle="pixels")]))
        (issue,) = held.values()
        assert issue.not_seen_since is None
        assert issue.sightings[0].oracle == "pixels"

    def test_merged_again_the_same_batch_says_again_that_it_is_not_seen(self) -> None:
        gone = batch("run-2", [CHANGED], [])
        _, merged = then([one_issue()], gone, gone)
        assert len(merged.not_seen) == 1


class TestDisputes:
    def test_a_dialogue_that_did_not_happen_takes_no_dispute_back(self) -> None:
        held, _ = then([one_issue(**disputed())], batch("run-2", [CHANGED], [finding(CHANGED)]))
        (sighting,) = next(iter(held.values())).sightings
        assert sighting.consensus is not None
        assert [d.note for d in sighting.consensus.disputed_by] == ["It reads well."]
        assert sighting.consensus.reported_by == "axe+layout"
        assert [r.verdict for r in sighting.rulings] == ["dispute"]

    def test_a_challenger_that_did_not_rule_on_it_takes_no_dispute_back(self) -> None:
        silent = finding(CHANGED, consensus=Consensus(reported_by="axe+layout"))
        held, _ = then([one_issue(**disputed())], batch("run-2", [CHANGED], [silent]))
        assert next(iter(held.values())).disputed

    def test_another_judges_word_takes_no_dispute_back(self) -> None:
        held, _ = then(
            [one_issue(**disputed("codex"))], batch("run-2", [CHANGED], [finding(CHANGED, **agreed("pixels"))])
        )
        (sighting,) = next(iter(held.values())).sightings
        assert sighting.consensus is not None
        assert sighting.consensus.agreed_by == ("pixels",)
        assert [d.oracle for d in sighting.consensus.disputed_by] == ["codex"]

    def test_the_judge_that_disputed_it_may_agree_later(self) -> None:
        held, _ = then([one_issue(**disputed())], batch("run-2", [CHANGED], [finding(CHANGED, **agreed())]))
        (issue,) = held.values()
        assert not issue.disputed
        assert [r.verdict for r in issue.sightings[0].rulings] == ["agree"]

    def test_the_judge_that_disputed_it_may_file_it_itself_later(self) -> None:
        own = finding(CHANGED, oracle="pixels", consensus=Consensus(reported_by="pixels"))
        held, _ = then([one_issue(**disputed())], batch("run-2", [CHANGED], [own]))
        assert not next(iter(held.values())).disputed

    def test_an_agreement_on_old_evidence_is_not_carried_to_the_new(self) -> None:
        held, _ = then([one_issue(**agreed())], batch("run-2", [CHANGED], [finding(CHANGED)]))
        assert next(iter(held.values())).sightings[0].consensus is None

    def test_a_dispute_changes_no_status_and_no_severity(self) -> None:
        issue = one_issue(**disputed())
        assert (issue.status, issue.severity, issue.sightings[0].confidence) == ("open", "high", "high")


class TestTheShell:
    def test_a_defect_of_the_navigation_is_one_issue_on_whatever_route_it_is_seen(self) -> None:
        about = shot("/about")
        held, merged = then(
            [],
            batch("run-1", [HERE], [finding(HERE, region="shell-nav")]),
            batch("run-1", [about], [finding(about, region="shell-nav")]),
        )
        (issue,) = held.values()
        assert issue.place == "[shell-nav]"
        assert merged.happened == {issue.issue: "new"}

    def test_within_a_run_the_route_with_the_worst_account_stands_whichever_comes_first(self) -> None:
        about = shot("/about")
        one = batch("run-1", [HERE], [finding(HERE, region="shell-nav", severity="low")])
        two = batch("run-1", [about], [finding(about, region="shell-nav", severity="high")])
        assert then([], one, two)[0] == then([], two, one)[0]
        (issue,) = then([], one, two)[0].values()
        assert (issue.severity, issue.sightings[0].route) == ("high", "/about")

    def test_agreed_on_one_route_and_disputed_on_another_it_is_not_disputed(self) -> None:
        about = shot("/about")
        one = batch("run-1", [HERE], [finding(HERE, region="shell-nav", **disputed())])
        two = batch("run-1", [about], [finding(about, region="shell-nav", **agreed())])
        for held in (then([], one, two)[0], then([], two, one)[0]):
            assert not next(iter(held.values())).disputed


class TestARunThatEndsLate:
    """run-1 began before run-2 and is merged after it."""

    LATE = batch("run-1", [HERE], [finding(HERE, title="old", severity="low")])

    def newer(self, **more: Any) -> Issue:
        (issue,) = merge([], batch("run-2", [CHANGED], [finding(CHANGED, title="new", **more)])).issues
        return issue

    def test_it_neither_reopens_nor_moves_the_last_run_back(self) -> None:
        held, merged = then([ruled(self.newer(), "fixed")], self.LATE)
        (issue,) = held.values()
        assert (issue.status, issue.reopened, issue.reopened_run) == ("fixed", 0, None)
        assert (issue.first_run, issue.last_run) == ("run-1", "run-2")
        assert "reopened" not in merged.happened.values()

    def test_it_does_not_replace_newer_evidence_nor_its_words(self) -> None:
        held, _ = then([self.newer()], self.LATE)
        (issue,) = held.values()
        (sighting,) = issue.sightings
        assert (sighting.picture, sighting.title, sighting.last_run) == (CHANGED.picture, "new", "run-2")
        assert (issue.title, issue.severity) == ("new", "high")

    def test_it_takes_no_newer_dispute_back(self) -> None:
        held, _ = then([self.newer(**disputed())], batch("run-1", [HERE], [finding(HERE, **agreed())]))
        assert next(iter(held.values())).disputed

    def test_it_marks_nothing_unseen_that_the_newer_one_saw(self) -> None:
        assert merge([self.newer()], batch("run-1", [HERE], [])).issues == ()

    def test_what_the_newer_one_no_longer_saw_stays_unseen(self) -> None:
        held, _ = then([one_issue()], batch("run-3", [CHANGED], []))
        unseen = next(iter(held.values()))
        for late in (
            batch("run-2", [HERE], [finding(HERE)]),
            batch("run-2", [HERE, PHONE], [finding(HERE), finding(PHONE)]),
        ):
            once, _ = then([unseen], late)
            assert next(iter(once.values())).not_seen_since == "run-3"
            assert then(list(once.values()), late)[0] == once
        held, _ = then([ruled(unseen, "fixed")], late)
        assert next(iter(held.values())).status == "fixed"

    def test_where_it_alone_looked_its_evidence_is_taken(self) -> None:
        on_phone = batch("run-1", [PHONE], [finding(PHONE, severity="critical")])
        held, merged = then([self.newer()], on_phone)
        (issue,) = held.values()
        assert [(s.form_factor, s.last_run, s.seen) for s in issue.sightings] == [
            ("desktop", "run-2", True),
            ("phone", "run-1", True),
        ]
        assert (issue.severity, issue.last_run) == ("critical", "run-2")
        assert len(merged.new_sightings) == 1

    def test_merged_twice_it_says_and_does_the_same(self) -> None:
        once, first = then([ruled(self.newer(), "fixed")], self.LATE)
        twice, second = then(list(once.values()), self.LATE)
        assert (twice, second.happened) == (once, first.happened)


def test_the_proposals_own_repeats_of_one_identity_are_one_sighting_the_worse_of_them() -> None:
    filed = [finding(HERE, severity="low", title="A"), finding(HERE, severity="high", title="B")]
    (issue,) = merge([], batch("run-1", [HERE], filed)).issues
    (sighting,) = issue.sightings
    assert sighting.title == "B"


def test_a_finding_that_names_a_shot_of_another_batch_is_a_defect_of_ours() -> None:
    with pytest.raises(DefectError, match="phone"):
        merge([], batch("run-1", [HERE], [finding(PHONE)]))


def test_issues_the_batch_has_nothing_to_say_of_are_not_handed_back() -> None:
    about = shot("/about")
    assert merge([one_issue()], batch("run-2", [about], [])).issues == ()


def test_merging_leaves_what_it_was_given_as_it_was() -> None:
    issue = one_issue()
    copy = one_issue()
    merge([issue], batch("run-2", [CHANGED], []))
    assert issue == copy
