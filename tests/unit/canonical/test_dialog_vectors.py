"""The public implementation's answers: matched byte for byte where that is promised, and explained where it is not."""

from __future__ import annotations

import hashlib
import json

import pytest
from dialog_vectors import VECTORS, cases, untagged

from bicameral.canonical import (
    UNDEFINED,
    Dialog,
    DialogRecord,
    DialogTurn,
    build_agent_dialog_v1_record,
    canonical_dialog_snapshot,
    dialog_wire_key,
    parse_json,
    read_record,
    record_bytes,
    sha256_digest,
    turn_hash,
    wire_digest,
    wire_format_equivalent_dialog,
)
from bicameral.canonical.collation import IGNORED, PRIMARY, handle_key
from bicameral.canonical.dialogs import canonical_turn
from bicameral.errors import DuplicateTurnError, RecordError

CASES = {case["name"]: case for case in cases("agent_dialog_v1.json")}
EQUIVALENCE = {case["name"]: case for case in cases("agent_dialog_v1_equivalence.json")}
LOCALE = {case["name"]: case for case in cases("agent_dialog_v1_locale.json")}


def must_match(case):
    return case["portable"] or ("ascii-collation" in case["tags"] and "input-order-dependent" not in case["tags"])


PROMISED = [name for name, case in CASES.items() if must_match(case)]

OTHER_SCRIPTS = "handles outside ASCII sort after those in it, by UTF-16 code unit, whatever the machine's locale"

# What we answer on each vector that is not promised: the contents of the turns in our order, an error, or, where our
# answer is the recorded one all the same, None. Then why.
BY_OUR_RULES = {
    "parent_null": (None, "a null is a value that stands; only undefined is absent"),
    "null": (None, "a null meta is a value that stands"),
    "array_meta": (None, "a meta that is a list is keyed as it is; our recorder refuses it"),
    "undefined_in_array_becomes_string": (["hello", "hi back"], "a hole in a list is null, not the text 'undefined'"),
    "nan_between_keeps_input_order": (["one", "two", "nan"], "NaN sorts after every number"),
    "nan_duplicate_not_detected": (DuplicateTurnError, "two NaN depths are one place"),
    "accents": (["m4", "m0", "m3", "m5", "m7", "m2", "m6", "m1"], OTHER_SCRIPTS),
    "accents_secondary": (["m0", "m4", "m1", "m2", "m3"], OTHER_SCRIPTS),
    "german": (["m5", "m1", "m2", "m6", "m0", "m3", "m4", "m7"], OTHER_SCRIPTS),
    "scripts": (["m9", "m8", "m1", "m2", "m0", "m6", "m4", "m3", "m5", "m7"], OTHER_SCRIPTS),
    "danish_aa": (["m3", "m0", "m2", "m1", "m4"], OTHER_SCRIPTS),
    "ignorable_ties_keep_input_order": (["m1", "m0", "m2"], "no tie: ASCII first, then code units"),
    "nfc_nfd_tie": (["m1", "m0"], "no tie: the code unit of e is less than that of the composed letter"),
    "nfc_nfd_tie_swapped": (None, "the handles of nfc_nfd_tie the other way round happen to be in our order"),
    "nfc_nfd_hides_duplicate": (DuplicateTurnError, "a duplicate is found whatever sorts beside it"),
    "control_char_handle_tie": (["m1", "m0"], "a tie by collation is settled by code unit"),
    "fullwidth_halfwidth": (["m1", "m3", "m5", "m4", "m2", "m0"], OTHER_SCRIPTS),
    "content_missing": (RecordError, "a turn without content is refused, with its place"),
    "dialog_id_missing": (RecordError, "a dialog without an id is refused"),
    "content_number": (RecordError, "content is text; a number is refused, with its place"),
}

