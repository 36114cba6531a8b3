"""The recorder: what it takes, what it refuses, and what its digest costs."""

from __future__ import annotations

import enum
import itertools

import pytest

from bicameral.canonical import (
    DialogTurn,
    build_agent_dialog_v1_record,
    dialog_wire_key,
    turn_hash,
    wire_digest,
)
from bicameral.errors import DuplicateTurnError, RecordError, UnknownParentError, UnrecordableError
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


def test_a_late_turn_costs_the_turns_after_it_and_no_more(monkeypatch):
    hashed = 0

    class Counting:
        def __init__(self, data=b"", inner=None):
            self._inner = inner or real(data)

        def update(self, data):
            nonlocal hashed
            hashed += 1
            self._inner.update(data)

        def copy(self):
            return Counting(inner=self._inner.copy())

        def hexdigest(self):
            return self._inner.hexdigest()

    real = recorder.hashlib.sha256
    monkeypatch.setattr(recorder.hashlib, "sha256", Counting)
    said, genesis = started()
    parent = genesis
    for depth in range(1, 1_000):
        parent = said.append(speaker="b", audience="a", chain_depth=depth, content="x", parent_hash=parent)
    for depth in (999, 990, 500):
        hashed = 0
        said.append(speaker="a", audience="team", chain_depth=depth, content="late", parent_hash=genesis)
        assert hashed <= len(said) - depth + recorder.CHECKPOINT_EVERY
    monkeypatch.undo()
    assert said.wire_digest == wire_digest(said)


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


FLOATS = {"a score": 0.5, "a whole one": 1.0, "NaN": float("nan"), "infinity": float("inf")}


@pytest.mark.parametrize("value", FLOATS)
@pytest.mark.parametrize("member", ["chainDepth", "speaker", "audience", "content", "parentHash", "meta"])
def test_a_float_is_refused_in_every_member(member, value):
    said, genesis = started()
    before = said.wire_digest
    turn = {"speaker": "a", "audience": "b", "chainDepth": 1, "content": "x", "parentHash": genesis}
    for held in (FLOATS[value], {"model": FLOATS[value]}, [FLOATS[value]]):
        with pytest.raises(RecordError):
            said.append({**turn, member: held})
        assert said.wire_digest == before


@pytest.mark.parametrize("turn", [3, "turn", [], object(), {}, {"speaker": "a"}])
def test_what_is_no_turn_is_refused(turn):
    said, _ = started()
    before = said.record()
    with pytest.raises(RecordError):
        said.append(turn)
    assert said.record() == before


def test_members_that_make_no_turn_are_a_named_error():
    said, genesis = started()
    with pytest.raises(RecordError, match="content"):
        said.append(speaker="a", audience="b", chain_depth=1)
    with pytest.raises(RecordError, match="nothing"):
        said.append()
    with pytest.raises(RecordError, match="spaeker"):
        said.append(spaeker="a", audience="b", chain_depth=1, content="x", parent_hash=genesis)


def test_a_turn_that_is_handed_over_whole_and_by_its_members_is_refused():
    said, genesis = started()
    turn = DialogTurn(speaker="a", audience="b", chain_depth=1, content="x", parent_hash=genesis)
    with pytest.raises(RecordError, match="both whole and by its members"):
        said.append(turn, content="y")
    assert len(said) == 1


class Handle(str, enum.Enum):  # noqa: UP042  # str() of such a member is its name
    CLERK = "clerk"


def test_a_member_of_an_enumeration_is_recorded_as_the_text_it_holds():
    said = DialogRecorder(Handle.CLERK)
    said.append(
        speaker=Handle.CLERK, audience="team", chain_depth=0, content=Handle.CLERK, meta={"model": Handle.CLERK}
    )
    (turn,) = said.turns
    for text in (said.dialog_id, turn.speaker, turn.content, turn.meta["model"]):
        assert (type(text), text) == (str, "clerk")
    assert said.wire_digest == wire_digest(said)


def test_a_content_is_not_looked_into():
    said, genesis = started()
    said.append(speaker="a", audience="b", chain_depth=1, content='{"score":0.5}', parent_hash=genesis)
    assert said.turns[1].content == '{"score":0.5}'
    assert verify_record(said.record()) == []


def test_what_is_said_is_kept_though_the_meta_that_was_handed_over_changes():
    said, genesis = started()
    meta = {"model": "m"}
    said.append(speaker="a", audience="b", chain_depth=1, content="x", parent_hash=genesis, meta=meta)
    meta["model"] = "changed"
    assert said.wire_digest == wire_digest(said)


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
