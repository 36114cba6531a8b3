"""What the dialogue tests share: a view of three shots, findings as rows of a reply, and judges with a script."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from bicameral.dialogue import Question, hold_dialogue, judge_alone
from bicameral.errors import EvidenceError
from bicameral.model.evidence import Shot
from bicameral.model.judging import DialogueResult, JudgeBatchResult, JudgeEvent
from bicameral.model.seats import Seat
from bicameral.testing.scripted import ScriptedJudge

LIGHT, DARK, PHONE = "app/home/rest/desktop/light", "app/home/rest/desktop/dark", "app/home/rest/phone/light"
SHOT_IDS = (LIGHT, DARK, PHONE)
FIRST, SECOND = "claude-code", "codex"


class NoEvidence:
    """Scripted judges look at nothing."""

    def read(self, digest: str) -> bytes:
        raise EvidenceError(f"{digest} is not here.")


def shot(shot_id: str, **changes: Any) -> Shot:
    target, route, state, form_factor, scheme = shot_id.split("/")
    given: dict[str, Any] = {
        "shot_id": shot_id,
        "target": target,
        "route": f"/{route}",
        "state": state,
        "form_factor": form_factor,
        "scheme": scheme,
        "picture": "sha256:" + "0" * 64,
        "width_px": 1440,
        "height_px": 900,
    }
    return Shot(**(given | changes))


SHOTS = tuple(shot(shot_id, picture=f"sha256:{n:064x}") for n, shot_id in enumerate(SHOT_IDS))


def row(attribute: str = "gap", shot_id: str = LIGHT, **changes: Any) -> dict[str, Any]:
    """A finding as a judge writes it."""
    return {
        "shot_id": shot_id,
        "category": "spacing",
        "attribute": attribute,
        "region": "content",
        "severity": "high",
        "title": f"{attribute} is off",
        "problem": f"{attribute} is 2 px where the rest keeps 8 px.",
        "expected": "8 px",
        "observed": "2 px",
        "confidence": "high",
        "acceptance": ["it is 8 px"],
    } | changes


def proposal(*rows: dict[str, Any], clean: Iterable[str] | None = None) -> str:
    """A proposer's reply. clean: None calls every shot clean that no row names."""
    named = [r.get("shot_id") for r in rows] + [s for r in rows for s in r.get("also_shot_ids") or []]
    rest = [shot_id for shot_id in SHOT_IDS if shot_id not in named]
    return json.dumps({"findings": list(rows), "clean_shot_ids": rest if clean is None else list(clean)})


def rulings(*words: str | tuple[str, str], additions: Iterable[Any] | None = None) -> str:
    """A challenger's reply: one word, or (word, note), for each number from 0."""
    rows = []
    for index, given in enumerate(words):
        verdict, note = given if isinstance(given, tuple) else (given, None)
        rows.append({"index": index, "verdict": verdict} | ({} if note is None else {"note": note}))
    return json.dumps({"verdicts": rows} | ({} if additions is None else {"additions": list(additions)}))


def question(**changes: Any) -> Question:
    given: dict[str, Any] = {
        "project": "shop",
        "shots": SHOTS,
        "evidence": NoEvidence(),
        "instructions": "Look.",
        "challenge_instructions": "Look again.",
        "challenge_clean": False,
    }
    return Question(**(given | changes))


def first(*script: Any, **options: Any) -> ScriptedJudge:
    return ScriptedJudge(Seat(FIRST, "m1"), script, **options)


def second(*script: Any, **options: Any) -> ScriptedJudge:
    return ScriptedJudge(Seat(SECOND, "m2"), script, **options)


async def hold(
    proposer: ScriptedJudge,
    challenger: ScriptedJudge | None,
    asked: Question | None = None,
    events: list[JudgeEvent] | None = None,
) -> DialogueResult:
    listener = None if events is None else events.append
    return await hold_dialogue(asked or question(), proposer, challenger, monotonic=lambda: 0.0, on_event=listener)


async def alone(judge: ScriptedJudge, asked: Question | None = None) -> JudgeBatchResult:
    return await judge_alone(asked or question(), judge, monotonic=lambda: 0.0)
