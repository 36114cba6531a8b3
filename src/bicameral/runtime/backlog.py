"""What people do with the backlog: list, look, rule, take out and take in."""

from __future__ import annotations

import getpass
import subprocess
from collections.abc import Collection
from typing import Any

from bicameral.backlog import combine, export_document, read_document, rule
from bicameral.backlog import find_issue as match_issue
from bicameral.model.backlog import Issue
from bicameral.model.vocabulary import SEVERITIES, Severity, Status
from bicameral.runtime.workspace import Workspace
from bicameral.storage import Reader


def list_issues(
    space: Workspace, *, statuses: Collection[Status], severities: Collection[Severity], disputed_only: bool = False
) -> tuple[Issue, ...]:
    """Issues of these statuses and severities, worst first, then by where they are."""
    found = space.store.issues(statuses=statuses, severities=severities)
    kept = [issue for issue in found if issue.disputed or not disputed_only]
    return tuple(sorted(kept, key=lambda issue: SEVERITIES.index(issue.severity)))


def find_issue(space: Workspace, key: str) -> Issue:
    """The issue of a key or of its unique start. Raises UnknownIssueError."""
    with space.store.read() as reader:
        return _found(reader, key)


def rule_issue(space: Workspace, key: str, *, status: Status, reason: str, by: str | None) -> Issue:
    """Rule on an issue as a person; committed when this returns. Raises UnknownIssueError or InputError."""
    ruled_by = by or who_rules()
    with space.store.write() as tx:
        ruled = rule(_found(tx, key), status=status, reason=reason, ruled_by=ruled_by, ruled_at=space.clock.now())
        tx.save_issues([ruled])
    return ruled


def export_backlog(space: Workspace) -> tuple[bytes, int]:
    """The whole backlog as its document, and how many issues it holds."""
    issues = space.store.issues()
    return export_document(issues), len(issues)


def import_backlog(space: Workspace, body: bytes) -> dict[str, Any]:
    """Take a document into the store, all of it or nothing. Counts by what became of each issue.

    Raises RecordError for a document that is none, with every fault's path, and InputError for conflicting rulings.
    """
    incoming = read_document(body)
    with space.store.write() as tx:
        combined = combine(tx.issues_of([issue.issue for issue in incoming]), incoming)
        tx.save_issues(combined.issues)
    return {
        "added": len(combined.added),
        "updated": len(combined.updated),
        "unchanged": len(combined.unchanged),
    }


def who_rules() -> str:
    """The name a ruling made on this machine bears: git's user, else the login."""
    try:
        done = subprocess.run(["git", "config", "user.name"], capture_output=True, text=True, timeout=5, check=False)
        name = done.stdout.strip()
    except (OSError, subprocess.SubprocessError):
        name = ""
    try:
        return name or getpass.getuser()
    except (OSError, KeyError):
        return "unknown"


def _found(reader: Reader, key: str) -> Issue:
    """Raises UnknownIssueError for a key that names none, or the start of several."""
    whole = match_issue(key, reader.issue_keys())
    found = reader.issue(whole)
    assert found is not None
    return found
