"""A folder of labelled sets as a site on loopback."""

from __future__ import annotations

import contextlib
import functools
import hashlib
import threading
from collections.abc import Iterator
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import quote

from _labels import LabelledSet, Page


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        return


class _Server(ThreadingHTTPServer):
    request_queue_size = 64
    daemon_threads = True

    def handle_error(self, request: object, client_address: object) -> None:
        """A browser that hangs up is no news."""


@contextlib.contextmanager
def served(folder: Path) -> Iterator[str]:
    """The folder on a free loopback port."""
    server = _Server(("127.0.0.1", 0), functools.partial(_Quiet, directory=str(folder)))
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def route_of(labelled: LabelledSet, page: Page) -> str:
    path, question, query = page.path.partition("?")
    return f"/{quote(labelled.name)}/{quote(path)}{question}{query}"


def digest_of_files(folder: Path) -> str:
    """SHA-256 over the names and bytes of every file below the folder."""
    hashed = hashlib.sha256()
    for file in sorted(path for path in folder.rglob("*") if path.is_file()):
        if file.suffix == ".pyc":
            continue
        hashed.update(f"{file.relative_to(folder).as_posix()}\n{file.stat().st_size}\n".encode())
        hashed.update(file.read_bytes())
    return hashed.hexdigest()
