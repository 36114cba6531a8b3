"""Verifying a record: everything derived again."""

from __future__ import annotations

import json

import pytest
from said import dialogue

from bicameral.canonical import build_agent_dialog_v1_record, read_record, turn_hash
from bicameral.errors import RecordError
from bicameral.witness import DialogRecorder, record_dialog, verify, verify_record


def own():
    return dict(record_dialog(dialogue()).record)


def rebuilt(change):
    """Our record with its dialog changed and its key, count and id written anew, as a forger would."""
    dialog = read_record(own()).wire_dialog()
    change(dialog)
    return build_agent_dialog_v1_record(dialog)


def found(record):
    return [(problem.where, problem.kind) for problem in verify_record(record)]


def test_our_own_record_is_sound_from_a_mapping_and_from_bytes():
    assert found(own()) == found(json.dumps(own())) == []


@pytest.mark.parametrize(
    ("change", "where"),
    [
        ({"turnCount": 2}, "turnCount"),
        ({"dialogId": "sha256:" + "0" * 64}, "dialogId"),
        ({"dialogId": "elsewhere"}, "dialogId"),
        ({"wireKey": "{}"}, "wireKey"),
        ({"wireKey": "no json"}, "wireKey"),
    ],
)
def test_a_changed_member_is_broken(change, where):
    assert (where, "broken") in found({**own(), **change})


def test_another_version_is_unverifiable():
    assert found({**own(), "specVersion": 2}) == [("specVersion", "unverifiable")]


def test_a_type_nobody_knows_is_unverifiable():
    assert found({"solverType": "ui.session.v9"}) == [("solverType", "unverifiable")]


def changed_at(record, position):
    key = record["wireKey"]
    return {**record, "wireKey": key[:position] + ("x" if key[position] != "x" else "y") + key[position + 1 :]}


def test_every_changed_character_before_the_last_turn_is_found():
    record = own()
    for position in range(record["wireKey"].rindex(',{"audience"')):
        assert found(changed_at(record, position)), position


def test_a_change_in_the_last_turn_is_found_by_the_digest_that_others_hold():
    witnessed = record_dialog(dialogue())
    assert verify_record(witnessed.record_bytes, record_digest=witnessed.record_digest) == []
    for position in range(len(witnessed.record_bytes)):
        changed = bytearray(witnessed.record_bytes)
        changed[position] ^= 1
        try:
            problems = verify_record(bytes(changed), record_digest=witnessed.record_digest)
        except RecordError:
            continue
        assert ("record", "broken") in [(problem.where, problem.kind) for problem in problems], position


@pytest.mark.parametrize(
    "respell",
    [
        lambda key: key.replace('"turns"', ' "turns"'),
        lambda key: key.replace('"chainDepth":1', '"chainDepth":1.0'),
        lambda key: key.replace("Grey", "\\u0047rey"),
        lambda key: key.replace('"chainDepth":1,', '"chainDepth":7,"chainDepth":1,'),
        lambda key: key.replace('"speaker":"clerk"', '"speaker":"clerk","time":1'),
    ],
)
def test_the_same_dialog_spelled_otherwise_is_broken(respell):
    changed = respell(own()["wireKey"])
    assert changed != own()["wireKey"]
    assert ("wireKey", "broken") in found({**own(), "wireKey": changed})


def say_otherwise(dialog):
    dialog["turns"][0]["content"] = dialog["turns"][0]["content"].replace("demo", "other")


def say_otherwise_later(dialog):
    dialog["turns"][1]["content"] = dialog["turns"][1]["content"].replace("Grey", "Blue")


def drop_a_turn(dialog):
    del dialog["turns"][1]


def add_a_turn(dialog):
    dialog["turns"].append({**dialog["turns"][2], "chainDepth": 3})
    dialog["turns"][3]["parentHash"] = turn_hash(dialog["turns"][1])
    del dialog["turns"][3]["parentHash"]


def swap_the_speakers(dialog):
    dialog["turns"][1]["speaker"], dialog["turns"][1]["audience"] = "pixels", "axe+layout"


def point_forward(dialog):
    dialog["turns"][1]["parentHash"] = turn_hash(dialog["turns"][2])


def take_another_charge(dialog):
    dialog["turns"][0] = {
        "speaker": "clerk", "audience": "axe+layout", "chainDepth": 0,
        "content": record_dialog(dialogue(picture="b" * 64)).turns[0].content,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("change", "places"),
    [
        (say_otherwise, {"turns[1].parentHash", "dialogId"}),
        (say_otherwise_later, {"turns[2].parentHash"}),
        (drop_a_turn, {"turns[1].parentHash"}),
        (add_a_turn, {"turns", "turns[3].chainDepth"}),
        (swap_the_speakers, {"turns[2].parentHash"}),
        (point_forward, {"turns[1].parentHash", "turns[2].parentHash"}),
        (take_another_charge, {"turns[1].parentHash", "dialogId"}),
    ],
)
def test_a_dialog_that_was_changed_and_keyed_anew_is_broken(change, places):
    problems = found(rebuilt(change))
    assert {where for where, _ in problems} == places
    assert {kind for _, kind in problems} == {"broken"}


def test_a_parent_that_is_not_earlier_is_found():
    recorder = DialogRecorder("d")
    genesis = recorder.append(speaker="a", audience="b", chain_depth=0, content="x")
    dialog = {"dialogId": "d", "turns": [
        {"speaker": "a", "audience": "b", "chainDepth": 0, "content": "x"},
        {"speaker": "b", "audience": "a", "chainDepth": 0, "content": "y", "parentHash": genesis},
    ]}  # fmt: skip
    assert found(build_agent_dialog_v1_record(dialog)) == [("turns[1].parentHash", "unverifiable")]


