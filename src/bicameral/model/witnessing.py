"""What is kept of a dialogue: its record, the replies it was read from, and its place in the store's chain."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from bicameral.model.dialogs import DialogTurn
from bicameral.model.judging import RawReply
from bicameral.model.vocabulary import Finish, ReplyState


@dataclass(frozen=True, kw_only=True)
class SpokenReply:
    """A raw reply and the depth of the turn that was read from it. It stands beside the record, never in it."""

    chain_depth: int
    raw: RawReply


@dataclass(frozen=True, kw_only=True)
class WitnessedDialog:
    """A dialogue as it is stored.

    dialog_id: `sha256:` digest of the charge's content.  wire_digest: of the wire key; one dialog, one digest.
    record: the `agent.dialog.v1` record; record_bytes: its canonical bytes; record_digest: `sha256:` of these.
    turns: in canonical order.  replies: by depth, for the turns that were read from one.
    """

    dialog_id: str
    wire_digest: str
    record: Mapping[str, object]
    record_bytes: bytes
    record_digest: str
    turns: tuple[DialogTurn, ...]
    replies: tuple[SpokenReply, ...] = ()


@dataclass(frozen=True, kw_only=True)
class ReplyMark:
    """What the chain says of one raw reply: enough to tell that it is the one, also after its text was dropped."""

    chain_depth: int
    digest: str
    finish: Finish
    state: ReplyState


@dataclass(frozen=True, kw_only=True)
class ChainEntry:
    """One link of a store's chain.

    seq: 0 for the first, then each whole number in turn.  previous: hash of the entry before; None for the first.
    """

    seq: int
    previous: str | None
    record_digest: str
    dialog_id: str
    wire_digest: str
    replies: tuple[ReplyMark, ...] = ()


ProblemKind = Literal["broken", "unverifiable"]
"""`broken`: what is stored contradicts itself.  `unverifiable`: no contradiction, but not to be derived again here."""


@dataclass(frozen=True, kw_only=True)
class Problem:
    """One thing that verifying found. where: a place such as `turns[2].parentHash`; what: a sentence."""

    where: str
    what: str
    kind: ProblemKind = "broken"
