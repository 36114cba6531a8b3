"""Dialogs: who said what to whom, in which order, with no clock.

A dialog is an id and turns. The arrow of time is `chain_depth`; a turn names its parent by hash. On the wire the
members are `dialogId`, `turns`, `chainDepth`, `parentHash` and so on: `canonical` reads and writes them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

AGENT_DIALOG_V1: Final = "agent.dialog.v1"
"""The `solverType` of a dialog's record."""

SPEC_VERSION: Final = 1
"""The `specVersion` of a dialog's record."""

META_KEYS: Final[frozenset[str]] = frozenset({"model", "parts", "pictures"})
"""What our recorder takes as a turn's meta: the model that spoke, the parts of a combined instrument, and how the
pictures were transformed for it. When, how long, where and at what price belong to the envelope or the log."""

META_LENGTH: Final = 200
"""Most characters of a meta value. Each is a text: a table of more would be a place for clocks and hosts."""

RECORD_MEMBERS: Final[frozenset[str]] = frozenset(
    {"solverType", "specVersion", "dialogId", "wireKey", "turnCount", "label"}
)
"""The members of an `agent.dialog.v1` record. Whatever else one holds is outside its key."""


@dataclass(frozen=True, kw_only=True)
class DialogTurn:
    """One thing said.

    speaker, audience: durable handles, never instances; `team` is the audience of a broadcast.
    chain_depth: 0 for the genesis turn, then growing along every chain of parents.
    parent_hash: `sha256:` hash of the turn this one answers; None, and absent on the wire, for the genesis turn.
    meta: None is absent on the wire, an empty mapping is not.
    """

    speaker: str
    audience: str
    chain_depth: int
    content: str
    parent_hash: str | None = None
    meta: Mapping[str, object] | None = None


@dataclass(frozen=True, kw_only=True)
class Dialog:
    """An id and its turns, in any order: the canonical order is a matter of the turns alone."""

    dialog_id: str
    turns: tuple[DialogTurn, ...] = field(default=())
