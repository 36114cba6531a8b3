"""Letters with a shadow: which ink is the letters', and what they are read against.

Answers for telling the letters from a shadow by their full colour, and for what shows around them, shadow included.
Declines to say which of the two grounds, the page's or the shadow's, a reader goes by: the caller asks both.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from bicameral.imaging.contrast import Picture, over, ratio
from bicameral.imaging.ink import INK_LEVELS, Bools, Fit, Patch
from bicameral.imaging.samples import Samples, by_cell, numbered

OFF_CORE: Final = 4.0
"""Levels a channel may be off the declared colour where it is read without knowing what is around it."""
LEAST_CORE_PX: Final = 12
LEAST_CORE_SHARE: Final = 0.02
NEAR_PX: Final = 1
FAR_PX: Final = 3
"""Between these distances from a letter lies what it is read against; nearer are its own antialiased edges."""
BEST: Final = 0.9
MARGIN_SHADOW: Final = 0.25
"""Of a ratio against a shadow, which is strongest where the letter's own edge hides it."""


def letters_through_shadow(patch: Patch, colour: Sequence[float], alpha: float) -> Fit | None:
    """The pixels that show the full declared colour, as the letters. None where there are too few to be letters."""
    full = over(np.asarray(colour, dtype=np.float64), alpha, patch.behind)
    core = np.abs(patch.shown - full).max(axis=-1) <= OFF_CORE
    core &= patch.difference > INK_LEVELS
    if int(core.sum()) < max(LEAST_CORE_PX, int(LEAST_CORE_SHARE * patch.size)):
        return None
    return Fit(
        colour=full,
        coverage=core.astype(np.float64),
        vanishing=np.zeros(patch.size, dtype=np.bool_),
        exact=True,
        explained=1.0,
        colours=0.0,
    )


def around_letters(picture: Picture, patch: Patch, fit: Fit, *, font_px: float, cell_px: float) -> Samples | None:
    """The letters' colour against the best that the picture shows around them in each cell; None where nothing does."""
    core, inked = fit.coverage >= 0.9, fit.coverage > 0.02
    if not core.any():
        return None
    left, top = int(patch.x.min()) - FAR_PX - 1, int(patch.y.min()) - FAR_PX - 1
    wide, high = int(patch.x.max()) - left + FAR_PX + 2, int(patch.y.max()) - top + FAR_PX + 2
    mask = np.zeros((high, wide), dtype=np.bool_)
    mask[patch.y[inked] - top, patch.x[inked] - left] = True
    ys, xs = np.nonzero(_grown(mask, FAR_PX) & ~_grown(mask, NEAR_PX))
    ys, xs = ys + top, xs + left
    inside = (ys >= 0) & (xs >= 0) & (ys < picture.shape[0]) & (xs < picture.shape[1])
    ys, xs = ys[inside], xs[inside]
    if ys.size < LEAST_CORE_PX:
        return None
    ratios = ratio(np.average(fit.colour[core], axis=0), picture[ys, xs])
    column, row = xs // max(4, int(cell_px)), ys // max(8, int(font_px))
    cell = numbered((column + row * (picture.shape[1] + 1)).astype(np.float64))
    best, held = by_cell(ratios, np.ones(ratios.shape), cell, BEST)
    return Samples(ratio=best, weight=held, cell=np.arange(best.size, dtype=np.float64), margin=MARGIN_SHADOW * best)


def _grown(mask: Bools, by: int) -> Bools:
    grown = mask
    for _ in range(by):
        wider = grown.copy()
        wider[1:] |= grown[:-1]
        wider[:-1] |= grown[1:]
        wider[:, 1:] |= grown[:, :-1]
        wider[:, :-1] |= grown[:, 1:]
        grown = wider
    return grown
