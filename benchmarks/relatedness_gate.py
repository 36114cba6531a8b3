"""Does the relatedness gate keep strangers out and contradictions in?

    python benchmarks/relatedness_gate.py --data DIR [--sets a,b] [--nli MODEL] [--pairs N] [--strangers N]
                                           [--seed N] [--json FILE]

DIR (or BICAMERAL_EVIDENCE) holds labelled pairs: `*.tsv` with a header and the columns premise, hypothesis, label.
In one run, for each set and over all of them, both without the gate and with it:

- contradictions: labelled pairs that the NLI calls genuine, and how many of these the gate lets through (its recall);
- strangers: the premise of one item with the hypothesis of another, and how many of these end as genuine.

The gate knows the texts of the set that a pair is from, as a scan knows its folder and a ledger its beliefs; `alone` is
the gate that knows no other text. A pair is put to the NLI once, whether the gate would let it through or not.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from bicameral.adjudication import adjudicate_many
from bicameral.adjudication.related import Rarity, relatedness
from bicameral.runtime.adjudicating import Adjudicators, open_adjudicators

MOST_FALSE, LEAST_RECALL = 0.01, 0.90
"""Design, section 9."""

Pair = tuple[str, str]


@dataclass(frozen=True, kw_only=True)
class Measured:
    """Counts of one set. found: contradictions that the NLI calls genuine.  false: strangers that it calls so.

    kept, alone: of the found ones, those that the gate lets through; false_kept, false_alone: of the false ones.
    """

    name: str
    contradictions: int
    found: int
    kept: int
    alone: int
    strangers: int
    false: int
    false_kept: int
    false_alone: int


def read_set(path: Path) -> list[tuple[str, str, str]]:
    """(premise, hypothesis, label) of each row."""
    head, *lines = path.read_text(encoding="utf-8").splitlines()
    at = [head.split("\t").index(name) for name in ("premise", "hypothesis", "label")]
    rows = [line.split("\t") for line in lines]
    return [(row[at[0]], row[at[1]], row[at[2]]) for row in rows]


def strangers_of(rows: Sequence[tuple[str, str, str]], count: int, chance: random.Random) -> list[Pair]:
    """Premises and hypotheses of different items: neither text of the one stands in the other."""
    found: list[Pair] = []
    by_premise: dict[str, set[str]] = {}
    for premise, hypothesis, _ in rows:
        by_premise.setdefault(premise, set()).add(hypothesis)
    if len(by_premise) < 2:
        return found
    while len(found) < count:
        (premise, _, _), (other, hypothesis, _) = chance.choice(rows), chance.choice(rows)
        if premise != other and hypothesis not in by_premise[premise]:
            found.append((premise, hypothesis))
    return found


async def genuine_of(pairs: Sequence[Pair], adjudicators: Adjudicators) -> list[Pair]:
    """The pairs (premise, hypothesis) that the ladder calls genuine, the premise being the target."""
    asked = [(hypothesis, premise) for premise, hypothesis in pairs]
    results = adjudicate_many(asked, **adjudicators.arguments())
    verdicts = [result.verdict async for result in results]
    return [pair for pair, verdict in zip(pairs, verdicts, strict=True) if verdict == "genuine"]


def let_through(pairs: Sequence[Pair], rarity: Rarity | None) -> int:
    """How many of them the gate lets through."""
    return sum(relatedness(hypothesis, premise, rarity).related for premise, hypothesis in pairs)


async def measure(path: Path, adjudicators: Adjudicators, options: argparse.Namespace) -> Measured:
    """Both figures of one set."""
    chance = random.Random(options.seed)
    rows = read_set(path)
    contradictions = [(premise, hypothesis) for premise, hypothesis, label in rows if label == "contradiction"]
    chance.shuffle(contradictions)
    contradictions = contradictions[: options.pairs]
    strangers = strangers_of(rows, options.strangers, chance)
    rarity = Rarity.of({text for premise, hypothesis, _ in rows for text in (premise, hypothesis)})
    found = await genuine_of(contradictions, adjudicators)
    false = await genuine_of(strangers, adjudicators)
    return Measured(
        name=path.stem,
        contradictions=len(contradictions),
        found=len(found),
        kept=let_through(found, rarity),
        alone=let_through(found, None),
        strangers=len(strangers),
        false=len(false),
        false_kept=let_through(false, rarity),
        false_alone=let_through(false, None),
    )


def summed(measured: Sequence[Measured], name: str) -> Measured:
    """All sets as one."""
    counts = [{key: value for key, value in asdict(one).items() if key != "name"} for one in measured]
    return Measured(name=name, **{key: sum(count[key] for count in counts) for key in counts[0]})


def shown(one: Measured) -> str:
    """One line of the table."""

    def percent(part: int, whole: int) -> str:
        return f"{100 * part / whole:6.2f}" if whole else "     -"

    return (
        f"{one.name:22} {one.found:5}/{one.contradictions:<5} {percent(one.kept, one.found)} "
        f"{percent(one.alone, one.found)}   {percent(one.false, one.strangers)} "
        f"{percent(one.false_kept, one.strangers)} {percent(one.false_alone, one.strangers)}"
    )


async def run(paths: Sequence[Path], options: argparse.Namespace) -> list[Measured]:
    """Every set and all of them as one, printed as they come."""
    measured: list[Measured] = []
    print("                       contradictions             strangers that end as genuine, %")
    print("                       genuine       kept  alone   ungated  gated  alone")
    async with open_adjudicators(nli=options.nli, timeout_s=600.0) as adjudicators:
        for path in paths:
            measured.append(await measure(path, adjudicators, options))
            print(shown(measured[-1]), flush=True)
    whole = summed(measured, "all sets")
    print(shown(whole))
    recall, false = whole.kept / max(1, whole.found), whole.false_kept / max(1, whole.strangers)
    print(f"false genuine {false:.2%} (under {MOST_FALSE:.0%}: {'yes' if false < MOST_FALSE else 'no'}), ", end="")
    print(f"recall {recall:.1%} of ungated ({LEAST_RECALL:.0%} or more: {'yes' if recall >= LEAST_RECALL else 'no'})")
    return [*measured, whole]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", default=os.environ.get("BICAMERAL_EVIDENCE"), help="folder of labelled pairs")
    parser.add_argument("--nli", default="packaged", help="as in `bicameral adjudicate` (packaged)")
    parser.add_argument("--sets", help="these sets alone, by name without .tsv, separated by commas")
    parser.add_argument("--pairs", type=int, default=1500, help="contradictions of each set (1500)")
    parser.add_argument("--strangers", type=int, default=1500, help="strangers of each set (1500)")
    parser.add_argument("--seed", type=int, default=1, help="of the choice of pairs (1)")
    parser.add_argument("--json", help="write the counts there")
    options = parser.parse_args()
    if not options.data:
        parser.error("--data DIR (or BICAMERAL_EVIDENCE) is needed")
    wanted = options.sets.split(",") if options.sets else None
    paths = [path for path in sorted(Path(options.data).glob("*.tsv")) if wanted is None or path.stem in wanted]
    if not paths:
        parser.error(f"{options.data} holds no such .tsv")
    measured = asyncio.run(run(paths, options))
    if options.json:
        document = [asdict(one) for one in measured]
        Path(options.json).write_text(json.dumps(document, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
