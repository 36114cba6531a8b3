"""The recorder: what it takes, what it refuses, and what its digest costs."""

from __future__ import annotations

import itertools

import pytest

from bicameral.canonical import (
    DialogTurn,
    build_agent_dialog_v1_record,
    dialog_wire_key,
    turn_hash,
    wire_digest,
)
from bicameral.errors import BicameralError, DuplicateTurnError, RecordError, UnknownParentError, UnrecordableError
from bicameral.model.dialogs import META_KEYS
from bicameral.witness import DialogRecorder, recorder, verify_record


def started():
    recorder = DialogRecorder("d")
    genesis = recorder.append(speaker="clerk", audience="team", chain_depth=0, content="open")
    return recorder, genesis


def test_turns_are_taken_by_keyword_as_a_class_and_as_a_mapping():
    by_keyword, genesis = started()
    answer = DialogTurn(
        speaker="a", audience="team", chain_depth=1, content="x", parent_hash=genesis, meta={"model": "m"}
    )
    mapping = {
        "speaker": "a",
        "audience": "team",
        "chainDepth": 1,
        "content": "x",
        "parentHash": genesis,
        "meta": {"model": "m"},
    }
    other, _ = started()
    assert by_keyword.append(answer) == other.append(mapping) == turn_hash(answer)
    assert by_keyword.wire_digest == other.wire_digest
    assert by_keyword.turns == other.turns
    assert len(by_keyword) == 2


def test_an_empty_recorder_knows_its_digest_too():
    assert DialogRecorder("d").wire_digest == wire_digest({"dialogId": "d", "turns": []})


def test_a_recorder_is_a_dialog():
    recorder, _ = started()
    assert wire_digest(recorder) == recorder.wire_digest
    assert dialog_wire_key(recorder) == recorder.wire_key()
    assert build_agent_dialog_v1_record(recorder, "l") == recorder.record("l")
    assert verify_record(recorder.record()) == []


def test_late_broadcasts_and_branches_take_their_place():
    said, genesis = started()
    last = genesis
    for depth in range(1, 100):
        last = said.append(speaker="b", audience="a", chain_depth=depth, content=str(depth), parent_hash=last)
    for depth in (99, 50, 64, 1, 33, 32, 31):
        said.append(speaker="a", audience="team", chain_depth=depth, content="late", parent_hash=genesis)
        assert said.wire_digest == wire_digest(said)
    assert verify_record(said.record()) == []
    assert said.turns[1].content == "late"


def test_every_order_of_appending_gives_one_digest():
    digests = set()
    for order in itertools.permutations(["axe", "Axe", "pixels", "åse"]):
        said, genesis = started()
        for speaker in order:
            said.append(speaker=speaker, audience="team", chain_depth=1, content=speaker, parent_hash=genesis)
        digests.add(said.wire_digest)
    assert len(digests) == 1


def test_the_digest_after_each_turn_hashes_each_turn_once(monkeypatch):
    hashed = 0

    class Counting:
        def __init__(self, data=b"", inner=None):
            self._inner = inner or real(data)

        def update(self, data):
            nonlocal hashed
            hashed += len(data)
            self._inner.update(data)

        def copy(self):
            return Counting(inner=self._inner.copy())

        def hexdigest(self):
            return self._inner.hexdigest()

    real = recorder.hashlib.sha256
    monkeypatch.setattr(recorder.hashlib, "sha256", Counting)
    said, genesis = started()
    parent = genesis
    for depth in range(1, 500):
        parent = said.append(speaker="a", audience="b", chain_depth=depth, content="x" * 50, parent_hash=parent)
        assert said.wire_digest.startswith("sha256:")
    monkeypatch.undo()
    assert said.wire_digest == wire_digest(said)
    # Twice its text for each turn (its own hash and the dialog's), and two bytes for each time the digest is asked.
    assert hashed < 2 * len(said.wire_key()) + 3 * len(said)


