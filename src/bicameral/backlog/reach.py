"""Over what a verdict is complete, so that what it does not file can count as not seen.

Answers for: which oracles of a dialogue gave a complete verdict (DESIGN 2, Identity). Declines to say a shot is clean.

Rules, in order:
1. The proposer's parts reach every shot of the batch where the proposal was complete: no shot was left unaccounted for,
   be it one that the other judge filed something on, and no row of it was left out. Otherwise they reach none: what was
   lost or not looked at may be the very finding that is missing.
2. The challenger's parts reach every shot where the challenge was complete: it answered, ruled on every number that was
   put to it, lost no addition, and was asked for additions about the whole batch at once. A challenge in halves asks
   for them beside one half of the findings. Where nothing was put to it, it has no verdict that could be complete.
3. In the second round nobody files anything, so that its rulings take nothing from either. An addition made there
   all the same is left out like any other, and costs the challenger its reach: a row does not say whose it was.
4. A reach holds for the categories that were asked about and no others.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from bicameral.model.evidence import Shot
from bicameral.model.judging import DialogueResult
from bicameral.model.seats import Seat

_OF_A_PROPOSAL: Final = frozenset({"findings", "clean_shot_ids", "cleanShotIds"})
"""The members of a proposal, in the spellings in which they are read."""


@dataclass(frozen=True, kw_only=True)
class Reach:
    """Over what one oracle's verdict is complete: on these shots, what it did not file it did not see.

    categories: those it was asked about; None for all.
    """

    oracle: str
    shot_ids: frozenset[str]
    categories: frozenset[str] | None = None

    def covers(self, oracle: str, category: str, shot_id: str) -> bool:
        """Whether this verdict would have filed such a finding there, had its oracle seen one."""
        asked = self.categories is None or category in self.categories
        return asked and oracle == self.oracle and shot_id in self.shot_ids


def reach_of(
    result: DialogueResult, shots: Iterable[Shot], *, categories: Iterable[str] | None = None
) -> tuple[Reach, ...]:
    """Over what each oracle of a dialogue was complete, by the module's rules.

    An oracle is named as findings name it: by the part, or by the seat's handle.  categories: None for all.
    """
    complete: list[Seat] = [result.roster.proposer] if _proposal_is_complete(result) else []
    challenger = result.roster.challenger
    if challenger is not None and _challenge_is_complete(result, challenger.handle):
        complete.append(challenger)
    every = frozenset(shot.shot_id for shot in shots)
    asked = None if categories is None else frozenset(categories)
    return tuple(Reach(oracle=name, shot_ids=every, categories=asked) for seat in complete for name in _names(seat))


def _proposal_is_complete(result: DialogueResult) -> bool:
    """Nothing unaccounted for, in the result or, where an addition covers for it, in the proposal; no row left out."""
    said = [turn.content.get("unaccounted") for turn in result.turns if turn.act == "findings"]
    return not (result.unaccounted or any(said) or _left_out(result) & _OF_A_PROPOSAL)


def _challenge_is_complete(result: DialogueResult, handle: str) -> bool:
    """The challenger ruled on each of the proposer's findings, and nothing it could have added was lost or not asked
    for."""
    spoke = any(turn.act == "rulings" and turn.speaker == handle for turn in result.turns)
    asked_whole = any(
        reply.task == "challenge" and not reply.half and reply.state in ("complete", "incomplete")
        for reply in result.raw
    )
    # Of the unruled findings, those that the challenger itself added are the proposer's to rule on.
    silent = any(not _is_by(result, number, handle) for number in result.unruled)
    return result.dialogued and spoke and asked_whole and not silent and "additions" not in _left_out(result)


def _is_by(result: DialogueResult, number: int, handle: str) -> bool:
    consensus = result.findings[number].consensus
    return consensus is not None and consensus.reported_by == handle


def _left_out(result: DialogueResult) -> set[str]:
    """The members of the replies of which something was left out."""
    return {row.where.partition("[")[0] for row in result.rejected}


def _names(seat: Seat) -> tuple[str, ...]:
    return tuple(sorted(seat.parts | {seat.handle}))
