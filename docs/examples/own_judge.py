"""Seat a judge of your own beside an instrument, on a folder of screenshots."""

import asyncio
import json
import sys

from bicameral import DialogueContext, JudgeReply, JudgeRequest, Roster, Seat, judge_with_dialogue, register_judge
from bicameral.evidence.folder import read_folder
from bicameral.evidence.store import EvidenceFolder


class HeadlineJudge:
    """A judge is anything with these four members. This one files the same finding on the first shot it is shown."""

    costs_nothing = True
    identity = {"adapter": "headline/1"}  # noqa: RUF012

    def __init__(self, seat: Seat) -> None:
        self.seat = seat

    async def ask(self, request: JudgeRequest) -> JudgeReply:
        # Here a real one sends request.prompt and the pictures to its model, and hands back the text, whole.
        first, *rest = [shot.shot_id for shot in request.shots]
        finding = {
            "shot_id": first,
            "category": "hierarchy",
            "attribute": "headline",
            "severity": "low",
            "title": "The headline does not stand out",
            "problem": "The headline is as large as the text below it.",
            "confidence": "low",
        }
        text = json.dumps({"findings": [finding], "clean_shot_ids": rest})
        return JudgeReply(text=text, handle=self.seat.handle, model="none")


register_judge("headline", HeadlineJudge)
evidence = EvidenceFolder("evidence")
shots = read_folder(sys.argv[1], evidence).shots
roster = Roster(proposer=Seat("headline"), challenger=Seat("pixels"))
context = DialogueContext(challenge_skill="Rule on what you can measure.")
result = asyncio.run(judge_with_dialogue("Judge these.", "my project", shots, evidence, roster, context))
for finding in result.findings:
    print(f"{finding.severity}: {finding.title}")
    print(f"  filed by {finding.oracle}; ruled {[ruling.verdict for ruling in finding.rulings]}")
