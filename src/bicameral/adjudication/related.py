"""The gate of those who search: a pair about different subjects is unrelated, and costs nothing.

Answers for: whether two texts speak of one subject, from the words they share and how rare these are. Pure. Declines
to weigh them (the ladder does), and to gate an explicit question: who asks about a pair has said that it belongs
together.

Rules, in order:
1. A shared word weighs what it tells: rare ones much, common ones next to nothing (its rarity in the texts at hand,
   over a background of common English words, so that a small set of texts is not taken for the whole language).
2. The score is the weight of what is shared over the square root of the shorter text's whole weight: between its share
   of the shorter text and its plain weight, so that neither a short nor a long text passes for its length alone.
3. The pair is related where the score reaches the threshold for as many texts as are known.
4. A text that names nothing is related to nothing. Two texts that name the same are related.

Bounds: two texts about one subject that share no word, and have no slot in common, are lost here. So is what two
languages say of one thing.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

from bicameral.adjudication.features import features, stems
from bicameral.model.adjudication import AdjudicationResult

BACKGROUND: Final = 300
"""How many texts the background stands for."""
POWER: Final = 1.5
FEW: Final = 0.56
MANY: Final = 0.29
HALF_WAY: Final = 160
"""The threshold goes from FEW (no text known) to MANY; it is half way at HALF_WAY texts. POWER, these three and the
background were set on a sample of labelled pairs and of strangers; `benchmarks/relatedness_gate.py` measures them."""
SLOT: Final = 0.5
"""The least that a shared slot weighs: where every text is about one person, what tells them apart is the slot."""
MOST_KEPT: Final = 1_000_000
"""Features whose counts are kept. Beyond it those seen once are dropped: they count as never seen, which is as rare."""

_FUNCTION: Final = stems(
    """a an the of in on at to is are was were be been being am and or but not no n by for from with as it its this that
    these those he she they his her their them him i you we my your our me us there here has have had do does did will
    would can could should may might must so if than then into out up down over under about very just who whom which
    what when where why how all any some each every other another one also never t s re ve ll d m don nt
    的 了 是 在 不 有 和 就 都 而 及 与 着 或 一 个 们 这 那 我 你 他 她 它 也 很 到 要 去 会 没 过 上 下 中"""
)
_COMMON: Final = stems(
    """man men woman women people person boy girl child children kid guy group two three four five first last new old
    young big small little large long good great best same many much more most few lot time year day way thing
    something nothing everything anyone someone nobody everyone place part work make made get got go going went come
    came take taken use used say said see seen know known think want look play sit stand walk run wear hold near front
    next outside inside around while white black red blue green dog water street because only after before during
    through between against now still even back well really always ever often both such own right left off again yet
    since until without within across along too"""
)


@dataclass
class Rarity:
    """How often each feature is met in the texts at hand.

    texts: how many were counted.  counts: feature to the number of texts that have it.
    """

    texts: int = 0
    counts: Counter[str] = field(default_factory=Counter)

    @classmethod
    def of(cls, texts: Iterable[str]) -> Rarity:
        """The rarity in these texts; each counts once."""
        rarity = cls()
        for text in texts:
            rarity.add(features(text))
        return rarity

    def add(self, found: frozenset[str]) -> None:
        """Count one text's features."""
        self.texts += 1
        self.counts.update(found)
        if len(self.counts) > MOST_KEPT:
            self.counts = Counter({one: count for one, count in self.counts.items() if count > 1})

    def weight(self, feature: str) -> float:
        """0 (in every text) to 1 (in none)."""
        total = self.texts + BACKGROUND + 1
        seen = self.counts[feature] + _background(feature) + 0.5
        weight = float(max(0.0, math.log(total / seen) / math.log(total / 0.5)) ** POWER)
        return max(weight, SLOT) if feature.startswith("#") else weight

    @property
    def threshold(self) -> float:
        """The score from which a pair is related."""
        return MANY + (FEW - MANY) * HALF_WAY / (HALF_WAY + self.texts)


def _background(feature: str) -> float:
    """In how many of the background's texts a feature stands."""
    if feature in _FUNCTION:
        return BACKGROUND * 0.2
    if feature in _COMMON or feature.startswith("#"):
        return BACKGROUND * 0.03
    return BACKGROUND * (0.02 if len(feature) <= 2 and feature.isascii() else 0.002)


@dataclass(frozen=True, kw_only=True)
class Relatedness:
    """score: 0 where nothing is shared.  threshold: what it has to reach.  shared: what both name, rarest first."""

    score: float
    threshold: float
    shared: tuple[str, ...]
    related: bool


def relatedness(claim: str, target: str, rarity: Rarity | None = None) -> Relatedness:
    """Whether two texts speak of one subject. rarity: in the texts at hand; None for the background alone."""
    return compare(features(claim), features(target), rarity or Rarity())


def compare(first: frozenset[str], second: frozenset[str], rarity: Rarity) -> Relatedness:
    """The same of features that are already known."""
    weigh = {feature: rarity.weight(feature) for feature in first | second}
    shared = sorted(first & second, key=lambda feature: (-weigh[feature], feature))
    # fsum: a set has no order of its own, and the sum must not depend on one.
    whole = min(math.fsum(weigh[feature] for feature in side) for side in (first, second))
    score = math.fsum(weigh[feature] for feature in shared) / math.sqrt(whole) if whole > 0 else 0.0
    same = bool(first) and first == second
    return Relatedness(
        score=score,
        threshold=rarity.threshold,
        shared=tuple(shared),
        related=same or score >= rarity.threshold,
    )


UNRELATED: Final = AdjudicationResult(
    verdict="unrelated", confidence=0.0, method="none", reasoning="Different subjects: no provider was asked."
)
"""What the gate answers for a pair that it does not let through."""
