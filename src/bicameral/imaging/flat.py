"""How much of a picture, or of a part of it, is one colour, and where two pictures differ.

Answers in shares and boxes. Declines to say whether one colour is a defect: a swatch, a fog and a page that never
rendered are told apart by whoever knows what should be there.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple

import numpy as np

from bicameral.imaging.contrast import Picture
from bicameral.imaging.ink import Bools

SAME_LEVELS: Final = 3
"""Channels that are no farther apart look alike: dithering and the noise of a JPEG stay within it."""
SAMPLED: Final = 40_000
"""Pixels looked at to find the commonest colour of a large part."""


class Flat(NamedTuple):
    """colour: the commonest one, 0 to 255.  share: of pixels that look like it, 0 to 1.  others: count of the rest."""

    colour: tuple[int, int, int]
    share: float
    others: int


def flat(part: Picture) -> Flat:
    """What the commonest colour of a part covers. part: height by width by 3; an empty one is no colour at all (0)."""
    height, width = part.shape[:2]
    if height == 0 or width == 0:
        return Flat((0, 0, 0), 0.0, 0)
    step = max(1, int((height * width / SAMPLED) ** 0.5))
    sampled = part[::step, ::step].reshape(-1, 3).astype(np.int64)
    packed, counts = np.unique((sampled[:, 0] << 16) | (sampled[:, 1] << 8) | sampled[:, 2], return_counts=True)
    commonest = int(packed[int(np.argmax(counts))])
    colour = (commonest >> 16, (commonest >> 8) & 255, commonest & 255)
    others = int(np.count_nonzero(unlike(part, colour)))
    return Flat(colour, 1.0 - others / (height * width), others)


def unlike(part: Picture, colour: tuple[int, int, int]) -> Bools:
    """Which pixels of a part (height by width) do not look like a colour."""
    far = np.zeros(part.shape[:2], dtype=np.bool_)
    for channel, value in enumerate(colour):
        low, high = max(0, value - SAME_LEVELS), min(255, value + SAME_LEVELS)
        far |= (part[..., channel] < low) | (part[..., channel] > high)
    return far


def changed(picture: Picture, companion: Picture) -> Bools:
    """Which pixels (height by width) of two pictures of one size are not the same."""
    found = np.zeros(picture.shape[:2], dtype=np.bool_)
    for channel in range(3):
        found |= picture[..., channel] != companion[..., channel]
    return found


def outside(mask: Bools, boxes: Iterable[tuple[float, float, float, float]]) -> Bools:
    """The set pixels that lie in none of the boxes (x, y, width, height), as a mask of the same shape."""
    left = mask.copy()
    for x, y, width, height in boxes:
        top, bottom = max(0, int(y)), max(0, int(y + height) + 1)
        left[top:bottom, max(0, int(x)) : max(0, int(x + width) + 1)] = False
    return left
