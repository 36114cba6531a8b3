"""`HttpNLI`: a classifier that listens elsewhere, spoken to as the cortex-engine sidecar is.

    POST /classify  {"premise", "hypothesis"}      -> {"label", "scores": {"contradiction", "entailment", "neutral"}}
    POST /batch     {"pairs": [{...}, ...]}        -> {"results": [...]} in the pairs' order
    GET  /health                                   -> {"status": "ok", "model": "..."}

Answers for: an NLIResult that can be used, or a ProviderFailed. Declines to guess: an unknown label, a score that is
missing, not finite or outside 0..1, a list of another length, repeated members are failures.

Rules, in order:
1. A label is compared after trimming and case folding. Scores are rounded to 1e-4; members beside them are ignored.
2. A pair means the same whenever it is asked, so a full queue (503, 429) and a connection that broke off are asked
   again within the deadline. Where nobody listens there is no second try.
3. One pool of connections for each event loop; it closes with its loop, or by `aclose`.
"""

from __future__ import annotations

import asyncio
import json
import math
import random
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Literal, cast
from urllib.parse import urlsplit

from bicameral.canonical import parse_json
from bicameral.errors import ConfigError, ProviderFailed, RecordError
from bicameral.ports import NLIResult
from bicameral.providers.loops import PerLoop
from bicameral.providers.retry import RetryPolicy, asked_wait, wait_before_retry

if TYPE_CHECKING:
    import httpx

DEFAULT_URL: Final = "http://127.0.0.1:11435"
LABELS: Final = ("contradiction", "entailment", "neutral")

PAIRS_A_REQUEST: Final = 64
BYTES_A_REQUEST: Final = 512 << 10
"""The most of one `/batch` request; more is asked in several. A pair that is longer goes alone."""

ANSWER_BYTES: Final = 2048
"""Room for one pair's answer. Bigger replies are cut off."""

_RETRY: Final = RetryPolicy(tries=3, first_s=0.05, longest_s=1.0)

Kind = Literal["unreachable", "timed-out", "refused", "overloaded", "unreadable"]


@dataclass(frozen=True, kw_only=True)
class ServerHealth:
    """What a server says of itself. digest: of its model, where it says one."""

    model: str
    digest: str | None = None


class HttpNLI:
    """base_url: of the server.  timeout_s: for one call with all its tries.  jitter: chance, 0 up to 1, for the waits.

    Raises ConfigError for an address that is none. Connects to nothing until it is asked.
    """

    def __init__(
        self, base_url: str = DEFAULT_URL, *, timeout_s: float = 30.0, jitter: Callable[[], float] = random.random
    ) -> None:
        self._url = _checked(base_url)
        self._timeout_s = timeout_s
        self._jitter = jitter
        self._clients: PerLoop[httpx.AsyncClient] = PerLoop(self._open, lambda client: client.aclose())

    @property
    def name(self) -> str:
        """No host and no port: it goes on record."""
        return "http-nli"

    async def classify(self, premise: str, hypothesis: str) -> NLIResult:
        """One pair. Raises ProviderFailed."""
        answer = await self._ask("POST", "/classify", {"premise": premise, "hypothesis": hypothesis}, pairs=1)
        return self._result(answer)

    async def classify_batch(self, pairs: Sequence[tuple[str, str]]) -> list[NLIResult]:
        """Many pairs, in order. Raises ProviderFailed; then none of the answers counts."""
        results: list[NLIResult] = []
        for part in _parts(pairs):
            body = {"pairs": [{"premise": premise, "hypothesis": hypothesis} for premise, hypothesis in part]}
            answer = await self._ask("POST", "/batch", body, pairs=len(part))
            found = answer.get("results") if isinstance(answer, dict) else None
            if not isinstance(found, list) or len(found) != len(part):
                raise self._unreadable(f"a list of {len(part)} results was expected")
            results += [self._result(one) for one in found]
        return results

    async def health(self) -> ServerHealth:
        """What the server says of itself. Raises ProviderFailed where it says nothing, or not that it is well."""
        answer = await self._ask("GET", "/health", None, pairs=1)
        if not isinstance(answer, dict) or answer.get("status") != "ok":
            raise self._unreadable("the status ok was expected")
        model, digest = answer.get("model"), answer.get("digest")
        return ServerHealth(
            model=model if isinstance(model, str) else "", digest=digest if isinstance(digest, str) else None
        )

    async def available(self) -> bool:
        """Whether a server listens there and is well."""
        try:
            await self.health()
        except ProviderFailed:
            return False
        return True

    async def aclose(self) -> None:
        """Close this loop's connections. It may be asked again."""
        await self._clients.aclose()

    async def __aenter__(self) -> HttpNLI:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()

    def _open(self) -> httpx.AsyncClient:
        import httpx

        # The environment's proxy is not asked for the way to this machine.
        here = urlsplit(self._url).hostname in ("localhost", "127.0.0.1", "::1")
        timeout = httpx.Timeout(self._timeout_s, connect=min(5.0, self._timeout_s))
        return httpx.AsyncClient(timeout=timeout, trust_env=not here)

    async def _ask(self, method: str, path: str, body: object, *, pairs: int) -> Any:
        """The JSON of one answer, asked again where that can help."""
        content = None if body is None else self._encoded(body)
        client = await self._clients.get()
        loop = asyncio.get_running_loop()
        deadline = loop.time() + self._timeout_s
        tried = 0
        while True:
            tried += 1
            try:
                async with asyncio.timeout_at(deadline):
                    return await self._once(client, method, path, content, limit=4096 + pairs * ANSWER_BYTES)
            except TimeoutError as exc:
                raise self._failed("timed-out", f"gave no answer in {self._timeout_s:g} s") from exc
            except _Again as exc:
                wait = wait_before_retry(
                    _RETRY,
                    tried=tried,
                    retryable=True,
                    asked_s=exc.asked_s,
                    left_s=deadline - loop.time(),
                    jitter=self._jitter(),
                )
                if wait is None:
                    raise exc.failure from exc.__cause__
            await asyncio.sleep(wait)

    async def _once(
        self, client: httpx.AsyncClient, method: str, path: str, content: bytes | None, *, limit: int
    ) -> Any:
        import httpx

        headers = {"Content-Type": "application/json"} if content is not None else {}
        try:
            async with client.stream(method, self._url + path, content=content, headers=headers) as response:
                body = await _bounded(response, limit)
        except httpx.TimeoutException as exc:
            raise self._failed("timed-out", f"gave no answer in {self._timeout_s:g} s") from exc
        except httpx.ConnectError as exc:
            raise self._failed("unreachable", "cannot be reached") from exc
        except httpx.TransportError as exc:
            raise _Again(self._failed("unreachable", "broke the connection off")) from exc
        except httpx.HTTPError as exc:
            raise self._unreadable("it cannot be decoded") from exc
        if body is None:
            raise self._unreadable(f"it has more than {limit} bytes")
        return self._read(response.status_code, response.headers, body)

    def _read(self, status: int, headers: Mapping[str, str], body: bytes) -> Any:
        if status in (429, 503):
            lower = {name.lower(): value for name, value in headers.items()}
            raise _Again(
                self._failed("overloaded", f"is overloaded (status {status})"), asked_wait(lower, now=time.time())
            )
        if status != 200:
            kind: Kind = "refused" if 400 <= status < 500 else "unreachable"
            raise self._failed(kind, f"answered with status {status}{_detail(body)}")
        try:
            return parse_json(body, unique_members=True)
        except RecordError as exc:
            raise self._unreadable("it is no JSON") from exc

    def _result(self, answer: object) -> NLIResult:
        """One answer, read strictly."""
        if not isinstance(answer, dict):
            raise self._unreadable("an object was expected")
        label = answer.get("label")
        word = label.strip().casefold() if isinstance(label, str) else None
        if word not in LABELS:
            raise self._unreadable(f"its label is none of {', '.join(LABELS)}")
        given = answer.get("scores")
        if not isinstance(given, dict):
            raise self._unreadable("it has no scores")
        return NLIResult(label=word, scores={name: self._score(given.get(name), name) for name in LABELS})

    def _score(self, value: object, name: str) -> float:
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            raise self._unreadable(f"its score for {name} is missing or no number")
        if not math.isfinite(value) or not 0 <= value <= 1:
            raise self._unreadable(f"its score for {name} is not between 0 and 1")
        return round(float(value), 4)

    def _encoded(self, body: object) -> bytes:
        try:
            return json.dumps(body, ensure_ascii=False).encode("utf-8")
        except UnicodeEncodeError as exc:
            raise self._failed("refused", "was not asked: a text holds a lone surrogate") from exc

    def _unreadable(self, why: str) -> ProviderFailed:
        return self._failed("unreadable", f"gave an answer that cannot be used: {why}")

    def _failed(self, kind: Kind, why: str) -> ProviderFailed:
        mend = "Start one with `bicameral nli serve`." if why == "cannot be reached" else None
        return ProviderFailed(f"The NLI server at {self._url} {why}.", kind=kind, mend=mend)


