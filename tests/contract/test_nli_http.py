"""The NLI contract, kept by the HTTP client and server together."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from nli_contract import NLIContract

from bicameral.adjudication.nli.http import HttpNLI
from bicameral.testing.nli import NLIServer, ScriptedNLI


class TestHttpNLI(NLIContract):
    @pytest.fixture
    def nli(self) -> Iterator[HttpNLI]:
        with NLIServer(ScriptedNLI()) as server:
            yield HttpNLI(server.url)


class TestScriptedNLI(NLIContract):
    @pytest.fixture
    def nli(self) -> ScriptedNLI:
        return ScriptedNLI()
