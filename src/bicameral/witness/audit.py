"""Everything that a deposit of witnessed dialogs says, derived again, while it is read.

Answers for: one engine for a store and for a bundle. Each hash, parent, id and digest is derived from what is there;
each picture, facts file, instruction and raw reply that is named is there, was dropped on purpose, or is missing.
Memory does not grow with the deposit. Declines to: check signatures (it hands the envelopes over), and to read the raw
replies again (`replay` does).

Plan:
1. The parts come in their order (`_audit_parts.ORDER`), or RecordError.
2. Links are examined each alone (`_audit_link`), by several processes if asked, and then as a chain (`_audit_ledger`).
3. Blobs are hashed as they pass; redactions and envelopes are noted; the end closes the account.
4. A RecordError of the source (a torn bundle) ends it, after the problems of all that came before.
The caller owns: where the parts come from, who signed, and what it exits with (`status_of`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import closing
from typing import Final

from bicameral.errors import BicameralError, DefectError, RecordError
from bicameral.model.witnessing import Envelope, Problem, ProblemKind, Redaction
from bicameral.witness._audit_index import Index
from bicameral.witness._audit_ledger import Ledger, OnEnvelope, Summary
from bicameral.witness._audit_parts import BUNDLE_V1, ORDER, Blob, End, Header, Link, Part
from bicameral.witness._audit_pool import BATCH_BYTES, BATCH_LINKS, Batch, examine_all

__all__ = [
    "BUNDLE_V1",
    "MAX_PROBLEMS",
    "Audit",
    "Blob",
    "End",
    "Header",
    "Link",
    "OnEnvelope",
    "Part",
    "Summary",
    "audit",
    "status_of",
]

MAX_PROBLEMS: Final = 10_000
"""Problems that are told; the summary counts them all."""


def audit(
    parts: Iterable[Part], *, head: str | None = None, jobs: int = 1, on_envelope: OnEnvelope | None = None
) -> Audit:
    """Verify a deposit. Iterate over what this returns for the problems; then `summary` says what was looked at.

    head: the hash that the last entry must have, as somebody else knows it; without one a chain that was made anew from
    some entry on is consistent in itself.  jobs: processes at once.  on_envelope: handed each envelope, in order.
    """
    return Audit(parts, head=head, jobs=jobs, on_envelope=on_envelope)


def status_of(summary: Summary, *more: Problem) -> int:
    """What `witness verify` exits with for a deposit that could be read: 0 sound; 1 something is broken or missing;
    2 nothing is, but something could not be verified here. more: problems from elsewhere, such as a signature's."""
    kinds = {problem.kind for problem in more}
    if summary.broken or summary.missing or kinds & {"broken", "missing"}:
        return 1
    return 2 if summary.unverifiable or "unverifiable" in kinds else 0


class Audit:
    """A verification under way: an iterator of its problems, to be run through once."""

    def __init__(self, parts: Iterable[Part], *, head: str | None, jobs: int, on_envelope: OnEnvelope | None) -> None:
        self._parts = iter(parts)
        self._next: Part | None = None
        self._fault: BicameralError | None = None
        self._head, self._jobs, self._on_envelope = head, jobs, on_envelope
        self._summary: Summary | None = None
        self._problems = self._run()

    def __iter__(self) -> Iterator[Problem]:
        return self._problems

    @property
    def summary(self) -> Summary:
        """What was looked at: all of it once the problems have been run through, and what there was before an error."""
        if self._summary is None:
            raise DefectError("The summary of a verification was asked for before its problems were run through.")
        return self._summary

    def _run(self) -> Iterator[Problem]:
        kinds: Counter[ProblemKind] = Counter()
        with Index() as index:
            ledger = Ledger(index, head=self._head, on_envelope=self._on_envelope)
            try:
                for problem in self._found(ledger):
                    kinds[problem.kind] += 1
                    if kinds.total() <= MAX_PROBLEMS:
                        yield problem
            finally:
                self._summary = ledger.summary(kinds)

    def _found(self, ledger: Ledger) -> Iterator[Problem]:
        header = next(self._parts, None)
        if not isinstance(header, Header):
            raise RecordError("A deposit of witnessed dialogs begins with its header.")
        ledger.header(header)
        with closing(examine_all(self._batches(), jobs=self._jobs)) as examined:
            for reports in examined:
                for report in reports:
                    yield from ledger.link(report)
        if self._fault is not None:
            raise self._fault
        part, reached = self._next, ORDER.index(Link)
        while not isinstance(part, End):
            if part is None:
                raise RecordError("The deposit ends without its end mark: something is cut off.")
            if ORDER.index(type(part)) < reached or isinstance(part, Header | Link):
                raise RecordError(f"A {type(part).__name__} stands where none belongs.")
            reached = ORDER.index(type(part))
            if isinstance(part, Blob):
                yield from ledger.blob(part)
            elif isinstance(part, Redaction):
                yield from ledger.redaction(part)
            else:
                assert isinstance(part, Envelope)
                yield from ledger.envelope(part)
            part = next(self._parts, None)
        yield from ledger.end(part)
        if next(self._parts, None) is not None:
            raise RecordError("Something follows the deposit's end mark.")

    def _batches(self) -> Iterator[Batch]:
        """The links, some at a time. What follows them is left in `_next`, what went wrong in `_fault`."""
        batch: Batch = []
        size = 0
        try:
            for part in self._parts:
                if not isinstance(part, Link):
                    self._next = part
                    break
                kept = part.kept
                batch.append(kept)
                size += len(kept.record or b"") + sum(len(reply.text or b"") for reply in kept.replies)
                if len(batch) >= BATCH_LINKS or size >= BATCH_BYTES:
                    yield batch
                    batch, size = [], 0
        except BicameralError as exc:
            self._fault = exc
        if batch:
            yield batch
