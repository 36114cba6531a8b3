"""A server on this machine that works through a script of steps, one a request.

Answers for the connection: what is sent, cut or held back, and what was asked. Each vendor's own module gives the
shapes. A script that has run out is answered 500, which a test sees as one request too many; `requests` has them all.
"""

from __future__ import annotations

import contextlib
import json
import select
import socket
import struct
import threading
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, ClassVar, Final, Self

from bicameral.testing.model_servers.steps import Cut, ErrorWord, Fault, Hang, Raw, Reset, Say, Step

WORDS: Final[Mapping[int, ErrorWord]] = {
    400: "request",
    401: "auth",
    403: "auth",
    404: "missing",
    429: "rate",
    503: "overloaded",
    529: "overloaded",
}


@dataclass(frozen=True)
class Seen:
    """One request. headers: names in lower case.  body: its JSON, None where it was none."""

    path: str
    headers: Mapping[str, str]
    body: Any


class ModelServer:
    """Serves while it is entered. models: the names it knows; a script answers for every known one.

    requests: what was asked, in order.  hung_up: set once a client left while a `Hang` was on.
    """

    key: ClassVar[str] = "test-key-0123456789abcdef"
    prefix: ClassVar[str] = ""

    def __init__(self, script: Iterable[Step] = (), *, models: Iterable[str] | None = None) -> None:
        self.script: list[Step] = list(script)
        self.models = None if models is None else frozenset(models)
        self.requests: list[Seen] = []
        self.hung_up = threading.Event()
        self._stopping = threading.Event()
        self._lock = threading.Lock()
        self._server: _Listening | None = None

    @property
    def base_url(self) -> str:
        """What a client of this vendor is given, once the server is entered."""
        assert self._server is not None, "enter the server first"
        return f"http://127.0.0.1:{self._server.server_address[1]}{self.prefix}"

    def __enter__(self) -> Self:
        self._server = server = _Listening(self)
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stopping.set()
        if self._server is not None:
            self._server.shutdown()
            self._server.server_close()

    def next_step(self, seen: Seen) -> Step:
        """The step for a request: a refusal where the vendor would refuse it, else the script's next."""
        with self._lock:
            self.requests.append(seen)
            wrong = self.refusal(seen)
            if wrong is not None:
                return wrong
            return self.script.pop(0) if self.script else Fault(500, message="the script has run out")

    def wait(self, seconds: float) -> None:
        self._stopping.wait(seconds)

    @property
    def stopped(self) -> bool:
        return self._stopping.is_set()

    # What each vendor says.

    def refusal(self, seen: Seen) -> Fault | None:
        """The error for a request that this vendor does not take, None for one that it does."""
        raise NotImplementedError

    def answer(self, step: Say, seen: Seen) -> tuple[bytes, str]:
        """The body of an answer and its media type."""
        raise NotImplementedError

    def error(self, step: Fault, word: ErrorWord) -> object:
        """The JSON of an error."""
        raise NotImplementedError


class _Listening(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    request_queue_size = 128

    def __init__(self, owner: ModelServer) -> None:
        self.owner = owner
        super().__init__(("127.0.0.1", 0), _Handler)

    def handle_error(self, request: object, client_address: object) -> None:
        """A client that hangs up is no event of a test."""


class _Handler(BaseHTTPRequestHandler):
    server: _Listening
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        owner = self.server.owner
        raw = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        try:
            body = json.loads(raw)
        except ValueError:
            body = None
        seen = Seen(self.path, {name.lower(): value for name, value in self.headers.items()}, body)
        step = owner.next_step(seen)
        with contextlib.suppress(OSError):
            self._do(step, seen)

    do_GET = do_POST

    def _do(self, step: Step, seen: Seen) -> None:
        owner = self.server.owner
        if isinstance(step, Say):
            owner.wait(step.delay_s)
            body, media = owner.answer(step, seen)
            self._send(200, {"Content-Type": media}, body)
        elif isinstance(step, Fault):
            word = step.word or WORDS.get(step.status, "server")
            body = json.dumps(owner.error(step, word)).encode()
            self._send(step.status, {"Content-Type": "application/json", **step.headers}, body)
        elif isinstance(step, Raw):
            self._send(step.status, step.headers, step.body)
        elif isinstance(step, Cut):
            body, media = owner.answer(Say(step.text), seen)
            self._head(200, {"Content-Type": media}, len(body))
            self.wfile.write(body[: len(body) // 2])
            self.close_connection = True
        elif isinstance(step, Reset):
            # No time to linger: the client gets a reset and not an orderly end.
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            self.close_connection = True
        else:
            self._hang(step)

    def _hang(self, step: Hang) -> None:
        if step.begin:
            self._head(200, {"Content-Type": "application/json"}, 1000)
            self.wfile.write(b"{")
        until = time.monotonic() + 60
        while not self.server.owner.stopped and time.monotonic() < until:
            readable, _, _ = select.select([self.connection], [], [], 0.02)
            if readable and self._gone():
                self.server.owner.hung_up.set()
                break
        self.close_connection = True

    def _gone(self) -> bool:
        try:
            return not self.connection.recv(1, socket.MSG_PEEK)
        except OSError:
            return True

    def _head(self, status: int, headers: Mapping[str, str], length: int) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(length))
        self.end_headers()

    def _send(self, status: int, headers: Mapping[str, str], body: bytes) -> None:
        self._head(status, headers, len(body))
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Tests say what they have to say themselves."""
