"""Putting one batch into the store: the record, the replies it was read from, its link in the chain, and the backlog.

All of it in one transaction: a run that is killed leaves whole batches and no half one. A record that the store holds
already (an unchanged page gives the very same dialog) is not written again and gets no second link.
"""

from __future__ import annotations

from collections.abc import Sequence

from bicameral.backlog import JudgedBatch, Merged, keys_of, merge, reach_of
from bicameral.canonical import AGENT_DIALOG_V1, canonical_json
from bicameral.model.evidence import Shot, View
from bicameral.model.judging import DialogueResult
from bicameral.model.plain import to_plain
from bicameral.model.witnessing import WitnessedDialog
from bicameral.storage import BatchRow, ChainEntry, RecordRow, ReplyRow, Store, Transaction
from bicameral.witness import chain_entry, chain_entry_hash, record_dialog


def keep_batch(
    store: Store, *, run_id: str, position: int, view: View, shots: Sequence[Shot], result: DialogueResult
) -> tuple[WitnessedDialog, Merged]:
    """Witness a dialogue and merge what it found; committed when this returns."""
    witnessed = record_dialog(result.turns)
    batch = JudgedBatch(
        run_id=run_id,
        shots=tuple(shots),
        findings=result.findings,
        dialog_id=witnessed.dialog_id,
        wire_digest=witnessed.wire_digest,
        reaches=reach_of(result, shots),
    )
    with store.write() as tx:
        _keep_record(tx, witnessed, run_id=run_id, cached=result.cached)
        merged = merge(tx.concerned(keys_of(batch), batch.views), batch)
        tx.save_issues(merged.issues)
        tx.add_batch(
            BatchRow(
                run_id=run_id,
                position=position,
                view=view,
                record=witnessed.record_digest,
                body=canonical_json(_told(result, witnessed, shots)),
            )
        )
    return witnessed, merged


def _keep_record(tx: Transaction, witnessed: WitnessedDialog, *, run_id: str, cached: bool) -> None:
    is_new = tx.add_record(
        RecordRow(
            digest=witnessed.record_digest,
            dialog_id=witnessed.dialog_id,
            solver_type=AGENT_DIALOG_V1,
            body=witnessed.record_bytes,
        ),
        run_id=run_id,
        replies=() if cached and tx.record(witnessed.record_digest) is not None else _replies(witnessed),
    )
    if is_new:
        tx.append_chain(lambda head: _link(head, witnessed))


def _replies(witnessed: WitnessedDialog) -> list[ReplyRow]:
    return [
        ReplyRow(
            depth=reply.chain_depth,
            handle=reply.raw.handle,
            model=reply.raw.model,
            task=reply.raw.task,
            finish=reply.raw.finish,
            state=reply.raw.state,
            digest=reply.raw.digest,
            body=reply.raw.text.encode("utf-8"),
        )
        for reply in witnessed.replies
    ]


def _link(head: ChainEntry | None, witnessed: WitnessedDialog) -> ChainEntry:
    """The next link. Its hash covers its place, the one before, the record and what is known of each reply."""
    seq, previous = (0, None) if head is None else (head.seq + 1, head.entry)
    entry = chain_entry(witnessed, seq=seq, previous=previous)
    return ChainEntry(seq=seq, previous=previous or "", entry=chain_entry_hash(entry), record=witnessed.record_digest)


def _told(result: DialogueResult, witnessed: WitnessedDialog, shots: Sequence[Shot]) -> dict[str, object]:
    """What became of the batch, for whoever asks the store later."""
    return {
        "dialogued": result.dialogued,
        "undialogued_reason": result.undialogued_reason,
        "second_round_reason": result.second_round_reason,
        "unruled": list(result.unruled),
        "cached": result.cached,
        "wire_digest": witnessed.wire_digest,
        "clean_shot_ids": list(result.clean_shot_ids),
        "unaccounted": list(result.unaccounted),
        "shots": [{**to_plain(shot), "scale": str(shot.scale)} for shot in shots],
    }
