"""Who sits where.

A seat is an adapter and a model; a roster is the order they speak in. Whether a seat can be filled on this
machine is asked in `runtime`, where the adapters are known; what can be told from the names alone is told here.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from bicameral.errors import RosterError

MANY_MAKERS: Final[frozenset[str]] = frozenset({"ollama", "openai-compatible"})
"""Adapters that serve models of many makers: behind these an AI is its model, not its adapter."""


@dataclass(frozen=True)
class Seat:
    """One judge: the adapter's name and the model it is to use.

    An instrument's model is its version. Parts of a combined instrument are joined by `+`.
    """

    ai: str
    model: str = ""

    @property
    def handle(self) -> str:
        """The durable name used in consensus and dialogs."""
        return f"{self.ai}/{self.model}" if self.ai in MANY_MAKERS else self.ai

    @property
    def parts(self) -> frozenset[str]:
        """The instruments this seat is made of; a single name for everything else."""
        return frozenset({self.handle} if self.ai in MANY_MAKERS else self.ai.split("+"))

    def __str__(self) -> str:
        return f"{self.ai}:{self.model}" if self.model else self.ai


@dataclass(frozen=True)
class Roster:
    """Who proposes and who challenges. No challenger: one judge alone."""

    proposer: Seat
    challenger: Seat | None = None

    def __post_init__(self) -> None:
        if self.challenger is None:
            return
        if self.proposer.handle == self.challenger.handle:
            raise RosterError(
                f"Both seats name {self.proposer.handle}: nobody argues with himself.",
                mend="Name another AI for the challenger, or `none` for one judge.",
            )
        shared = self.proposer.parts & self.challenger.parts
        if shared:
            raise RosterError(
                f"Both seats contain {', '.join(sorted(shared))}: nobody argues with himself.",
                mend="Leave the shared part out of one of the seats.",
            )

    @property
    def handles(self) -> tuple[str, ...]:
        """The speakers in order."""
        if self.challenger is None:
            return (self.proposer.handle,)
        return (self.proposer.handle, self.challenger.handle)


def parse_seat(text: str) -> Seat:
    """Read `name` or `name:model`; the model may itself hold colons, as local models' tags do.

    Raises RosterError for an empty name.
    """
    name, _, model = text.strip().partition(":")
    if not name:
        raise RosterError(
            f"{text!r} names no judge.", mend="Write it as name or name:model, for example codex:gpt-5.2."
        )
    return Seat(name, model)
