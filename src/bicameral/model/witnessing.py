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
    """A raw reply and the depth of the turn that was read from it. It stands beside the record, never in it.

    chain_depth: None where no turn was read from it (an unreadable one that was asked for again, a half).
    """

    chain_depth: int | None
    raw: RawReply


@dataclass(frozen=True, kw_only=True)
class WitnessedDialog:
    """A dialogue as it is stored.

    dialog_id: `sha256:` digest of the charge's content.  wire_digest: of the wire key; one dialog, one digest.
    record: the `agent.dialog.v1` record; record_bytes: its canonical bytes; record_digest: `sha256:` of these.
    turns: in canonical order.  replies: every one that came, in order.
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
    """What the chain says of one raw reply: enough to tell that it is the one, also after its text was dropped.

    digest: of its text.  about: digest of all else that is known of it (who spoke, for which task, what it read).
    """

    chain_depth: int | None
    digest: str
    finish: Finish
    state: ReplyState
    about: str | None = None


@dataclass(frozen=True, kw_only=True)
class ChainEntry:
    """One link of a store's chain.

    seq: 0 for the first, then each whole number in turn.  previous: hash of the entry before; None for the first.
    outcome: digest of what the dialogue came to (findings with their consensus), None for a dialog that files nothing.
    """

    seq: int
    previous: str | None
    record_digest: str
    dialog_id: str
    wire_digest: str
    outcome: str | None = None
    replies: tuple[ReplyMark, ...] = ()


@dataclass(frozen=True, kw_only=True)
class KeptReply:
    """A raw reply as it is kept beside its record.

    about: canonical JSON of all that is known of it but its text and that text's digest.
    text: its UTF-8 bytes, None where they were dropped or are missing.  digest: of the text, as the row or file says.
    """

    digest: str
    about: bytes
    text: bytes | None


@dataclass(frozen=True, kw_only=True)
class KeptLink:
    """One link of a chain with what hangs on it.

    entry: the canonical bytes of the ChainEntry.  record: the record's bytes; None where the holder has the link alone.
    outcome: the bytes that the entry's `outcome` names.  replies: in the order of the entry's marks.
    """

    entry: bytes
    record: bytes | None = None
    outcome: bytes | None = None
    replies: tuple[KeptReply, ...] = ()


RedactedKind = Literal["reply", "evidence"]


@dataclass(frozen=True, kw_only=True)
class Redaction:
    """Bytes that were dropped on purpose; their digest stays wherever it was named.

    kind: `reply` (a raw reply's text) or `evidence` (a picture, a companion, facts, instructions).
    redacted_at: RFC 3339, UTC.  redacted_by: a person's name as they gave it.
    """

    digest: str
    kind: RedactedKind
    redacted_at: str
    redacted_by: str
    reason: str


@dataclass(frozen=True, kw_only=True)
class Envelope:
    """A DSSE envelope as it is kept. subject: the chain head it signs, or for a rotation the new key's id.

    key_id: `sha256:` of the signer's public key.  body: the envelope's JSON bytes.
    """

    kind: Literal["head", "rotation"]
    subject: str
    key_id: str
    signed_at: str
    body: bytes
    run_id: str | None = None


ProblemKind = Literal["broken", "missing", "unverifiable"]
"""`broken`: what is stored contradicts itself.  `missing`: bytes that are named and neither there nor redacted.
`unverifiable`: no contradiction, but not to be derived again here."""


@dataclass(frozen=True, kw_only=True)
class Problem:
    """One thing that verifying found. where: a place such as `turns[2].parentHash`; what: a sentence."""

    where: str
    what: str
    kind: ProblemKind = "broken"
