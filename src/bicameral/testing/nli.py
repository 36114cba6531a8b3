"""A scripted classifier, and the real NLI server around any classifier, for tests without a model."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Sequence
from typing import Self

from bicameral.interfaces.nli.app import make_app
from bicameral.interfaces.nli.limits import Limits
from bicameral.interfaces.nli.serve import Listening, listen
from bicameral.ports import NLI, NLIResult

Answer = Callable[[str, str], NLIResult]


def plain_answer(premise: str, hypothesis: str) -> NLIResult:
    """Entailment for equal texts, contradiction where exactly one holds the word `not`, else neutral."""
    if premise == hypothesis:
        return NLIResult("entailment", {"contradiction": 0.01, "entailment": 0.95, "neutral": 0.04})
    if ("not" in premise.split()) != ("not" in hypothesis.split()):
        return NLIResult("contradiction", {"contradiction": 0.9, "entailment": 0.02, "neutral": 0.08})
    return NLIResult("neutral", {"contradiction": 0.1, "entailment": 0.2, "neutral": 0.7})


class ScriptedNLI:
    """Answers by a function. asked: every pair, in order.  runs: how many pairs each batch had."""

    name = "scripted-nli"
    digest = "sha256:" + "0" * 64

    def __init__(self, answer: Answer = plain_answer) -> None:
        self._answer = answer
        self.asked: list[tuple[str, str]] = []
        self.runs: list[int] = []

    async def classify(self, premise: str, hypothesis: str) -> NLIResult:
        return (await self.classify_batch([(premise, hypothesis)]))[0]

    async def classify_batch(self, pairs: Sequence[tuple[str, str]]) -> list[NLIResult]:
        self.asked += pairs
        self.runs.append(len(pairs))
        return [self._answer(premise, hypothesis) for premise, hypothesis in pairs]


class NLIServer:
    """Serves a classifier on this machine while it is entered, in a thread of its own. url: where."""

    def __init__(self, nli: NLI, *, limits: Limits | None = None, port: int = 0) -> None:
        self._nli = nli
        self._limits = limits
        self._port = port
        self._thread: threading.Thread | None = None
        self._server: Listening | None = None
        self.url = ""

    def __enter__(self) -> Self:
        started = threading.Event()
        bound = listen("127.0.0.1", self._port)
        self.url = f"http://127.0.0.1:{bound.getsockname()[1]}"
        self._server = Listening(make_app(self._nli, limits=self._limits), bound, ready=started.set)
        self._thread = threading.Thread(target=lambda server: asyncio.run(server.run()), args=(self._server,))
        self._thread.start()
        if not started.wait(30):
            raise RuntimeError("the NLI server did not start within 30 seconds")
        return self

    def __exit__(self, *_: object) -> None:
        if self._server is not None and self._thread is not None:
            self._server.stop()
            self._thread.join()
