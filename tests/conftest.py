"""What tests of several parts share."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest

from local_site import LocalSite, Serve, Site


@pytest.fixture(scope="session")
def serve() -> Iterator[Serve]:
    """`serve({"/": "<h1>Hi</h1>", "/a.png": Answer(...)})` gives the address of a site that lives until the end."""
    servers: list[LocalSite] = []

    def start(site: Site) -> str:
        server = LocalSite(site)
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
        servers.append(server)
        return f"http://127.0.0.1:{server.server_address[1]}"

    yield start
    for server in servers:
        server.stopping.set()
        server.shutdown()
        server.server_close()
