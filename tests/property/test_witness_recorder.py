"""The recorder and what is verified of its records."""

from __future__ import annotations

import dataclasses

from dialog_strategies import FOREIGN_DIALOGS, own_plans
from hypothesis import given
from hypothesis import strategies as st

from bicameral.canonical import (
    build_agent_dialog_v1_record,
    canonical_dialog_snapshot,
    dialog_wire_key,
    read_record,
    turn_hash,
    wire_digest,
)
from bicameral.canonical.ecmascript import json_text
from bicameral.errors import BicameralError, RecordError
from bicameral.witness import DialogRecorder, first_difference, render_transcript, verify_record


def recorded(plan, dialog_id="d"):
    recorder, hashes = DialogRecorder(dialog_id), []
    for turn in plan:
        parent = None if turn["parent"] is None else hashes[turn["parent"]]
        members = {name: value for name, value in turn.items() if name != "parent"}
        hashes.append(recorder.append(**members, parent_hash=parent))
        assert recorder.wire_digest == wire_digest(recorder)
    return recorder


@given(own_plans())
def test_the_digest_is_current_after_every_turn_and_the_record_verifies(plan):
    recorder = recorded(plan)
    record = recorder.record()
    assert verify_record(record) == []
    assert record == build_agent_dialog_v1_record(recorder)
    assert first_difference(recorder, read_record(record).dialog()) is None
    assert render_transcript(record).count("hash    sha256:") == len(plan)


@given(own_plans(), st.data())
def test_turns_said_in_any_order_that_parents_allow_give_one_digest(plan, data):
    waiting, order = list(range(len(plan))), []
    while waiting:
        ready = [number for number in waiting if plan[number]["parent"] is None or plan[number]["parent"] in order]
        order.append(data.draw(st.sampled_from(ready)))
        waiting.remove(order[-1])
    again = [{**plan[number], "parent": None if plan[number]["parent"] is None else order.index(plan[number]["parent"])}
             for number in order]  # fmt: skip
    assert recorded(again).wire_digest == recorded(plan).wire_digest


@given(own_plans(), own_plans())
def test_equal_keys_are_equal_dialogs(one, other):
    a, b = recorded(one), recorded(other)
    assert (a.wire_key() == b.wire_key()) == (a.turns == b.turns) == (first_difference(a, b) is None)


@given(own_plans(), st.data())
def test_a_changed_turn_that_others_answer_does_not_verify(plan, data):
    recorder = recorded(plan)
    turns = list(recorder.turns)
    parents = {turn.parent_hash for turn in turns}
    answered = [position for position, turn in enumerate(turns) if turn_hash(turn) in parents]
    if not answered:
        return
    position = data.draw(st.sampled_from(answered))
    turns[position] = dataclasses.replace(turns[position], content=turns[position].content + "!")
    record = build_agent_dialog_v1_record({"dialogId": "d", "turns": turns})
    assert verify_record(record)
    assert first_difference(recorder, read_record(record).dialog()) is not None


@given(own_plans(), st.data())
def test_one_changed_character_of_a_record_is_found_or_is_another_digest(plan, data):
    recorder = recorded(plan)
    record = recorder.record()
    key = dialog_wire_key(recorder)
    position = data.draw(st.integers(0, len(key) - 1))
    character = data.draw(st.characters().filter(lambda c: c != key[position]))
    changed = {**record, "wireKey": key[:position] + character + key[position + 1 :]}
    try:
        problems = verify_record(changed, record_digest=read_record(record).digest)
    except RecordError:
        return
    assert problems


def same_place_texts(dialog):
    return [json_text(turn) for turn in canonical_dialog_snapshot(dialog)["turns"]]


@given(FOREIGN_DIALOGS, st.data())
def test_the_first_difference_is_none_for_equal_keys_alone_and_else_the_first_turn_that_is_not_the_same_text(one, data):
    others = st.sampled_from([one, {**one, "turns": one["turns"][:-1]}, {**one, "turns": one["turns"][1:]}])
    other = data.draw(st.one_of(FOREIGN_DIALOGS, others, others.map(lambda dialog: {**dialog, "dialogId": "e"})))
    try:
        keys = dialog_wire_key(one), dialog_wire_key(other)
    except BicameralError:
        return
    difference = first_difference(one, other)
    assert (difference is None) == (keys[0] == keys[1])
    if difference is not None:
        mine, theirs = same_place_texts(one), same_place_texts(other)
        apart = [
            index
            for index in range(max(len(mine), len(theirs)))
            if mine[index : index + 1] != theirs[index : index + 1]
        ]
        assert difference.turn == (apart[0] if apart else None)
        assert (difference.where == "dialogId") == (not apart)
