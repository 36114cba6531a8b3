"""What importing a document into a store that holds issues means."""

from __future__ import annotations

from dataclasses import replace

import pytest
from backlog_builders import batch, finding, one_issue, ruled, shot, then

from bicameral.backlog import combine
from bicameral.errors import InputError
from bicameral.model.backlog import Issue

ONE, TWO, THREE = (f"2026-12-0{day}T00:00:00Z" for day in (1, 2, 3))


def together(ours: Issue, theirs: Issue, *, newest_decides: bool = False) -> Issue:
    changed = combine([ours], [theirs], newest_decides=newest_decides).issues
    return changed[0] if changed else ours


def test_what_only_the_document_has_is_added_and_what_only_the_store_has_stays() -> None:
    here, about = one_issue(), replace(one_issue(), issue="f" * 20)
    combined = combine([here], [about])
    assert (combined.added, combined.updated, combined.unchanged) == ((about.issue,), (), ())
    assert combined.issues == (about,)


def test_a_ruling_made_elsewhere_arrives() -> None:
    assert together(one_issue(), ruled(one_issue(), "by-design")).status == "by-design"


def test_an_older_document_takes_no_ruling_back() -> None:
    ours = ruled(one_issue(), "by-design")
    assert combine([ours], [one_issue()]).unchanged == (ours.issue,)


def test_histories_that_parted_and_came_to_one_status_are_joined_by_time() -> None:
    ours = ruled(one_issue(), "fixed", at=TWO, by="ada")
    theirs = ruled(ruled(one_issue(), "confirmed", at=ONE, by="bo"), "fixed", at=THREE, by="bo")
    both = together(ours, theirs)
    assert both.status == "fixed"
    assert [ruling.ruled_at for ruling in both.rulings] == [ONE, TWO, THREE]


def test_histories_that_parted_and_differ_are_refused_every_one_named_and_nothing_changed() -> None:
    ours = ruled(one_issue(), "by-design", at=ONE, by="ada")
    theirs = ruled(one_issue(), "fixed", at=TWO, by="bo")
    second = replace(ours, issue="f" * 20), replace(theirs, issue="f" * 20)
    with pytest.raises(InputError) as caught:
        combine([ours, second[0]], [theirs, second[1]])
    message = str(caught.value)
    assert message.startswith("2 issues")
    assert f"{ours.issue}: here ruled by-design by ada at {ONE}; there ruled fixed by bo at {TWO}" in message
    assert "f" * 20 in message
    assert "Nothing was imported" in message


def test_the_newest_ruling_decides_where_the_caller_says_so_and_none_is_lost() -> None:
    ours = ruled(one_issue(), "by-design", at=ONE, by="ada")
    theirs = ruled(one_issue(), "fixed", at=TWO, by="bo")
    both = together(ours, theirs, newest_decides=True)
    assert (both.status, len(both.rulings)) == ("fixed", 2)
    assert together(theirs, ours, newest_decides=True) == replace(both, rulings=both.rulings)


def test_of_two_rulings_of_one_instant_the_stores_decides() -> None:
    ours, theirs = ruled(one_issue(), "by-design", by="ada"), ruled(one_issue(), "fixed", by="bo")
    assert together(ours, theirs, newest_decides=True).status == "by-design"


def test_a_second_is_before_its_own_fractions() -> None:
    ours = ruled(one_issue(), "by-design", at="2026-12-01T00:00:00.5Z")
    theirs = ruled(one_issue(), "fixed", at="2026-12-01T00:00:00Z")
    assert together(ours, theirs, newest_decides=True).status == "by-design"


def test_a_conflict_is_settled_by_ruling_here_as_the_document_does() -> None:
    ours = ruled(one_issue(), "by-design", at=ONE, by="ada")
    theirs = ruled(one_issue(), "fixed", at=TWO, by="bo")
    assert together(ruled(ours, "fixed", at=THREE), theirs).status == "fixed"


def test_an_agents_proposals_are_no_conflict_and_are_all_kept() -> None:
    ours = ruled(one_issue(), "fixed", at=ONE)
    theirs = ruled(one_issue(), "not-a-defect", at=TWO, by="agent", proposed=True)
    both = together(ours, theirs)
    assert (both.status, len(both.rulings)) == ("fixed", 2)


def test_seen_again_here_after_the_common_ruling_fixed_it_stays_reopened() -> None:
    here = shot()
    fixed = ruled(one_issue(), "fixed")
    (again,) = then([fixed], batch("run-2", [here], [finding(here)]))[0].values()
    assert together(again, fixed).status == "open"
    assert together(fixed, again).status == "open"
    assert together(fixed, again).reopened == 1


def test_of_two_states_of_a_sighting_the_later_runs_stands() -> None:
    changed = shot(picture="b")
    ours = one_issue()
    (theirs,) = then([ours], batch("run-2", [changed], [finding(changed, severity="low")]))[0].values()
    for both in (together(ours, theirs), together(theirs, ours)):
        assert (both.severity, both.first_run, both.last_run) == ("low", "run-1", "run-2")


def test_sightings_of_both_sides_are_kept_and_the_issue_is_as_severe_as_the_worst() -> None:
    phone = shot(form_factor="phone")
    (theirs,) = then([], batch("run-0", [phone], [finding(phone, severity="critical")]))[0].values()
    both = together(one_issue(), theirs)
    assert [sighting.form_factor for sighting in both.sightings] == ["desktop", "phone"]
    assert (both.severity, both.first_run) == ("critical", "run-0")
