"""The fast serialiser gives the exact one's key, or none."""

from __future__ import annotations

import enum
from types import MappingProxyType

import pytest
from dialog_strategies import FOREIGN_DIALOGS, HANDLES, SAID, own_plans
from hypothesis import given
from hypothesis import strategies as st

from bicameral.canonical import UNDEFINED, Dialog, DialogTurn, canonical_dialog_snapshot, dialog_wire_key
from bicameral.canonical.dialogs import exact_wire_key
from bicameral.canonical.quick import quick_wire_key
from bicameral.errors import BicameralError, DuplicateTurnError

NUMBERS = st.sampled_from(
    [0, -1, 2**53 - 1, 2**53, 2**53 + 1, 2**64, 10**30, 1.0, -0.0, 1e21, 1e-7, float("nan"), True, None]
)
NAMES = st.sampled_from(["a", "B", "ab", "\ufb33", "\U0001f600", "\ud800", "é", "", "__proto__", "\x7f", '"'])
TRICKY = st.recursive(
    st.one_of(NUMBERS, SAID, st.sampled_from(["\ud800", "\U0001f600", "\u2028\x00\x1f\x7f\\/", UNDEFINED])),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.tuples(inner), st.dictionaries(NAMES, inner, max_size=3)
    ),
    max_leaves=6,
)  # fmt: skip
TURNS = st.fixed_dictionaries(
    {
        "speaker": st.one_of(HANDLES, SAID),
        "audience": st.sampled_from(["team", "b", "B"]),
        "chainDepth": st.one_of(st.integers(0, 3), NUMBERS),
        "content": SAID,
    },
    optional={"meta": TRICKY, "parentHash": st.one_of(SAID, TRICKY), "timestamp": TRICKY},
)
TRICKY_DIALOGS = st.fixed_dictionaries({"dialogId": SAID, "turns": st.lists(TURNS, max_size=4)})


def exact(dialog):
    try:
        return exact_wire_key(dialog)
    except BicameralError as error:
        return type(error)


@given(st.one_of(FOREIGN_DIALOGS, TRICKY_DIALOGS))
def test_both_agree_wherever_the_gate_says_yes(dialog):
    quick = quick_wire_key(dialog)
    assert quick is None or quick == exact(dialog)


@given(own_plans())
def test_the_gate_says_yes_to_ordinary_dialogs_of_mappings_and_of_classes(plan):
    turns = tuple(
        DialogTurn(
            **{name: value for name, value in turn.items() if name not in ("parent", "meta")}, meta={"model": "m"}
        )
        for turn in plan
    )
    dialog = Dialog(dialog_id="d", turns=turns)
    assert quick_wire_key(dialog) == quick_wire_key(canonical_dialog_snapshot(dialog)) == exact_wire_key(dialog)


def turn(**changes):
    return {"speaker": "a", "audience": "b", "chainDepth": 0, "content": "c", **changes}


def nested(levels):
    value = "leaf"
    for _ in range(levels):
        value = {"k": [value]}
    return value


class Word(enum.StrEnum):
    A = "a"


YES = {
    "no turns": [],
    "escapes": [turn(content="".join(map(chr, range(0x80))) + "\u2028\U0001f600")],
    "the largest integers": [turn(chainDepth=2**53, meta={"n": [2**53, -(2**53)]})],
    "turns in another order": [turn(chainDepth=1), turn(speaker="B"), turn(speaker="b"), turn(speaker="å"), turn()],
    "members nobody knows": [turn(timestamp=object(), cost=1.5)],
    "nested meta": [turn(meta=nested(20))],
    "a text enum": [turn(speaker=Word.A)],
}
NO = {
    "a float": [turn(meta={"n": [1.5]})],
    "an integral float": [turn(meta={"n": 1.0})],
    "a depth that is a float": [turn(chainDepth=0.5)],
    "an integer beyond 2^53": [turn(meta={"n": [{"m": 2**53 + 1}]})],
    "a depth beyond 2^53": [turn(chainDepth=2**53 + 1)],
    "names whose two orders differ": [turn(meta={"\ufb33": 1, "\U0001f600": 2})],
    "a lone surrogate": [turn(content="\ud800")],
    "a split pair": [turn(meta={"x": "\ud83d\ude00"})],
    "undefined": [turn(meta={"x": UNDEFINED})],
    "undefined meta": [turn(meta=UNDEFINED)],
    "null meta": [turn(meta=None)],
    "null parent": [turn(parentHash=None)],
    "deep meta": [turn(meta=nested(150))],
    "a mapping that is no dict": [turn(meta={"x": MappingProxyType({"b": 1, "a": 2})})],
    "a mixture": [turn(), DialogTurn(speaker="z", audience="b", chain_depth=0, content="c")],
    "the other mixture": [DialogTurn(speaker="z", audience="b", chain_depth=0, content="c"), turn()],
}


@pytest.mark.parametrize("name", YES)
def test_the_gate_says_yes_to(name):
    dialog = {"dialogId": "d", "turns": YES[name]}
    assert quick_wire_key(dialog) == exact_wire_key(dialog)


@pytest.mark.parametrize("name", NO)
def test_the_gate_says_no_to(name):
    dialog = {"dialogId": "d", "turns": NO[name]}
    assert quick_wire_key(dialog) is None
    assert dialog_wire_key(dialog) == exact_wire_key(dialog)


@pytest.mark.parametrize(
    "dialog",
    [
        None,
        [],
        {},
        {"dialogId": 3, "turns": []},
        {"dialogId": "\ud800", "turns": []},
        {"dialogId": "d", "turns": ()},
        {"dialogId": "d", "turns": "ab"},
        {"dialogId": "d", "turns": [None]},
        {"dialogId": "d", "turns": [{}]},
        {"dialogId": "d", "turns": [turn(content=3)]},
        {"dialogId": "d", "turns": [turn(chainDepth=True)]},
        {"dialogId": "d", "turns": [turn(meta={1: 2})]},
        {"dialogId": "d", "turns": [turn(meta={"x": b"bytes"})]},
        {"dialogId": "d", "turns": [turn(meta={"x": {1, 2}})]},
    ],
)
def test_odd_sources_are_left_to_the_exact_serialiser(dialog):
    quick = quick_wire_key(dialog)
    assert quick is None or quick == exact_wire_key(dialog)


def test_duplicates_and_deep_nesting_are_no_ordinary_dialogs():
    twice = {"dialogId": "d", "turns": [turn(), turn(content="x")]}
    assert quick_wire_key(twice) is None
    with pytest.raises(DuplicateTurnError):
        dialog_wire_key(twice)
    assert quick_wire_key({"dialogId": "d", "turns": [turn(meta=nested(100_000))]}) is None
