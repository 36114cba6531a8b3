"""Consensus: who filed a finding and what the other made of it, derived from the rulings.

Answers for: each word in its own list; silence in none; a dispute or an amendment without an account is absent.
Declines to settle anything: no status, severity or confidence is touched, and nobody is counted.
"""

from __future__ import annotations

from collections.abc import Iterable

from bicameral.dialogue.texts import is_blank
from bicameral.model.findings import Consensus, Dissent, Ruling
from bicameral.model.vocabulary import Word


def consensus_for(reported_by: str, rulings: Iterable[Ruling] = (), *, rounds: int = 1) -> Consensus:
    """The consensus on one finding.

    reported_by: the handle that filed it.  rulings: those on this finding, in the order they were given; none at all is
    silence.  rounds: how many the dialogue had, 1 or 2.
    """
    given = tuple(rulings)

    def who(word: Word) -> tuple[str, ...]:
        return tuple(dict.fromkeys(ruling.oracle for ruling in given if ruling.verdict == word))

    def dissent(word: Word) -> tuple[Dissent, ...]:
        return tuple(
            Dissent(oracle=ruling.oracle, note=note)
            for ruling in given
            if ruling.verdict == word and not is_blank(note := ruling.note or "")
        )

    return Consensus(
        reported_by=reported_by,
        agreed_by=who("agree"),
        disputed_by=dissent("dispute"),
        amended_by=dissent("amend"),
        undecided_by=who("cannot-tell"),
        rounds=rounds,
    )