# Answers of the equivalence vectors that differ from the recorded ones.
DIFFERENT_EQUIVALENCE = {
    "meta_undefined_elem_vs_string": (False, "a hole in a list is null and not the text 'undefined'"),
    "room_reordered_nfc_nfd_tie": (True, "two handles never tie, so the order of input does not count"),
    "nan_depth_reordered": (True, "NaN has its place in the order"),
}

# The vectors of other locales: whether some locale's key is ours.
LOCALE_ANSWERS = {
    "ascii_lower": "en-US",
    "ascii_case": "en-US",
    "ascii_separators": "en-US",
    "latin1": None,
    "central_europe": None,
}


def source_of(case):
    return untagged(case["input"]) if "input" in case else parse_json(case["input_json"])


@pytest.mark.parametrize("name", PROMISED)
def test_a_promised_vector_matches_byte_for_byte(name):
    case = CASES[name]
    source = source_of(case)
    if "expect_error" in case:
        with pytest.raises(DuplicateTurnError) as caught:
            build_agent_dialog_v1_record(source, case.get("label"))
        for part in case["expect_error"]["message_contains"]:
            assert part in str(caught.value)
        return
    assert dialog_wire_key(source) == case["expect"]["wireKey"]
    assert build_agent_dialog_v1_record(source, case.get("label")) == case["expect"]["record"]
    ours = [turn["content"] for turn in canonical_dialog_snapshot(source)["turns"]]
    assert ours == [source["turns"][position]["content"] for position in case["expect"]["order"]]


def test_every_vector_is_either_promised_or_explained():
    assert set(BY_OUR_RULES) == set(CASES) - set(PROMISED)
    assert all(reason for _, reason in BY_OUR_RULES.values())
    assert set(LOCALE_ANSWERS) == set(LOCALE)


@pytest.mark.parametrize("name", BY_OUR_RULES)
def test_a_vector_that_is_not_promised_is_answered_by_our_rules(name):
    answer, reason = BY_OUR_RULES[name]
    case = CASES[name]
    source = source_of(case)
    if isinstance(answer, type):
        with pytest.raises(answer):
            build_agent_dialog_v1_record(source)
    elif answer is None:
        assert dialog_wire_key(source) == case["expect"]["wireKey"], reason
    else:
        assert [turn["content"] for turn in canonical_dialog_snapshot(source)["turns"]] == answer, reason
        assert dialog_wire_key(source) != case["expect"]["wireKey"]


def test_a_hole_in_a_list_is_null():
    assert '"a":[null,1]' in dialog_wire_key(source_of(CASES["undefined_in_array_becomes_string"]))


def test_the_two_orders_of_nfc_and_nfd_handles_have_one_key():
    one, other = (source_of(CASES[name]) for name in ("nfc_nfd_tie", "nfc_nfd_tie_swapped"))
    for turn in (*one["turns"], *other["turns"]):
        turn["content"] = "same"
    assert dialog_wire_key(one) == dialog_wire_key(other)


@pytest.mark.parametrize("name", EQUIVALENCE)
def test_an_equivalence_vector_is_answered_as_recorded_or_as_explained(name):
    case = EQUIVALENCE[name]
    a, b = (untagged(case[side]) if side in case else parse_json(case[f"{side}_json"]) for side in "ab")
    if "expect_error" in case:
        with pytest.raises(DuplicateTurnError, match="duplicate"):
            wire_format_equivalent_dialog(a, b)
        return
    expected, _ = DIFFERENT_EQUIVALENCE.get(name, (case["equivalent"], ""))
    assert wire_format_equivalent_dialog(a, b) is expected
    assert (name in DIFFERENT_EQUIVALENCE) <= case["reference_defect"]


@pytest.mark.parametrize("name", LOCALE)
def test_ascii_handles_sort_as_under_the_default_locale_wherever_this_runs(name):
    ours = hashlib.sha256(dialog_wire_key(LOCALE[name]["input"]).encode()).hexdigest()
    matching = [locale for variant in LOCALE[name]["variants"] for locale in variant["locales"]
                if variant["wireKey_sha256"] == ours]  # fmt: skip
    wanted = LOCALE_ANSWERS[name]
    assert matching == [] if wanted is None else wanted in matching


