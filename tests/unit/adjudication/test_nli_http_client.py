"""`HttpNLI` against a sidecar that misbehaves: nothing but a whole, sane answer gets through."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from collections.abc import Sequence
from typing import Any

import pytest

from bicameral.adjudication.nli.http import PAIRS_A_REQUEST, HttpNLI
from bicameral.errors import ConfigError, ProviderFailed
from bicameral.ports import BatchNLI, NLIResult
from bicameral.testing.model_servers import Cut, Fault, Hang, ModelServer, Raw, Reset, Say, Seen, Step
from bicameral.testing.nli import NLIServer, ScriptedNLI

SCORES = {"contradiction": 0.1, "entailment": 0.2, "neutral": 0.7}
GOOD = {"label": "neutral", "scores": SCORES}


class Sidecar(ModelServer):
    """Says what the script says, whatever is asked."""

    def refusal(self, seen: Seen) -> Fault | None:
        return None

    def answer(self, step: Say, seen: Seen) -> tuple[bytes, str]:
        return step.text.encode(), "application/json"

    def error(self, step: Fault, word: object) -> object:
        return {"type": "about:blank", "title": "no", "status": step.status, "detail": step.message}


def says(document: object) -> Step:
    return Raw(json.dumps(document).encode())


async def classified(*steps: Step, timeout_s: float = 20.0) -> tuple[NLIResult, int]:
    with Sidecar(steps) as server:
        async with HttpNLI(server.base_url, timeout_s=timeout_s, jitter=lambda: 0.0) as nli:
            return await nli.classify("a", "b"), len(server.requests)


async def failure(
    *steps: Step, timeout_s: float = 20.0, pairs: Sequence[tuple[str, str]] | None = None
) -> tuple[ProviderFailed, int]:
    with Sidecar(steps) as server:
        async with HttpNLI(server.base_url, timeout_s=timeout_s, jitter=lambda: 0.0) as nli:
            with pytest.raises(ProviderFailed) as caught:
                await (nli.classify("a", "b") if pairs is None else nli.classify_batch(pairs))
            return caught.value, len(server.requests)


def test_it_is_a_classifier_of_batches() -> None:
    assert isinstance(HttpNLI(), BatchNLI)


@pytest.mark.parametrize(
    "answer",
    [
        GOOD,
        {**GOOD, "model": "x", "latency_ms": 3},
        {**GOOD, "label": " Neutral\n"},
        {**GOOD, "scores": {**SCORES, "other": 9}},
    ],
)
async def test_an_answer_is_read_with_the_label_folded_and_other_members_passed_over(answer: object) -> None:
    assert (await classified(says(answer)))[0] == NLIResult("neutral", SCORES)


async def test_scores_are_rounded_to_four_places() -> None:
    long = {"contradiction": 0.00004999, "entailment": 0.33333333, "neutral": 0.66661667}
    answer, _ = await classified(says({"label": "neutral", "scores": long}))
    assert answer.scores == {"contradiction": 0.0, "entailment": 0.3333, "neutral": 0.6666}


@pytest.mark.parametrize(
    "answer",
    [
        None,
        [],
        "neutral",
        {},
        {"label": "neutral"},
        {"scores": SCORES},
        {**GOOD, "label": "unsure"},
        {**GOOD, "label": "LABEL_0"},
        {**GOOD, "label": 1},
        {**GOOD, "label": None},
        {**GOOD, "scores": [0.1, 0.2, 0.7]},
        {**GOOD, "scores": {"contradiction": 0.1, "entailment": 0.2}},
        {**GOOD, "scores": {**SCORES, "neutral": None}},
        {**GOOD, "scores": {**SCORES, "neutral": "0.7"}},
        {**GOOD, "scores": {**SCORES, "neutral": True}},
        {**GOOD, "scores": {**SCORES, "neutral": 1.0001}},
        {**GOOD, "scores": {**SCORES, "neutral": -0.1}},
        {**GOOD, "scores": {**SCORES, "neutral": 10**400}},
    ],
)
async def test_an_answer_that_cannot_be_used_is_unreadable(answer: object) -> None:
    failed, asked = await failure(says(answer))
    assert failed.kind == "unreadable"
    assert asked == 1


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"neutral",
        b"\xff",
        b'{"label": "neutral", "scores": {"contradiction": NaN, "entailment": 0.2, "neutral": 0.7}}',
        b'{"label": "neutral", "scores": {"contradiction": 1e999, "entailment": 0.2, "neutral": 0.7}}',
        b'{"label": "neutral", "label": "entailment", "scores": {}}',
        b"[" * 5_000,
        json.dumps({**GOOD, "padding": "x" * 100_000}).encode(),
    ],
    ids=["empty", "word", "no-utf8", "nan", "infinite", "twice", "deep", "long"],
)
async def test_a_body_that_cannot_be_read_is_unreadable(body: bytes) -> None:
    failed, asked = await failure(Raw(body))
    assert failed.kind == "unreadable"
    assert asked == 1


@pytest.mark.parametrize("results", [None, {}, [], [GOOD], [GOOD] * 3, [GOOD, None], [GOOD, {**GOOD, "label": "x"}]])
async def test_a_batch_with_one_answer_missing_or_odd_is_unreadable(results: object) -> None:
    failed, _ = await failure(says({"results": results}), pairs=[("a", "b"), ("c", "d")])
    assert failed.kind == "unreadable"


@pytest.mark.parametrize(
    ("step", "kind"),
    [
        (Fault(400), "refused"),
        (Fault(404), "refused"),
        (Fault(413, message="premise has 60000 characters; the most is 50000."), "refused"),
        (Fault(500), "unreachable"),
        (Raw(b"", status=302, headers={"Location": "http://127.0.0.1:9/"}), "unreachable"),
        (Raw(b"<html>", status=404), "refused"),
        (Raw(b"\x00", headers={"Content-Encoding": "gzip"}), "unreadable"),
    ],
    ids=["400", "404", "413", "500", "302", "page", "bad-gzip"],
)
async def test_a_refusal_is_named_and_not_asked_again(step: Step, kind: str) -> None:
    failed, asked = await failure(step)
    assert failed.kind == kind
    assert asked == 1


async def test_the_servers_own_words_for_a_refusal_are_told_on_one_line() -> None:
    failed, _ = await failure(Fault(413, message="premise has\n60000 characters; \x1b[31mthe most is 50000."))
    assert "premise has 60000 characters; [31mthe most is 50000" in str(failed)


@pytest.mark.parametrize(
    "step",
    [Fault(503, headers={"Retry-After": "0"}), Fault(503), Fault(429), Cut("{}" * 50), Reset()],
    ids=["503-told", "503", "429", "cut", "reset"],
)
async def test_a_passing_trouble_is_asked_again(step: Step) -> None:
    answer, asked = await classified(step, says(GOOD))
    assert answer.label == "neutral"
    assert asked == 2


async def test_a_queue_that_stays_full_is_overloaded() -> None:
    failed, asked = await failure(*[Fault(503, headers={"Retry-After": "0"})] * 5)
    assert (failed.kind, asked) == ("overloaded", 3)


async def test_a_wait_past_the_deadline_is_not_waited_for() -> None:
    failed, asked = await failure(Fault(503, headers={"Retry-After": "3600"}), says(GOOD))
    assert (failed.kind, asked) == ("overloaded", 1)


@pytest.mark.parametrize("begin", [False, True])
async def test_a_silent_server_times_out_and_is_hung_up_on(begin: bool) -> None:
    with Sidecar([Hang(begin=begin)]) as server:
        async with HttpNLI(server.base_url, timeout_s=0.3) as nli:
            with pytest.raises(ProviderFailed) as caught:
                await nli.classify("a", "b")
        assert server.hung_up.wait(10)
    assert caught.value.kind == "timed-out"


async def test_a_cancelled_caller_is_cancelled_and_hangs_up() -> None:
    with Sidecar([Hang()]) as server:
        async with HttpNLI(server.base_url) as nli:
            task = asyncio.create_task(nli.classify("a", "b"))
            while not server.requests:
                await asyncio.sleep(0.01)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            assert server.hung_up.wait(10)


async def test_nobody_listening_fails_at_once_and_says_how_to_start_one() -> None:
    with Sidecar() as server:
        url = server.base_url
    async with HttpNLI(url) as nli:
        with pytest.raises(ProviderFailed, match="bicameral nli serve") as caught:
            await nli.classify("a", "b")
        assert caught.value.kind == "unreachable"
        assert await nli.available() is False


@pytest.mark.parametrize("answer", [{"status": "loading", "model": "m"}, {"model": "m"}, [], "ok"])
async def test_a_server_that_is_not_well_is_not_available(answer: object) -> None:
    with Sidecar([says(answer)]) as server:
        async with HttpNLI(server.base_url) as nli:
            assert await nli.available() is False


async def test_a_server_that_says_no_more_than_the_contract_asks_is_available() -> None:
    with Sidecar([says({"status": "ok", "model": "m"})] * 2) as server:
        async with HttpNLI(server.base_url) as nli:
            assert await nli.available() is True
            health = await nli.health()
    assert (health.model, health.digest) == ("m", None)
    assert [seen.path for seen in server.requests] == ["/health", "/health"]


async def test_what_is_sent_is_the_contracts_and_no_more() -> None:
    with Sidecar([says(GOOD), says({"results": [GOOD, GOOD]})]) as server:
        async with HttpNLI(f"{server.base_url}/") as nli:
            await nli.classify("a", "ß")
            await nli.classify_batch([("c", "d"), ("e", "f")])
    one, many = server.requests
    assert (one.path, one.body) == ("/classify", {"premise": "a", "hypothesis": "ß"})
    pairs = [{"premise": "c", "hypothesis": "d"}, {"premise": "e", "hypothesis": "f"}]
    assert (many.path, many.body) == ("/batch", {"pairs": pairs})


async def test_many_pairs_are_asked_in_several_requests_and_answered_in_order() -> None:
    count = 2 * PAIRS_A_REQUEST + 3
    pairs = [("same", "same" if n % 3 else "other") for n in range(count)]
    with NLIServer(ScriptedNLI()) as server:
        async with HttpNLI(server.url) as nli:
            answers = await nli.classify_batch(pairs)
    assert [answer.label for answer in answers] == ["entailment" if n % 3 else "neutral" for n in range(count)]


async def test_long_texts_are_asked_in_requests_that_the_server_takes() -> None:
    long = "é" * 50_000
    with NLIServer(ScriptedNLI()) as server:
        async with HttpNLI(server.url) as nli:
            answers = await nli.classify_batch([(long, long)] * 40)
    assert [answer.label for answer in answers] == ["entailment"] * 40


async def test_a_text_that_is_no_unicode_is_refused_before_it_is_sent() -> None:
    with Sidecar() as server:
        async with HttpNLI(server.base_url) as nli:
            with pytest.raises(ProviderFailed, match="lone surrogate"):
                await nli.classify("\ud800", "b")
    assert server.requests == []


def test_one_client_serves_one_loop_after_another_and_leaves_no_socket() -> None:
    with NLIServer(ScriptedNLI()) as server:
        nli = HttpNLI(server.url)
        for _ in range(3):
            assert asyncio.run(nli.classify("x", "x")).label == "entailment"


async def test_connections_are_kept_for_the_next_question(monkeypatch: pytest.MonkeyPatch) -> None:
    import httpx

    opened: list[Any] = []
    connect = httpx.AsyncHTTPTransport.__init__

    def counted(self: Any, *args: Any, **kwargs: Any) -> None:
        opened.append(self)
        connect(self, *args, **kwargs)

    monkeypatch.setattr(httpx.AsyncHTTPTransport, "__init__", counted)
    with NLIServer(ScriptedNLI()) as server:
        async with HttpNLI(server.url) as nli:
            for _ in range(5):
                await nli.classify("x", "x")
            pool = opened[0]._pool
            assert len(pool.connections) == 1
    assert len(opened) == 1


async def test_a_server_that_was_started_anew_is_found_again() -> None:
    with NLIServer(ScriptedNLI()) as server:
        port = int(server.url.rpartition(":")[2])
        nli = HttpNLI(server.url, jitter=lambda: 0.0)
        await nli.classify("x", "x")
    with NLIServer(ScriptedNLI(), port=port):
        assert (await nli.classify("x", "x")).label == "entailment"
        await nli.aclose()


def test_a_proxy_of_the_environment_is_not_asked_on_the_way_to_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    with NLIServer(ScriptedNLI()) as server:
        assert asyncio.run(HttpNLI(server.url).classify("x", "x")).label == "entailment"


@pytest.mark.parametrize(
    "url", ["", "127.0.0.1:11435", "ftp://x", "http://", "http://[::1", "http://h:x", "http://h/?a=1"]
)
def test_an_address_that_is_none_is_a_configuration_error(url: str) -> None:
    with pytest.raises(ConfigError, match="NLI server"):
        HttpNLI(url)


def test_an_address_with_a_password_is_refused_without_repeating_it() -> None:
    with pytest.raises(ConfigError) as caught:
        HttpNLI("http://me:hunter2@host")
    assert "hunter2" not in str(caught.value)


def test_its_name_holds_no_host_and_no_port() -> None:
    assert HttpNLI("http://10.1.2.3:4567").name == "http-nli"


def test_the_http_library_is_loaded_when_it_is_first_asked() -> None:
    code = "import sys; from bicameral.adjudication.nli.http import HttpNLI; HttpNLI(); print('httpx' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
