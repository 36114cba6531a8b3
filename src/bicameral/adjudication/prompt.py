"""What a language model is asked: the packaged text with its version, the two texts fenced as data, the reply's schema.

Answers for: one pair, one prompt, the same bytes; a text within the pair that cannot end its fence. Declines to read
the reply (`answers` does).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import Final

from bicameral.canonical import sha256_digest
from bicameral.canonical.fence import fenced
from bicameral.model.adjudication import VERDICTS

SCHEMA: Final[Mapping[str, object]] = MappingProxyType(
    {
        "type": "object",
        "properties": {
            "verdict": {"type": "string", "enum": list(VERDICTS)},
            "confidence": {"type": "number", "minimum": 0, "maximum": 1},
            "reasoning": {"type": "string"},
        },
        "required": ["verdict", "confidence", "reasoning"],
        "additionalProperties": False,
    }
)
TEMPERATURE: Final = 0.0


@dataclass(frozen=True, kw_only=True)
class Prompt:
    """version: `name/number` of the packaged text.  text: the instructions.  digest: `sha256:` of the whole file."""

    version: str
    text: str
    digest: str

    def about(self, claim: str, target: str) -> str:
        """The whole prompt of one pair. The fences' boundaries are digests of what they hold."""
        return "\n\n".join((self.text, fenced("belief", target), fenced("evidence", claim))) + "\n"


@cache
def weighing() -> Prompt:
    """The packaged prompt. It is read once."""
    whole = (files("bicameral.adjudication") / "prompts" / "weigh.md").read_text(encoding="utf-8")
    _, head, body = whole.split("---\n", 2)
    named = dict(line.split(": ", 1) for line in head.splitlines())
    return Prompt(
        version=f"{named['name']}/{named['version']}", text=body.strip(), digest=sha256_digest(whole.encode("utf-8"))
    )
