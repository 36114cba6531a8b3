"""A result as a plain document that a record may hold, and back.

Answers for: the same result after writing and reading, and no float on the way (a record holds none: a score is the
shortest decimal text that reads back as the same double). Pure. Declines to keep a failure's detail: it may name hosts.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from bicameral.errors import RecordError
from bicameral.model._shape import Fault, reader
from bicameral.model.adjudication import AdjudicationResult


def result_document(result: AdjudicationResult) -> dict[str, Any]:
    """The result as plain JSON values without floats: what `bicameral.canonical.record_json` takes."""
    return {
        "verdict": result.verdict,
        "confidence": _written(result.confidence),
        "method": result.method,
        "reasoning": result.reasoning,
        "tier_capped": result.tier_capped,
        "rungs": [
            {
                "kind": rung.kind,
                "provider": rung.provider,
                "model": rung.model,
                "prompt": rung.prompt,
                "said": None if rung.said is None else _written(rung.said),
                "failure": rung.failure,
            }
            for rung in result.rungs
        ],
    }


def read_result(document: object) -> AdjudicationResult:
    """The result of a document. Raises RecordError naming each place where it is none."""
    if not isinstance(document, Mapping):
        raise RecordError("An adjudication is an object.")
    members = dict(document)
    members["confidence"] = _number(members.get("confidence"))
    rungs = members.get("rungs")
    if isinstance(rungs, Sequence) and not isinstance(rungs, str):
        members["rungs"] = [_rung_with_numbers(rung) for rung in rungs]
    faults: list[Fault] = []
    result = reader(AdjudicationResult)(members, faults)
    if faults:
        raise RecordError("The adjudication cannot be read. " + " ".join(f"{fault}." for fault in faults))
    return result


def _rung_with_numbers(rung: object) -> object:
    if not isinstance(rung, Mapping) or not isinstance(said := rung.get("said"), Mapping):
        return rung
    numbered: dict[str, object] = {}
    for name, value in said.items():
        if name == "confidence":
            numbered[name] = _number(value)
        elif isinstance(value, Mapping) and isinstance(scores := value.get("scores"), Mapping):
            numbered[name] = {**value, "scores": {label: _number(score) for label, score in scores.items()}}
        else:
            numbered[name] = value
    return {**rung, "said": numbered}


def _written(value: Any) -> Any:
    if isinstance(value, float):
        return repr(value)
    if isinstance(value, Mapping):
        return {name: _written(member) for name, member in value.items()}
    return value


def _number(value: object) -> object:
    """The number that a decimal text says; anything else as it is, for the reader to refuse."""
    if not isinstance(value, str):
        return value
    try:
        number = float(value)
    except ValueError:
        return value
    return number if math.isfinite(number) else value
