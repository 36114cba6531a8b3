"""Comparisons and sessions: made, verified and derived again."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from said import dialogue

from bicameral.canonical import build_agent_dialog_v1_record, open_dialog, read_record, record_bytes
from bicameral.errors import DuplicateTurnError, RecordError
from bicameral.witness import first_difference, record_dialog, verify_record
from bicameral.witness._family import build_equivalence_v1_record, verify_equivalence

SPEC = Path(__file__).parents[3] / "spec" / "vectors"
FILES = ("agent.dialog.v1.json", "equivalence.v1.json", "ui.session.v1.json")
CASES = {
    f"{file.removesuffix('.json')}: {case['name']}": case
    for file in FILES
    for case in json.loads((SPEC / file).read_text("ascii"))["cases"]
}
COMPARED = {name: case for name, case in CASES.items() if "a" in case}
ONE, OTHER = record_dialog(dialogue()), record_dialog(dialogue(verdict="agree"))


@pytest.mark.parametrize("name", CASES)
def test_a_vector_of_the_family_verifies_as_its_page_says(name):
    case = CASES[name]
    kinds = {problem.kind for problem in verify_record(case["record"], record_digest=case["recordDigest"])}
    status = "broken" if "broken" in kinds else "unverifiable" if kinds else "sound"
    assert status == case["status"]


@pytest.mark.parametrize("name", COMPARED)
def test_a_vector_of_two_dialogs_is_derived_again_byte_for_byte(name):
    case = COMPARED[name]
    assert record_bytes(build_equivalence_v1_record(case["a"], case["b"])) == case["record"].encode()
    assert verify_equivalence(case["record"], case["a"], case["b"]) == []


def test_a_comparison_says_what_the_first_difference_is():
    record = build_equivalence_v1_record(ONE, OTHER, label="nightly")
    difference = first_difference(ONE, OTHER)
    assert difference is not None
    told = record["firstDifference"]
    assert (told["where"], told["turn"]) == (difference.where, difference.turn)
    assert (told["a"]["text"], told["b"]["text"]) == (difference.a, difference.b)
    assert (record["a"]["wireDigest"], record["b"]["wireDigest"]) == (ONE.wire_digest, OTHER.wire_digest)
    assert record["label"] == "nightly"
    assert verify_record(record) == verify_equivalence(record, ONE, OTHER) == []


def test_a_dialog_and_its_record_are_the_same_side_of_a_comparison():
    opened = open_dialog(build_agent_dialog_v1_record(ONE))
    record = build_equivalence_v1_record(ONE, opened)
    assert record["outcome"] == "equivalent"
    assert "firstDifference" not in record
    assert verify_equivalence(record, opened, ONE) == []


@pytest.mark.parametrize(
    ("change", "where"),
    [
        ({"outcome": "equivalent"}, "outcome"),
        ({"label": "other"}, None),
        ({"a": {"dialogId": "x", "turnCount": 3, "wireDigest": ONE.wire_digest}}, "a"),
        ({"more": 1}, "more"),
    ],
)
def test_a_changed_comparison_is_told_by_whoever_has_both_dialogs(change, where):
    record = {**build_equivalence_v1_record(ONE, OTHER), **change}
    found = [problem.where for problem in verify_equivalence(record, ONE, OTHER)]
    assert found == [] if where is None else where in found


def test_a_first_difference_that_was_made_up_is_told_only_with_the_dialogs():
    record = build_equivalence_v1_record(ONE, OTHER)
    made_up = {**record, "firstDifference": {**record["firstDifference"], "where": "turns[2].content.other"}}
    assert verify_record(made_up) == []
    assert [problem.where for problem in verify_equivalence(made_up, ONE, OTHER)] == ["firstDifference"]


def test_the_two_sides_have_an_order():
    record = build_equivalence_v1_record(ONE, OTHER)
    assert {problem.where for problem in verify_equivalence(record, OTHER, ONE)} == {"a", "b", "firstDifference"}


def test_a_side_nested_without_end_is_another_and_no_error():
    deep = []
    for _ in range(1000):
        deep = [deep]
    record = build_equivalence_v1_record(ONE, OTHER)
    record["a"] = {**record["a"], "more": deep}
    assert {"a", "a.more"} <= {problem.where for problem in verify_equivalence(record, ONE, OTHER)}


def test_what_cannot_be_compared_has_no_record():
    turn = {"speaker": "a", "audience": "b", "chainDepth": 0, "content": "c"}
    with pytest.raises(DuplicateTurnError):
        build_equivalence_v1_record(ONE, {"dialogId": "d", "turns": [turn, turn]})
    with pytest.raises(RecordError, match="dialogId"):
        build_equivalence_v1_record({}, ONE)
    with pytest.raises(RecordError, match="label is a number"):
        build_equivalence_v1_record(ONE, ONE, label=3)
    for source in (ONE.record, {"solverType": "equivalence.v1"}, "[]"):
        with pytest.raises(RecordError):
            verify_equivalence(source, ONE, ONE)


def test_a_changed_byte_of_any_record_of_the_family_is_told_by_its_digest():
    for name in ("equivalence.v1: other_ruling", "ui.session.v1: whole"):
        case = CASES[name]
        data = case["record"].encode()
        for position in range(0, len(data), 7):
            changed = bytearray(data)
            changed[position] ^= 1
            try:
                problems = verify_record(bytes(changed), record_digest=case["recordDigest"])
            except RecordError:
                continue
            assert ("record", "broken") in [(problem.where, problem.kind) for problem in problems], position


def test_every_changed_character_of_a_session_is_told_by_the_session_itself():
    case = CASES["ui.session.v1: whole"]
    text = case["record"]
    for position in range(len(text)):
        changed = text[:position] + ("x" if text[position] != "x" else "y") + text[position + 1 :]
        try:
            read = read_record(changed)
        except RecordError:
            continue
        assert verify_record(read), position


def test_another_version_of_the_same_word_is_unverifiable():
    for word in ("equivalence.v1", "ui.session.v1"):
        problems = verify_record({"solverType": word, "specVersion": 2})
        assert [(problem.where, problem.kind) for problem in problems] == [("solverType", "unverifiable")]
