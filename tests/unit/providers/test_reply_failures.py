"""What a reply that is no answer means, in each vendor's words (openai 3.57, anthropic 2.14, google-genai 2.34)."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bicameral.providers.failures import TOLD_LIMIT, Failure, HttpReply, failure_of

NOW = 1_800_000_000.0


def told(status: int, body: object = None, **headers: str) -> Failure | None:
    raw = b"" if body is None else body if isinstance(body, bytes) else json.dumps(body).encode()
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return failure_of(HttpReply(status=status, headers=named, body=raw), now=NOW)


def openai(kind: str, code: str | None = None) -> object:
    return {"error": {"message": "said so", "type": kind, "param": None, "code": code}}


def anthropic(kind: str) -> object:
    return {"type": "error", "error": {"type": kind, "message": "said so"}, "request_id": "req_01"}


def google(code: int, status: str, **more: object) -> object:
    return {"error": {"code": code, "message": "said so", "status": status, **more}}


@pytest.mark.parametrize(
    ("status", "body", "kind", "retryable"),
    [
        (400, openai("invalid_request_error"), "refused", False),
        (401, openai("invalid_request_error", "invalid_api_key"), "unauthorised", False),
        (403, None, "unauthorised", False),
        (402, None, "unauthorised", False),
        (404, openai("invalid_request_error", "model_not_found"), "refused", False),
        (408, None, "timed-out", True),
        (413, None, "refused", False),
        (422, None, "refused", False),
        (429, openai("requests", "rate_limit_exceeded"), "overloaded", True),
        (429, openai("insufficient_quota", "insufficient_quota"), "unauthorised", False),
        (500, openai("server_error"), "unreachable", True),
        (502, b"<html>bad gateway</html>", "unreachable", True),
        (503, None, "overloaded", True),
        (504, None, "unreachable", True),
        (529, anthropic("overloaded_error"), "overloaded", True),
        (500, anthropic("overloaded_error"), "overloaded", True),
        (400, anthropic("billing_error"), "unauthorised", False),
        (403, anthropic("permission_error"), "unauthorised", False),
        (504, anthropic("timeout_error"), "timed-out", True),
        (400, google(400, "INVALID_ARGUMENT"), "refused", False),
        (400, google(400, "INVALID_ARGUMENT", details=[{"reason": "API_KEY_INVALID"}]), "unauthorised", False),
        (403, google(403, "PERMISSION_DENIED"), "unauthorised", False),
        (429, google(429, "RESOURCE_EXHAUSTED"), "overloaded", True),
        (500, google(500, "INTERNAL"), "unreachable", True),
        (503, google(503, "UNAVAILABLE"), "overloaded", True),
        (504, google(504, "DEADLINE_EXCEEDED"), "timed-out", True),
        (404, {"error": {"message": "no model", "type": "not_found_error"}}, "refused", False),
        (429, {"error": {"message": "busy", "type": "api_error"}}, "overloaded", True),
        (401, {"error": {"message": "no", "type": "api_error"}}, "unauthorised", False),
        (404, {"error": "model 'x' not found"}, "refused", False),
        (400, openai("invalid_request_error", "content_policy_violation"), "refused", False),
        (301, None, "unreachable", False),
        (307, None, "unreachable", False),
        (418, None, "refused", False),
        (599, None, "unreachable", True),
    ],
)
def test_a_failed_status_is_named(status: int, body: object, kind: str, retryable: bool) -> None:
    failure = told(status, body)
    assert failure is not None
    assert (failure.kind, failure.retryable, failure.status) == (kind, retryable, status)


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        (openai("server_error", "server_is_overloaded"), "overloaded"),
        (anthropic("overloaded_error"), "overloaded"),
        (anthropic("api_error"), "unreachable"),
        (google(503, "UNAVAILABLE"), "overloaded"),
        ([google(429, "RESOURCE_EXHAUSTED")], "overloaded"),
        ({"error": {"code": 529, "message": "busy"}}, "overloaded"),
        ({"error": {"code": 502, "message": "upstream"}}, "unreachable"),
        ({"error": "something else"}, "refused"),
        ({"status": "failed", "error": {"code": "rate_limit_exceeded", "message": "slow down"}}, "overloaded"),
    ],
)
def test_a_200_that_carries_an_error_is_that_error(body: object, kind: str) -> None:
    failure = told(200, body)
    assert failure is not None
    assert failure.kind == kind
    assert "inside a reply of status 200" in failure.why


@pytest.mark.parametrize(
    "event",
    [
        anthropic("overloaded_error"),
        openai("server_error", "server_is_overloaded"),
        {"type": "response.failed", "response": {"error": {"code": "server_is_overloaded", "message": "busy"}}},
    ],
)
def test_an_overload_in_the_middle_of_a_stream_is_an_overload(event: object) -> None:
    lines = f'event: a\ndata: {{"type":"message_start"}}\n\nevent: b\ndata: {json.dumps(event)}\n\n'
    failure = told(200, lines.encode(), content_type="text/event-stream; charset=utf-8")
    assert failure is not None
    assert (failure.kind, failure.retryable) == ("overloaded", True)


@pytest.mark.parametrize(
    "body",
    [
        {"status": "completed", "error": None, "output": []},
        {"choices": [{"message": {"content": 'the word "error" in an answer'}}]},
        {"choices": [], "error": {}},
        {"choices": [], "error": ""},
        b"",
        b'{"error": broken',
        b'\xff\xfe"error"',
        b'"error"',
        b"[]",
        b"[" * 100_000 + b'"error"',
    ],
)
def test_an_answer_is_taken_for_no_error(body: object) -> None:
    assert told(200, body) is None


def test_a_server_may_say_that_another_try_is_useless() -> None:
    failure = told(500, openai("server_error"), x_should_retry="false")
    assert failure is not None
    assert not failure.retryable


def test_googles_wait_is_read_from_the_error_where_no_header_says_one() -> None:
    info = [{"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "3.5s"}]
    by_body = told(429, google(429, "RESOURCE_EXHAUSTED", details=info))
    by_header = told(429, google(429, "RESOURCE_EXHAUSTED", details=info), retry_after="2")
    assert by_body is not None
    assert by_header is not None
    assert (by_body.asked_s, by_header.asked_s) == (3.5, 2.0)


@pytest.mark.parametrize("delay", ["soon", "-3s", "9999999999999s", 3, None, "3.s"])
def test_a_wait_of_google_that_cannot_be_read_asks_for_nothing(delay: object) -> None:
    failure = told(429, google(429, "RESOURCE_EXHAUSTED", details=[{"retryDelay": delay}, "x"]))
    assert failure is not None
    assert failure.asked_s is None


def test_what_a_server_says_of_keys_is_not_repeated() -> None:
    failure = told(401, {"error": {"message": "Incorrect API key provided: sk-abcdef0123456789.", "type": "x"}})
    assert failure is not None
    assert "sk-" not in failure.why


def test_what_looks_like_a_key_is_left_out_of_any_message() -> None:
    failure = told(400, {"error": {"message": "bad header sk-proj-abcdef0123456789abc", "type": "x"}})
    assert failure is not None
    assert failure.why.endswith("bad header [key]")


def test_a_message_is_one_short_printable_line() -> None:
    failure = told(400, {"error": {"message": "a\n\x1b[31mb\u202e" + "c" * 1000}})
    assert failure is not None
    quoted = failure.why.partition(": ")[2]
    assert quoted.isprintable()
    assert len(quoted) <= TOLD_LIMIT


@given(status=st.integers(200, 599), body=st.binary(max_size=200), kind=st.text(max_size=20))
def test_any_reply_whatever_is_an_answer_or_a_named_failure(status: int, body: bytes, kind: str) -> None:
    for said in (body, json.dumps({"error": {"type": kind, "code": kind, "details": kind}}).encode()):
        failure = told(status, said)
        assert failure is None or (failure.kind and failure.why)
        assert failure is not None or status < 300
