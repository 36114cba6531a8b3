"""Where two dialogs part."""

from __future__ import annotations

import json

import pytest
from said import dialogue

from bicameral.errors import DuplicateTurnError, RecordError
from bicameral.witness import compare, first_difference, record_dialog


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


LONG = [turn(depth, content=f'{{"n":{depth}}}', meta={"t": [{"audience": "}],{"}]}) for depth in range(3_000)]


@pytest.mark.parametrize("at", [0, 1, 511, 512, 2_998, 2_999])
def test_a_difference_in_a_long_dialog_is_found_wherever_it_is(at):
    changed = [*LONG]
    changed[at] = {**LONG[at], "content": '{"n":-1}'}
    difference = first_difference(dialog(*LONG), dialog(*reversed(changed)))
    assert difference is not None
    assert (difference.where, difference.turn) == (f"turns[{at}].content.n", at)
    assert (difference.a, difference.b) == (str(at), "-1")


def test_what_two_long_dialogs_share_is_not_parsed(monkeypatch):
    parsed = 0

    def counting(text, **more):
        nonlocal parsed
        parsed += len(text)
        return parse(text, **more)

    parse = compare.parse_json
    monkeypatch.setattr(compare, "parse_json", counting)
    assert first_difference(dialog(*LONG), dialog(*LONG[:-1], turn(2_999, content="x"))) is not None
    assert 0 < parsed < 1_000


@pytest.mark.parametrize(
    "content", ["", "}", '"},{"audience":"', "\\", '\\"', "[{", "\ud800", "\u2028\n\x00", "{" * 50]
)
def test_no_content_is_taken_for_the_end_of_its_turn(content):
    a, b = dialog(turn(0, content=content), turn(1)), dialog(turn(0, content=content), turn(1, content="x"))
    difference = first_difference(a, b)
    assert difference is not None
    assert (difference.where, difference.a, difference.b) == ("turns[1].content", '"c"', '"x"')


@pytest.mark.parametrize("value", [True, 1, "1", None, 1.5, 1e21, 2**53, [1], {"a": 1}])
@pytest.mark.parametrize("other", [True, 1, "1", None, 1.5, 1e21, 2**53, [1], {"a": 1}])
def test_values_that_python_holds_equal_are_different_where_their_texts_are(value, other):
    difference = first_difference(dialog(turn(meta={"x": value})), dialog(turn(meta={"x": other})))
    assert (difference is None) == (json.dumps(value) == json.dumps(other))


def test_an_id_with_quotes_and_brackets_is_told_from_the_turns():
    difference = first_difference(dialog(turn(), dialog_id='","turns":[{'), dialog(turn(), dialog_id="d"))
    assert difference is not None
    assert (difference.where, difference.a, difference.turn) == ("dialogId", '"\\",\\"turns\\":[{"', None)


def test_what_is_no_dialog_is_refused():
    with pytest.raises(RecordError):
        first_difference(dialog(), {})
    with pytest.raises(DuplicateTurnError):
        first_difference(dialog(), dialog(turn(), turn()))