def test_a_foreign_record_that_names_parents_its_own_way_is_unverifiable_not_broken():
    dialog = {"dialogId": "dlg-1", "turns": [
        {"speaker": "a", "audience": "b", "chainDepth": 0, "content": "x"},
        {"speaker": "b", "audience": "a", "chainDepth": 1.5, "content": "y", "parentHash": "h0", "meta": {"w": 0.5}},
    ]}  # fmt: skip
    problems = found(build_agent_dialog_v1_record(dialog))
    assert problems
    assert {kind for _, kind in problems} == {"unverifiable"}
    assert ("turns[1].meta.w", "unverifiable") in problems


def test_a_key_in_another_locales_order_is_unverifiable_not_broken():
    turns = [{"speaker": speaker, "audience": "team", "chainDepth": 0, "content": "x"} for speaker in ("zed", "åse")]
    record = build_agent_dialog_v1_record({"dialogId": "d", "turns": turns})
    parts = [json.dumps(turn, ensure_ascii=False, sort_keys=True, separators=(",", ":")) for turn in reversed(turns)]
    danish = {**record, "wireKey": f'{{"dialogId":"d","turns":[{",".join(parts)}]}}'}
    assert ("wireKey", "unverifiable") in found(danish)
    assert ("wireKey", "broken") not in found(danish)


def test_turns_out_of_the_order_of_their_depths_are_broken():
    dialog = {"dialogId": "d", "turns": [
        {"speaker": "a", "audience": "b", "chainDepth": depth, "content": "x"} for depth in (0, 1)
    ]}  # fmt: skip
    record = build_agent_dialog_v1_record(dialog)
    first, second = record["wireKey"].split("},{")
    swapped = first.replace(":0,", ":1,") + "},{" + second.replace(":1,", ":0,")
    assert ("wireKey", "broken") in found({**record, "wireKey": swapped})


@pytest.mark.parametrize("content", ["lone \\ud800", "fine"])
def test_values_that_another_reader_may_read_otherwise_are_named(content):
    dialog = {"dialogId": "d", "turns": [
        {"speaker": "a", "audience": "b", "chainDepth": 0, "content": json.loads(f'"{content}"'),
         "meta": {"big": 2**60, "list": [0.5], "k\udfff": 1}},
    ]}  # fmt: skip
    places = {where for where, _ in found(build_agent_dialog_v1_record(dialog))}
    assert {"turns[0].meta", "turns[0].meta.big", "turns[0].meta.list[0]"} <= places
    assert ("turns[0].content" in places) == (content != "fine")


def test_duplicates_and_null_depths_of_foreign_records_are_problems():
    turn = '{"audience":"b","chainDepth":null,"content":"c","speaker":"a"}'
    record = {**own(), "dialogId": "d", "turnCount": 2, "wireKey": f'{{"dialogId":"d","turns":[{turn},{turn}]}}'}
    assert ("wireKey", "broken") in found(record)


@pytest.mark.parametrize("source", [None, b"\xff", "{}", "[" * 100_000, {"solverType": "agent.dialog.v1"}])
def test_what_is_no_record_is_unreadable(source):
    with pytest.raises(RecordError):
        verify_record(source)


def test_a_key_nested_without_end_is_a_problem():
    assert ("wireKey", "broken") in found({**own(), "wireKey": "[" * 100_000 + "]" * 100_000})


@pytest.mark.parametrize("member", ["createdAt", "host", "latencyMs"])
def test_a_member_beside_the_dialog_of_our_own_record_is_a_problem(member):
    assert (member, "broken") in found({**own(), member: "10.0.0.1:8080"})
    foreign = {**build_agent_dialog_v1_record({"dialogId": "d", "turns": []}), member: 1}
    assert (member, "broken") not in found(foreign)


@pytest.mark.parametrize(
    "meta",
    [{"timestamp": "2026-11-30T12:00:00Z"}, {"model": {"host": "h"}}, {"model": 3}, {"pictures": "x" * 201}, []],
)
def test_meta_in_which_a_clock_or_a_host_could_stand_is_a_problem(meta):
    record = rebuilt(lambda dialog: dialog["turns"][-1].update(meta=meta))
    assert ("turns[2].meta", "broken") in found(record)


@pytest.mark.parametrize("member", ["turnCount", "specVersion"])
def test_a_number_of_five_thousand_digits_is_a_problem_and_no_crash(member):
    assert found({**own(), member: 10**5000})


def test_a_content_is_text_whatever_numbers_its_json_holds_as_the_recorder_takes_it():
    recorder = DialogRecorder("d")
    recorder.append(speaker="a", audience="b", chain_depth=0, content='{"score":0.5,"n":1e400}')
    assert found(recorder.record()) == []
    foreign = {"dialogId": "d", "turns": [*recorder.turns, {
        "speaker": "a", "audience": "b", "chainDepth": 1, "content": '{"score":0.5}', "meta": {"n": 1},
        "parentHash": turn_hash(recorder.turns[0]),
    }]}  # fmt: skip
    assert found(build_agent_dialog_v1_record(foreign)) == []


def test_a_sound_record_of_a_long_dialog_is_sound_step_by_step_too(monkeypatch):
    recorder = DialogRecorder("d")
    parent = recorder.append(speaker="clerk", audience="team", chain_depth=0, content="open")
    for depth in range(1, 700):
        parent = recorder.append(
            speaker="a", audience="team", chain_depth=depth, content="ß" * (depth % 9), parent_hash=parent
        )
    record = recorder.record()
    assert found(record) == []
    monkeypatch.setattr(verify, "is_sound", lambda source, record_digest: False)
    assert found(record) == []
