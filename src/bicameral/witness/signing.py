"""Signatures over the head of a chain: making them, checking one, and what all of a deposit's say together.

Answers for: a signature counts only where a key that the reader pinned made it, or one that such a key handed over to.
No key that an envelope brings is ever used for another reason. Declines to verify the chain, to read files or the
clock, and to know of keys that were stolen: see `spec/bicameral.envelope.v1.md`, section 6.

Rules for a deposit, in order:
1. The pinned keys are trusted, and the key in a rotation that a trusted key signed, and so on; a loop ends where it
   began. A key that was handed over to two keys is followed to neither, and that is told.
2. An envelope that does not read, that does not say what its row says, whose signature is not by the key that it names
   and that is trusted, or that signs an entry which the chain does not have, is a problem: the deposit contradicts
   itself. Whose signature by a key that nobody pinned is, is not known: it makes nothing signed.
3. The signature over the newest entry counts. Entries after it are unsigned, and are told.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from bicameral.canonical.shown import shown
from bicameral.errors import RecordError
from bicameral.model.witnessing import Envelope, Problem
from bicameral.witness.envelope import Sealed, read_envelope, seal
from bicameral.witness.keys import PrivateKey, PublicKey
from bicameral.witness.statement import HeadStatement, RotationStatement, Statement, read_statement, statement_bytes

EnvelopeVerdict = Literal["good", "foreign", "bad"]
"""`good`: a trusted key signed it, and it says what it says.  `foreign`: it reads, and no trusted key is concerned.
`bad`: it does not read, its signature does not hold, or it is about something that is none of ours."""

SignatureWord = Literal["signed", "moved-on", "unsigned", "unchecked"]
"""`signed`: a trusted key signed the head.  `moved-on`: it signed an earlier entry, and others came after.
`unsigned`: nothing of this chain is signed by a trusted key; without one to check against, nothing is signed at all.
`unchecked`: no key was given, and an envelope says that the head is signed."""


@dataclass(frozen=True, kw_only=True)
class CheckedEnvelope:
    """What one envelope came to.

    key_id: the key that signed it where it is good, else the one it names, None where it names none.
    statement: what it says, None where it does not read; only of a good one is it known who says it.
    why: one sentence, empty where it is good.
    """

    verdict: EnvelopeVerdict
    key_id: str | None = None
    statement: Statement | None = None
    why: str = ""


@dataclass(frozen=True, kw_only=True)
class SignatureState:
    """What the signatures of a deposit say of its chain.

    asked: a key was given.  signed_seq: number of the newest entry that a trusted signature covers, None for none.
    unsigned: entries that none covers.  key_id, signed_at: of that signature, or of the unchecked one over the head.
    trusted: ids of the pinned keys and of those that followed them.  told: one sentence for people.
    problems: what is wrong with envelopes; of kind `broken`, but for a fork of keys, which is `unverifiable`.
    """

    word: SignatureWord
    asked: bool
    told: str
    signed_seq: int | None = None
    unsigned: int = 0
    key_id: str | None = None
    signed_at: str | None = None
    trusted: tuple[str, ...] = ()
    problems: tuple[Problem, ...] = ()

    @property
    def signed(self) -> bool:
        """The newest entry is signed by a key that was pinned, or by one that followed it."""
        return self.word == "signed"


def sign_statement(statement: Statement, key: PrivateKey, *, run_id: str | None = None) -> Envelope:
    """A statement in an envelope of this key, as it is kept. Raises UnrecordableError for one that cannot be said."""
    is_head = isinstance(statement, HeadStatement)
    return Envelope(
        kind="head" if is_head else "rotation",
        subject=subject_of(statement),
        key_id=key.key_id,
        signed_at=statement.signed_at,
        body=seal(statement_bytes(statement), key),
        run_id=run_id,
    )


def rotate(old: PrivateKey, new: PublicKey, *, signed_at: str, program_version: str) -> Envelope:
    """The old key's word that the new one follows it. Raises RecordError where they are one key."""
    if old.public == new:
        raise RecordError("A key cannot follow itself.", mend="Make a new one with `bicameral witness keygen`.")
    return sign_statement(
        RotationStatement(old_key_id=old.key_id, new_key=new, signed_at=signed_at, program_version=program_version),
        old,
    )


