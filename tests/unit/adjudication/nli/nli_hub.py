"""A model hub on loopback, as far as its client asks: revisions, file lists, small files, and large ones by redirect.

The paths and headers are those that the public hub answers with: `GET /api/models/NAME/revision/REV`, `HEAD` and `GET
/NAME/resolve/COMMIT/FILE` with `X-Repo-Commit` and `ETag`, and for large files a redirect with `X-Linked-ETag` (the
SHA-256) and `X-Linked-Size` to another address that takes ranges.
"""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import unquote, urlsplit

COMMIT = "1f" * 20
OTHER_COMMIT = "2e" * 20


@dataclass
class Hub:
    """What it holds and how it behaves. far_url: where large files lie.

    asked: `METHOD path` of every request, in order.  large: files that come by redirect.
    torn: files of which the connection breaks off half way, so often.
    lying: files whose bytes are not what the list says.  gated: asks for a sign-in.
    """

    url: str = ""
    far_url: str = ""
    name: str = "org/model"
    commits: dict[str, Mapping[str, bytes]] = field(default_factory=dict)
    branches: dict[str, str] = field(default_factory=dict)
    large: set[str] = field(default_factory=set)
    torn: dict[str, int] = field(default_factory=dict)
    lying: set[str] = field(default_factory=set)
    gated: bool = False
    asked: list[str] = field(default_factory=list)

    def find(self, revision: str) -> str | None:
        commit = self.branches.get(revision, revision)
        return commit if commit in self.commits else None


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    hub: Hub

    def log_message(self, format: str, *args: object) -> None:
        return

    def do_HEAD(self) -> None:
        self.answer()

    def do_GET(self) -> None:
        self.answer()

    def answer(self) -> None:
        path = unquote(urlsplit(self.path).path)
        self.hub.asked.append(f"{self.command} {path}")
        api, file = f"/api/models/{self.hub.name}/revision/", f"/{self.hub.name}/resolve/"
        if self.hub.gated and not path.startswith("/large/"):
            self.send(403, b"{}", {"X-Error-Code": "GatedRepo", "X-Error-Message": "ask for it"})
        elif path.startswith(api):
            self.list_files(path.removeprefix(api))
        elif path.startswith(file):
            revision, _, name = path.removeprefix(file).partition("/")
            self.one_file(revision, name)
        elif path.startswith("/large/"):
            _, _, commit, name = path.split("/", 3)
            self.send(200, self.body(commit, name), {"ETag": '"large"'}, name)
        else:
            self.send(404, b"{}", {"X-Error-Code": "RepoNotFound", "X-Error-Message": "no such model"})

    def body(self, commit: str, name: str) -> bytes:
        body = self.hub.commits[commit][name]
        return body[::-1] if name in self.hub.lying else body

    def list_files(self, revision: str) -> None:
        commit = self.hub.find(revision)
        if commit is None:
            self.send(404, b"{}", {"X-Error-Code": "RevisionNotFound", "X-Error-Message": "no such revision"})
            return
        rows: list[dict[str, Any]] = []
        for name, body in self.hub.commits[commit].items():
            row: dict[str, Any] = {"rfilename": name, "size": len(body), "blobId": hashlib.sha1(body).hexdigest()}
            if name in self.hub.large:
                row["lfs"] = {"sha256": hashlib.sha256(body).hexdigest(), "size": len(body), "pointerSize": 133}
            rows.append(row)
        told = {"_id": "1", "id": self.hub.name, "modelId": self.hub.name, "sha": commit, "siblings": rows}
        self.send(200, json.dumps({**told, "private": False, "tags": [], "downloads": 0}).encode(), {})

    def one_file(self, revision: str, name: str) -> None:
        commit = self.hub.find(revision)
        if commit is None or name not in self.hub.commits[commit]:
            self.send(404, b"", {"X-Error-Code": "EntryNotFound", "X-Error-Message": "no such file"})
            return
        body = self.hub.commits[commit][name]
        headers = {"X-Repo-Commit": commit, "ETag": f'"{hashlib.sha1(body).hexdigest()}"'}
        if name in self.hub.large:
            linked = {"X-Linked-ETag": f'"{hashlib.sha256(body).hexdigest()}"', "X-Linked-Size": str(len(body))}
            self.send(302, b"", {**headers, **linked, "Location": f"{self.hub.far_url}/large/{commit}/{name}"})
        else:
            self.send(200, self.body(commit, name), headers, name)

    def send(self, status: int, body: bytes, headers: Mapping[str, str], name: str = "") -> None:
        start = 0
        if (asked := self.headers.get("Range", "")).startswith("bytes=") and status == 200:
            start = int(asked.removeprefix("bytes=").split("-")[0])
            status, headers = 206, {**headers, "Content-Range": f"bytes {start}-{len(body) - 1}/{len(body)}"}
        body = body[start:]
        self.send_response(status)
        for key, value in headers.items():
            self.send_header(key, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command == "HEAD":
            return
        if self.hub.torn.get(name, 0) > 0:
            self.hub.torn[name] -= 1
            self.wfile.write(body[: len(body) // 2])
            self.close_connection = True
            self.connection.close()
            return
        self.wfile.write(body)


@contextmanager
def hub_of(hub: Hub) -> Iterator[Hub]:
    """The hub, listening, with its addresses filled in: its own, and that of the store of large files."""
    servers = [ThreadingHTTPServer(("127.0.0.1", 0), type("Handler", (_Handler,), {"hub": hub})) for _ in range(2)]
    hub.url, hub.far_url = (f"http://127.0.0.1:{server.server_port}" for server in servers)
    threads = [threading.Thread(target=server.serve_forever, args=(0.02,)) for server in servers]
    for thread in threads:
        thread.start()
    try:
        yield hub
    finally:
        for server, thread in zip(servers, threads, strict=True):
            server.shutdown()
            thread.join()
            server.server_close()
