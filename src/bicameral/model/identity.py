"""What makes two findings one defect. No prose takes part.

An issue is target, route (or shell region), state, platform, category and attribute: one defect, one row, and
where people rule. A sighting adds form factor and scheme: evidence of it. A defect of the shell (navigation,
header, footer) is one issue on whatever route it is seen.
"""

from __future__ import annotations

import hashlib
import json
from typing import Final

from bicameral.model.backlog import Issue
from bicameral.model.evidence import Shot
from bicameral.model.findings import Finding

KEY_DIGITS: Final = 20
"""Hex digits of a key: 80 bits, so that a million issues collide with a chance below 1e-12."""


def issue_key(finding: Finding, shot: Shot) -> str:
    """The issue a finding on a shot belongs to: 20 hex digits."""
    return _key("issue/1", _issue_parts(finding, shot))


def sighting_key(finding: Finding, shot: Shot) -> str:
    """The sighting of that issue at the shot's form factor and scheme: 20 hex digits."""
    return _key("sighting/1", [*_issue_parts(finding, shot), shot.form_factor, shot.scheme])


def place_of(finding: Finding, shot: Shot) -> str:
    """The route, or the shell region that stands in for every route that shows it."""
    return shot.route if finding.region == "content" else f"[{finding.region}]"


def key_of_issue(issue: Issue) -> str:
    """The key that an issue's own parts give: what `issue.issue` has to be."""
    return _key("issue/1", _parts_of_issue(issue))


def key_of_sighting(issue: Issue, form_factor: str, scheme: str) -> str:
    """The key of an issue's sighting at a form factor and scheme."""
    return _key("sighting/1", [*_parts_of_issue(issue), form_factor, scheme])


def _parts_of_issue(issue: Issue) -> list[str]:
    return [issue.target, issue.place, issue.state, issue.platform, issue.category, issue.attribute]


def _issue_parts(finding: Finding, shot: Shot) -> list[str]:
    return [shot.target, place_of(finding, shot), shot.state, shot.platform, finding.category, finding.attribute]


def _key(kind: str, parts: list[str]) -> str:
    # ASCII JSON of a list of strings is its own canonical form, so no serialiser's choices reach an identity.
    text = json.dumps([kind, *parts], ensure_ascii=True, separators=(",", ":"))
    return hashlib.sha256(text.encode("ascii")).hexdigest()[:KEY_DIGITS]
