"""One dialog, one key: whatever the order, the machine or the way in."""

from __future__ import annotations

import itertools
import json
import math

import pytest
from dialog_strategies import DEPTHS, FOREIGN_DIALOGS, HANDLES, TEXTS, VALUES, foreign_turns
from hypothesis import assume, given
from hypothesis import strategies as st

from bicameral.canonical import (
    build_agent_dialog_v1_record,
    canonical_dialog_snapshot,
    dialog_wire_key,
    open_dialog,
    parse_json,
    read_record,
    record_bytes,
    sha256_digest,
    turn_hash,
    wire_digest,
)
from bicameral.canonical.collation import handle_key
from bicameral.canonical.ecmascript import UNDEFINED, as_double, json_text, paired, units, wire_value
from bicameral.errors import BicameralError, DuplicateTurnError

TURN_MEMBERS = ["speaker", "audience", "chainDepth", "content", "meta"]


def keyed(dialog):
    """The dialog's key; dialogs with duplicate turns are for other tests."""
    try:
        return dialog_wire_key(dialog)
    except DuplicateTurnError:
        assume(False)
        raise


@given(FOREIGN_DIALOGS, st.randoms(use_true_random=False))
def test_any_order_of_the_turns_gives_one_key_or_one_error(dialog, random):
    shuffled = {**dialog, "turns": random.sample(dialog["turns"], len(dialog["turns"]))}
    try:
        key = dialog_wire_key(dialog)
    except DuplicateTurnError:
        with pytest.raises(DuplicateTurnError):
            dialog_wire_key(shuffled)
    else:
        assert dialog_wire_key(shuffled) == key
        assert key.encode("utf-8")


@given(FOREIGN_DIALOGS.filter(lambda dialog: dialog["turns"]), st.data())
def test_any_change_of_a_semantic_field_changes_the_key(dialog, data):
    before = keyed(dialog)
    position = data.draw(st.integers(0, len(dialog["turns"]) - 1))
    field = data.draw(st.sampled_from(["dialogId", "parentHash", *TURN_MEMBERS]))
    if field == "dialogId":
        old, new = dialog["dialogId"], data.draw(TEXTS)
        changed = {**dialog, "dialogId": new}
    else:
        turn = dialog["turns"][position]
        fresh = {"chainDepth": DEPTHS, "meta": VALUES, "parentHash": TEXTS}.get(field, TEXTS)
        old, new = turn.get(field, UNDEFINED), data.draw(fresh)
        changed = {**dialog, "turns": [*dialog["turns"]]}
        changed["turns"][position] = {**turn, field: new}
    present = (old is not UNDEFINED, new is not UNDEFINED)
    # What the wire cannot tell apart (NaN and null, 1 and 1.0) is no change.
    assume(present[0] != present[1] or json_text(wire_value(old)) != json_text(wire_value(new)))
    assert keyed(changed) != before


@given(FOREIGN_DIALOGS)
def test_the_key_is_json_that_spells_the_snapshot(dialog):
    key = keyed(dialog)
    again = parse_json(key)
    assert json_text(wire_value(again)) == key
    snapshot = canonical_dialog_snapshot(dialog)
    assert json_text(wire_value(snapshot)) == key
    assert parse_json(json.dumps(snapshot, allow_nan=False)) == again


@given(FOREIGN_DIALOGS)
def test_a_record_reads_writes_and_reads_the_same(dialog):
    keyed(dialog)
    data = record_bytes(build_agent_dialog_v1_record(dialog))
    record = read_record(data)
    assert read_record(record.to_bytes()).to_bytes() == record_bytes(dict(record)) == data
    if all(math.isfinite(as_double(turn["chainDepth"])) for turn in dialog["turns"]):  # a null depth has lost its place
        assert wire_digest(open_dialog(data)) == wire_digest(dialog)


@given(foreign_turns())
def test_a_turns_hash_is_that_of_its_text_in_the_key(turn):
    key = dialog_wire_key({"dialogId": "", "turns": [turn]})
    text = key.removeprefix('{"dialogId":"","turns":[').removesuffix("]}")
    assert turn_hash(turn) == sha256_digest(text.encode())


@given(st.lists(HANDLES, max_size=8))
def test_handles_of_any_script_are_totally_ordered(handles):
    for a, b in itertools.combinations(handles, 2):
        assert (handle_key(a) == handle_key(b)) == (paired(a) == paired(b))
    ordered = sorted(handles, key=handle_key)
    flags = [handle.isascii() for handle in ordered]
    assert flags == sorted(flags, reverse=True)
    others = [handle for handle in ordered if not handle.isascii()]
    assert [units(paired(handle)) for handle in others] == sorted(units(paired(handle)) for handle in others)


@given(st.lists(st.text(st.characters(max_codepoint=127), max_size=4), max_size=8))
def test_ascii_handles_differ_by_letters_before_case_and_case_before_ignored_characters(handles):
    ordered = sorted(handles, key=handle_key)
    folded = [handle_key(handle)[1] for handle in ordered]
    assert folded == sorted(folded)
    for (_, letters, case, _), (_, next_letters, next_case, _) in itertools.pairwise(map(handle_key, ordered)):
        assert letters != next_letters or case <= next_case


ODD_TURNS = st.lists(st.dictionaries(st.sampled_from(TURN_MEMBERS), VALUES), max_size=3)
RECORD_MEMBERS = dict.fromkeys(["dialogId", "wireKey", "turnCount", "specVersion"], VALUES)
ANYTHING = st.one_of(
    VALUES,
    st.binary(max_size=8),
    st.fixed_dictionaries({"dialogId": TEXTS, "turns": st.one_of(VALUES, ODD_TURNS)}),
    st.fixed_dictionaries({"solverType": st.sampled_from(["agent.dialog.v1", "x", 3]), **RECORD_MEMBERS}),
)
KEYING = (dialog_wire_key, canonical_dialog_snapshot, turn_hash, build_agent_dialog_v1_record)


@given(ANYTHING)
def test_nothing_raises_anything_but_our_own_errors(value):
    for function in (*KEYING, read_record, open_dialog):
        try:
            function(value)
        except BicameralError as error:
            str(error).encode("utf-8")


@given(st.one_of(st.binary(max_size=30), st.text(st.sampled_from('{}[]",:\\ue12-.NaIfty \n'), max_size=30)))
def test_any_bytes_are_read_or_refused(data):
    for function in (parse_json, read_record, open_dialog):
        try:
            function(data)
        except BicameralError as error:
            str(error).encode("utf-8")
