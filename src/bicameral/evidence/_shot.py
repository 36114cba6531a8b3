"""One picture of one route: open, bring to rest, measure, picture, companion.

Plan, in order. The caller owns the browser, the context and the folder.
1. Open the address; refuse what answers with an error, leaves its origin or is no page.
2. Wait, bounded: load, quiet network, a walk down the page and back, fonts and pictures; stop what moves.
3. Run axe in an isolated world, which takes a while, and see whether the page moved meanwhile: then it is not settled.
4. Hold the page: its timers, frames and messages are taken back, so that what is measured is what is pictured. Its
   scripts are not switched off, for then canvases and what stands in <noscript> would be drawn otherwise. Where it
   changed between its two pictures all the same (a worker, a socket), the second is not kept.
5. Measure elements and text; picture; text transparent; companion; text back.
6. Geometry last, for it moves the focus and the scroll position for a moment.
A page that navigates while it is measured is started over once.
"""

from __future__ import annotations

import asyncio
import json
import re
from dataclasses import dataclass, field
from typing import Any, Final
from urllib.parse import urlsplit

from bicameral.errors import BrowserError, TargetError
from bicameral.evidence._picture import picture_size, rehearse, same_size, take_picture
from bicameral.evidence._pseudo import place
from bicameral.evidence._watch import Flooded, Refused, Watch
from bicameral.evidence._world import World, WorldGone, source
from bicameral.evidence.browser import BrowserFault, BrowserTimeout, CDPSession, Page
from bicameral.evidence.facts import CAPTURE_VERSION
from bicameral.evidence.plan import Limits
from bicameral.evidence.target import Address, is_local, origin_of, path_of, relative

QUIET_S: Final = 0.3
BORDER_S: Final = 0.2
PAGE_TYPES: Final = ("text/html", "application/xhtml+xml")
ARIA_TIMEOUT_MS: Final = 3000.0
ARIA_MOST: Final = 100_000
NO_LATER: Final = """(() => {
  const nothing = (owner, names) => { for (const name of names) {
    try { Object.defineProperty(owner, name, {value: () => 0, configurable: true, writable: true}); } catch {} } };
  nothing(window, ['requestAnimationFrame', 'requestIdleCallback', 'setTimeout', 'setInterval', 'postMessage']);
  nothing(MessagePort.prototype, ['postMessage']);
  nothing(Worker.prototype, ['postMessage']);
})()"""
"""Run in the page's own world, so that a handler that still runs arranges nothing further."""
_ARIA_URL: Final = re.compile(r"(/url: *)(\"?)([^\n\"]*)(\"?)")


class Unanswered(TargetError):
    """Nothing answered at the address. `reason`: the same without the address.

    refused: at once, so that no other route of the target will answer either.
    """

    def __init__(self, shown: str, reason: str, *, mend: str, refused: bool) -> None:
        super().__init__(f"{shown} {reason}.", mend=mend)
        self.reason = reason
        self.refused = refused


class LeadsAway(TargetError):
    """The route leads off the origin of its target. `reason`: the same without the route's own address."""

    def __init__(self, shown: str, where: str, *, mend: str) -> None:
        self.reason = f"leads off its origin, to {where}; it was not followed"
        super().__init__(f"{shown} {self.reason}.", mend=mend)


class NotAPage(Exception):
    """The route answers, but with nothing that can be judged. The text is the reason."""


@dataclass(kw_only=True)
class Seen:
    """What one visit gave: the document's parts before they are put into the folder."""

    picture: bytes
    companion: bytes | None
    size: tuple[int, int]
    page: dict[str, Any]
    collected: dict[str, Any]
    console: list[dict[str, Any]]
    failed_requests: list[dict[str, Any]]
    aria: str
    notes: list[str] = field(default_factory=list)


