"""One shot laid out for measuring: its picture, the companion without text, and facts in the picture's own pixels.

Answers for loading both pictures and for cutting parts out of them. Declines to measure anything.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from bicameral.imaging.contrast import Picture
from bicameral.imaging.decode import decode
from bicameral.judges.instruments.instrument import Look
from bicameral.model.facts import Facts, Rect

Bounds = tuple[float, float, float, float]


@dataclass(frozen=True, eq=False)
class Sheet:
    """A look with its pictures, each read and decoded when it is first wanted.

    Raises EvidenceError then for bytes that are absent or no picture.
    """

    look: Look

    @cached_property
    def picture(self) -> Picture:
        shot = self.look.shot
        return decode(self.look.read(shot.picture), where=shot.shot_id)

    @property
    def companion_digest(self) -> str | None:
        """Of the picture without text, or None where none was taken."""
        return self.look.shot.companion or (self.look.facts.companion if self.look.facts is not None else None)

    @cached_property
    def companion(self) -> Picture | None:
        """None where none was taken, and where it is not of the picture's size and so shows another page."""
        digest = self.companion_digest
        if digest is None:
            return None
        companion = decode(self.look.read(digest), where=f"the companion of {self.look.shot.shot_id}")
        return companion if companion.shape == self.picture.shape else None

    @property
    def facts(self) -> Facts | None:
        return self.look.facts

    @property
    def scale(self) -> float:
        return self.look.shot.scale

    def bounds(self, rect: Rect) -> Bounds:
        """x, y, width and height of a rectangle of the page in picture pixels, fractions kept."""
        return (rect.x * self.scale, rect.y * self.scale, rect.width * self.scale, rect.height * self.scale)

    def shown(self, rect: Rect) -> Rect:
        """What of a rectangle lies in the picture; without width or height where none of it does."""
        height, width = (side / self.scale for side in self.picture.shape[:2])
        left, top = min(max(0.0, rect.x), width), min(max(0.0, rect.y), height)
        right, bottom = min(max(left, rect.right), width), min(max(top, rect.bottom), height)
        return Rect(left, top, right - left, bottom - top)

    def part(self, rect: Rect) -> Picture:
        """The whole pixels inside a rectangle of the page; empty where none of it is in the picture."""
        return cut(self.picture, self.bounds(rect))


def cut(picture: Picture, bounds: Bounds) -> Picture:
    """The whole pixels inside x, y, width, height."""
    x, y, width, height = bounds
    left, top = max(0, -int(-x // 1)), max(0, -int(-y // 1))
    right, bottom = max(left, int((x + width) // 1)), max(top, int((y + height) // 1))
    return picture[top:bottom, left:right]
