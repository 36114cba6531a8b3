"""What may be handed to the dialog functions, and what each of them makes of it."""

from __future__ import annotations

import copy
import json

import pytest

from bicameral.canonical import (
    AGENT_DIALOG_V1,
    UNDEFINED,
    Dialog,
    DialogTurn,
    build_agent_dialog_v1_record,
    canonical_dialog_snapshot,
    dialog_wire_key,
    sha256_digest,
    turn_hash,
    wire_digest,
    wire_format_equivalent_dialog,
)
from bicameral.errors import DuplicateTurnError, RecordError, UnrecordableError

CLASSES = Dialog(
    dialog_id="d",
    turns=(
        DialogTurn(speaker="b", audience="a", chain_depth=1, content="yes", parent_hash="h", meta={"z": 1, "a": [2]}),
        DialogTurn(speaker="a", audience="b", chain_depth=0, content="well?"),
    ),
)
MAPPING = {
    "dialogId": "d",
    "turns": [
        {"speaker": "a", "audience": "b", "chainDepth": 0, "content": "well?"},
        {
            "speaker": "b",
            "audience": "a",
            "chainDepth": 1,
            "content": "yes",
            "parentHash": "h",
            "meta": {"a": [2], "z": 1},
        },
    ],
}


def test_classes_and_mappings_and_mixtures_are_one_dialog():
    mixed = {"dialogId": "d", "turns": [MAPPING["turns"][0], CLASSES.turns[0]]}
    assert dialog_wire_key(CLASSES) == dialog_wire_key(MAPPING) == dialog_wire_key(mixed)
    assert wire_format_equivalent_dialog(CLASSES, MAPPING)


def test_the_key_is_the_compact_text_of_the_snapshot():
    snapshot = canonical_dialog_snapshot(CLASSES)
    assert json.dumps(snapshot, sort_keys=True, separators=(",", ":")) == dialog_wire_key(CLASSES)
    assert [turn["speaker"] for turn in snapshot["turns"]] == ["a", "b"]


def test_the_digest_is_over_the_key_and_a_turns_hash_over_its_part_of_it():
    key = dialog_wire_key(MAPPING)
    assert wire_digest(MAPPING) == sha256_digest(key.encode())
    part = key[key.index("[") + 1 : key.index("},{") + 1]
    assert turn_hash(CLASSES.turns[1]) == sha256_digest(part.encode())


def test_a_lone_surrogate_still_has_a_digest():
    turn = {"speaker": "a\ud800", "audience": "b", "chainDepth": 0, "content": "\udfff"}
    assert turn_hash(turn).startswith("sha256:")
    assert wire_digest({"dialogId": "\ud800", "turns": [turn]}).startswith("sha256:")


def test_sources_are_left_as_they_were():
    before = copy.deepcopy(MAPPING)
    snapshot = canonical_dialog_snapshot(MAPPING)
    snapshot["turns"][1]["meta"]["a"].append(3)
    assert before == MAPPING


def test_a_record_has_the_members_of_its_page_and_a_label_only_where_one_is_given():
    record = build_agent_dialog_v1_record(MAPPING)
    assert list(record) == ["solverType", "specVersion", "dialogId", "wireKey", "turnCount"]
    assert record["solverType"] == AGENT_DIALOG_V1 == "agent.dialog.v1"
    labelled = build_agent_dialog_v1_record(MAPPING, label="")
    assert labelled == {**record, "label": ""}


def test_times_and_instances_of_a_foreign_turn_are_outside_the_key():
    turn = {**MAPPING["turns"][0], "timestamp": 99, "instanceId": "q"}
    assert turn_hash(turn) == turn_hash(MAPPING["turns"][0])


def turn(**changes):
    members = {"speaker": "a", "audience": "b", "chainDepth": 0, "content": "c", **changes}
    return {"dialogId": "d", "turns": [members]}


@pytest.mark.parametrize(
    ("source", "place"),
    [
        (None, "dialogId"),
        (7, "dialogId"),
        ("text", "dialogId"),
        ([], "dialogId"),
        ({}, "dialogId"),
        ({"dialogId": "d"}, "turns"),
        ({"dialogId": "d", "turns": None}, "turns"),
        ({"dialogId": "d", "turns": "abc"}, "turns"),
        ({"dialogId": "d", "turns": {"0": {}}}, "turns"),
        ({"dialogId": "d", "turns": [None]}, "turns[0]"),
        ({"dialogId": "d", "turns": [[]]}, "turns[0]"),
        ({"dialogId": 3, "turns": []}, "dialogId"),
        (turn(speaker=None), "turns[0].speaker"),
        (turn(audience=3), "turns[0].audience"),
        (turn(audience=UNDEFINED), "turns[0].audience"),
        (turn(content={"act": "charge"}), "turns[0].content"),
        (turn(chainDepth="0"), "turns[0].chainDepth"),
        (turn(chainDepth=True), "turns[0].chainDepth"),
        (turn(chainDepth=None), "turns[0].chainDepth"),
        (turn(meta={"x": object()}), "turns[0].meta.x"),
        (turn(meta={1: 1}), "turns[0].meta"),
    ],
)
def test_what_is_no_dialog_is_refused_with_its_place(source, place):
    for function in (canonical_dialog_snapshot, dialog_wire_key, wire_digest, build_agent_dialog_v1_record):
        with pytest.raises(RecordError) as caught:
            function(source)
        assert place in str(caught.value)


def test_a_label_that_is_no_text_is_refused():
    with pytest.raises(RecordError, match="label"):
        build_agent_dialog_v1_record(MAPPING, label=3)


@pytest.mark.parametrize("levels", [1001, 100_000])
def test_meta_nested_without_end_is_a_clear_error(levels):
    deep = []
    for _ in range(levels):
        deep = [deep]
    with pytest.raises(UnrecordableError, match="nested deeper"):
        dialog_wire_key(turn(meta={"x": deep}))


def test_a_duplicates_message_is_safe_to_print():
    twice = {
        "dialogId": "d",
        "turns": [{"speaker": "\x1b[2J\u202e\ud800", "audience": "b", "chainDepth": 0, "content": "c"}] * 2,
    }
    with pytest.raises(DuplicateTurnError) as caught:
        dialog_wire_key(twice)
    assert str(caught.value).isprintable()


def test_integers_that_round_to_one_double_are_one_depth():
    big = {"dialogId": "d", "turns": [turn(chainDepth=depth)["turns"][0] for depth in (2**53, 2**53 + 1)]}
    with pytest.raises(DuplicateTurnError, match="chainDepth=9007199254740992"):
        dialog_wire_key(big)
    with pytest.raises(DuplicateTurnError, match="chainDepth=Infinity"):
        dialog_wire_key({"dialogId": "d", "turns": [turn(chainDepth=10**400)["turns"][0]] * 2})
