"""What a reply that is no answer means: which kind of failure it is, and whether asking again can help. Pure.

Answers for reading the status, headers and body of a failed request, whichever vendor sent it, and a 200 whose body
or event stream carries an error. Declines to quote a reply where it speaks of keys, and to quote much of it elsewhere.

Rules, in order:
1. What the body says of itself goes before the status: an exhausted quota comes as 429 and no waiting helps; a bad key
   comes from Google as 400. That something merely failed says less than the status does.
2. 401, 402, 403: unauthorised. 404, 400 and the other 4xx: refused. 408: timed-out. 429, 503, 529: overloaded. Every
   other 5xx: unreachable. 3xx: unreachable; a redirect is not followed, because it would carry the key along.
3. 408, 429 and 5xx may be asked again, unless `x-should-retry: false` says otherwise.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final, Literal

from bicameral.providers.retry import asked_wait

Kind = Literal["unreachable", "timed-out", "refused", "truncated", "overloaded", "unauthorised", "unreadable"]

TOLD_LIMIT: Final = 200
"""Characters of a server's own explanation that a message quotes."""


@dataclass(frozen=True, kw_only=True)
class HttpReply:
    """A reply as it came. headers: names in lower case.  body: without the key, and not decoded."""

    status: int
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""


@dataclass(frozen=True, kw_only=True)
class Failure:
    """why: words for the message, without a full stop.  asked_s: the wait the server asked for.  status: None where no
    reply came."""

    kind: Kind
    why: str
    retryable: bool = False
    asked_s: float | None = None
    status: int | None = None


Meaning = Literal["no-quota", "no-key", "blocked", "overloaded", "out-of-time", "failed"]

_MEANINGS: Final[Mapping[Meaning, frozenset[str]]] = {
    "no-quota": frozenset({"insufficient_quota", "billing_error", "billing_hard_limit_reached"}),
    "no-key": frozenset(
        {"authentication_error", "permission_error", "unauthenticated", "permission_denied"}
        | {"invalid_api_key", "api_key_invalid"}
    ),
    "blocked": frozenset({"content_filter", "content_policy_violation", "prohibited_content"}),
    "overloaded": frozenset(
        {"overloaded", "overloaded_error", "engine_overloaded_error", "server_is_overloaded", "slow_down"}
        | {"rate_limit_error", "rate_limit_exceeded", "too_many_requests", "resource_exhausted", "unavailable"}
    ),
    "out-of-time": frozenset({"timeout_error", "deadline_exceeded", "timeout"}),
    "failed": frozenset({"api_error", "server_error", "internal", "internal_error", "internal_server_error"}),
}
"""What the vendors' words for an error mean, in the order in which they count. From the types of openai 3.57,
anthropic 2.14 and google-genai 2.34, and google.rpc.Code."""

_STATUSES: Final[Mapping[int, Meaning]] = {
    401: "no-key",
    402: "no-quota",
    403: "no-key",
    408: "out-of-time",
    429: "overloaded",
    503: "overloaded",
    529: "overloaded",
}
_PARSED_LIMIT: Final = 1 << 20
"""Bytes of a body that are searched for an error. An error is short; a long body is an answer."""


def failure_of(reply: HttpReply, *, now: float) -> Failure | None:
    """The failure that a reply tells, or None where it may be an answer.

    now: seconds since 1970, for a `Retry-After` that names a date.
    """
    error = next(_errors(reply), None)
    if reply.status < 300 and error is None:
        return None
    error = error or {}
    kind, why, retryable = _judged(reply.status, _words(error))
    told = "" if kind == "unauthorised" else _told(error) or _plain(reply.body)
    asked = asked_wait(reply.headers, now=now)
    return Failure(
        kind=kind,
        why=f"{why}: {told}" if told else why,
        retryable=retryable and reply.headers.get("x-should-retry", "").strip().lower() != "false",
        asked_s=_google_wait(error) if asked is None else asked,
        status=reply.status,
    )


