"""The verdict cache's contract, kept by SQLite."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from verdict_cache_contract import HandClock, TwoCaches, VerdictCacheContract

from bicameral.storage import SqlVerdictCache, Store


class TestSqliteVerdictCache(VerdictCacheContract):
    @pytest.fixture
    def caches(self, tmp_path: Path) -> Iterator[TwoCaches]:
        clock = HandClock()
        path = tmp_path / "bicameral.db"
        with Store.open(path) as one, Store.open(path) as two:
            yield TwoCaches(SqlVerdictCache(one, now_s=clock), SqlVerdictCache(two, now_s=clock), clock)
