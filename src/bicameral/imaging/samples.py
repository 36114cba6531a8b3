"""Weighted contrast ratios over the ink of a text, and what they settle about a wanted ratio.

Answers for quantiles by ink and for one decision, *misses*, *clears* or *unsettled*, with the margin of error on the
safe side both ways. Declines to know where the ratios came from.

Rules: a cell (a stretch about a letter wide) fails where even its better quarter is below the wanted ratio: WCAG's
Understanding 1.4.3 and ACT rule afw4f7 take the highest contrast of each character. A text misses where cells that fail
hold half of its ink, or where MISSED_SHARE of it lies in cells below SEVERE of the wanted ratio: a few letters that
are lost count, a few that are a little pale do not. It clears where the worst tenth of its ink and the median of every
cell are at or above it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

import numpy as np

from bicameral.imaging.contrast import Floats

Outcome = Literal["clears", "misses", "unsettled"]

MISSED_SHARE: Final = 0.12
MOST_SHARE: Final = 0.5
SEVERE: Final = 2 / 3
"""What misses even the ratio of large text where that of other text is wanted."""

Bound = Literal["none", "lower", "upper"]
"""What the ratios are where the pixels never reach the full colour: a lower bound clears, an upper one misses."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Samples:
    """The ink of a text: one row an inked pixel. weight: coverage, measured or expected.  margin: of each ratio."""

    ratio: Floats
    weight: Floats
    cell: Floats
    margin: Floats
    bound: Bound = "none"

    def outcome(self, wanted: float) -> Outcome:
        if self.bound != "lower" and self._misses(wanted):
            return "misses"
        return "clears" if self.bound != "upper" and self._clears(wanted) else "unsettled"

    def _misses(self, wanted: float) -> bool:
        # The better quarter of a cell stands for its highest contrast: one lucky pixel does not make a letter.
        best, held = by_cell(self.ratio + self.margin, self.weight, self.cell, 0.75)
        every = float(held.sum())
        lost = float(held[best < SEVERE * wanted].sum())
        return float(held[best < wanted].sum()) >= MOST_SHARE * every or lost >= MISSED_SHARE * every

    def _clears(self, wanted: float) -> bool:
        low = self.ratio - self.margin
        middle, held = by_cell(low, self.weight, self.cell, 0.5)
        counts = held >= 0.01 * float(held.sum())
        return quantile(low, self.weight, 0.1) >= wanted and bool((middle[counts] >= wanted).all())

    def nearest(self, value: float) -> int:
        """The position of a row whose ratio is nearest to the value; of several, the one with the most ink."""
        off = np.abs(self.ratio - value)
        return int(np.argmax(np.where(off <= off.min() + 1e-6, self.weight, -1.0)))


def quantile(values: Floats, weights: Floats, share: float) -> float:
    """The value below which `share` (0 to 1) of the weight lies. values: at least one; weights: some above 0."""
    order = np.argsort(values, kind="stable")
    mass = np.cumsum(weights[order])
    return float(values[order][min(int(np.searchsorted(mass, share * mass[-1])), values.size - 1)])


def numbered(cell: Floats) -> Floats:
    return np.asarray(np.unique(cell, return_inverse=True)[1], dtype=np.float64)


def by_cell(values: Floats, weights: Floats, cell: Floats, share: float) -> tuple[Floats, Floats]:
    """For each cell, the value below which `share` of its weight lies, and its weight."""
    order = np.lexsort((values, cell))
    cells, ordered, held = cell[order].astype(np.int64), values[order], weights[order]
    count = int(cells[-1]) + 1
    weight = np.bincount(cells, weights=held, minlength=count)
    mass = np.cumsum(held)
    before = np.concatenate(([0.0], np.cumsum(weight)[:-1]))
    place = np.searchsorted(mass, before + share * weight)
    last = np.searchsorted(cells, np.arange(count), side="right") - 1
    return np.asarray(ordered[np.minimum(place, last)]), np.asarray(weight, dtype=np.float64)


def settled(samples: tuple[Samples, ...], wanted: float) -> Outcome:
    """What several measurements of one text settle together: bounds, what either does; others, what all say alike."""
    outcomes = {one.outcome(wanted) for one in samples}
    if samples and all(one.bound != "none" for one in samples):
        outcomes.discard("unsettled")
    return outcomes.pop() if len(outcomes) == 1 else "unsettled"
