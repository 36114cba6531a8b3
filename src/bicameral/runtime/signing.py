"""Signing a store: the head of its chain, the key that follows a key, and the end of a run.

Answers for: what is signed is what the store holds at that moment, read and kept in one transaction. A run is whole
before it is signed, and stays whole where it cannot be. Declines to verify the chain (`witness verify` does).

A run that was told to sign loads its key before it does anything else, so that a wrong name costs nothing. Where the
signature cannot be made at the end, the report gets a note and status 2: the job that was asked for was not done.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from bicameral import __version__
from bicameral.canonical import sha256_digest
from bicameral.errors import InputError, SigningKeyError, StoreError
from bicameral.model.judging import Spend
from bicameral.model.run import RunReport
from bicameral.model.witnessing import Envelope
from bicameral.runtime.keyfiles import load_private_key
from bicameral.runtime.workspace import Workspace
from bicameral.settings import Settings
from bicameral.storage import Reader, Transaction
from bicameral.witness.keys import PrivateKey, PublicKey
from bicameral.witness.signing import rotate, sign_statement
from bicameral.witness.statement import (
    MAX_LISTED,
    MOST_USD,
    HeadStatement,
    SignedRecord,
    SignedReply,
    SignedRun,
    read_statement,
    statement_bytes,
)

NOTHING_TO_SIGN: Final = "Nothing was signed: the store has no record yet."


@dataclass(frozen=True, kw_only=True)
class Signed:
    """A head that is signed. envelope: what the store holds.  seq: the newest entry's number.

    is_new: False where this key had signed this head before; then nothing was written.
    """

    envelope: Envelope
    seq: int
    is_new: bool


@dataclass(frozen=True, kw_only=True)
class Rotated:
    """A key that was handed over. head: the chain's head, signed by the new key; None for a store without records."""

    rotation: Envelope
    head: Signed | None


def signing_key_of(settings: Settings) -> PrivateKey | None:
    """The key that these settings name, None where they name none. Raises SigningKeyError as `load_private_key`."""
    if settings.signing_key is None:
        return None
    return load_private_key(settings.signing_key, passphrase=settings.signing_passphrase)


def sign_head(space: Workspace, key: PrivateKey, run_id: str | None = None) -> Signed | None:
    """Sign the newest entry of the store's chain, and keep the signature. None for a chain without entries.

    run_id: a run whose times, spend and replies the signature is to carry.
    Raises InputError for a run that is not there, and StoreError.
    """
    with space.store.write() as tx:
        return _sign_head(tx, key, run_id=run_id, now=space.clock.now())


def rotate_key(space: Workspace, old: PrivateKey, new: PrivateKey) -> Rotated:
    """Let `new` follow `old`: keep the old key's word for it, and sign the head with the new one.

    Doing it twice changes nothing. Raises SigningKeyError where the old key was handed over to another one, or where
    the new one was handed over itself: a reader who pinned the old key could follow neither.
    """
    if old == new:
        raise SigningKeyError("The old key and the new one are the same.", mend="Make a new one with keygen.")
    with space.store.write() as tx:
        now = space.clock.now()
        made = rotate(old, new.public, signed_at=now, program_version=__version__)
        rotations = list(tx.envelopes(kind="rotation"))
        _check_rotation(rotations, old.public, new.public)
        kept = next((one for one in rotations if _names(one) == _names(made)), None)
        if kept is None:
            tx.add_envelope(made)
        return Rotated(rotation=kept or made, head=_sign_head(tx, new, run_id=None, now=now))


def signed_run(space: Workspace, key: PrivateKey, report: RunReport) -> RunReport:
    """Sign the head for a run that is closed; the report as it was, or with a note that says why not and status 2."""
    try:
        signed = sign_head(space, key, report.run_id)
    except Exception as exc:  # whatever stands in the way of a signature, the run is done and kept
        note = f"The chain was not signed: {exc} Sign it with `bicameral witness sign`."
        return replace(report, notes=(*report.notes, note), exit_status=2)
    return replace(report, notes=(*report.notes, NOTHING_TO_SIGN)) if signed is None else report


