"""Labelled pages as evidence: captured by the product, with each label's selectors as places.

Rules, in order:
1. Form factors are desktop and phone, light, less what the page's own `viewports` leave out, and the one nearest to a
   label's range of widths where none of these lies in it.
2. A label's selectors are resolved in the page as the capture sees it: same browser, same settings, same width.
3. What was captured is kept in the state folder and used again as long as the set's files, the page's labels and the
   capturing code are the same.
4. A page that cannot be captured is an error of that page alone.
"""

from __future__ import annotations

import asyncio
import contextlib
import functools
import hashlib
import json
import traceback
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, Final

from _labels import Label, LabelledSet, Page
from _scoring import Place
from _site import digest_of_files, route_of

import bicameral.evidence
from bicameral.errors import BicameralError
from bicameral.evidence.browser import BrowserFault, Engine, fresh_page, open_browser
from bicameral.evidence.capture import capture
from bicameral.evidence.plan import CapturePlan
from bicameral.evidence.store import EvidenceFolder
from bicameral.evidence.target import read_address
from bicameral.model.evidence import Shot
from bicameral.model.facts import parse_facts
from bicameral.model.vocabulary import FORM_FACTORS, VIEWPORTS, FormFactor

SCHEME: Final = "light"
USUAL: Final[tuple[FormFactor, ...]] = ("desktop", "phone")
RESOLVING: Final = (Path(__file__).with_name("resolve.js")).read_text(encoding="utf-8")
LOAD_MS: Final = 10_000
REST_MS: Final = 300


@dataclass(frozen=True, kw_only=True)
class Seen:
    """One page as captured. places: for each label, form factor to where it lies.

    only_in: form factor to where alone something is scored, or None.  error: why there is nothing here.
    """

    shots: tuple[Shot, ...] = ()
    places: tuple[Mapping[str, Place], ...] = ()
    only_in: Mapping[str, Place] | None = None
    notes: tuple[str, ...] = ()
    error: str | None = None


def form_factors_for(page: Page) -> tuple[FormFactor, ...]:
    """Which form factors a page is looked at, in the vocabulary's order."""
    widths = page.viewports
    wanted = {_nearest(width, FORM_FACTORS) for width in widths} if widths else set(USUAL)
    if widths:
        wanted &= set(USUAL)
        wanted = wanted or {_nearest(width, USUAL) for width in widths}
    for label in page.labels:
        if not any(_holds(label, form) for form in wanted):
            wanted.add(_nearest(sum(label.widths) / 2, FORM_FACTORS))
    return tuple(form for form in FORM_FACTORS if form in wanted)


def forms_of(label: Label, forms: Sequence[FormFactor]) -> tuple[FormFactor, ...]:
    """Those of `forms` for which the label holds; the nearest one where none lies in its range."""
    return tuple(form for form in forms if _holds(label, form)) or (_nearest(sum(label.widths) / 2, forms),)


def _holds(label: Label, form: FormFactor) -> bool:
    return label.widths[0] <= VIEWPORTS[form][0] <= label.widths[1]


def _nearest(width: float, forms: Sequence[FormFactor]) -> FormFactor:
    return min(forms, key=lambda form: abs(VIEWPORTS[form][0] - width))


