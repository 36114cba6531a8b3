"""A dialogue held again from the replies that were recorded.

Answers for: the same rules reading the same texts, through `engine.hold_dialogue` itself: there is no second path that
could disagree with the first. Declines to find the replies, and to compare the results.

Rules, in order:
1. A recorded judge answers the n-th ask about a batch, or about a half of it, with the n-th reply that it gave to that.
2. Where none is left but halves follow, the ask was cut off without a reply. Else none came: it fails for the reason
   that the dialogue gave.
3. Both judges may have ruled: the challenger on half of a challenge, the proposer on additions. Then the handle tells,
   which is the seat's (`door`), and two seats have two.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

from bicameral.dialogue.engine import hold_dialogue
from bicameral.dialogue.question import Question
from bicameral.errors import JudgeFailed
from bicameral.model.judging import DialogueResult, JudgeReply, JudgeRequest, RawReply, Spend
from bicameral.model.seats import Roster, Seat
from bicameral.model.vocabulary import Reason, Task

_HALVES: Final[Mapping[Task, tuple[Task, ...]]] = {
    "propose": ("propose",),
    "challenge": ("challenge", "rule"),
    "rule": ("rule",),
}
"""The tasks of the halves of a batch that was asked about with a task."""


@dataclass
class Recording:
    """What one judge said, in order. silent: the reason's word for an ask of the task that got no reply."""

    replies: list[RawReply]
    silent: Mapping[Task, Reason] = field(default_factory=dict)

    def next(self, request: JudgeRequest) -> JudgeReply:
        """Raises JudgeFailed where no reply was recorded."""
        asked = (request.task, request.half)
        raw = next((reply for reply in self.replies if (reply.task, reply.half) == asked), None)
        if raw is None:
            raise JudgeFailed("No reply was recorded for this ask.", reason=self._why(request), spend=Spend())
        self.replies.remove(raw)
        return JudgeReply(
            text=raw.text,
            handle=raw.handle,
            model=raw.model,
            finish=raw.finish,
            spend=Spend(),
            parts=raw.parts,
            reads=raw.reads,
            meta=raw.meta,
        )

    def _why(self, request: JudgeRequest) -> Reason:
        """Why no reply came to an ask. A batch is halved only where its reply was cut off."""
        halved = any(reply.half and reply.task in _HALVES[request.task] for reply in self.replies)
        return "truncated" if halved and not request.half else self.silent.get(request.task, "unreachable")


@dataclass(frozen=True)
class RecordedSeat:
    """A judge that says what it said."""

    seat: Seat
    recording: Recording
    costs_nothing: bool = True
    identity: Mapping[str, str] = field(default_factory=dict)

    async def ask(self, request: JudgeRequest) -> JudgeReply:
        return self.recording.next(request)


async def refold(
    question: Question,
    roster: Roster,
    raw: Iterable[RawReply],
    *,
    undialogued_reason: Reason | None = None,
    second_round_reason: Reason | None = None,
) -> DialogueResult:
    """The result that these replies lead to: findings, consensus and turns as they were, with no spend or duration.

    question: as it was, with `challenge_clean` decided.  roster: the effective one.  raw: every reply, in order.
    Raises JudgeFailed where the proposer's are missing or cannot be used.
    """
    silent: dict[Task, Reason] = {}
    if undialogued_reason is not None:
        silent["challenge"] = undialogued_reason
    if second_round_reason is not None:
        silent["rule"] = second_round_reason
    own: list[RawReply] = []
    others: list[RawReply] = []
    for reply in raw:
        (others if _is_challengers(reply, roster) else own).append(reply)
    proposer = RecordedSeat(roster.proposer, Recording(own, silent))
    challenger = None if roster.challenger is None else RecordedSeat(roster.challenger, Recording(others, silent))
    return await hold_dialogue(question, proposer, challenger, monotonic=lambda: 0.0)


def _is_challengers(reply: RawReply, roster: Roster) -> bool:
    if reply.task == "rule":
        return roster.challenger is not None and reply.handle == roster.challenger.handle
    return reply.task == "challenge"
