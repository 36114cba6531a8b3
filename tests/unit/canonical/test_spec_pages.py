"""The pages of `spec/` and the vectors beside them say what the library does."""

from __future__ import annotations

import json
import re
import runpy

import pytest
from dialog_vectors import SPEC, spec_cases

from bicameral.canonical import (
    build_agent_dialog_v1_record,
    build_ui_session_v1_record,
    dialog_wire_key,
    record_bytes,
    sha256_digest,
    turn_hash,
    wire_digest,
)
from bicameral.canonical.collation import PRIMARY, handle_key
from bicameral.canonical.equivalences import OUTCOMES
from bicameral.canonical.reading import MAX_LEVELS
from bicameral.canonical.sessions import ACTIONS, FAILURES, OPENED, SEEN

PAGES = {page.stem: page.read_text("utf-8") for page in SPEC.glob("*.md")}


def test_rebuilding_the_vectors_changes_nothing():
    made = runpy.run_path(str(SPEC / "vectors" / "rebuild.py"))["vectors"]()
    assert set(made) == {path.name for path in (SPEC / "vectors").glob("*.json")}
    for name, text in made.items():
        assert (SPEC / "vectors" / name).read_text("ascii") == text, name


def test_every_file_of_vectors_has_its_page():
    assert {path.stem for path in (SPEC / "vectors").glob("*.json")} <= set(PAGES)


def test_the_example_of_the_dialogs_page_is_true():
    page = PAGES["agent.dialog.v1"]
    dialog = json.loads(re.findall(r"```json\n(.*?)```", page, re.S)[0])
    key = re.findall(r"```\n(\{.*?\})\n```", page, re.S)[0]
    assert dialog_wire_key(dialog) == key
    told = dict(re.findall(r"(wire digest|turn's hash|label)\s+is\s+`(sha256:[0-9a-f]{64})`", page))
    assert told["wire digest"] == wire_digest(dialog)
    assert told["turn's hash"] == turn_hash(dialog["turns"][1])
    assert told["label"] == sha256_digest(record_bytes(build_agent_dialog_v1_record(dialog)))


def test_the_order_of_handles_on_the_page_is_the_libraries():
    page = PAGES["agent.dialog.v1"]
    words = re.findall(r"^ +(TAB LF .*)$", page, re.M)[0].split(" ")
    named = {"TAB": "\t", "LF": "\n", "VT": "\v", "FF": "\f", "CR": "\r", "SPACE": " "}
    spans = {"0-9": "0123456789", "a-z": "abcdefghijklmnopqrstuvwxyz"}
    assert "".join(named.get(word) or spans.get(word) or word for word in words) == PRIMARY
    in_order = re.findall(r"^So (`.*`) are in order", page, re.M)[0].replace("`", "").split(", ")
    assert sorted(in_order, key=handle_key) == in_order


def test_the_words_and_bounds_on_the_pages_are_the_libraries():
    session = PAGES["ui.session.v1"]
    for word in (*ACTIONS, *FAILURES, *OPENED, *SEEN):
        assert f"`{word}`" in session
    for word in OUTCOMES:
        assert f'"{word}"' in PAGES["equivalence.v1"]
    assert MAX_LEVELS > 1000
    assert "1,000" in PAGES["agent.dialog.v1"]


@pytest.mark.parametrize("name", ["agent.dialog.v1", "equivalence.v1", "ui.session.v1"])
def test_a_vectors_digest_is_that_of_its_records_bytes(name):
    for case in spec_cases(f"{name}.json"):
        assert case["recordDigest"] == sha256_digest(case["record"].encode())
        assert record_bytes(json.loads(case["record"])) == case["record"].encode()


def test_a_sessions_vectors_follow_from_what_was_done():
    built = 0
    for case in spec_cases("ui.session.v1.json"):
        if "steps" in case:
            built += 1
            assert record_bytes(build_ui_session_v1_record(case["opened"], case["steps"])) == case["record"].encode()
    assert built == 3
