"""Putting one batch into the store: the record, every reply that came, its link in the chain, and the backlog.

Rules, in order:
1. All of it in one transaction: a run that is killed leaves whole batches and no half one.
2. A record that the store holds already (an unchanged page gives the very same dialog) is not written again and gets no
   second link.
3. Every reply is kept whole and in order, also those that no turn was read from: an unreadable one, the truncated one
   before two halves, each half. The dialogue can be held again from them (`dialogue.refold`).
4. The instructions that the charge names by digest are put into the evidence folder before the transaction, beside the
   pictures and facts: what a record names can be had whole.
5. A view that could not be judged leaves a batch too: no record, but why, and the reply that came, if one did.
"""

from __future__ import annotations

from collections.abc import Sequence

from bicameral.backlog import JudgedBatch, Merged, keys_of, merge, reach_of
from bicameral.canonical import AGENT_DIALOG_V1, canonical_json, sha256_digest
from bicameral.dialogue import outcome_of
from bicameral.errors import JudgeFailed
from bicameral.evidence.store import EvidenceFolder
from bicameral.model.evidence import Shot, View
from bicameral.model.judging import DialogueResult
from bicameral.model.plain import to_plain
from bicameral.model.witnessing import WitnessedDialog
from bicameral.runtime.weighing import Weighed
from bicameral.storage import BatchRow, ChainEntry, RecordRow, Store, Transaction, reply_row
from bicameral.witness import chain_entry, chain_entry_bytes, record_dialog


def keep_batch(
    store: Store,
    *,
    run_id: str,
    position: int,
    view: View,
    shots: Sequence[Shot],
    result: DialogueResult,
    evidence: EvidenceFolder | None = None,
    instructions: Sequence[str] = (),
    weighed: Weighed | None = None,
    project: str = "",
) -> tuple[WitnessedDialog, Merged]:
    """Witness a dialogue and merge what it found; committed when this returns.

    evidence: where the instructions' texts are put; None keeps none of them.  instructions: those that were given.
    weighed: what was made of its dissents, kept as a dialog of its own.  project: whose it is.
    """
    witnessed = record_dialog(result.turns, raw=result.raw)
    if evidence is not None:
        for text in instructions:
            evidence.put(text.encode("utf-8"), ".txt")
    batch = JudgedBatch(
        run_id=run_id,
        shots=tuple(shots),
        findings=result.findings,
        dialog_id=witnessed.dialog_id,
        wire_digest=witnessed.wire_digest,
        reaches=reach_of(result, shots),
    )
    with store.write() as tx:
        _keep_record(tx, witnessed, result, run_id=run_id)
        child = None if weighed is None else _keep_weighed(tx, weighed, witnessed, run_id=run_id, project=project)
        merged = merge(tx.concerned(keys_of(batch), batch.views), batch)
        tx.save_issues(merged.issues)
        tx.add_batch(
            BatchRow(
                run_id=run_id,
                position=position,
                view=view,
                record=witnessed.record_digest,
                body=canonical_json(_told(result, witnessed, shots)),
                adjudication=child,
            )
        )
    return witnessed, merged


def keep_failure(
    store: Store, *, run_id: str, position: int, view: View, shots: Sequence[Shot], failed: JudgeFailed
) -> None:
    """Keep what is known of a view whose proposer gave nothing to use; committed when this returns."""
    told = {
        "failure": failed.reason,
        "failure_note": failed.message.encode("utf-8", "backslashreplace").decode("utf-8"),
        "raw": None if failed.raw is None else to_plain(failed.raw),
        "shots": _shots(shots),
    }
    with store.write() as tx:
        tx.add_batch(BatchRow(run_id=run_id, position=position, view=view, body=canonical_json(told)))


def _keep_record(tx: Transaction, witnessed: WitnessedDialog, result: DialogueResult, *, run_id: str) -> None:
    served = result.cached and tx.record(witnessed.record_digest) is not None
    is_new = tx.add_record(
        _row(witnessed),
        run_id=run_id,
        replies=() if served else [reply_row(said.raw, depth=said.chain_depth) for said in witnessed.replies],
    )
    if is_new:
        outcome = outcome_of(result)
        tx.append_chain(lambda head: _link(head, witnessed, run_id=run_id, outcome=outcome))


def _keep_weighed(tx: Transaction, weighed: Weighed, parent: WitnessedDialog, *, run_id: str, project: str) -> str:
    """The digest of the child record in which the dissents were weighed; its link follows its parent's."""
    said = weighed.said(parent=parent.wire_digest, parent_dialog=parent.dialog_id, project=project)
    child = record_dialog(said)
    if tx.add_record(_row(child), run_id=run_id):
        tx.append_chain(lambda head: _link(head, child, run_id=run_id, outcome=None))
    return child.record_digest


def _row(witnessed: WitnessedDialog) -> RecordRow:
    return RecordRow(
        digest=witnessed.record_digest,
        dialog_id=witnessed.dialog_id,
        solver_type=AGENT_DIALOG_V1,
        body=witnessed.record_bytes,
    )


def _link(head: ChainEntry | None, witnessed: WitnessedDialog, *, run_id: str, outcome: bytes | None) -> ChainEntry:
    """The next link. Its hash covers its place, the one before, the record, its outcome and each reply."""
    seq, previous = (0, None) if head is None else (head.seq + 1, head.entry)
    named = None if outcome is None else sha256_digest(outcome)
    body = chain_entry_bytes(chain_entry(witnessed, seq=seq, previous=previous, outcome=named))
    return ChainEntry(
        seq=seq,
        previous=previous or "",
        entry=sha256_digest(body),
        record=witnessed.record_digest,
        run_id=run_id,
        body=body,
        outcome=outcome,
    )


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
        "shots": _shots(shots),
    }


def _shots(shots: Sequence[Shot]) -> list[dict[str, object]]:
    return [{**to_plain(shot), "scale": str(shot.scale)} for shot in shots]
