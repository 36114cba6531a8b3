"""What it means to be right about a labelled page, and the figures over many.

Rules, in order:
1. A claim meets a label when it speaks of the label's kind and is about its element, or about a box such that at least
   half of the smaller of the two is covered, at one form factor for which the label holds. A claim about the whole page
   meets every place, and a label of the whole page is met by every claim.
2. The unit is the label: a defect label that is met is a hit, else a miss; a clean label is wrongly flagged by a claim
   that meets it and meets no defect label. A label is counted once, over all its form factors.
3. Where the rest of a page is said to be clean, each claim that meets no label at all is one false positive more.
4. False positives a page are claims, not labels.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from _labels import Label, LabelledSet, Page, speaks_of

Box = tuple[float, float, float, float]
"""x, y, width, height in CSS pixels of the page."""

COVER: Final = 0.5
NEAR_PX: Final = 2.0
Z: Final = 1.959964
"""Two-sided 95 %."""
RESAMPLES: Final = 1000
SEED: Final = 20260101


@dataclass(frozen=True, kw_only=True)
class Place:
    """elements: positions in the facts' list.  boxes: in CSS pixels of the page."""

    elements: tuple[int, ...] = ()
    boxes: tuple[Box, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Claim:
    """One thing that somebody filed of a page.

    by: who filed it: `axe`, or another instrument.  rule: its name there.
    places: form factor to where; None for the page as a whole.
    """

    rule: str
    category: str
    criteria: tuple[str, ...] = ()
    by: str
    places: Mapping[str, Place | None]

    def where(self) -> str:
        said = []
        for form, place in self.places.items():
            box = place.boxes[0] if place is not None and place.boxes else None
            said.append(f"{form} " + ("page" if box is None else ",".join(f"{number:.0f}" for number in box)))
        return "; ".join(said)


@dataclass(frozen=True, kw_only=True)
class PageScore:
    """hit, missed: defect labels.  flagged: clean labels that a claim met; clean: how many there are.

    claims: how many were made.  false_claims: of them, those that are false positives.
    """

    hit: tuple[Label, ...] = ()
    missed: tuple[Label, ...] = ()
    flagged: tuple[Label, ...] = ()
    clean: int = 0
    claims: int = 0
    false_claims: tuple[Claim, ...] = ()
    false_beyond_labels: int = 0

    @property
    def counts(self) -> Counts:
        return Counts(len(self.hit), len(self.flagged) + self.false_beyond_labels, len(self.missed))


@dataclass(frozen=True)
class Counts:
    hits: int = 0
    false: int = 0
    missed: int = 0

    def __add__(self, other: Counts) -> Counts:
        return Counts(self.hits + other.hits, self.false + other.false, self.missed + other.missed)

    @property
    def precision(self) -> float | None:
        """None where nothing was claimed."""
        return _share(self.hits, self.hits + self.false)

    @property
    def recall(self) -> float | None:
        """None where there is no defect to find."""
        return _share(self.hits, self.hits + self.missed)

    @property
    def f1(self) -> float | None:
        """2 hits / (2 hits + false + missed); None where all three are 0."""
        return _share(2 * self.hits, 2 * self.hits + self.false + self.missed)


@dataclass
class Tally:
    """The scores of one account over the pages of a set."""

    scores: list[PageScore] = field(default_factory=list)

    @property
    def counts(self) -> Counts:
        return sum((score.counts for score in self.scores), Counts())

    @property
    def claims(self) -> int:
        return sum(score.claims for score in self.scores)

    @property
    def false_a_page(self) -> float | None:
        return _share(sum(len(score.false_claims) for score in self.scores), len(self.scores))

    def f1_interval(self) -> tuple[float, float] | None:
        return bootstrap([score.counts for score in self.scores], lambda counts: counts.f1)


def score_page(
    labelled: LabelledSet, page: Page, places: Sequence[Mapping[str, Place]], claims: Sequence[Claim]
) -> PageScore:
    """places: for each label of the page, form factor to where it lies; absent where the label does not hold."""
    meeting = [
        [meets(label, where, claim) for label, where in zip(page.labels, places, strict=True)] for claim in claims
    ]

    def met_by(position: int, *, unless_defect: bool) -> bool:
        return any(row[position] and not (unless_defect and _meets_defect(page, row)) for row in meeting)

    defects = [at for at, label in enumerate(page.labels) if label.is_defect]
    cleans = [at for at, label in enumerate(page.labels) if label.is_clean]
    beyond = [claim for claim, row in zip(claims, meeting, strict=True) if labelled.rest_is_clean and not any(row)]
    on_clean = [
        claim
        for claim, row in zip(claims, meeting, strict=True)
        if any(row[at] for at in cleans) and not _meets_defect(page, row)
    ]
    return PageScore(
        hit=tuple(page.labels[at] for at in defects if met_by(at, unless_defect=False)),
        missed=tuple(page.labels[at] for at in defects if not met_by(at, unless_defect=False)),
        flagged=tuple(page.labels[at] for at in cleans if met_by(at, unless_defect=True)),
        clean=len(cleans),
        claims=len(claims),
        false_claims=(*on_clean, *beyond),
        false_beyond_labels=len(beyond),
    )


def _meets_defect(page: Page, row: Sequence[bool]) -> bool:
    return any(met and label.is_defect for met, label in zip(row, page.labels, strict=True))


def meets(label: Label, places: Mapping[str, Place], claim: Claim) -> bool:
    """Whether the claim says something of this label's kind about its place."""
    if not speaks_of(
        label, rule=claim.rule, category=claim.category, criteria=claim.criteria, by_axe=claim.by == "axe"
    ):
        return False
    for form, place in claim.places.items():
        if form in places and (place is None or label.whole_page or _same_place(places[form], place)):
            return True
    return False


def _same_place(a: Place, b: Place) -> bool:
    if set(a.elements) & set(b.elements):
        return True
    return any(_cover(one, other) for one in a.boxes for other in b.boxes)


def _cover(a: Box, b: Box) -> bool:
    """At least half of the smaller one is covered; a box without an area must be the same box."""
    smaller = min(a[2] * a[3], b[2] * b[3])
    if smaller <= 0:
        return all(abs(one - other) <= NEAR_PX for one, other in zip(a, b, strict=True))
    width = min(a[0] + a[2], b[0] + b[2]) - max(a[0], b[0])
    height = min(a[1] + a[3], b[1] + b[3]) - max(a[1], b[1])
    return max(0.0, width) * max(0.0, height) >= COVER * smaller


def inside(claim: Claim, bounds: Mapping[str, Place]) -> bool:
    """Whether a claim is about the page as a whole or lies, on some form factor, in the bounds there."""
    for form, place in claim.places.items():
        if place is None or not place.boxes:
            return True
        limits = bounds.get(form)
        if limits is not None and any(_cover(box, limit) for box in place.boxes for limit in limits.boxes):
            return True
    return False


def wilson(successes: int, trials: int) -> tuple[float, float] | None:
    """Wilson's score interval of a share, 95 %; None without trials. (Wilson 1927.)"""
    if trials == 0:
        return None
    share = successes / trials
    scale = 1 + Z * Z / trials
    centre = (share + Z * Z / (2 * trials)) / scale
    half = Z / scale * math.sqrt(share * (1 - share) / trials + Z * Z / (4 * trials * trials))
    return max(0.0, centre - half), min(1.0, centre + half)


def bootstrap(rows: Sequence[Counts], figure: Callable[[Counts], float | None]) -> tuple[float, float] | None:
    """The middle 95 % of a figure over pages drawn again with replacement; None where it is never defined.

    Pages are drawn whole, for the labels of one page are not independent. The seed is fixed: the same pages give the
    same interval. (Efron 1979.)
    """
    chance = random.Random(SEED)
    drawn = []
    for _ in range(RESAMPLES if rows else 0):
        value = figure(sum(chance.choices(rows, k=len(rows)), Counts()))
        if value is not None:
            drawn.append(value)
    if not drawn:
        return None
    drawn.sort()
    return drawn[int(0.025 * (len(drawn) - 1))], drawn[math.ceil(0.975 * (len(drawn) - 1))]


def _share(part: float, whole: float) -> float | None:
    return part / whole if whole else None
