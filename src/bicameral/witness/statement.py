"""What is signed: in-toto Statements about the head of a chain, or about the key that follows a key.

Answers for: statements in one canonical form, and reading one into values with every fault named. Declines to verify
signatures, to know the time, and to gather a run: all of it is handed in.

Rules, in order:
1. A statement is an object of `_type`, `subject`, `predicateType`, `predicate`; unknown members are carried, as in-toto
   asks, since the signature covers them. None is named twice.
2. It has one subject: the sha256 digest of the chain's head, or of the new key's SubjectPublicKeyInfo.
3. A head's predicate says what a record leaves out: when, the program's version, the run and its spend, and each raw
   reply's digest and finish state. Money is a decimal text: two readers of a float may read two amounts.
"""

from __future__ import annotations

import base64
import binascii
import re
from dataclasses import dataclass
from typing import Final

from bicameral.canonical.plain import MAX_INTEGER, record_json
from bicameral.canonical.reading import parse_json
from bicameral.canonical.shown import shown
from bicameral.errors import RecordError, SigningKeyError
from bicameral.model.judging import Spend
from bicameral.model.vocabulary import Finish, ReplyState
from bicameral.witness._members import Members
from bicameral.witness.keys import PublicKey, public_key_of_der

STATEMENT_TYPE: Final = "https://in-toto.io/Statement/v1"
HEAD_TYPE: Final = "urn:bicameral:chain-head:v1"
ROTATION_TYPE: Final = "urn:bicameral:key-rotation:v1"
"""Names of what a statement says, not addresses."""

MAX_LISTED: Final = 50_000
"""Records and replies that a statement lists; of a larger run it says how many there are, and the chain marks each."""

MAX_VALUES: Final = 1_000_000
"""Most values in a statement: above what MAX_LISTED replies need, and below what would fill a memory."""

MOST_USD: Final = 1e12
"""An amount from here on, or below 0, is no spend."""

_HEX: Final = re.compile(r"[0-9a-f]{64}", re.ASCII)
_TIME: Final = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z", re.ASCII)
_MONEY: Final = re.compile(r"(?:0|[1-9]\d{0,11})(?:\.\d{1,18})?", re.ASCII)


@dataclass(frozen=True, kw_only=True)
class SignedReply:
    """What a statement says of one raw reply. digest: `sha256:` of its text."""

    digest: str
    finish: Finish
    state: ReplyState


@dataclass(frozen=True, kw_only=True)
class SignedRecord:
    """A record of the run and the replies that this run read into it, in the order they came."""

    record_digest: str
    replies: tuple[SignedReply, ...] = ()


@dataclass(frozen=True, kw_only=True)
class SignedRun:
    """The run that ended with this signature.

    finished_at, exit_status: None where it was signed before it was closed.  records: in the order of its views, None
    where they are more than MAX_LISTED; record_count says how many there are.
    """

    run_id: str
    started_at: str
    finished_at: str | None
    exit_status: int | None
    program_version: str
    spend: Spend
    record_count: int
    records: tuple[SignedRecord, ...] | None


@dataclass(frozen=True, kw_only=True)
class HeadStatement:
    """The chain has this head. head: hash of its newest entry; seq: that entry's number, so it has seq + 1 entries.

    signed_at: RFC 3339, UTC, as the signer's clock said.  run: None where it was signed by hand.
    """

    head: str
    seq: int
    signed_at: str
    program_version: str
    run: SignedRun | None = None


@dataclass(frozen=True, kw_only=True)
class RotationStatement:
    """The key of the id `old_key_id`, which signs this, is followed by another."""

    old_key_id: str
    new_key: PublicKey
    signed_at: str
    program_version: str


Statement = HeadStatement | RotationStatement


def statement_bytes(statement: Statement) -> bytes:
    """The statement's canonical bytes. Raises UnrecordableError for a value that JSON cannot say."""
    if isinstance(statement, RotationStatement):
        predicate: dict[str, object] = {
            "oldKeyId": statement.old_key_id,
            "newKey": base64.b64encode(statement.new_key.der).decode("ascii"),
        }
        return _whole(statement, ROTATION_TYPE, "key", statement.new_key.key_id, predicate)
    predicate = {"chain": {"seq": statement.seq, "entries": statement.seq + 1}}
    if statement.run is not None:
        predicate["run"] = _run_members(statement.run)
    return _whole(statement, HEAD_TYPE, "chain-head", statement.head, predicate)


def _whole(statement: Statement, kind: str, name: str, subject: str, predicate: dict[str, object]) -> bytes:
    predicate["signedAt"] = statement.signed_at
    predicate["program"] = {"name": "bicameral", "version": statement.program_version}
    return record_json(
        {
            "_type": STATEMENT_TYPE,
            "subject": [{"name": name, "digest": {"sha256": subject.removeprefix("sha256:")}}],
            "predicateType": kind,
            "predicate": predicate,
        }
    )


