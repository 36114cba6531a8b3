"""Which pairs of many statements are worth weighing, the most related first.

Answers for: finding them by an index of rare words, without comparing every statement with every other, and for the
account of what was not compared and why. Pure. Declines to weigh them.

Rules, in order:
1. Two statements are a candidate pair if they share a word that at most MOST_HOLDERS statements have.
2. A candidate pair that the gate (`related`) does not let through is dropped.
3. Of the rest the most related ones are kept, up to a limit; ties go to the earlier statements.
"""

from __future__ import annotations

import heapq
import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from bicameral.adjudication.features import features
from bicameral.adjudication.related import Rarity

MOST_HOLDERS: Final = 64
"""Statements that may share a word for it to make them candidates: it bounds the work at 64 times the words."""


@dataclass(frozen=True, kw_only=True)
class Candidates:
    """pairs: numbers of two statements, the smaller first, most related pair first.

    possible: all pairs there are.  no_rare_word, different_subjects, over_limit: those not in `pairs`, by why.
    """

    pairs: tuple[tuple[int, int], ...]
    possible: int
    no_rare_word: int
    different_subjects: int
    over_limit: int


def find_candidates(statements: Sequence[str], *, limit: int) -> Candidates:
    """The pairs to weigh. limit: at most so many, 0 or more. The statements should differ from one another."""
    named = [features(statement) for statement in statements]
    rarity = Rarity()
    for found in named:
        rarity.add(found)
    weights = {feature: rarity.weight(feature) for feature in rarity.counts}
    # fsum, here and below: a set has no order of its own, and the sum must not depend on one.
    wholes = [math.fsum(weights.get(feature, 0.0) for feature in found) for found in named]
    holders: dict[str, list[int]] = defaultdict(list)
    best: list[tuple[float, int, int]] = []
    met = kept = 0
    for number, found in enumerate(named):
        rare = [feature for feature in found if rarity.counts[feature] <= MOST_HOLDERS]
        for other in sorted({holder for feature in rare for holder in holders[feature]}):
            met += 1
            whole = min(wholes[number], wholes[other])
            shared = math.fsum(weights.get(feature, 0.0) for feature in found & named[other])
            score = shared / math.sqrt(whole) if whole > 0 else 0.0
            if score < rarity.threshold:
                continue
            kept += 1
            heapq.heappush(best, (score, -other, -number))
            if len(best) > limit:
                heapq.heappop(best)
        for feature in rare:
            holders[feature].append(number)
    count = len(statements)
    possible = count * (count - 1) // 2
    return Candidates(
        pairs=tuple((-first, -second) for _, first, second in sorted(best, reverse=True)),
        possible=possible,
        no_rare_word=possible - met,
        different_subjects=met - kept,
        over_limit=kept - len(best),
    )
