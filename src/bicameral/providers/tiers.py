"""How much a model's word weighs: `high`, `medium` or `low`. Configuration; this is the table it starts from.

A tier decides one thing: a `low` model's *genuine* needs a confidence of 0.8 to stand (see the reference page on
models). What nobody has classed is low, and so is every model that runs on somebody's own machine until they say
otherwise.

Rules, in order:
1. The caller's table goes before this one, whatever is matched in either.
2. A pattern is matched, with case folded, against the model's name with its adapter (`openai:gpt-5.2`) and without;
   `*` stands for any text. Of several that match, the one with the most letters besides `*` counts.
3. This table says nothing of a model behind `ollama` or `openai-compatible`, whatever that calls itself.
4. No pattern matches: low.
"""

from __future__ import annotations

from collections.abc import Mapping
from fnmatch import fnmatchcase
from types import MappingProxyType
from typing import Final, get_args

from bicameral.errors import ConfigError
from bicameral.model.seats import MANY_MAKERS
from bicameral.ports import Tier
from bicameral.providers.names import ADAPTERS

TIERS: Final[tuple[Tier, ...]] = get_args(Tier)

DEFAULT_TIERS: Final[Mapping[str, Tier]] = MappingProxyType(
    {
        "claude-opus-*": "high",
        "claude-sonnet-*": "high",
        "claude-haiku-*": "medium",
        "claude-3-haiku*": "low",
        "gpt-5*": "high",
        "gpt-5*-mini*": "medium",
        "gpt-5*-nano*": "low",
        "gpt-4.1*": "medium",
        "gpt-4.1-nano*": "low",
        "gpt-4o*": "medium",
        "gpt-4o-mini*": "low",
        "gemini-*-pro*": "high",
        "gemini-*-flash*": "medium",
        "gemini-*-flash-lite*": "low",
    }
)


def tier_of(model_id: str, tiers: Mapping[str, str] | None = None) -> Tier:
    """The tier of a model.

    model_id: `adapter:model` or the model alone.  tiers: patterns to tiers that go before the default table.
    Raises ConfigError for a word in `tiers` that is no tier.
    """
    own: dict[str, Tier] = {}
    for pattern, word in (tiers or {}).items():
        known = next((tier for tier in TIERS if tier == word), None)
        if known is None:
            raise ConfigError(f"{word!r} is no tier (for {pattern!r}).", mend=f"Use one of {', '.join(TIERS)}.")
        own[pattern] = known
    mine = _matched(model_id, own)
    if mine is not None:
        return mine
    anyones = model_id.strip().casefold().startswith(tuple(f"{maker}:" for maker in MANY_MAKERS))
    return "low" if anyones else _matched(model_id, DEFAULT_TIERS) or "low"


def _matched(model_id: str, tiers: Mapping[str, Tier]) -> Tier | None:
    whole = model_id.strip().casefold()
    adapter, _, rest = whole.partition(":")
    names = (whole, rest) if adapter in ADAPTERS else (whole,)
    fits = [p for p in tiers if any(fnmatchcase(name, _literal(p)) for name in names)]
    return tiers[max(fits, key=lambda p: len(p.replace("*", "")))] if fits else None


def _literal(pattern: str) -> str:
    """`*` alone is special; a bracket or a question mark in a model's name is itself."""
    return pattern.strip().casefold().replace("[", "[[]").replace("?", "[?]")