async def visit(
    page: Page,
    address: Address,
    *,
    viewport: tuple[int, int],
    form_factor: str,
    scheme: str,
    limits: Limits,
    browser: str,
) -> Seen:
    """See one route. Raises Unanswered, LeadsAway, NotAPage, or BrowserError where it could not be measured."""
    session = await page.context.new_cdp_session(page)
    watch = Watch(address.origin)
    await watch.attach(page, session)
    try:
        await watch.bound(_open(page, address, watch, limits))
        try:
            seen = await watch.bound(_see(page, session, address, watch, viewport, limits))
        except (WorldGone, BrowserFault):
            seen = await watch.bound(_see(page, session, address, watch, viewport, limits))
    except Flooded as error:
        raise NotAPage(str(error)) from error
    except (Refused, NotAPage, BrowserError, BrowserFault):
        # A visit that was stopped at the border may end in any of these; word of the border may come a moment later.
        await asyncio.sleep(BORDER_S)
        _check_border(address, watch)
        raise
    finally:
        await watch.detach()
    _check_border(address, watch)
    seen.page |= {
        "path": path_of(page.url),
        "form_factor": form_factor,
        "scheme": scheme,
        "viewport": list(viewport),
        "tools": {"axe": seen.collected["axe"]["version"], "browser": browser, "capture": CAPTURE_VERSION},
    }
    if seen.page["path"] != path_of(address.url):
        seen.notes.append(f"shows {seen.page['path']}, to which the application sent it on")
    return seen


async def _open(page: Page, address: Address, watch: Watch, limits: Limits) -> None:
    try:
        response = await page.goto(address.url, wait_until="commit", timeout=limits.answer_s * 1000)
    except BrowserTimeout as error:
        raise Unanswered(
            address.shown,
            f"did not answer within {limits.answer_s:g} s",
            mend="Check that the application is up, or wait for it before checking.",
            refused=False,
        ) from error
    except BrowserFault as error:
        raise _failed_to_open(address, str(error)) from error
    if response is not None and response.status >= 400:
        raise NotAPage(f"answers {response.status}")


def _failed_to_open(address: Address, said: str) -> Exception:
    word = re.search(r"net::(ERR_\w+)", said)
    if "Download is starting" in said:
        return NotAPage("answers with a download, not a page")
    if word is None:
        return WorldGone(f"The page went elsewhere while it was opened ({said.splitlines()[0][:200]}).")
    if word[1] in {"ERR_ABORTED", "ERR_TOO_MANY_REDIRECTS", "ERR_INVALID_RESPONSE", "ERR_EMPTY_RESPONSE"}:
        return NotAPage(f"shows no page ({word[1]})")
    return Unanswered(
        address.shown,
        f"does not answer ({word[1]})",
        mend="Check that the application is up and that the address is right.",
        refused=True,
    )


def _check_border(address: Address, watch: Watch) -> None:
    if watch.refused is None:
        return
    where = origin_of(watch.refused) or "another origin"
    local = is_local(urlsplit(watch.refused).hostname or "")
    remote = "" if local else " (with --allow-remote, if it is yours to check)"
    raise LeadsAway(
        address.shown,
        where,
        mend=f"Leave the route out, mend where it leads, or name {where} as a target of its own{remote}.",
    )


async def _see(
    page: Page, session: CDPSession, address: Address, watch: Watch, viewport: tuple[int, int], limits: Limits
) -> Seen:
    world = World(session)
    settled = await _settle(page, session, world, watch, limits)
    content_type = await world.evaluate("document.contentType")
    if content_type not in PAGE_TYPES:
        raise NotAPage(f"is {content_type}, not a page")
    notes = [] if settled else [f"was still loading after {limits.settle_s:g} s; it was judged as it stood"]
    if watch.flooded:
        notes = [f"made {watch.flooded}; it was stopped and judged as it stood"]
        await watch.calm()
    # Before axe, which fetches style sheets again: what comes of that is no failure of the application's.
    failed_requests, console = watch.failed_requests(), watch.console()
    aria = await _aria(page, world, address)
    if not settled:
        await session.send("Page.stopLoading")
    await world.load_axe()
    try:
        await rehearse(page)
    except BrowserFault as error:
        raise WorldGone(f"The picture could not be taken ({str(error).splitlines()[0][:200]}).") from error
    await world.call("still", "stop", 1000)
    collected, standing = await _measure(session, world, limits)
    if not standing:
        notes.append("changes at each look (animated); it was judged as it stood")
        settled = False
    width, height = collected["page"]["document"]
    document = (int(width), int(height))
    size = picture_size(document, viewport)
    notes += _left_out(collected, size, document)
    picture, companion = await _pictures(page, world, document, viewport)
    if companion is None:
        notes.append("changed while its second picture was taken; contrast cannot be measured on it")
    await world.call("still", "resume", 0)
    collected["geometry"] = await _geometry(world)
    return Seen(
        picture=picture,
        companion=companion,
        size=size,
        page={**collected.pop("page"), "settled": settled},
        collected=collected,
        console=console,
        failed_requests=failed_requests,
        aria=aria,
        notes=notes,
    )


