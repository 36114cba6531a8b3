"""What a dialogue came to, as bytes that a chain can name: the findings with their consensus, and what was left open.

Answers for: the same account gives the same bytes, whatever judged it, what it cost and how long it took. Declines to
hold what was weighed afterwards: an adjudication is a dialog of its own.
"""

from __future__ import annotations

from typing import Final

from bicameral.canonical import record_json
from bicameral.dialogue.content import finding_content
from bicameral.model.findings import Consensus, Finding
from bicameral.model.judging import DialogueResult

OUTCOME_V1: Final = "bicameral.outcome.v1"
"""The type of the document, so that its digest can be no other document's."""


def outcome_of(result: DialogueResult) -> bytes:
    """Canonical JSON (RFC 8785). Raises UnrecordableError for what a record may not hold either."""
    return record_json(
        {
            "type": OUTCOME_V1,
            "findings": [_finding(finding) for finding in result.findings],
            "clean_shot_ids": list(result.clean_shot_ids),
            "unaccounted": list(result.unaccounted),
            "unruled": list(result.unruled),
            "dialogued": result.dialogued,
            "undialogued_reason": result.undialogued_reason,
            "second_round_reason": result.second_round_reason,
        },
        "outcome",
    )


def _finding(finding: Finding) -> dict[str, object]:
    consensus = finding.consensus
    return {**finding_content(finding), "consensus": None if consensus is None else _consensus(consensus)}


def _consensus(consensus: Consensus) -> dict[str, object]:
    return {
        "reported_by": consensus.reported_by,
        "agreed_by": list(consensus.agreed_by),
        "disputed_by": [{"oracle": dissent.oracle, "note": dissent.note} for dissent in consensus.disputed_by],
        "amended_by": [{"oracle": dissent.oracle, "note": dissent.note} for dissent in consensus.amended_by],
        "undecided_by": list(consensus.undecided_by),
        "rounds": consensus.rounds,
    }
