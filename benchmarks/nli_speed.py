"""NLI pairs a second against sentence-transformers' CrossEncoder with the same weights, and one adjudication's time.

Usage: python benchmarks/nli_speed.py --data DIR [--weights DIR] [--float32 DIR] [--pairs N] [--threads T] [--json FILE]

Run it in an environment that has sentence-transformers beside Bicameral. --data: a folder of labelled .tsv files.
--weights: the weights in Hugging Face form; without it (or without the library) there is no peer, and only our own
figures are printed. --float32: a folder that `scripts/export_nli --arithmetic float32` made of them.

The plan:
1. N distinct pairs are drawn from all sets (10,000). The peer's best batch size is found on the first 600,
   each tried twice.
2. All engines take the same blocks of pairs in turn, so that what else the machine does hits them alike. Each loads,
   and takes a block unmeasured, before.
3. Pairs a second over all and in each engine's best block (on a machine that others use, the nearer to the truth), the
   ratios of both to the peer's, processor time a pair, accuracy, and labels like the peer's.
4. 500 of the pairs alone, and all pairs in another order and in other blocks: are the scores the same?
5. One adjudication, both directions, warm: median and 95th percentile of 500.
"""

from __future__ import annotations

import argparse
import asyncio
import importlib
import importlib.util
import json
import random
import statistics
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from _nli_data import LabelledPair, mixed, read_pairs

from bicameral.adjudication import adjudicate_contradiction
from bicameral.adjudication.nli import OnnxNLI

BLOCK: Final = 500
TRIED: Final = (8, 16, 32, 64, 128)
WARM_PAIRS: Final = 600
Texts = Sequence[tuple[str, str]]


@dataclass
class Engine:
    """One that classifies a block of pairs, and what it has taken so far."""

    name: str
    labels_of: Callable[[Texts], list[str]]
    clock_s: float = 0.0
    processor_s: float = 0.0
    best: float = 0.0
    said: list[str] = field(default_factory=list)

    def take(self, block: Texts) -> None:
        clock, processor = time.perf_counter(), time.process_time()
        self.said += self.labels_of(block)
        took = time.perf_counter() - clock
        self.clock_s += took
        self.best = max(self.best, len(block) / took)
        self.processor_s += time.process_time() - processor


def main() -> int:
    asked = argparse.ArgumentParser(description="Measure the speed of the packaged NLI model.")
    asked.add_argument("--data", type=Path, required=True)
    asked.add_argument("--weights", type=Path)
    asked.add_argument("--float32", type=Path)
    asked.add_argument("--pairs", type=int, default=10_000)
    asked.add_argument("--threads", type=int, default=2)
    asked.add_argument("--seed", type=int, default=1)
    asked.add_argument("--json", type=Path)
    given = asked.parse_args()
    pairs = mixed(read_pairs(given.data), given.pairs, given.seed)
    packaged = OnnxNLI.packaged(threads=given.threads)
    engines = [Engine("packaged", _ours(packaged))]
    if given.float32:
        engines.append(Engine("float32", _ours(OnnxNLI.open(given.float32, threads=given.threads))))
    peer = _peer(given.weights, given.threads, [pair.texts for pair in pairs[:WARM_PAIRS]])
    if peer is not None:
        engines.insert(0, peer)
    _take_turns(engines, pairs)
    told = {"pairs": len(pairs), "threads": given.threads, "engines": _show(engines, pairs)}
    told["same_scores"] = _steady(packaged, [pair.texts for pair in pairs])
    told["adjudication_ms"] = asyncio.run(_adjudications(packaged, [pair.texts for pair in pairs[:500]]))
    if given.json:
        given.json.write_text(json.dumps(told, indent=2) + "\n", "utf-8")
    return 0


def _ours(nli: OnnxNLI) -> Callable[[Texts], list[str]]:
    return lambda block: [answer.label for answer in nli.classify_many(block)]


