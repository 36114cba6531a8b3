"""How far the colour of a text can go beyond what its pixels show, where they refute the declared one.

Answers for one upper bound: the contrast that letters would have if their strongest pixels were not quite covered.
Declines to say what the colour is, and where letters are too thin to show one strength.

Rules, in order:

1. Strokes that cover pixels whole leave many pixels of one strength (the *level*); hairlines leave few, each another.
   Where at least LEVEL_SHARE of the ink stands within LEVEL_WIDTH of the strongest, that strength is the text's own.
2. A level's pixels are covered for `level_coverage` at least, so that the full colour is no farther from what is behind
   than the level divided by that. Beyond the declared colour it does not go.
3. No level, no bound: a thin face that stays short of its colour is not a filter.

Measured 2026-11-30 in Chromium 156, 700 texts of 10 to 32 px in ten faces of weights 100 to 700 under filter: opacity()
of 0.25 to 1: the 317 with a level have a strongest coverage of at least 0.945 below 16 px and 0.99 from 16 px on; of
the 200 in faces of weights 100 and 200 below 24 px, whose strongest coverage falls to 0.33, none has a level.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np

from bicameral.imaging.contrast import Floats, luminance, ratio_of_luminances
from bicameral.imaging.ink import INK_LEVELS, Fit, Patch, ruled

LEVEL_SHARE: Final = 0.12
LEVEL_WIDTH: Final = 0.95
LEAST_PIXELS: Final = 12
"""Fewer inked pixels have no distribution to speak of."""


def level_coverage(font_px: float) -> float:
    """The least that a level's pixels are covered, 0 to 1, with room below what was measured."""
    if font_px >= 16:
        return 0.92
    return 0.85 if font_px >= 12 else 0.7


def level_of(strength: Floats) -> float | None:
    """The strength at which the ink has its level, or None. strength: of each inked pixel, above 0, of any unit."""
    if strength.size < LEAST_PIXELS:
        return None
    peak = float(np.partition(strength, strength.size - 3)[strength.size - 3])
    held = float(strength[strength >= LEVEL_WIDTH * peak].sum())
    return peak if peak > 0 and held >= LEVEL_SHARE * float(strength.sum()) else None


def bounded_declared(patch: Patch, fit: Fit, font_px: float) -> Fit | None:
    """The fit with the farthest colour that its pixels allow, on the way to the declared one; None without a level."""
    level = level_of(fit.coverage[~fit.vanishing & (fit.coverage > 0.02)])
    if level is None:
        return None
    share = min(1.0, level / level_coverage(font_px))
    return replace(fit, colour=patch.behind + share * (fit.colour - patch.behind), exact=False)


def bounded_estimate(patch: Patch, estimated: Fit, font_px: float) -> Fit | None:
    """The farthest colour that the strongest pixels allow, whatever was declared; None without a level."""
    difference = patch.difference
    inked = difference > INK_LEVELS
    inked &= ~ruled(patch, inked)
    level = level_of(difference[inked])
    if level is None:
        return None
    scale = level / (level_coverage(font_px) * np.maximum(difference, 1.0))
    step = np.maximum(scale, 1.0)[:, None] * (patch.shown - patch.behind)
    farthest = np.clip(patch.behind + step, 0.0, 255.0)
    behind = luminance(patch.behind)
    # The way through colour space need not raise the contrast at every step.
    further = ratio_of_luminances(luminance(farthest), behind) >= ratio_of_luminances(luminance(patch.shown), behind)
    return replace(estimated, colour=np.where(further[:, None], farthest, patch.shown))
