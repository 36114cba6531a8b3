"""The LLM contract, kept by the client of each model API."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from llm_contract import LLMContract, MakeLLM, Trouble

from bicameral.providers import ApiLLM, RetryPolicy, open_llm
from bicameral.testing.model_servers import (
    AnthropicServer,
    CompatibleServer,
    Cut,
    Fault,
    GoogleServer,
    Hang,
    ModelServer,
    OllamaServer,
    OpenAIServer,
    Say,
    Step,
)

STEPS: dict[str, Step] = {
    "text": Say("I would rather not say."),
    "list": Say('[{"word": "yes"}]'),
    "empty": Say(empty=True),
    "truncated": Say('{"word": "ye', finish="length"),
    "refused": Say(finish="refusal"),
    "unauthorised": Fault(401),
    "overloaded": Fault(529),
    "cut": Cut(),
    "silent": Hang(),
}


class ApiContract(LLMContract):
    server: type[ModelServer]
    model: str

    @pytest.fixture
    def llm_that(self) -> Iterator[MakeLLM]:
        opened: list[ModelServer] = []

        def make(said: str | Trouble) -> ApiLLM:
            server = self.server([STEPS.get(said, Say(said))] * 2)
            opened.append(server.__enter__())
            return open_llm(
                self.model,
                base_url=server.base_url,
                key=server.key,
                timeout_s=1.0 if said == "silent" else 20.0,
                policy=RetryPolicy(tries=2, first_s=0.01),
            )

        yield make
        for server in opened:
            server.__exit__()


class TestOpenAI(ApiContract):
    server = OpenAIServer
    model = "openai:gpt-5.2"


class TestAnthropic(ApiContract):
    server = AnthropicServer
    model = "anthropic:claude-haiku-5-5"


class TestGoogle(ApiContract):
    server = GoogleServer
    model = "google:gemini-2.5-flash"


class TestOllama(ApiContract):
    server = OllamaServer
    model = "ollama:qwen3"


class TestCompatible(ApiContract):
    server = CompatibleServer
    model = "openai-compatible:somebodys-own"
