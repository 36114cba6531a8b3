"""What people rule on issues, and how an issue is named.

Answers for: a ruling's own rules, and the issue that a short form of its key names. Declines to know who is a person:
whoever calls says whether a ruling is made or only proposed.

Rules, in order:
1. `by-design`, `not-a-defect` and `blocked` need a reason. Each ruling says who ruled and when.
2. The latest ruling that is not a proposal is the issue's status. All rulings are kept, oldest first.
3. `open` takes a ruling back: it is a ruling like the others and is kept like them.
4. A proposal changes no status. To accept one is to rule the same.
5. The same ruling once more (same status, reason, name and time) changes nothing.
"""

from __future__ import annotations

import heapq
import re
from calendar import monthrange
from collections.abc import Collection, Iterator
from dataclasses import replace
from typing import Final

from bicameral.canonical.plain import encodable
from bicameral.errors import InputError, UnknownIssueError
from bicameral.model.backlog import HumanRuling, Issue
from bicameral.model.vocabulary import REASONED_STATUSES, STATUSES, Status

MIN_PREFIX: Final = 4
"""Fewest digits of a key that name an issue."""

NAMES_SHOWN: Final = 5

_TIME: Final = re.compile(
    r"(?P<year>\d{4})-(?P<month>0[1-9]|1[0-2])-(?P<day>0[1-9]|[12]\d|3[01])"
    r"T([01]\d|2[0-3]):[0-5]\d:([0-5]\d|60)(\.\d+)?Z",
    re.ASCII,
)
"""RFC 3339 in UTC, the form every time has here. Others are refused, so that rulings sort by their text. A second may
be the 60th (RFC 3339, 5.6: a leap second)."""


def rule(
    issue: Issue, *, status: Status, ruled_by: str, ruled_at: str, reason: str = "", proposed: bool = False
) -> Issue:
    """The issue with one more ruling.

    reason: may be empty for `open`, `confirmed` and `fixed`.  ruled_by: a person's name, or an agent's for a proposal.
    ruled_at: RFC 3339 in UTC, `2026-11-30T12:00:00Z`.  Raises InputError that names the member and the mend.
    """
    ruling = HumanRuling(
        issue=issue.issue,
        status=status,
        reason=reason.strip(),
        ruled_by=ruled_by.strip(),
        ruled_at=ruled_at,
        proposed=proposed,
    )
    for fault in faults_of(ruling):
        raise InputError(f"Issue {issue.issue} cannot be ruled {status!r}: {fault}")
    if issue.rulings and issue.rulings[-1] == ruling:
        return issue
    return replace(issue, status=issue.status if proposed else status, rulings=(*issue.rulings, ruling))


def faults_of(ruling: HumanRuling) -> Iterator[str]:
    """What is wrong with a ruling, each as `member: sentence`."""
    if ruling.status not in STATUSES:
        yield f"status: there is no {ruling.status!r}; there are {', '.join(STATUSES)}."
    if ruling.status in REASONED_STATUSES and not ruling.reason.strip():
        yield f"reason: {ruling.status} needs one, for whoever meets the finding next."
    if not ruling.ruled_by.strip():
        yield "ruled_by: a ruling says who ruled."
    if not _is_time(ruling.ruled_at):
        yield f"ruled_at: {ruling.ruled_at!r} is not a time in UTC such as 2026-11-30T12:00:00Z."
    for member in ("reason", "ruled_by"):
        text = getattr(ruling, member)
        if "\0" in text or not encodable(text):
            yield f"{member}: holds a NUL character or half a character, which no store can keep."


def _is_time(text: str) -> bool:
    found = _TIME.fullmatch(text)
    return found is not None and 0 < int(found["day"]) <= monthrange(int(found["year"]) or 4, int(found["month"]))[1]


def standing_status(rulings: tuple[HumanRuling, ...]) -> Status:
    """The status that the rulings alone give: the last one made, `open` where none was."""
    return next((ruling.status for ruling in reversed(rulings) if not ruling.proposed), "open")


def find_issue(text: str, keys: Collection[str]) -> str:
    """The one key that `text` names: itself, or its first MIN_PREFIX digits or more.

    Case and surrounding blanks do not count.  Raises UnknownIssueError: with the nearest keys where none begins so, and
    with the first that do where several do.
    """
    wanted = text.strip().lower()
    if len(wanted) < MIN_PREFIX:
        raise UnknownIssueError(
            f"{text!r} is too short for an issue.", mend=f"Give at least {MIN_PREFIX} digits of its key."
        )
    if wanted in keys:
        return wanted
    matching = sorted(key for key in keys if key.startswith(wanted))
    if len(matching) == 1:
        return matching[0]
    if matching:
        raise UnknownIssueError(
            f"{text!r} is the beginning of {len(matching)} issues: {_some(matching)}.", mend="Give more digits."
        )
    if not keys:
        raise UnknownIssueError(
            f"There is no issue {text!r}: the backlog is empty.", mend="Run `bicameral check` first."
        )
    raise UnknownIssueError(
        f"There is no issue {text!r}.",
        mend=f"The nearest are {', '.join(_nearest(wanted, keys))}; `bicameral backlog list --status all` lists them.",
    )


def _nearest(wanted: str, keys: Collection[str]) -> list[str]:
    """The three keys that differ from the text in the fewest places."""

    def distance(key: str) -> tuple[int, str]:
        return (sum(ours != theirs for ours, theirs in zip(wanted, key, strict=False)), key)

    return heapq.nsmallest(3, keys, key=distance)


def _some(keys: list[str]) -> str:
    shown = ", ".join(keys[:NAMES_SHOWN])
    return shown if len(keys) <= NAMES_SHOWN else f"{shown} and {len(keys) - NAMES_SHOWN} more"
