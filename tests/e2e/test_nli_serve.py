"""`bicameral nli serve` as a user starts it, and clients that know nothing but the contract."""

from __future__ import annotations

import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from bicameral.adjudication.nli.http import HttpNLI

pytestmark = pytest.mark.timeout(300)

LABELS = {"contradiction", "entailment", "neutral"}
COMMAND = [sys.executable, "-m", "bicameral", "nli", "serve"]


class Served:
    def __init__(self, process: subprocess.Popen[str], announced: dict[str, Any]) -> None:
        self.process = process
        self.announced = announced
        self.url = str(announced["url"])

    def stop(self, number: signal.Signals = signal.SIGTERM) -> tuple[int, str, str]:
        """The exit status, and what was written to stdout and stderr after the announcement."""
        self.process.send_signal(number)
        out, err = self.process.communicate(timeout=60)
        return self.process.returncode, out, err


@contextmanager
def serving(*words: str) -> Iterator[Served]:
    process = subprocess.Popen(
        [*COMMAND, "--port", "0", "--json", *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    try:
        assert process.stdout is not None
        text = ""
        for line in process.stdout:
            text += line
            if line.startswith("}"):
                break
        assert text, process.communicate()[1]
        yield Served(process, json.loads(text))
    finally:
        process.kill()
        process.communicate()


@pytest.fixture(scope="module")
def served() -> Iterator[Served]:
    with serving() as one:
        yield one


def asked(url: str, document: object) -> tuple[int, Any]:
    """A client of urllib alone, written from the contract."""
    request = urllib.request.Request(url, data=json.dumps(document).encode())
    try:
        with urllib.request.urlopen(request, timeout=60) as reply:
            return reply.status, json.load(reply)
    except urllib.error.HTTPError as exc:
        return exc.code, json.load(exc)


def sane(answer: Any) -> bool:
    best = max(answer["scores"], key=answer["scores"].get)
    return (
        answer["scores"].keys() == LABELS
        and answer["label"] == best
        and all(0 <= score <= 1 for score in answer["scores"].values())
        and abs(sum(answer["scores"].values()) - 1) < 0.001
    )


def test_a_client_of_urllib_gets_answers(served: Served) -> None:
    pair = {"premise": "The museum is closed on Mondays.", "hypothesis": "The museum is open every Monday."}
    same = {"premise": "A dog sleeps.", "hypothesis": "A dog sleeps."}
    status, single = asked(f"{served.url}/classify", pair)
    assert status == 200
    assert sane(single)
    status, batch = asked(f"{served.url}/batch", {"pairs": [pair, same, pair]})
    assert status == 200
    assert batch["results"][0] == batch["results"][2] == single
    assert sane(batch["results"][1])
    with urllib.request.urlopen(f"{served.url}/health", timeout=60) as reply:
        health = json.load(reply)
    assert health["status"] == "ok"
    assert health["model"] == served.announced["model"]


NODE = """
const url = process.argv[2];
const post = async (path, body) => {
  const res = await fetch(url + path, { method: "POST", body: JSON.stringify(body) });
  if (!res.ok) throw new Error(`${res.status}`);
  return res.json();
};
const pair = { premise: "The lamp is on.", hypothesis: "The lamp is not on." };
const single = await post("/classify", pair);
const batch = await post("/batch", { pairs: [pair, { premise: "é🐝", hypothesis: "商店" }] });
const health = await (await fetch(url + "/health")).json();
console.log(JSON.stringify({ single, batch, health }));
"""


def test_a_client_of_nodes_fetch_gets_answers(served: Served, tmp_path: Any) -> None:
    from playwright._impl._driver import compute_driver_executable

    node = compute_driver_executable()[0]  # every installation has this one
    (tmp_path / "client.mjs").write_text(NODE, encoding="utf-8")
    done = subprocess.run(
        [node, str(tmp_path / "client.mjs"), served.url], capture_output=True, text=True, check=False, timeout=120
    )
    assert done.returncode == 0, done.stderr
    said = json.loads(done.stdout)
    assert sane(said["single"])
    assert said["batch"]["results"][0] == said["single"]
    assert sane(said["batch"]["results"][1])
    assert said["health"]["status"] == "ok"


async def test_our_own_client_gets_answers(served: Served) -> None:
    async with HttpNLI(served.url) as nli:
        assert await nli.available()
        assert (await nli.health()).digest == served.announced["digest"]
        single = await nli.classify("The lamp is on.", "The lamp is not on.")
        assert await nli.classify_batch([("The lamp is on.", "The lamp is not on.")] * 3) == [single] * 3


def test_what_is_too_long_names_the_limit() -> None:
    with serving("--max-pairs", "2", "--max-characters", "50", "--max-bytes", "1000") as small:
        short = {"premise": "a", "hypothesis": "b"}
        for path, body, limit in (
            ("/batch", {"pairs": [short] * 3}, "2"),
            ("/classify", {"premise": "x" * 51, "hypothesis": "b"}, "50"),
            ("/classify", {**short, "more": "x" * 2000}, "1000"),
        ):
            status, problem = asked(small.url + path, body)
            assert status == 413
            assert limit in problem["detail"]
        assert asked(f"{small.url}/classify", short)[0] == 200


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_it_cleanly_after_what_is_at_work(number: signal.Signals) -> None:
    pairs = [{"premise": f"Room {n} is free.", "hypothesis": f"Room {n} is taken."} for n in range(100)]
    body = json.dumps({"pairs": pairs}).encode()
    with serving() as one, socket.create_connection(("127.0.0.1", one.announced["port"]), timeout=60) as client:
        head = f"POST /batch HTTP/1.1\r\nHost: localhost\r\nContent-Length: {len(body)}\r\nExpect: 100-continue\r\n\r\n"
        client.sendall(head.encode())
        assert client.recv(100).startswith(b"HTTP/1.1 100 ")  # so the request is inside
        one.process.send_signal(number)
        client.sendall(body)
        reply = b"".join(iter(lambda: client.recv(65536), b""))
        out, err = one.process.communicate(timeout=60)
        status = one.process.returncode
    assert (status, out, err) == (0, "", "")
    assert reply.startswith(b"HTTP/1.1 200 ")
    assert len(json.loads(reply.partition(b"\r\n\r\n")[2])["results"]) == 100


def until_deaf(one: Served) -> None:
    """Until it listens no more."""
    while True:
        try:
            socket.create_connection(("127.0.0.1", one.announced["port"]), timeout=60).close()
        except ConnectionError:
            return


def test_a_second_signal_does_not_wait_for_a_client_that_dawdles() -> None:
    with serving() as one, socket.create_connection(("127.0.0.1", one.announced["port"]), timeout=60) as client:
        client.sendall(b"POST /batch HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\nExpect: 100-continue\r\n\r\n")
        assert client.recv(100).startswith(b"HTTP/1.1 100 ")
        one.process.send_signal(signal.SIGINT)
        until_deaf(one)  # so that the second signal is a second one
        assert one.stop(signal.SIGINT) == (0, "", "")


def test_nothing_of_a_text_is_written_down() -> None:
    with serving() as one:
        asked(f"{one.url}/classify", {"premise": "my secret diary", "hypothesis": "b"})
        asked(f"{one.url}/classify", {"premise": "my secret diary", "hypothesis": 7})
        asked(f"{one.url}/nowhere?my-secret-diary", {})
        _, out, err = one.stop()
    assert "secret" not in out + err


def test_a_port_in_use_is_a_clear_error() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        done = subprocess.run([*COMMAND, "--port", str(port)], capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 2
    assert f"Cannot listen on 127.0.0.1:{port}" in done.stderr
    assert "--port" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.0.2.1", "example.invalid"])
def test_another_address_than_this_machines_needs_leave(host: str) -> None:
    done = subprocess.run([*COMMAND, "--host", host], capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 2
    assert "--allow-remote" in done.stderr


def test_with_leave_it_listens_for_others() -> None:
    with serving("--host", "0.0.0.0", "--allow-remote") as one:
        local = f"http://127.0.0.1:{one.announced['port']}"
        assert asked(f"{local}/classify", {"premise": "a", "hypothesis": "b"})[0] == 200


def test_a_name_is_answered_to_only_if_it_was_allowed() -> None:
    with serving("--allow-host", "NLI.example") as one:
        for name, status in (("nli.example", 200), ("other.example", 421)):
            connection = http.client.HTTPConnection("127.0.0.1", one.announced["port"], timeout=60)
            connection.request("GET", "/health", headers={"Host": name})
            assert connection.getresponse().status == status
            connection.close()


@pytest.mark.parametrize("word", ["none", "http://127.0.0.1:1", "no-revision"])
def test_what_is_no_model_to_serve_is_a_clear_error(word: str) -> None:
    done = subprocess.run(
        [*COMMAND, "--port", "0", "--nli", word],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
        env={**os.environ, "NO_COLOR": "1"},
    )
    assert done.returncode == 2
    assert "NAME@REVISION" in done.stderr
    assert "Traceback" not in done.stderr
