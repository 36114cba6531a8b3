"""The public project's traces: its hashes byte for byte, its verdicts, and the problems that it does not see."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bicameral.witness._cael_text import text_hash
from bicameral.witness.cael import TraceEvent, entry_hash, entry_text, read_trace, verify_trace, write_trace

VECTORS = json.loads((Path(__file__).parents[2] / "vectors" / "cael_trace.json").read_text("ascii"))
CHAINS = {chain["name"]: chain for chain in VECTORS["chains"]}
HASHES = {entry["name"]: entry for entry in VECTORS["entry_hashes"]}

# Traces that the public check calls valid, or that it throws on, and what is found here. Each has its own test below.
PROBLEMS_HERE = {
    "fnv_dropped_tail": ["entries[2]"],
    "sha_dropped_tail": ["entries[2]"],
    "fnv_extra_entry_member": ["entries[1].note"],
    "sha_extra_entry_member": ["entries[1].note"],
    "proto_member_not_hashed": ["entries[1].payload.__proto__"],
    "bad_json_line": ["entries[2]"],
    "hash_missing": ["entries[1].hash"],
}


def found(name, **expected):
    chain = CHAINS[name]
    return [problem.where for problem in verify_trace(chain["jsonl"], mode=chain["mode"], **expected)]


def test_all_vectors_are_here():
    assert len(CHAINS) == 35
    assert len(HASHES) == 20


@pytest.mark.parametrize("name", HASHES)
def test_an_entrys_text_and_hash_are_the_recorded_ones(name):
    case = HASHES[name]
    entry = json.loads(case["entry_json"])
    assert entry_text(entry) == case["expect"]["canonical"]
    assert text_hash(case["expect"]["canonical"], case["mode"]) == case["expect"]["hash"]
    assert entry_hash(entry, case["mode"]) == case["expect"]["hash"]


@pytest.mark.parametrize("name", [name for name in CHAINS if name not in PROBLEMS_HERE])
def test_a_chain_is_judged_as_the_public_check_judges_it(name):
    expect = CHAINS[name]["expect"]
    places = found(name, entries=expect["entries"])
    assert (places == []) is expect["valid"]
    if not expect["valid"]:
        assert places[0].startswith(f"entries[{expect['brokenAt']}].")


@pytest.mark.parametrize("name", [name for name in CHAINS if name not in ("bad_json_line", "hash_missing")])
def test_a_chain_has_as_many_entries_as_were_recorded(name):
    assert len(list(read_trace(CHAINS[name]["jsonl"]))) == CHAINS[name]["expect"]["entries"]


@pytest.mark.parametrize("name", [name for name in CHAINS if CHAINS[name]["expect"].get("valid")])
def test_a_valid_chain_is_written_again_with_the_same_hashes(name):
    entries = list(read_trace(CHAINS[name]["jsonl"]))
    events = [
        TraceEvent(
            event=entry["event"],
            payload={member: value for member, value in entry["payload"].items() if member != "__proto__"},
            timestamp=entry["timestamp"],
            sim_time=entry["simTime"],
        )
        for entry in entries
    ]
    mode = "sha256" if entries and entries[0]["hash"].startswith("cael-sha-") else "fnv1a"
    written = list(write_trace(entries[0]["runId"] if entries else "r", events, mode=mode))
    assert [json.loads(line)["hash"] for line in written] == [entry["hash"] for entry in entries]


def test_fnv_dropped_tail_is_told_because_a_session_ends_in_a_final_entry():
    assert found("fnv_dropped_tail") == PROBLEMS_HERE["fnv_dropped_tail"]


def test_sha_dropped_tail_is_told_because_a_session_ends_in_a_final_entry():
    assert found("sha_dropped_tail") == PROBLEMS_HERE["sha_dropped_tail"]


def test_fnv_extra_entry_member_is_told_because_the_hash_does_not_cover_it():
    assert found("fnv_extra_entry_member") == PROBLEMS_HERE["fnv_extra_entry_member"]


def test_sha_extra_entry_member_is_told_because_the_hash_does_not_cover_it():
    assert found("sha_extra_entry_member") == PROBLEMS_HERE["sha_extra_entry_member"]


def test_proto_member_not_hashed_is_told_because_the_hash_does_not_cover_it():
    assert found("proto_member_not_hashed") == PROBLEMS_HERE["proto_member_not_hashed"]


def test_bad_json_line_is_a_problem_and_no_exception():
    assert found("bad_json_line") == PROBLEMS_HERE["bad_json_line"]


def test_hash_missing_is_a_problem_and_no_exception():
    assert found("hash_missing") == PROBLEMS_HERE["hash_missing"]


@pytest.mark.parametrize("mode", ["fnv", "sha"])
def test_forged_and_rehashed_is_told_by_a_head_that_was_held_elsewhere(mode):
    head = list(read_trace(CHAINS[f"{mode}_valid"]["jsonl"]))[-1]["hash"]
    assert found(f"{mode}_valid", head=head) == []
    assert found(f"{mode}_forged_and_rehashed") == []
    assert found(f"{mode}_forged_and_rehashed", head=head) == ["head"]


@pytest.mark.parametrize("name", ["crlf_and_blank_lines", "json_number_spelling", "no_init_sha_with_mode"])
def test_an_end_that_nothing_promises_is_told_by_the_number_of_entries_or_the_head(name):
    lines = [line for line in CHAINS[name]["jsonl"].splitlines() if line.strip()]
    head = json.loads(lines[-1])["hash"]
    cut, mode = lines[:-1], CHAINS[name]["mode"]
    assert list(verify_trace(cut, mode=mode)) == []
    problems = list(verify_trace(cut, mode=mode, entries=len(lines), head=head))
    assert [problem.where for problem in problems] == ["entries", "head"]
    assert list(verify_trace(lines, mode=mode, entries=len(lines), head=head)) == []
