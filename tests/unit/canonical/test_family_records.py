"""The family's types: which document is read as what, and what each refuses, with its place."""

from __future__ import annotations

import copy
import json

import pytest
from dialog_vectors import spec_cases

from bicameral.canonical import (
    EQUIVALENCE_V1,
    UI_SESSION_V1,
    DialogRecord,
    EquivalenceRecord,
    Record,
    SessionRecord,
    build_agent_dialog_v1_record,
    build_ui_session_v1_record,
    canonical_json,
    open_dialog,
    read_record,
    record_bytes,
    sha256_digest,
)
from bicameral.canonical.equivalences import VALUE_UNITS, difference_value, equivalence_faults
from bicameral.canonical.sessions import ACTIONS, session_digest, session_faults, step_hash
from bicameral.errors import RecordError, UnrecordableError

DIGEST = sha256_digest(b"a picture")
OPENED = {"actor": "clerk", "target": "shop"}
STEPS = [
    {"action": "navigate", "value": "/", "seen": {"picture": DIGEST}},
    {"action": "fill", "target": "textbox Password", "secret": True},
    {"action": "click", "target": "button Sign in", "failed": "timed-out"},
]
SESSION = build_ui_session_v1_record(OPENED, STEPS, label="sign-in")
EQUIVALENCE = {case["name"]: json.loads(case["record"]) for case in spec_cases("equivalence.v1.json")}
DIFFERENT = EQUIVALENCE["other_ruling"]


def without(record, name):
    return {member: value for member, value in record.items() if member != name}


def test_each_type_is_read_as_its_own_class():
    dialog = build_agent_dialog_v1_record({"dialogId": "d", "turns": []})
    for record, kind in ((dialog, DialogRecord), (DIFFERENT, EquivalenceRecord), (SESSION, SessionRecord)):
        for source in (record, record_bytes(record), json.dumps(record, indent=1)):
            read = read_record(source)
            assert type(read) is kind
            assert read == record
            assert read_record(read) is read


def test_every_type_is_written_as_it_was_read_and_from_a_mapping_in_canonical_form():
    for record in (DIFFERENT, SESSION, {"solverType": "x.y.v1", "n": 1.5}):
        for data in (json.dumps(record, indent=2).encode(), record_bytes(record)):
            assert read_record(data).to_bytes() == data
            assert read_record(read_record(data).to_bytes()).digest == sha256_digest(data)
        assert read_record(record).to_bytes() == record_bytes(record) == canonical_json(record)


def test_a_copy_of_a_record_as_a_mapping_is_read_too():
    read = read_record(dict(read_record(SESSION)))
    assert isinstance(read, SessionRecord)


@pytest.mark.parametrize("solver_type", [EQUIVALENCE_V1, UI_SESSION_V1])
@pytest.mark.parametrize("version", [None, 0, 2, 1.5, "1", True, [1]])
def test_another_document_of_the_same_word_is_carried_through_unharmed(solver_type, version):
    foreign = {"solverType": solver_type, "specVersion": version, "geometryHash": "", "participantHash": "ph-1"}
    for record in (foreign, without(foreign, "specVersion")):
        data = json.dumps(record).encode()
        read = read_record(data)
        assert type(read) is Record
        assert read.to_bytes() == data


def test_the_version_is_one_by_value():
    assert isinstance(
        read_record(json.dumps(SESSION).replace('"specVersion": 1,', '"specVersion": 1.0,')), SessionRecord
    )


def test_members_that_nobody_knows_are_kept():
    for record in (DIFFERENT, SESSION):
        read = read_record(record_bytes({**record, "more": {"x": [1]}}))
        assert read["more"] == {"x": [1]}
        assert b'"more":{"x":[1]}' in read.to_bytes()


