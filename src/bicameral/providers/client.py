"""One model behind one API: a question in, an answer or a ProviderFailed out, with the one retry layer there is.

Answers for: every failure by its kind; Retry-After, 429, 5xx, 529 and broken connections tried again within the
deadline; a cancelled caller's connection closed at once; one client for any number of event loops. Declines to read
what the model said (`llm` and the judges do), to weigh it, and to limit how many ask at once.

A truncated or refused answer is an answer here, with its `finish`; who asked decides what to make of it.
"""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Callable
from types import ModuleType
from typing import TYPE_CHECKING, Any, Final

from bicameral.errors import ConfigError, ProviderFailed
from bicameral.model.judging import Spend
from bicameral.providers.failures import Failure, failure_of, one_line
from bicameral.providers.loops import PerLoop
from bicameral.providers.names import ADAPTERS, Access
from bicameral.providers.question import Answer, OutputMode, Question
from bicameral.providers.retry import RetryPolicy, wait_before_retry

if TYPE_CHECKING:
    from bicameral.providers._models import Said
    from bicameral.providers._wire import Exchange

DEFAULT_TIMEOUT_S: Final = 120.0
CANNOT_BE_REACHED: Final = "cannot be reached"


class ModelClient:
    """timeout_s: for one question with all its tries, None for no deadline.  jitter: chance, 0 up to 1, for the waits.

    output: how a schema is put to the model; None takes the best that its API is known to take.
    Opens nothing until it is asked. Use it with `async with`, or call `aclose`; a loop that ends closes its own part.
    """

    def __init__(
        self,
        access: Access,
        *,
        timeout_s: float | None = DEFAULT_TIMEOUT_S,
        policy: RetryPolicy | None = None,
        output: OutputMode | None = None,
        jitter: Callable[[], float] = random.random,
    ) -> None:
        self.access = access
        self._timeout_s = timeout_s
        self._policy = policy or RetryPolicy()
        self._output = output
        self._jitter = jitter
        self._opened: PerLoop[tuple[Any, Any]] = PerLoop(self._open, _close)

    async def __aenter__(self) -> ModelClient:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Close this loop's connections. It may be asked again."""
        await self._opened.aclose()

    async def ask(self, question: Question, *, timeout_s: float | None = None) -> Answer:
        """The model's answer.

        timeout_s: seconds for this question with all its tries, None for the client's own.
        Raises ProviderFailed with its kind, and ConfigError where the vendor's library is not installed.
        """
        await asyncio.to_thread(_load, self.access.adapter)  # so that others of this loop go on meanwhile
        model, _ = await self._opened.get()
        limit = self._timeout_s if timeout_s is None else timeout_s
        loop = asyncio.get_running_loop()
        deadline = None if limit is None else loop.time() + limit
        tried = 0
        while True:
            tried += 1
            said, exchange, failure, cause = await self._once(model, question, deadline)
            if said is not None:
                body = exchange.reply.body if exchange.reply else b""
                return Answer(
                    text=said.text,
                    finish=said.finish,
                    model=said.model or self.access.model,
                    raw=body.decode("utf-8", "replace"),
                    spend=Spend(calls=tried, input_tokens=said.input_tokens, output_tokens=said.output_tokens),
                )
            assert failure is not None
            wait = wait_before_retry(
                self._policy,
                tried=tried,
                retryable=failure.retryable,
                asked_s=failure.asked_s,
                left_s=None if deadline is None else deadline - loop.time(),
                jitter=self._jitter(),
            )
            if wait is None:
                raise self._failed(failure, tried) from cause
            await asyncio.sleep(wait)

    async def _once(
        self, model: Any, question: Question, deadline: float | None
    ) -> tuple[Said | None, Exchange, Failure | None, BaseException | None]:
        """One request: what was said, or why not. Cancellation passes through."""
        wire, models = _libraries()
        exchange = wire.Exchange()
        token = wire.current.set(exchange)
        try:
            async with asyncio.timeout_at(deadline):
                said = await models.request(model, question, self._output)
        except TimeoutError as exc:
            why = "gave no answer in time"
            return None, exchange, Failure(kind="timed-out", why=why), exc
        except Exception as exc:
            return None, exchange, _named(self.access, exchange, exc), exc
        finally:
            wire.current.reset(token)
        # An SDK may take an error in the body of a 200 for an answer that says nothing.
        failure = None if exchange.reply is None else failure_of(exchange.reply, now=time.time())
        return (said, exchange, None, None) if failure is None else (None, exchange, failure, None)

    def _open(self) -> tuple[Any, Any]:
        wire, models = _libraries()
        http = wire.open_client(self.access)
        return models.make_model(self.access, http), http

    def _failed(self, failure: Failure, tried: int) -> ProviderFailed:
        times = "" if tried == 1 else f" (asked {tried} times)"
        return ProviderFailed(
            f"{self.access.shown} {failure.why}{times}.", kind=failure.kind, mend=_mend(self.access, failure)
        )


def _named(access: Access, exchange: Exchange, exc: Exception) -> Failure:
    """The failure behind an exception of an SDK, by what came over the wire."""
    if exchange.reply is not None:
        why = "gave a reply that is not of its API's form"
        told = failure_of(exchange.reply, now=time.time())
        return told or Failure(kind="unreadable", why=why, status=exchange.reply.status)
    if exchange.too_long:
        return Failure(kind="unreadable", why="gave a reply beyond the size that is read")
    if exchange.cause is None:
        said = one_line(str(exc).replace(access.key or "\0", "[key]"))
        return Failure(kind="refused", why=f"was not asked: {type(exc).__name__}: {said}")
    if "Timeout" in type(exchange.cause).__name__:
        return Failure(kind="timed-out", why="did not take the connection in time", retryable=True)
    if "Connect" in type(exchange.cause).__name__:
        # Nobody begins to listen on this machine because we wait; elsewhere a network may come back.
        away = not _libraries()[0].is_loopback(access.base_url)
        return Failure(kind="unreachable", why=CANNOT_BE_REACHED, retryable=away)
    where = "in the middle of its reply" if exchange.began else "before it replied"
    return Failure(kind="unreachable", why=f"broke the connection off {where}", retryable=True)


def _mend(access: Access, failure: Failure) -> str | None:
    adapter = ADAPTERS[access.adapter]
    if failure.kind == "unauthorised":
        return f"Check {' or '.join(adapter.key_names)} and the account behind it."
    if failure.why == CANNOT_BE_REACHED:
        return f"Is the server running? Its address is read from {' or '.join(adapter.url_names)}."
    if failure.status == 404:
        pull = f"Run `ollama pull {access.model}`, or check" if access.adapter == "ollama" else "Check"
        return f"{pull} the model's name and {adapter.url_names[0]}."
    return None


def _libraries() -> tuple[ModuleType, ModuleType]:
    """The two modules that load the HTTP library and the vendors' clients."""
    try:
        from bicameral.providers import _models, _wire
    except ImportError as exc:
        raise _not_installed(exc) from exc
    return _wire, _models


def _load(adapter: str) -> None:
    """Load what an adapter needs. Raises ConfigError where it is not installed."""
    models = _libraries()[1]
    try:
        models.load(adapter)
    except ImportError as exc:
        raise _not_installed(exc) from exc


def _not_installed(exc: ImportError) -> ConfigError:
    return ConfigError(
        f"A model API needs a library that is not installed: {exc.name or 'pydantic_ai'}.",
        mend="Install it with `pip install 'bicameral[api]'`.",
    )


async def _close(opened: tuple[Any, Any]) -> None:
    await opened[1].aclose()
