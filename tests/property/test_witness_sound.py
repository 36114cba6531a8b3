"""The fast check of a record says yes only where the checks step by step find nothing, and does say yes to ours."""

from __future__ import annotations

import json

import pytest
from dialog_strategies import FOREIGN_DIALOGS, own_plans
from hypothesis import given
from hypothesis import strategies as st

from bicameral.canonical import build_agent_dialog_v1_record, read_record, record_bytes, sha256_digest, turn_hash
from bicameral.errors import BicameralError, RecordError
from bicameral.model.dialogs import META_LENGTH
from bicameral.witness import DialogRecorder, verify_record
from bicameral.witness._sound import is_sound
from bicameral.witness.verify import step_by_step


def recorded(plan, dialog_id="d"):
    recorder, hashes = DialogRecorder(dialog_id), []
    for turn in plan:
        parent = None if turn["parent"] is None else hashes[turn["parent"]]
        members = {name: value for name, value in turn.items() if name != "parent"}
        hashes.append(recorder.append(**members, parent_hash=parent))
    return recorder


def problems(source):
    """What the checks step by step find, an unreadable record being one problem."""
    try:
        return list(step_by_step(read_record(source)))
    except RecordError:
        return ["unreadable"]


def chain(*contents, dialog_id=None, **members):
    """A record of a chain whose id is derived from its first turn, as `record_dialog` derives it."""
    recorder = DialogRecorder(dialog_id or sha256_digest(contents[0].encode()))
    parent = None
    for depth, content in enumerate(contents):
        speaker, audience = ("clerk", "team") if depth % 2 == 0 else ("pixels", "clerk")
        meta = {"model": "1"} if depth else None
        parent = recorder.append(
            speaker=speaker, audience=audience, chain_depth=depth, content=content, parent_hash=parent, meta=meta
        )
    return {**recorder.record(), **members}


@given(own_plans(), st.sampled_from(["d", "åß", ""]))
def test_what_our_recorder_writes_is_known_to_be_sound_in_every_form(plan, dialog_id):
    record = recorded(plan, dialog_id).record("label")
    read = read_record(record)
    for source in (
        record,
        read,
        read_record(record_bytes(record)),
        record_bytes(record),
        record_bytes(record).decode(),
    ):
        assert is_sound(source, None)
        assert is_sound(source, read.digest)
        assert not is_sound(source, "sha256:" + "0" * 64)
    assert problems(record) == []


@given(own_plans(), st.data())
def test_no_record_with_one_changed_character_is_called_sound_with_a_problem_in_it(plan, data):
    body = bytearray(record_bytes(recorded(plan).record()))
    position = data.draw(st.integers(0, len(body) - 1))
    body[position] = data.draw(st.integers(0, 255).filter(lambda byte: byte != body[position]))
    if is_sound(bytes(body), None):
        assert problems(bytes(body)) == []
        assert verify_record(bytes(body)) == []


@given(FOREIGN_DIALOGS)
def test_no_foreign_record_is_called_sound_with_a_problem_in_it(dialog):
    try:
        record = build_agent_dialog_v1_record(dialog)
    except BicameralError:
        return
    if is_sound(record, None):
        assert problems(record) == []


SOUND = chain('{"act":"charge"}', "«f»", "r", "s")
TURNS = json.loads(SOUND["wireKey"])["turns"]


def rekeyed(**changes):
    """The record with its turns changed, each place by its number, and keyed anew as a forger would."""
    turns = [dict(turn) for turn in TURNS]
    for place, change in changes.items():
        turns[int(place[1:])] |= change
    turns = [{name: value for name, value in turn.items() if value is not ...} for turn in turns]
    return build_agent_dialog_v1_record({"dialogId": SOUND["dialogId"], "turns": turns})


def respelled(old, new):
    return {**SOUND, "wireKey": SOUND["wireKey"].replace(old, new)}