def test_what_a_record_says_is_had_by_name():
    comparison = read_record(DIFFERENT)
    assert isinstance(comparison, EquivalenceRecord)
    assert not comparison.equivalent
    assert [side["turnCount"] for side in comparison.sides] == [2, 2]
    assert comparison.first_difference is not None
    assert comparison.first_difference["where"] == "turns[1].content.rulings[0].verdict"
    same = read_record(EQUIVALENCE["same"])
    assert isinstance(same, EquivalenceRecord)
    assert same.equivalent
    assert same.first_difference is None
    session = read_record(SESSION)
    assert isinstance(session, SessionRecord)
    assert (session.label, session.opened["actor"], len(session.steps)) == ("sign-in", "clerk", 3)
    assert session.session_id == SESSION["sessionId"]
    assert session.wire_digest == SESSION["wireDigest"]
    with pytest.raises(RecordError, match="holds no dialog"):
        open_dialog(SESSION)


def changed(record, path, value):
    """A copy with the value at the path; `...` takes the member away."""
    fresh = copy.deepcopy(record)
    *way, last = path
    at = fresh
    for step in way:
        at = at[step]
    if value is ...:
        del at[last]
    else:
        at[last] = value
    return fresh


@pytest.mark.parametrize(
    ("record", "path", "value", "place"),
    [
        (DIFFERENT, ["a"], ..., "a is missing"),
        (DIFFERENT, ["a"], "x", "a is the text 'x', not an object"),
        (DIFFERENT, ["a", "dialogId"], None, "a.dialogId is null"),
        (DIFFERENT, ["b", "wireDigest"], "sha256:XY", "b.wireDigest is the text 'sha256:XY'"),
        (DIFFERENT, ["b", "wireDigest"], DIGEST + "\n", "b.wireDigest"),
        (DIFFERENT, ["b", "turnCount"], 1.5, "b.turnCount is a number"),
        (DIFFERENT, ["b", "turnCount"], True, "b.turnCount is true"),
        (DIFFERENT, ["outcome"], False, "outcome is false"),
        (DIFFERENT, ["firstDifference"], [], "firstDifference is a list"),
        (DIFFERENT, ["firstDifference", "where"], ..., "firstDifference.where is missing"),
        (DIFFERENT, ["firstDifference", "turn"], "1", "firstDifference.turn"),
        (DIFFERENT, ["firstDifference", "a"], "1", "firstDifference.a"),
        (DIFFERENT, ["firstDifference", "a", "digest"], ..., "firstDifference.a.digest is missing"),
        (DIFFERENT, ["firstDifference", "b", "text"], 3, "firstDifference.b.text"),
        (DIFFERENT, ["label"], 3, "label is a number, not text"),
        (SESSION, ["sessionId"], "s-1", "sessionId"),
        (SESSION, ["wireDigest"], ..., "wireDigest is missing"),
        (SESSION, ["opened"], [], "opened is a list"),
        (SESSION, ["opened", "actor"], ..., "opened.actor is missing"),
        (SESSION, ["opened", "target"], 3, "opened.target"),
        (SESSION, ["opened", "task"], 3, "opened.task"),
        (SESSION, ["steps"], {}, "steps is an object, not a list"),
        (SESSION, ["steps", 1], "click", "steps[1] is no object"),
        (SESSION, ["steps", 1, "action"], ..., "steps[1].action is missing"),
        (SESSION, ["steps", 0, "value"], None, "steps[0].value is null"),
        (SESSION, ["steps", 0, "seen"], DIGEST, "steps[0].seen"),
        (SESSION, ["steps", 0, "seen", "picture"], "a.png", "steps[0].seen.picture"),
        (SESSION, ["steps", 1, "secret"], False, "steps[1].secret is false, not true"),
        (SESSION, ["steps", 2, "previous"], ..., "steps[2].previous is missing"),
        (SESSION, ["stepCount"], "3", "stepCount"),
    ],
)  # fmt: skip
def test_a_member_of_another_kind_is_refused_with_its_place_and_the_mend(record, path, value, place):
    for document in (changed(record, path, value), json.dumps(changed(record, path, value))):
        with pytest.raises(RecordError) as caught:
            read_record(document)
        assert place in str(caught.value)
        assert f"The page of {record['solverType']}" in str(caught.value)


