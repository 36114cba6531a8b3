"""How `adapter:model` becomes an address and a key."""

from __future__ import annotations

import pytest

from bicameral.errors import ConfigError
from bicameral.providers.names import ADAPTERS, resolve_access

SECRET = "sk-secret-0123456789abcdef"


@pytest.mark.parametrize(
    ("text", "variable"),
    [
        ("openai:gpt-5.2", "OPENAI_API_KEY"),
        ("anthropic:claude-opus-5", "ANTHROPIC_API_KEY"),
        ("google:gemini-3-pro", "GOOGLE_API_KEY"),
        ("google:gemini-3-pro", "GEMINI_API_KEY"),
        ("ollama:qwen3", "OLLAMA_API_KEY"),
    ],
)
def test_a_key_is_read_where_its_vendor_puts_it(text: str, variable: str) -> None:
    assert resolve_access(text, {variable: f" {SECRET}\n"}).key == SECRET


@pytest.mark.parametrize("text", ["openai:m", "anthropic:m", "google:m"])
def test_a_missing_key_is_named_by_its_variable(text: str) -> None:
    adapter = ADAPTERS[text.partition(":")[0]]
    with pytest.raises(ConfigError) as caught:
        resolve_access(text, dict.fromkeys(adapter.key_names, "  "))
    assert all(name in str(caught.value) for name in adapter.key_names)


def test_a_key_is_in_no_text_of_what_holds_it() -> None:
    access = resolve_access("openai:m", {"OPENAI_API_KEY": SECRET})
    assert SECRET not in repr(access) + str(access) + access.shown


def test_the_key_of_one_vendor_never_goes_to_another_server() -> None:
    environment = {"OPENAI_API_KEY": SECRET, "OPENAI_COMPATIBLE_BASE_URL": "http://10.0.0.5:8080/v1"}
    assert resolve_access("openai-compatible:m", environment).key is None


def test_an_address_that_is_given_beats_the_environment_and_that_beats_the_vendor() -> None:
    environment = {"OPENAI_API_KEY": SECRET, "OPENAI_BASE_URL": "https://proxy.example/v1/"}
    assert resolve_access("openai:m", environment, base_url="http://[::1]:1/v1").base_url == "http://[::1]:1/v1"
    assert resolve_access("openai:m", environment).base_url == "https://proxy.example/v1"
    assert resolve_access("openai:m", {"OPENAI_API_KEY": SECRET}).base_url == "https://api.openai.com/v1"


@pytest.mark.parametrize(
    ("given", "address"),
    [
        ("", "http://127.0.0.1:11434/v1"),
        ("0.0.0.0", "http://127.0.0.1:11434/v1"),
        ("box.lan", "http://box.lan:11434/v1"),
        ("box.lan:9000", "http://box.lan:9000/v1"),
        (":9000", "http://127.0.0.1:9000/v1"),
        ("http://box.lan:9000", "http://box.lan:9000/v1"),
        ("http://box.lan:9000/v1/", "http://box.lan:9000/v1"),
        ("https://gateway.example/ollama/v1", "https://gateway.example/ollama/v1"),
    ],
)
def test_ollamas_host_is_read_in_all_the_ways_its_program_takes_it(given: str, address: str) -> None:
    assert resolve_access("ollama:qwen3", {"OLLAMA_HOST": given}).base_url == address


def test_a_model_may_hold_colons() -> None:
    assert resolve_access("ollama:qwen3:8b-q4", {}).model == "qwen3:8b-q4"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("opnai:gpt-5.2", "Did you mean openai?"),
        ("gpt-5.2", "There is no model API named 'gpt-5.2'"),
        ("openai", "names no model"),
        ("openai:  ", "names no model"),
        ("", "There is no model API"),
        ("openai-compatible:m", "OPENAI_COMPATIBLE_BASE_URL"),
    ],
)
def test_a_name_that_cannot_be_used_says_what_to_write(text: str, said: str) -> None:
    with pytest.raises(ConfigError, match=said.replace("?", r"\?")):
        resolve_access(text, {})


@pytest.mark.parametrize(
    "url",
    ["127.0.0.1:80", "ftp://host/v1", "http://", "http://[::1/v1", "http://host:99999/v1"],
)
def test_an_address_that_is_none_is_refused(url: str) -> None:
    with pytest.raises(ConfigError, match="OPENAI_COMPATIBLE_BASE_URL"):
        resolve_access("openai-compatible:m", {}, base_url=url)


@pytest.mark.parametrize(
    "url", [f"http://me:{SECRET}@host/v1", f"http://host/v1?key={SECRET}", f"http://host/#{SECRET}"]
)
def test_an_address_with_a_password_or_a_query_is_refused_without_repeating_it(url: str) -> None:
    with pytest.raises(ConfigError, match="OPENAI_COMPATIBLE_API_KEY") as caught:
        resolve_access("openai-compatible:m", {}, base_url=url)
    assert SECRET not in str(caught.value)


@pytest.mark.parametrize("key", ["two words", "line\nbreak", "schlüssel"])
def test_a_key_that_no_header_can_carry_is_refused_without_repeating_it(key: str) -> None:
    with pytest.raises(ConfigError, match="OPENAI_API_KEY") as caught:
        resolve_access("openai:m", {}, key=key)
    assert key not in str(caught.value)