def test_the_collation_table_is_the_measured_one():
    table = json.loads((VECTORS / "ascii_collation.json").read_text("ascii"))
    assert [ord(character) for character in IGNORED] == table["ignored_code_points"]
    assert list(PRIMARY) == [group[0] for group in table["primary_groups_in_order"]]
    for group in table["primary_groups_in_order"]:
        assert [handle_key(member)[1] for member in group] == [handle_key(group[0])[1]] * len(group)
        assert sorted(group, key=handle_key) == group


def test_the_format_version_is_one():
    assert all(case["expect"]["record"]["specVersion"] == 1 for case in CASES.values() if "expect" in case)
    assert build_agent_dialog_v1_record({"dialogId": "d", "turns": []})["specVersion"] == 1


def as_classes(source):
    """The dialog as values of the classes, or None where they cannot say it: a null member, which is absent there."""
    if any(turn.get(name, UNDEFINED) is None for turn in source["turns"] for name in ("meta", "parentHash")):
        return None

    def stands(value):
        return None if value is UNDEFINED else value

    turns = [
        DialogTurn(
            speaker=turn["speaker"],
            audience=turn["audience"],
            chain_depth=turn["chainDepth"],
            content=turn["content"],
            parent_hash=stands(turn.get("parentHash", UNDEFINED)),
            meta=stands(turn.get("meta", UNDEFINED)),
        )
        for turn in source["turns"]
    ]
    return Dialog(dialog_id=source["dialogId"], turns=tuple(turns))


BY_CLASSES = {name: dialog for name in PROMISED if (dialog := as_classes(source_of(CASES[name]))) is not None}


@pytest.mark.parametrize("name", BY_CLASSES)
def test_a_promised_vector_is_answered_alike_from_the_classes(name):
    case, dialog = CASES[name], BY_CLASSES[name]
    if "expect_error" in case:
        for function in (dialog_wire_key, canonical_dialog_snapshot, wire_digest, build_agent_dialog_v1_record):
            with pytest.raises(DuplicateTurnError):
                function(dialog)
        return
    key = case["expect"]["wireKey"]
    assert dialog_wire_key(dialog) == key
    assert build_agent_dialog_v1_record(dialog, case.get("label")) == case["expect"]["record"]
    assert wire_digest(dialog) == sha256_digest(key.encode("utf-8"))
    snapshot = canonical_dialog_snapshot(dialog)
    assert snapshot == canonical_dialog_snapshot(source_of(case))
    assert wire_format_equivalent_dialog(dialog, source_of(case))
    for turn, members in zip(sorted(dialog.turns, key=place), snapshot["turns"], strict=True):
        if members["chainDepth"] is not None:
            assert turn_hash(turn) == turn_hash(members)


def place(turn):
    return canonical_turn(turn).key


def test_every_promised_vector_can_be_said_with_the_classes():
    assert set(BY_CLASSES) == set(PROMISED)
    assert len(PROMISED) == 136
    assert len(EQUIVALENCE) == 40


@pytest.mark.parametrize("name", PROMISED)
def test_the_record_of_a_promised_vector_reads_back_to_its_dialog(name):
    case = CASES[name]
    if "expect" not in case:
        return
    record = read_record(record_bytes(case["expect"]["record"]))
    assert isinstance(record, DialogRecord)
    assert record == case["expect"]["record"]
    assert record.wire_key == case["expect"]["wireKey"]
    if name == "infinity_two_sides":  # both are null on the wire, and so one place
        with pytest.raises(DuplicateTurnError):
            dialog_wire_key(record.wire_dialog())
        return
    assert dialog_wire_key(record.wire_dialog()) == record.wire_key
    if not has_null(record):
        assert dialog_wire_key(record.dialog()) == record.wire_key


def has_null(record):
    return any(turn.get(name, 0) is None for turn in record.wire_dialog()["turns"] for name in ("meta", "parentHash"))
