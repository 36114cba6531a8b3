"""JSON schemas of the two replies, for providers that hold a model to one.

Answers for: the shapes that the parsers read, in snake_case, strict: no other members, every member required and the
optional ones nullable, as the strict modes of providers demand. Declines to check a reply; the parsers do.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import get_args

from bicameral.dialogue.ingest import ACCEPTANCES
from bicameral.model.vocabulary import CONFIDENCES, REGIONS, SEVERITIES, Task, Word

Schema = dict[str, object]


def reply_schema(task: Task, *, shots: Sequence[str], categories: Sequence[str], numbers: Collection[int]) -> Schema:
    """The schema of a reply to a task. numbers: of the findings put, for `challenge` and `rule`."""
    if task == "propose":
        return _object({"findings": _list(finding_schema(shots, categories)), "clean_shot_ids": _list(_words(shots))})
    members: Schema = {"verdicts": _list(_ruling(numbers))}
    if task == "challenge":
        members["additions"] = _list(finding_schema(shots, categories))
    return _object(members)


def finding_schema(shots: Sequence[str], categories: Sequence[str]) -> Schema:
    """One finding."""
    text: Schema = {"type": "string"}
    return _object(
        {
            "shot_id": _words(shots),
            "category": _words(categories),
            "attribute": text,
            "region": _words(REGIONS),
            "severity": _words(SEVERITIES),
            "title": text,
            "problem": text,
            "expected": text,
            "observed": text,
            "confidence": _words(CONFIDENCES),
            "acceptance": {**_list(text), "maxItems": ACCEPTANCES},
            "also_shot_ids": _list(_words(shots)),
            "box": {
                "type": ["array", "null"],
                "items": {"type": "number"},
                "minItems": 4,
                "maxItems": 4,
                "description": "x, y, width, height in page pixels",
            },
        }
    )


def _ruling(numbers: Collection[int]) -> Schema:
    return _object(
        {
            "index": {"type": "integer", "enum": sorted(numbers)} if numbers else {"type": "integer"},
            "verdict": _words(get_args(Word)),
            "note": {"type": ["string", "null"]},
            "mark": {"type": "string", "description": "the four hex digits shown with the finding"},
        }
    )


def _object(members: Schema) -> Schema:
    return {"type": "object", "properties": members, "required": list(members), "additionalProperties": False}


def _list(items: Schema) -> Schema:
    return {"type": "array", "items": items}


def _words(words: Sequence[str]) -> Schema:
    return {"type": "string", "enum": list(words)}
