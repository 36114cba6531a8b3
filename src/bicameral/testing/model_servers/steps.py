"""What a stand-in does with one request."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from bicameral.model.vocabulary import Finish

ErrorWord = Literal["overloaded", "rate", "quota", "server", "auth", "missing", "request"]
"""What an error is about; each vendor has its own words for it."""


@dataclass(frozen=True)
class Say:
    """Answer with a text, in the vendor's shape. finish: `length` cuts it off there, `refusal` says nothing else.

    empty: an answer in which nothing was said.  delay_s: before anything is sent.
    """

    text: str = ""
    finish: Finish = "stop"
    delay_s: float = 0.0
    empty: bool = False


@dataclass(frozen=True)
class Fault:
    """Answer with the vendor's error object. word: None takes the one that goes with the status."""

    status: int
    word: ErrorWord | None = None
    message: str = "made to fail"
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Raw:
    """Answer with these bytes, whatever they are."""

    body: bytes
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=lambda: {"Content-Type": "application/json"})


@dataclass(frozen=True)
class Cut:
    """Begin a good answer and close the connection after half of it."""

    text: str = '{"said": "never whole"}'


@dataclass(frozen=True)
class Reset:
    """Close the connection without a word."""


@dataclass(frozen=True)
class Hang:
    """Say nothing until the client hangs up. begin: send the head of a reply first."""

    begin: bool = False


Step = Say | Fault | Raw | Cut | Reset | Hang
