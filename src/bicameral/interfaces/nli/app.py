"""The sidecar contract over HTTP, as an application for any ASGI server.

    POST /classify  {"premise", "hypothesis"}            -> {"label", "scores"}
    POST /batch     {"pairs": [{"premise", "hypothesis"}]} -> {"results": [...]} in order
    GET  /health                                         -> {"status": "ok", "model": "..."} and the model's digest

Answers for: a request read within its limits, and every refusal as problem details that name the limit or the place.
Declines to look at the media type (a plain `fetch` with a text body sends none that helps) and to write any text down.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from typing import Any, Final

from fastapi import FastAPI, Request, Response
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect

from bicameral.canonical import parse_json
from bicameral.errors import BicameralError, RecordError
from bicameral.interfaces.nli.batcher import Batcher, Pair, QueueFull
from bicameral.interfaces.nli.door import Door, problem
from bicameral.interfaces.nli.limits import Limits
from bicameral.ports import NLI, NLIResult

THROWN_AWAY: Final = 64 << 20
"""Bytes of one body that are read in all, most of them to throw them away."""


class Refused(Exception):
    """A request that is not answered, with the status and the words that say why."""

    def __init__(self, status: int, detail: str) -> None:
        super().__init__(detail)
        self.status = status
        self.detail = detail


def make_app(
    nli: NLI, *, limits: Limits | None = None, names: Sequence[str] = (), batcher: Batcher | None = None
) -> FastAPI:
    """The application around one model.

    names: hosts it answers to beside addresses and `localhost`.  batcher: None for the usual one.
    """
    within = limits or Limits()
    shared = batcher or Batcher(nli, queued=within.queued_pairs)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncGenerator[None]:
        async with shared:
            yield

    app = FastAPI(lifespan=lifespan, openapi_url=None, docs_url=None, redoc_url=None)
    health = json.dumps(_health(nli)).encode()

    @app.get("/health")
    async def _read_health() -> Response:
        return Response(health, media_type="application/json")

    @app.post("/classify")
    async def _classify(request: Request) -> Response:
        body = await _body(request, within)
        answers = await shared.classify([_pair(body, within, "")])
        return _json(_plain(answers[0]))

    @app.post("/batch")
    async def _batch(request: Request) -> Response:
        pairs = _pairs(await _body(request, within), within)
        answers = await shared.classify(pairs)
        return _json({"results": [_plain(answer) for answer in answers]})

    @app.exception_handler(Refused)
    async def _refuse(_: Request, exc: Refused) -> Response:
        return _problem(exc.status, exc.detail)

    @app.exception_handler(QueueFull)
    async def _full(_: Request, exc: QueueFull) -> Response:
        return _problem(503, f"{within.queued_pairs} pairs wait already.")

    @app.exception_handler(BicameralError)
    async def _failed(_: Request, exc: BicameralError) -> Response:
        return _problem(500, "The model gave no answer.")

    @app.exception_handler(HTTPException)
    async def _no_such_place(_: Request, exc: HTTPException) -> Response:
        response = _problem(exc.status_code, "There are POST /classify, POST /batch and GET /health.")
        response.headers.update(exc.headers or {})
        return response

    app.add_middleware(Door, limits=within, names=frozenset(name.lower() for name in names))
    return app


def _health(nli: NLI) -> dict[str, object]:
    document: dict[str, object] = {"status": "ok", "model": nli.name}
    digest = getattr(nli, "digest", None)
    return {**document, "digest": digest} if isinstance(digest, str) else document


async def _body(request: Request, limits: Limits) -> Any:
    """The JSON of a request. It is read piece by piece, so that no more than the limit is ever held.

    What is beyond the limit is read on and thrown away, up to a bound: a client that is still sending would meet a
    closed connection and not the answer.
    """
    too_long = Refused(413, f"The body is longer than {limits.body_bytes} bytes.")
    said = request.headers.get("content-length", "")
    told = int(said) if said.isdecimal() and len(said) < 20 else 0
    if told > limits.body_bytes and (told > THROWN_AWAY or "expect" in request.headers):
        raise too_long
    parts: list[bytes] = []
    size = 0
    try:
        async with asyncio.timeout(limits.read_s):
            async for part in request.stream():
                size += len(part)
                if size <= limits.body_bytes:
                    parts.append(part)
                else:
                    parts.clear()
                if size > THROWN_AWAY:
                    break
    except TimeoutError:
        raise Refused(408, f"The body did not arrive within {limits.read_s:g} seconds.") from None
    except ClientDisconnect:
        raise Refused(400, "The connection closed before the body had come.") from None
    if size > limits.body_bytes:
        raise too_long
    try:
        return parse_json(b"".join(parts), what="The body")
    except RecordError as exc:
        raise Refused(400, exc.message) from None


def _pairs(body: object, limits: Limits) -> list[Pair]:
    found = body.get("pairs") if isinstance(body, dict) else None
    if not isinstance(found, list):
        raise Refused(422, 'The body must be an object with a list named "pairs".')
    if len(found) > limits.pairs:
        raise Refused(413, f"The batch has {len(found)} pairs; the most is {limits.pairs}.")
    return [_pair(one, limits, f"pairs[{index}].") for index, one in enumerate(found)]


def _pair(value: object, limits: Limits, where: str) -> Pair:
    if not isinstance(value, dict):
        place = where.removesuffix(".") or "The body"
        raise Refused(422, f"{place} must be an object with the texts premise and hypothesis.")
    return _text(value, "premise", limits, where), _text(value, "hypothesis", limits, where)


def _text(value: dict[str, Any], name: str, limits: Limits, where: str) -> str:
    text = value.get(name)
    if not isinstance(text, str):
        raise Refused(422, f"{where}{name} must be a text.")
    if len(text) > limits.characters:
        raise Refused(413, f"{where}{name} has {len(text)} characters; the most is {limits.characters}.")
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        raise Refused(422, f"{where}{name} holds a lone surrogate, so it is no Unicode text.") from None
    return text


def _plain(answer: NLIResult) -> dict[str, object]:
    return {"label": answer.label, "scores": dict(answer.scores)}


def _json(document: object) -> Response:
    return Response(json.dumps(document, allow_nan=False).encode(), media_type="application/json")


def _problem(status: int, detail: str) -> Response:
    headers = {"Retry-After": "1"} if status == 503 else {}
    return Response(problem(status, detail), status, headers, media_type="application/problem+json")
