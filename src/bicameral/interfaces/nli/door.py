"""Who may come in, and what leaves when something breaks: the outermost layer of the server (ASGI).

Rules, in order:
1. No more than `limits.requests` at once; others are told 503 with Retry-After.
2. The Host must be an address, `localhost`, or a name the server was told: a page that has its own name resolved to
   this machine (DNS rebinding) is sent away with 421.
3. A page of another origin is sent away with 403: the server has no business with browsers.
4. What breaks inside is a 500 that says nothing of the inside; the log gets the exception's type and no text.
"""

from __future__ import annotations

import ipaddress
import json
import logging
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any, Final
from urllib.parse import urlsplit

from bicameral.interfaces.nli.limits import Limits

log: Final = logging.getLogger(__name__)

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

TITLES: Final = {
    400: "Bad Request",
    403: "Forbidden",
    404: "Not Found",
    405: "Method Not Allowed",
    408: "Request Timeout",
    413: "Content Too Large",
    421: "Misdirected Request",
    422: "Unprocessable Content",
    500: "Internal Server Error",
    503: "Service Unavailable",
}


def problem(status: int, detail: str) -> bytes:
    """Problem details (RFC 9457)."""
    document = {"type": "about:blank", "title": TITLES.get(status, "Error"), "status": status, "detail": detail}
    return json.dumps(document, ensure_ascii=True).encode("ascii")


class Door:
    """names: hosts the server answers to beside addresses and `localhost`."""

    def __init__(self, app: App, *, limits: Limits, names: frozenset[str]) -> None:
        self._app = app
        self._limits = limits
        self._names = names | {"localhost"}
        self._inside = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        refused = self._refusal(scope)
        if refused is not None:
            await _answer(send, *refused)
            return
        self._inside += 1
        begun = False

        async def watched(message: MutableMapping[str, Any]) -> None:
            nonlocal begun
            begun = True
            await send(message)

        try:
            await self._app(scope, receive, watched)
        except Exception as exc:
            log.error("a request failed: %s", type(exc).__name__)
            if not begun:
                await _answer(send, 500, "The server could not answer. Its log says more.")
        finally:
            self._inside -= 1

    def _refusal(self, scope: Scope) -> tuple[int, str] | None:
        headers = {name: value.decode("latin-1") for name, value in scope["headers"]}
        host = _host_of(headers.get(b"host", ""))
        if not self._is_ours(host):
            return 421, "The Host header names another host. Use the server's address, or start it with --allow-host."
        origin = headers.get(b"origin")
        if origin is not None and not self._is_ours(_host_of(urlsplit(origin).netloc if "://" in origin else "")):
            return 403, "Pages of another origin are not answered."
        if self._inside >= self._limits.requests:
            return 503, f"The server is answering {self._limits.requests} requests already."
        return None

    def _is_ours(self, host: str) -> bool:
        if host in self._names:
            return True
        try:
            ipaddress.ip_address(host)
        except ValueError:
            return False
        return True


def _host_of(text: str) -> str:
    """The host of `host:port` or `[host]:port`, in lower case; empty for what is none."""
    try:
        return (urlsplit(f"//{text}").hostname or "").lower()
    except ValueError:
        return ""


async def _answer(send: Send, status: int, detail: str) -> None:
    headers = [(b"content-type", b"application/problem+json")]
    if status == 503:
        headers.append((b"retry-after", b"1"))
    body = problem(status, detail)
    headers.append((b"content-length", str(len(body)).encode()))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