async def _settle(page: Page, session: CDPSession, world: World, watch: Watch, limits: Limits) -> bool:
    """Bring the page to rest within `limits.settle_s`; False where that did not happen."""
    loop = asyncio.get_running_loop()
    until = loop.time() + limits.settle_s

    def left() -> float:
        return max(until - loop.time(), 0.05)

    try:
        await page.wait_for_load_state("load", timeout=left() * 1000)
        loaded = True
    except BrowserTimeout:
        loaded = False
    except BrowserFault as error:
        raise WorldGone(f"The page broke off while loading ({str(error).splitlines()[0][:200]}).") from error
    quiet = await watch.quiet(for_s=QUIET_S, within_s=left())
    await world.enter()
    await world.call("still", "seen", left() * 1000)
    quiet = await watch.quiet(for_s=QUIET_S / 3, within_s=left()) and quiet
    ready = await world.call("still", "loaded", left() * 1000)
    # The walk may have brought in frames, or the page may have moved on: the worlds are made anew.
    await world.enter()
    return loaded and quiet and bool(ready)


async def _measure(session: CDPSession, world: World, limits: Limits) -> tuple[dict[str, Any], bool]:
    """Elements, text and axe, and whether the page stood still while axe ran. Leaves the page held."""
    await world.call("look", "keep")
    await _run_axe(session, world, limits)
    await session.send("Runtime.evaluate", {"expression": NO_LATER})
    await world.call("hold")
    await world.call_in_frames("hold")
    standing = bool(await world.call("look", "same"))
    collected: dict[str, Any] = await world.call("elements")
    text = await world.call("text")
    collected["text_runs"] = await place(text["text_runs"], world, session, tuple(text["origin"]))
    collected["left_out"] += text["left_out"]
    collected["axe"] = await world.call("axe_report")
    return collected, standing


async def _run_axe(session: CDPSession, world: World, limits: Limits) -> None:
    """Bounded: a page can be built so that axe-core never comes to an end."""
    try:
        await asyncio.wait_for(world.call("axe"), limits.axe_s)
    except TimeoutError:
        await session.send("Runtime.terminateExecution")


async def _pictures(
    page: Page, world: World, document: tuple[int, int], viewport: tuple[int, int]
) -> tuple[bytes, bytes | None]:
    """The picture, and the companion where nothing but the text differs between the two."""
    await world.call("look", "keep")
    try:
        picture = await take_picture(page, document, viewport)
        await world.call("hide_text")
        await world.call_in_frames("hide_text")
        companion = await take_picture(page, document, viewport)
    except BrowserFault as error:
        raise WorldGone(f"The picture could not be taken ({str(error).splitlines()[0][:200]}).") from error
    alike = await world.call("look", "same") and same_size(picture, companion)
    await world.call("show_text")
    return picture, companion if alike else None


async def _geometry(world: World) -> dict[str, Any] | None:
    script = source("collect/geometry.js")
    answer = await world.evaluate(f"(\n{script}\n)(bicameral.elements)") if script else None
    return answer if isinstance(answer, dict) else None


async def _aria(page: Page, world: World, address: Address) -> str:
    try:
        text = await page.locator("html").aria_snapshot(timeout=ARIA_TIMEOUT_MS)
    except BrowserFault:
        return ""
    for secret in await world.call("secrets"):
        for written in {str(secret), json.dumps(secret)[1:-1], json.dumps(secret, ensure_ascii=False)[1:-1]}:
            text = text.replace(written, "•" * 8)
    return _ARIA_URL.sub(lambda match: match[1] + relative(match[3].strip(), address.origin), text)[:ARIA_MOST]


def _left_out(collected: dict[str, Any], size: tuple[int, int], document: tuple[int, int]) -> list[str]:
    notes = []
    if collected["left_out"]:
        notes.append(f"has {collected['left_out']} more elements and texts than are measured")
    if size[0] < document[0] or size[1] < document[1]:
        notes.append(f"is {document[0]} x {document[1]} px; the picture holds the first {size[0]} x {size[1]}")
    if collected["axe"].get("unseen_frames"):
        notes.append(
            f"holds {collected['axe']['unseen_frames']} frames of another origin; what is in them is not judged"
        )
    if collected["axe"].get("error"):
        notes.append(f"was not measured by axe-core ({collected['axe']['error'][:200]})")
    return notes
