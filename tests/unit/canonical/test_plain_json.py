"""Canonical bytes of our own values."""

from __future__ import annotations

import enum
import math
from types import MappingProxyType

import pytest

from bicameral.canonical import MAX_DEPTH, canonical_json, digest_of, record_json, sha256_digest
from bicameral.errors import UnrecordableError


class Word(enum.StrEnum):
    AGREE = "agree"


def test_members_sort_by_utf16_and_numbers_are_written_as_ecmascript_writes_them():
    value = {"\ufb33": 1e21, "\U0001f600": -0.0, "b": [1.0, 1e-7, 5e-324], "a": (True, None)}
    assert canonical_json(value).decode() == '{"a":[true,null],"b":[1,1e-7,5e-324],"\U0001f600":0,"\ufb33":1e+21}'


def test_any_mapping_is_an_object_and_a_text_enum_is_its_text():
    assert canonical_json(MappingProxyType({"w": Word.AGREE})) == b'{"w":"agree"}'


def test_a_digest_names_its_algorithm():
    empty = "sha256:44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a"
    assert digest_of({}) == sha256_digest(b"{}") == empty


@pytest.mark.parametrize(
    ("value", "place"),
    [
        ({"a": [0, {"b": "x\ud800"}]}, "$.a[1].b"),
        ({"a": {1: 2}}, "$.a"),
        ({"a": {"\udfff": 2}}, "$.a"),
        ([object()], "$[0]"),
        ([b"bytes"], "$[0]"),
        ([{1, 2}], "$[0]"),
        ([math.nan], "$[0]"),
        ([-math.inf], "$[0]"),
        ([2**53], "$[0]"),
        ([-(10**5000)], "$[0]"),
    ],
)
def test_a_value_that_cannot_be_said_is_refused_with_its_place(value, place):
    with pytest.raises(UnrecordableError) as caught:
        canonical_json(value)
    assert place in str(caught.value)


def test_the_largest_exact_integers_are_taken():
    assert canonical_json([2**53 - 1, -(2**53) + 1]) == b"[9007199254740991,-9007199254740991]"


def test_a_float_has_no_place_in_a_record():
    assert canonical_json({"score": 0.5}) == b'{"score":0.5}'
    with pytest.raises(UnrecordableError, match=r"\$\.row\[0\]\.score is a float"):
        record_json({"row": [{"score": 1.0}]})
    assert record_json({"row": [1, "0.5", True]}) == b'{"row":[1,"0.5",true]}'


def nested(levels):
    value = []
    for _ in range(levels - 1):
        value = [value]
    return value


def test_the_deepest_value_is_written_and_one_level_more_is_refused():
    assert canonical_json(nested(MAX_DEPTH)) == b"[" * MAX_DEPTH + b"]" * MAX_DEPTH
    for levels in (MAX_DEPTH + 1, 100_000):
        with pytest.raises(UnrecordableError, match="nested deeper"):
            canonical_json(nested(levels))


def test_a_value_that_contains_itself_is_refused():
    value = {}
    value["again"] = [value]
    with pytest.raises(UnrecordableError, match="nested deeper"):
        canonical_json(value)


def test_a_message_obeys_no_escape_sequence_of_a_member_name():
    with pytest.raises(UnrecordableError) as caught:
        canonical_json({"\x1b[31m": {"\u202e": object()}})
    assert str(caught.value).isprintable()
