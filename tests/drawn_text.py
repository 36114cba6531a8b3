"""Pictures of text that tests draw with Pillow: antialiased, in a known colour over a known ground."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from bicameral.imaging.decode import Picture

Colour = tuple[int, int, int]
Bounds = tuple[float, float, float, float]


def ground(width: int, height: int, colour: Colour = (255, 255, 255)) -> Picture:
    """A picture of one colour."""
    return np.full((height, width, 3), colour, dtype=np.uint8)


def gradient(width: int, height: int, left: Colour, right: Colour) -> Picture:
    """A picture that goes from one colour at its left edge to another at its right."""
    share = np.linspace(0.0, 1.0, width)[None, :, None]
    row = np.asarray(left) * (1 - share) + np.asarray(right) * share
    return np.broadcast_to(np.round(row), (height, width, 3)).astype(np.uint8).copy()


def box_of(text: str, at: tuple[int, int], size: float) -> Bounds:
    """The line box of a text: its advance by the font's ascent and descent."""
    font = ImageFont.load_default(size)
    ascent, descent = font.getmetrics()
    return (at[0], at[1], int(font.getlength(text)) + 1, ascent + descent)


def coverage(shape: tuple[int, int], text: str, at: tuple[int, int], size: float) -> np.ndarray:
    """How much of each pixel (height by width) the glyphs cover, 0 to 1."""
    mask = Image.new("L", (shape[1], shape[0]), 0)
    ImageDraw.Draw(mask).text(at, text, fill=255, font=ImageFont.load_default(size))
    return np.asarray(mask) / 255.0


def write(
    behind: Picture, text: str, at: tuple[int, int], size: float, colour: Colour | Picture, alpha: float = 1.0
) -> Picture:
    """The picture with text on it. colour: one, or a picture that shows through the glyphs."""
    share = coverage(behind.shape[:2], text, at, size)[..., None] * alpha
    shown = behind * (1 - share) + np.asarray(colour, dtype=np.float64) * share
    return np.round(shown).astype(np.uint8)


def hexed(text: str) -> Colour:
    """`#rrggbb` as three channels."""
    red, green, blue = (int(text[i : i + 2], 16) for i in (1, 3, 5))
    return (red, green, blue)


def stacked(*pictures: Sequence[int] | Picture) -> Picture:
    """Pictures of one width, one below the other."""
    return np.concatenate([np.asarray(picture, dtype=np.uint8) for picture in pictures], axis=0)
