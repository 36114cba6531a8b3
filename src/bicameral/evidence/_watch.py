"""What happens around a page while it loads: console errors, failed requests, how much is still under way, and whether
it tries to leave its origin.

Answers for recording these without hosts, ports, queries or credentials, in an order that is the same each time, for
stopping the page at the border of its origin before the other side is asked, and for a page that floods taking nothing
but itself down. Declines to block anything else.

Rules: each kind of word from the page is listened to until MOST of it came; then nobody listens any more. A page that
floods its console is stopped at once, any other kind of flood when the page was given its time to come to rest. One
that cannot be stopped within CALM_S is given up (`Flooded`).
"""

from __future__ import annotations

import asyncio
import contextlib
from collections import Counter
from collections.abc import Callable, Coroutine, Mapping
from typing import TYPE_CHECKING, Any, Final, TypeVar

from bicameral.evidence._world import source
from bicameral.evidence.browser import BrowserFault, CDPSession, Page
from bicameral.evidence.target import origin_of, relative, without_secrets

if TYPE_CHECKING:
    from playwright.async_api import ConsoleMessage, Error, Request, Response

ENTRIES: Final = 100
TEXT: Final = 500
MOST: Final[Mapping[str, int]] = {"console messages": 500, "requests": 3000, "documents": 300}
"""Of each kind, how many are listened to: a page of an unbundled application loads some 2,000 files."""
CALM_S: Final = 15.0
ENDLESS: Final = frozenset({"eventsource", "websocket", "ping", "media"})
"""Kinds of request that stay open by design and say nothing about whether the page is complete."""


Answer = TypeVar("Answer")
_OWN_PROBING: Final = "Blocked script execution in "
"""What a sandboxed page logs of scripts that are run in it from outside."""


class Flooded(Exception):
    """The page floods and could not be stopped. The text is the reason."""


class Refused(Exception):
    """The page was about to leave its origin; `Watch.refused` says where to."""


