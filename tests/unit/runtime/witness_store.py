"""What the witness tests share: stores with dialogues of every shape in them."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from bicameral.errors import JudgeFailed
from bicameral.evidence.store import EvidenceFolder
from bicameral.model.evidence import Shot
from bicameral.model.judging import DialogueResult
from bicameral.model.witnessing import KeptLink, WitnessedDialog
from bicameral.runtime.keeping import keep_batch
from bicameral.runtime.witnessing.source import kept_link
from bicameral.runtime.workspace import Workspace
from bicameral.settings import Settings
from bicameral.storage import RunRow
from bicameral.testing.scripted import Line, ScriptedJudge
from dialogue_batches import DARK, LIGHT, PHONE, SHOT_IDS, SHOTS, first, proposal, question, row, rulings, second, shot

CUT = Line(text='{"', finish="length")
GONE = JudgeFailed("gone", reason="unreachable")
LATE = JudgeFailed("late", reason="timed-out")
SECOND_HALF = json.dumps({"verdicts": [{"index": 1, "verdict": "dispute", "note": "no"}]})
TWO = proposal(row("a"), row("b"))

SCRIPTS: dict[str, tuple[list[Any], list[Any] | None]] = {
    "both agree on one and not on the other": ([TWO], [rulings("agree", ("dispute", "no"))]),
    "one judge alone": ([TWO], None),
    "nothing found": ([proposal()], []),
    "a challenge in halves": ([TWO], [CUT, CUT, rulings("agree"), SECOND_HALF]),
    "a challenge asked again": ([TWO], [CUT, rulings("agree", "agree")]),
    "a proposal in halves": ([CUT, CUT, proposal(row(), clean=[DARK]), proposal(clean=[PHONE])], [rulings("agree")]),
    "the second half alone": ([CUT, CUT, GONE, proposal(row(shot_id=PHONE))], [rulings("agree")]),
    "an unreadable challenge": ([TWO], ["junk", "more junk"]),
    "an unreadable proposal, then a readable one": (["junk", TWO], [rulings("agree", "agree")]),
    "a challenge with nothing to use": ([TWO], ["{}"]),
    "a refused challenge": ([TWO], [Line(text="", finish="refusal")]),
    "shots that were not opened": ([Line(text=proposal(row()), reads=(LIGHT,))], [rulings("agree")]),
    "a second round": ([proposal(row()), rulings("agree")], [rulings("agree", additions=[row("new")])]),
    "a challenger that is down": ([TWO], [RuntimeError("down")]),
    "a challenger that is late": ([TWO], [LATE]),
    "a second round that fails": ([proposal(row()), GONE], [rulings("agree", additions=[row("new")])]),
    "parts, reads and scaled pictures": (
        [Line(text=proposal(row(part="claude-code")), reads=SHOT_IDS, meta={"pictures": "halved", "own": "x"})],
        [Line(text=rulings("agree"), meta={"pictures": "tiled"})],
    ),
    "half a character in a reply": ([TWO + "\ud800", TWO.replace("a is off", "\0 is off"), TWO], [rulings("agree")]),
}
"""Each a proposer's script and a challenger's; None: there is no challenger."""


async def hold_script(name: str, shots: Sequence[Shot] = SHOTS) -> DialogueResult:
    from bicameral.dialogue import hold_dialogue

    proposer, challenger = SCRIPTS[name]
    other: ScriptedJudge | None = None if challenger is None else second(*challenger)
    return await hold_dialogue(
        question(shots=tuple(shots)), first(*proposer), other, monotonic=lambda: 0.0, on_event=None
    )


def held(name: str, shots: Sequence[Shot] = SHOTS) -> DialogueResult:
    return asyncio.run(hold_script(name, shots))


@contextmanager
def workspace(folder: Path, *runs: str) -> Iterator[Workspace]:
    """A state folder with these runs opened in it."""
    with Workspace.open(Settings(state_dir=folder)) as space:
        with space.store.write() as tx:
            for run_id in runs:
                tx.add_run(
                    RunRow(
                        run_id=run_id,
                        project="shop",
                        roster="claude-code, codex",
                        started_at="2026-11-30T12:00:00Z",
                        program_version="1",
                    )
                )
        yield space


def shots_with_evidence(evidence: EvidenceFolder, name: str = "") -> tuple[Shot, ...]:
    """The three shots, with bytes in the folder for all that they name. No decoder looks at these."""
    return tuple(
        shot(
            shot_id,
            picture=evidence.put(f"picture {name}{shot_id}".encode(), ".png"),
            facts=evidence.put(json.dumps({"facts": f"{name}{shot_id}"}).encode(), ".json"),
            companion=evidence.put(f"companion {name}{shot_id}".encode(), ".png"),
        )
        for shot_id in SHOT_IDS
    )


def keep(
    space: Workspace, result: DialogueResult, shots: Sequence[Shot], *, run_id: str = "r1", position: int = 0
) -> WitnessedDialog:
    """As a run keeps it: with the instructions that `dialogue_batches.question` gives."""
    return keep_batch(
        space.store,
        run_id=run_id,
        position=position,
        view=shots[0].view,
        shots=shots,
        result=result,
        evidence=space.evidence,
        instructions=("Look.", "Look again."),
    )[0]


def links_of(space: Workspace) -> list[KeptLink]:
    with space.store.read() as reader:
        return [kept_link(row) for row in reader.kept_links()]
