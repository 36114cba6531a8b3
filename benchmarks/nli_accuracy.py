"""How right the packaged NLI model is on labelled pairs, as it is and as the ladder uses it.

Usage: python benchmarks/nli_accuracy.py --data DIR [--sets a,b] [--limit N] [--model DIR] [--json FILE]

DIR holds tab-separated files with `premise`, `hypothesis` and `label`. For each set: accuracy, macro-F1, confusion,
calibration with the model's temperature and without it, what a contradiction above 0.8 is worth in the pair's own
direction; then the ladder's verdicts over both directions with the thresholds as shipped, and what `genuine` is worth.
These are the figures in the model's card.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from _nli_data import LABELS, LabelledPair, read_pairs
from _nli_figures import Figures, Worth, figures, worth
from _scoring import wilson

from bicameral.adjudication import adjudicate_many
from bicameral.adjudication.nli import OnnxNLI
from bicameral.model.adjudication import VERDICTS


def main() -> int:
    asked = argparse.ArgumentParser(description="Measure an NLI model on labelled pairs.")
    asked.add_argument("--data", type=Path, required=True, help="a folder of .tsv files")
    asked.add_argument("--sets", default="", help="names of files without .tsv, parted by commas")
    asked.add_argument("--limit", type=int, default=0, help="every so many-th pair, so that about N are left")
    asked.add_argument("--model", type=Path, help="a model's folder (the packaged model)")
    asked.add_argument("--json", type=Path, help="write all figures there")
    given = asked.parse_args()
    only = frozenset(name for name in given.sets.split(",") if name)
    nli = OnnxNLI.open(given.model) if given.model else OnnxNLI.packaged()
    print(f"model {nli.name}, {nli.digest}, temperature {nli.temperature:g}\n", flush=True)
    told = {}
    for name, pairs in read_pairs(given.data, only).items():
        step = max(1, len(pairs) // given.limit) if given.limit else 1
        told[name] = _one_set(name, pairs[::step], nli)
    if given.json:
        given.json.write_text(json.dumps({"model": nli.digest, "sets": told}, indent=2) + "\n", "utf-8")
    return 0


def _one_set(name: str, pairs: Sequence[LabelledPair], nli: OnnxNLI) -> dict[str, Any]:
    gold = [pair.label for pair in pairs]
    found = figures(gold, list(nli.classify_many(pair.texts for pair in pairs)), nli.temperature)
    verdicts = asyncio.run(_verdicts(pairs, nli))
    genuine = worth([label == "contradiction" for label in gold], [one == "genuine" for one in verdicts])
    by_gold = Counter(zip(gold, verdicts, strict=True))
    _show(name, found, genuine, by_gold)
    return {
        "pairs": found.pairs,
        "accuracy": found.accuracy,
        "macro_f1": found.macro_f1,
        "ece": found.ece,
        "ece_unscaled": found.ece_unscaled,
        "confusion": {f"{wanted}/{said}": count for (wanted, said), count in sorted(found.confusion.items())},
        "above": _plain(found.above),
        "verdicts": {f"{wanted}/{verdict}": count for (wanted, verdict), count in sorted(by_gold.items())},
        "genuine": _plain(genuine),
    }


async def _verdicts(pairs: Sequence[LabelledPair], nli: OnnxNLI) -> list[str]:
    """The premise is what was believed, the hypothesis what is claimed against it."""
    asked = ((pair.hypothesis, pair.premise) for pair in pairs)
    return [result.verdict async for result in adjudicate_many(asked, nli=nli, timeout_s=None)]


def _show(name: str, found: Figures, genuine: Worth, verdicts: Counter[tuple[str, str]]) -> None:
    print(f"{name}: {found.pairs} pairs, accuracy {found.accuracy:.1%}, macro-F1 {found.macro_f1:.1%}")
    print(f"  calibration error {found.ece:.3f} (without the temperature {found.ece_unscaled:.3f})")
    print(f"  contradiction above 0.8, one direction: {_words(found.above)}")
    print(f"  genuine, both directions:               {_words(genuine)}")
    print(f"  {'gold':14}" + "".join(f"{label[:13]:>14}" for label in (*LABELS, *VERDICTS)))
    for wanted in LABELS:
        row = [found.confusion.get((wanted, said), 0) for said in LABELS]
        row += [verdicts.get((wanted, verdict), 0) for verdict in VERDICTS]
        if sum(row):
            print(f"  {wanted:14}" + "".join(f"{count:14}" for count in row))
    print(flush=True)


def _words(one: Worth) -> str:
    def share(value: float | None, count: int, of: int) -> str:
        bounds = wilson(count, of)
        return "none" if value is None or bounds is None else f"{value:.1%} [{bounds[0]:.1%}, {bounds[1]:.1%}]"

    return (
        f"precision {share(one.precision, one.right, one.called)} of {one.called}, "
        f"recall {share(one.recall, one.right, one.there)} of {one.there}"
    )


def _plain(one: Worth) -> dict[str, Any]:
    return {
        "called": one.called,
        "right": one.right,
        "there": one.there,
        "precision": one.precision,
        "recall": one.recall,
    }


if __name__ == "__main__":
    sys.exit(main())