def test_no_more_faults_are_told_than_help():
    with pytest.raises(RecordError) as caught:
        read_record({**SESSION, "steps": ["x\x1b" * 1000] * 10_000})
    assert "and 9992 more" in str(caught.value)
    assert len(str(caught.value)) < 1000


@pytest.mark.parametrize(
    ("path", "value", "place"),
    [
        (["outcome"], "alike", "outcome"),
        (["outcome"], "equivalent", "outcome"),
        (["firstDifference"], ..., "firstDifference"),
        (["a", "turnCount"], -1, "a.turnCount"),
        (["a", "at"], 1, "a.at"),
        (["when"], "now", "when"),
        (["firstDifference", "when"], "now", "firstDifference.when"),
        (["firstDifference", "a", "when"], "now", "firstDifference.a.when"),
        (["firstDifference", "a", "text"], '"other"', "firstDifference.a"),
        (["firstDifference", "a", "text"], "\ud800", "firstDifference.a"),
        (["firstDifference", "where"], "dialogId", "firstDifference.where"),
        (["firstDifference", "where"], "turns[1].speaker", "firstDifference.where"),
        (["firstDifference", "turn"], 10**400, "firstDifference.where"),
        (["firstDifference", "turn"], ..., "firstDifference.where"),
    ],
)
def test_a_comparison_that_contradicts_itself_is_told(path, value, place):
    assert list(equivalence_faults(read_record(DIFFERENT))) == []
    record = read_record(changed(DIFFERENT, path, value))
    assert place in [fault.where for fault in equivalence_faults(record)]


