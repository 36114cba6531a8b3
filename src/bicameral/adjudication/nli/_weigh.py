"""Many pairs through one model: encoded, batched, run, scored, and put together again where a text was cut.

Answers for: one answer for each pair, in order, with each different pair run once. Declines to know about event loops.

The plan:
1. Repeats are taken out, and what needs no model is answered (`reading`).
2. Pairs are encoded; one that is too long becomes window pairs, for which 1 holds too.
3. Batches of one length run side by side, each on one thread of the pool. Between two of them `stopped` is looked at.
4. Logits become answers; those of a cut pair are combined.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Executor, Future, wait
from dataclasses import dataclass
from typing import Final

from bicameral.adjudication.nli.batches import MOST_PIECES, plan_batches
from bicameral.adjudication.nli.configuration import ModelConfig
from bicameral.adjudication.nli.engine import Engine
from bicameral.adjudication.nli.reading import answered, whole
from bicameral.adjudication.nli.scores import scored
from bicameral.adjudication.nli.tokens import Pieces, Tokens
from bicameral.adjudication.nli.windows import Windows, combined, cut, pair_windows, rooms
from bicameral.ports import NLIResult

Pair = tuple[str, str]

_HALVINGS: Final = 12
_AHEAD: Final = 2
"""Batches that wait for each worker: enough that none is idle, few enough that a cancelled call ends soon."""


class Stopped(Exception):
    """The caller no longer wants an answer."""


@dataclass(frozen=True)
class Loaded:
    """A model that is ready. threads: workers of the pool."""

    config: ModelConfig
    tokens: Tokens
    engine: Engine
    pool: Executor
    threads: int


def weigh(model: Loaded, pairs: Sequence[Pair], stopped: threading.Event) -> list[NLIResult]:
    """The answers in the pairs' order. Raises Stopped between two batches once `stopped` is set, and what the engine
    raises."""
    mended = [(whole(premise), whole(hypothesis)) for premise, hypothesis in pairs]
    answers: dict[Pair, NLIResult] = {}
    pieces: dict[Pair, Pieces] = {}
    cut_pairs: dict[Pair, Windows] = {}
    asked = _unanswered(mended, answers, model.config)
    for pair, found in zip(asked, model.tokens.pairs(asked), strict=True):
        if len(found.ids) <= model.config.max_length:
            pieces[pair] = found
        else:
            cut_pairs[pair] = _windows(model, pair)
    parts = _unanswered((pair for windows in cut_pairs.values() for pair in windows.pairs), answers, model.config)
    parts = [pair for pair in parts if pair not in pieces]
    pieces.update(zip(parts, model.tokens.pairs(parts), strict=True))
    answers.update(_run(model, pieces, stopped))
    for pair, windows in cut_pairs.items():
        answers[pair] = combined(windows, [answers[window] for window in windows.pairs])
    return [_copy(answers[pair]) for pair in mended]


def _unanswered(pairs: Iterable[Pair], answers: dict[Pair, NLIResult], config: ModelConfig) -> list[Pair]:
    """The different pairs that the model has to be asked. The answers to the others are put into `answers`."""
    asked = []
    for pair in dict.fromkeys(pairs):
        answer = answers.get(pair) or answered(*pair, config.scripts, config.checks)
        if answer is None:
            asked.append(pair)
        else:
            answers[pair] = answer
    return asked


def _windows(model: Loaded, pair: Pair) -> Windows:
    """The pair's windows, each of which fits. Pieces of a part may be a few more than in the whole text, so the room is
    made smaller until all do."""
    spans = model.tokens.spans(pair[0]), model.tokens.spans(pair[1])
    room = model.config.max_length - model.tokens.separators
    for _ in range(_HALVINGS):
        limits = rooms(len(spans[0]), len(spans[1]), room)
        sides = [cut(text, span, max(1, limit)) for text, span, limit in zip(pair, spans, limits, strict=True)]
        windows = pair_windows(*sides)
        if all(len(one.ids) <= model.config.max_length for one in model.tokens.pairs(windows.pairs)):
            return windows
        room = room * 3 // 4
    raise AssertionError("a window of one piece does not fit")  # read_config asks for room for two sentences


def _run(model: Loaded, pieces: dict[Pair, Pieces], stopped: threading.Event) -> Iterator[tuple[Pair, NLIResult]]:
    """Each pair and its answer, once all batches are done."""
    pairs = list(pieces)
    batches = plan_batches(
        [len(pieces[pair].ids) for pair in pairs],
        workers=model.threads,
        most_pieces=0 if model.engine.alone else MOST_PIECES,
    )
    running: dict[Future[list[list[float]]], list[int]] = {}
    found: dict[int, list[float]] = {}

    def gather(least: int) -> None:
        while len(running) > least:
            done, _ = wait(running, return_when="FIRST_COMPLETED")
            for one in done:
                found.update(zip(running.pop(one), one.result(), strict=True))

    try:
        for batch in batches:
            gather(model.threads * _AHEAD - 1)
            if stopped.is_set():
                raise Stopped
            running[model.pool.submit(model.engine.run, [pieces[pairs[at]] for at in batch])] = batch
        gather(0)
    finally:
        for one in running:
            one.cancel()
    for at, pair in enumerate(pairs):
        yield pair, scored(found[at], model.config.labels, model.config.temperature)


def _copy(answer: NLIResult) -> NLIResult:
    """Of its own for each pair, so that nobody's change reaches another's."""
    return NLIResult(answer.label, dict(answer.scores), answer.note)
