"""Two judges, one account of what is wrong in an application's screenshots, and everything they said on record.

Everything public is importable from here and listed in `__all__`; each name is loaded when it is first asked for, so
that importing the package costs nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

__version__ = "0.1.0"

_HOMES: Final = {
    "bicameral.model.seats": ("Seat", "Roster"),
    "bicameral.model.evidence": ("Shot",),
    "bicameral.model.findings": ("Finding", "Consensus", "Dissent", "Ruling"),
    "bicameral.model.judging": (
        "JudgeContext",
        "DialogueContext",
        "JudgeRequest",
        "JudgeReply",
        "JudgeBatchResult",
        "DialogueResult",
    ),
    "bicameral.runtime.judging": ("judge_batch", "judge_with_dialogue"),
    "bicameral.dialogue": ("parse_judge_reply", "parse_challenge", "consensus_for"),
    "bicameral.model.identity": ("issue_key", "sighting_key"),
    "bicameral.judges": ("register_judge",),
    "bicameral.model.adjudication": ("AdjudicationResult", "MAX_CONFIDENCE_PENALTY"),
    "bicameral.adjudication": ("adjudicate_contradiction", "adjudicate_many", "nli_to_verdict"),
    "bicameral.adjudication.nli": ("OnnxNLI", "HttpNLI"),
    "bicameral.ports": ("NLIResult",),
    "bicameral.canonical": (
        "DialogTurn",
        "canonical_dialog_snapshot",
        "dialog_wire_key",
        "wire_digest",
        "turn_hash",
        "wire_format_equivalent_dialog",
        "build_agent_dialog_v1_record",
        "read_record",
        "AGENT_DIALOG_V1",
    ),
    "bicameral.witness": ("DialogRecorder",),
    "bicameral.errors": ("DuplicateTurnError", "BicameralError", "JudgeFailed"),
}
_HOME_OF: Final = {name: home for home, names in _HOMES.items() for name in names}

__all__ = [  # noqa: RUF022  # in the order of the reference
    "Seat",
    "Roster",
    "Shot",
    "Finding",
    "Consensus",
    "Dissent",
    "Ruling",
    "JudgeContext",
    "DialogueContext",
    "JudgeRequest",
    "JudgeReply",
    "JudgeBatchResult",
    "DialogueResult",
    "judge_batch",
    "judge_with_dialogue",
    "parse_judge_reply",
    "parse_challenge",
    "consensus_for",
    "issue_key",
    "sighting_key",
    "register_judge",
    "adjudicate_contradiction",
    "adjudicate_many",
    "nli_to_verdict",
    "AdjudicationResult",
    "NLIResult",
    "MAX_CONFIDENCE_PENALTY",
    "OnnxNLI",
    "HttpNLI",
    "DialogTurn",
    "DialogRecorder",
    "canonical_dialog_snapshot",
    "dialog_wire_key",
    "wire_digest",
    "turn_hash",
    "wire_format_equivalent_dialog",
    "build_agent_dialog_v1_record",
    "read_record",
    "AGENT_DIALOG_V1",
    "DuplicateTurnError",
    "JudgeFailed",
    "BicameralError",
]

if TYPE_CHECKING:
    from bicameral.adjudication import adjudicate_contradiction, adjudicate_many, nli_to_verdict
    from bicameral.adjudication.nli import HttpNLI, OnnxNLI
    from bicameral.canonical import (
        AGENT_DIALOG_V1,
        DialogTurn,
        build_agent_dialog_v1_record,
        canonical_dialog_snapshot,
        dialog_wire_key,
        read_record,
        turn_hash,
        wire_digest,
        wire_format_equivalent_dialog,
    )
    from bicameral.dialogue import consensus_for, parse_challenge, parse_judge_reply
    from bicameral.errors import BicameralError, DuplicateTurnError, JudgeFailed
    from bicameral.judges import register_judge
    from bicameral.model.adjudication import MAX_CONFIDENCE_PENALTY, AdjudicationResult
    from bicameral.model.evidence import Shot
    from bicameral.model.findings import Consensus, Dissent, Finding, Ruling
    from bicameral.model.identity import issue_key, sighting_key
    from bicameral.model.judging import (
        DialogueContext,
        DialogueResult,
        JudgeBatchResult,
        JudgeContext,
        JudgeReply,
        JudgeRequest,
    )
    from bicameral.model.seats import Roster, Seat
    from bicameral.ports import NLIResult
    from bicameral.runtime.judging import judge_batch, judge_with_dialogue
    from bicameral.witness import DialogRecorder


def __getattr__(name: str) -> Any:
    home = _HOME_OF.get(name)
    if home is None:
        raise AttributeError(f"module 'bicameral' has no attribute {name!r}")
    value = getattr(import_module(home), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
