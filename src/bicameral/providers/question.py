"""What is put to a model and what it answers, whoever serves it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from bicameral.model.judging import Spend
from bicameral.model.vocabulary import Finish

OutputMode = Literal["native", "tool", "prompted"]
"""How a model is held to a schema: by the API's own structured output, by one tool it must call, or by words."""


@dataclass(frozen=True, kw_only=True)
class Picture:
    """One picture. media_type: what its bytes are, for example `image/png`."""

    data: bytes = field(repr=False)
    media_type: str


@dataclass(frozen=True, kw_only=True)
class Question:
    """One question.

    prompt: the user's turn; pictures follow it in order.  instructions: the system's, empty for none.
    schema: JSON schema of an object; None asks for free text.  temperature: None leaves it to the model, and it is not
    sent to a model that refuses it.  output_limit: most output tokens, None for the adapter's own default.
    """

    prompt: str
    pictures: tuple[Picture, ...] = ()
    instructions: str = ""
    schema: Mapping[str, object] | None = None
    temperature: float | None = None
    output_limit: int | None = None


@dataclass(frozen=True, kw_only=True)
class Answer:
    """One answer, untrusted.

    text: what the model said; where it was held to a schema by a tool, that tool's arguments as JSON. Empty where it
    said nothing.  finish: why it ended; look at it first.  model: which one really spoke, as the reply names it.
    raw: the body of the HTTP reply as it came, without the key.  spend: `calls` counts every request that was sent.
    """

    text: str
    finish: Finish
    model: str
    raw: str
    spend: Spend
