"""The sidecar contract over a real socket: limits, refusals, who may come in. The client is `http.client`."""

from __future__ import annotations

import http.client
import json
import logging
import socket
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from urllib.parse import urlsplit

import pytest

from bicameral.interfaces.nli.limits import Limits
from bicameral.ports import NLIResult
from bicameral.testing.nli import NLIServer, ScriptedNLI, plain_answer

LIMITS = Limits(body_bytes=20_000, pairs=5, characters=1_000, read_s=5.0)
PAIR = {"premise": "The door is open.", "hypothesis": "The door is not open."}


class Reply:
    def __init__(self, response: http.client.HTTPResponse) -> None:
        self.status = response.status
        self.headers = {name.lower(): value for name, value in response.getheaders()}
        self.body = response.read()

    @property
    def document(self) -> Any:
        return json.loads(self.body)


def ask(url: str, method: str, path: str, body: object = None, headers: dict[str, str] | None = None) -> Reply:
    raw = body if isinstance(body, (bytes, type(None))) else json.dumps(body).encode()
    connection = http.client.HTTPConnection(urlsplit(url).netloc, timeout=30)
    try:
        connection.request(method, path, raw, headers or {})
        return Reply(connection.getresponse())
    finally:
        connection.close()


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with NLIServer(ScriptedNLI(), limits=LIMITS) as server:
        yield server.url


def problem(reply: Reply) -> str:
    """The detail of a refusal, which is of problem details' form."""
    assert reply.headers["content-type"] == "application/problem+json"
    document = reply.document
    assert document.keys() == {"type", "title", "status", "detail"}
    assert document["status"] == reply.status
    return str(document["detail"])


def test_one_pair_is_answered_with_a_label_and_three_scores(url: str) -> None:
    reply = ask(url, "POST", "/classify", PAIR)
    assert reply.status == 200
    assert reply.headers["content-type"] == "application/json"
    scores = {"contradiction": 0.9, "entailment": 0.02, "neutral": 0.08}
    assert reply.document == {"label": "contradiction", "scores": scores}


def test_many_are_answered_in_order(url: str) -> None:
    same = {"premise": "x", "hypothesis": "x"}
    other = {"premise": "x", "hypothesis": "y"}
    reply = ask(url, "POST", "/batch", {"pairs": [PAIR, same, other, same]})
    assert [row["label"] for row in reply.document["results"]] == [
        "contradiction",
        "entailment",
        "neutral",
        "entailment",
    ]


def test_no_pairs_are_no_results(url: str) -> None:
    assert ask(url, "POST", "/batch", {"pairs": []}).document == {"results": []}


def test_it_says_that_it_is_well_and_which_model_it_has(url: str) -> None:
    reply = ask(url, "GET", "/health")
    assert (reply.status, reply.document["status"], reply.document["model"]) == (200, "ok", "scripted-nli")
    assert reply.document["digest"].startswith("sha256:")


@pytest.mark.parametrize("media", ["text/plain;charset=UTF-8", "application/json", "application/octet-stream", ""])
def test_the_media_type_does_not_matter(url: str, media: str) -> None:
    assert ask(url, "POST", "/classify", PAIR, {"Content-Type": media}).status == 200


def test_members_that_nobody_asked_for_are_passed_over(url: str) -> None:
    assert ask(url, "POST", "/classify", {**PAIR, "id": 7, "options": {}}).status == 200


@pytest.mark.parametrize(
    "body",
    [b"", b"{", b"\xff\xfe", b'{"premise": NaN}', b"\xef\xbb\xbf{}", b"[" * 5_000],
    ids=["empty", "broken", "no-utf8", "nan", "bom", "deep"],
)
@pytest.mark.parametrize("path", ["/classify", "/batch"])
def test_what_is_no_json_is_a_400_that_says_where(url: str, path: str, body: bytes) -> None:
    reply = ask(url, "POST", path, body)
    assert reply.status == 400
    assert problem(reply).startswith("The body ")


@pytest.mark.parametrize(
    ("path", "body", "said"),
    [
        ("/classify", [], "The body must be an object"),
        ("/classify", "text", "The body must be an object"),
        ("/classify", None, "The body"),
        ("/classify", {"premise": "a"}, "hypothesis must be a text"),
        ("/classify", {"premise": 1, "hypothesis": "b"}, "premise must be a text"),
        ("/classify", {"premise": "a", "hypothesis": None}, "hypothesis must be a text"),
        ("/batch", {}, '"pairs"'),
        ("/batch", [PAIR], '"pairs"'),
        ("/batch", {"pairs": "ab"}, '"pairs"'),
        ("/batch", {"pairs": [PAIR, "x"]}, "pairs[1] must be an object"),
        ("/batch", {"pairs": [PAIR, {"premise": "a", "hypothesis": 2}]}, "pairs[1].hypothesis must be a text"),
    ],
)
def test_what_is_of_the_wrong_shape_is_refused_with_its_place(url: str, path: str, body: object, said: str) -> None:
    reply = ask(url, "POST", path, body)
    assert reply.status in (400, 422)
    assert said in problem(reply)