WITH_PROBLEMS = {
    "another version": {**SOUND, "specVersion": 2},
    "another count": {**SOUND, "turnCount": 3},
    "another id": {**SOUND, "dialogId": "sha256:" + "0" * 64},
    "an id that is not the key's": {**SOUND, "dialogId": "d"},
    "an id derived from nothing here": chain("a", "b", dialog_id="sha256:" + "0" * 64),
    "a member beside the dialog": {**SOUND, "createdAt": "2026-11-30"},
    "no turns": build_agent_dialog_v1_record({"dialogId": "d", "turns": []}),
    "a space in the key": respelled(',"turns"', ', "turns"'),
    "a member twice in the key": respelled('"chainDepth":1', '"chainDepth":1,' * 2 + '"chainDepth":1'),
    "a member that no turn has": respelled('"speaker":"clerk"', '"speaker":"clerk","time":1'),
    "an escape that is not needed": respelled("«", "\\u00ab"),
    "a depth with a fraction of nothing": respelled('"chainDepth":1', '"chainDepth":1.0'),
    "a depth of minus nothing": respelled('"chainDepth":0', '"chainDepth":-0'),
    "turns in another order": respelled('"chainDepth":0', '"chainDepth":9'),
    "a key cut short": {**SOUND, "wireKey": SOUND["wireKey"][:-1]},
    "a key with something after it": {**SOUND, "wireKey": SOUND["wireKey"] + " "},
    "no genesis": rekeyed(_0={"parentHash": "h"}),
    "two of them": rekeyed(_2={"parentHash": ...}),
    "a genesis that is not at 0": rekeyed(_0={"chainDepth": -1}),
    "a parent nobody said": rekeyed(_2={"parentHash": "sha256:" + "0" * 64}),
    "a parent that is null": rekeyed(_2={"parentHash": None}),
    "a parent at the same depth": rekeyed(_2={"chainDepth": 1}),
    "a turn that was changed": rekeyed(_1={"content": "x"}),
    "a depth beyond 2^53-1": rekeyed(_3={"chainDepth": 2**53}),
    "a lone surrogate": rekeyed(_3={"content": "\ud800"}),
    "a float in a meta": rekeyed(_3={"meta": {"model": 1.5}}),
    "a number in a meta": rekeyed(_3={"meta": {"model": 3}}),
    "a key that no meta has": rekeyed(_3={"meta": {"host": "h"}}),
    "a long text in a meta": rekeyed(_3={"meta": {"model": "x" * (META_LENGTH + 1)}}),
}  # fmt: skip


@pytest.mark.parametrize("name", WITH_PROBLEMS)
def test_a_record_is_not_known_to_be_sound_for(name):
    record = WITH_PROBLEMS[name]
    assert record != SOUND
    assert problems(record), "the case is no case unless the checks step by step find it"
    assert verify_record(record) == problems(record)
    for source in (
        record,
        read_record(record),
        record_bytes(record),
        record_bytes(record).decode("utf-8", "surrogatepass"),
    ):
        assert not is_sound(source, None)


@pytest.mark.parametrize(
    "source", [None, 3, [], {}, b"", "", b"\xff", b"\xef\xbb\xbf{}", "\ud800", "[" * 100_000, {"wireKey": object()}]
)
def test_what_is_no_record_is_not_called_sound_and_raises_nothing(source):
    assert not is_sound(source, None)


def test_a_record_spelled_otherwise_is_checked_step_by_step_and_found_sound():
    for text in (json.dumps(SOUND, indent=1), json.dumps({**SOUND, "label": "é"})):
        assert not is_sound(text, None)
        assert verify_record(text) == []


def test_a_null_meta_which_the_spec_lets_pass_is_checked_step_by_step_and_found_sound():
    record = rekeyed(_3={"meta": None})
    assert not is_sound(record, None)
    assert verify_record(record) == []


def test_a_member_named_twice_in_the_record_is_refused_and_not_called_sound():
    body = record_bytes(SOUND).replace(b'"turnCount":4', b'"turnCount":4,"turnCount":4')
    assert not is_sound(body, None)
    with pytest.raises(RecordError, match="twice"):
        verify_record(body)


def test_the_longest_meta_text_and_the_greatest_depth_are_sound():
    recorder = DialogRecorder("d")
    genesis = recorder.append(speaker="a", audience="b", chain_depth=0, content="x")
    recorder.append(
        speaker="a",
        audience="b",
        chain_depth=2**53 - 1,
        content="y",
        parent_hash=genesis,
        meta={"parts": "é" * META_LENGTH},
    )
    assert is_sound(recorder.record(), None)
    assert problems(recorder.record()) == []


def test_branches_and_broadcasts_are_known_to_be_sound():
    recorder = DialogRecorder("d")
    genesis = recorder.append(speaker="clerk", audience="team", chain_depth=0, content="x")
    for speaker in ("B", "a", "é", "b", "張"):
        answer = recorder.append(speaker=speaker, audience="team", chain_depth=2, content="y", parent_hash=genesis)
        recorder.append(speaker="clerk", audience=speaker, chain_depth=3, content="z", parent_hash=answer)
    assert turn_hash(recorder.turns[0]) == genesis
    assert is_sound(recorder.record(), None)
