"""The small canonical documents, read fast: the fast reader and the exact one have one answer."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import UNSET

from bicameral.canonical import canonical_json
from bicameral.errors import RecordError
from bicameral.model.witnessing import ChainEntry, ReplyMark
from bicameral.witness import chain_entry_bytes, read_chain_entry
from bicameral.witness._audit_acts import Charge, Findings, Unknown, is_charge, named_by, read_act
from bicameral.witness._audit_texts import MAX_VALUES, check_values, read_about, read_canonical, read_entry

digests = st.text("0123456789abcdef", min_size=64, max_size=64).map(lambda text: f"sha256:{text}")
texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
marks = st.builds(
    ReplyMark,
    chain_depth=st.none() | st.integers(0, 2**53 - 1),
    digest=digests,
    finish=st.sampled_from(["stop", "length", "refusal"]),
    state=st.sampled_from(["complete", "truncated", "refused", "empty", "unreadable", "incomplete"]),
    about=st.none() | digests,
)
entries = st.builds(
    ChainEntry,
    seq=st.integers(0, 2**53 - 1),
    previous=st.none() | digests,
    record_digest=digests,
    dialog_id=texts,
    wire_digest=digests,
    outcome=st.none() | digests,
    replies=st.lists(marks, max_size=3).map(tuple),
)


def outcome_of(read: Callable[[bytes], Any], data: bytes) -> str:
    try:
        read(data)
    except RecordError:
        return "refused"
    return "read"


@given(entries)
def test_an_entry_is_read_as_the_exact_reader_reads_it(entry: ChainEntry) -> None:
    data = chain_entry_bytes(entry)
    fast = read_entry(data, "It")
    assert read_chain_entry(data) == entry
    assert (fast.seq, fast.previous, fast.record_digest, fast.dialog_id, fast.wire_digest) == (
        entry.seq,
        entry.previous,
        entry.record_digest,
        entry.dialog_id,
        entry.wire_digest,
    )
    assert (None if fast.outcome is UNSET else fast.outcome) == entry.outcome
    assert [
        (None if mark.about is UNSET else mark.about, mark.chain_depth, mark.digest, mark.finish, mark.state)
        for mark in fast.replies
    ] == [(mark.about, mark.chain_depth, mark.digest, mark.finish, mark.state) for mark in entry.replies]


@given(entries, st.integers(0), st.binary(max_size=4))
def test_a_changed_entry_is_refused_by_both_readers_or_by_neither(entry: ChainEntry, at: int, other: bytes) -> None:
    data = chain_entry_bytes(entry)
    place = at % (len(data) + 1)
    changed = data[:place] + other + data[place + len(other) :]
    assert outcome_of(lambda d: read_entry(d, "It"), changed) == outcome_of(read_chain_entry, changed)


@pytest.mark.parametrize(
    "members",
    [{"replies": [1]}, {"replies": "x"}, {"replies": {}}, {"seq": 1.5}, {"more": 1}, {"type": 1}],
)
def test_an_entry_with_a_member_of_another_kind_is_refused_with_its_name(members: dict[str, Any]) -> None:
    entry = ChainEntry(seq=0, previous=None, record_digest="a", dialog_id="b", wire_digest="c")
    data = canonical_json(json.loads(chain_entry_bytes(entry)) | members)
    with pytest.raises(RecordError, match=next(iter(members)) + "|It "):
        read_entry(data, "It")


@pytest.mark.parametrize(
    "text",
    [
        '{"a":1.0}',
        '{"a":1e3}',
        '{"b":1,"a":1}',
        '{"a":1, "b":1}',
        '{"a":1,"a":1}',
        '{"\ufb33":1,"😀":2}',  # in order by UTF-8, out of order by UTF-16
        '{"a":9007199254740993}',
        '{"a":"\\u0041"}',
        '{"a":NaN}',
        '{"a":-0}',
        '{"a":"\\ud800"}',
        "",
        "[" * 100_000,
        '{"a":' * 100_000,
        "\ufeff{}",
    ],
)
def test_a_text_that_is_not_canonical_is_refused(text: str) -> None:
    with pytest.raises(RecordError, match="It "):
        read_canonical(text.encode(), "It")


@given(st.recursive(st.none() | st.booleans() | st.integers(-(2**53) + 1, 2**53 - 1) | texts,
                    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3)))  # fmt: skip
def test_what_canonical_json_writes_is_read_back(value: Any) -> None:
    assert read_canonical(canonical_json(value), "It") == value


ABOUT = {
    "finish": "stop",
    "half": 0,
    "handle": "pixels",
    "meta": {},
    "model": "1",
    "parts": [],
    "reads": None,
    "state": "complete",
    "task": "propose",
}


@given(st.dictionaries(texts, texts, max_size=3))
def test_the_names_in_a_replys_meta_are_in_the_order_of_utf_16(meta: dict[str, str]) -> None:
    data = canonical_json({**ABOUT, "meta": meta})
    assert read_about(data, "It").meta == meta
    if len(meta) > 1:
        turned = dict(sorted(meta.items(), key=lambda item: item[0].encode("utf-16-be"), reverse=True))
        other = json.dumps({**ABOUT, "meta": turned}, separators=(",", ":"), ensure_ascii=False).encode()
        assert outcome_of(lambda d: read_about(d, "It"), other) == "refused"


def test_only_a_document_that_could_hold_too_many_values_is_counted_and_refused() -> None:
    check_values(b"," * MAX_VALUES, "It")
    check_values(b"x" * (MAX_VALUES + 1), "It")
    with pytest.raises(RecordError, match="4,000,000 values"):
        check_values(b"," * (MAX_VALUES + 1), "It")


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ('{"act":"charge","a":1}', True),
        ('{"Act":1,"act":"charge"}', True),
        ('{"act":"charged"}', False),
        ('{"act":"findings"}', False),
        ("hello", False),
        ("{", False),
        ("", False),
        ('{"a":' * 50_000, False),
    ],
)
def test_a_dialog_is_read_as_acts_only_where_its_genesis_is_a_charge(content: str, expected: bool) -> None:
    assert is_charge(content) is expected


def test_an_act_of_another_form_is_unknown_and_a_charge_of_another_form_still_names_its_evidence() -> None:
    assert isinstance(read_act('{"act":"sigh"}', "It"), Unknown)
    assert isinstance(read_act('{"act":"findings","findings":[]}', "It"), Unknown)
    shots = [{"picture": "p", "facts": None}, 7, {"companion": "c", "picture": 5}]
    skills = [{"digest": "d"}, None, {}]
    charge = read_act(canonical_json({"act": "charge", "shots": shots, "skills": skills}).decode(), "It")
    assert list(named_by(charge)) == [
        ("shots[0].picture", "picture", "p"),
        ("shots[2].picture", "picture", 5),
        ("shots[2].companion", "companion", "c"),
        ("skills[0].digest", "instructions", "d"),
    ]
    assert list(named_by(read_act('{"act":"charge","shots":7,"skills":{}}', "It"))) == []
    assert list(named_by(read_act('{"act":"sigh"}', "It"))) == []


@pytest.mark.parametrize("content", ["[]", "7", '"act"', "{}", '{"act":1}', '{"act":"charge" }', "{"])
def test_a_content_that_is_no_act_is_refused(content: str) -> None:
    with pytest.raises(RecordError, match="It "):
        read_act(content, "It")


def test_a_box_of_a_finding_on_a_shot_beyond_the_basic_plane_is_read_in_the_order_of_utf_16() -> None:
    finding = dict.fromkeys(("attribute", "category", "confidence", "expected", "observed", "oracle"), "x")
    finding |= dict.fromkeys(("problem", "region", "severity", "shot_id", "title"), "x")
    boxes = {"😀": [1, 2, 3, 4], "\ufb33": [1, 2, 3, 4]}
    given_finding = {**finding, "acceptance": [], "also_boxes": boxes, "also_shot_ids": [], "box": None}
    act = {"act": "findings", "clean_shot_ids": [], "findings": [given_finding], "rejected": [], "unaccounted": []}
    assert isinstance(read_act(canonical_json(act).decode(), "It"), Findings)
    turned = {**given_finding, "also_boxes": dict(reversed(boxes.items()))}
    wrong = json.dumps({**act, "findings": [turned]}, separators=(",", ":"), ensure_ascii=False, sort_keys=True)
    with pytest.raises(RecordError, match="not in canonical form"):
        read_act(wrong, "It")
    plain = {**given_finding, "also_boxes": {"a": [1, 2, 3, 4], "é": []}}
    assert isinstance(read_act(canonical_json({**act, "findings": [plain]}).decode(), "It"), Findings)
    assert not isinstance(read_act('{"act":"charge"}', "It"), Charge)
