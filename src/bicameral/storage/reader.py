"""Everything that can be asked of a store, within one transaction and so of one state of it.

Answers for: reading rows into values. What is not there is None or an empty tuple, never an error; what is there and
damaged is a StoreError.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import Any, get_args

from sqlalchemy import Connection, Row, select

from bicameral.model.backlog import Issue
from bicameral.model.evidence import View
from bicameral.model.judging import RawReply, Spend
from bicameral.model.vocabulary import Severity, Status
from bicameral.model.witnessing import Envelope, RedactedKind, Redaction
from bicameral.ports import NLIResult
from bicameral.storage import _chain, _issues
from bicameral.storage._chain import KeptRow, LinkColumns
from bicameral.storage._sql import chunks
from bicameral.storage.rows import (
    BatchRow,
    ChainEntry,
    RecordRow,
    ReplyRow,
    RunRow,
    known_word,
    raw_of,
    row_of,
    stored,
    stored_json,
)
from bicameral.storage.schema import (
    batches,
    chain,
    envelopes,
    issues,
    nli_answers,
    raw_replies,
    records,
    redactions,
    runs,
    verdicts,
)


class Reader:
    """One consistent view of a store. Good until the `with` that gave it ends."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def issues(
        self,
        *,
        statuses: Collection[Status] | None = None,
        severities: Collection[Severity] | None = None,
        targets: Collection[str] | None = None,
        categories: Collection[str] | None = None,
    ) -> tuple[Issue, ...]:
        """Whole issues by target, place, state, platform, category, attribute. None: any; empty: no issue."""
        conditions = _issues.matching(issues, status=statuses, severity=severities, target=targets, category=categories)
        return _issues.all_issues(self._connection, *conditions)

    def issue(self, key: str) -> Issue | None:
        """The issue of this whole key."""
        found = _issues.issues_of(self._connection, [key])
        return found[0] if found else None

    def issues_of(self, keys: Iterable[str]) -> tuple[Issue, ...]:
        """Those of the keys that exist."""
        return _issues.issues_of(self._connection, keys)

    def issue_keys(self) -> frozenset[str]:
        """Every issue's key, for finding one by a short form."""
        return frozenset(self._connection.execute(select(issues.c.issue)).scalars())

    def concerned(self, keys: Iterable[str], views: Iterable[View]) -> tuple[Issue, ...]:
        """What a merge has to be given: the issues of these keys, and those with a sighting on these views."""
        return self.issues_of({*keys, *_issues.keys_at(self._connection, views)})

    def runs(self) -> tuple[RunRow, ...]:
        """Every run, by its id."""
        return tuple(_run(row) for row in self._connection.execute(_RUNS.order_by(runs.c.run_id)))

    def run(self, run_id: str) -> RunRow | None:
        row = self._connection.execute(_RUNS.where(runs.c.run_id == run_id)).one_or_none()
        return None if row is None else _run(row)

    def report(self, run_id: str) -> bytes | None:
        """The run's report as it was kept; None for a run that is unknown or did not finish."""
        return self._connection.execute(select(runs.c.report).where(runs.c.run_id == run_id)).scalar()

    def batches(self, run_id: str) -> tuple[BatchRow, ...]:
        """The batches of a run, in order."""
        asked = select(batches).where(batches.c.run_id == run_id).order_by(batches.c.position)
        return tuple(_batch(row) for row in self._connection.execute(asked))

    def record(self, digest: str) -> RecordRow | None:
        row = self._connection.execute(select(records).where(records.c.digest == digest)).one_or_none()
        return None if row is None else row_of(RecordRow, row._mapping, "record")

    def records(self, run_id: str | None = None) -> Iterator[RecordRow]:
        """Every record by its digest, or those of one run in the order of its batches. Fetched as they are taken."""
        asked = select(records).order_by(records.c.digest)
        if run_id is not None:
            asked = (
                select(records)
                .join(batches, batches.c.record == records.c.digest)
                .where(batches.c.run_id == run_id)
                .order_by(batches.c.position)
            )
        for row in self._connection.execute(asked):
            yield row_of(RecordRow, row._mapping, "record")

    def replies(self, record: str, run_id: str | None = None) -> tuple[ReplyRow, ...]:
        """The raw replies of a record in the order they came, those of its first run unless another is named.

        Two runs may have the same dialog of different replies, so those of one run are never mixed with another's.
        """
        if run_id is None:
            first = select(raw_replies.c.run_id).where(raw_replies.c.record == record).order_by(raw_replies.c.run_id)
            run_id = self._connection.execute(first.limit(1)).scalar()
        asked = select(raw_replies).where(raw_replies.c.record == record, raw_replies.c.run_id == run_id)
        rows = self._connection.execute(asked.order_by(raw_replies.c.position))
        return tuple(_chain.reply_of(row) for row in rows)

    def raw_replies(self, record: str, run_id: str | None = None) -> tuple[RawReply, ...] | None:
        """Every reply that led to a record, as it came and in order: all that `refold` needs to read them again.

        Of one run, as `replies` has it. None where the text of one was dropped: then it cannot be read again.
        """
        found = [raw_of(row) for row in self.replies(record, run_id)]
        whole = tuple(raw for raw in found if raw is not None)
        return whole if len(whole) == len(found) else None

    def chain(self, *, last: int | None = None) -> Iterator[ChainEntry]:
        """Every link, or those up to the one numbered `last`, oldest first. Fetched as they are taken."""
        return _chain.links(self._connection, last)

    def kept_links(self) -> Iterator[KeptRow]:
        """Every link with its record and the replies that it marks, oldest first, in memory one at a time."""
        return _chain.kept_links(self._connection)

    def link_columns(self) -> Iterator[LinkColumns]:
        """Every link, oldest first, beside what the columns of other rows say of it."""
        return _chain.link_columns(self._connection)

    def judged_views(self) -> Iterator[tuple[str, bytes, list[View], set[str]]]:
        """Digest and bytes of each record that a batch names, the views of those batches, and the digests of the
        records whose dissents it is said to weigh."""
        return _chain.judged_views(self._connection)

    def last_link(self, record_digests: Collection[str]) -> int | None:
        """The number of the newest link that names one of these records; None where none does."""
        return _chain.last_of(self._connection, record_digests)

    def link_number(self, entry: str) -> int | None:
        """The number of the link with this hash; None where there is none."""
        return self._connection.execute(select(chain.c.seq).where(chain.c.entry == entry)).scalar()

    def is_of_first_form(self, record_digests: Collection[str] | None = None) -> bool:
        """Whether a link of a batch's record is of the first version, which kept neither outcome nor instructions.

        record_digests: only those; None is all.
        """
        return _chain.of_first_form(self._connection, record_digests)

    def unlinked_records(self) -> Iterator[str]:
        """Digests of records that stand in no link, which `keep_batch` never leaves behind."""
        return _chain.unlinked(self._connection)

    def lost_records(self) -> Iterator[tuple[str, int, str]]:
        """Run, position and digest of each batch that names a record which is not there."""
        return _chain.lost(self._connection)

    def unmarked_replies(self) -> Iterator[tuple[str, str, int, ReplyRow]]:
        """Record, run, position and row of each reply that no link marks: those of later runs with the same dialog."""
        return _chain.unmarked(self._connection)

    def reply_digests(self, start: str) -> frozenset[str]:
        """Digests of raw replies that start with this text."""
        asked = select(raw_replies.c.digest).where(raw_replies.c.digest.startswith(start, autoescape=True)).distinct()
        return frozenset(self._connection.execute(asked).scalars())

    def chain_head(self) -> ChainEntry | None:
        """The newest link."""
        row = self._connection.execute(select(chain).order_by(chain.c.seq.desc()).limit(1)).one_or_none()
        return None if row is None else _chain.link_of(row._mapping)

    def envelopes(self, *, kind: str | None = None, subject: str | None = None) -> Iterator[Envelope]:
        """Every signature and rotation by when it was made, or those of a kind or of a subject."""
        asked = select(*(column for column in envelopes.c if column is not envelopes.c.digest))
        for column, wanted in ((envelopes.c.kind, kind), (envelopes.c.subject, subject)):
            asked = asked if wanted is None else asked.where(column == wanted)
        order = ("signed_at", "kind", "subject", "key_id", "digest")
        for row in self._connection.execute(asked.order_by(*(envelopes.c[name] for name in order))):
            known_word(row.kind, ("head", "rotation"), "envelope")
            yield row_of(Envelope, row._mapping, "envelope")

    def redactions(self, digest: str | None = None) -> Iterator[Redaction]:
        """Everything that was dropped on purpose, by digest and kind, or what is known of one digest."""
        asked = select(redactions).order_by(redactions.c.digest, redactions.c.kind)
        for row in self._connection.execute(asked if digest is None else asked.where(redactions.c.digest == digest)):
            known_word(row.kind, get_args(RedactedKind), "redaction")
            yield row_of(Redaction, row._mapping, "redaction")

    def nli_answers(self, model: str, pairs: Collection[str]) -> dict[str, NLIResult]:
        """Those of the pairs (by digest) that this model (by digest) has answered."""
        found: dict[str, NLIResult] = {}
        for some in chunks(sorted(set(pairs))):
            asked = select(nli_answers).where(nli_answers.c.model == model, nli_answers.c.pair.in_(some))
            for row in self._connection.execute(asked):
                scores = stored(dict[str, float], stored_json(row.scores, "NLI answer"), "NLI answer")
                found[row.pair] = NLIResult(row.label, scores)
        return found

    def verdict(self, key: str) -> bytes | None:
        """The cached verdict of this key."""
        return self._connection.execute(select(verdicts.c.body).where(verdicts.c.key == key)).scalar()


_RUNS = select(*(column for column in runs.c if column is not runs.c.report))


def _run(row: Row[Any]) -> RunRow:
    values = dict(row._mapping)
    return row_of(RunRow, values | {"spend": stored(Spend, stored_json(values["spend"], "spend"), "spend")}, "run")


def _batch(row: Row[Any]) -> BatchRow:
    view = row_of(View, {name: getattr(row, name) for name in _chain.VIEW_COLUMNS}, "view of a run")
    own = {name: getattr(row, name) for name in ("run_id", "position", "record", "body", "adjudication")}
    return row_of(BatchRow, {**own, "view": view}, "view of a run")