def _judged(status: int, words: frozenset[str]) -> tuple[Kind, str, bool]:
    """The kind, the words for it, and whether another try can help."""
    meaning = next((meaning for meaning, known in _MEANINGS.items() if words & known), None)
    if meaning is None or meaning == "failed":
        meaning = _STATUSES.get(status, meaning)
    if meaning == "no-quota":
        return "unauthorised", "says that the account's quota or credit is used up", False
    if meaning == "no-key":
        return "unauthorised", "does not accept the API key", False
    if meaning == "blocked":
        return "refused", "refused the content", False
    if meaning == "overloaded":
        return "overloaded", f"is overloaded or limits the rate ({_shown(status)})", True
    if meaning == "out-of-time":
        return "timed-out", f"ran out of time ({_shown(status)})", True
    if status >= 500 or (meaning == "failed" and status < 300):
        return "unreachable", f"failed ({_shown(status)})", True
    if status == 404:
        return "refused", "knows no such model or address (status 404)", False
    if 300 <= status < 400:
        return "unreachable", f"redirects elsewhere (status {status}); give its final address", False
    return "refused", f"refused the request ({_shown(status)})", False


def _shown(status: int) -> str:
    return f"status {status}" if status >= 300 else f"an error inside a reply of status {status}"


def _errors(reply: HttpReply) -> Iterator[Mapping[str, object]]:
    """Error objects that a body carries, in order: a member named `error` that is an object (OpenAI's, Anthropic's,
    Google's) or a text (Ollama's), and the same in the data lines of an event stream."""
    if len(reply.body) > _PARSED_LIMIT and reply.status < 300:
        return
    body = reply.body.decode("utf-8", "replace")
    if reply.headers.get("content-type", "").startswith("text/event-stream"):
        texts = [line[5:] for line in body.splitlines() if line.startswith("data:")]
    else:
        texts = [body]
    for text in texts:
        found = _error_in(text)
        if found is not None:
            yield found


def _error_in(text: str) -> Mapping[str, object] | None:
    if '"error"' not in text:
        return None
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if isinstance(value, list):
        value = value[0] if value else None
    if not isinstance(value, dict):
        return None
    if isinstance(value.get("response"), dict) and "error" not in value:
        value = value["response"]  # `response.failed` of a streamed OpenAI response
    error = value.get("error")
    if isinstance(error, str) and error:
        return {"message": error}
    return error if isinstance(error, dict) and error else None


def _words(error: Mapping[str, object]) -> frozenset[str]:
    """The machine's words for an error, in lower case: its type, code and status, and the reasons in its details."""
    found = [error.get("type"), error.get("code"), error.get("status")]
    details = error.get("details")
    if isinstance(details, list):
        found += [detail.get("reason") for detail in details if isinstance(detail, dict)]
    code = error.get("code")
    if isinstance(code, int) and not isinstance(code, bool):
        found.append({429: "too_many_requests", 503: "unavailable", 529: "overloaded"}.get(code))
        found.append("internal_error" if code in (500, 502, 504) else None)
    return frozenset(word.strip().lower() for word in found if isinstance(word, str))


def _google_wait(error: Mapping[str, object]) -> float | None:
    """The seconds of a `google.rpc.RetryInfo` in an error's details, for example `"3.5s"`."""
    details = error.get("details")
    for detail in details if isinstance(details, list) else ():
        delay = detail.get("retryDelay") if isinstance(detail, dict) else None
        if isinstance(delay, str) and re.fullmatch(r"\d{1,9}(\.\d{1,9})?s", delay):
            return float(delay[:-1])
    return None


def _told(error: Mapping[str, object]) -> str:
    message = error.get("message")
    return one_line(message) if isinstance(message, str) else ""


def _plain(body: bytes) -> str:
    """A body in words that is no JSON and no page."""
    text = body[: 8 * TOLD_LIMIT].decode("utf-8", "replace")
    return "" if re.match(r"\s*[<{\[]", text) else one_line(text)


def one_line(text: str) -> str:
    """A text of another's as one short line of printable characters. What looks like a key is left out."""
    line = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    line = re.sub(r"\b(?:sk|pk|key|AIza)[-_A-Za-z0-9*]{12,}", "[key]", line).rstrip(".")
    return line if len(line) <= TOLD_LIMIT else f"{line[: TOLD_LIMIT - 1]}…"