def _parts(pairs: Sequence[tuple[str, str]]) -> Iterator[list[tuple[str, str]]]:
    """The pairs in order, in requests of bounded size."""
    part: list[tuple[str, str]] = []
    size = 0
    for premise, hypothesis in pairs:
        length = sum(len(text.encode("utf-8", "surrogatepass")) for text in (premise, hypothesis))
        if part and (len(part) == PAIRS_A_REQUEST or size + length > BYTES_A_REQUEST):
            yield part
            part, size = [], 0
        part.append((premise, hypothesis))
        size += length
    if part:
        yield part


class _Again(Exception):
    """A failure that another try may mend."""

    def __init__(self, failure: ProviderFailed, asked_s: float | None = None) -> None:
        super().__init__(str(failure))
        self.failure = failure
        self.asked_s = asked_s


async def _bounded(response: httpx.Response, limit: int) -> bytes | None:
    """The body, or None where it is longer than the limit."""
    parts: list[bytes] = []
    size = 0
    async for part in response.aiter_bytes():
        size += len(part)
        if size > limit:
            return None
        parts.append(part)
    return b"".join(parts)


def _detail(body: bytes) -> str:
    """What a refusal says of itself, in problem details (RFC 9457), as one short printable line."""
    try:
        problem = cast("object", json.loads(body))
    except (ValueError, RecursionError):
        return ""
    detail = problem.get("detail") if isinstance(problem, dict) else None
    if not isinstance(detail, str):
        return ""
    line = " ".join("".join(c if c.isprintable() else " " for c in detail[:300]).split())
    return f": {line.rstrip('.')}" if line else ""


def _checked(url: str) -> str:
    mend = f"Write it as {DEFAULT_URL}."
    try:
        parts = urlsplit(url)
        host, _ = parts.hostname, parts.port
    except ValueError as exc:
        raise ConfigError(f"The address of the NLI server cannot be read: {exc}.", mend=mend) from exc
    if parts.scheme not in ("http", "https") or not host or parts.query or parts.fragment:
        raise ConfigError("The address of the NLI server is no http or https address.", mend=mend)
    if parts.username is not None or parts.password is not None:
        raise ConfigError("The address of the NLI server holds a user name or a password.", mend="Leave it out.")
    return url.rstrip("/")
