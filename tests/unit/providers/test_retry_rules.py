"""When a request is sent again, and after how long."""

from __future__ import annotations

from email.utils import formatdate

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bicameral.providers.retry import RetryPolicy, asked_wait, wait_before_retry

NOW = 1_800_000_000.0
POLICY = RetryPolicy(tries=4, first_s=1.0, longest_s=5.0)


def wait(
    tried: int = 1, *, retryable: bool = True, asked: float | None = None, left: float | None = None, by: float = 0.5
) -> float | None:
    return wait_before_retry(POLICY, tried=tried, retryable=retryable, asked_s=asked, left_s=left, jitter=by)


def test_the_wait_doubles_up_to_its_limit_and_half_of_it_is_chance() -> None:
    assert [wait(tried, by=0.0) for tried in (1, 2, 3)] == [0.5, 1.0, 2.0]
    long = RetryPolicy(tries=9, first_s=1.0, longest_s=5.0)
    waits = [wait_before_retry(long, tried=t, retryable=True, asked_s=None, left_s=None, jitter=1.0) for t in (4, 5, 8)]
    assert waits == [5.0, 5.0, 5.0]


def test_after_the_last_try_there_is_none() -> None:
    assert wait(4) is None


def test_what_would_fail_again_is_not_sent_again() -> None:
    assert wait(retryable=False, asked=0.0) is None


def test_a_server_that_says_how_long_is_waited_for_and_a_little_more_by_chance() -> None:
    assert wait(asked=7.0, by=0.0) == 7.0
    assert wait(asked=7.0, by=1.0) == 8.0


def test_a_wait_past_the_deadline_is_not_begun() -> None:
    assert wait(asked=7.0, left=7.0, by=0.0) is None
    assert wait(asked=7.0, left=7.1, by=0.0) == 7.0


def test_a_wait_longer_than_anybody_waits_is_not_begun_even_without_a_deadline() -> None:
    assert wait(asked=300.0, by=0.0) == 300.0
    assert wait(asked=301.0, by=0.0) is None


@given(
    tried=st.integers(1, 10),
    asked=st.none() | st.floats(0, 1e6),
    left=st.none() | st.floats(-10, 1e6),
    jitter=st.floats(0, 1, exclude_max=True),
)
def test_no_wait_is_negative_or_past_the_deadline_or_shorter_than_asked(
    tried: int, asked: float | None, left: float | None, jitter: float
) -> None:
    found = wait_before_retry(POLICY, tried=tried, retryable=True, asked_s=asked, left_s=left, jitter=jitter)
    if found is not None:
        assert found >= (asked or 0.0)
        assert left is None or found < left
        assert tried < POLICY.tries


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("0", 0.0),
        ("30", 30.0),
        ("1.5", 1.5),
        (formatdate(NOW + 90, usegmt=True), 90.0),
        (formatdate(NOW - 90, usegmt=True), 0.0),
        ("Friday, 15-Jan-27 08:01:30 GMT", 90.0),
        ("Fri Jan 15 08:01:30 2027", 90.0),
    ],
)
def test_retry_after_is_read_as_seconds_and_as_a_date_of_any_form(text: str, seconds: float) -> None:
    assert asked_wait({"retry-after": text}, now=NOW) == seconds


@pytest.mark.parametrize("text", ["", "soon", "-1", "nan", "inf", "1e999", "٣", "Fri, 32 Foo 2027", "2027-01-15"])
def test_a_retry_after_that_cannot_be_read_asks_for_nothing(text: str) -> None:
    assert asked_wait({"retry-after": text}, now=NOW) is None


def test_no_header_asks_for_nothing() -> None:
    assert asked_wait({}, now=NOW) is None


def test_milliseconds_go_before_seconds() -> None:
    assert asked_wait({"retry-after": "9", "retry-after-ms": "250"}, now=NOW) == 0.25


def test_a_date_is_measured_by_the_servers_own_clock() -> None:
    headers = {"retry-after": formatdate(NOW + 5, usegmt=True), "date": formatdate(NOW, usegmt=True)}
    assert asked_wait(headers, now=NOW + 3600) == 5.0


@given(st.text(max_size=40))
def test_any_header_whatever_is_a_wait_of_zero_or_more_or_none(text: str) -> None:
    found = asked_wait({"retry-after": text, "date": text}, now=NOW)
    assert found is None or found >= 0
