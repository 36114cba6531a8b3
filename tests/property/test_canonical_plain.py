"""Our own values: RFC 8785 and ECMAScript's text agree, and what is written reads back."""

from __future__ import annotations

import json

from dialog_strategies import PLAIN, VALUES
from hypothesis import given
from hypothesis import strategies as st

from bicameral.canonical import canonical_json, parse_json, record_bytes, record_json
from bicameral.canonical.ecmascript import json_text, number_text, wire_value
from bicameral.errors import UnrecordableError


@given(PLAIN)
def test_what_is_written_reads_back_and_is_written_the_same(value):
    data = canonical_json(value)
    assert parse_json(data) == json.loads(data) == value
    assert canonical_json(parse_json(data)) == record_json(value) == data


@given(VALUES)
def test_rfc_8785_and_ecmascript_agree_wherever_the_first_can_say_it(value):
    try:
        data = canonical_json(value)
    except UnrecordableError:
        return
    assert json_text(wire_value(value)).encode("utf-8") == data


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_a_double_reads_back_from_its_text(number):
    assert float(number_text(number)) == number
    assert number_text(number).encode() == canonical_json(number)


@given(st.dictionaries(st.text(max_size=4), PLAIN, max_size=4))
def test_a_records_bytes_are_canonical(members):
    assert record_bytes(members) == canonical_json(members)