def subject_of(statement: Statement) -> str:
    """The chain head that a statement is about, or the new key's id."""
    return statement.head if isinstance(statement, HeadStatement) else statement.new_key.key_id


def check_envelope(data: bytes, trusted: Collection[PublicKey], what: str = "The envelope") -> CheckedEnvelope:
    """Check one envelope against keys that the reader trusts. Never raises for what the bytes are.

    The name that an envelope gives its key decides nothing: each trusted key is tried. It must be the right one all
    the same, since it is the one part that no signature covers.
    """
    try:
        sealed = read_envelope(data, what)
        statement = read_statement(sealed.payload, f"{what}: payload")
    except RecordError as exc:
        return CheckedEnvelope(verdict="bad", why=exc.message)
    likely_first = sorted(trusted, key=lambda key: key.key_id != sealed.key_id)
    signer = next((key for key in likely_first if sealed.is_signed_by(key)), None)
    if signer is None:
        return _not_by(sealed, statement, trusted, what)
    fault = None
    if sealed.key_id != signer.key_id:
        fault = f"{what} is signed by {signer.key_id} and names another key."
    elif isinstance(statement, RotationStatement) and statement.old_key_id != signer.key_id:
        fault = f"{what} hands over from another key than the one that signs it."
    if fault is not None:
        return CheckedEnvelope(verdict="bad", key_id=sealed.key_id, statement=statement, why=fault)
    return CheckedEnvelope(verdict="good", key_id=signer.key_id, statement=statement)


def _not_by(sealed: Sealed, statement: Statement, trusted: Collection[PublicKey], what: str) -> CheckedEnvelope:
    if any(sealed.key_id == key.key_id for key in trusted):
        why = f"{what} names the key {sealed.key_id}, which did not sign it: it was changed, or made up."
        return CheckedEnvelope(verdict="bad", key_id=sealed.key_id, statement=statement, why=why)
    why = f"{what} is by {shown(sealed.key_id)[:80]}, which is no key that is trusted here."
    return CheckedEnvelope(verdict="foreign", key_id=sealed.key_id, statement=statement, why=why)


def signature_state(
    envelopes: Iterable[Envelope],
    trusted: Sequence[PublicKey],
    *,
    head: str | None,
    entries: int,
    seq_of: Callable[[str], int | None],
) -> SignatureState:
    """What the signatures of a deposit say of its chain, by the module's rules.

    envelopes: gone through twice, so they are kept if they are an iterator; one is looked at at a time.
    trusted: the pinned keys; none where no signature was asked for, and then nothing is called signed.
    head, entries: hash of the newest entry and how many there are, of a chain that was verified.
    seq_of: the number of the entry with a hash, None where the chain has none. It is asked for signed heads alone (the
    `subject` of each envelope of a head), so a reader of a stream need note the places of no others.
    """
    if isinstance(envelopes, Iterator):
        envelopes = tuple(envelopes)
    keys, forks = follow_rotations(envelopes, trusted)
    problems = list(forks)
    best: tuple[int, CheckedEnvelope] | None = None
    claim: CheckedEnvelope | None = None
    for index, envelope in enumerate(envelopes):
        where = f"envelopes[{index}]"
        checked = check_envelope(envelope.body, keys, "It")
        faults = list(_faults(envelope, checked, where, seq_of))
        problems += faults
        if faults or not isinstance(checked.statement, HeadStatement):
            continue
        if checked.statement.head == head:
            claim = claim or checked
        if checked.verdict == "good" and (best is None or checked.statement.seq > best[0]):
            best = checked.statement.seq, checked
    if not trusted:
        return _unasked(claim, entries, tuple(problems))
    return _asked(best, claim, entries, keys, tuple(problems))


