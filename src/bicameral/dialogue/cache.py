"""The identity of a verdict, and a verdict as bytes.

Answers for: a key that changes with anything that decided the answer, and with nothing else; bytes that read back
equal. Declines to store, to lease and to decide what may be stored (`DialogueResult.cacheable` says).

In the key (DESIGN 2, Cache): contract, engine and prompt versions; the project; each shot with the digests of picture,
facts and companion, its size and scale; the facts shown in prompts; every instruction in full; the vocabulary; both
judges of the effective roster in order, with what each says decides its answers; parameters; whether what was missed is
asked for. Not in it: time limits, who is watching, and anything of a challenger that will not speak.
"""

from __future__ import annotations

import json
from collections.abc import Mapping

from bicameral.canonical import canonical_json, sha256_digest
from bicameral.dialogue.prompt import PROMPT_VERSION
from bicameral.dialogue.question import ENGINE_VERSION, Question, asks_about_clean, effective_roster
from bicameral.dialogue.transcript import decimal
from bicameral.errors import RecordError
from bicameral.model.evidence import Shot
from bicameral.model.judging import DialogueResult
from bicameral.model.plain import read_plain, to_plain
from bicameral.model.vocabulary import CONTRACT_VERSION
from bicameral.ports import Judge


def cache_key(
    question: Question, proposer: Judge, challenger: Judge | None = None, *, parameters: Mapping[str, str] | None = None
) -> str:
    """`sha256:` and the digest of all that decides a verdict.

    parameters: what else was asked of the judges (temperature and the like). Raises RosterError where one AI has both
    seats.
    """
    roster = effective_roster(question, proposer, challenger)
    judges = [proposer] if challenger is None or roster.challenger is None else [proposer, challenger]
    decided_by: dict[str, object] = {
        "kind": "verdict/1",
        "contract": CONTRACT_VERSION,
        "engine": ENGINE_VERSION,
        "prompt": PROMPT_VERSION,
        "project": question.project,
        "shots": [_shot(shot, question.facts_lines.get(shot.shot_id)) for shot in question.shots],
        "instructions": question.instructions,
        "challenge_instructions": None if roster.challenger is None else question.challenge_instructions,
        "vocabulary": list(question.categories),
        "roster": [
            {"ai": judge.seat.ai, "model": judge.seat.model, "identity": dict(judge.identity)} for judge in judges
        ],
        "challenge_clean": asks_about_clean(question, challenger),
        "output_limit": question.output_limit,
        "parameters": dict(parameters or {}),
    }
    return sha256_digest(canonical_json(decided_by))


def _shot(shot: Shot, facts_shown: str | None) -> dict[str, object]:
    content: dict[str, object] = to_plain(shot)
    return {**content, "scale": decimal(shot.scale), "facts_shown": facts_shown}


def encode_result(result: DialogueResult) -> bytes:
    """A result as canonical JSON, whole. The same result gives the same bytes."""
    return canonical_json(to_plain(result))


def decode_result(body: bytes) -> DialogueResult:
    """The result that `encode_result` wrote. Raises RecordError for bytes that are none."""
    try:
        value = json.loads(body)
    except (ValueError, RecursionError) as fault:
        raise RecordError("The cached verdict is not JSON.", mend="Judge the view again.") from fault
    return read_plain(DialogueResult, value, "cached verdict")
