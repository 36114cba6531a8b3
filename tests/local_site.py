"""A small web server that says exactly what a test tells it to. The `serve` fixture starts them."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit


@dataclass(frozen=True)
class Answer:
    """One response. body: text is sent as UTF-8 HTML.  wait_s: before anything is sent."""

    body: bytes | str = ""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    wait_s: float = 0.0


Site = Mapping[str, bytes | str | Answer]
Serve = Callable[[Site], str]


class LocalSite(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False

    def __init__(self, site: Site) -> None:
        self.site = site
        self.stopping = threading.Event()
        super().__init__(("127.0.0.1", 0), _Handler)

    def handle_error(self, request: object, client_address: object) -> None:
        """A browser that hangs up is no event of a test."""


class _Handler(BaseHTTPRequestHandler):
    server: LocalSite

    def do_GET(self) -> None:
        said = self.server.site.get(self.path, self.server.site.get(urlsplit(self.path).path))
        answer = Answer("not here", 404) if said is None else said if isinstance(said, Answer) else Answer(said)
        if answer.wait_s and self.server.stopping.wait(answer.wait_s):
            return
        body = answer.body.encode() if isinstance(answer.body, str) else answer.body
        headers = {"Content-Type": "text/html; charset=utf-8", **answer.headers}
        self.send_response(answer.status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        with contextlib.suppress(OSError):
            self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Tests say what they have to say themselves."""
