"""What is to be captured, and what came of it: values alone."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

from bicameral.model.evidence import Shot
from bicameral.model.run import SkippedInput
from bicameral.model.vocabulary import FORM_FACTORS, SCHEMES, VIEWPORTS, FormFactor, Scheme


@dataclass(frozen=True, kw_only=True)
class Limits:
    """Bounds on one picture, in seconds.

    answer_s: until the first byte of the page.  settle_s: for loading, scrolling through and coming to rest; then it is
    judged as it is.  axe_s: for axe-core; then the page is judged without it.  shot_s: for everything; a page that
    takes longer cannot be measured and is skipped.
    """

    answer_s: float = 15.0
    settle_s: float = 10.0
    axe_s: float = 20.0
    shot_s: float = 90.0


@dataclass(frozen=True, kw_only=True)
class CapturePlan:
    """One target.

    base_url: with or without credentials, which go to the browser alone.  routes: paths below its origin, in the order
    to capture; none means the base address itself.  allow_remote: open hosts that are not this machine.
    concurrency: pages open at once, at least 1.
    """

    target: str
    base_url: str
    routes: tuple[str, ...] = ()
    form_factors: tuple[FormFactor, ...] = FORM_FACTORS
    schemes: tuple[Scheme, ...] = SCHEMES
    limits: Limits = field(default_factory=Limits)
    allow_remote: bool = False
    concurrency: int = 2

    def viewport(self, form_factor: FormFactor) -> tuple[int, int]:
        return VIEWPORTS[form_factor]


@dataclass(frozen=True, kw_only=True)
class CaptureEvent:
    """Progress, for a person who watches. done: of `total`, this one included."""

    kind: Literal["shot", "skipped"]
    what: str
    done: int
    total: int


OnEvent = Callable[[CaptureEvent], None]


@dataclass(frozen=True, kw_only=True)
class CaptureResult:
    """shots: in the order of the plan (routes, then form factors, then schemes), or by path for a folder.

    skipped: inputs that could not be judged; any of these makes the exit status 2.  notes: sentences for the reader.
    """

    shots: tuple[Shot, ...]
    skipped: tuple[SkippedInput, ...] = ()
    notes: tuple[str, ...] = ()


def shot_id(target: str, route: str, state: str, form_factor: str, scheme: str) -> str:
    """`target/route/state/form-factor/scheme`; the route keeps its own slashes, so that `/` and `/a/` stay apart."""
    return f"{target}{route if route.startswith('/') else '/' + route}/{state}/{form_factor}/{scheme}"
