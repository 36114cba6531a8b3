"""The store's contract, kept by SQLite."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from store_contract import StoreContract

from bicameral.storage import Store


class TestSqliteStore(StoreContract):
    @pytest.fixture
    def store(self, tmp_path: Path) -> Iterator[Store]:
        with Store.open(tmp_path / "bicameral.db") as opened:
            yield opened