def test_a_lone_surrogate_is_refused_with_its_place(url: str) -> None:
    reply = ask(url, "POST", "/batch", b'{"pairs": [{"premise": "\\udfff", "hypothesis": "b"}]}')
    assert reply.status == 422
    assert "pairs[0].premise" in problem(reply)


@pytest.mark.parametrize(
    ("path", "body", "limit"),
    [
        ("/classify", {**PAIR, "premise": "x" * 1_001}, "1000"),
        ("/batch", {"pairs": [PAIR] * 6}, "5"),
        ("/classify", {**PAIR, "padding": "x" * 30_000}, "20000"),
        ("/batch", b" " * 2_000_000, "20000"),
    ],
    ids=["characters", "pairs", "bytes", "many-bytes"],
)
def test_what_is_too_long_is_a_413_that_names_the_limit(url: str, path: str, body: object, limit: str) -> None:
    reply = ask(url, "POST", path, body)
    assert reply.status == 413
    assert limit in problem(reply)


def test_what_is_just_within_the_limits_is_answered(url: str) -> None:
    assert ask(url, "POST", "/classify", {**PAIR, "premise": "x" * 1_000}).status == 200
    assert ask(url, "POST", "/batch", {"pairs": [PAIR] * 5}).status == 200


def test_characters_are_counted_and_not_their_bytes(url: str) -> None:
    assert ask(url, "POST", "/classify", {**PAIR, "premise": "🐝" * 1_000}).status == 200


def test_a_body_of_unknown_length_is_cut_off_at_the_limit_too(url: str) -> None:
    connection = http.client.HTTPConnection(urlsplit(url).netloc, timeout=30)
    connection.request(
        "POST", "/classify", iter([b" " * 1_000] * 50), encode_chunked=True, headers={"Transfer-Encoding": "chunked"}
    )
    reply = Reply(connection.getresponse())
    connection.close()
    assert reply.status == 413
    assert "20000" in problem(reply)


def test_a_client_that_asks_first_is_refused_before_it_sends(url: str) -> None:
    with socket.create_connection((urlsplit(url).hostname or "", urlsplit(url).port or 0), timeout=30) as connection:
        connection.sendall(
            b"POST /classify HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 1000000\r\nExpect: 100-continue\r\n\r\n"
        )
        assert connection.recv(100).startswith(b"HTTP/1.1 413 ")


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/classify", 405),
        ("GET", "/", 404),
        ("POST", "/health", 405),
        ("PUT", "/batch", 405),
        ("GET", "/docs", 404),
        ("GET", "/openapi.json", 404),
    ],
)
def test_other_places_are_refused_with_the_list_of_places(url: str, method: str, path: str, status: int) -> None:
    reply = ask(url, method, path)
    assert reply.status == status
    assert "POST /classify" in problem(reply)


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:11435", "127.0.0.1.evil.example", "", "[::1", "localhost.evil"]
)
def test_a_name_that_was_pointed_at_this_machine_is_sent_away(url: str, host: str) -> None:
    for method, path, body in (("GET", "/health", None), ("POST", "/classify", PAIR)):
        reply = ask(url, method, path, body, {"Host": host})
        assert reply.status == 421
        assert "Host" in problem(reply)


@pytest.mark.parametrize("host", ["localhost", "LOCALHOST:1234", "127.0.0.1", "[::1]:11435", "192.168.1.7:11435"])
def test_an_address_and_localhost_are_let_in(url: str, host: str) -> None:
    assert ask(url, "GET", "/health", None, {"Host": host}).status == 200


@pytest.mark.parametrize("origin", ["https://evil.example", "null", "file://", "http://localhost.evil.example"])
def test_a_page_of_another_origin_is_sent_away(url: str, origin: str) -> None:
    assert ask(url, "POST", "/classify", PAIR, {"Origin": origin}).status == 403


def test_a_page_of_this_machine_is_let_in(url: str) -> None:
    assert ask(url, "POST", "/classify", PAIR, {"Origin": "http://localhost:5173"}).status == 200