@dataclass
class Capturing:
    """Captures pages of the sets below `data`, which is served at `address`.

    kept: where what was seen is kept.  jobs: pages at once.  any_code: use what older capturing code took.
    """

    data: Path
    address: str
    evidence: EvidenceFolder
    kept: Path
    jobs: int
    any_code: bool = False
    _digests: dict[str, str] = field(default_factory=dict)

    async def see(self, labelled: LabelledSet, pages: Sequence[Page]) -> list[Seen]:
        """One answer a page, in order."""
        known = {page.path: self._known(labelled, page) for page in pages}
        missing = [page for page in pages if known[page.path] is None]
        if missing:
            found = await self._captured(labelled, missing)
            async with open_browser() as browser:
                for page, seen in zip(missing, await self._located(browser, labelled, missing, found), strict=True):
                    known[page.path] = seen
                    if seen.error is None:
                        self._keep(labelled, page, seen)
        return [known[page.path] or Seen(error="not captured") for page in pages]

    async def _captured(self, labelled: LabelledSet, pages: Sequence[Page]) -> list[Seen]:
        """The shots of each page: one capture for all that are looked at alike, and page by page where that breaks."""
        alike: dict[tuple[FormFactor, ...], list[Page]] = {}
        for page in pages:
            alike.setdefault(form_factors_for(page), []).append(page)
        seen: dict[str, Seen] = {}
        for forms, group in alike.items():
            try:
                seen |= await self._capture(labelled, group, forms)
            except Exception:  # whatever it was is told of the one page it belongs to
                for page in group:
                    try:
                        seen |= await self._capture(labelled, [page], forms)
                    except Exception as error:
                        seen[page.path] = Seen(error="".join(traceback.format_exception(error)))
        return [seen[page.path] for page in pages]

    async def _capture(
        self, labelled: LabelledSet, pages: Sequence[Page], forms: tuple[FormFactor, ...]
    ) -> dict[str, Seen]:
        plan = CapturePlan(
            target=labelled.name,
            base_url=self.address,
            routes=tuple(route_of(labelled, page) for page in pages),
            form_factors=forms,
            schemes=(SCHEME,),
            concurrency=self.jobs,
        )
        found = await capture(plan, self.evidence)
        seen = {}
        for page in pages:
            route = route_of(labelled, page)
            address = read_address(self.address + route)
            shots = tuple(shot for shot in found.shots if shot.route == address.route)
            where = f"{labelled.name}{address.route}"
            notes = [note for note in found.notes if any(note.startswith(shot.shot_id) for shot in shots)]
            notes += [f"skipped: {skipped.reason}" for skipped in found.skipped if skipped.where == where]
            seen[page.path] = Seen(shots=shots, notes=tuple(notes), error=None if shots else "; ".join(notes) or "none")
        return seen

    async def _located(
        self, browser: Engine, labelled: LabelledSet, pages: Sequence[Page], found: Sequence[Seen]
    ) -> list[Seen]:
        gate = asyncio.Semaphore(self.jobs)

        async def one(page: Page, seen: Seen) -> Seen:
            if seen.error is not None:
                return seen
            async with gate:
                try:
                    return await self._locate(browser, labelled, page, seen)
                except Exception as error:  # one page that breaks is that page's error
                    return Seen(error="".join(traceback.format_exception(error)))

        return list(await asyncio.gather(*(one(page, seen) for page, seen in zip(pages, found, strict=True))))

    async def _locate(self, browser: Engine, labelled: LabelledSet, page: Page, seen: Seen) -> Seen:
        """Add to what was captured where the labels lie."""
        forms = tuple(form for form in FORM_FACTORS if any(shot.form_factor == form for shot in seen.shots))
        places: list[dict[str, Place]] = [{} for _ in page.labels]
        only_in: dict[str, Place] = {}
        for shot in seen.shots:
            selectors = [list(label.selectors) for label in page.labels] + [[page.only_in or "html"]]
            resolved = await self._resolve(browser, route_of(labelled, page), shot, selectors)
            for at, label in enumerate(page.labels):
                if shot.form_factor in forms_of(label, forms):
                    places[at][shot.form_factor] = resolved[at]
            only_in[shot.form_factor] = resolved[-1]
        return replace(seen, places=tuple(places), only_in=only_in if page.only_in else None)

    async def _resolve(
        self, browser: Engine, route: str, shot: Shot, selectors: Sequence[Sequence[str]]
    ) -> list[Place]:
        """Where each list of selectors lies: elements by their position in the shot's facts, and boxes."""
        assert shot.facts is not None  # a capture has facts
        facts = parse_facts(json.loads(self.evidence.read(shot.facts)))
        width, height = VIEWPORTS[shot.form_factor]
        async with fresh_page(browser, viewport=(width, height), scheme=SCHEME, trust_certificates=True) as page:
            await page.goto(self.address + route, wait_until="commit", timeout=LOAD_MS)
            with contextlib.suppress(BrowserFault):
                await page.wait_for_load_state("load", timeout=LOAD_MS)
            await page.wait_for_timeout(REST_MS)
            found = await page.evaluate(
                RESOLVING, {"selectors": selectors, "paths": [element.path for element in facts.elements]}
            )
        return [_place(row) for row in found]

    def _known(self, labelled: LabelledSet, page: Page) -> Seen | None:
        try:
            row = json.loads(self._file(labelled, page).read_text(encoding="utf-8"))
            if row["code"] != capturing_code() and not self.any_code:
                return None
            seen = _from_json(row)
            for shot in seen.shots:
                for digest in (shot.picture, shot.facts, shot.companion):
                    if digest is not None:
                        self.evidence.read(digest)
        except (OSError, ValueError, KeyError, TypeError, BicameralError):
            return None
        return seen

    def _keep(self, labelled: LabelledSet, page: Page, seen: Seen) -> None:
        self.kept.mkdir(parents=True, exist_ok=True)
        self._file(labelled, page).write_text(json.dumps({"code": capturing_code(), **asdict(seen)}), encoding="utf-8")

    def _file(self, labelled: LabelledSet, page: Page) -> Path:
        decided = [self._digest(self.data / labelled.name), repr(page), RESOLVING]
        return self.kept / (hashlib.sha256("\n".join(decided).encode()).hexdigest() + ".json")

    def _digest(self, folder: Path) -> str:
        if folder.name not in self._digests:
            self._digests[folder.name] = digest_of_files(folder)
        return self._digests[folder.name]


@functools.cache
def capturing_code() -> str:
    """A digest of the code that captures, for its version says nothing of work in progress."""
    return digest_of_files(Path(str(bicameral.evidence.__file__)).parent)


def _place(row: Mapping[str, Any]) -> Place:
    boxes = tuple((float(x), float(y), float(width), float(height)) for x, y, width, height in row["boxes"])
    return Place(elements=tuple(row["elements"]), boxes=boxes)


def _from_json(row: Mapping[str, Any]) -> Seen:
    only_in = row["only_in"]
    return Seen(
        shots=tuple(Shot(**shot) for shot in row["shots"]),
        places=tuple({form: _place(place) for form, place in places.items()} for places in row["places"]),
        only_in=None if only_in is None else {form: _place(place) for form, place in only_in.items()},
        notes=tuple(row["notes"]),
        error=row["error"],
    )
