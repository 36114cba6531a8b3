"""What a deposit of witnessed dialogs consists of, as a stream: from a store or from a bundle, the same parts.

Answers for: the closed set of parts and the order in which they come: one Header, the Links from the first on, the
Blobs by digest, the Redactions by digest and kind, the Envelopes, one End. Declines to read or to judge them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, TypeAlias

from bicameral.model.witnessing import Envelope, KeptLink, Redaction

BUNDLE_V1: Final = "bicameral.bundle.v1"
"""The type of a deposit, in a bundle's first document."""


@dataclass(frozen=True, kw_only=True)
class Header:
    """What follows.

    runs: the runs whose records are here whole, in order; empty: the whole chain is. Where runs are named, a link
    without a record is another run's; where none is, its record is missing.
    instructions: False where the store did not keep the judges' instructions yet, so that those that are absent are
    counted and not missing.
    """

    runs: tuple[str, ...] = ()
    instructions: bool = True
    type: str = BUNDLE_V1


@dataclass(frozen=True, kw_only=True)
class Link:
    """The next link of the chain. An empty `entry` is one whose bytes its store did not keep (its hash alone)."""

    kept: KeptLink


@dataclass(frozen=True, kw_only=True)
class Blob:
    """Bytes that a charge names: a picture, a companion, facts or instructions.

    digest: the name it goes by.  size: bytes.  chunks: the bytes, read once, before the next part is asked for.
    """

    digest: str
    size: int
    chunks: Iterator[bytes]


@dataclass(frozen=True, kw_only=True)
class End:
    """Nothing is cut off. entries: how many links came.  head: the hash of the last one, None where there is none.

    altered: the bundle's bytes are not those that its end mark names.
    """

    entries: int
    head: str | None
    altered: bool = False


Part: TypeAlias = Header | Link | Blob | Redaction | Envelope | End
"""One element of the stream."""

ORDER: Final[tuple[type, ...]] = (Header, Link, Blob, Redaction, Envelope, End)
"""The order in which the kinds of part come."""
