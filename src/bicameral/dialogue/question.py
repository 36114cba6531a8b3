"""What a dialogue is about: everything that is put to the judges, as one value.

Answers for: nothing reaching a judge that is not in here, so that the cache and the record can name it all. Declines to
load anything.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from bicameral.errors import EvidenceError, InputError
from bicameral.model.evidence import Shot
from bicameral.model.seats import Roster
from bicameral.model.vocabulary import CATEGORIES
from bicameral.ports import EvidenceReader, Judge

ENGINE_VERSION: Final = "dialogue/2"
"""The version of the rules in this folder. It is part of the cache identity: raise it when an answer would change."""


@dataclass(frozen=True, kw_only=True)
class Question:
    """One batch as it is put.

    project: its name.  shots: the members of one view, in order, each id once.  evidence: their bytes, by digest.
    instructions: the proposer's skill.  challenge_instructions: the challenger's; None: there is no challenge.
    categories: the vocabulary.  challenge_clean: ask what was missed where nothing was found; None: where it costs
    nothing.  facts_lines: shot id to the facts shown in prompts.  timeout_s: for each reply, None waits for ever.
    output_limit: most output tokens of a reply, None for the adapter's own default.
    """

    project: str
    shots: tuple[Shot, ...]
    evidence: EvidenceReader
    instructions: str
    challenge_instructions: str | None = None
    categories: tuple[str, ...] = CATEGORIES
    challenge_clean: bool | None = None
    facts_lines: Mapping[str, str] = field(default_factory=dict)
    timeout_s: float | None = None
    output_limit: int | None = None

    def __post_init__(self) -> None:
        if not self.shots:
            raise EvidenceError("There is no shot to judge.", mend="Hand in at least one.")
        ids = [shot.shot_id for shot in self.shots]
        twice = next((shot_id for shot_id in ids if ids.count(shot_id) > 1), None)
        if twice is not None:
            raise EvidenceError(f"Two shots are named {twice!r}.", mend="Give each shot of a batch its own id.")
        if not self.categories:
            raise InputError("The vocabulary is empty.", mend="Leave categories out to allow all of them.")

    @property
    def shot_ids(self) -> tuple[str, ...]:
        return tuple(shot.shot_id for shot in self.shots)


def effective_roster(question: Question, proposer: Judge, challenger: Judge | None) -> Roster:
    """Who will speak: a challenger without instructions does not. Raises RosterError where one AI has both seats."""
    speaks = challenger is not None and question.challenge_instructions is not None
    return Roster(proposer.seat, challenger.seat if challenger is not None and speaks else None)


def asks_about_clean(question: Question, challenger: Judge | None) -> bool:
    """Whether an empty list of findings is put to the challenger too."""
    if challenger is None or question.challenge_instructions is None:
        return False
    return challenger.costs_nothing if question.challenge_clean is None else question.challenge_clean
