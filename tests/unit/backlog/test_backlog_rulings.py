"""What people may rule, and how they name an issue."""

from __future__ import annotations

from typing import Any

import pytest
from backlog_builders import AT, one_issue, ruled

from bicameral.backlog import find_issue, rule
from bicameral.errors import InputError, UnknownIssueError

KEYS = ["abcd0000000000000000", "abcd1111111111111111", "beef0000000000000000"]


@pytest.mark.parametrize("status", ["open", "confirmed", "fixed"])
def test_some_rulings_need_no_reason(status: Any) -> None:
    issue = rule(one_issue(), status=status, ruled_by="ada", ruled_at=AT)
    assert (issue.status, issue.rulings[-1].ruled_by, issue.rulings[-1].ruled_at) == (status, "ada", AT)


@pytest.mark.parametrize("reason", ["", "  \n"])
@pytest.mark.parametrize("status", ["by-design", "not-a-defect", "blocked"])
@pytest.mark.parametrize("proposed", [True, False])
def test_a_ruling_that_silences_an_issue_needs_a_reason(status: Any, reason: str, proposed: bool) -> None:
    with pytest.raises(InputError, match="needs one"):
        rule(one_issue(), status=status, reason=reason, ruled_by="ada", ruled_at=AT, proposed=proposed)


def test_a_ruling_can_be_taken_back_and_both_are_kept() -> None:
    issue = ruled(ruled(one_issue(), "by-design"), "open", at="2026-12-01T00:00:00Z")
    assert issue.status == "open"
    assert [ruling.status for ruling in issue.rulings] == ["by-design", "open"]
    assert issue.reopened == 0


def test_a_proposal_changes_no_status_and_is_kept() -> None:
    issue = ruled(one_issue(), "not-a-defect", by="agent", proposed=True)
    assert issue.status == "open"
    assert issue.rulings[0].proposed


def test_a_proposal_after_a_ruling_leaves_the_ruling_standing() -> None:
    assert ruled(ruled(one_issue(), "by-design"), "open", by="agent", proposed=True).status == "by-design"


def test_the_same_ruling_once_more_changes_nothing() -> None:
    once = ruled(one_issue(), "confirmed")
    assert ruled(once, "confirmed") == once


def test_blanks_around_a_reason_and_a_name_are_dropped() -> None:
    issue = rule(one_issue(), status="by-design", reason="  the brand's own grey \n", ruled_by=" ada ", ruled_at=AT)
    assert (issue.rulings[0].reason, issue.rulings[0].ruled_by) == ("the brand's own grey", "ada")


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"status": "wontfix"}, "there is no 'wontfix'"),
        ({"ruled_by": " "}, "says who ruled"),
        ({"ruled_at": "yesterday"}, "not a time in UTC"),
        ({"ruled_at": "2026-11-30T12:00:00+01:00"}, "not a time in UTC"),
        ({"ruled_at": "2026-99-99T99:99:99Z"}, "not a time in UTC"),
        ({"ruled_at": "2026-00-10T12:00:00Z"}, "not a time in UTC"),
        ({"ruled_at": "2026-11-31T12:00:00Z"}, "not a time in UTC"),
        ({"ruled_at": "2026-02-29T12:00:00Z"}, "not a time in UTC"),
        ({"ruled_at": "2026-11-30T24:00:00Z"}, "not a time in UTC"),
        ({"ruled_at": "2026-11-30T12:60:00Z"}, "not a time in UTC"),
        ({"ruled_at": "2026-11-30T12:00:61Z"}, "not a time in UTC"),
        ({"ruled_at": "２０２６-11-30T12:00:00Z"}, "not a time in UTC"),
        ({"ruled_at": "2026-11-30T12:00:00Z\n"}, "not a time in UTC"),
        ({"reason": "a\0b"}, "NUL"),
        ({"ruled_by": "\ud800"}, "half a character"),
    ],
)
def test_a_ruling_that_cannot_be_kept_is_refused_with_what_is_wrong(wrong: dict[str, Any], said: str) -> None:
    with pytest.raises(InputError, match=said):
        rule(one_issue(), **{"status": "confirmed", "ruled_by": "ada", "ruled_at": AT} | wrong)


class TestNamingAnIssue:
    @pytest.mark.parametrize("text", ["beef", "BEEF", "  beef00 ", KEYS[2]])
    def test_four_digits_are_enough_where_one_issue_begins_so(self, text: str) -> None:
        assert find_issue(text, KEYS) == KEYS[2]

    def test_a_whole_key_names_its_issue_though_another_begins_so(self) -> None:
        assert find_issue("abcd", ["abcd", "abcd1"]) == "abcd"

    @pytest.mark.parametrize("text", ["", "abc", " b "])
    def test_less_is_too_short(self, text: str) -> None:
        with pytest.raises(UnknownIssueError, match="at least 4"):
            find_issue(text, KEYS)

    def test_a_beginning_that_several_share_is_refused_with_their_names(self) -> None:
        with pytest.raises(UnknownIssueError, match=f"2 issues: {KEYS[0]}, {KEYS[1]}"):
            find_issue("abcd", KEYS)

    def test_an_unknown_one_is_refused_with_the_nearest(self) -> None:
        with pytest.raises(UnknownIssueError, match=f"nearest are {KEYS[2]}"):
            find_issue("beaf", KEYS)

    def test_nothing_is_found_in_an_empty_backlog(self) -> None:
        with pytest.raises(UnknownIssueError, match="backlog is empty"):
            find_issue("beef", [])


@pytest.mark.parametrize("at", ["2024-02-29T00:00:00Z", "2016-12-31T23:59:60Z", "0000-02-29T12:00:00.125Z"])
def test_every_time_that_there_is_can_be_ruled_at(at: str) -> None:
    assert rule(one_issue(), status="confirmed", ruled_by="ada", ruled_at=at).rulings[-1].ruled_at == at
