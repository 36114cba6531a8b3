"""Anthropic's messages API as of anthropic 2.14 (`anthropic.types.beta.BetaMessage`)."""

from __future__ import annotations

import json
from typing import Any

from bicameral.testing.model_servers.server import ModelServer, Seen
from bicameral.testing.model_servers.steps import ErrorWord, Fault, Say


class AnthropicServer(ModelServer):
    def refusal(self, seen: Seen) -> Fault | None:
        if seen.path.partition("?")[0] != "/v1/messages":
            return Fault(404, message="Not found")
        given = seen.headers.get("x-api-key") or seen.headers.get("authorization", "").removeprefix("Bearer ")
        if given != self.key:
            return Fault(401, message=f"invalid x-api-key {given}")
        if "anthropic-version" not in seen.headers:
            return Fault(400, message="anthropic-version: header is required")
        if not isinstance(seen.body, dict) or not {"model", "max_tokens", "messages"} <= seen.body.keys():
            return Fault(400, message="max_tokens: Field required")
        if self.models is not None and seen.body["model"] not in self.models:
            return Fault(404, message=f"model: {seen.body['model']}")
        return None

    def answer(self, step: Say, seen: Seen) -> tuple[bytes, str]:
        reason = {"stop": "end_turn", "length": "max_tokens", "refusal": "refusal"}[step.finish]
        content = [] if step.empty or step.finish == "refusal" else [self._block(step, seen)]
        if content and content[0]["type"] == "tool_use":
            reason = "tool_use"
        message = {
            "id": "msg_01",
            "type": "message",
            "role": "assistant",
            "model": f"{seen.body['model']}-20260101",
            "content": content,
            "stop_reason": reason,
            "stop_sequence": None,
            "usage": {"input_tokens": 11, "output_tokens": 7},
        }
        return json.dumps(message).encode(), "application/json"

    def _block(self, step: Say, seen: Seen) -> dict[str, Any]:
        tools = seen.body.get("tools") or []
        if tools and step.finish == "stop":
            return {"type": "tool_use", "id": "toolu_01", "name": tools[0]["name"], "input": json.loads(step.text)}
        return {"type": "text", "text": step.text}

    def error(self, step: Fault, word: ErrorWord) -> object:
        kind = {
            "overloaded": "overloaded_error",
            "rate": "rate_limit_error",
            "quota": "billing_error",
            "server": "api_error",
            "auth": "authentication_error",
            "missing": "not_found_error",
            "request": "invalid_request_error",
        }[word]
        return {"type": "error", "error": {"type": kind, "message": step.message}, "request_id": "req_01"}
