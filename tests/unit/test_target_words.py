"""What the words after `check` may be."""

from __future__ import annotations

import pytest

from bicameral.errors import ConfigError
from bicameral.runtime.targets import resolve_targets
from bicameral.settings import Settings, TargetSettings

CONFIGURED = Settings(targets=(TargetSettings(name="shop", url="http://127.0.0.1:3000", routes=("/", "/cart")),))


def test_a_bare_address_is_named_site_whatever_its_port() -> None:
    one = resolve_targets(Settings(), ["http://127.0.0.1:8000/fares"], None)[0]
    other = resolve_targets(Settings(), ["http://localhost:9000"], None)[0]
    assert one.name == other.name == "site"
    assert one.url == "http://127.0.0.1:8000/fares"


def test_a_named_address_keeps_its_name() -> None:
    assert resolve_targets(Settings(), ["admin=http://[::1]:8000/"], None)[0].name == "admin"


def test_an_address_whose_query_holds_an_equals_sign_is_no_named_one() -> None:
    target = resolve_targets(Settings(), ["http://127.0.0.1/?next=http://127.0.0.1/"], None)[0]
    assert target.name == "site"
    assert target.url == "http://127.0.0.1/?next=http://127.0.0.1/"


def test_a_configured_name_brings_its_routes_and_the_flag_replaces_them() -> None:
    assert resolve_targets(CONFIGURED, ["shop"], None)[0].routes == ("/", "/cart")
    assert resolve_targets(CONFIGURED, [], ("/help",))[0].routes == ("/help",)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([], "nothing to check"),
        (["shpo"], "Did you mean shop?"),
        (["localhost:8000"], "http://localhost:8000"),
        (["127.0.0.1:8000/x"], "http://127.0.0.1:8000/x"),
        (["ftp://127.0.0.1"], "not an http or https address"),
        (["http://"], "not an http or https address"),
        (["http://127.0.0.1:99999"], "not an address"),
        (["http://[::1"], "not an address"),
        (["http://127.0.0.1:1", "http://127.0.0.1:2"], "Two targets are named site"),
        (["file:///etc/passwd"], "not an http or https address"),
    ],
)
def test_what_cannot_be_meant_is_refused_with_the_mend(words: list[str], said: str) -> None:
    settings = CONFIGURED if "shpo" in words else Settings()
    with pytest.raises(ConfigError) as caught:
        resolve_targets(settings, words, None)
    assert said in str(caught.value)
