"""Verifying what a path holds: every hash, parent, id and digest derived again, and whose signature the chain has.

Answers for: one answer for a store, a bundle, a record and a trace, and a status (DESIGN 4): 0 sound; 1 broken, or
something that is named is missing; 2 unreadable, or nothing here can say; 3 a signature was asked for and is absent or
not by that key. Declines to derive anything itself: `witness` does.

Of a store these are looked at besides (a bundle has none of them): each record has a link, each batch that names a
record finds it, the rows of the chain say what their bytes say, and the replies of later runs, which no link marks,
have the digests they go by.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Final

from bicameral.canonical import sha256_digest
from bicameral.errors import BicameralError
from bicameral.model.witnessing import Envelope, Problem, Redaction
from bicameral.runtime.keyfiles import load_public_key
from bicameral.runtime.records import read_input
from bicameral.runtime.witnessing.opening import Deposit, Kind, is_trace, kind_of, open_file, opened
from bicameral.settings import Settings
from bicameral.storage import ChainEntry, Reader
from bicameral.witness import verify_record
from bicameral.witness.audit import Part, Summary, audit
from bicameral.witness.cael import verify_trace
from bicameral.witness.keys import PublicKey
from bicameral.witness.signing import SignatureState, signature_state

SOUND, BROKEN, UNREADABLE, NOT_SIGNED = 0, 1, 2, 3

_WORST_FIRST: Final = (UNREADABLE, BROKEN, NOT_SIGNED, SOUND)
_MOST_JOBS: Final = 4


@dataclass(frozen=True, kw_only=True)
class Verified:
    """What came of one path.

    entries: links of a chain, lines of a trace, 1 for a record.  error: why it could not be read, None where it could.
    summary, signature: of a store or a bundle.  asked: a key was given.
    """

    path: str
    kind: Kind | None
    entries: int = 0
    problems: tuple[Problem, ...] = ()
    error: str | None = None
    summary: Summary | None = None
    signature: SignatureState | None = None
    asked: bool = False

    @property
    def signed(self) -> bool:
        """The newest entry is signed by a key that was given, or by one that followed it."""
        return self.signature is not None and self.signature.signed

    @property
    def redactions(self) -> tuple[Redaction, ...]:
        return () if self.summary is None else self.summary.redactions

    @property
    def redacted(self) -> int:
        """How many things that are named were dropped on purpose."""
        return 0 if self.summary is None else self.summary.dropped_evidence + self.summary.dropped_replies

    @property
    def unverifiable(self) -> int:
        return sum(problem.kind == "unverifiable" for problem in self.problems)

    @property
    def _beyond_those_told(self) -> bool:
        """An audit tells a bounded number of problems, and counts them all."""
        return self.summary is not None and self.summary.broken + self.summary.missing > 0

    @property
    def status(self) -> int:
        """What the command answers with."""
        if self.error is not None:
            return UNREADABLE
        if any(problem.kind != "unverifiable" for problem in self.problems) or self._beyond_those_told:
            return BROKEN
        if self.asked and not self.signed:
            return NOT_SIGNED
        return UNREADABLE if self.problems else SOUND


def worst(statuses: Iterable[int]) -> int:
    """The one that stands for all: what could not be read, then what is broken, then what is not signed."""
    return min(statuses, key=_WORST_FIRST.index, default=SOUND)


def load_keys(names: Iterable[Path]) -> tuple[PublicKey, ...]:
    """The keys that a reader pins. Raises SigningKeyError for a file that holds none."""
    return tuple(load_public_key(name) for name in names)


def verify_path(
    settings: Settings, name: str | None, *, keys: Sequence[PublicKey] = (), head: str | None = None
) -> Verified:
    """Verify what a path holds; None is this project's store. What cannot be read is told, never raised.

    head: the digest of the newest entry, of a record, or of a trace's last line, as somebody else knows it.
    """
    shown = str(settings.state_dir) if name is None else name
    kind: Kind | None = None
    try:
        kind = kind_of(name)
        if kind in ("store", "bundle"):
            with opened(settings, name) as deposit:
                return verify_deposit(deposit, shown, keys=keys, head=head)
        if kind == "trace":
            assert name is not None
            with open_file(name) as file:
                return _verified_trace(shown, file, asked=bool(keys), head=head)
        assert name is not None
        body = read_input(name)
        if is_trace(body):
            return _verified_trace(shown, body.splitlines(), asked=bool(keys), head=head)
        problems = tuple(verify_record(body, record_digest=head))
        return Verified(path=shown, kind="document", entries=1, problems=problems, asked=bool(keys))
    except BicameralError as error:
        return Verified(path=shown, kind=kind, error=str(error), asked=bool(keys))


def verify_deposit(
    deposit: Deposit,
    shown: str,
    *,
    parts: Iterator[Part] | None = None,
    keys: Sequence[PublicKey] = (),
    head: str | None = None,
) -> Verified:
    """Verify an open store or bundle. parts: its parts, where somebody else looks at them on the way.

    What is torn is told with all that was found before it.
    """
    envelopes: list[Envelope] = []
    places: dict[str, int] = {}

    def met(envelope: Envelope, place: int | None) -> None:
        envelopes.append(envelope)
        if place is not None:
            places[envelope.subject] = place

    check = audit(deposit.parts if parts is None else parts, head=head, jobs=_jobs(), on_envelope=met)
    problems: list[Problem] = []
    error = None
    try:
        problems += check
        if deposit.reader is not None:
            problems += store_problems(deposit.reader)
    except BicameralError as fault:
        error = str(fault)
    summary = check.summary
    signature = signature_state(envelopes, keys, head=summary.head, entries=summary.entries, seq_of=places.get)
    told = {problem.where for problem in problems}
    problems += [problem for problem in signature.problems if problem.where not in told]
    return Verified(
        path=shown,
        kind=deposit.kind,
        entries=summary.entries,
        problems=tuple(problems),
        error=error,
        summary=summary,
        signature=signature,
        asked=bool(keys),
    )


def store_problems(reader: Reader) -> Iterator[Problem]:
    """What can be wrong with a store and with no bundle of it."""
    yield from chain.from_iterable(_row_problems(link) for link in reader.chain())
    for digest in reader.unlinked_records():
        yield Problem(where=f"records[{digest}]", what="No entry of the chain names it: one was dropped.")
    for run_id, position, digest in reader.lost_records():
        what = f"The record that it names is not there: {digest}."
        yield Problem(where=f"runs[{run_id}].views[{position}]", what=what, kind="missing")
    redacted = {one.digest for one in reader.redactions() if one.kind == "reply"}
    for record, run_id, position, reply in reader.unmarked_replies():
        where = f"records[{record}].runs[{run_id}].replies[{position}]"
        if reply.body is None:
            if reply.digest not in redacted:
                yield Problem(where=where, what="Its text is neither here nor redacted.", kind="missing")
        elif sha256_digest(reply.body) != reply.digest:
            yield Problem(where=where, what=f"Its text does not have the digest {reply.digest}.")


def _row_problems(link: ChainEntry) -> Iterator[Problem]:
    """A row of the chain has the hash and the record of its bytes in columns of their own, by which it is found."""
    if link.body is None:
        return
    where = f"entries[{link.seq}]"
    if sha256_digest(link.body) != link.entry:
        yield Problem(where=where, what=f"It is kept under {link.entry}, which is not the hash of its bytes.")
    if f'"recordDigest":"{link.record}"'.encode() not in link.body:
        yield Problem(where=where, what=f"It is kept for the record {link.record}, which its bytes do not name.")


def _verified_trace(shown: str, lines: Iterable[bytes], *, asked: bool, head: str | None) -> Verified:
    count = 0

    def counted() -> Iterator[bytes]:
        nonlocal count
        for line in lines:
            count += bool(line.strip())
            yield line

    problems = tuple(verify_trace(counted(), head=head))
    return Verified(path=shown, kind="trace", entries=count, problems=problems, asked=asked)


def _jobs() -> int:
    """Processes at once for a long chain; a short one is verified by this one alone."""
    return max(1, min(_MOST_JOBS, os.cpu_count() or 1))
