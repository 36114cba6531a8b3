"""Dropping a picture, a facts file, instructions or a raw reply for good, with its digest left wherever it was named.

Answers for: what was committed as redacted is gone from the store, from the verdicts it could be served from and from
the evidence folder, or the next run of the command finishes it. Declines to change a record: what a judge wrote of a
picture stays, as does all that reports and the backlog quote.

Rules, in order:
1. A digest is named whole, or by a start of at least MIN_DIGITS hex digits that only one thing here has.
2. The redaction is committed first, with the replies' texts dropped in that transaction; then the file is removed. A
   crash between the two leaves a file that is told as redacted already; the next run of the command removes it.
3. What is captured anew later has the same digest if it is the same picture, and is a new capture: it is kept. Whoever
   wants it gone again redacts it again, or masks the place.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any, Final

from bicameral.canonical import canonical_json
from bicameral.errors import EvidenceError, InputError
from bicameral.model.witnessing import RedactedKind, Redaction
from bicameral.runtime.backlog import who_rules
from bicameral.runtime.witnessing.charges import evidence_of
from bicameral.runtime.witnessing.source import is_newer
from bicameral.runtime.workspace import Workspace
from bicameral.storage import BatchRow, Reader, Transaction

MIN_DIGITS: Final = 12
"""As many hex digits as a transcript shows of a digest; dropping takes more certainty than looking."""

_START: Final = re.compile(r"(?:sha256:)?([0-9a-f]{1,64})", re.ASCII)


@dataclass(frozen=True, kw_only=True)
class Redacted:
    """What was dropped. kinds: `reply`, `evidence` or both, where one text is both.

    replies: raw replies whose text was dropped now.  file: an evidence file was removed now.
    records: of how many records it is a part.  again: it had been redacted before.
    """

    digest: str
    kinds: tuple[RedactedKind, ...]
    replies: int
    file: bool
    records: int
    again: bool
    redacted_at: str
    redacted_by: str
    reason: str


def redact(space: Workspace, name: str, *, reason: str, by: str | None = None) -> Redacted:
    """Drop what has this digest; done and durable when this returns.

    by: a person's name; None is git's user, else the login.  Raises InputError for a name that fits nothing or more
    than one thing, and for a reason that says nothing; StoreError where the store or the folder cannot be written, in
    which case the same command again finishes it.
    """
    if not reason.strip():
        raise InputError("A redaction says why.", mend='Give --reason "...".')
    with space.store.write() as tx:
        digest, kinds, records = _found(space, tx, name)
        earlier = {(one.digest, one.kind): one for one in tx.redactions()}
        again = all((digest, kind) in earlier for kind in kinds)
        now, person = space.clock.now(), by or who_rules()
        replies = 0
        for kind in kinds:
            redaction = Redaction(digest=digest, kind=kind, redacted_at=now, redacted_by=person, reason=reason.strip())
            replies += tx.redact(redaction)
            if kind == "reply":
                replies += _drop_from_failures(tx, digest)
    # From here on it is told as redacted, whatever happens.
    removed = space.evidence.remove(digest) if "evidence" in kinds else False
    _finish(space, earlier.values())
    space.store.settle()
    return Redacted(
        digest=digest,
        kinds=kinds,
        replies=replies,
        file=removed,
        records=records,
        again=again,
        redacted_at=now,
        redacted_by=person,
        reason=reason.strip(),
    )


def _finish(space: Workspace, earlier: Iterable[Redaction]) -> None:
    """Remove what a crash left behind."""
    for one in earlier:
        place = space.evidence.find(one.digest) if one.kind == "evidence" else None
        if place is not None and not is_newer(place, one.redacted_at):
            space.evidence.remove(one.digest)


def _found(space: Workspace, reader: Reader, name: str) -> tuple[str, tuple[RedactedKind, ...], int]:
    """The whole digest, what it is here, and how many records it is a part of."""
    match = _START.fullmatch(name.strip())
    if match is None:
        raise InputError(f"{name[:90]!r} is no digest.", mend="`bicameral witness show` tells what a record names.")
    start = f"sha256:{match[1]}"
    if len(match[1]) < MIN_DIGITS:
        raise InputError(
            f"{name} is too short a name for something that is to be dropped.",
            mend=f"Give at least {MIN_DIGITS} digits of the digest.",
        )
    replies = reader.reply_digests(start) | {digest for digest in _failed_replies(reader) if digest.startswith(start)}
    evidence: dict[str, int] = {}
    for digest in _evidence(reader):
        if digest.startswith(start):
            evidence[digest] = evidence.get(digest, 0) + 1
    if not evidence and not replies and len(match[1]) == 64 and _has_file(space, start):
        evidence[start] = 0
    known = sorted(replies | evidence.keys())
    if len(known) != 1:
        how_many = "Nothing here has" if not known else f"{len(known)} things here have"
        raise InputError(
            f"{how_many} a digest that starts with {start}.",
            mend="`bicameral witness show RECORD` tells what a record names.",
        )
    (digest,) = known
    kinds: list[RedactedKind] = ["reply"] if digest in replies else []
    if digest in evidence:
        kinds.append("evidence")
    return digest, tuple(kinds), evidence.get(digest, 0)


def _evidence(reader: Reader) -> Iterator[str]:
    """The digest of everything that lies in the evidence folder for some record or view, once for each record."""
    for row in reader.records():
        yield from evidence_of(row.body)
    for _, told in _failures(reader):
        for shot in told.get("shots") or ():
            yield from (shot[name] for name in ("picture", "facts", "companion") if shot.get(name) is not None)


def _has_file(space: Workspace, digest: str) -> bool:
    try:
        space.evidence.read(digest)
    except EvidenceError:
        return False
    return True


def _failures(reader: Reader) -> Iterator[tuple[BatchRow, dict[str, Any]]]:
    """The batches of views that could not be judged, with what they tell."""
    for run in reader.runs():
        for batch in reader.batches(run.run_id):
            if batch.record is None:
                yield batch, json.loads(batch.body)


def _failed_replies(reader: Reader) -> Iterator[str]:
    for _, told in _failures(reader):
        if told.get("raw"):
            yield told["raw"]["digest"]


def _drop_from_failures(tx: Transaction, digest: str) -> int:
    """A reply that led to no record is kept with its batch; its text is dropped there. Gives how many were."""
    dropped = 0
    for batch, told in list(_failures(tx)):
        raw = told.get("raw")
        if raw and raw["digest"] == digest and raw["text"] is not None:
            tx.rewrite_batch(replace(batch, body=canonical_json({**told, "raw": {**raw, "text": None}})))
            dropped += 1
    return dropped
