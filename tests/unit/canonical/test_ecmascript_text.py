"""JSON text as ECMAScript writes it, where that is more than the vectors show."""

from __future__ import annotations

import math

import pytest

from bicameral.canonical import MAX_FOREIGN_DEPTH, UNDEFINED
from bicameral.canonical.ecmascript import json_text, number_text, wire_value
from bicameral.errors import UnrecordableError


def text_of(value):
    return json_text(wire_value(value))


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (0.0, "0"),
        (-0.0, "0"),
        (-1.5, "-1.5"),
        (1e20, "100000000000000000000"),
        (1e21, "1e+21"),
        (1.5e21, "1.5e+21"),
        (123456789012345680000.0, "123456789012345680000"),
        (0.000001, "0.000001"),
        (0.00000123, "0.00000123"),
        (1e-7, "1e-7"),
        (1.5e-10, "1.5e-10"),
        (5e-324, "5e-324"),
        (1.7976931348623157e308, "1.7976931348623157e+308"),
        (0.1 + 0.2, "0.30000000000000004"),
        (math.nan, "NaN"),
        (math.inf, "Infinity"),
        (-math.inf, "-Infinity"),
    ],
)
def test_a_double_is_written_with_its_shortest_digits(number, text):
    assert number_text(number) == text


def test_integers_round_to_doubles_beyond_two_to_the_fifty_third():
    assert text_of([2**53, 2**53 + 1, 10**21, 10**5000, -(10**5000)]) == (
        "[9007199254740992,9007199254740992,1e+21,null,null]"
    )


def test_undefined_vanishes_from_an_object_and_is_null_in_a_list_and_alone():
    assert text_of({"a": UNDEFINED, "b": [UNDEFINED]}) == '{"b":[null]}'
    assert text_of(UNDEFINED) == "null"


def test_two_surrogate_halves_are_one_character_and_a_lone_one_is_escaped():
    assert (
        text_of(["\ud83d\ude00", "\ude00\ud83d", {"\ud83d\ude00": 1}])
        == '["\U0001f600","\\ude00\\ud83d",{"\U0001f600":1}]'
    )


def test_a_copy_shares_nothing_with_its_source():
    source = {"a": [{"b": 1}]}
    copy = wire_value(source)
    source["a"][0]["b"] = 2
    assert copy == {"a": [{"b": 1}]}


@pytest.mark.parametrize("bad", [{1: 2}, {"a": {2, 3}}, [b"x"], {"a": [object()]}])
def test_what_json_does_not_know_is_refused_with_its_place(bad):
    with pytest.raises(UnrecordableError, match=r"at \$"):
        wire_value(bad)


def test_a_thousand_levels_are_written_and_more_are_refused():
    value = "leaf"
    for _ in range(MAX_FOREIGN_DEPTH):
        value = [value]
    assert text_of(value) == "[" * MAX_FOREIGN_DEPTH + '"leaf"' + "]" * MAX_FOREIGN_DEPTH
    with pytest.raises(UnrecordableError, match="nested deeper"):
        wire_value([value])


def test_a_value_that_contains_itself_is_refused():
    value = []
    value += [value, value]
    with pytest.raises(UnrecordableError, match="nested deeper"):
        wire_value(value)
