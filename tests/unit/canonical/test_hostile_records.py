"""Documents made to break a reader: each is a record or a RecordError that names the place, in no time to speak of."""

from __future__ import annotations

import json

import pytest

from bicameral.canonical import (
    MAX_FOREIGN_DEPTH,
    DialogRecord,
    build_agent_dialog_v1_record,
    dialog_wire_key,
    open_dialog,
    parse_json,
    read_record,
)
from bicameral.canonical.reading import MAX_LEVELS, PLACED
from bicameral.errors import DuplicateTurnError, RecordError

RECORD = build_agent_dialog_v1_record(
    {"dialogId": "d", "turns": [{"speaker": "a", "audience": "b", "chainDepth": 0, "content": "c"}]}
)
BIG = 100_000_000


def within(value):
    """A record's text with this text as the value of a member."""
    return f'{{"solverType":"x.y.v1",\n "deep":{{"list":[1,{value}]}}}}'


@pytest.mark.parametrize(
    ("document", "places"),
    [
        (within("[" * 100_000), ["nested deeper", "$.deep.list[1][0]", "line 2, column"]),
        (within('{"a":' * 100_000), ["nested deeper", "$.deep.list[1].a.a", "line 2, column"]),
        (within("[" * 100_000 + "]" * 100_000), ["nested deeper", "$.deep.list[1][0]"]),
        (within('{"b":1,"c":{},"b":2}'), ["'b' twice", "$.deep.list[1] ", "line 2, column 34"]),
        (within('{"\\u0062":1,"b":2}'), ["'b' twice", "$.deep.list[1] "]),
        ('{"solverType":"x","solverType":"y"}', ["'solverType' twice", "in $ at line 1, column 19"]),
        (within("NaN"), ["bare word NaN", "$.deep.list[1]", "line 2, column 20"]),
        (within("[-Infinity]"), ["bare word -Infinity", "$.deep.list[1][0]"]),
        (within("Infinity").encode(), ["bare word Infinity", "$.deep.list[1]"]),
        (within('"\xff"').encode("latin-1"), ["no UTF-8", "byte 44"]),
        (within('"\ud800"'), ["lone surrogate outside an escape", "character 44"]),
        ("\ufeff" + within("1"), ["byte order mark"]),
        (b"\xef\xbb\xbf" + within("1").encode(), ["byte order mark"]),
        (within('"\x01"'), ["line 2, column"]),
        (within("01"), ["line 2, column"]),
        (within("1") + "x", ["line 2, column"]),
        (within("1") * 2, ["line 2, column"]),
        ('{"solverType":"x"', ["line 1, column"]),
        (b"\x00" * 1000, ["line 1, column"]),
    ],
)
def test_the_place_of_a_fault_is_named(document, places):
    for function in (read_record, open_dialog):
        with pytest.raises(RecordError) as caught:
            function(document)
        for place in places:
            assert place in str(caught.value)
        assert len(str(caught.value)) < 500
        assert str(caught.value).isprintable()


def nested(levels, leaf='"leaf"'):
    return "[" * levels + leaf + "]" * levels


@pytest.mark.parametrize("levels", [1, 500, 900, 990, 995, 1000, MAX_LEVELS - 1])
def test_what_may_be_read_does_not_depend_on_how_deep_the_caller_stands(levels):
    text = '{"solverType":"x.y.v1","deep":' + nested(levels) + "}"

    def below(calls):
        return read_record(text) if calls == 0 else below(calls - 1)

    for calls in (0, 300):
        assert below(calls).to_bytes() == text.encode()


def test_one_level_too_many_is_refused_wherever_the_caller_stands():
    def below(calls):
        return parse_json(nested(MAX_LEVELS + 1)) if calls == 0 else below(calls - 1)

    for calls in (0, 300):
        with pytest.raises(RecordError, match=f"deeper than {MAX_LEVELS} levels"):
            below(calls)


def test_a_deep_value_is_the_one_that_the_compiled_reader_gives():
    text = '{"a":[1,-2.5,1e3,true,false,null,"x\\u0041\\ud83d\\ude00",{},[],{"b":[ ]} , {"c":{"d":""}}]}'
    deep = nested(1000, text)
    value = parse_json(deep)
    for _ in range(1000):
        assert len(value) == 1
        value = value[0]
    assert value == json.loads(text)


