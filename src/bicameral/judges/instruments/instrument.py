"""What an instrument is: a pure measurer that files defects on shots and answers for findings of others.

Answers for the values that pass between an instrument and the judge that seats it. Declines to read a reply contract,
to group over shots and to speak JSON: `judge` does those for every instrument alike.
"""

from __future__ import annotations

import hashlib
import importlib
import inspect
import pkgutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final, Protocol

from bicameral.judges.instruments.slug import slug_of, unnamed_slug_of
from bicameral.model.evidence import Box, Shot
from bicameral.model.facts import Facts, Rect
from bicameral.model.findings import Finding
from bicameral.model.vocabulary import Confidence, Region, Severity, Word

VERSION: Final = "1"
"""The model of every instrument's seat. It changes when rules file other defects or name them otherwise."""


@dataclass(frozen=True, kw_only=True)
class Look:
    """One shot as an instrument sees it. facts: None where nothing was measured.  read: bytes by digest."""

    shot: Shot
    facts: Facts | None
    read: Callable[[str], bytes]

    @cached_property
    def slugs(self) -> Mapping[str, tuple[int, ...]]:
        """Slug to the elements that bear it, in document order. Empty without facts."""
        if self.facts is None:
            return {}
        found: dict[str, list[int]] = {}
        for index in range(len(self.facts.elements)):
            for slug in dict.fromkeys((slug_of(self.facts, index), unnamed_slug_of(self.facts, index))):
                found.setdefault(slug, []).append(index)
        return {slug: tuple(indexes) for slug, indexes in found.items()}

    def box(self, rect: Rect | None) -> Box | None:
        """A rectangle of the page in the picture's own pixels, cut to the picture; None where nothing is left."""
        if rect is None:
            return None
        whole = rect.to_box(self.shot.scale)
        left, top = max(0, whole.x), max(0, whole.y)
        right = min(self.shot.width_px, whole.x + whole.width)
        bottom = min(self.shot.height_px, whole.y + whole.height)
        if right <= left or bottom <= top:
            return None
        return Box(x=left, y=top, width=right - left, height=bottom - top)


@dataclass(frozen=True, kw_only=True)
class Measured:
    """One defect as measured on one shot.

    part: the instrument.  attribute: the rule and the element's slug.  rect: CSS pixels of the page, None for the page.
    title, problem, expected, observed: plain sentences; numbers with their units.
    weight: how bad among findings of one identity, 0 and up; the heaviest is the one that is described.
    """

    part: str
    category: str
    attribute: str
    severity: Severity
    title: str
    problem: str
    expected: str
    observed: str
    acceptance: tuple[str, ...]
    confidence: Confidence = "high"
    region: Region = "content"
    rect: Rect | None = None
    weight: float = 0.0


@dataclass(frozen=True, kw_only=True)
class Answer:
    """What an instrument says of another judge's finding on one shot. A dispute or amendment needs a note."""

    verdict: Word
    note: str = ""


CANNOT_TELL: Final = Answer(verdict="cannot-tell")


class Instrument(Protocol):
    """A measurer. Its methods are pure: the same looks give the same answers, in the same order.

    name: of the seat's part.  rules: a digest of the rules, for the cache.
    """

    @property
    def name(self) -> str: ...

    @property
    def rules(self) -> str: ...

    def can_judge(self, look: Look) -> bool:
        """Whether it could measure this shot at all. One it cannot is unaccounted for, never clean."""
        ...

    def propose(self, looks: Sequence[Look]) -> Mapping[str, Sequence[Measured]]:
        """Shot id to what is wrong on it. looks: the shots of one view that it can judge."""
        ...

    def unmeasured(self, looks: Sequence[Look]) -> Mapping[str, str]:
        """Shot id to what it should have measured there and could not, in a few words that go on with `on 2 of 6
        shots`. A shot that is named here is never called clean. looks: as for `propose`.
        """
        ...

    def rule(self, looks: Sequence[Look], findings: Sequence[Finding]) -> Sequence[Mapping[str, Answer]]:
        """For each finding, in order, shot id to the word on it: for those looks on which it shows and it can tell.

        looks: the shots of one view that it can judge. A shot that is left out counts as cannot-tell.
        """
        ...


def rules_digest(*packages: str) -> str:
    """`sha256:` of the source of these modules and all below them, so that a changed rule is never served from a cache.

    A module whose source is not at hand counts by its name alone; VERSION then tells releases apart.
    """
    hashed = hashlib.sha256(VERSION.encode("ascii"))
    for name in sorted(set(_modules(packages))):
        module = importlib.import_module(name)
        try:
            source = inspect.getsource(module)
        except (OSError, TypeError):
            source = ""
        hashed.update(f"\n{name}\n{source}".encode())
    return "sha256:" + hashed.hexdigest()


def _modules(packages: Sequence[str]) -> list[str]:
    names = list(packages)
    for package in packages:
        path = getattr(importlib.import_module(package), "__path__", None)
        if path is not None:
            names += [found.name for found in pkgutil.walk_packages(path, prefix=f"{package}.")]
    return names