def test_a_model_that_breaks_is_a_500_that_tells_nothing_of_the_texts(caplog: pytest.LogCaptureFixture) -> None:
    def broken(premise: str, hypothesis: str) -> NLIResult:
        raise ValueError(f"cannot read {premise}")

    with caplog.at_level(logging.DEBUG), NLIServer(ScriptedNLI(broken)) as server:
        for _ in range(2):
            reply = ask(server.url, "POST", "/classify", {"premise": "a secret", "hypothesis": "b"})
            assert reply.status == 500
            problem(reply)
    assert b"secret" not in reply.body
    assert b"Traceback" not in reply.body
    logged = "".join(
        f"{record.getMessage()}{record.exc_text or ''}{record.exc_info or ''}" for record in caplog.records
    )
    assert "ValueError" in logged
    assert "secret" not in logged


class Gate:
    """A model that answers once it is let."""

    def __init__(self) -> None:
        self.open = threading.Event()
        self.asked = threading.Event()

    name = "gate"

    async def classify(self, premise: str, hypothesis: str) -> NLIResult:
        import asyncio

        self.asked.set()
        while not self.open.is_set():
            await asyncio.sleep(0.005)
        return plain_answer(premise, hypothesis)


def until(condition: Any) -> None:
    """Wait for something that other threads bring about."""
    end = time.monotonic() + 30
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.005)


def test_a_full_queue_is_a_503_that_says_when_to_come_back_and_loses_nobody() -> None:
    gate = Gate()
    limits = Limits(queued_pairs=2)
    with NLIServer(gate, limits=limits) as server, ThreadPoolExecutor(8) as pool:
        first = pool.submit(ask, server.url, "POST", "/classify", PAIR)
        assert gate.asked.wait(30)
        waiting = [pool.submit(ask, server.url, "POST", "/classify", PAIR) for _ in range(6)]
        until(lambda: sum(one.done() for one in waiting) == 4)
        gate.open.set()
        replies = [one.result() for one in waiting]
        assert first.result().status == 200
    refused = [reply for reply in replies if reply.status == 503]
    assert sorted(reply.status for reply in replies) == [200, 200, 503, 503, 503, 503]
    assert all(reply.headers["retry-after"] == "1" and "2 pairs" in problem(reply) for reply in refused)


def test_no_more_requests_than_allowed_are_inside_at_once() -> None:
    gate = Gate()
    with NLIServer(gate, limits=Limits(requests=1)) as server, ThreadPoolExecutor(2) as pool:
        first = pool.submit(ask, server.url, "POST", "/classify", PAIR)
        assert gate.asked.wait(30)
        reply = ask(server.url, "GET", "/health")
        gate.open.set()
        assert first.result().status == 200
        assert ask(server.url, "GET", "/health").status == 200
    assert (reply.status, reply.headers["retry-after"]) == (503, "1")


def test_a_body_that_does_not_arrive_is_not_waited_for_for_ever() -> None:
    with NLIServer(ScriptedNLI(), limits=Limits(read_s=0.2)) as server:
        parts = urlsplit(server.url)
        with socket.create_connection((parts.hostname or "", parts.port or 0), timeout=30) as connection:
            connection.sendall(b"POST /classify HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 10\r\n\r\n{")
            assert connection.recv(100).startswith(b"HTTP/1.1 408 ")
        assert ask(server.url, "GET", "/health").status == 200


def test_a_client_that_hangs_up_leaves_the_server_well() -> None:
    with NLIServer(ScriptedNLI()) as server:
        parts = urlsplit(server.url)
        for cut in (
            b"POST /classify HTTP/1.1\r\n",
            b"POST /classify HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 9\r\n\r\n{",
        ):
            with socket.create_connection((parts.hostname or "", parts.port or 0), timeout=30) as connection:
                connection.sendall(cut)
        assert ask(server.url, "POST", "/classify", PAIR).status == 200


def test_requests_that_come_together_share_runs_of_the_model() -> None:
    nli = ScriptedNLI()
    with NLIServer(nli) as server, ThreadPoolExecutor(16) as pool:
        replies = list(
            pool.map(
                lambda n: ask(server.url, "POST", "/classify", {"premise": str(n), "hypothesis": str(n)}), range(64)
            )
        )
    assert {reply.document["label"] for reply in replies} == {"entailment"}
    assert sorted(nli.asked) == sorted((str(n), str(n)) for n in range(64))


def test_stopping_finishes_what_is_being_answered() -> None:
    gate = Gate()
    with ThreadPoolExecutor(1) as pool:
        with NLIServer(gate) as server:
            at_work = pool.submit(ask, server.url, "POST", "/classify", PAIR)
            assert gate.asked.wait(30)
            threading.Timer(0.2, gate.open.set).start()
        assert at_work.result().status == 200