def _peer(weights: Path | None, threads: int, warm: Texts) -> Engine | None:
    """The CrossEncoder at its best batch size, or None where it cannot be had."""
    if weights is None or importlib.util.find_spec("sentence_transformers") is None:
        print("No peer: give --weights, in an environment with sentence-transformers.\n")
        return None
    torch: Any = importlib.import_module("torch")
    torch.set_num_threads(threads)
    model: Any = importlib.import_module("sentence_transformers").CrossEncoder(str(weights), device="cpu")
    order = model.config.id2label
    speeds: dict[int, float] = {}
    for size in (*TRIED, *TRIED):
        began = time.perf_counter()
        model.predict(list(warm), batch_size=size, show_progress_bar=False)
        speeds[size] = max(speeds.get(size, 0.0), len(warm) / (time.perf_counter() - began))
    best = max(speeds, key=lambda size: speeds[size])
    print("CrossEncoder, pairs a second by batch size: " + ", ".join(f"{k}: {v:.0f}" for k, v in speeds.items()))

    def labels_of(block: Texts) -> list[str]:
        logits = model.predict(list(block), batch_size=best, show_progress_bar=False)
        return [order[int(row.argmax())].casefold() for row in logits]

    return Engine(f"CrossEncoder, batches of {best}", labels_of)


def _take_turns(engines: Sequence[Engine], pairs: Sequence[LabelledPair]) -> None:
    for engine in engines:
        engine.labels_of([pair.texts for pair in pairs[:100]])
    for turn, first in enumerate(range(0, len(pairs), BLOCK)):
        block = [pair.texts for pair in pairs[first : first + BLOCK]]
        for engine in engines if turn % 2 else list(reversed(engines)):
            engine.take(block)
        print(f"  {min(first + BLOCK, len(pairs))} pairs", file=sys.stderr, flush=True)


def _show(engines: Sequence[Engine], pairs: Sequence[LabelledPair]) -> list[dict[str, Any]]:
    base = engines[0]
    rows = []
    heads = ("pairs/s", "ratio", "best", "ratio", "ms CPU", "accuracy", "same labels")
    print(f"{'engine':30}" + "".join(f"{head:>12}" for head in heads))
    for engine in engines:
        row = {
            "name": engine.name,
            "pairs_a_second": len(pairs) / engine.clock_s,
            "processor_ms_a_pair": 1000 * engine.processor_s / len(pairs),
            "ratio": base.clock_s / engine.clock_s,
            "best_pairs_a_second": engine.best,
            "best_ratio": engine.best / base.best,
            "accuracy": _share(pair.label == said for pair, said in zip(pairs, engine.said, strict=True)),
            "same_labels": _share(a == b for a, b in zip(base.said, engine.said, strict=True)),
        }
        rows.append(row)
        numbers = [f"{row['pairs_a_second']:.0f}", f"{row['ratio']:.2f}", f"{row['best_pairs_a_second']:.0f}"]
        numbers += [f"{row['best_ratio']:.2f}", f"{row['processor_ms_a_pair']:.2f}"]
        numbers += [f"{row['accuracy']:.2%}", f"{row['same_labels']:.2%}"]
        print(f"{row['name']:30}" + "".join(f"{number:>12}" for number in numbers))
    print()
    return rows


def _share(rights: Iterable[bool]) -> float:
    found = list(rights)
    return sum(found) / len(found)


def _steady(nli: OnnxNLI, texts: Texts) -> bool:
    """Whether no pair's scores changed."""
    usual = list(nli.classify_many(texts))
    order = list(range(len(texts)))
    random.Random(2).shuffle(order)
    shuffled = list(nli.classify_many((texts[at] for at in order), block=777))
    same = all(usual[at] == answer for at, answer in zip(order, shuffled, strict=True))
    alone = [answer for text in texts[:500] for answer in nli.classify_many([text])]
    same = same and alone == usual[:500]
    print(f"A pair's scores alone, in another order and in other blocks: {'the same' if same else 'DIFFERENT'}")
    return same


async def _adjudications(nli: OnnxNLI, texts: Texts) -> dict[str, float]:
    times = []
    for at, (premise, hypothesis) in enumerate([*texts[:20], *texts]):
        began = time.perf_counter()
        await adjudicate_contradiction(hypothesis, premise, nli=nli)
        if at >= 20:
            times.append(1000 * (time.perf_counter() - began))
    median, late = statistics.median(times), sorted(times)[int(len(times) * 0.95)]
    print(f"One adjudication, both directions, warm: median {median:.1f} ms, 95th percentile {late:.1f} ms")
    return {"median": median, "p95": late}


if __name__ == "__main__":
    sys.exit(main())
