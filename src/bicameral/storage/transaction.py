"""Everything that can be written to a store, within one transaction: all of it is kept, or none.

Answers for: records, chain and backlog that go in together. Declines to judge, merge or rule; ids, times and digests
are handed in.

Rules, in order:
1. A text that holds a NUL character or a lone surrogate is refused before anything is written.
2. A record is immutable: the same digest with the same bytes is kept once, with other bytes it is a defect.
3. The chain grows by one link at a time, each naming the one before.
4. A lease is held by one owner until its end; asking again while holding it extends it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from sqlalchemy import delete, insert, select, update

from bicameral.canonical import canonical_json, sha256_digest
from bicameral.errors import DefectError
from bicameral.model.backlog import Issue
from bicameral.model.judging import Spend
from bicameral.model.plain import to_plain
from bicameral.model.witnessing import Envelope, Redaction
from bicameral.ports import NLIResult
from bicameral.storage import _issues
from bicameral.storage._sql import chunks, upsert
from bicameral.storage.reader import Reader
from bicameral.storage.rows import BatchRow, ChainEntry, RecordRow, ReplyRow, RunRow, keepable
from bicameral.storage.schema import (
    batches,
    chain,
    envelopes,
    leases,
    nli_answers,
    raw_replies,
    records,
    redactions,
    runs,
    verdicts,
)


class Transaction(Reader):
    """A Reader that also writes. What it wrote is seen by its own reads, and by others once the `with` has ended."""

    def save_issues(self, changed: Sequence[Issue]) -> None:
        """Write issues with their sightings and rulings. They were read, if at all, in this same transaction."""
        _issues.save(self._connection, changed)

    def add_run(self, run: RunRow) -> None:
        """Open a run. Its id is new."""
        keepable(run, f"run {run.run_id!r}")
        row = {
            "run_id": run.run_id,
            "project": run.project,
            "roster": run.roster,
            "started_at": run.started_at,
            "finished_at": run.finished_at,
            "exit_status": run.exit_status,
            "program_version": run.program_version,
            "spend": _written(run.spend),
        }
        self._connection.execute(insert(runs), [row])

    def finish_run(self, run_id: str, *, finished_at: str, exit_status: int, spend: Spend, report: bytes) -> None:
        """Close a run that was opened. report: its bytes as they were shown.  Raises DefectError for an unknown run."""
        keepable(finished_at, f"the end of run {run_id!r}")
        closed = self._connection.execute(
            update(runs)
            .where(runs.c.run_id == run_id)
            .values(finished_at=finished_at, exit_status=exit_status, spend=_written(spend), report=report)
        )
        if closed.rowcount != 1:
            raise DefectError(f"The run {run_id!r} was never opened.")

    def add_batch(self, batch: BatchRow) -> None:
        """Add a batch of a run. Its record, where it has one, is in the store when the transaction ends."""
        keepable(batch, f"batch {batch.position} of run {batch.run_id!r}")
        row = {
            "run_id": batch.run_id,
            "position": batch.position,
            "target": batch.view.target,
            "platform": batch.view.platform,
            "route": batch.view.route,
            "state": batch.view.state,
            "record": batch.record,
            "body": batch.body,
            "adjudication": batch.adjudication,
        }
        self._connection.execute(insert(batches), [row])

    def add_record(self, record: RecordRow, *, run_id: str, replies: Sequence[ReplyRow] = ()) -> bool:
        """Keep a record and the raw replies that this run read into it. True if the record is new to the store.

        A run's replies to a record are written once; a verdict served from the cache has none.
        """
        keepable(record, f"record {record.digest}")
        keepable(list(replies), f"the replies of record {record.digest}")
        held = self.record(record.digest)
        if held is None:
            self._connection.execute(
                insert(records),
                [
                    {
                        "digest": record.digest,
                        "dialog_id": record.dialog_id,
                        "solver_type": record.solver_type,
                        "body": record.body,
                    }
                ],
            )
        elif held != record:
            raise DefectError(f"The record {record.digest} is in the store with other bytes: records are immutable.")
        if replies and not self._has_replies(record.digest, run_id):
            rows = [
                {"record": record.digest, "run_id": run_id, "position": position} | vars(reply)
                for position, reply in enumerate(replies)
            ]
            self._connection.execute(insert(raw_replies), rows)
        return held is None

    def append_chain(self, make: Callable[[ChainEntry | None], ChainEntry]) -> ChainEntry:
        """Add a link. make: given the newest link, None for the first, returns the next; it is called once.

        The first link's seq is 0. Raises DefectError for a link that does not follow.
        """
        head = self.chain_head()
        entry = make(head)
        keepable(entry, f"link {entry.seq} of the chain")
        follows = entry.seq == 0 if head is None else (entry.seq, entry.previous) == (head.seq + 1, head.entry)
        if not follows:
            raise DefectError(f"The link {entry} does not follow {head}.")
        self._connection.execute(insert(chain), [vars(entry)])
        return entry

    def add_envelope(self, envelope: Envelope) -> None:
        """Keep a signature or a rotation. The very same one is kept once."""
        keepable(envelope, f"the envelope of {envelope.subject}")
        digest = sha256_digest(envelope.body)
        held = select(envelopes.c.digest).where(envelopes.c.digest == digest)
        if self._connection.execute(held).first() is None:
            self._connection.execute(insert(envelopes), [{"digest": digest, **vars(envelope)}])

    def redact(self, redaction: Redaction) -> int:
        """Note that bytes are dropped and drop those that the store holds: every raw reply of that digest, and every
        cached verdict that holds it.

        Gives how many reply texts were dropped. Evidence lies in files: the caller removes it after this is committed.
        Dropped texts are overwritten in the file, where the database can do that.
        """
        keepable(redaction, f"the redaction of {redaction.digest}")
        upsert(self._connection, redactions, [vars(redaction)])
        if redaction.kind != "reply":
            return 0
        if self._connection.dialect.name == "sqlite":
            self._connection.exec_driver_sql("PRAGMA secure_delete=ON")
        named = redaction.digest.encode("ascii", "backslashreplace")
        held_by = [row.key for row in self._connection.execute(select(verdicts)) if named in row.body]
        for some in chunks(held_by):
            self._connection.execute(delete(verdicts).where(verdicts.c.key.in_(some)))
        held = raw_replies.c.digest == redaction.digest
        dropped = update(raw_replies).where(held, raw_replies.c.body.is_not(None)).values(body=None)
        return self._connection.execute(dropped).rowcount

    def rewrite_batch(self, batch: BatchRow) -> None:
        """Replace the body of a batch that is there: what it told of a dropped reply is dropped too."""
        of_run = (batches.c.run_id == batch.run_id, batches.c.position == batch.position)
        if self._connection.execute(update(batches).where(*of_run).values(body=batch.body)).rowcount != 1:
            raise DefectError(f"There is no batch {batch.position} of run {batch.run_id!r}.")

    def keep_nli_answers(self, model: str, found: Mapping[str, NLIResult]) -> None:
        """Keep a model's answers by the pair's digest."""
        rows = [
            {"model": model, "pair": pair, "label": said.label, "scores": canonical_json(dict(said.scores)).decode()}
            for pair, said in sorted(found.items())
        ]
        keepable(rows, "an NLI answer")
        upsert(self._connection, nli_answers, rows)

    def put_verdict(self, key: str, body: bytes) -> None:
        """Keep a whole verdict; a newer one of the same key replaces it."""
        keepable(key, "a verdict's key")
        upsert(self._connection, verdicts, [{"key": key, "body": body}])

    def lease(self, key: str, owner: str, *, now_ms: int, ttl_ms: int) -> bool:
        """True if `owner` now holds `key` until now_ms + ttl_ms; False while another's lease has not run out."""
        keepable([key, owner], "a lease")
        held = self._connection.execute(select(leases).where(leases.c.key == key)).one_or_none()
        if held is not None and held.owner != owner and held.expires_at_ms > now_ms:
            return False
        upsert(self._connection, leases, [{"key": key, "owner": owner, "expires_at_ms": now_ms + ttl_ms}])
        return True

    def release(self, key: str, owner: str) -> None:
        """Give a lease back. Nothing happens where it is not this owner's."""
        self._connection.execute(delete(leases).where(leases.c.key == key, leases.c.owner == owner))

    def _has_replies(self, record: str, run_id: str) -> bool:
        asked = select(raw_replies.c.position).where(raw_replies.c.record == record, raw_replies.c.run_id == run_id)
        return self._connection.execute(asked.limit(1)).first() is not None


def _written(spend: Spend) -> str:
    return canonical_json(to_plain(spend)).decode()