def follow_rotations(
    envelopes: Iterable[Envelope], trusted: Sequence[PublicKey]
) -> tuple[tuple[PublicKey, ...], tuple[Problem, ...]]:
    """The trusted keys and those that followed them, each once, in the order they were reached; and the forks."""
    by_signer: dict[str, list[bytes]] = {}
    for envelope in envelopes:
        if envelope.kind == "rotation":
            by_signer.setdefault(envelope.key_id, []).append(envelope.body)
    keys = list(dict.fromkeys(trusted))
    forks: list[Problem] = []
    for key in keys:  # grows as keys are reached
        named = {
            checked.statement.new_key
            for checked in (check_envelope(body, [key]) for body in by_signer.get(key.key_id, ()))
            if checked.verdict == "good" and isinstance(checked.statement, RotationStatement)
        }
        if len(named) > 1:
            what = f"The key {key.key_id} was handed over to {len(named)} keys, so none of them is trusted for it."
            forks.append(Problem(where="envelopes", what=what, kind="unverifiable"))
        else:
            keys += [new for new in named if new not in keys]
    return tuple(keys), tuple(forks)


def _faults(
    envelope: Envelope, checked: CheckedEnvelope, where: str, seq_of: Callable[[str], int | None]
) -> Iterator[Problem]:
    """What is wrong with one envelope, as it lies in the deposit."""
    if checked.verdict == "bad":
        yield Problem(where=where, what=checked.why)
        return
    statement = checked.statement
    assert statement is not None
    for name, said in _said(checked, statement).items():
        if getattr(envelope, name) != said:
            told = shown(str(getattr(envelope, name)))[:80]
            yield Problem(where=f"{where}.{name}", what=f"It is kept as {told}, and the envelope says {said}.")
    if not isinstance(statement, HeadStatement):
        return
    seq = seq_of(statement.head)
    if seq is None:
        what = f"It signs entry {statement.seq}, {statement.head}, which this chain does not have: entries were"
        yield Problem(where=where, what=f"{what} dropped or made anew, or it is another chain's.")
    elif seq != statement.seq:
        yield Problem(where=where, what=f"It says that {statement.head} is entry {statement.seq}; it is entry {seq}.")


def _said(checked: CheckedEnvelope, statement: Statement) -> dict[str, str | None]:
    """What the row of an envelope must say, by the names of its members."""
    members: dict[str, str | None] = {
        "kind": "head" if isinstance(statement, HeadStatement) else "rotation",
        "subject": subject_of(statement),
        "key_id": checked.key_id,
        "signed_at": statement.signed_at,
    }
    if isinstance(statement, HeadStatement):
        members["run_id"] = None if statement.run is None else statement.run.run_id
    return members


def _unasked(claim: CheckedEnvelope | None, entries: int, problems: tuple[Problem, ...]) -> SignatureState:
    if claim is None or claim.statement is None:
        return SignatureState(word="unsigned", asked=False, told="Not signed.", unsigned=entries, problems=problems)
    return SignatureState(
        word="unchecked",
        asked=False,
        told=f"An envelope says that {shown(str(claim.key_id))[:80]} signed it; no key was given to check that.",
        unsigned=entries,
        key_id=claim.key_id,
        signed_at=claim.statement.signed_at,
        problems=problems,
    )


def _asked(
    best: tuple[int, CheckedEnvelope] | None,
    claim: CheckedEnvelope | None,
    entries: int,
    keys: Sequence[PublicKey],
    problems: tuple[Problem, ...],
) -> SignatureState:
    trusted = tuple(key.key_id for key in keys)
    if best is None or best[1].statement is None:
        by = "" if claim is None else f"; there is one by {shown(str(claim.key_id))[:80]}"
        told = f"There is no signature by the key that was asked for{by}."
        return SignatureState(
            word="unsigned", asked=True, told=told, unsigned=entries, trusted=trusted, problems=problems
        )
    seq, checked = best
    after = entries - seq - 1
    told = f"Signed by {checked.key_id}."
    if after:
        told = f"Signed up to entry {seq} by {checked.key_id}; {_unsigned(seq + 1, entries - 1)}."
    return SignatureState(
        word="moved-on" if after else "signed",
        asked=True,
        told=told,
        signed_seq=seq,
        unsigned=after,
        key_id=checked.key_id,
        signed_at=checked.statement.signed_at if checked.statement else None,
        trusted=trusted,
        problems=problems,
    )


def _unsigned(first: int, last: int) -> str:
    return f"entry {first} is not signed" if first == last else f"entries {first} to {last} are not signed"
