"""How large the things in a bundle may be.

Answers for: what is refused before any memory is used for it, by the reader, and by the writer so that nothing is
written which cannot be read. Part of the format: spec/bicameral.bundle.v1.md, section 6.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

_KIB: Final = 1024
_MIB: Final = 1024 * _KIB

SEGMENT: Final = _MIB
"""A segment of links or redactions is closed by the item with which it reaches this many bytes."""


@dataclass(frozen=True, kw_only=True)
class Limits:
    """Bytes, unless it says otherwise.

    document: a record, an outcome or a raw reply.  small: an entry, what is known of a reply, a redaction, the header,
    the end mark, the line before a link.  envelope: a signed envelope.  link: a link with all that hangs on it.
    blob: a picture, facts or instructions; read in pieces.  total: the bundle, once it is unpacked.
    links, blobs, redactions, envelopes, replies: how many; replies are those of one link.
    inflation: how often larger a gzip'd bundle may become, once `free` bytes have come out of it.
    """

    document: int = 64 * _MIB
    small: int = _MIB
    envelope: int = 16 * _MIB
    link: int = 80 * _MIB
    blob: int = 1024 * _MIB
    total: int = 1024 * 1024 * _MIB
    links: int = 100_000_000
    replies: int = 10_000
    blobs: int = 10_000_000
    redactions: int = 10_000_000
    envelopes: int = 1_000_000
    inflation: int = 200
    free: int = 64 * _MIB


LIMITS: Final = Limits()
"""Those of the format."""
