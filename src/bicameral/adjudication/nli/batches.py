"""Which pairs go through the model together.

Answers for: batches of one length in pieces each, so that no pair is ever padded and none can feel its
neighbours. Pure.

Rules, in order:
1. A batch holds pairs of one length. The longest come first, so that the end of the work is even.
2. A batch holds at most `most_pieces` pieces, and at least one pair: with 0 every pair goes alone.
3. Few pairs are spread over the workers: no batch holds more than its worker's share of all pieces.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

MOST_PIECES: Final = 512
"""Pieces of one batch. Its widest values (1,536 numbers a piece) stay near a core's second-level cache."""


def plan_batches(lengths: Sequence[int], *, workers: int = 1, most_pieces: int = MOST_PIECES) -> list[list[int]]:
    """The pairs' indexes, batch by batch. lengths: pieces of each pair.  workers: that run batches side by side."""
    by_length: dict[int, list[int]] = {}
    for at, length in enumerate(lengths):
        by_length.setdefault(length, []).append(at)
    share = -(-sum(lengths) // max(1, workers))
    batches = []
    for length in sorted(by_length, reverse=True):
        size = max(1, min(most_pieces, share) // max(1, length))
        members = by_length[length]
        batches += [members[first : first + size] for first in range(0, len(members), size)]
    return batches
