"""The reference page on models says what the code does."""

from __future__ import annotations

import re
from pathlib import Path

from bicameral.providers import ADAPTERS, DEFAULT_TIERS, RetryPolicy
from bicameral.providers.client import DEFAULT_TIMEOUT_S

PAGE = (Path(__file__).parents[3] / "docs/reference/models.md").read_text("utf-8")


def test_the_table_of_tiers_is_the_shipped_one() -> None:
    rows = re.findall(r"^\| `([^`]+)` \| (low|medium|high) \|$", PAGE, re.MULTILINE)
    assert dict(rows) == dict(DEFAULT_TIERS)
    assert len(rows) == len(DEFAULT_TIERS)


def test_every_adapter_is_there_with_its_variables() -> None:
    for adapter in ADAPTERS.values():
        row = re.search(rf"^\| `{adapter.name}` \|.*$", PAGE, re.MULTILINE)
        assert row is not None
        assert all(f"`{name}`" in row.group() for name in (*adapter.key_names, *adapter.url_names))


def test_the_tries_and_the_deadline_are_those_of_the_client() -> None:
    assert RetryPolicy().tries == 4
    assert "four tries" in PAGE
    assert f"{DEFAULT_TIMEOUT_S:.0f} seconds" in PAGE
