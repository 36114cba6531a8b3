"""Reading what somebody else wrote: every outcome is a record or a RecordError."""

from __future__ import annotations

import json

import pytest

from bicameral.canonical import (
    DialogRecord,
    Record,
    build_agent_dialog_v1_record,
    canonical_json,
    dialog_wire_key,
    open_dialog,
    parse_json,
    read_record,
    record_bytes,
    wire_format_equivalent_dialog,
)
from bicameral.errors import RecordError

DIALOG = {
    "dialogId": "d",
    "turns": [{"speaker": "a", "audience": "b", "chainDepth": 0, "content": "c", "parentHash": "h"}],
}
RECORD = build_agent_dialog_v1_record(DIALOG, label="x")
DEEP = "[" * 100_000 + "]" * 100_000


def test_a_dialog_record_reads_and_gives_its_dialog():
    record = read_record(json.dumps(RECORD))
    assert isinstance(record, DialogRecord)
    assert record == RECORD == read_record(RECORD)
    assert (record.dialog_id, record.label, record["turnCount"]) == ("d", "x", 1)
    assert wire_format_equivalent_dialog(record.dialog(), DIALOG)


def test_the_bytes_that_were_read_are_the_bytes_that_are_written():
    for data in (json.dumps(RECORD, indent=2).encode(), record_bytes(RECORD), b'{"solverType":"x.y.v9","big":1e400}'):
        assert read_record(data).to_bytes() == data
        assert read_record(read_record(data).to_bytes()).to_bytes() == data


def test_members_nobody_knows_are_kept():
    data = record_bytes({**RECORD, "cost": {"usd": "0.1"}})
    record = read_record(data)
    assert record["cost"] == {"usd": "0.1"}
    assert record.to_bytes() == data


@pytest.mark.parametrize("solver_type", ["ui.session.v7", "agent.dialog.v2", "", "AGENT.DIALOG.V1"])
def test_a_type_nobody_knows_is_carried_through_unharmed(solver_type):
    data = json.dumps({"solverType": solver_type, "wireKey": 3, "n": 1.50}).encode()
    record = read_record(data)
    assert type(record) is Record
    assert record.solver_type == solver_type
    assert record.to_bytes() == data


def test_our_record_bytes_are_rfc_8785():
    assert record_bytes(RECORD) == canonical_json(RECORD)


@pytest.mark.parametrize(
    "source",
    [
        None,
        7,
        [],
        b"",
        "",
        "{",
        b"\xff\xfe",
        b"\xef\xbb\xbf{}",
        "\ufeff{}",
        '"\ud800"',
        "[]",
        "null",
        "{}",
        '{"solverType": 3}',
        '{"solverType": null}',
        '{"solverType": "x", "a": NaN}',
        '{"solverType": "x", "a": -Infinity}',
        '{"solverType": "x", "solverType": "y"}',
        '{"solverType": "x", "a": {"b": 1, "b": 2}}',
        DEEP,
        '{"solverType": "x", "a": ' + DEEP + "}",
        '{"solverType": "agent.dialog.v1"}',
        json.dumps({**RECORD, "wireKey": {}}),
        json.dumps({**RECORD, "dialogId": None}),
        json.dumps({**RECORD, "turnCount": True}),
        json.dumps({**RECORD, "turnCount": 1.5}),
        json.dumps({**RECORD, "specVersion": "1"}),
        json.dumps({**RECORD, "label": 1}),
    ],
)
def test_what_is_no_record_is_refused(source):
    with pytest.raises(RecordError):
        read_record(source)


def test_every_fault_of_a_record_is_named_at_once():
    with pytest.raises(RecordError) as caught:
        read_record({"solverType": "agent.dialog.v1", "dialogId": "d", "label": 3})
    assert all(name in str(caught.value) for name in ("wireKey", "specVersion", "turnCount", "label"))
    assert "dialogId" not in str(caught.value)


@pytest.mark.parametrize(
    "wire_key",
    [
        "",
        "[]",
        "3",
        "{}",
        DEEP,
        '{"dialogId":"d"}',
        '{"dialogId":3,"turns":[]}',
        '{"dialogId":"d","turns":[3]}',
        '{"dialogId":"d","turns":[{}]}',
        '{"dialogId":"d","turns":[{"audience":"b","chainDepth":"0","content":"c","speaker":"a"}]}',
    ],
)
def test_a_key_that_spells_no_dialog_is_told_when_the_dialog_is_asked_for(wire_key):
    record = read_record({**RECORD, "wireKey": wire_key})
    assert isinstance(record, DialogRecord)
    for ask in (record.dialog, record.wire_dialog, lambda: open_dialog(record)):
        with pytest.raises(RecordError):
            ask()


def test_a_null_parent_of_a_foreign_record_stands_in_its_key_and_is_absent_in_its_turn():
    foreign = {"dialogId": "d", "turns": [{**DIALOG["turns"][0], "parentHash": None, "meta": None}]}
    record = read_record(build_agent_dialog_v1_record(foreign))
    assert isinstance(record, DialogRecord)
    assert dialog_wire_key(record.wire_dialog()) == record.wire_key
    assert record.dialog().turns[0].parent_hash is None


def test_a_null_depth_is_read_as_not_a_number():
    foreign = {"dialogId": "d", "turns": [{**DIALOG["turns"][0], "chainDepth": float("nan")}]}
    record = read_record(build_agent_dialog_v1_record(foreign))
    assert isinstance(record, DialogRecord)
    assert dialog_wire_key(record.wire_dialog()) == record.wire_key


def test_a_dialog_opens_from_itself_and_from_its_record():
    for document in (DIALOG, json.dumps(DIALOG), RECORD, json.dumps(RECORD).encode()):
        assert dialog_wire_key(open_dialog(document)) == RECORD["wireKey"]


@pytest.mark.parametrize(
    "document", [None, 3, [], "[]", "{}", b"\xff", DEEP, '{"solverType":"ui.session.v1","turns":[]}']
)
def test_what_holds_no_dialog_does_not_open(document):
    with pytest.raises(RecordError):
        open_dialog(document)


def test_the_last_of_repeated_members_counts_unless_they_are_refused():
    assert parse_json('{"a":1,"a":2}') == {"a": 2}
    with pytest.raises(RecordError, match="'a' twice"):
        parse_json('{"a":1,"a":2}', unique_members=True)


def test_numbers_are_read_as_doubles_where_they_are_not_exact():
    assert parse_json("[9007199254740993, 12345678901234567890, 1e400]") == [
        2.0**53,
        12345678901234567890.0,
        float("inf"),
    ]
    assert parse_json("9" * 5000) == float("inf")
    assert type(parse_json("9007199254740992")) is int


def test_a_broken_text_is_told_with_its_line_and_column():
    with pytest.raises(RecordError, match="line 2, column 3"):
        parse_json("{\n  bad}")


def test_records_are_equal_by_content_and_no_keys():
    record = read_record(RECORD)
    assert record == dict(RECORD)
    assert record != {**RECORD, "turnCount": 2}
    assert record != 3
    assert "agent.dialog.v1" in repr(record)
    with pytest.raises(TypeError):
        hash(record)
