"""The HTTP under the vendors' own clients: one client that keeps what came back, and gives away nothing.

Answers for: the reply whole and bounded; the key taken out of it before anyone sees it; no redirect followed; no
connection kept (a model takes seconds to answer, and an idle socket outlives its event loop). Declines to retry and to
judge: `client` and `failures` do.

Imported only where a request is made: it loads the HTTP library.
"""

from __future__ import annotations

import ipaddress
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Final

import httpx2

from bicameral.providers.failures import HttpReply
from bicameral.providers.names import Access

REPLY_LIMIT: Final = 8 << 20
"""Bytes of a reply that are read. The longest answer of a model has some hundred thousand tokens."""

SHORTEST_SECRET: Final = 12
"""Characters of a key from which on it is taken out of replies. Local servers take `ollama` and the like for a key, and
such a word may stand in an honest answer."""

CONNECT_S: Final = 10.0
_READ_S: Final = 3600.0
"""A bound on silence that no caller meets: the deadline is the caller's (`ModelClient.ask`)."""


@dataclass
class Exchange:
    """What happened to one request. reply: None until one has come whole.  began: bytes of one came.  too_long: more
    came than is read."""

    reply: HttpReply | None = None
    began: bool = False
    too_long: bool = False
    cause: BaseException | None = field(default=None, repr=False)


current: ContextVar[Exchange | None] = ContextVar("bicameral_exchange", default=None)
"""The exchange that the running request fills."""


class ReplyTooLong(Exception):
    """More than REPLY_LIMIT bytes came."""


def open_client(access: Access) -> httpx2.AsyncClient:
    """A client for one server. The environment's proxies are used, but not on the way to this machine."""
    return _Client(
        key=access.key,
        timeout=httpx2.Timeout(_READ_S, connect=CONNECT_S),
        limits=httpx2.Limits(max_keepalive_connections=0),
        trust_env=not is_loopback(access.base_url),
    )


class _Client(httpx2.AsyncClient):
    def __init__(self, *, key: str | None, timeout: httpx2.Timeout, limits: httpx2.Limits, trust_env: bool) -> None:
        super().__init__(timeout=timeout, limits=limits, trust_env=trust_env, follow_redirects=False)
        self._secret = (key or "").encode("ascii", "replace") if len(key or "") >= SHORTEST_SECRET else b""

    async def send(self, request: httpx2.Request, *, stream: bool = False, **_: object) -> httpx2.Response:
        """Send it and read the reply whole, whether or not the caller would stream it."""
        exchange = current.get() or Exchange()
        try:
            response = await super().send(request, stream=True, follow_redirects=False)
            exchange.began = True
            try:
                body = await self._body(response)
            finally:
                await response.aclose()
        except BaseException as exc:
            exchange.cause = exc
            exchange.too_long = isinstance(exc, ReplyTooLong)
            raise
        # The body is decoded and whole here, so what described it on the wire no longer holds.
        headers = [(k, v) for k, v in response.headers.multi_items() if k.lower() not in _OF_THE_WIRE]
        exchange.reply = HttpReply(status=response.status_code, headers={k.lower(): v for k, v in headers}, body=body)
        whole = httpx2.Response(response.status_code, headers=headers, content=body, request=request)
        whole.elapsed = response.elapsed
        return whole

    async def _body(self, response: httpx2.Response) -> bytes:
        parts: list[bytes] = []
        size = 0
        async for part in response.aiter_bytes():
            size += len(part)
            if size > REPLY_LIMIT:
                raise ReplyTooLong(f"more than {REPLY_LIMIT} bytes")
            parts.append(part)
        body = b"".join(parts)
        return body.replace(self._secret, b"[key]") if self._secret else body


_OF_THE_WIRE: Final = frozenset({"content-encoding", "content-length", "transfer-encoding", "connection"})


def is_loopback(url: str) -> bool:
    """Whether an address is this machine's own."""
    host = httpx2.URL(url).host
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
