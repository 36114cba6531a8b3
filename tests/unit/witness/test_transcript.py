"""A record as lines for a person."""

from __future__ import annotations

import json

import pytest
from said import dialogue

from bicameral.canonical import build_agent_dialog_v1_record, build_ui_session_v1_record, turn_hash
from bicameral.canonical.sessions import step_hash
from bicameral.errors import RecordError
from bicameral.witness import DialogRecorder, record_dialog, render_transcript
from bicameral.witness._family import build_equivalence_v1_record


def test_a_transcript_names_everyone_every_hash_and_every_ruling():
    witnessed = record_dialog(dialogue(), label="demo")
    text = render_transcript(witnessed.record)
    assert text == render_transcript(witnessed.record_bytes)
    assert text.startswith(f"dialog {witnessed.dialog_id}\nlabel  demo\nkey    {witnessed.wire_digest}\nturns  3\n")
    for line in (
        "[0] clerk -> axe+layout: charge",
        "[1] axe+layout -> pixels: findings",
        "      0. high contrast: Grey on white",
        "         demo/home/rest/phone/light, color-contrast-link-home",
        "         Too faint to read.",
        "         box: 1, 2, 3, 4",
        "    model: 1",
        "[2] pixels -> axe+layout: rulings",
        "      0. on finding 0: dispute",
        "         7.3:1 measured",
        "    additions: none",
    ):
        assert line in text.splitlines()
    for turn in witnessed.turns:
        assert f"    hash    {turn_hash(turn)}" in text.splitlines()
        assert turn.parent_hash is None or f"    parent  {turn.parent_hash}" in text.splitlines()


def test_branches_are_drawn():
    recorder = DialogRecorder("d")
    root = recorder.append(speaker="a", audience="team", chain_depth=0, content="open")
    for speaker in ("b", "c"):
        answer = recorder.append(speaker=speaker, audience="a", chain_depth=1, content="x", parent_hash=root)
        recorder.append(speaker="a", audience=speaker, chain_depth=2, content="y", parent_hash=answer)
    heads = [line for line in render_transcript(recorder.record()).splitlines() if "[" in line]
    assert heads == ["[0] a -> team", "├─ [1] b -> a", "│  [2] a -> b", "└─ [1] c -> a", "   [2] a -> c"]


def test_foreign_content_is_shown_as_it_is_line_by_line():
    turn = {"speaker": "a", "audience": "b", "chainDepth": 0, "content": 'two\nlines, {"act": 3}'}
    text = render_transcript(build_agent_dialog_v1_record({"dialogId": "d", "turns": [turn]}))
    assert text.endswith('    | two\n    | lines, {"act": 3}\n')


EVIL = "\x1b[2J\u202e\u200b\x07\ud800"


@pytest.mark.parametrize(
    "content", [EVIL, json.dumps({"act": EVIL, EVIL: EVIL, "rows": [{"title": EVIL, "category": EVIL}]})]
)
def test_nothing_that_a_terminal_obeys_gets_through(content):
    turn = {
        "speaker": EVIL,
        "audience": EVIL,
        "chainDepth": 0,
        "content": content,
        "parentHash": EVIL,
        "meta": {EVIL: EVIL},
    }
    text = render_transcript(build_agent_dialog_v1_record({"dialogId": EVIL, "turns": [turn]}, label=EVIL))
    assert all(line.isprintable() for line in text.splitlines())
    text.encode("utf-8")


def test_odd_shapes_of_a_known_act_are_shown_all_the_same():
    odd = {
        "act": "rulings",
        "rulings": [{"index": None, "verdict": {"x": []}, "note": 3, "notes": "n"}, 7, [], {}],
        "x": {"y": {"z": [1]}},
    }
    turn = {
        "speaker": "a",
        "audience": "b",
        "chainDepth": 0.5,
        "content": json.dumps(odd),
        "meta": [1],
        "parentHash": 4,
    }
    text = render_transcript(build_agent_dialog_v1_record({"dialogId": "d", "turns": [turn]}))
    assert "[0.5] a -> b: rulings" in text
    assert 'on finding null: {"x":[]}' in text
    assert 'y: {"z":[1]}' in text


def test_a_parent_that_is_not_there_or_comes_later_starts_a_tree_of_its_own():
    turns = [
        {"speaker": "a", "audience": "b", "chainDepth": depth, "content": "x", "parentHash": f"h{depth}"}
        for depth in (0, 1)
    ]
    text = render_transcript(build_agent_dialog_v1_record({"dialogId": "d", "turns": turns}))
    assert [line[:3] for line in text.splitlines() if line.startswith("[")] == ["[0]", "[1]"]


def test_a_record_of_another_type_is_shown_member_by_member():
    assert render_transcript({"solverType": "ui.session.v1", "steps": [{"click": "\x1b"}]}) == (
        "record of type ui.session.v1\n  solverType: ui.session.v1\n  steps (1):\n    0. click \\x1b\n"
    )