def _run_members(run: SignedRun) -> dict[str, object]:
    members: dict[str, object] = {
        "runId": run.run_id,
        "startedAt": run.started_at,
        "finishedAt": run.finished_at,
        "exitStatus": run.exit_status,
        "programVersion": run.program_version,
        "spend": {
            "calls": run.spend.calls,
            "inputTokens": run.spend.input_tokens,
            "outputTokens": run.spend.output_tokens,
            "usd": None if run.spend.usd is None else money(run.spend.usd),
        },
        "recordCount": run.record_count,
    }
    if run.records is not None:
        members["records"] = [
            {"recordDigest": record.record_digest, "replies": [vars(reply) for reply in record.replies]}
            for record in run.records
        ]
    return members


def money(amount: float) -> str:
    """An amount as decimal text without an exponent, to a billionth of a dollar, the end zeros left out."""
    return f"{amount:.9f}".rstrip("0").removesuffix(".")


def read_statement(payload: bytes, what: str = "The statement") -> Statement:
    """A statement from its bytes. Raises RecordError for what is none of ours, naming the member."""
    if sum(map(payload.count, (b",", b"[", b"{"))) > MAX_VALUES:
        raise RecordError(f"{what} holds more than {MAX_VALUES:,} values, which is more than is read.")
    whole = Members.of(parse_json(payload, unique_members=True, what=what), what)
    if whole.text("_type") != STATEMENT_TYPE:
        raise RecordError(f"{what} is no in-toto Statement of version 1.")
    kind = whole.text("predicateType")
    if kind not in (HEAD_TYPE, ROTATION_TYPE):
        raise RecordError(f"{what} is about something else: its predicateType is '{shown(kind)[:80]}'.")
    subject = _subject(whole)
    predicate = whole.part("predicate")
    signed_at = predicate.matching("signedAt", _TIME, "a time in UTC")
    version = predicate.part("program").text("version")
    if kind == ROTATION_TYPE:
        new_key = _new_key(predicate)
        if new_key.key_id != subject:
            raise RecordError(f"{what} is about another key than the one it hands over to.")
        old_key_id = predicate.text("oldKeyId")
        if old_key_id == subject:
            raise RecordError(f"{what} lets a key follow itself.")
        return RotationStatement(old_key_id=old_key_id, new_key=new_key, signed_at=signed_at, program_version=version)
    chain = predicate.part("chain")
    seq = chain.number("seq", most=MAX_INTEGER - 1)
    if chain.number("entries") != seq + 1:
        raise RecordError(f"{what}: a chain whose newest entry is number {seq} has {seq + 1} entries.")
    run = predicate.part("run") if "run" in predicate else None
    return HeadStatement(
        head=subject, seq=seq, signed_at=signed_at, program_version=version, run=None if run is None else _run(run)
    )


def _subject(whole: Members) -> str:
    parts = whole.parts("subject")
    if len(parts) != 1:
        raise RecordError(f"{whole.where} has {len(parts)} subjects; exactly one was expected.")
    return "sha256:" + parts[0].part("digest").matching("sha256", _HEX, "64 lower-case hex digits")


def _new_key(predicate: Members) -> PublicKey:
    text = predicate.text("newKey")
    try:
        key = public_key_of_der(base64.b64decode(text, validate=True))
    except (binascii.Error, ValueError, SigningKeyError) as exc:
        raise RecordError(f"{predicate.where}.newKey is no Ed25519 public key in base64.") from exc
    if base64.b64encode(key.der).decode("ascii") != text:
        raise RecordError(f"{predicate.where}.newKey is not the one base64 text of its key.")
    return key


def _run(run: Members) -> SignedRun:
    records = tuple(_record(part) for part in run.parts("records")) if "records" in run else None
    count = run.number("recordCount")
    if records is not None and len(records) != count:
        raise RecordError(f"{run.where} counts {count} records and lists {len(records)}.")
    return SignedRun(
        run_id=run.text("runId"),
        started_at=run.text("startedAt"),
        finished_at=run.text_or_none("finishedAt"),
        exit_status=None if run.is_null("exitStatus") else run.number("exitStatus", most=255),
        program_version=run.text("programVersion"),
        spend=_spend(run.part("spend")),
        record_count=count,
        records=records,
    )


def _spend(spend: Members) -> Spend:
    usd = None if spend.is_null("usd") else float(spend.matching("usd", _MONEY, "a decimal amount or null"))
    return Spend(
        calls=spend.number("calls"),
        input_tokens=spend.number("inputTokens"),
        output_tokens=spend.number("outputTokens"),
        usd=usd,
    )


def _record(record: Members) -> SignedRecord:
    return SignedRecord(
        record_digest=record.digest("recordDigest"),
        replies=tuple(
            SignedReply(
                digest=reply.digest("digest"),
                finish=reply.word("finish", Finish),
                state=reply.word("state", ReplyState),
            )
            for reply in record.parts("replies")
        ),
    )
