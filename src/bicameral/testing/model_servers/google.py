"""Google's generateContent as of google-genai 2.34 (`google.genai.types.GenerateContentResponse`)."""

from __future__ import annotations

import json
import re
from typing import Any

from bicameral.testing.model_servers.server import ModelServer, Seen
from bicameral.testing.model_servers.steps import ErrorWord, Fault, Say


class GoogleServer(ModelServer):
    def refusal(self, seen: Seen) -> Fault | None:
        asked = re.fullmatch(r"/v1(?:beta)?/models/([^/:]+):generateContent", seen.path.partition("?")[0])
        if asked is None:
            return Fault(404, message=f"no such method {seen.path}")
        if seen.headers.get("x-goog-api-key") != self.key:
            return Fault(400, "auth", message="API key not valid. Please pass a valid API key.")
        if not isinstance(seen.body, dict) or not seen.body.get("contents"):
            return Fault(400, message="contents is not specified")
        if self.models is not None and asked[1] not in self.models:
            return Fault(404, message=f"models/{asked[1]} is not found for API version v1beta")
        return None

    def answer(self, step: Say, seen: Seen) -> tuple[bytes, str]:
        model = re.split(r"[/:]", seen.path)[-2]
        body: dict[str, Any] = {
            "modelVersion": model,
            "responseId": "resp-01",
            "usageMetadata": {"promptTokenCount": 11, "candidatesTokenCount": 7, "totalTokenCount": 18},
        }
        if step.finish == "refusal":
            body["promptFeedback"] = {"blockReason": "PROHIBITED_CONTENT"}
        elif step.empty:
            body["candidates"] = [{"content": {"role": "model"}, "finishReason": "STOP", "index": 0}]
        else:
            reason = "MAX_TOKENS" if step.finish == "length" else "STOP"
            content = {"role": "model", "parts": [self._part(step, seen)]}
            body["candidates"] = [{"content": content, "finishReason": reason, "index": 0}]
        return json.dumps(body).encode(), "application/json; charset=UTF-8"

    def _part(self, step: Say, seen: Seen) -> dict[str, Any]:
        tools = seen.body.get("tools") or []
        if tools and step.finish == "stop":
            name = tools[0]["functionDeclarations"][0]["name"]
            return {"functionCall": {"name": name, "args": json.loads(step.text)}}
        return {"text": step.text}

    def error(self, step: Fault, word: ErrorWord) -> object:
        status = {
            "overloaded": "UNAVAILABLE",
            "rate": "RESOURCE_EXHAUSTED",
            "quota": "RESOURCE_EXHAUSTED",
            "server": "INTERNAL",
            "auth": "INVALID_ARGUMENT" if step.status == 400 else "UNAUTHENTICATED",
            "missing": "NOT_FOUND",
            "request": "INVALID_ARGUMENT",
        }[word]
        error: dict[str, Any] = {"code": step.status, "message": step.message, "status": status}
        if word == "auth" and step.status == 400:
            info = {"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": "API_KEY_INVALID"}
            error["details"] = [info]
        return {"error": error}
