"""What happens around a page while it loads: console errors, failed requests, how much is still under way, and whether
it tries to leave its origin.

Answers for recording these without hosts, ports, queries or credentials, in an order that is the same each time, and
for stopping the page at the border of its origin before the other side is asked. Declines to block anything else.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Coroutine
from typing import TYPE_CHECKING, Any, Final

from bicameral.evidence.browser import BrowserFault, CDPSession, Page
from bicameral.evidence.target import origin_of, relative, without_addresses

if TYPE_CHECKING:
    from playwright.async_api import ConsoleMessage, Request, Response

ENTRIES: Final = 100
TEXT: Final = 500
ENDLESS: Final = frozenset({"eventsource", "websocket", "ping", "media"})
"""Kinds of request that stay open by design and say nothing about whether the page is complete."""


class Watch:
    """Listeners on one page. `refused`: the address it was about to go to when it was stopped, or None."""

    def __init__(self, origin: str) -> None:
        self._origin = origin
        self._under_way: set[Request] = set()
        self._changed = asyncio.Event()
        self._console: set[tuple[str, str | None]] = set()
        self._failed: set[tuple[str, str, int | None, str | None]] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self.refused: str | None = None

    async def attach(self, page: Page, session: CDPSession) -> None:
        page.on("console", self._on_console)
        page.on("pageerror", lambda error: self._note(f"Uncaught {error.name or 'Error'}: {error.message}", None))
        page.on("request", self._on_request)
        page.on("requestfinished", self._on_end)
        page.on("requestfailed", self._on_failure)
        page.on("response", self._on_response)
        main = (await session.send("Page.getFrameTree"))["frameTree"]["frame"]["id"]
        session.on("Fetch.requestPaused", lambda event: self._at_border(session, main, event))
        await session.send("Fetch.enable", {"patterns": [{"resourceType": "Document", "requestStage": "Request"}]})

    async def quiet(self, *, for_s: float, within_s: float) -> bool:
        """Wait until nothing was under way for so long; False where that did not happen in time."""
        loop = asyncio.get_running_loop()
        until = loop.time() + within_s
        while loop.time() < until:
            self._changed.clear()
            wait = until - loop.time() if self._under_way else min(for_s, until - loop.time())
            try:
                await asyncio.wait_for(self._changed.wait(), max(wait, 0.001))
            except TimeoutError:
                if not self._under_way:
                    return True
        return False

    def console(self) -> list[dict[str, Any]]:
        """Sorted, each once: arrival order differs from one load to the next."""
        rows = sorted(self._console, key=lambda row: (row[1] or "", row[0]))[:ENTRIES]
        return [{"level": "error", "text": text, "source": source} for text, source in rows]

    def failed_requests(self) -> list[dict[str, Any]]:
        rows = sorted(self._failed, key=lambda row: (row[0], row[1], row[2] or 0, row[3] or ""))[:ENTRIES]
        return [dict(zip(("address", "kind", "status", "error"), row, strict=True)) for row in rows]

    async def detach(self) -> None:
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _on_console(self, message: ConsoleMessage) -> None:
        if message.type == "error":
            self._note(message.text, message.location.get("url") or None)

    def _note(self, text: str, source: str | None) -> None:
        kept = without_addresses(text, self._origin)[:TEXT]
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

    def _at_border(self, session: CDPSession, main: str, event: dict[str, Any]) -> None:
        url = event["request"]["url"]
        leaves = event.get("frameId") == main and origin_of(url) not in (None, self._origin)
        if leaves:
            self.refused = self.refused or url
        self._spawn(self._decide(session, event["requestId"], leaves))

    @staticmethod
    async def _decide(session: CDPSession, paused: str, leaves: bool) -> None:
        with contextlib.suppress(BrowserFault):
            if leaves:
                await session.send("Fetch.failRequest", {"requestId": paused, "errorReason": "Aborted"})
            else:
                await session.send("Fetch.continueRequest", {"requestId": paused})
