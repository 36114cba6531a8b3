"""Local servers that speak like the vendors' model APIs, with faults by script, for tests without a key or a network.

    with OpenAIServer([Say('{"verdict": "tension"}'), Fault(429, headers={"Retry-After": "0"})]) as server:
        llm = open_llm("openai:gpt-5.2", base_url=server.base_url, key=server.key)

Request and reply shapes are those of openai 3.57, anthropic 2.14 and google-genai 2.34, and of Ollama's endpoint that
speaks OpenAI's chat completions. A request that the vendor would refuse is refused in the vendor's words.
"""

from bicameral.testing.model_servers.anthropic import AnthropicServer
from bicameral.testing.model_servers.chat import CompatibleServer, OllamaServer
from bicameral.testing.model_servers.google import GoogleServer
from bicameral.testing.model_servers.openai import OpenAIServer
from bicameral.testing.model_servers.server import ModelServer, Seen
from bicameral.testing.model_servers.steps import Cut, Fault, Hang, Raw, Reset, Say, Step

__all__ = [
    "AnthropicServer",
    "CompatibleServer",
    "Cut",
    "Fault",
    "GoogleServer",
    "Hang",
    "ModelServer",
    "OllamaServer",
    "OpenAIServer",
    "Raw",
    "Reset",
    "Say",
    "Seen",
    "Step",
]