def _sign_head(tx: Transaction, key: PrivateKey, *, run_id: str | None, now: str) -> Signed | None:
    run = None if run_id is None else _run(tx, run_id)
    head = tx.chain_head()
    if head is None:
        return None
    if head.body is not None and sha256_digest(head.body) != head.entry:
        raise StoreError(
            f"Entry {head.seq} of the chain is damaged, so it is not signed.", mend="Run `bicameral witness verify`."
        )
    statement = HeadStatement(head=head.entry, seq=head.seq, signed_at=now, program_version=__version__, run=run)
    made = sign_statement(statement, key, run_id=run_id)
    again = [one for one in _same_head(tx, made) if run_id in (None, one.run_id)]
    if again:
        return Signed(envelope=again[0], seq=head.seq, is_new=False)
    tx.add_envelope(made)
    return Signed(envelope=made, seq=head.seq, is_new=True)


def _same_head(tx: Transaction, made: Envelope) -> list[Envelope]:
    """The signatures of this key over this head that the store holds."""
    return [one for one in tx.envelopes(kind=made.kind, subject=made.subject) if one.key_id == made.key_id]


def _names(envelope: Envelope) -> tuple[str, str, str]:
    return envelope.kind, envelope.subject, envelope.key_id


def _check_rotation(rotations: list[Envelope], old: PublicKey, new: PublicKey) -> None:
    """Raise SigningKeyError for a rotation that would fork or close a circle."""
    other = next((one.subject for one in rotations if one.key_id == old.key_id and one.subject != new.key_id), None)
    if other is not None:
        raise SigningKeyError(
            f"The old key was handed over already, to {other}.",
            mend="Hand over from that key, or start anew: let your readers pin the new key.",
        )
    if any(one.key_id == new.key_id for one in rotations):
        raise SigningKeyError("The new key was handed over itself before.", mend="Make a new one with keygen.")


def run_as_kept(reader: Reader, signed: HeadStatement) -> SignedRun:
    """What would be signed now of the run that a statement is about, as a reader of that would have it.

    Raises InputError for a run that is gone, RecordError or UnrecordableError for one that no statement can say.
    """
    assert signed.run is not None
    now = read_statement(statement_bytes(replace(signed, run=_run(reader, signed.run.run_id))))
    assert isinstance(now, HeadStatement)
    assert now.run is not None
    return now.run


def _run(tx: Reader, run_id: str) -> SignedRun:
    row = tx.run(run_id)
    if row is None:
        raise InputError(f"There is no run {run_id!r} in this store.", mend="`bicameral witness list` names the runs.")
    digests = list(dict.fromkeys(_digests(tx, run_id)))
    return SignedRun(
        run_id=run_id,
        started_at=row.started_at,
        finished_at=row.finished_at,
        exit_status=row.exit_status,
        program_version=row.program_version,
        spend=_stated(row.spend),
        record_count=len(digests),
        records=_records(tx, run_id, digests),
    )


def _digests(tx: Reader, run_id: str) -> Iterator[str]:
    """The records of the run's views, each followed by the one in which its dissents were weighed."""
    for batch in tx.batches(run_id):
        yield from (digest for digest in (batch.record, batch.adjudication) if digest is not None)


def _records(tx: Reader, run_id: str, digests: list[str]) -> tuple[SignedRecord, ...] | None:
    found: list[SignedRecord] = []
    listed = 0
    for digest in digests:
        replies = tuple(
            SignedReply(digest=row.digest, finish=row.finish, state=row.state) for row in tx.replies(digest, run_id)
        )
        listed += 1 + len(replies)
        if listed > MAX_LISTED:
            return None
        found.append(SignedRecord(record_digest=digest, replies=replies))
    return tuple(found)


def _stated(spend: Spend) -> Spend:
    """The spend, without an amount that is none."""
    usd = spend.usd
    return spend if usd is None or 0 <= usd < MOST_USD else replace(spend, usd=None)