def test_a_short_value_stands_in_a_comparison_and_a_long_one_is_its_digest():
    assert difference_value(None) is None
    for text in ("", "x" * VALUE_UNITS, "\U0001f600" * (VALUE_UNITS // 2)):
        assert difference_value(text) == {"digest": sha256_digest(text.encode()), "text": text}
    for text in ("x" * (VALUE_UNITS + 1), "\U0001f600" * (VALUE_UNITS // 2) + "x"):
        assert difference_value(text) == {"digest": sha256_digest(text.encode())}


def test_a_session_is_a_chain_of_steps_under_one_digest():
    steps = SESSION["steps"]
    assert SESSION["sessionId"] == sha256_digest(canonical_json(OPENED)) == steps[0]["previous"]
    assert [step["previous"] for step in steps[1:]] == [step_hash(step) for step in steps[:-1]]
    assert step_hash(steps[0]) == sha256_digest(canonical_json(steps[0]))
    assert SESSION["wireDigest"] == session_digest(SESSION["sessionId"], OPENED, steps)
    assert build_ui_session_v1_record(OPENED, STEPS)["wireDigest"] == SESSION["wireDigest"]
    assert STEPS[0] == {"action": "navigate", "value": "/", "seen": {"picture": DIGEST}}


@pytest.mark.parametrize("action", ACTIONS)
def test_each_action_asks_for_its_target_and_its_value(action):
    needs = ACTIONS[action]
    whole = {"action": action}
    if needs.target != "never":
        whole["target"] = "button Go"
    if needs.value != "never":
        whole["value"] = "/go"
    build_ui_session_v1_record(OPENED, [whole])
    for name, asked in (("target", needs.target), ("value", needs.value)):
        odd = without(whole, name) if name in whole else {**whole, name: "x"}
        if asked == "may":
            build_ui_session_v1_record(OPENED, [odd])
        else:
            with pytest.raises(RecordError, match=rf"steps\[0\]\.{name}"):
                build_ui_session_v1_record(OPENED, [odd])


@pytest.mark.parametrize(
    ("opened", "steps", "place"),
    [
        (None, [], "opened is null"),
        ({}, [], "opened.actor is missing"),
        ({**OPENED, "actor": ""}, [], "opened.actor is empty"),
        ({**OPENED, "target": "http://127.0.0.1:8000"}, [], "opened.target names a host"),
        ({**OPENED, "target": "//shop"}, [], "opened.target names a host"),
        ({**OPENED, "host": "box"}, [], "opened.host"),
        ({**OPENED, "task": "\ud800"}, [], "opened.task"),
        (OPENED, ["click"], "steps[0] is the text 'click'"),
        (OPENED, [{}], "steps[0].action is missing"),
        (OPENED, [{"action": "teleport"}], "steps[0].action is none of navigate"),
        (OPENED, [{"action": "navigate", "value": "http://x/"}], "steps[0].value names a host"),
        (OPENED, [{"action": "navigate", "value": "//x/"}], "steps[0].value names a host"),
        (OPENED, [{"action": "click", "target": ""}], "steps[0].target is empty"),
        (OPENED, [{"action": "click", "target": "a", "ms": "3"}], "steps[0].ms"),
        (OPENED, [{"action": "click", "target": "a", "ms": 0.5}], "steps[0].ms"),
        (OPENED, [{"action": "click", "target": "a", "secret": True}], "steps[0].secret"),
        (OPENED, [{"action": "fill", "target": "a", "secret": True, "value": "x"}], "steps[0].value"),
        (OPENED, [{"action": "wait"}], "steps[0] waits for nothing"),
        (OPENED, [{"action": "wait", "value": "a", "seen": {}}], "steps[0].seen names nothing"),
        (OPENED, [{"action": "wait", "value": "a", "seen": {"video": DIGEST}}], "steps[0].seen.video"),
        (OPENED, [{"action": "wait", "value": "a", "failed": "no"}], "steps[0].failed is none of"),
        (OPENED, [{"action": "wait", "value": "a", "previous": DIGEST}], "steps[0].previous"),
        (OPENED, [{"action": "wait", "value": "\udfff"}], "steps[0].value"),
        (OPENED, [{"action": "wait", "value": object()}], "steps[0].value"),
    ],
)
def test_a_session_that_may_not_be_recorded_is_refused_with_its_place(opened, steps, place):
    with pytest.raises(RecordError) as caught:
        build_ui_session_v1_record(opened, steps)
    assert place in str(caught.value)


def test_a_label_that_is_no_text_is_refused():
    with pytest.raises(RecordError, match="label is a number"):
        build_ui_session_v1_record(OPENED, [], label=3)


@pytest.mark.parametrize("step", [{"action": "wait", "value": "a", "more": ["\ud800"]}, {"action": "x", "n": 2**53}])
def test_what_no_record_may_hold_is_unrecordable(step):
    with pytest.raises(UnrecordableError, match=r"steps\[0\]"):
        build_ui_session_v1_record(OPENED, [step])


@pytest.mark.parametrize(
    ("path", "value", "places"),
    [
        (["opened", "actor"], "ada", {"sessionId", "wireDigest"}),
        (["sessionId"], DIGEST, {"sessionId", "steps[0].previous", "wireDigest"}),
        (["wireDigest"], DIGEST, {"wireDigest"}),
        (["stepCount"], 4, {"stepCount"}),
        (["steps", 1], ..., {"steps[1].previous", "wireDigest", "stepCount"}),
        (["steps", 0, "value"], "/x", {"steps[1].previous", "wireDigest"}),
        (["steps", 2, "target"], "button Go", {"wireDigest"}),
        (["steps", 2, "previous"], DIGEST, {"steps[2].previous", "wireDigest"}),
        (["startedAt"], "now", {"startedAt"}),
        (["steps", 1, "target"], "\ud800", {"the record"}),
        (["steps", 1, "more"], 2**60, {"steps[1].more", "the record"}),
    ],
)
def test_whatever_was_changed_in_a_session_is_told(path, value, places):
    assert list(session_faults(read_record(SESSION))) == []
    record = read_record(changed(SESSION, path, value))
    assert {fault.where for fault in session_faults(record)} == places


def test_a_step_nested_without_end_is_told():
    deep = []
    for _ in range(900):
        deep = [deep]
    record = read_record(changed(SESSION, ["steps", 1, "more"], deep))
    assert "the record" in [fault.where for fault in session_faults(record)]


def test_a_sessions_label_with_half_a_character_is_a_fault() -> None:
    assert [fault.where for fault in session_faults({**SESSION, "label": "\ud800"})] == ["label"]
