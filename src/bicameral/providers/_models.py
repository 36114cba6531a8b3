"""The vendors' models, through pydantic-ai's direct request layer (pydantic_ai.direct), with all their retries off.

Answers for making a model of an `Access` and an HTTP client, putting one `Question` to it once, and reading the reply
into plain words. Declines to retry, to time out and to name failures: `client` does.

Imported only where a request is made: it loads pydantic-ai and a vendor's SDK. An SDK reads more of the environment
than we want sent to whoever listens (organisations, tokens); what is ours to say is said explicitly.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Final, cast

import httpx2
from pydantic_ai import BinaryContent, ModelRequest, ModelResponse, TextPart, ToolCallPart, UserPromptPart
from pydantic_ai.direct import model_request
from pydantic_ai.models import Model, ModelRequestParameters
from pydantic_ai.output import OutputObjectDefinition
from pydantic_ai.settings import ModelSettings
from pydantic_ai.tools import ToolDefinition

from bicameral.model.vocabulary import Finish
from bicameral.providers.names import Access
from bicameral.providers.question import OutputMode, Question

OUTPUT_NAME: Final = "answer"

ANTHROPIC_LIMIT: Final = 8192
"""That API answers nobody who names no limit. A judge's longest answers need a few thousand tokens."""


@dataclass(frozen=True, kw_only=True)
class Said:
    """A reply in plain words. model: as the reply names it."""

    text: str
    finish: Finish
    model: str
    input_tokens: int
    output_tokens: int


_MODULES: Final[Mapping[str, str]] = {
    "openai": "openai",
    "anthropic": "anthropic",
    "google": "google",
    "ollama": "ollama",
    "openai-compatible": "openai",
}


def load(adapter: str) -> None:
    """Load an adapter's libraries, which takes a second or two. Raises ImportError where they are not installed."""
    import_module(f"pydantic_ai.models.{_MODULES[adapter]}")


def make_model(access: Access, http: httpx2.AsyncClient) -> Model[Any]:
    """The model behind an Access, on this HTTP client. Raises ImportError where the adapter's SDK is not installed."""
    return _MAKERS[access.adapter](access, http)


async def request(model: Model[Any], question: Question, output: OutputMode | None) -> Said:
    """Put one question once. output: how to hold it to the schema, None for the best that the model takes.

    Whatever the SDK raises passes through.
    """
    pictures = [BinaryContent(data=picture.data, media_type=picture.media_type) for picture in question.pictures]
    turn = UserPromptPart([question.prompt, *pictures] if pictures else question.prompt)
    response = await model_request(
        model,
        [ModelRequest(parts=[turn], instructions=question.instructions or None)],
        model_settings=_settings(model, question),
        model_request_parameters=_shape(model, question, output),
    )
    return Said(
        text=_text(response),
        finish=_finish(response),
        model=response.model_name or "",
        input_tokens=response.usage.input_tokens or 0,
        output_tokens=response.usage.output_tokens or 0,
    )


def _settings(model: Model[Any], question: Question) -> ModelSettings:
    settings = ModelSettings()
    if question.temperature is not None and _takes_temperature(model.profile):
        settings["temperature"] = question.temperature
    limit = question.output_limit or (ANTHROPIC_LIMIT if model.system == "anthropic" else None)
    if limit is not None:
        settings["max_tokens"] = limit
    if model.system == "openai":
        # What is judged stays with the user: by default that API keeps every response for a month.
        return cast("ModelSettings", {**settings, "openai_store": False})
    return settings


def _takes_temperature(profile: Mapping[str, Any]) -> bool:
    """Whether a temperature is sent. A model that reasons refuses it; the library would drop it with a warning."""
    if profile.get("anthropic_disallows_sampling_settings"):
        return False
    if not profile.get("openai_supports_reasoning"):
        return True
    efforts = profile.get("openai_reasoning_efforts")
    can_rest = profile.get("openai_supports_reasoning_effort_none", False) if efforts is None else "none" in efforts
    return bool(can_rest) and not profile.get("thinking_enabled_by_default", False)


