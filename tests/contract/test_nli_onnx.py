"""The NLI contract, kept by the packaged model, directly and behind the server."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from nli_contract import NLIContract

from bicameral.adjudication.nli import HttpNLI, OnnxNLI
from bicameral.testing.nli import NLIServer


@pytest.fixture(scope="module")
def packaged() -> Iterator[OnnxNLI]:
    with OnnxNLI.packaged(threads=2) as opened:
        yield opened


class TestOnnxNLI(NLIContract):
    @pytest.fixture
    def nli(self, packaged: OnnxNLI) -> OnnxNLI:
        return packaged


class TestOnnxNLIBehindTheServer(NLIContract):
    @pytest.fixture
    def nli(self, packaged: OnnxNLI) -> Iterator[HttpNLI]:
        with NLIServer(packaged) as server:
            yield HttpNLI(server.url)
