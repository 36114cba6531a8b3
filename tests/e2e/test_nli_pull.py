"""`bicameral nli pull` from a hub on this machine, and what was pulled at work."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

import bicameral.adjudication.nli as nli_package

pytestmark = pytest.mark.timeout(300)

PACKAGED = Path(nli_package.__file__).parent / "packaged"
FILES = ("config.json", "tokenizer.json", "model.onnx")
COMMIT = "0123456789abcdef0123456789abcdef01234567"
NAME = "somebody/small-nli"


class Hub(ThreadingHTTPServer):
    """Offers the packaged model's files as a repository, in the two requests that huggingface_hub makes."""

    daemon_threads = True
    block_on_close = False

    def __init__(self) -> None:
        self.asked: list[str] = []
        super().__init__(("127.0.0.1", 0), _Handler)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"


class _Handler(BaseHTTPRequestHandler):
    server: Hub
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        self.server.asked.append(self.path)
        path = self.path.partition("?")[0]
        name = path.rpartition("/")[2]
        if path in (f"/api/models/{NAME}/revision/main", f"/api/models/{NAME}/revision/{COMMIT}"):
            siblings = [{"rfilename": each, "size": (PACKAGED / each).stat().st_size} for each in FILES]
            self._send(json.dumps({"id": NAME, "sha": COMMIT, "siblings": siblings}).encode(), "application/json")
        elif path.startswith(f"/{NAME}/resolve/{COMMIT}/") and name in FILES:
            self._send((PACKAGED / name).read_bytes(), "application/octet-stream")
        else:
            self._send(b"{}", "application/json", 404)

    do_HEAD = do_GET

    def _send(self, body: bytes, media: str, status: int = 200) -> None:
        self.send_response(status)
        self.send_header("Content-Type", media)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("ETag", f'"{hashlib.sha256(body).hexdigest()}"')
        self.send_header("X-Repo-Commit", COMMIT)
        if status == 404:
            self.send_header("X-Error-Code", "RepoNotFound")
        self.end_headers()
        if self.command == "GET":
            self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Tests say what they have to say themselves."""


@pytest.fixture
def hub() -> Iterator[Hub]:
    server = Hub()
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
    yield server
    server.shutdown()
    server.server_close()


def run(cache: Path, hub: str, *words: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "HF_ENDPOINT": hub, "XDG_CACHE_HOME": str(cache), "HF_HOME": str(cache / "hf")}
    return subprocess.run(
        [sys.executable, "-m", "bicameral", *words],
        capture_output=True,
        text=True,
        check=False,
        timeout=240,
        env=environment,
    )


def test_what_was_pulled_is_pinned_and_at_work_without_the_hub(hub: Hub, tmp_path: Path) -> None:
    first = run(tmp_path, hub.url, "nli", "pull", f"{NAME}@main", "--json")
    assert first.returncode == 0, first.stderr
    document: Any = json.loads(first.stdout)
    assert (document["model"], document["commit"]) == (f"{NAME}@main", COMMIT)
    assert document["digest"].startswith("sha256:")
    assert set(FILES) <= document["files"].keys()

    hub.asked.clear()
    again = run(tmp_path, hub.url, "nli", "pull", f"{NAME}@main")
    assert again.returncode == 0, again.stderr
    assert f"--nli {NAME}@main" in again.stdout
    assert hub.asked == []

    weighed = run(
        tmp_path,
        "http://127.0.0.1:9",
        *(
            "adjudicate",
            "The shop is open.",
            "--against",
            "The shop is not open.",
            "--nli",
            f"{NAME}@{COMMIT}",
            "--json",
        ),
    )
    assert weighed.returncode == 0, weighed.stderr
    assert json.loads(weighed.stdout)["method"] == "nli"


@pytest.mark.parametrize("word", ["", "small-nli", "small-nli@", "@main", "../up@main", "a b@main"])
def test_what_names_no_model_is_a_clear_error(tmp_path: Path, word: str) -> None:
    done = run(tmp_path, "http://127.0.0.1:9", "nli", "pull", word)
    assert done.returncode == 2
    assert "NAME@REVISION" in done.stderr


def test_an_unknown_model_is_a_clear_error(hub: Hub, tmp_path: Path) -> None:
    done = run(tmp_path, hub.url, "nli", "pull", "nobody/nothing@main", "--json")
    assert done.returncode == 2
    assert json.loads(done.stdout)["error"]["kind"] == "ModelError"
    assert "Traceback" not in done.stderr


def test_a_hub_that_cannot_be_reached_is_a_clear_error(tmp_path: Path) -> None:
    done = run(tmp_path, "http://127.0.0.1:9", "nli", "pull", f"{NAME}@{COMMIT}", "--json")
    assert done.returncode == 2
    assert json.loads(done.stdout)["error"]["kind"] == "ProviderFailed"


def test_a_model_that_was_not_pulled_says_how_to_pull_it(tmp_path: Path) -> None:
    done = run(tmp_path, "http://127.0.0.1:9", "nli", "serve", "--port", "0", "--nli", f"{NAME}@{COMMIT}")
    assert done.returncode == 2
    assert f"bicameral nli pull {NAME}@{COMMIT}" in done.stderr
