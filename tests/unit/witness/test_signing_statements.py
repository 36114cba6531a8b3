"""Statements: what is written reads back equal, and what is not ours is refused with the member's name."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from signing_samples import OURS, RUN, SECOND, WHEN, head_statement

from bicameral.canonical import canonical_json, sha256_digest
from bicameral.errors import RecordError, UnrecordableError
from bicameral.model.judging import Spend
from bicameral.witness.keys import PublicKey
from bicameral.witness.statement import (
    HeadStatement,
    RotationStatement,
    SignedRecord,
    SignedReply,
    SignedRun,
    money,
    read_statement,
    statement_bytes,
)

DIGESTS = st.binary(max_size=8).map(sha256_digest)
TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
COUNTS = st.integers(0, 2**53 - 1)
REPLIES = st.builds(
    SignedReply,
    digest=DIGESTS,
    finish=st.sampled_from(["stop", "length", "refusal"]),
    state=st.sampled_from(["complete", "truncated", "refused", "empty", "unreadable", "incomplete"]),
)
RECORDS = st.builds(SignedRecord, record_digest=DIGESTS, replies=st.lists(REPLIES, max_size=3).map(tuple))
SPENDS = st.builds(
    Spend,
    calls=COUNTS,
    input_tokens=COUNTS,
    output_tokens=COUNTS,
    usd=st.none() | st.integers(0, 10**9).map(lambda n: n / 10**6),
)


@st.composite
def runs(draw: st.DrawFn) -> SignedRun:
    records = draw(st.none() | st.lists(RECORDS, max_size=3).map(tuple))
    return SignedRun(
        run_id=draw(TEXTS),
        started_at=draw(TEXTS),
        finished_at=draw(st.none() | TEXTS),
        exit_status=draw(st.none() | st.integers(0, 255)),
        program_version=draw(TEXTS),
        spend=draw(SPENDS),
        record_count=draw(COUNTS) if records is None else len(records),
        records=records,
    )


HEADS = st.builds(
    HeadStatement,
    head=DIGESTS,
    seq=st.integers(0, 2**53 - 2),
    signed_at=st.just(WHEN),
    program_version=TEXTS,
    run=st.none() | runs(),
)
ROTATIONS = st.builds(
    RotationStatement,
    old_key_id=TEXTS,
    new_key=st.binary(min_size=32, max_size=32).map(PublicKey),
    signed_at=st.just(WHEN),
    program_version=TEXTS,
)


@given(HEADS | ROTATIONS)
def test_what_is_written_reads_back_equal(statement: HeadStatement | RotationStatement) -> None:
    data = statement_bytes(statement)
    assert read_statement(data) == statement
    assert canonical_json(json.loads(data)) == data


@given(st.floats(0, 999_999_999, allow_nan=False))
def test_money_is_a_plain_decimal_within_a_billionth(amount: float) -> None:
    text = money(amount)
    assert abs(float(text) - amount) <= 1e-9 + amount * 1e-15
    assert set(text) <= set("0123456789.")
    assert text == "0" or not text.endswith((".", "0")) or "." not in text


@pytest.mark.parametrize(
    ("amount", "text"),
    [(0.0, "0"), (10.0, "10"), (100.0, "100"), (0.0125, "0.0125"), (1e-12, "0"), (3e-7, "0.0000003")],
)
def test_money_keeps_its_whole_part(amount: float, text: str) -> None:
    assert money(amount) == text


def test_a_statement_is_an_in_toto_statement_of_version_1() -> None:
    members = json.loads(statement_bytes(head_statement()))
    assert members == {
        "_type": "https://in-toto.io/Statement/v1",
        "predicate": {
            "chain": {"entries": 6, "seq": 5},
            "program": {"name": "bicameral", "version": "0.1.0"},
            "signedAt": WHEN,
        },
        "predicateType": "urn:bicameral:chain-head:v1",
        "subject": [{"digest": {"sha256": head_statement().head.removeprefix("sha256:")}, "name": "chain-head"}],
    }


def test_a_statement_says_of_the_run_what_its_records_leave_out() -> None:
    run = json.loads(statement_bytes(head_statement(run=RUN)))["predicate"]["run"]
    assert run["spend"] == {"calls": 2, "inputTokens": 900, "outputTokens": 70, "usd": "0.0125"}
    assert run["records"][0]["replies"] == [{"digest": sha256_digest(b"reply"), "finish": "stop", "state": "complete"}]


def test_members_that_a_later_version_adds_are_carried() -> None:
    members = json.loads(statement_bytes(head_statement()))
    members["predicate"]["note"] = members["note"] = "x"
    members["subject"][0]["uri"] = "x"
    assert read_statement(canonical_json(members)) == head_statement()


def changed(path: str, value: Any, *, rotation: bool = False) -> bytes:
    statement = (
        RotationStatement(old_key_id=OURS.key_id, new_key=SECOND.public, signed_at=WHEN, program_version="1")
        if rotation
        else head_statement(run=RUN)
    )
    members = json.loads(statement_bytes(statement))
    *steps, last = (int(step) if step.isdigit() else step for step in path.split("/"))
    place: Any = members
    for step in steps:
        place = place[step]
    if value is ...:
        del place[last]
    else:
        place[last] = value
    return canonical_json(members)


FAULTS: dict[str, tuple[str, Any]] = {
    r"no in-toto Statement": ("_type", "x"),
    r"statement lacks _type": ("_type", ...),
    r"predicateType is 'x'": ("predicateType", "x"),
    r"\.predicateType is of type NoneType": ("predicateType", None),
    r"has 0 subjects": ("subject", []),
    r"has 2 subjects": ("subject", [{"digest": {"sha256": "0" * 64}}] * 2),
    r"\.subject is of type dict": ("subject", {}),
    r"subject\[0\] is no object": ("subject", ["x"]),
    r"subject\[0\]\.digest lacks sha256": ("subject", [{"digest": {"sha512": "0" * 128}}]),
    r"64 lower-case hex": ("subject/0/digest/sha256", "A" * 64),
    r"digest\.sha256 is of type int": ("subject/0/digest/sha256", 7),
    r"predicate is no object": ("predicate", []),
    r"signedAt is 'yesterday'": ("predicate/signedAt", "yesterday"),
    r"signedAt is '2026-11-30T12:00:00\+01:00'": ("predicate/signedAt", "2026-11-30T12:00:00+01:00"),
    r"predicate lacks program": ("predicate/program", ...),
    r"seq is of type bool": ("predicate/chain/seq", True),
    r"seq is of type float": ("predicate/chain/seq", 5.5),
    r"seq is of type int": ("predicate/chain/seq", -1),
    r"has 6 entries": ("predicate/chain/entries", 7),
    r"run is no object": ("predicate/run", None),
    r"run\.spend\.usd is of type float": ("predicate/run/spend/usd", 0.5),
    r"run\.spend\.usd is '-1'": ("predicate/run/spend/usd", "-1"),
    r"run\.spend\.usd is '1e9'": ("predicate/run/spend/usd", "1e9"),
    r"run\.spend lacks usd": ("predicate/run/spend/usd", ...),
    r"run\.exitStatus is of type int": ("predicate/run/exitStatus", 256),
    r"counts 2 records and lists 1": ("predicate/run/recordCount", 2),
    r"records\[0\]\.recordDigest is 'x'": ("predicate/run/records/0/recordDigest", "x"),
    r"replies\[0\]\.finish is 'because'": ("predicate/run/records/0/replies/0/finish", "because"),
    r"replies\[0\]\.state is ''": ("predicate/run/records/0/replies/0/state", ""),
    r"replies\[0\]\.digest is 'sha256:": ("predicate/run/records/0/replies/0/digest", "sha256:" + "g" * 64),
}


@pytest.mark.parametrize("why", FAULTS)
def test_a_member_that_is_not_as_it_should_be_is_named(why: str) -> None:
    path, value = FAULTS[why]
    with pytest.raises(RecordError, match=why):
        read_statement(changed(path, value))


@pytest.mark.parametrize(
    ("path", "value", "why"),
    [
        ("predicate/newKey", "x", "newKey is no Ed25519 public key"),
        ("predicate/newKey", "AAAA", "newKey is no Ed25519 public key"),
        ("predicate/newKey", ..., "lacks newKey"),
        ("predicate/oldKeyId", ..., "lacks oldKeyId"),
        ("predicate/oldKeyId", SECOND.key_id, "lets a key follow itself"),
        ("subject/0/digest/sha256", "0" * 64, "about another key"),
    ],
)
def test_a_rotation_that_is_not_as_it_should_be_is_refused(path: str, value: Any, why: str) -> None:
    with pytest.raises(RecordError, match=why):
        read_statement(changed(path, value, rotation=True))


@given(st.binary(max_size=60) | st.recursive(st.none() | st.integers() | TEXTS, lambda v: st.lists(v, max_size=3)).map(
    lambda value: json.dumps(value).encode()
))  # fmt: skip
def test_any_other_bytes_are_a_record_error_and_nothing_else(data: bytes) -> None:
    with pytest.raises(RecordError):
        read_statement(data)


def test_a_version_that_utf_8_cannot_say_is_not_signed() -> None:
    with pytest.raises(UnrecordableError):
        statement_bytes(replace(head_statement(), program_version="\ud800"))
