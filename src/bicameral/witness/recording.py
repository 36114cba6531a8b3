"""A dialogue's utterances as one witnessed dialog.

Answers for: the same words about the same evidence give the same record on every machine. Declines to: store, or to
put into the record what would differ on the next run; raw replies go beside it.

Rules, in order:
1. One chain: the charge is the genesis at depth 0, each utterance after it names its predecessor and is one deeper.
2. A turn's content is the canonical JSON text of the utterance's content.
3. The dialog's id is the digest of the charge's content, so no turn can move to another dialog unseen.
4. Of an utterance's meta what is in META_KEYS and not empty is recorded, each text cut at META_LENGTH; the rest is the
   log's.
"""

from __future__ import annotations

from collections.abc import Sequence

from bicameral.canonical.plain import record_json, sha256_digest
from bicameral.canonical.records import record_bytes
from bicameral.canonical.shown import shown
from bicameral.errors import RecordError
from bicameral.model.dialogs import META_KEYS, META_LENGTH
from bicameral.model.judging import RawReply, Utterance
from bicameral.model.witnessing import SpokenReply, WitnessedDialog
from bicameral.witness.recorder import DialogRecorder


def record_dialog(
    utterances: Sequence[Utterance], *, raw: Sequence[RawReply] = (), label: str | None = None
) -> WitnessedDialog:
    """Witness a dialogue: its utterances in the order they were said, the charge first.

    raw: every reply that came, in order; without any, those that the utterances carry.
    label: for people; in the record, outside its key. Raises RecordError where the first is no charge or an utterance
    does not name its own act, and UnrecordableError for content that a record may not hold (a float, a lone surrogate).
    """
    if not utterances or utterances[0].act != "charge":
        raise RecordError("A dialogue that is to be witnessed starts with its charge.")
    contents = [_content(utterance, depth) for depth, utterance in enumerate(utterances)]
    recorder = DialogRecorder(sha256_digest(contents[0]))
    parent: str | None = None
    for depth, (utterance, content) in enumerate(zip(utterances, contents, strict=True)):
        meta = {name: value[:META_LENGTH] for name, value in utterance.meta.items() if name in META_KEYS and value}
        parent = recorder.append(
            speaker=utterance.speaker,
            audience=utterance.audience,
            chain_depth=depth,
            content=content.decode("utf-8"),
            parent_hash=parent,
            meta=meta or None,
        )
    record = recorder.record(label)
    data = record_bytes(record)
    return WitnessedDialog(
        dialog_id=recorder.dialog_id,
        wire_digest=recorder.wire_digest,
        record=record,
        record_bytes=data,
        record_digest=sha256_digest(data),
        turns=recorder.turns,
        replies=_replies(utterances, raw),
    )


def _replies(utterances: Sequence[Utterance], raw: Sequence[RawReply]) -> tuple[SpokenReply, ...]:
    """Every reply with the depth of the turn that was read from it, where one was."""
    spoken = [(depth, said.raw) for depth, said in enumerate(utterances) if said.raw is not None]
    if not raw:
        return tuple(SpokenReply(chain_depth=depth, raw=reply) for depth, reply in spoken)
    depths: dict[int, int] = {}
    after = 0
    for depth, reply in spoken:
        if reply in raw[after:]:
            at = raw.index(reply, after)
            depths[at] = depth
            after = at + 1
    return tuple(SpokenReply(chain_depth=depths.get(at), raw=reply) for at, reply in enumerate(raw))


def _content(utterance: Utterance, depth: int) -> bytes:
    said = utterance.content.get("act")
    if said != utterance.act:
        raise RecordError(f"turn {depth} is the act {utterance.act}, but its content says {shown(str(said))[:80]!r}.")
    return record_json(utterance.content, f"turn {depth}")
