"""Findings and rulings as plain JSON values, and a finding's check mark.

Answers for: the words by which a finding is put to a judge, recorded and marked; the same for all three. Declines to
hold floats or anything derived (consensus, status).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from bicameral.canonical import canonical_json, sha256_digest
from bicameral.model.findings import Finding, RejectedRow, Ruling
from bicameral.model.judging import NumberedFinding

MARK_DIGITS: Final = 4
"""Hex digits of a check mark (DESIGN 13): enough to notice a slip of the number, short enough to be copied."""


def finding_content(finding: Finding) -> dict[str, object]:
    """A finding as it was filed, without what others said of it. Boxes are whole pixels, [x, y, width, height]."""
    return {
        "shot_id": finding.shot_id,
        "category": finding.category,
        "attribute": finding.attribute,
        "region": finding.region,
        "severity": finding.severity,
        "title": finding.title,
        "problem": finding.problem,
        "expected": finding.expected,
        "observed": finding.observed,
        "confidence": finding.confidence,
        "acceptance": list(finding.acceptance),
        "also_shot_ids": list(finding.also_shot_ids),
        "box": None if finding.box is None else finding.box.as_list(),
        "also_boxes": {place.shot_id: place.box.as_list() for place in finding.also_boxes},
        "oracle": finding.oracle,
    }


def ruling_content(ruling: Ruling) -> dict[str, object]:
    """A ruling without its speaker, which the turn names."""
    return {"index": ruling.index, "verdict": ruling.verdict, "notes": list(ruling.notes)}


def rejected_content(rejected: Iterable[RejectedRow]) -> list[object]:
    """Rejected rows as their JSON texts. Why they were is our wording, and no part of what was said."""
    return [row.row for row in rejected]


def mark_of(finding: Finding) -> str:
    """The check mark: the first four hex digits of the SHA-256 of the canonical finding."""
    digest = sha256_digest(canonical_json(finding_content(finding)))
    return digest.removeprefix("sha256:")[:MARK_DIGITS]


def numbered(findings: Iterable[Finding]) -> tuple[NumberedFinding, ...]:
    """Findings as they are put to the other judge: from 0, each with its mark."""
    return tuple(
        NumberedFinding(index=index, mark=mark_of(finding), finding=finding) for index, finding in enumerate(findings)
    )
