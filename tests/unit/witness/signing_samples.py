"""Keys, statements and chains that the tests of signing share. Every key comes from a seed, so every byte is known."""

from __future__ import annotations

import base64
import json
from typing import Any

from bicameral.canonical import canonical_json, sha256_digest
from bicameral.model.judging import Spend
from bicameral.model.witnessing import Envelope
from bicameral.witness.envelope import PAYLOAD_TYPE, pae
from bicameral.witness.keys import PrivateKey
from bicameral.witness.signing import sign_statement
from bicameral.witness.statement import HeadStatement, SignedRecord, SignedReply, SignedRun

OURS = PrivateKey(bytes.fromhex("9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60"))
"""The key of RFC 8032, section 7.1, test 1."""
SECOND, THIRD, STRANGER = (PrivateKey(bytes([n]) * 32) for n in (2, 3, 9))

CHAIN = tuple(sha256_digest(f"entry {n}".encode()) for n in range(6))
"""Hashes of a chain's entries, oldest first."""
WHEN = "2026-11-30T12:00:00Z"

RUN = SignedRun(
    run_id="20261130T120000000-abcd",
    started_at="2026-11-30T11:59:00Z",
    finished_at="2026-11-30T12:00:00Z",
    exit_status=1,
    program_version="0.1.0",
    spend=Spend(calls=2, input_tokens=900, output_tokens=70, usd=0.0125),
    record_count=1,
    records=(
        SignedRecord(
            record_digest=sha256_digest(b"record"),
            replies=(SignedReply(digest=sha256_digest(b"reply"), finish="stop", state="complete"),),
        ),
    ),
)


def head_statement(seq: int = 5, **changes: Any) -> HeadStatement:
    given: dict[str, Any] = {"head": CHAIN[seq], "seq": seq, "signed_at": WHEN, "program_version": "0.1.0"}
    return HeadStatement(**(given | changes))


def signed(seq: int = 5, key: PrivateKey = OURS, **changes: Any) -> Envelope:
    statement = head_statement(seq, **changes)
    return sign_statement(statement, key, run_id=None if statement.run is None else statement.run.run_id)


def sealed_as(payload: bytes, key: PrivateKey = OURS, *, kind: str = PAYLOAD_TYPE, **changes: Any) -> bytes:
    """An envelope with a true signature over whatever payload and type, and members changed afterwards."""
    members: dict[str, Any] = {
        "payload": base64.b64encode(payload).decode(),
        "payloadType": kind,
        "signatures": [{"keyid": key.key_id, "sig": base64.b64encode(key.sign(pae(kind, payload))).decode()}],
    }
    return canonical_json(members | changes)


def members_of(envelope: Envelope) -> dict[str, Any]:
    members: dict[str, Any] = json.loads(envelope.body)
    return members


def payload_of(envelope: Envelope) -> dict[str, Any]:
    payload: dict[str, Any] = json.loads(base64.b64decode(members_of(envelope)["payload"]))
    return payload
