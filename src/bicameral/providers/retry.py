"""Whether a failed request is sent again, and after how long. Pure: time and chance are handed in.

Rules, in order:
1. What would fail in the same way again is not sent again, nor is anything after the last try.
2. A server that says how long to wait is waited for that long, and a little more by chance, so that many clients do
   not come back at once (RFC 9110, 10.2.3). Otherwise the wait doubles with each try, up to a limit, and half of it is
   chance.
3. A wait that would end past the deadline, or that is longer than anybody waits, is not begun: the failure is told now
   instead of later.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime


@dataclass(frozen=True, kw_only=True)
class RetryPolicy:
    """tries: requests in all, at least 1.  first_s: the first wait; it doubles up to longest_s.

    longest_asked_s: a server that asks for a longer wait than this is not waited for.
    """

    tries: int = 4
    first_s: float = 0.5
    longest_s: float = 20.0
    longest_asked_s: float = 300.0


def wait_before_retry(
    policy: RetryPolicy,
    *,
    tried: int,
    retryable: bool,
    asked_s: float | None,
    left_s: float | None,
    jitter: float,
) -> float | None:
    """Seconds to wait before the next try, or None where there is none.

    tried: requests sent so far, at least 1.  asked_s: what the server asked for, None where it did not.
    left_s: seconds until the deadline, None for no deadline.  jitter: chance, 0 up to 1.
    """
    if not retryable or tried >= policy.tries or (asked_s or 0.0) > policy.longest_asked_s:
        return None
    backoff = min(policy.longest_s, policy.first_s * 2.0 ** (tried - 1))
    wait = backoff * (0.5 + jitter / 2) if asked_s is None else asked_s + policy.first_s * jitter
    if left_s is not None and wait >= left_s:
        return None
    return wait


def asked_wait(headers: Mapping[str, str], *, now: float) -> float | None:
    """The wait that a reply asks for, in seconds, 0 or more; None where it asks for none that can be read.

    headers: names in lower case.  now: seconds since 1970, used for a date where the reply has no `Date` of its own.
    `retry-after-ms` counts before `Retry-After`, which holds seconds or a date in any of RFC 9110's three forms.
    """
    exact = _seconds(headers.get("retry-after-ms"))
    if exact is not None:
        return exact / 1000
    text = headers.get("retry-after")
    seconds = _seconds(text)
    if seconds is not None or text is None:
        return seconds
    until = _date(text)
    if until is None:
        return None
    server_now = _date(headers.get("date", ""))
    return max(0.0, until - (now if server_now is None else server_now))


def _seconds(text: str | None) -> float | None:
    try:
        value = float(text) if text is not None and text.isascii() else math.nan
    except ValueError:
        return None
    return value if 0 <= value < math.inf else None


def _date(text: str) -> float | None:
    """Seconds since 1970. A date without a zone (RFC 850's and asctime's) is in UTC, as RFC 9110 says."""
    try:
        when: datetime = parsedate_to_datetime(text)
        return (when if when.tzinfo is not None else when.replace(tzinfo=UTC)).timestamp()
    except (ValueError, TypeError, IndexError, OverflowError):
        return None
