"""The one place that reads the clock, and makes ids of it."""

from __future__ import annotations

import secrets
from datetime import UTC, datetime


class SystemClock:
    """`ports.Clock` of this machine."""

    def now(self) -> str:
        return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def new_run_id() -> str:
    """An id that sorts by when the run began, to the millisecond: `20261130T204501123-9f3a`."""
    moment = datetime.now(UTC)
    return f"{moment:%Y%m%dT%H%M%S}{moment.microsecond // 1000:03d}-{secrets.token_hex(2)}"
