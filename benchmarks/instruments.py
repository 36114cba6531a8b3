"""How right the default judges are on labelled pages, set by set, against axe-core alone.

Usage: python benchmarks/instruments.py --data DIR [--sets a,b] [--limit N] [--jobs 2] [--state DIR] [--json FILE]
[--keep-captures] [--list-errors]

The plan: serve DIR on loopback; capture each labelled page at desktop and phone (and where a label asks for it,
tablet); judge it with the default roster; score axe-core's own violations, what the proposer filed, what both judges
agree on and everything that was filed. Figures to reach (DESIGN 9): F1 above axe-core's; precision of what both agree
on 0.95 or more with 60 % or more of all true findings; axe's incompletes with a known truth all settled, none wrongly.

Captures and verdicts are kept in --state and used again as long as what decided them is unchanged; --keep-captures uses
captures of older code too, for work on the judges alone.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import sys
import tempfile
import time
import traceback
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from _claims import axe_claims, finding_claims
from _incompletes import Node, ask, known_sets, with_nodes
from _labels import LabelledSet, Page, read_sets
from _pages import Capturing, Seen
from _report import ACCOUNTS, SetResult, as_json, errors_of, table
from _scoring import Claim, inside, score_page
from _site import served

from bicameral.judges.instruments.instrument import Instrument, Look
from bicameral.judges.instruments.pixels import PixelsInstrument
from bicameral.model.facts import parse_facts
from bicameral.model.findings import Finding
from bicameral.model.judging import DialogueContext, DialogueResult
from bicameral.model.seats import Roster
from bicameral.runtime.judging import judge_with_dialogue
from bicameral.runtime.rosters import instructions_for, rosters_for
from bicameral.runtime.workspace import Workspace
from bicameral.settings import Settings

AT_ONCE: Final = 8
"""Pages captured by one browser."""


@dataclass
class _Bench:
    """What every page needs."""

    capturing: Capturing
    space: Workspace
    roster: Roster
    pixels: Instrument
    jobs: int

    async def run(self, labelled: LabelledSet, nodes: dict[tuple[str, str], list[Node]]) -> SetResult:
        result = SetResult(labelled=labelled)
        for start in range(0, len(labelled.pages), AT_ONCE):
            pages = labelled.pages[start : start + AT_ONCE]
            asked = [nodes.get((labelled.name, page.path), []) for page in pages]
            seen = await self.capturing.see(
                labelled, [with_nodes(page, more) for page, more in zip(pages, asked, strict=True)]
            )
            gate = asyncio.Semaphore(self.jobs)

            async def one(page: Page, more: list[Node], found: Seen, gate: asyncio.Semaphore = gate) -> None:
                async with gate:
                    await self._page(result, page, more, found)

            await asyncio.gather(*(one(*row) for row in zip(pages, asked, seen, strict=True)))
            done = min(start + AT_ONCE, len(labelled.pages))
            print(f"\r{labelled.name} {done}/{len(labelled.pages)}", end="", file=sys.stderr, flush=True)
        print(file=sys.stderr)
        result.sort()
        return result

    async def _page(self, result: SetResult, page: Page, nodes: list[Node], seen: Seen) -> None:
        result.notes += [f"{page.path}: {note}" for note in seen.notes]
        if seen.error is not None:
            result.errors[page.path] = seen.error
            return
        try:
            verdict = await self._judge(seen)
            looks = [self._look(seen, at) for at in range(len(seen.shots))]
            result.answered += [
                await asyncio.to_thread(ask, self.pixels, looks, node, places)
                for node, places in zip(nodes, seen.places[len(page.labels) :], strict=True)
            ]
            self._score(result, page, seen, looks, verdict)
        except Exception:  # the page's own error, named in the report
            result.errors[page.path] = traceback.format_exc()

    def _score(self, result: SetResult, page: Page, seen: Seen, looks: Sequence[Look], verdict: DialogueResult) -> None:
        claims: dict[str, list[Claim]] = {
            "axe-core alone": axe_claims({look.shot.form_factor: look.facts for look in looks if look.facts}),
            "proposer": finding_claims(looks, [one for one in verdict.findings if _proposed(one, verdict)]),
            "both agree": finding_claims(looks, [one for one in verdict.findings if _agreed(one)]),
            "filed": finding_claims(looks, verdict.findings),
        }
        places = seen.places[: len(page.labels)]
        for account in ACCOUNTS:
            mine = claims[account]
            if seen.only_in is not None:
                mine = [claim for claim in mine if inside(claim, seen.only_in)]
            result.add(account, page, score_page(result.labelled, page, places, mine))
        result.count_words(verdict)
        result.nowhere += [
            f"{page.path}  {label}"
            for label, where in zip(page.labels, places, strict=True)
            if (label.is_defect or label.is_clean) and not label.whole_page and not any(p.boxes for p in where.values())
        ]

    async def _judge(self, seen: Seen) -> DialogueResult:
        challenger = self.roster.challenger
        context = DialogueContext(
            challenge_skill=None if challenger is None else instructions_for(challenger, skill="challenge"),
            cache=self.space.verdicts,
        )
        skill = instructions_for(self.roster.proposer, skill="judge")
        return await judge_with_dialogue(skill, "benchmark", seen.shots, self.space.evidence, self.roster, context)

    def _look(self, seen: Seen, at: int) -> Look:
        shot = seen.shots[at]
        facts = None if shot.facts is None else parse_facts(json.loads(self.space.evidence.read(shot.facts)))
        return Look(shot=shot, facts=facts, read=self.space.evidence.read)


def _proposed(finding: Finding, verdict: DialogueResult) -> bool:
    return finding.consensus is None or finding.consensus.reported_by == verdict.roster.proposer.handle


def _agreed(finding: Finding) -> bool:
    return finding.consensus is not None and finding.consensus.agreed


async def measure(
    data: Path, sets: Sequence[LabelledSet], state: Path, *, jobs: int, keep_captures: bool = False
) -> list[SetResult]:
    """The results of each set, in order."""
    settings = Settings(project="benchmark", state_dir=state)
    nodes = known_sets(data, sets)
    with served(data) as address, Workspace.open(settings) as space:
        bench = _Bench(
            capturing=Capturing(data, address, space.evidence, state / "captures", jobs, keep_captures),
            space=space,
            roster=rosters_for(settings).captured,
            pixels=PixelsInstrument(),
            jobs=jobs,
        )
        return [await bench.run(labelled, nodes) for labelled in sets]


async def _measured(given: argparse.Namespace, sets: Sequence[LabelledSet], lost: Path) -> list[SetResult]:
    state = given.state or lost
    return await measure(Path(given.data), sets, state, jobs=given.jobs, keep_captures=given.keep_captures)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--data", type=Path, default=os.environ.get("BICAMERAL_EVIDENCE"), help="folder of labelled sets"
    )
    parser.add_argument("--sets", default="", help="names of sets, with commas between; all by default")
    parser.add_argument("--limit", type=int, help="most pages of a set")
    parser.add_argument("--jobs", type=int, default=2, help="pages at once (default 2)")
    parser.add_argument(
        "--state", type=Path, help="where captures and verdicts are kept; by default a folder that is lost"
    )
    parser.add_argument("--keep-captures", action="store_true", help="use kept captures of older code too")
    parser.add_argument("--json", type=Path, help="write all figures and errors to this file")
    parser.add_argument("--list-errors", action="store_true", help="name each false positive and each missed defect")
    given = parser.parse_args()
    if given.data is None:
        parser.error("name the folder of labelled sets: --data DIR (or BICAMERAL_EVIDENCE)")
    sets = read_sets(Path(given.data), [name for name in given.sets.split(",") if name])
    if given.limit is not None:
        sets = [replace(one, pages=one.pages[: given.limit]) for one in sets]
    start = time.monotonic()
    with tempfile.TemporaryDirectory() as lost:
        results = asyncio.run(_measured(given, sets, Path(lost)))
    print(table(results))
    if given.list_errors:
        print(errors_of(results))
    if given.json is not None:
        given.json.write_text(json.dumps(as_json(results), indent=1), encoding="utf-8")
    print(f"{sum(len(one.labelled.pages) for one in results)} pages in {time.monotonic() - start:.0f} s")


if __name__ == "__main__":
    main()
