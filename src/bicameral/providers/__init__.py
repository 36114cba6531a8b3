"""Clients of model APIs: OpenAI, Anthropic, Google, Ollama, and whatever speaks OpenAI's chat completions.

`open_llm` is a language model that answers in JSON (`ports.LLM`); `ModelClient` puts any question, with pictures, and
keeps the raw reply. Both share one retry layer. `tier_of` says how much a model's word weighs. No judging happens here.
"""

from bicameral.providers.client import ModelClient
from bicameral.providers.llm import ApiLLM, open_llm
from bicameral.providers.names import ADAPTERS, Access, resolve_access
from bicameral.providers.question import Answer, OutputMode, Picture, Question
from bicameral.providers.retry import RetryPolicy
from bicameral.providers.tiers import DEFAULT_TIERS, tier_of

__all__ = [
    "ADAPTERS",
    "DEFAULT_TIERS",
    "Access",
    "Answer",
    "ApiLLM",
    "ModelClient",
    "OutputMode",
    "Picture",
    "Question",
    "RetryPolicy",
    "open_llm",
    "resolve_access",
    "tier_of",
]
