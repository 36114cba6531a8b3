"""How often the adjudicator's verdict on a dispute between the default judges is right.

Usage: python benchmarks/dispute_verdicts.py --state DIR [--nli MODEL] [--list]

DIR is a state in which pages were judged: of a check (the demo site's) or of `instruments.py --state DIR`. Each dispute
and amendment of its cached verdicts is weighed as the main job weighs it. What is right follows from how instruments
speak: a dispute gives a measurement that the finding cannot stand beside, so `genuine`; an amendment says that the
finding holds on some shots alone, so `tension` or `complementary`. There is no peer; always saying `tension` is printed
beside it.
"""

from __future__ import annotations

import argparse
import asyncio
import sqlite3
from collections import Counter
from contextlib import closing
from pathlib import Path

from bicameral.adjudication import adjudicate_many
from bicameral.adjudication.dissents import WeighedPair, dissents_of
from bicameral.dialogue import decode_result
from bicameral.judges.registry import INSTRUMENTS
from bicameral.model.adjudication import AdjudicationResult
from bicameral.runtime.adjudicating import open_adjudicators
from bicameral.runtime.workspace import STORE_NAME

RIGHT = {"dispute": ("genuine",), "amend": ("tension", "complementary")}


def pairs_in(state: Path) -> list[WeighedPair]:
    """Every dissent of the state's cached verdicts, each pair of statements once."""
    found: dict[tuple[str, str, str], WeighedPair] = {}
    place = (state / STORE_NAME).resolve().as_uri()
    with closing(sqlite3.connect(f"{place}?mode=ro", uri=True)) as store:
        bodies = [body for (body,) in store.execute("SELECT body FROM verdicts ORDER BY key")]
    for body in bodies:
        for pair in dissents_of(decode_result(body).findings, instruments=INSTRUMENTS):
            found.setdefault((pair.word, pair.claim, pair.target), pair)
    return list(found.values())


async def weighed(pairs: list[WeighedPair], nli: str) -> list[AdjudicationResult]:
    async with open_adjudicators(nli=nli) as providers:
        asked = [(pair.claim, pair.target) for pair in pairs]
        return [result async for result in adjudicate_many(asked, **providers.arguments())]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--state", type=Path, required=True)
    parser.add_argument("--nli", default="packaged")
    parser.add_argument("--list", action="store_true", help="print each pair with its verdict")
    given = parser.parse_args()
    pairs = pairs_in(given.state)
    results = asyncio.run(weighed(pairs, given.nli))
    for word, right in RIGHT.items():
        told = [result.verdict for pair, result in zip(pairs, results, strict=True) if pair.word == word]
        if not told:
            print(f"{word}: none in this state")
            continue
        good = sum(verdict in right for verdict in told)
        base = len(told) if "tension" in right else 0
        counts = ", ".join(f"{verdict} {count}" for verdict, count in Counter(told).most_common())
        print(f"{word}: {good} of {len(told)} right ({good / len(told):.0%}); always tension: {base}; {counts}")
    if given.list:
        for pair, result in zip(pairs, results, strict=True):
            print(f"\n{pair.word} {result.verdict} {result.confidence:.2f}\n  {pair.target}\n  {pair.claim}")


if __name__ == "__main__":
    main()
