"""A record as a trace, and back."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from said import dialogue

from bicameral.canonical import build_agent_dialog_v1_record, read_record, record_bytes, turn_hash
from bicameral.errors import RecordError, UnrecordableError
from bicameral.witness import record_dialog
from bicameral.witness.cael import entry_hash, export_cael, record_of_trace, verify_trace

OWN = record_dialog(dialogue(), label="demo")
CASES = json.loads((Path(__file__).parents[3] / "spec" / "vectors" / "cael.v1.json").read_text("ascii"))["cases"]
MODES = ["fnv1a", "sha256"]
TURN = {"speaker": "a", "audience": "b", "chainDepth": 0, "content": "c"}


def places(lines, **expected):
    return [problem.where for problem in verify_trace(lines, **expected)]


def rehashed(entries, mode):
    """The entries as a chain that is consistent in itself, as a forger makes it."""
    lines, previous = [], "cael.genesis"
    for index, entry in enumerate(entries):
        fresh = {**entry, "index": index, "prevHash": previous}
        previous = fresh["hash"] = entry_hash(fresh, mode)
        lines.append(json.dumps(fresh))
    return lines


@pytest.mark.parametrize("mode", MODES)
def test_an_exported_record_verifies_and_is_had_back_byte_for_byte(mode):
    for source in (OWN.record, OWN.record_bytes, OWN.record_bytes.decode(), read_record(OWN.record)):
        lines = list(export_cael(source, mode=mode))
        assert places(lines, mode=mode, entries=5) == places(lines) == []
        assert record_of_trace(lines).to_bytes() == OWN.record_bytes
        assert record_of_trace("\n".join(lines).encode(), mode=mode) == OWN.record


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_a_vector_of_the_page_is_exported_again_byte_for_byte(case):
    lines = list(export_cael(case["record"], mode=case["mode"]))
    assert "".join(f"{line}\n" for line in lines) == case["jsonl"]
    assert record_of_trace(case["jsonl"]) == case["record"]
    problems = verify_trace(case["jsonl"], mode=case["mode"], entries=len(lines), head=case["head"])
    assert [problem for problem in problems if problem.kind == "broken"] == []


def test_the_trace_says_what_the_record_says_and_asks_no_clock():
    entries = [json.loads(line) for line in export_cael(OWN.record)]
    assert [entry["event"] for entry in entries] == ["init", "interaction", "interaction", "interaction", "final"]
    assert {entry["runId"] for entry in entries} == {OWN.record_digest}
    init, *turns, final = entries
    assert init["payload"]["record"] == OWN.record
    assert init["payload"]["entries"] == final["payload"]["eventCount"] == len(entries)
    assert (init["payload"]["recordDigest"], final["payload"]["wireDigest"]) == (OWN.record_digest, OWN.wire_digest)
    for entry, turn in zip(turns, OWN.turns, strict=True):
        data = entry["payload"]["data"]
        assert (data["speaker"], data["audience"], data["content"]) == (turn.speaker, turn.audience, turn.content)
        assert data["turnHash"] == turn_hash(turn)
        assert entry["timestamp"] == entry["simTime"] == data["chainDepth"] == turn.chain_depth
    assert final["timestamp"] == 2


@pytest.mark.parametrize("mode", MODES)
def test_a_cut_off_end_is_told_wherever_it_was_cut(mode):
    lines = list(export_cael(OWN.record, mode=mode))
    for count in range(1, len(lines)):
        assert places(lines[:count]) == [f"entries[{count}]"]
        with pytest.raises(RecordError, match="an end was cut off"):
            record_of_trace(lines[:count])


@pytest.mark.parametrize("mode", MODES)
def test_a_forger_who_makes_all_hashes_anew_is_told_by_the_record(mode):
    entries = [json.loads(line) for line in export_cael(OWN.record, mode=mode)]
    assert rehashed(entries, mode) != []
    assert places(rehashed(entries, mode)) == []
    dropped = rehashed(entries[:2] + entries[3:], mode)
    assert places(dropped) == ["entries[2]"]
    entries[2]["payload"]["data"]["content"] = "something else"
    assert places(rehashed(entries, mode)) == ["entries[2]"]


def test_a_changed_record_in_the_head_is_told():
    entries = [json.loads(line) for line in export_cael(OWN.record)]
    record = entries[0]["payload"]["record"]
    record["wireKey"] = record["wireKey"].replace("Grey", "Blue")
    found = places(rehashed(entries, "sha256"))
    assert "entries[0]" in found
    assert "entries[0].payload.record.turns[2].parentHash" in found


@pytest.mark.parametrize("record", [None, 3, [], {}, "x", {"solverType": "x"}, {"solverType": "agent.dialog.v1"}])
def test_a_head_that_holds_no_record_is_a_problem(record):
    entries = [json.loads(line) for line in export_cael(OWN.record)]
    entries[0]["payload"]["record"] = record
    assert "entries[0].payload.record" in places(rehashed(entries, "sha256"))


def test_a_record_that_the_hash_would_not_cover_is_not_exported_and_not_believed():
    odd = {**OWN.record, "more": {"__proto__": 1}}
    with pytest.raises(UnrecordableError, match="__proto__"):
        list(export_cael(odd))
    entries = [json.loads(line) for line in export_cael(OWN.record)]
    entries[0]["payload"]["record"] = odd
    assert "entries[0].payload.record.more.__proto__" in places(rehashed(entries, "sha256"))
    with pytest.raises(UnrecordableError):
        list(export_cael({**OWN.record, "more": float("inf")}))


@pytest.mark.parametrize(
    "source",
    [
        None,
        b"",
        {"solverType": "x.y.v1"},
        {**OWN.record, "wireKey": "[]"},
        {**OWN.record, "wireKey": "no json"},
    ],
)
def test_what_is_no_dialogs_record_is_refused_before_the_first_line(source):
    with pytest.raises(RecordError):
        export_cael(source)


def test_an_unknown_mode_is_refused():
    with pytest.raises(RecordError, match="fnv1a and sha256"):
        export_cael(OWN.record, mode="md5")


def test_a_record_read_from_other_bytes_comes_back_in_canonical_form():
    spread = json.dumps(OWN.record, indent=2)
    again = record_of_trace(export_cael(spread))
    assert again == OWN.record
    assert again.to_bytes() == record_bytes(OWN.record) != spread.encode()


def test_a_foreign_record_is_exported_too_and_its_own_faults_are_told_as_its_own():
    turns = [TURN, {**TURN, "chainDepth": 2.5, "meta": [0.5, {"10": 1}]}, {**TURN, "chainDepth": float("nan")}]
    record = build_agent_dialog_v1_record({"dialogId": "\ud800", "turns": turns})
    lines = list(export_cael(record))
    assert [json.loads(line)["timestamp"] for line in lines] == [0, 0, 2.5, 2.5, 2.5]
    assert {problem.kind for problem in verify_trace(lines)} == {"unverifiable"}
    assert all(place.startswith("entries[0].payload.record.") for place in places(lines))
    assert record_of_trace(lines) == record
    "\n".join(lines).encode("utf-8")


def test_a_record_of_no_turns_is_a_trace_of_two_entries():
    record = build_agent_dialog_v1_record({"dialogId": "d", "turns": []})
    lines = list(export_cael(record))
    assert len(lines) == 2
    assert record_of_trace(lines) == record


def test_an_entry_with_its_old_hash_is_told_by_the_record_too():
    for mode in MODES:
        lines = list(export_cael(OWN.record, mode=mode))
        other = lines[1].replace("demo", "omed", 1)
        assert other != lines[1]
        assert places([lines[0], other, *lines[2:]]) == ["entries[1].hash", "entries[1]"]
