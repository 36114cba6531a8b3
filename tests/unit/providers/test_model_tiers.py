"""How much a model's word weighs."""

from __future__ import annotations

import pytest

from bicameral.errors import ConfigError
from bicameral.providers import DEFAULT_TIERS, tier_of


@pytest.mark.parametrize(
    ("model", "tier"),
    [
        ("openai:gpt-5.2", "high"),
        ("gpt-5.2", "high"),
        ("openai:gpt-5-mini", "medium"),
        ("openai:gpt-5-nano-2026", "low"),
        ("openai:gpt-4o-mini", "low"),
        ("anthropic:claude-opus-5", "high"),
        ("anthropic:Claude-Haiku-5-5", "medium"),
        ("google:gemini-2.5-flash", "medium"),
        ("google:gemini-2.5-flash-lite", "low"),
        ("google:gemini-3-pro-preview", "high"),
        ("ollama:qwen3", "low"),
        ("nobody:knows", "low"),
        ("", "low"),
    ],
)
def test_the_table_that_is_shipped(model: str, tier: str) -> None:
    assert tier_of(model) == tier


@pytest.mark.parametrize("name", ["ollama:gpt-5.2", "openai-compatible:claude-opus-5", "OLLAMA:gpt-5.2"])
def test_a_model_on_somebodys_own_machine_is_low_whatever_it_calls_itself(name: str) -> None:
    assert tier_of(name) == "low"


def test_the_callers_table_goes_first_whatever_is_matched_in_the_shipped_one() -> None:
    assert tier_of("openai:gpt-5.2", {"*": "low"}) == "low"
    assert tier_of("ollama:qwen3:235b", {"ollama:qwen3:235b": "high"}) == "high"
    assert tier_of("openai:gpt-5.2", {"claude-*": "low"}) == "high"


def test_the_pattern_that_says_most_counts() -> None:
    tiers = {"qwen*": "medium", "qwen3-coder*": "high", "*": "low"}
    assert [tier_of(f"ollama:{name}", tiers) for name in ("qwen2", "qwen3-coder-next", "phi")] == [
        "medium",
        "high",
        "low",
    ]


def test_brackets_and_question_marks_are_themselves() -> None:
    assert tier_of("ollama:a[1]", {"a[1]": "high"}) == "high"
    assert tier_of("ollama:ab", {"a?": "high"}) == "low"


@pytest.mark.parametrize("word", ["High", "best", ""])
def test_a_word_that_is_no_tier_is_refused(word: str) -> None:
    with pytest.raises(ConfigError, match="high"):
        tier_of("m", {"m": word})


def test_every_word_of_the_shipped_table_is_a_tier() -> None:
    assert set(DEFAULT_TIERS.values()) <= {"low", "medium", "high"}
