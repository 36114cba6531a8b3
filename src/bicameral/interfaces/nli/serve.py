"""The process around the application: a socket of its own, a clean end.

Rules, in order:
1. The socket is bound before anything is announced, so that a port in use is an error and port 0 has a number to tell.
2. SIGTERM and SIGINT stop the listening; requests that are being answered are finished, within `grace_s`; then it
   returns. A second signal does not wait for them.
3. Nothing of a request is logged.
"""

from __future__ import annotations

import asyncio
import contextlib
import ipaddress
import logging
import signal
import socket
from collections.abc import Callable, Generator
from typing import Final

import uvicorn
from fastapi import FastAPI

from bicameral.errors import ConfigError, TargetError

GRACE_S: Final = 20.0


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach a server bound there."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def listen(host: str, port: int) -> socket.socket:
    """A bound socket. Raises ConfigError for a host that is none of this machine's, TargetError for a port in use."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    except (OSError, UnicodeError) as exc:
        raise ConfigError(f"{host} cannot be resolved: {exc}.", mend="Use 127.0.0.1 or another address.") from exc
    family, kind, protocol, _, address = found[0]
    listening = socket.socket(family, kind, protocol)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind(address)
        listening.listen(256)
    except OSError as exc:
        listening.close()
        raise TargetError(
            f"Cannot listen on {host}:{port}: {exc.strerror or exc}.",
            mend="Stop what listens there, or choose another --port (0 for any free one).",
        ) from exc
    listening.setblocking(False)
    return listening


class Listening:
    """An application on a bound socket.

    ready: called once requests are answered.  grace_s: how long requests that are being answered may take to the end.
    """

    def __init__(
        self, app: FastAPI, listening: socket.socket, *, ready: Callable[[], None], grace_s: float = GRACE_S
    ) -> None:
        logging.getLogger("uvicorn").setLevel(logging.ERROR)
        config = uvicorn.Config(
            app,
            log_config=None,
            access_log=False,
            server_header=False,
            ws="none",
            lifespan="on",
            timeout_graceful_shutdown=max(1, round(grace_s)),
            timeout_keep_alive=30,
        )
        self._server = _Server(config, ready)
        self._socket = listening

    async def run(self) -> None:
        """Answer until `stop`."""
        await self._server.serve(sockets=[self._socket])

    def stop(self) -> None:
        """Take no more requests and return once those at work are done; a second call does not wait for them."""
        if self._server.should_exit:
            self._server.force_exit = True
            logging.getLogger("uvicorn").setLevel(logging.CRITICAL)  # it would tell at length what it was asked to do
        self._server.should_exit = True


async def serve(app: FastAPI, listening: socket.socket, *, ready: Callable[[], None], grace_s: float = GRACE_S) -> None:
    """Answer until SIGTERM or SIGINT, then return. Runs in the main thread's loop."""
    server = Listening(app, listening, ready=ready, grace_s=grace_s)
    loop = asyncio.get_running_loop()
    signals = (signal.SIGTERM, signal.SIGINT)
    for number in signals:
        loop.add_signal_handler(number, server.stop)
    try:
        await server.run()
    finally:
        for number in signals:
            loop.remove_signal_handler(number)


class _Server(uvicorn.Server):
    def __init__(self, config: uvicorn.Config, ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._ready = ready

    @contextlib.contextmanager
    def capture_signals(self) -> Generator[None]:
        """Signals are heard by `serve`; the original would raise them again and end the process by them."""
        yield

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets=sockets)
        if self.started:
            self._ready()
