"""OpenAI's responses API as of openai 3.57 (`openai.types.responses.Response`)."""

from __future__ import annotations

import json
from typing import Any

from bicameral.testing.model_servers.server import ModelServer, Seen
from bicameral.testing.model_servers.steps import ErrorWord, Fault, Say


def openai_error(step: Fault, word: ErrorWord) -> object:
    kind, code = {
        "overloaded": ("server_error", "server_is_overloaded"),
        "rate": ("requests", "rate_limit_exceeded"),
        "quota": ("insufficient_quota", "insufficient_quota"),
        "server": ("server_error", None),
        "auth": ("invalid_request_error", "invalid_api_key"),
        "missing": ("invalid_request_error", "model_not_found"),
        "request": ("invalid_request_error", None),
    }[word]
    return {"error": {"message": step.message, "type": kind, "param": None, "code": code}}


class OpenAIServer(ModelServer):
    prefix = "/v1"

    def refusal(self, seen: Seen) -> Fault | None:
        if seen.path != "/v1/responses":
            return Fault(404, message=f"Invalid URL (POST {seen.path})")
        if seen.headers.get("authorization") != f"Bearer {self.key}":
            given = seen.headers.get("authorization", "")
            return Fault(401, message=f"Incorrect API key provided: {given}.")
        if not isinstance(seen.body, dict) or "input" not in seen.body or "model" not in seen.body:
            return Fault(400, message="Missing required parameter: 'input'.")
        if self.models is not None and seen.body["model"] not in self.models:
            return Fault(
                404, message=f"The model `{seen.body['model']}` does not exist or you do not have access to it."
            )
        return None

    def answer(self, step: Say, seen: Seen) -> tuple[bytes, str]:
        body: dict[str, Any] = {
            "id": "resp_01",
            "object": "response",
            "created_at": 1700000000,
            "status": "incomplete" if step.finish == "length" else "completed",
            "error": None,
            "incomplete_details": {"reason": "max_output_tokens"} if step.finish == "length" else None,
            "instructions": None,
            "metadata": {},
            "model": f"{seen.body['model']}-2026-01-01",
            "output": [] if step.empty else [self._item(step, seen)],
            "parallel_tool_calls": True,
            "temperature": 1.0,
            "tool_choice": "auto",
            "tools": [],
            "top_p": 1.0,
            "usage": {
                "input_tokens": 11,
                "input_tokens_details": {"cached_tokens": 0, "cache_write_tokens": 0},
                "output_tokens": 7,
                "output_tokens_details": {"reasoning_tokens": 0},
                "total_tokens": 18,
            },
        }
        return json.dumps(body).encode(), "application/json"

    def _item(self, step: Say, seen: Seen) -> dict[str, Any]:
        status = "incomplete" if step.finish == "length" else "completed"
        tools = seen.body.get("tools") or []
        if tools and step.finish == "stop":
            return {
                "type": "function_call",
                "id": "fc_01",
                "call_id": "call_01",
                "name": tools[0]["name"],
                "arguments": step.text,
                "status": status,
            }
        content: dict[str, Any] = {"type": "output_text", "text": step.text, "annotations": [], "logprobs": []}
        if step.finish == "refusal":
            content = {"type": "refusal", "refusal": "I cannot help with that."}
        return {"type": "message", "id": "msg_01", "status": status, "role": "assistant", "content": [content]}

    def error(self, step: Fault, word: ErrorWord) -> object:
        return openai_error(step, word)
