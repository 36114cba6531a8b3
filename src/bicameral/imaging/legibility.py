"""How readable one text is, measured: the ratios its letters have over their places, and what that settles.

Answers for a text's median contrast ratio, its worst tenth, the place of each, and whether it clears or misses a
wanted ratio by more than the margin of error. Declines to know which ratio is wanted of it, and who is exempt.

Rules, in order:

1. A text that leaves no ink where its colour would show is not drawn there (covered, clipped, scrolled away): `no-ink`.
2. A text whose colour is everywhere nearly that of its background and that leaves no ink has vanished: it is measured
   by colour alone and its state is `vanished`.
3. With a shadow the letters are measured against what is behind them and against what shows around them; where the two
   do not settle the same, nothing is settled.
4. Ink of several colours where the style names one (emoji, blend modes) is not measured: `unsure`.
5. *Misses*: half of the ink lies in stretches, about a letter wide, of which even the better pixels are below the
   wanted ratio (WCAG and ACT rule afw4f7 take the highest contrast of each character), or an eighth far below it.
6. *Clears*: the worst tenth of the ink, and the median of every stretch, are at or above it.
7. All else is unsettled.

Margin of error. With the declared colour borne out by the pixels the ratio is that of two known colours: MARGIN_EXACT,
and what one level of rounding does where the colour is translucent. With an estimated colour it is MARGIN_ESTIMATED of
the ratio from LEAST_SURE_PX up; below, the strongest pixels are a lower bound, and `level` has an upper one where they
are of one strength, which takes the place of a declared colour that they refute. docs/concepts/contrast-measurement.md
has the figures.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

import numpy as np

from bicameral.imaging.contrast import Floats, Picture, luminance, ratio_of_luminances
from bicameral.imaging.ink import INK_LEVELS, USUAL_COVERAGE, Fit, Patch, fit_declared, fit_estimated, patch_of
from bicameral.imaging.level import bounded_declared, bounded_estimate
from bicameral.imaging.samples import Bound, Outcome, Samples, numbered, quantile, settled
from bicameral.imaging.shadow import around_letters, letters_through_shadow

State = Literal["measured", "vanished", "no-ink", "unsure"]
CELL_EM: Final = 0.6
MARGIN_EXACT: Final = 0.02
MARGIN_ESTIMATED: Final = 0.08
LEAST_SURE_PX: Final = 24.0
SEVERAL_COLOURS: Final = 30.0
LETTER_INK: Final = 0.1
DOT_INK: Final = 0.01
"""Ink of a letter, and at least of any other sign, in squares of the font size."""
LEAST_DRAWN: Final = 0.25
"""Less than this share of the ink to expect is not the text's: a border that crosses it, a neighbour's descender."""
VANISHED_SHARE: Final = 0.9


@dataclass(frozen=True, kw_only=True)
class Declared:
    """What the style says of a text. colour: 0 to 255; alpha: of the colour times every opacity above it, 0 to 1.

    clipped: the text is a window onto its background (background-clip: text), so that no colour is declared.
    text: what it says, for how much ink to expect.
    """

    colour: tuple[float, float, float]
    alpha: float
    font_px: float
    shadow: bool = False
    clipped: bool = False
    text: str = ""

    def expected_ink(self, box_px: int) -> float:
        """About how many pixels of full coverage the text has in line boxes of so many pixels, or fewer."""
        letters = sum(
            LETTER_INK if character.isalnum() else DOT_INK for character in self.text if not character.isspace()
        )
        return min(letters * self.font_px**2, USUAL_COVERAGE * box_px)


@dataclass(frozen=True, kw_only=True)
class Reading:
    """One text as measured.

    median, worst: contrast ratio, 1 to 21, of the middle and of the worst tenth of its ink; NaN-free, 1.0 where nothing
    was measured (`state` says so).  median_at, worst_at: x, y in the picture where such ink is.
    colour, behind: what was compared there.  exact: with the declared colour.  margin: of `median`, in ratio.
    vanishing: share of the ink, 0 to 1, that cannot be seen.  why: a few words where state is `no-ink` or `unsure`.
    """

    state: State
    median: float = 1.0
    worst: float = 1.0
    median_at: tuple[int, int] = (0, 0)
    worst_at: tuple[int, int] = (0, 0)
    colour: tuple[int, int, int] = (0, 0, 0)
    behind: tuple[int, int, int] = (0, 0, 0)
    exact: bool = False
    margin: float = 0.0
    vanishing: float = 0.0
    why: str = ""
    samples: tuple[Samples, ...] = ()

    def outcome(self, wanted: float) -> Outcome:
        """What the measurement settles about a wanted ratio (1 to 21)."""
        if self.state in ("no-ink", "unsure") or not self.samples:
            return "unsettled"
        return settled(self.samples, wanted)


def read_text(
    picture: Picture,
    companion: Picture,
    boxes: Sequence[tuple[float, float, float, float]],
    declared: Declared,
) -> Reading:
    """Measure one text. picture, companion: height by width by 3; boxes: its lines, in picture pixels.

    Never raises for odd boxes: what lies outside the picture is left off. Pictures of two sizes settle nothing.
    """
    if picture.shape != companion.shape:
        return Reading(state="unsure", why="the picture without text has another size")
    patch = patch_of(picture, companion, boxes, cell_px=CELL_EM * declared.font_px)
    if patch is None:
        return Reading(state="no-ink", why="it lies outside the picture")
    if float((patch.difference > INK_LEVELS).sum()) < LEAST_DRAWN * declared.expected_ink(patch.size):
        patch = replace(patch, shown=patch.behind)
    fit = None if declared.clipped else fit_declared(patch, declared.colour, declared.alpha, font_px=declared.font_px)
    if fit is None and declared.shadow:
        fit = letters_through_shadow(patch, declared.colour, declared.alpha)
        if fit is None:
            return Reading(state="unsure", why="its shadow hides where the letters end")
    if fit is not None and fit.exact:
        return _read_exact(picture, patch, fit, declared)
    estimated = fit_estimated(patch)
    if estimated is None:
        return Reading(state="no-ink", why="the two pictures are the same there")
    if fit is not None:
        # The true colour lies between the strongest pixels and the declared one, or nearer where these refute it.
        lower = _samples(patch, estimated, declared, bound="lower")
        nearer = bounded_declared(patch, fit, declared.font_px)
        upper = _samples(patch, nearer or fit, declared, bound="upper")
        shown = (
            _summed(patch, fit, upper, "measured") if nearer is None else _summed(patch, estimated, lower, "measured")
        )
        return replace(shown, samples=(upper, lower), exact=False)
    if estimated.colours > SEVERAL_COLOURS and not declared.clipped:
        return Reading(state="unsure", why="its ink has several colours")
    if estimated.explained < 0.8:
        return Reading(state="unsure", why="its ink has several colours or fades from place to place")
    sure = declared.font_px >= LEAST_SURE_PX and (declared.clipped or estimated.exact)
    samples = _samples(patch, estimated, declared, bound="none" if sure else "lower")
    reading = replace(_summed(patch, estimated, samples, "measured"), exact=False)
    farthest = None if sure else bounded_estimate(patch, estimated, declared.font_px)
    if farthest is None:
        return reading
    return replace(reading, samples=(_samples(patch, farthest, declared, bound="upper"), samples))


def _read_exact(picture: Picture, patch: Patch, fit: Fit, declared: Declared) -> Reading:
    seen = ~fit.vanishing
    drawn = float(fit.coverage[seen].sum())
    share_seen = float(seen.mean())
    if drawn < max(1.0, LEAST_DRAWN * declared.expected_ink(patch.size) * share_seen):
        body_hidden = float(fit.vanishing[patch.body].mean()) if patch.body.any() else 0.0
        if body_hidden < VANISHED_SHARE:
            return Reading(state="no-ink", why="no ink shows where its colour would")
        return _summed(patch, fit, _samples(patch, fit, declared), "vanished")
    reading = _summed(patch, fit, _samples(patch, fit, declared), "measured")
    if not declared.shadow:
        return reading
    around = around_letters(picture, patch, fit, font_px=declared.font_px, cell_px=CELL_EM * declared.font_px)
    if around is None:
        return Reading(state="unsure", why="its shadow hides what is around the letters")
    return replace(reading, samples=(*reading.samples, around))


def _samples(patch: Patch, fit: Fit, declared: Declared, *, bound: Bound | None = None) -> Samples:
    """bound None: with the declared colour, reached."""
    held = fit.coverage > 0.02
    behind = luminance(patch.behind[held])
    ratios = ratio_of_luminances(luminance(fit.colour[held]), behind)
    if bound is not None:
        margin = MARGIN_ESTIMATED * ratios
    elif declared.alpha >= 0.999:
        margin = np.full(ratios.shape, MARGIN_EXACT)
    else:
        up = ratio_of_luminances(luminance(fit.colour[held] + 1.0), behind)
        down = ratio_of_luminances(luminance(fit.colour[held] - 1.0), behind)
        margin = np.maximum(np.abs(up - ratios), np.abs(down - ratios)) + MARGIN_EXACT
    return Samples(
        ratio=ratios,
        weight=fit.coverage[held],
        cell=numbered(patch.cell[held].astype(np.float64)),
        margin=margin,
        bound=bound or "none",
    )


def _summed(patch: Patch, fit: Fit, samples: Samples, state: State) -> Reading:
    if samples.ratio.size == 0:
        return Reading(state="no-ink", why="no ink shows where its colour would")
    held = np.flatnonzero(fit.coverage > 0.02)
    median, worst = quantile(samples.ratio, samples.weight, 0.5), quantile(samples.ratio, samples.weight, 0.1)
    middle, low = (held[samples.nearest(value)] for value in (median, worst))
    named = low if fit.exact else middle  # the worst of estimated pixels are those that an edge runs through
    hidden = float(fit.coverage[fit.vanishing].sum() / max(float(fit.coverage.sum()), 1e-9))
    return Reading(
        state=state,
        median=median,
        worst=worst,
        median_at=(int(patch.x[middle]), int(patch.y[middle])),
        worst_at=(int(patch.x[low]), int(patch.y[low])),
        colour=_rounded(fit.colour[named]),
        behind=_rounded(patch.behind[named]),
        exact=fit.exact,
        margin=float(np.average(samples.margin, weights=samples.weight)),
        vanishing=hidden,
        samples=(samples,),
    )


def _rounded(colour: Floats) -> tuple[int, int, int]:
    red, green, blue = (round(float(channel)) for channel in colour)
    return red, green, blue
