"""`OnnxNLI`: a natural-language-inference classifier in this process, without torch and without a network.

Answers for: the same scores for a pair alone, in any batch, in any order and with any number of threads; an event loop
that goes on while it works; nothing cut off unsaid. Declines to keep answers (`StoredNLI` does) and to decide what a
score is worth.

Rules, in order:
1. A folder is checked when it is opened (`folder`); the network is loaded at the first question, or by `load`.
2. Work is done in worker threads: `threads` of them at most, whoever asks. A caller that is cancelled goes at once, and
   what it had asked for ends after the batch that is running.
3. `classify_many` takes pairs by blocks and gives the answers in their order, in memory that does not grow.
"""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from pathlib import Path
from typing import Final, Self

from bicameral.adjudication.nli._weigh import Loaded, Stopped, weigh
from bicameral.adjudication.nli.folder import ModelFiles, find_model
from bicameral.errors import InputError
from bicameral.ports import NLIResult

Pair = tuple[str, str]

_PACKAGED: Final = Path(__file__).parent / "packaged"

BLOCK: Final = 4096
"""Pairs that `classify_many` reads before it answers: enough that batches of one length are full."""
MOST_THREADS: Final = 8


class OnnxNLI:
    """A model in a folder. Open one by `packaged`, `open` or `named`; all three raise ModelError for one that cannot be
    used.

    name: for people.  digest: the model's identity, `sha256:`; answers may be stored by it.  threads: at most so many
    at work, None for as many as this process has cores (8 at most).  max_length: pieces of a pair that are read at
    once.  temperature: that the logits are divided by.
    """

    def __init__(self, model: ModelFiles, *, name: str, threads: int | None = None) -> None:
        if threads is not None and threads < 1:
            raise InputError(f"threads is {threads!r}.", mend="Give a whole number of at least 1, or None.")
        self.name = name
        self.digest = model.digest
        self.max_length = model.config.max_length
        self.temperature = model.config.temperature
        self._model = model
        self._threads = _cores() if threads is None else threads
        self._lock = threading.Lock()
        self._loaded: Loaded | None = None

    @classmethod
    def packaged(cls, *, threads: int | None = None) -> Self:
        """The small English model that is part of this package. Its card says how far to trust it."""
        return cls.open(_PACKAGED, threads=threads)

    @classmethod
    def open(
        cls,
        folder: str | Path,
        *,
        name: str | None = None,
        labels: Sequence[str] | None = None,
        threads: int | None = None,
    ) -> Self:
        """A folder with `model.onnx` (or `onnx/model.onnx`), `tokenizer.json` and `config.json`.

        labels: contradiction, entailment and neutral in the order of the model's numbers, for one whose config does
        not name them; they are part of the digest.
        """
        model = find_model(Path(folder), labels=labels)
        return cls(model, name=name or model.config.name or Path(folder).resolve().name, threads=threads)

    @classmethod
    def named(
        cls,
        model: str,
        *,
        cache_dir: str | Path | None = None,
        labels: Sequence[str] | None = None,
        threads: int | None = None,
    ) -> Self:
        """One that `fetch_model` fetched, by `NAME@REVISION`. Reaches no network."""
        from bicameral.adjudication.nli.fetch import fetched_folder

        return cls.open(fetched_folder(model, cache_dir=cache_dir), name=model.strip(), labels=labels, threads=threads)

    @classmethod
    def pulled(cls, name: str, revision: str, *, cache_dir: str | Path | None = None) -> Self:
        """`named`, with name and revision apart."""
        return cls.named(f"{name}@{revision}", cache_dir=cache_dir)

    async def classify(self, premise: str, hypothesis: str) -> NLIResult:
        """Whether the premise entails or contradicts the hypothesis."""
        (answer,) = await self.classify_batch([(premise, hypothesis)])
        return answer

    async def classify_batch(self, pairs: Sequence[Pair]) -> list[NLIResult]:
        """One answer for each pair, in order. Raises InputError for what is no pair of texts."""
        rows = [_checked(pair, at) for at, pair in enumerate(pairs)]
        if not rows:
            return []
        stopped = threading.Event()
        try:
            return await asyncio.to_thread(self._weigh, rows, stopped)
        finally:
            stopped.set()

    def classify_many(self, pairs: Iterable[Pair], *, block: int = BLOCK) -> Iterator[NLIResult]:
        """The answers in the pairs' order, while the pairs are read. Blocks the caller: for a thread or a script.

        A block's repeats are weighed once, so both directions of a pair are best kept together. Raises InputError,
        naming the number of the pair (0 for the first), for what is no pair of texts.
        """
        rest = enumerate(pairs)
        while rows := [_checked(pair, at) for at, pair in islice(rest, max(1, block))]:
            yield from self._weigh(rows, threading.Event())

    def load(self) -> None:
        """Load the network now; the first question does it otherwise. Raises ModelError."""
        self._ready()

    def close(self) -> None:
        """Let go of network and threads. A later question loads them again."""
        with self._lock:
            loaded, self._loaded = self._loaded, None
        if loaded is not None:
            loaded.pool.shutdown(wait=True, cancel_futures=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def _weigh(self, rows: Sequence[Pair], stopped: threading.Event) -> list[NLIResult]:
        try:
            return weigh(self._ready(), rows, stopped)
        except Stopped:
            return []

    def _ready(self) -> Loaded:
        with self._lock:
            if self._loaded is None:
                from bicameral.adjudication.nli.engine import Engine
                from bicameral.adjudication.nli.tokens import Tokens

                self._loaded = Loaded(
                    config=self._model.config,
                    tokens=Tokens(self._model.tokenizer),
                    engine=Engine(self._model.network, final_graph=self._model.config.final_graph),
                    pool=ThreadPoolExecutor(self._threads, thread_name_prefix="bicameral-nli"),
                    threads=self._threads,
                )
            return self._loaded


def _checked(pair: object, at: int) -> Pair:
    if not isinstance(pair, tuple | list) or len(pair) != 2 or not all(isinstance(text, str) for text in pair):
        raise InputError(f"Pair {at} is no pair of texts.", mend="Give a premise and a hypothesis, both text.")
    premise, hypothesis = pair
    return premise, hypothesis


def _cores() -> int:
    """Of this process, where the system says; else of the machine."""
    own = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min(own, MOST_THREADS)
