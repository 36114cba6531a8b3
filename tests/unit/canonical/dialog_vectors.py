"""Reads the vectors, with the values that plain JSON cannot say put in."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from bicameral.canonical import UNDEFINED

TESTS = Path(__file__).parents[2]
VECTORS = TESTS / "vectors"
SPEC = TESTS.parent / "spec"


def cases(name: str) -> list[dict[str, Any]]:
    return json.loads((VECTORS / name).read_text("ascii"))["cases"]


def spec_cases(name: str) -> list[dict[str, Any]]:
    """The cases of a file beside the pages."""
    return json.loads((SPEC / "vectors" / name).read_text("ascii"))["cases"]


def untagged(value: Any) -> Any:
    if isinstance(value, dict):
        if set(value) == {"$num"}:
            return float(value["$num"])
        if set(value) == {"$undefined"}:
            return UNDEFINED
        return {name: untagged(member) for name, member in value.items()}
    return [untagged(element) for element in value] if isinstance(value, list) else value
