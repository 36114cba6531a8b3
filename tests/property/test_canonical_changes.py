"""The key covers everything that a dialog means, and nothing else decides it."""

from __future__ import annotations

import copy
import itertools

import pytest
from dialog_strategies import DEPTHS, FOREIGN_DIALOGS, HANDLES, TEXTS, VALUES
from hypothesis import assume, given
from hypothesis import strategies as st

from bicameral.canonical import (
    UNDEFINED,
    Dialog,
    DialogTurn,
    dialog_wire_key,
    turn_hash,
    wire_digest,
    wire_format_equivalent_dialog,
)
from bicameral.canonical.collation import handle_key
from bicameral.canonical.ecmascript import json_text, paired, units, wire_value
from bicameral.errors import DuplicateTurnError

OTHER = {"speaker": HANDLES, "audience": HANDLES, "content": TEXTS, "chainDepth": DEPTHS}
STRANGERS = ("timestamp", "instanceId", "", "Speaker", "chain_depth", "__proto__")


def key(dialog):
    """The dialog's key; dialogs with duplicate turns are for other tests."""
    try:
        return dialog_wire_key(dialog)
    except DuplicateTurnError:
        assume(False)
        raise


def said(value):
    """What the wire says of a value: NaN and null, 1 and 1.0 are one there."""
    return None if value is UNDEFINED else json_text(wire_value(value))


def places(value, way=()):
    """The ways to every value inside a nested one, itself too."""
    yield way
    if isinstance(value, dict):
        for name in value:
            yield from places(value[name], (*way, name))
    elif isinstance(value, list):
        for index in range(len(value)):
            yield from places(value[index], (*way, index))


def replaced(value, way, new):
    """A copy with the value at the way put in place; UNDEFINED takes a member or an element away."""
    if not way:
        return new
    step, *rest = way
    fresh = copy.copy(value)
    below = replaced(fresh[step], rest, new)
    if below is UNDEFINED and not rest:
        del fresh[step]
    else:
        fresh[step] = below
    return fresh


@given(FOREIGN_DIALOGS.filter(lambda dialog: dialog["turns"]), st.data())
def test_any_other_value_of_any_member_of_any_turn_gives_another_key(dialog, data):
    before = key(dialog)
    at = data.draw(st.integers(0, len(dialog["turns"]) - 1))
    turn = dialog["turns"][at]
    name = data.draw(st.sampled_from([*OTHER, "meta", "parentHash"]))
    new = data.draw(OTHER.get(name, VALUES))
    changed = {**dialog, "turns": [*dialog["turns"]]}
    changed["turns"][at] = {**turn, name: new}
    assume(said(turn.get(name, UNDEFINED)) != said(new))
    assert key(changed) != before
    assert not wire_format_equivalent_dialog(changed, dialog)
    assert wire_digest(changed) != wire_digest(dialog)
    assert turn_hash(changed["turns"][at]) != turn_hash(turn)


@given(FOREIGN_DIALOGS.filter(lambda dialog: any("meta" in turn for turn in dialog["turns"])), st.data())
def test_any_change_far_down_in_a_meta_gives_another_key(dialog, data):
    before = key(dialog)
    at = data.draw(st.sampled_from([i for i, turn in enumerate(dialog["turns"]) if "meta" in turn]))
    meta = dialog["turns"][at]["meta"]
    way = data.draw(st.sampled_from(list(places(meta))))
    changed_meta = replaced(meta, way, data.draw(VALUES))
    assume(said(meta) != said(changed_meta))
    changed = {**dialog, "turns": [*dialog["turns"]]}
    changed["turns"][at] = {**dialog["turns"][at], "meta": changed_meta}
    assert key(changed) != before


@given(FOREIGN_DIALOGS.filter(lambda dialog: dialog["turns"]), st.data())
def test_adding_or_taking_away_a_member_that_may_be_absent_gives_another_key(dialog, data):
    before = key(dialog)
    at = data.draw(st.integers(0, len(dialog["turns"]) - 1))
    name = data.draw(st.sampled_from(["meta", "parentHash"]))
    turn = dict(dialog["turns"][at])
    if turn.pop(name, UNDEFINED) is UNDEFINED:
        turn[name] = data.draw(st.sampled_from([None, "", {}, [], False, 0]))
    changed = {**dialog, "turns": [*dialog["turns"][:at], turn, *dialog["turns"][at + 1 :]]}
    assert key(changed) != before