@pytest.mark.parametrize(
    "fault",
    ["{", "[1,]", '{"a"}', '{"a":}', '{"a":1,}', "{1:2}", "[1 2]", '{"a":1 "b":2}', "tru", '"a', "}", ",", "01"],
)
def test_a_fault_far_down_is_told_too(fault):
    with pytest.raises(RecordError, match=r"in \$\[0\]\[0\].* at line 1, column"):
        parse_json(nested(995, fault))


def test_the_last_of_repeated_members_counts_far_down_as_well():
    value = parse_json(nested(1000, '{"a":1,"a":2}'))
    for _ in range(1000):
        (value,) = value
    assert value == {"a": 2}
    with pytest.raises(RecordError, match="'a' twice"):
        parse_json(nested(1000, '{"a":1,"a":2}'), unique_members=True)


def test_records_with_the_deepest_values_are_compared_all_the_same():
    one, same, other = (read_record('{"solverType":"x","deep":' + nested(1000, leaf) + "}") for leaf in "112")
    assert one == same
    assert one != other


def test_the_deepest_value_of_a_turn_is_keyed_recorded_and_read_again():
    value = "leaf"
    for _ in range(MAX_FOREIGN_DEPTH):
        value = [value]
    turn = {"speaker": "a", "audience": "b", "chainDepth": 0, "content": "c", "meta": value}
    record = read_record(json.dumps(build_agent_dialog_v1_record({"dialogId": "d", "turns": [turn]})))
    assert isinstance(record, DialogRecord)
    assert dialog_wire_key(record.wire_dialog()) == record.wire_key


@pytest.mark.parametrize(
    "number", ["9" * 1_000_000, "-" + "9" * 5000, "1e999999999", "0." + "1" * 1_000_000, "1E-999999"]
)
def test_a_number_of_any_length_is_a_double(number):
    record = read_record(f'{{"solverType":"x","n":{number}}}')
    assert isinstance(record["n"], float)
    with pytest.raises(RecordError, match=r"turnCount|wireKey"):
        read_record(json.dumps({**RECORD, "wireKey": 0}).replace(": 0", f": {number}"))


def test_a_member_of_a_hundred_megabytes_is_read_and_carried():
    data = b'{"solverType":"x.y.v1","big":"' + b"x" * BIG + b'"}'
    record = read_record(data)
    assert record.to_bytes() is data or record.to_bytes() == data
    assert len(record["big"]) == BIG


@pytest.mark.parametrize(
    "made",
    [
        lambda: b'{"solverType":"agent.dialog.v1","wireKey":3,"dialogId":"' + b"x" * BIG + b'"}',
        lambda: b'{"solverType":"ui.session.v1","specVersion":1,"' + b"n" * BIG + b'":1}',
        lambda: b'{"solverType":3,"big":"' + b"x" * BIG + b'"}',
        lambda: b'{"' + b"n" * (BIG // 2) + b'":1,"' + b"n" * (BIG // 2) + b'":2}',
        lambda: b'{"solverType":"x","big":"' + b"x" * BIG + b'","n":NaN}',
        lambda: b'{"solverType":"agent.dialog.v1","specVersion":' + b"9" * BIG + b"}",
        lambda: b"[" * BIG,
        lambda: b" " * BIG,
    ],
    ids=["dialog", "session", "no type", "names", "bare word", "number", "brackets", "blanks"],
)
def test_a_bad_document_of_a_hundred_megabytes_is_refused_in_a_short_message(made):
    with pytest.raises(RecordError) as caught:
        read_record(made())
    assert len(str(caught.value)) < 2000


def test_a_type_or_a_handle_without_end_is_cut_in_messages():
    record = read_record(json.dumps({"solverType": "x" * 1_000_000}))
    assert len(repr(record)) < 200
    with pytest.raises(RecordError) as caught:
        open_dialog(json.dumps({"solverType": "x" * 1_000_000}))
    assert len(str(caught.value)) < 300
    turn = {"speaker": "s" * 1_000_000, "audience": "b", "chainDepth": 0, "content": "c"}
    with pytest.raises(DuplicateTurnError) as duplicate:
        dialog_wire_key({"dialogId": "d", "turns": [turn, turn]})
    assert len(str(duplicate.value)) < 1000


def test_beyond_the_length_where_places_are_looked_for_the_fault_itself_is_named():
    with pytest.raises(RecordError, match="bare word NaN"):
        parse_json("[" + " " * PLACED + "NaN]")
