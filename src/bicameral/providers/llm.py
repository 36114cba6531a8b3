"""Language models that answer in JSON: `ports.LLM` on a `ModelClient`.

Answers for one JSON object out of one reply, or a ProviderFailed that says why not. Declines to check the object's
members: whoever wrote the schema knows what a missing or odd one means.

Rules, in order: why the model stopped is looked at first (truncated, refused); then the text must hold one JSON object
(`reading`), and not an empty one. It is asked once; nothing unreadable is asked again.
"""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Mapping

from bicameral.errors import ProviderFailed
from bicameral.providers.client import DEFAULT_TIMEOUT_S, ModelClient
from bicameral.providers.names import resolve_access
from bicameral.providers.question import Answer, OutputMode, Question
from bicameral.providers.reading import Unreadable, object_in
from bicameral.providers.retry import RetryPolicy


class ApiLLM:
    """An LLM behind a ModelClient. name: the adapter.  model_id: `adapter:model`, as it was asked for."""

    def __init__(self, client: ModelClient) -> None:
        self._client = client

    @property
    def name(self) -> str:
        return self._client.access.adapter

    @property
    def model_id(self) -> str:
        return f"{self._client.access.adapter}:{self._client.access.model}"

    async def generate_json(
        self, prompt: str, *, schema: Mapping[str, object], temperature: float
    ) -> Mapping[str, object]:
        """One JSON object with at least one member. Raises ProviderFailed; cancellation passes through.

        schema: of an object. The model is held to it where its API can; members are not checked here.
        """
        answer = await self._client.ask(Question(prompt=prompt, schema=schema, temperature=temperature))
        return self._read(answer)

    def _read(self, answer: Answer) -> Mapping[str, object]:
        shown = self._client.access.shown
        if answer.finish == "length":
            raise ProviderFailed(f"{shown} was cut off at its limit before the answer ended.", kind="truncated")
        if answer.finish == "refusal":
            raise ProviderFailed(f"{shown} refused to answer.", kind="refused")
        try:
            value = object_in(answer.text)
        except Unreadable as exc:
            raise ProviderFailed(f"{shown} gave an answer that cannot be read: {exc}.", kind="unreadable") from exc
        if not value:
            raise ProviderFailed(f"{shown} gave an empty object.", kind="unreadable")
        return value

    async def __aenter__(self) -> ApiLLM:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        await self._client.aclose()


def open_llm(
    text: str,
    *,
    base_url: str | None = None,
    key: str | None = None,
    timeout_s: float | None = DEFAULT_TIMEOUT_S,
    policy: RetryPolicy | None = None,
    output: OutputMode | None = None,
    jitter: Callable[[], float] = random.random,
    environment: Mapping[str, str] | None = None,
) -> ApiLLM:
    """The language model `adapter:model`, for example `openai:gpt-5.2` or `ollama:qwen3`.

    base_url, key: beat the environment's.  timeout_s: for one answer with all its tries.  output: how the schema is put
    to it, for a server that refuses the usual way.  environment: None for the process's own.
    Connects to nothing yet. Raises ConfigError for an unknown adapter, a missing key or address.
    """
    access = resolve_access(text, os.environ if environment is None else environment, base_url=base_url, key=key)
    return ApiLLM(ModelClient(access, timeout_s=timeout_s, policy=policy, output=output, jitter=jitter))
