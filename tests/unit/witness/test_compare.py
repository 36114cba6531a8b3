"""Where two dialogs part."""

from __future__ import annotations

import json

import pytest
from said import dialogue

from bicameral.errors import DuplicateTurnError, RecordError
from bicameral.witness import first_difference, record_dialog


def dialog(*turns, dialog_id="d"):
    return {"dialogId": dialog_id, "turns": list(turns)}


def turn(depth=0, speaker="a", audience="b", content="c", **more):
    return {"speaker": speaker, "audience": audience, "chainDepth": depth, "content": content, **more}


def test_one_dialog_in_two_orders_has_no_difference():
    assert first_difference(dialog(turn(0), turn(1)), dialog(turn(1), turn(0))) is None
    assert first_difference(record_dialog(dialogue()), record_dialog(dialogue())) is None


def test_the_place_in_our_own_content_is_named():
    difference = first_difference(record_dialog(dialogue()), record_dialog(dialogue(verdict="agree")))
    assert difference is not None
    assert (difference.where, difference.turn) == ("turns[2].content.rulings[0].verdict", 2)
    assert (difference.a, difference.b) == ('"dispute"', '"agree"')
    assert str(difference) == 'turns[2].content.rulings[0].verdict: "dispute" in the first, "agree" in the second.'


def test_a_change_in_the_charge_is_named_rather_than_the_id_that_follows_from_it():
    difference = first_difference(record_dialog(dialogue()), record_dialog(dialogue(picture="b" * 64)))
    assert difference is not None
    assert difference.where == "turns[0].content.shots[0].picture"


@pytest.mark.parametrize(
    ("a", "b", "where", "sides"),
    [
        (dialog(), dialog(dialog_id="e"), "dialogId", ('"d"', '"e"')),
        (dialog(turn()), dialog(turn(content="x")), "turns[0].content", ('"c"', '"x"')),
        (dialog(turn()), dialog(turn(parentHash="h")), "turns[0].parentHash", (None, '"h"')),
        (dialog(turn(meta={})), dialog(turn()), "turns[0].meta", ("{}", None)),
        (dialog(turn(meta={"k": [1]})), dialog(turn(meta={"k": [1, 2]})), "turns[0].meta.k[1]", (None, "2")),
        (dialog(turn(meta={"k": None})), dialog(turn(meta={})), "turns[0].meta.k", ("null", None)),
        (dialog(turn(content="[1]")), dialog(turn(content="[1 ]")), "turns[0].content", ('"[1]"', '"[1 ]"')),
        (dialog(turn(content='{"a":1}')), dialog(turn(content="x")), "turns[0].content", ('"{\\"a\\":1}"', '"x"')),
    ],
)
def test_the_first_difference_is(a, b, where, sides):
    difference = first_difference(a, b)
    assert difference is not None
    assert (difference.where, difference.a, difference.b) == (where, *sides)


def test_a_turn_that_one_side_lacks_is_a_whole_turn():
    difference = first_difference(dialog(turn(0), turn(1)), dialog(turn(0)))
    assert difference is not None
    assert (difference.where, difference.b) == ("turns[1]", None)
    assert json.loads(difference.a or "")["chainDepth"] == 1
    other = first_difference(dialog(turn(0, speaker="a")), dialog(turn(0, speaker="b")))
    assert other is not None
    assert other.where == "turns[0]"


def test_a_sentence_is_short_and_safe():
    difference = first_difference(dialog(turn()), dialog(turn(content="\x1b\u202e" * 500, meta={"\x07": 1})))
    assert str(difference).isprintable()
    assert len(str(difference)) < 400


def test_deep_values_part_where_they_part():
    deep_a, deep_b = 1, 2
    for _ in range(900):
        deep_a, deep_b = [deep_a], [deep_b]
    difference = first_difference(dialog(turn(meta={"x": deep_a})), dialog(turn(meta={"x": deep_b})))
    assert difference is not None
    assert (difference.a, difference.b) == ("1", "2")


def test_what_is_no_dialog_is_refused():
    with pytest.raises(RecordError):
        first_difference(dialog(), {})
    with pytest.raises(DuplicateTurnError):
        first_difference(dialog(), dialog(turn(), turn()))
