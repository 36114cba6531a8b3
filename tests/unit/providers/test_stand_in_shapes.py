"""The local stand-ins say what the vendors' own types describe: openai 3.57, anthropic 2.14, google-genai 2.34.

Where an SDK of another version no longer reads a stand-in's answer, this is what fails first.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from bicameral.testing.model_servers import (
    AnthropicServer,
    CompatibleServer,
    Fault,
    GoogleServer,
    ModelServer,
    OllamaServer,
    OpenAIServer,
    Say,
    Seen,
)

STEPS = [Say('{"a": 1}'), Say('{"a', finish="length"), Say(finish="refusal"), Say(empty=True)]


def _response(body: Any) -> object:
    from openai.types.responses import Response

    return Response.model_validate(body, strict=False)


def _completion(body: Any) -> object:
    from openai.types.chat import ChatCompletion

    return ChatCompletion.model_validate(body)


def _message(body: Any) -> object:
    from anthropic.types.beta import BetaMessage

    return BetaMessage.model_validate(body)


def _generated(body: Any) -> object:
    from google.genai.types import GenerateContentResponse

    return GenerateContentResponse.model_validate(body)


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize(
    ("server", "path", "read"),
    [
        (OpenAIServer, "/v1/responses", _response),
        (CompatibleServer, "/v1/chat/completions", _completion),
        (OllamaServer, "/v1/chat/completions", _completion),
        (AnthropicServer, "/v1/messages", _message),
        (GoogleServer, "/v1beta/models/gemini-2.5-flash:generateContent", _generated),
    ],
)
@pytest.mark.parametrize("tools", [False, True])
def test_an_answer_is_of_its_vendors_type(
    server: type[ModelServer], path: str, read: Callable[[Any], object], step: Say, tools: bool
) -> None:
    named = {"name": "answer", "function": {"name": "answer"}, "functionDeclarations": [{"name": "answer"}]}
    seen = Seen(path, {}, {"model": "m", "tools": [named] if tools else []})
    body, media = server().answer(step, seen)
    assert media.startswith("application/json")
    assert read(json.loads(body))


def test_the_versions_that_the_shapes_are_taken_from_are_installed() -> None:
    from importlib.metadata import version

    majors = {name: version(name).partition(".")[0] for name in ("openai", "anthropic", "google-genai")}
    assert majors == {"openai": "3", "anthropic": "2", "google-genai": "2"}


@pytest.mark.parametrize("server", [OpenAIServer, CompatibleServer, OllamaServer, AnthropicServer, GoogleServer])
def test_an_error_is_an_object_with_a_message(server: type[ModelServer]) -> None:
    document: Any = server().error(Fault(429, message="slow down"), "rate")
    assert document["error"]["message"] == "slow down"
