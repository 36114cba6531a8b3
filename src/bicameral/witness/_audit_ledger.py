"""The account of a verification: what came, what is still wanted, and what the links say of each other.

Answers for: the checks that need more than one link. Declines to examine a link (`_audit_link`) and to read parts.

Checks, in order of the parts:
1. Link: `seq` counts from 0; `previous` is the hash of the entry before. Where the store kept only that one's hash, the
   next is taken at its word.
2. Blob: its bytes have the digest it goes by; something names it; it comes once.
3. Redaction: what it drops counts as dropped where it is not there. Nobody vouches for a redaction unless it is signed.
4. Envelope: a head that it signs is an entry of this chain; where the hash of one is not known, that cannot be said.
   Who signed is the caller's to check.
5. End: as many links came as it says, and the last is its head, and the head that was expected.
6. What was named and neither came nor was dropped is missing. Where a deposit carries no instructions, they are
   counted.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from bicameral.canonical.shown import shown
from bicameral.model.witnessing import Envelope, Problem, ProblemKind, Redaction
from bicameral.witness._audit_index import Index
from bicameral.witness._audit_parts import Blob, End, Header
from bicameral.witness._audit_report import Report, digest_text, problem_of, raw_digest

LISTED: Final = 1000
"""Redactions that a summary lists; it counts them all."""

NAMES: Final = {
    "picture": "The picture",
    "companion": "The companion picture",
    "facts": "The facts file",
    "instructions": "The text of the instructions",
    "reply": "The text of the raw reply",
}

OnEnvelope = Callable[[Envelope, int | None], None]
"""Called with each envelope and the place of the entry whose hash it signs; None where it is a rotation or there is no
such entry."""


@dataclass(frozen=True, kw_only=True)
class Summary:
    """What a verification looked at.

    runs: those that the deposit holds whole, empty for the whole chain.  head: the hash of the last entry, None where
    there is none.  records: those that were here; elsewhere: links of runs whose records are not.
    replies: raw replies beside these records; unmarked: those of them of which the entry marks the text alone.
    blobs: pictures, facts and instructions whose bytes were hashed.
    dropped_evidence, dropped_replies: those that are named, absent and redacted; redactions: who dropped them, when and
    why, the first LISTED.  no_instructions: texts that this deposit says it does not carry.
    broken, missing, unverifiable: problems of each kind.
    """

    runs: tuple[str, ...] = ()
    entries: int = 0
    head: str | None = None
    records: int = 0
    elsewhere: int = 0
    turns: int = 0
    replies: int = 0
    unmarked: int = 0
    blobs: int = 0
    dropped_evidence: int = 0
    dropped_replies: int = 0
    redactions: tuple[Redaction, ...] = ()
    no_instructions: int = 0
    envelopes: int = 0
    broken: int = 0
    missing: int = 0
    unverifiable: int = 0


class Ledger:
    """Takes the parts one by one and yields the problems of each."""

    def __init__(self, index: Index, *, head: str | None, on_envelope: OnEnvelope | None) -> None:
        self._index = index
        self._expected_head = head
        self._on_envelope = on_envelope
        self._header = Header()
        self._head: str | None = None
        self._has_unknown = False
        self._count: Counter[str] = Counter()
        self._redactions: list[Redaction] = []

    def header(self, header: Header) -> None:
        self._header = header

    def link(self, report: Report) -> Iterator[Problem]:
        count = self._count
        place = count["entries"]
        count["entries"] = place + 1
        count["turns"] += report.turns
        count["replies"] += report.replies
        count["unmarked"] += report.unmarked
        if report.readable:
            if report.seq != place:
                yield Problem(
                    where=f"entries[{place}].seq", what=f"Entry {report.seq} stands where entry {place} belongs."
                )
            known = place == 0 or self._head is not None
            if known and report.previous != self._head:
                what = f"It names {_named(report.previous)} as the entry before, which is {_named(self._head)}."
                yield Problem(where=f"entries[{place}].previous", what=what)
        self._head = report.digest
        self._has_unknown = self._has_unknown or report.digest is None
        raw = raw_digest(report.digest)
        if raw is not None:
            self._index.add_head(raw, place)
        for fault in report.faults:
            yield problem_of(fault, place)
        self._index.add(report.named, place)
        if report.held:
            self._count["records"] += 1
        elif self._header.runs:
            self._count["elsewhere"] += 1
        else:
            yield Problem(where=f"entries[{place}].record", what="The record is not there.", kind="missing")

    def blob(self, blob: Blob) -> Iterator[Problem]:
        found, size = hashlib.sha256(), 0
        for chunk in blob.chunks:
            found.update(chunk)
            size += len(chunk)
        where = f"blobs[{shown(blob.digest[:80])}]"
        self._count["blobs"] += 1
        raw = raw_digest(blob.digest)
        if raw is None:
            yield Problem(where=where, what="Its name is no digest.")
            return
        if found.digest() != raw:
            yield Problem(where=where, what=f"Its bytes have the digest {digest_text(found.digest())}.")
        elif size != blob.size:
            yield Problem(where=where, what=f"It has {size:,} bytes, not {blob.size:,}.")
        state = self._index.settle(raw, reply=False)
        if state != "wanted":
            what = "No record here names it." if state == "unknown" else "It is here twice."
            yield Problem(where=where, what=what)

    def redaction(self, redaction: Redaction) -> Iterator[Problem]:
        raw, reply = raw_digest(redaction.digest), redaction.kind == "reply"
        if raw is None:
            yield Problem(where=f"redactions[{shown(redaction.digest)[:80]}]", what="It is of no digest.")
        elif self._index.settle(raw, reply=reply) == "wanted":
            self._count["dropped_replies" if reply else "dropped_evidence"] += 1
            if len(self._redactions) < LISTED:
                self._redactions.append(redaction)

    def envelope(self, envelope: Envelope) -> Iterator[Problem]:
        place = None
        if envelope.kind == "head":
            raw = raw_digest(envelope.subject)
            place = None if raw is None else self._index.entry_of(raw)
            if place is None:
                where = f"envelopes[{self._count['envelopes']}]"
                what = f"It signs {_named(envelope.subject)}, which is no entry of this chain."
                yield Problem(where=where, what=what, kind="unverifiable" if self._has_unknown else "broken")
        self._count["envelopes"] += 1
        if self._on_envelope is not None:
            self._on_envelope(envelope, place)

    def end(self, end: End) -> Iterator[Problem]:
        entries = self._count["entries"]
        if end.altered:
            yield Problem(where="end", what="The bytes before the end mark are not those that it names.")
        if end.entries != entries:
            yield Problem(where="end", what=f"{end.entries:,} links were to come; there are {entries:,}.")
        if self._head is not None or entries == 0:  # else its store kept the last one's hash alone
            if end.head != self._head:
                what = f"The last entry is {_named(self._head)}; the end mark says {_named(end.head)}."
                yield Problem(where="end", what=what)
            if self._expected_head is not None and self._expected_head != self._head:
                expected = _named(self._expected_head)
                what = f"The last entry is {_named(self._head)}, not {expected}: the chain was changed."
                yield Problem(where="head", what=what)
        for wanted in self._index.wanted():
            if wanted.kind == "instructions" and not self._header.instructions:
                self._count["no_instructions"] += 1
                continue
            where = f"entries[{wanted.entry}].{wanted.place}"
            what = (
                f"{NAMES.get(wanted.kind, 'What it names')} is neither here nor redacted: {digest_text(wanted.digest)}."
            )
            yield Problem(where=where, what=what, kind="missing")

    def summary(self, kinds: Counter[ProblemKind]) -> Summary:
        return Summary(
            runs=self._header.runs,
            head=self._head,
            redactions=tuple(self._redactions),
            **self._count,
            broken=kinds["broken"],
            missing=kinds["missing"],
            unverifiable=kinds["unverifiable"],
        )


def _named(entry_hash: str | None) -> str:
    return "none" if entry_hash is None else shown(entry_hash)[:90]
