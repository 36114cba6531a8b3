"""How much one request, and all of them together, may ask of the server."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Limits:
    """body_bytes: of one request.  pairs: of one `/batch`.  characters: of one text.

    queued_pairs: that wait for the model; beyond it a request is turned away.  requests: that are being read or
    answered at once.  read_s: seconds for a request's body to arrive.
    """

    body_bytes: int = 2 << 20
    pairs: int = 256
    characters: int = 50_000
    queued_pairs: int = 2048
    requests: int = 256
    read_s: float = 15.0