class Watch:
    """Listeners on one page.

    refused: the address it was about to go to when it was stopped, or None.
    flooded: what it sent more of than is listened to, for a note, or None.
    """

    def __init__(self, origin: str) -> None:
        self._origin = origin
        self._under_way: set[Request] = set()
        self._changed = asyncio.Event()
        self._console: set[tuple[str, str | None]] = set()
        self._failed: set[tuple[str, str, int | None, str | None]] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self._heard: Counter[str] = Counter()
        self._listening: list[tuple[str, Callable[[], None]]] = []
        self._lost = asyncio.Event()
        self._session: CDPSession | None = None
        self._main = ""
        self.refused: str | None = None
        self.flooded: str | None = None

    async def attach(self, page: Page, session: CDPSession) -> None:
        self._listen(page, "console messages", "console", self._on_console)
        self._listen(page, "console messages", "pageerror", self._on_error)
        self._listen(page, "requests", "request", self._on_request)
        self._listen(page, "requests", "requestfinished", self._on_end)
        self._listen(page, "requests", "requestfailed", self._on_failure)
        self._listen(page, "requests", "response", self._on_response)
        self._session = session
        self._main = (await session.send("Page.getFrameTree"))["frameTree"]["frame"]["id"]
        self._listen(session, "documents", "Fetch.requestPaused", self._at_border)
        await session.send("Fetch.enable", {"patterns": [{"resourceType": "Document", "requestStage": "Request"}]})

    async def bound(self, work: Coroutine[Any, Any, Answer]) -> Answer:
        """What the work answers. Raises Flooded as soon as the page cannot be stopped, Refused as soon as it leaves."""
        task, lost = asyncio.ensure_future(work), asyncio.ensure_future(self._lost.wait())
        try:
            await asyncio.wait({task, lost}, return_when=asyncio.FIRST_COMPLETED)
            if not task.done() and self.refused is not None:
                raise Refused
            if not task.done():
                raise Flooded(f"could not be stopped after it had made {self.flooded}")
            return task.result()
        finally:
            task.cancel()
            lost.cancel()
            await asyncio.gather(task, lost, return_exceptions=True)

    async def calm(self) -> None:
        """Stop what the page has arranged to do later, and its console. Gives the page up where it does not answer."""
        try:
            await asyncio.wait_for(self._stop(), CALM_S)
        except (BrowserFault, TimeoutError):
            self._lost.set()

    async def quiet(self, *, for_s: float, within_s: float) -> bool:
        """Wait until nothing was under way for so long; False where that did not happen in time, or cannot be told."""
        loop = asyncio.get_running_loop()
        until = loop.time() + within_s
        while loop.time() < until and not self.flooded:
            self._changed.clear()
            wait = until - loop.time() if self._under_way else min(for_s, until - loop.time())
            try:
                await asyncio.wait_for(self._changed.wait(), max(wait, 0.001))
            except TimeoutError:
                if not self._under_way:
                    return not self.flooded
        return False

    def console(self) -> list[dict[str, Any]]:
        """Sorted, each once: arrival order differs from one load to the next."""
        rows = sorted(self._console, key=lambda row: (row[1] or "", row[0]))[:ENTRIES]
        return [{"level": "error", "text": text, "source": source} for text, source in rows]

    def failed_requests(self) -> list[dict[str, Any]]:
        rows = sorted(self._failed, key=lambda row: (row[0], row[1], row[2] or 0, row[3] or ""))[:ENTRIES]
        return [dict(zip(("address", "kind", "status", "error"), row, strict=True)) for row in rows]

    async def detach(self) -> None:
        self._deafen(*MOST)
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _listen(self, speaker: Any, kind: str, event: str, heard: Callable[[Any], None]) -> None:
        """Hear an event of a page or session until there was too much of its kind."""

        def bounded(said: Any) -> None:
            self._heard[kind] += 1
            if self._heard[kind] <= MOST[kind]:
                heard(said)
            elif self._heard[kind] == MOST[kind] + 1:
                self._overflow(kind)

        speaker.on(event, bounded)
        self._listening.append((kind, lambda: speaker.remove_listener(event, bounded)))

    def _deafen(self, *kinds: str) -> None:
        for kind, stop in self._listening:
            if kind in kinds:
                with contextlib.suppress(BrowserFault):
                    stop()
        self._listening = [row for row in self._listening if row[0] not in kinds]

    def _overflow(self, kind: str) -> None:
        self._deafen(kind)
        self.flooded = self.flooded or f"more than {MOST[kind]:,} {kind}"
        self._under_way.clear()
        self._changed.set()
        if kind == "documents":
            # Each would have to be let through at the border one by one.
            self._lost.set()
        elif kind == "console messages":
            self._spawn(self.calm())

    async def _stop(self) -> None:
        if self._session is None:
            return
        script = source("collect/quiet.js")
        await self._session.send("Runtime.evaluate", {"expression": script})
        made = await self._session.send("Page.createIsolatedWorld", {"frameId": self._main, "worldName": "quiet"})
        where = {"contextId": made["executionContextId"]}
        await self._session.send("Runtime.evaluate", {"expression": script, **where})
        await self._session.send("Page.stopLoading")

    def _on_console(self, message: ConsoleMessage) -> None:
        if message.type == "error" and not message.text.startswith(_OWN_PROBING):
            self._note(message.text, message.location.get("url") or None)

    def _on_error(self, error: Error) -> None:
        self._note(f"Uncaught {error.name or 'Error'}: {error.message}", None)

    def _note(self, text: str, source: str | None) -> None:
        kept = without_secrets(text[: TEXT * 4], self._origin)[:TEXT]
        self._console.add((kept, relative(source, self._origin) if source else None))

    def _on_request(self, request: Request) -> None:
        if request.resource_type not in ENDLESS:
            self._under_way.add(request)
            self._changed.set()

    def _on_end(self, request: Request) -> None:
        self._under_way.discard(request)
        self._changed.set()

    def _on_failure(self, request: Request) -> None:
        self._on_end(request)
        reason = request.failure or "failed"
        # What the page itself, or the end of the visit, gave up is no failure of the application.
        if reason != "net::ERR_ABORTED":
            self._failed.add((relative(request.url, self._origin), request.resource_type, None, reason))

    def _on_response(self, response: Response) -> None:
        if response.status >= 400:
            address = relative(response.url, self._origin)
            self._failed.add((address, response.request.resource_type, response.status, None))

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task: asyncio.Task[None] = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _at_border(self, event: dict[str, Any]) -> None:
        url = event["request"]["url"]
        leaves = event.get("frameId") == self._main and origin_of(url) not in (None, self._origin)
        if leaves:
            self.refused = self.refused or url
            # There is nothing to wait for: what the page would have shown is on the other side.
            self._lost.set()
        if self._session is not None:
            self._spawn(self._decide(self._session, event["requestId"], leaves))

    @staticmethod
    async def _decide(session: CDPSession, paused: str, leaves: bool) -> None:
        with contextlib.suppress(BrowserFault):
            if leaves:
                await session.send("Fetch.failRequest", {"requestId": paused, "errorReason": "Aborted"})
            else:
                await session.send("Fetch.continueRequest", {"requestId": paused})