def test_a_chain_of_many_turns_is_drawn():
    recorder = DialogRecorder("d")
    parent = None
    for depth in range(3000):
        parent = recorder.append(speaker="a", audience="b", chain_depth=depth, content="x", parent_hash=parent)
    assert render_transcript(recorder.record()).count("] a -> b") == 3000


@pytest.mark.parametrize("source", [None, "{}", "[" * 100_000, {"solverType": "agent.dialog.v1", "wireKey": "x"}])
def test_what_is_no_record_is_refused(source):
    with pytest.raises(RecordError):
        render_transcript(source)


def test_a_comparison_is_told_with_both_dialogs_and_where_they_part():
    one, other = record_dialog(dialogue()), record_dialog(dialogue(verdict="agree"))
    assert render_transcript(build_equivalence_v1_record(one, other, label="nightly")).splitlines() == [
        "two dialogs: different",
        "label  nightly",
        f"a      {one.dialog_id}",
        f"       key    {one.wire_digest}",
        "       turns  3",
        f"b      {other.dialog_id}",
        f"       key    {other.wire_digest}",
        "       turns  3",
        "they part at turns[2].content.rulings[0].verdict",
        '    a: "dispute"',
        '    b: "agree"',
    ]
    same = render_transcript(build_equivalence_v1_record(one, one))
    assert same.startswith("two dialogs: equivalent\na ")
    assert "part" not in same


def test_a_side_that_has_nothing_there_or_a_long_value_is_told_so():
    turn = {"speaker": "a", "audience": "b", "chainDepth": 0, "content": "x" * 500}
    record = build_equivalence_v1_record({"dialogId": "d", "turns": [turn]}, {"dialogId": "d", "turns": []})
    assert render_transcript(record).splitlines()[-2:] == [
        f"    a: {record['firstDifference']['a']['digest']}",
        "    b: (absent)",
    ]


def test_a_session_is_told_step_by_step_with_what_was_seen():
    picture = f"sha256:{'a' * 64}"
    record = build_ui_session_v1_record(
        {"actor": "clerk", "target": "shop", "formFactor": "phone"},
        [
            {"action": "navigate", "value": "/", "seen": {"picture": picture}},
            {"action": "fill", "target": "textbox Password", "secret": True},
            {"action": "fill", "target": "textbox Note", "value": ""},
            {"action": "click", "target": "button Go", "failed": "absent"},
        ],
        label="sign-in",
    )
    lines = render_transcript(record).splitlines()
    assert lines[:7] == [
        f"session {record['sessionId']}",
        "label  sign-in",
        f"key    {record['wireDigest']}",
        "actor: clerk",
        "target: shop",
        "formFactor: phone",
        "steps  4",
    ]
    for line in (
        "[0] navigate: /",
        f"    hash    {step_hash(record['steps'][0])}",
        f"    saw     picture {picture}",
        "[1] fill textbox Password, a secret",
        "[2] fill textbox Note: ",
        "[3] click button Go",
        "    failed  absent",
    ):
        assert line in lines


def test_members_that_no_page_names_are_told_as_well():
    one = record_dialog(dialogue())
    comparison = build_equivalence_v1_record(one, record_dialog(dialogue(verdict="agree")))
    comparison["a"]["at"] = comparison["firstDifference"]["a"]["at"] = comparison["at"] = 7
    assert render_transcript(comparison).count("at: 7") == 2
    assert '"dispute", and {"at":7}' in render_transcript(comparison)
    session = build_ui_session_v1_record({"actor": "a", "target": "b"}, [{"action": "wait", "value": "c"}])
    session["steps"][0]["at"] = session["at"] = session["opened"]["at"] = {"x": [1]}
    assert render_transcript(session).count('at: {"x":[1]}') == 3


def test_a_step_that_has_no_hash_is_told_all_the_same():
    session = build_ui_session_v1_record({"actor": "a", "target": "b"}, [{"action": "wait", "value": "c"}])
    session["steps"][0]["value"] = "\ud800"
    assert "    hash    none: " in render_transcript(session)


@pytest.mark.parametrize("place", ["where", "text"])
def test_nothing_that_a_terminal_obeys_gets_through_from_a_comparison_or_a_session(place):
    one = record_dialog(dialogue())
    comparison = build_equivalence_v1_record(one, record_dialog(dialogue(verdict="agree")), label=EVIL)
    comparison[EVIL] = EVIL
    if place == "where":
        comparison["firstDifference"]["where"] = EVIL
    else:
        comparison["firstDifference"]["a"]["text"] = EVIL
    session = build_ui_session_v1_record({"actor": "a", "target": "b"}, [{"action": "wait", "value": "c"}])
    session["steps"][0] |= {"value": EVIL, "target": EVIL, "failed": EVIL, EVIL: EVIL, "action": EVIL}
    for record in (comparison, session):
        text = render_transcript(record)
        assert all(line.isprintable() for line in text.splitlines())
        text.encode("utf-8")
