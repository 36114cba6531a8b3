"""How different two colours look to a reader, as WCAG 2 defines it.

Answers for relative luminance and contrast ratio of sRGB colours, one at a time or as arrays of any shape, and for what
a translucent colour comes to over an opaque one. Declines to know what text is or what ratio is enough.

Rules: luminance is WCAG 2.2's "relative luminance" with the threshold 0.04045 of IEC 61966-2-1 (WCAG's older 0.03928
gives the same answer for every 8-bit value); the ratio is (L1 + 0.05) / (L2 + 0.05) with the lighter colour first.
<https://www.w3.org/TR/WCAG22/#dfn-relative-luminance> <https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio>
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Picture = npt.NDArray[np.uint8]

WEIGHTS: Final[Floats] = np.array([0.2126, 0.7152, 0.0722])
FLARE: Final = 0.05
"""What a lit room adds to every colour of a screen, in the definition."""

LOWEST: Final = 1.0
HIGHEST: Final = 21.0


def _linear(channel: Floats) -> Floats:
    return np.where(channel <= 0.04045, channel / 12.92, ((channel + 0.055) / 1.055) ** 2.4)


_LINEAR_OF_BYTE: Final[Floats] = _linear(np.arange(256) / 255.0)


def luminance(colours: npt.ArrayLike) -> Floats:
    """Relative luminance, 0 (black) to 1 (white), of colours in the last axis (3 channels of 0 to 255).

    Whole bytes go by a table; fractions are computed; what lies outside 0 to 255 is taken as the nearest end.
    """
    array = np.asarray(colours)
    if array.dtype == np.uint8:
        return np.asarray(_LINEAR_OF_BYTE[array] @ WEIGHTS, dtype=np.float64)
    linear = _linear(np.clip(array.astype(np.float64), 0.0, 255.0) / 255.0)
    return np.asarray(linear @ WEIGHTS, dtype=np.float64)


def ratio_of_luminances(one: npt.ArrayLike, other: npt.ArrayLike) -> Floats:
    """Contrast ratio, 1 to 21, of two arrays of luminances that broadcast together. Order does not matter."""
    a, b = np.asarray(one, dtype=np.float64), np.asarray(other, dtype=np.float64)
    return np.asarray((np.maximum(a, b) + FLARE) / (np.minimum(a, b) + FLARE), dtype=np.float64)


def ratio(one: npt.ArrayLike, other: npt.ArrayLike) -> Floats:
    """Contrast ratio, 1 to 21, of two arrays of colours (last axis 3 channels of 0 to 255) that broadcast together."""
    return ratio_of_luminances(luminance(one), luminance(other))


def over(colour: npt.ArrayLike, alpha: float, behind: npt.ArrayLike) -> Floats:
    """What a colour of this alpha (0 to 1, clamped) comes to over opaque ones, in sRGB as browsers blend."""
    share = min(1.0, max(0.0, alpha))
    back = np.asarray(behind, dtype=np.float64)
    return np.asarray(back + share * (np.asarray(colour, dtype=np.float64) - back), dtype=np.float64)
