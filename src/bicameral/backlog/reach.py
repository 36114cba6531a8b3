"""Over what a verdict is complete, so that what it does not file can count as not seen.

Answers for: which oracles of a dialogue looked at which shots and left nothing out. Declines to say a shot is clean.

Rules, in order:
1. The proposer's parts reach every shot that is not unaccounted. Where a row of the proposal could not be read they
   reach none: it may have been the very finding that is missing.
2. The challenger's parts reach every shot, if it answered a challenge and none of its additions was lost. Where nothing
   was put to it, it has no verdict that could be complete.
3. A reach holds for the categories that were asked about and no others.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from bicameral.model.evidence import Shot
from bicameral.model.judging import DialogueResult
from bicameral.model.seats import Seat


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
    asked = None if categories is None else frozenset(categories)
    every = frozenset(shot.shot_id for shot in shots)
    lost = {row.where.partition("[")[0] for row in result.rejected}
    reaches: list[Reach] = []
    if not lost & {"findings", "clean_shot_ids"}:
        accounted = every - frozenset(result.unaccounted)
        reaches += [Reach(oracle=name, shot_ids=accounted, categories=asked) for name in _names(result.roster.proposer)]
    challenger = result.roster.challenger
    if challenger is not None and result.dialogued and "additions" not in lost and _spoke(result, challenger.handle):
        reaches += [Reach(oracle=name, shot_ids=every, categories=asked) for name in _names(challenger)]
    return tuple(reaches)


def _names(seat: Seat) -> tuple[str, ...]:
    return tuple(sorted(seat.parts | {seat.handle}))


def _spoke(result: DialogueResult, handle: str) -> bool:
    return any(said.act == "rulings" and said.speaker == handle for said in result.turns)
