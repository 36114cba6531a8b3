"""Who sits where.

A seat is an adapter and a model; a roster is the order they speak in. Whether a seat can be filled on this
machine is asked in `runtime`, where the adapters are known; what can be told from the names alone is told here.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from typing import Final

from bicameral.errors import RosterError
from bicameral.model.characters import is_hidden
from bicameral.model.vocabulary import CLERK, TEAM

MANY_MAKERS: Final[frozenset[str]] = frozenset({"ollama", "openai-compatible"})
"""Adapters that serve models of many makers: behind these an AI is its model, not its adapter."""

RESERVED: Final[frozenset[str]] = frozenset({CLERK, TEAM, "none"})
"""Names that no judge may have: two speak in every dialog, and the third says that a seat stays empty."""

DEFAULT_TAG: Final = ":latest"
"""What a local server takes a model's name without a tag to mean."""


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

    @property
    def made_by_many(self) -> bool:
        """The adapter serves models of many makers, so that the AI is the model."""
        return self.ai in MANY_MAKERS

    @property
    def spoken_model(self) -> str:
        """The model as it is compared between two such adapters: case folded, without the tag that is the default."""
        return self.model.strip().casefold().removesuffix(DEFAULT_TAG)

    def __str__(self) -> str:
        return f"{self.ai}:{self.model}" if self.model else self.ai


@dataclass(frozen=True)
class Roster:
    """Who proposes and who challenges. No challenger: one judge alone."""

    proposer: Seat
    challenger: Seat | None = None

    def __post_init__(self) -> None:
        check_seat(self.proposer)
        if self.challenger is None:
            return
        check_seat(self.challenger)
        if self.proposer.handle == self.challenger.handle:
            raise RosterError(
                f"Both seats name {self.proposer.handle}: nobody argues with himself.",
                mend="Name another AI for the challenger, or `none` for one judge.",
            )
        one_model = self.proposer.spoken_model == self.challenger.spoken_model
        if one_model and self.proposer.made_by_many and self.challenger.made_by_many:
            raise RosterError(
                f"{self.proposer} and {self.challenger} are one model: nobody argues with himself.",
                mend="Name another model for the challenger, or `none` for one judge.",
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


def fault_of_name(name: str) -> str | None:
    """Why a text cannot be a judge's name, None where it can: empty, reserved, or not what it looks like."""
    if not name:
        return "it is empty"
    if name.casefold() in RESERVED:
        return "that name is taken by Bicameral"
    if any(is_hidden(character) for character in name):
        return "it holds characters that nobody sees"
    if any(character.isspace() for character in name):
        return "it holds white space"
    if unicodedata.normalize("NFKC", name) != name:
        return "it is another spelling of a name (not in Unicode's NFKC)"
    return None


def check_seat(seat: Seat) -> None:
    """Raise RosterError for a seat that can be told from its words alone to be none.

    That is: a name no judge may have, a model with characters that nobody sees, and no model behind an adapter that
    serves many and so has no default.
    """
    fault = fault_of_name(seat.ai)
    if fault is not None:
        raise RosterError(f"{seat.ai!r} cannot name a judge: {fault}.", mend="Name the judge by its own word.")
    if any(is_hidden(character) for character in seat.model):
        raise RosterError(
            f"The model {seat.model!r} of {seat.ai} holds characters that nobody sees.", mend="Write the model's name."
        )
    if seat.made_by_many and not seat.model.strip():
        raise RosterError(
            f"{seat.ai} serves many models and the seat names none.",
            mend=f"Write {seat.ai}:MODEL, for example ollama:qwen3-vl.",
        )


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