REFUSED = {
    "a depth that is a float": ({"chainDepth": 1.0}, UnrecordableError),
    "a depth that is true": ({"chainDepth": True}, UnrecordableError),
    "a depth that is text": ({"chainDepth": "1"}, UnrecordableError),
    "a depth below zero": ({"chainDepth": -1}, UnrecordableError),
    "a depth beyond 2^53-1": ({"chainDepth": 2**53}, UnrecordableError),
    "no depth": ({"chainDepth": None}, UnrecordableError),
    "an empty speaker": ({"speaker": ""}, UnrecordableError),
    "an empty audience": ({"audience": ""}, UnrecordableError),
    "a speaker that is no text": ({"speaker": 3}, RecordError),
    "a lone surrogate in a handle": ({"speaker": "\ud800"}, UnrecordableError),
    "a lone surrogate in the content": ({"content": "x\udfff"}, UnrecordableError),
    "content that is no text": ({"content": {"a": 1}}, RecordError),
    "a member that the format does not know": ({"timestamp": 1}, UnrecordableError),
    "meta outside the closed set": ({"meta": {"latency": "1"}}, UnrecordableError),
    "a meta key that is no text": ({"meta": {1: "1"}}, UnrecordableError),
    "meta that is no mapping": ({"meta": ["model"]}, UnrecordableError),
    "meta that is null": ({"meta": None}, UnrecordableError),
    "a table in meta, which could hold a clock": ({"meta": {"model": {"startedAt": "2026-11-30"}}}, UnrecordableError),
    "a meta text without end": ({"meta": {"pictures": "x" * 201}}, UnrecordableError),
    "a float in meta": ({"meta": {"pictures": {"scale": 1.0}}}, UnrecordableError),
    "an integer beyond 2^53-1 in meta": ({"meta": {"pictures": [2**53]}}, UnrecordableError),
    "a lone surrogate in meta": ({"meta": {"model": "\ud800"}}, UnrecordableError),
    "a lone surrogate in a meta key": ({"meta": {"pictures": {"\ud800": 1}}}, UnrecordableError),
    "NaN in meta": ({"meta": {"pictures": float("nan")}}, UnrecordableError),
    "a parent nobody said": ({"parentHash": "sha256:" + "0" * 64}, UnknownParentError),
    "a parent that is no text": ({"parentHash": 3}, UnknownParentError),
    "a parent that is null": ({"parentHash": None}, UnknownParentError),
    "the place of another turn": ({"speaker": "clerk", "audience": "team", "chainDepth": 0}, DuplicateTurnError),
    "the depth of its parent": ({"chainDepth": 0}, RecordError),
}


@pytest.mark.parametrize("fault", REFUSED)
def test_a_turn_is_refused_for(fault):
    changes, error = REFUSED[fault]
    said, genesis = started()
    before = said.record()
    turn = {"speaker": "a", "audience": "b", "chainDepth": 1, "content": "x", "parentHash": genesis}
    with pytest.raises(error):
        said.append({**turn, **changes})
    assert said.record() == before
    said.append(turn)
    assert said.wire_digest == wire_digest(said)


@pytest.mark.parametrize("turn", [3, "turn", [], object()])
def test_what_is_no_turn_is_refused(turn):
    with pytest.raises(BicameralError):
        started()[0].append(turn)


def test_a_second_genesis_is_refused_and_so_is_one_that_is_not_at_the_start():
    said, _ = started()
    with pytest.raises(RecordError, match="genesis turn already"):
        said.append(speaker="a", audience="b", chain_depth=0, content="x")
    with pytest.raises(RecordError, match="starts at 0"):
        DialogRecorder("d").append(speaker="a", audience="b", chain_depth=1, content="x")
    with pytest.raises(UnknownParentError):
        DialogRecorder("d").append(speaker="a", audience="b", chain_depth=1, content="x", parent_hash="sha256:00")


def test_nested_meta_without_end_is_a_clear_error():
    said, genesis = started()
    deep = []
    for _ in range(100_000):
        deep = [deep]
    with pytest.raises(UnrecordableError, match="no text of at most"):
        said.append(speaker="a", audience="b", chain_depth=1, content="x", parent_hash=genesis, meta={"pictures": deep})


@pytest.mark.parametrize("bad", [None, 3, "\ud800"])
def test_an_id_or_a_label_that_utf8_cannot_say_is_refused(bad):
    with pytest.raises(UnrecordableError):
        DialogRecorder(bad)
    if bad is not None:
        with pytest.raises(UnrecordableError):
            DialogRecorder("d").record(bad)


def test_no_meta_key_holds_a_clock_or_a_place():
    assert frozenset({"model", "parts", "pictures"}) == META_KEYS
