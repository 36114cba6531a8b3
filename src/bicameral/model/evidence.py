"""Shots and views: what was looked at, named by digest.

A shot is one full-page picture of one route in one state at one form factor and colour scheme, with the
facts measured when it was taken. Nothing here reads a file: a shot names its bytes by SHA-256.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Shot:
    """One picture with its facts.

    shot_id: `target/route/state/form-factor/scheme`, unique in a run; it holds no host or port.
    picture, facts, companion: `sha256:` digests of the bytes in the evidence folder. facts is None for a
    picture that some other tool took; companion is the second picture, taken with the text made transparent.
    width_px, height_px: of the picture, in its own pixels, each at least 1.
    scale: picture pixels per CSS pixel (1.0 for our own captures).
    """

    shot_id: str
    target: str
    route: str
    picture: str
    width_px: int
    height_px: int
    state: str = "rest"
    platform: str = "web"
    form_factor: str = "desktop"
    scheme: str = "light"
    facts: str | None = None
    companion: str | None = None
    scale: float = 1.0

    @property
    def view(self) -> View:
        return View(target=self.target, platform=self.platform, route=self.route, state=self.state)


@dataclass(frozen=True, kw_only=True, order=True)
class View:
    """One target, platform, route and state across form factors and schemes: one batch for the judges."""

    target: str
    platform: str
    route: str
    state: str

    def __str__(self) -> str:
        return f"{self.target}{self.route if self.route.startswith('/') else '/' + self.route} [{self.state}]"


@dataclass(frozen=True, kw_only=True)
class Box:
    """A rectangle in page pixels, whole numbers, from the top left corner of the full page."""

    x: int
    y: int
    width: int
    height: int

    def __post_init__(self) -> None:
        if self.width < 0 or self.height < 0:
            raise ValueError(f"a box has no negative size: {self}")

    def as_list(self) -> list[int]:
        return [self.x, self.y, self.width, self.height]


def by_view(shots: Iterable[Shot]) -> dict[View, tuple[Shot, ...]]:
    """Group shots into views. Views come in sorted order, the shots of each in the order given."""
    grouped: dict[View, list[Shot]] = {}
    for shot in shots:
        grouped.setdefault(shot.view, []).append(shot)
    return {view: tuple(grouped[view]) for view in sorted(grouped)}
