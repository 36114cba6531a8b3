"""What is said of one link: its faults, and what it names and does not hold.

Answers for: plain values that pass from one process to another.
"""

from __future__ import annotations

import hashlib
import re
from typing import Final, NamedTuple

from msgspec import Struct

from bicameral.model.witnessing import Problem, ProblemKind

_DIGEST: Final = re.compile(r"sha256:[0-9a-f]{64}", re.ASCII).fullmatch


class Fault(NamedTuple):
    """A Problem on its way. where: within the link."""

    where: str
    what: str
    kind: ProblemKind = "broken"


class Named(NamedTuple):
    """Bytes that the link names and does not hold. digest: the 32 bytes.  kind: what they are, `reply` for a text."""

    digest: bytes
    kind: str
    where: str


class Report(Struct, gc=False):
    """What came of examining a link.

    digest: the entry's hash, None where its bytes were not kept.  seq, previous: None where it cannot be read.
    unmarked: replies whose `about` the entry does not cover.
    """

    digest: str | None
    readable: bool = False
    seq: int = 0
    previous: str | None = None
    held: bool = False
    turns: int = 0
    replies: int = 0
    unmarked: int = 0
    faults: list[Fault] = []
    named: list[Named] = []


def raw_digest(digest: object) -> bytes | None:
    """The 32 bytes of `sha256:` and 64 lower-case hex digits; None for anything else."""
    return bytes.fromhex(digest[7:]) if isinstance(digest, str) and _DIGEST(digest) else None


def digest_text(raw: bytes) -> str:
    """The reverse."""
    return f"sha256:{raw.hex()}"


def sha256_text(data: bytes) -> str:
    return f"sha256:{hashlib.sha256(data).hexdigest()}"


def problem_of(fault: Fault, entry: int) -> Problem:
    """The Problem, with its place in the whole. entry: the link's place, from 0."""
    where = f"entries[{entry}].{fault.where}" if fault.where else f"entries[{entry}]"
    return Problem(where=where, what=fault.what, kind=fault.kind)
