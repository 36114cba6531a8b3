"""How long `dialog_wire_key` takes against `json.dumps(sort_keys=True)` of the finished snapshot, in the same run.

Figure to reach (design, section 9): on 100,000 turns, about 29 MB, four times faster. Ours is the whole call: turns
checked, put in order, duplicates looked for, text written. The peer's is only the writing of a snapshot that was made
before. The peer escapes what is not ASCII, which is less work than writing it; its time with `ensure_ascii=False`,
where both write the same text, stands beside it.

Usage: python benchmarks/dialog_key.py [--turns N] [--times N]
"""

from __future__ import annotations

import argparse
import gc
import json
import random
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from bicameral.canonical import Dialog, DialogTurn, canonical_dialog_snapshot, dialog_wire_key
from bicameral.canonical.quick import quick_wire_key

FIGURE = 4.0
SEED = 3

CONTENTS: dict[str, Callable[[int], str]] = {
    "text": lambda i: (
        f"Turn {i}: the link in the footer is measured at {i % 13}.1:1, and 4.5:1 is asked for at its size."
    ),
    "JSON": lambda i: (
        f'{{"act":"rulings","rulings":[{{"index":{i % 7},"notes":["{i % 13}.1:1 measured"]}}],"rejected":[]}}'
    ),
    "not ASCII": lambda i: (
        f"Zug {i}: der Verweis im Fuß mißt {i % 13},1 zu 1 – gefordert sind 4,5 zu 1 bei dieser Größe."
    ),
}


@dataclass(frozen=True)
class Case:
    """One row: what is in the turns, as what they are handed over, and in which order."""

    content: str
    meta: bool
    broadcast: bool = False
    mappings: bool = False
    shuffled: bool = False

    def __str__(self) -> str:
        shape = "broadcasts" if self.broadcast else "a chain"
        words = [self.content, "meta" if self.meta else "no meta", shape]
        return ", ".join(
            [*words, "mappings" if self.mappings else "classes", "shuffled" if self.shuffled else "in order"]
        )


def made(case: Case, count: int) -> list[DialogTurn]:
    """Turns in canonical order: a chain of answers, or at each depth two that speak to all."""
    text = CONTENTS[case.content]
    return [
        DialogTurn(
            speaker=("axe+layout", "pixels")[i % 2],
            audience="team" if case.broadcast else ("pixels", "axe+layout")[i % 2],
            chain_depth=(i + 1) // 2 if case.broadcast else i,
            content=text(i),
            parent_hash=f"sha256:{i * 0x9E3779B97F4A7C15 % 2**256:064x}" if i else None,
            meta={"model": "1.4.0"} if case.meta else None,
        )
        for i in range(count)
    ]


def handed_over(case: Case, turns: Sequence[DialogTurn]) -> tuple[Dialog | dict[str, Any], dict[str, Any]]:
    """The dialog as the case asks, and its finished snapshot."""
    snapshot: dict[str, Any] = canonical_dialog_snapshot(Dialog(dialog_id="d", turns=tuple(turns)))
    given: list[Any] = json.loads(json.dumps(snapshot["turns"])) if case.mappings else list(turns)
    if case.shuffled:
        random.Random(SEED).shuffle(given)
    return ({"dialogId": "d", "turns": given} if case.mappings else Dialog(dialog_id="d", turns=tuple(given))), snapshot


def interleaved(calls: Sequence[Callable[[], object]], times: int) -> list[float]:
    """The median seconds of each call. They take turns, so that all meet the same machine."""
    taken: list[list[float]] = [[] for _ in calls]
    for _ in range(times):
        for call, seconds in zip(calls, taken, strict=True):
            start = time.perf_counter()
            result = call()
            seconds.append(time.perf_counter() - start)
            del result
    return [statistics.median(seconds) for seconds in taken]


def measured(case: Case, count: int, times: int) -> str:
    source, snapshot = handed_over(case, made(case, count))
    if quick_wire_key(source) is None:
        raise SystemExit(f"The gate says no to: {case}.")
    gc.collect()
    ours, peer, unescaped = interleaved(
        [
            lambda: dialog_wire_key(source),
            lambda: json.dumps(snapshot, sort_keys=True),
            lambda: json.dumps(snapshot, sort_keys=True, ensure_ascii=False),
        ],
        times,
    )
    size = len(json.dumps(snapshot, sort_keys=True)) / 1e6
    return (
        f"{case!s:52} {size:6.1f} {ours * 1000:8.1f} {peer * 1000:8.1f} {unescaped * 1000:8.1f} "
        f"{peer / ours:7.2f} {unescaped / ours:7.2f}"
    )


def cases() -> list[Case]:
    plain = [Case(content, meta) for content in CONTENTS for meta in (False, True)]
    ways = [(False, False), (True, False), (False, True), (True, True)]
    rows = [replace(case, mappings=mappings, shuffled=shuffled) for case in plain for mappings, shuffled in ways]
    return rows + [replace(case, broadcast=True) for case in rows if case.content == "text"]


def main(argv: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--turns", type=int, default=100_000)
    parser.add_argument("--times", type=int, default=5)
    given = parser.parse_args(argv)
    print(f"{given.turns} turns, median of {given.times}; milliseconds, and how many times faster")
    print(f"{'':52} {'MB':>6} {'ours':>8} {'dumps':>8} {'unescap.':>8} {'ratio':>7} {'unesc.':>7}")
    for case in cases():
        print(measured(case, given.turns, given.times), flush=True)
    print(f"Figure to reach: ratio {FIGURE:.0f}.")


if __name__ == "__main__":
    main()