def _shape(model: Model[Any], question: Question, output: OutputMode | None) -> ModelRequestParameters:
    """How the answer is held to the schema, if there is one."""
    if question.schema is None:
        return ModelRequestParameters()
    schema = dict(question.schema)
    mode = output or _best(model.profile)
    if mode == "tool":
        tool = ToolDefinition(
            name=OUTPUT_NAME, parameters_json_schema=schema, description="Give the answer.", kind="output"
        )
        return ModelRequestParameters(output_mode="tool", output_tools=[tool], allow_text_output=False)
    form = OutputObjectDefinition(json_schema=schema, name=OUTPUT_NAME)
    return ModelRequestParameters(output_mode=mode, output_object=form)


def _best(profile: Mapping[str, Any]) -> OutputMode:
    if profile.get("supports_json_schema_output"):
        return "native"
    return "tool" if profile.get("supports_tools", True) else "prompted"


def _text(response: ModelResponse) -> str:
    """What was said: the output tool's arguments if it was called, else the text. Thoughts are no part of it."""
    for part in response.parts:
        if isinstance(part, ToolCallPart) and part.tool_name == OUTPUT_NAME:
            return part.args if isinstance(part.args, str) else json.dumps(part.args or {}, ensure_ascii=False)
    return "".join(part.content for part in response.parts if isinstance(part, TextPart))


def _finish(response: ModelResponse) -> Finish:
    if response.finish_reason == "length":
        return "length"
    return "refusal" if response.finish_reason == "content_filter" else "stop"


def _openai(access: Access, http: httpx2.AsyncClient) -> Model[Any]:
    from pydantic_ai.models.openai import OpenAIResponsesModel
    from pydantic_ai.providers.openai import OpenAIProvider

    return OpenAIResponsesModel(access.model, provider=OpenAIProvider(openai_client=_openai_client(access, http)))


def _openai_client(access: Access, http: httpx2.AsyncClient) -> Any:
    from openai import AsyncOpenAI

    # It refuses to be made without a key; a local server ignores this one.
    key = access.key or "no-key"
    client = AsyncOpenAI(base_url=access.base_url, api_key=key, http_client=http, max_retries=0)
    if access.adapter != "openai":
        client.organization = client.project = None
    return client


def _anthropic(access: Access, http: httpx2.AsyncClient) -> Model[Any]:
    from anthropic import AsyncAnthropic
    from pydantic_ai.models.anthropic import AnthropicModel
    from pydantic_ai.providers.anthropic import AnthropicProvider

    client = AsyncAnthropic(base_url=access.base_url, api_key=access.key, http_client=http, max_retries=0)
    return AnthropicModel(access.model, provider=AnthropicProvider(anthropic_client=client))


def _google(access: Access, http: httpx2.AsyncClient) -> Model[Any]:
    from google.genai.types import HttpRetryOptions
    from pydantic_ai.models.google import GoogleModel
    from pydantic_ai.providers.google import GoogleProvider

    once = HttpRetryOptions(attempts=1)
    provider = GoogleProvider(api_key=access.key, base_url=access.base_url, http_client=http, retry_options=once)
    return GoogleModel(access.model, provider=provider)


def _ollama(access: Access, http: httpx2.AsyncClient) -> Model[Any]:
    from pydantic_ai.models.ollama import OllamaModel
    from pydantic_ai.providers.ollama import OllamaProvider

    return OllamaModel(access.model, provider=OllamaProvider(openai_client=_openai_client(access, http)))


def _openai_compatible(access: Access, http: httpx2.AsyncClient) -> Model[Any]:
    from pydantic_ai.models.openai import OpenAIChatModel
    from pydantic_ai.providers.openai_compatible import OpenAICompatibleProvider

    client = _openai_client(access, http)
    return OpenAIChatModel(access.model, provider=OpenAICompatibleProvider(access.adapter, openai_client=client))


_MAKERS: Final[Mapping[str, Callable[[Access, httpx2.AsyncClient], Model[Any]]]] = {
    "openai": _openai,
    "anthropic": _anthropic,
    "google": _google,
    "ollama": _ollama,
    "openai-compatible": _openai_compatible,
}
