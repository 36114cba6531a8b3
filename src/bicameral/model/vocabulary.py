"""Every closed vocabulary, owned here and nowhere else.

A member may be added. One that has reached a record is never renamed, so the values are the wire's own words.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, Literal, get_args

Severity = Literal["critical", "high", "medium", "low"]
Confidence = Literal["high", "medium", "low"]
Region = Literal["content", "shell-nav", "shell-header", "shell-footer"]
Scheme = Literal["light", "dark"]
FormFactor = Literal["desktop", "tablet", "phone"]

Word = Literal["agree", "dispute", "amend", "cannot-tell"]
"""What one judge says of another's finding."""

ReplyState = Literal["complete", "truncated", "refused", "empty", "unreadable", "incomplete"]
"""How a reply could be read. All but `complete` are counted in the summary and never cached."""

Finish = Literal["stop", "length", "refusal"]
"""Why a judge stopped speaking, as its adapter reports it."""

Reason = Literal[
    "unreachable",
    "timed-out",
    "refused",
    "truncated",
    "empty",
    "unreadable",
    "nothing-usable",
    "budget",
    "cancelled",
]
"""Why there was no dialogue, or no second round."""

Status = Literal["open", "confirmed", "fixed", "by-design", "not-a-defect", "blocked"]
"""`open` is where an issue starts; the others are rulings of a person."""

Task = Literal["propose", "challenge", "rule"]

SEVERITIES: Final[tuple[Severity, ...]] = get_args(Severity)  # highest first
CONFIDENCES: Final[tuple[Confidence, ...]] = get_args(Confidence)
REGIONS: Final[tuple[Region, ...]] = get_args(Region)
SCHEMES: Final[tuple[Scheme, ...]] = get_args(Scheme)
FORM_FACTORS: Final[tuple[FormFactor, ...]] = get_args(FormFactor)
WORDS: Final[tuple[Word, ...]] = get_args(Word)
REASONS: Final[tuple[Reason, ...]] = get_args(Reason)
STATUSES: Final[tuple[Status, ...]] = get_args(Status)

OPEN_STATUSES: Final[frozenset[Status]] = frozenset({"open", "confirmed"})
"""Statuses that count as open findings. The others are `fixed` or suppressed."""

SUPPRESSED_STATUSES: Final[frozenset[Status]] = frozenset({"by-design", "not-a-defect"})
"""A sighting of such an issue is shown as suppressed and fails no run. `blocked` is known, counted apart."""

REASONED_STATUSES: Final[frozenset[Status]] = frozenset({"by-design", "not-a-defect", "blocked"})
"""Rulings that must say why."""

LANES: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "rendering": ("render", "broken-image", "console-error", "color-scheme"),
        "geometry": ("layout-overflow", "overlap", "clipping", "alignment", "spacing", "responsive"),
        "legibility": ("contrast", "typography"),
        "accessibility": ("a11y", "label", "structure", "target-size", "focus", "motion"),
        "craft": ("hierarchy", "consistency", "content"),
    }
)
CATEGORIES: Final[tuple[str, ...]] = tuple(category for lane in LANES.values() for category in lane)

VIEWPORTS: Final[Mapping[str, tuple[int, int]]] = MappingProxyType(
    {"desktop": (1440, 900), "tablet": (834, 1112), "phone": (390, 844)}
)
"""Form factor to CSS pixels, width by height."""

TEAM: Final = "team"
"""The audience of a broadcast."""
CLERK: Final = "clerk"
"""The handle of the program itself, which reads out the charge and notes what was not said."""

CONTRACT_VERSION: Final = "reply/1"
"""The version of the reply contract. It is part of the cache identity."""


def lane_of(category: str) -> str | None:
    """The lane a category belongs to, or None for a word outside the vocabulary."""
    for lane, members in LANES.items():
        if category in members:
            return lane
    return None
