"""A dialogue becomes one witnessed dialog."""

from __future__ import annotations

import dataclasses
import json

import pytest
from said import dialogue

from bicameral.canonical import canonical_json, dialog_wire_key, read_record, sha256_digest, turn_hash, wire_digest
from bicameral.errors import RecordError, UnrecordableError
from bicameral.witness import record_dialog, verify_record


def test_a_dialogue_is_one_chain_whose_record_verifies():
    witnessed = record_dialog(dialogue())
    assert [turn.chain_depth for turn in witnessed.turns] == [0, 1, 2]
    assert [turn.parent_hash for turn in witnessed.turns] == [None, *map(turn_hash, witnessed.turns[:2])]
    assert verify_record(witnessed.record) == verify_record(witnessed.record_bytes) == []


def test_each_turn_says_the_canonical_text_of_its_utterance():
    said = dialogue()
    witnessed = record_dialog(said)
    assert [turn.content.encode() for turn in witnessed.turns] == [canonical_json(u.content) for u in said]
    assert [(turn.speaker, turn.audience) for turn in witnessed.turns] == [(u.speaker, u.audience) for u in said]


def test_the_id_is_the_digest_of_the_charge():
    witnessed = record_dialog(dialogue())
    assert witnessed.dialog_id == sha256_digest(witnessed.turns[0].content.encode())
    assert record_dialog(dialogue(verdict="agree")).dialog_id == witnessed.dialog_id
    assert record_dialog(dialogue(picture="b" * 64)).dialog_id != witnessed.dialog_id


def test_the_record_its_bytes_and_its_digests_belong_together():
    witnessed = record_dialog(dialogue(), label="demo / home")
    assert witnessed.record_bytes == canonical_json(witnessed.record)
    assert witnessed.record_digest == sha256_digest(witnessed.record_bytes)
    assert witnessed.wire_digest == wire_digest(witnessed) == sha256_digest(str(witnessed.record["wireKey"]).encode())
    assert read_record(witnessed.record_bytes) == witnessed.record
    assert json.loads(witnessed.record_bytes)["label"] == "demo / home"
    assert dialog_wire_key(witnessed) == witnessed.record["wireKey"]


def test_only_meta_of_the_closed_set_that_says_something_is_recorded():
    assert [turn.meta for turn in record_dialog(dialogue()).turns] == [None, {"model": "1"}, {"model": "1"}]


def test_raw_replies_stand_beside_the_record_and_change_nothing_in_it():
    said = dialogue()
    witnessed = record_dialog(said)
    assert [(reply.chain_depth, reply.raw) for reply in witnessed.replies] == [(1, said[1].raw), (2, said[2].raw)]
    without = [dataclasses.replace(utterance, raw=None) for utterance in said]
    assert record_dialog(without).record == witnessed.record
    assert said[1].raw.digest.encode() not in witnessed.record_bytes


def test_a_dialogue_of_one_judge_ends_at_its_findings():
    assert record_dialog(dialogue()[:2]).record["turnCount"] == 2


@pytest.mark.parametrize("start", [0, 1])
def test_a_dialogue_without_a_charge_at_its_start_is_refused(start):
    with pytest.raises(RecordError, match="charge"):
        record_dialog(dialogue()[1:] if start else [])


def with_content(**changes):
    said = dialogue()
    said[1] = dataclasses.replace(said[1], content={**said[1].content, **changes})
    return said


@pytest.mark.parametrize("bad", [0.5, 1.0, 2**53, "\ud800", {1: 2}, {1, 2}, b"x"])
def test_content_that_a_record_may_not_hold_is_refused_with_its_place(bad):
    with pytest.raises(UnrecordableError, match=r"turn 1\.score"):
        record_dialog(with_content(score=bad))


def test_content_that_names_another_act_is_refused():
    with pytest.raises(RecordError, match="findings"):
        record_dialog(with_content(act="rulings"))
