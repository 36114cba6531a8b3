"""OpenAI's chat completions as of openai 3.57 (`openai.types.chat.ChatCompletion`), as Ollama and others serve it."""

from __future__ import annotations

import json
from typing import Any

from bicameral.testing.model_servers.openai import openai_error
from bicameral.testing.model_servers.server import ModelServer, Seen
from bicameral.testing.model_servers.steps import ErrorWord, Fault, Say


class CompatibleServer(ModelServer):
    """A server of somebody's own that speaks chat completions and asks for a key.

    native: it takes `response_format` of the type `json_schema`; some refuse it.
    """

    prefix = "/v1"
    needs_key = True
    native = True

    def refusal(self, seen: Seen) -> Fault | None:
        if seen.path != "/v1/chat/completions":
            return Fault(404, message=f"no such path {seen.path}")
        if self.needs_key and seen.headers.get("authorization") != f"Bearer {self.key}":
            return Fault(401, message=f"wrong key: {seen.headers.get('authorization')}")
        if not isinstance(seen.body, dict) or not seen.body.get("messages"):
            return Fault(400, message="messages are missing")
        form = (seen.body.get("response_format") or {}).get("type")
        if form == "json_schema" and not self.native:
            return Fault(400, message="response_format: Input should be 'text' or 'json_object'")
        if self.models is not None and seen.body.get("model") not in self.models:
            return Fault(404, message=f"model '{seen.body.get('model')}' not found")
        return None

    def answer(self, step: Say, seen: Seen) -> tuple[bytes, str]:
        tools = seen.body.get("tools") or []
        message: dict[str, Any] = {"role": "assistant", "content": None if step.empty else step.text, "refusal": None}
        finish = {"stop": "stop", "length": "length", "refusal": "content_filter"}[step.finish]
        if step.finish == "refusal":
            message |= {"content": None, "refusal": "I cannot help with that."}
        elif tools and not step.empty and step.finish == "stop":
            call = {"name": tools[0]["function"]["name"], "arguments": step.text}
            message |= {"content": None, "tool_calls": [{"id": "call_01", "type": "function", "function": call}]}
            finish = "tool_calls"
        body = {
            "id": "chatcmpl-01",
            "object": "chat.completion",
            "created": 1700000000,
            "model": seen.body["model"],
            "choices": [{"index": 0, "message": message, "finish_reason": finish, "logprobs": None}],
            "usage": {"prompt_tokens": 11, "completion_tokens": 7, "total_tokens": 18},
        }
        return json.dumps(body).encode(), "application/json"

    def error(self, step: Fault, word: ErrorWord) -> object:
        return openai_error(step, word)


class OllamaServer(CompatibleServer):
    """Ollama: no key, and errors whose type says no more than the status does."""

    needs_key = False

    def error(self, step: Fault, word: ErrorWord) -> object:
        kind = {400: "invalid_request_error", 404: "not_found_error"}.get(step.status, "api_error")
        return {"error": {"message": step.message, "type": kind, "param": None, "code": None}}