@given(FOREIGN_DIALOGS.filter(lambda dialog: dialog["turns"]), st.data())
def test_dropping_a_turn_or_taking_another_dialogs_name_gives_another_key(dialog, data):
    before = key(dialog)
    at = data.draw(st.integers(0, len(dialog["turns"]) - 1))
    without = {**dialog, "turns": dialog["turns"][:at] + dialog["turns"][at + 1 :]}
    assert key(without) != before
    other = data.draw(TEXTS)
    assume(paired(other) != paired(dialog["dialogId"]))
    assert key({**dialog, "dialogId": other}) != before


@given(FOREIGN_DIALOGS.filter(lambda dialog: dialog["turns"]), st.data())
def test_a_turn_that_is_said_twice_is_an_error_wherever_it_stands(dialog, data):
    key(dialog)
    again = data.draw(st.sampled_from(dialog["turns"]))
    at = data.draw(st.integers(0, len(dialog["turns"])))
    twice = [*dialog["turns"]]
    twice.insert(at, {**again, "content": data.draw(TEXTS)})
    with pytest.raises(DuplicateTurnError):
        dialog_wire_key({**dialog, "turns": twice})


@given(FOREIGN_DIALOGS, st.dictionaries(st.sampled_from(STRANGERS), VALUES, min_size=1))
def test_what_the_format_does_not_know_decides_nothing(dialog, strange):
    turns = [{**strange, **turn, **strange} for turn in dialog["turns"]]
    assert key({**strange, **dialog, "turns": turns}) == key(dialog)


SAYABLE = st.fixed_dictionaries(
    {"speaker": HANDLES, "audience": HANDLES, "chain_depth": st.integers(-1, 3), "content": TEXTS},
    optional={
        "parent_hash": TEXTS,
        "meta": st.dictionaries(TEXTS, VALUES.filter(lambda value: value is not UNDEFINED), max_size=3),
    },
)


@given(TEXTS, st.lists(SAYABLE, max_size=5))
def test_a_dialog_of_classes_has_the_key_of_the_mapping_with_the_wires_names(dialog_id, turns):
    wire = {"chain_depth": "chainDepth", "parent_hash": "parentHash"}
    mapping = {
        "dialogId": dialog_id,
        "turns": [{wire.get(name, name): value for name, value in turn.items()} for turn in turns],
    }
    classes = Dialog(dialog_id=dialog_id, turns=tuple(DialogTurn(**turn) for turn in turns))
    assert key(classes) == key(mapping)
    for turn, members in zip(classes.turns, mapping["turns"], strict=True):
        assert turn_hash(turn) == turn_hash(members)


def rank(text):
    """The ASCII order as the page of agent.dialog.v1 spells it."""
    order = "\t\n\v\f\r _-,;:!?.'\"()[]{}@*/\\&#%`^+<=>|~$0123456789abcdefghijklmnopqrstuvwxyz"
    return [order.index(character.lower()) for character in text]


def compared(a, b):
    """-1, 0 or 1, by the page: written from it, without a look at the library."""
    a, b = paired(a), paired(b)
    if a.isascii() != b.isascii():
        return -1 if a.isascii() else 1
    if a.isascii():
        ignored = {*map(chr, range(0x09)), *map(chr, range(0x0E, 0x20)), "\x7f"}
        left, right = ("".join(c for c in text if c not in ignored) for text in (a, b))
        if rank(left) != rank(right):
            return -1 if rank(left) < rank(right) else 1
        for mine, theirs in zip(left, right, strict=True):
            if mine != theirs:
                return -1 if mine.islower() else 1
    one, other = units(a), units(b)
    return 0 if one == other else -1 if one < other else 1


ANY_HANDLE = st.one_of(HANDLES, st.text(st.characters(max_codepoint=127), max_size=4))


@given(ANY_HANDLE, ANY_HANDLE, ANY_HANDLE)
def test_handles_of_any_script_are_in_one_total_order_which_is_the_pages(a, b, c):
    for one, other in itertools.product((a, b, c), repeat=2):
        left, right = handle_key(one), handle_key(other)
        assert (left < right) + (left == right) + (left > right) == 1  # total, and antisymmetric
        assert (left > right) - (left < right) == compared(one, other) == -compared(other, one)
    for one, two, three in itertools.permutations((a, b, c)):
        if handle_key(one) <= handle_key(two) <= handle_key(three):
            assert handle_key(one) <= handle_key(three)


@given(st.lists(ANY_HANDLE, max_size=8), st.randoms(use_true_random=False))
def test_sorting_handles_does_not_depend_on_the_order_they_came_in(handles, random):
    shuffled = random.sample(handles, len(handles))
    ordered = [paired(handle) for handle in sorted(handles, key=handle_key)]
    assert [paired(handle) for handle in sorted(shuffled, key=handle_key)] == ordered
