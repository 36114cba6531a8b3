"""The fast serialiser gives the exact one's key, or none."""

from __future__ import annotations

import datetime
import decimal
import enum
import random
import uuid
from collections import OrderedDict
from types import MappingProxyType, SimpleNamespace

import msgspec
import pytest
from dialog_strategies import FOREIGN_DIALOGS, HANDLES, SAID, own_plans
from hypothesis import given
from hypothesis import strategies as st

from bicameral.canonical import UNDEFINED, Dialog, DialogTurn, canonical_dialog_snapshot, dialog_wire_key
from bicameral.canonical._quick_turns import CLASSES, MAPPINGS, OwnMeta, read_turns
from bicameral.canonical.dialogs import exact_wire_key
from bicameral.canonical.quick import CHUNK, quick_wire_key
from bicameral.errors import BicameralError, DuplicateTurnError
from bicameral.model.dialogs import META_KEYS
from bicameral.witness import DialogRecorder

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


class Spelled(str, enum.Enum):  # noqa: UP042  # a StrEnum cannot say two things
    """A text whose enumeration says something else of it."""

    A = "value"

    def __new__(cls, value):
        text = str.__new__(cls, "what it holds")
        text._value_ = value
        return text


class Number(enum.IntEnum):
    ONE = 1


class Text(str):
    pass


class Whole(int):
    pass


class Table(dict):
    pass


ODD = [
    Word.A, Spelled.A, Number.ONE, Text("t"), Whole(1), Table(model="m"), OrderedDict(model="m"),
    MappingProxyType({"model": "m"}), SimpleNamespace(model="m"), object(), msgspec.UNSET, msgspec.Raw(b'"raw"'),
    UNDEFINED, b"bytes", bytearray(b"x"), datetime.date(2026, 11, 30), datetime.timedelta(1), uuid.UUID(int=1),
    decimal.Decimal("1.5"), {"model": Text("t")}, {Text("model"): "m"}, {"model": Spelled.A}, {Spelled.A: 1},
    {"model": msgspec.UNSET}, {"model": None}, {"model": True}, {"model": "\ud83d\ude00"}, {"parts": "p", "model": "m"},
    {"model": "m", "é": 1}, {"model": "m", 1: 1}, {"n": Number.ONE}, {"n": Whole(1)}, {"n": OwnMeta()},
    {}, [], (), "", "\ud800", 0, True, None, float("inf"), 1e21, -0.0, 2**53, 2**53 + 1, -(2**53) - 1,
]  # fmt: skip
"""One of each that could pass for a text, a whole number or a meta, or that the serialiser knows and JSON does not."""
MEMBERS = ("speaker", "audience", "chainDepth", "content", "parentHash", "meta")


def as_class(members):
    names = {"chainDepth": "chain_depth", "parentHash": "parent_hash"}
    return DialogTurn(**{names.get(name, name): value for name, value in members.items()})


@pytest.mark.parametrize("name", MEMBERS)
@pytest.mark.parametrize("odd", range(len(ODD)))
def test_no_odd_value_in_any_member_makes_the_two_differ(name, odd):
    changed = turn(chainDepth=1, **{name: ODD[odd]}) if name != "chainDepth" else turn(chainDepth=ODD[odd])
    for members in (
        [changed],
        [turn(), changed],
        [changed, turn()],
        [turn(), turn(chainDepth=1, speaker="z"), changed],
    ):
        for turns in (members, [as_class(one) for one in members], tuple(map(as_class, members))):
            dialog = {"dialogId": "d", "turns": turns}
            quick = quick_wire_key(dialog)
            assert quick is None or quick == exact(dialog)


@given(st.one_of(FOREIGN_DIALOGS, TRICKY_DIALOGS))
def test_both_agree_on_classes_too(dialog):
    turns = [
        as_class({name: value for name, value in one.items() if name in MEMBERS and value is not UNDEFINED})
        for one in dialog["turns"]
    ]
    quick = quick_wire_key({**dialog, "turns": turns})
    assert quick is None or quick == exact({**dialog, "turns": turns})


def many(count, handles=("a", "b"), **more):
    """Turns in canonical order, as many at each depth as there are handles."""
    return [
        turn(chainDepth=number // len(handles), speaker=handles[number % len(handles)], content=f"“{number}”", **more)
        for number in range(count)
    ]


@pytest.mark.parametrize("handles", [("a",), ("a", "B", "é")])
@pytest.mark.parametrize("count", [CHUNK - 1, CHUNK, CHUNK + 1, 3 * CHUNK + 2])
def test_long_dialogs_pass_in_any_order_and_agree(count, handles):
    turns = many(count, handles, meta={"model": "m"})
    dialog = {"dialogId": "d", "turns": turns}
    key = exact_wire_key(dialog)
    mixed = random.Random(count).sample(turns, count)
    for given_turns in (turns, turns[::-1], mixed, [*turns[1:], turns[0]]):
        assert quick_wire_key({"dialogId": "d", "turns": given_turns}) == key
        assert quick_wire_key(Dialog(dialog_id="d", turns=tuple(map(as_class, given_turns)))) == key


@pytest.mark.parametrize("at", [0, 1, CHUNK - 1, CHUNK, 2 * CHUNK])
def test_one_odd_turn_among_many_is_found_wherever_it_stands(at):
    for change in ({"meta": {"n": 1.0}}, {"content": "\ud800"}, {"chainDepth": 2**53 + 1}, {"parentHash": 3}):
        turns = many(2 * CHUNK + 1, meta={"model": "m"})
        turns[at] |= change
        for given_turns in (turns, [as_class(one) for one in turns]):
            dialog = {"dialogId": "d", "turns": given_turns}
            assert quick_wire_key(dialog) is None
            assert dialog_wire_key(dialog) == exact_wire_key(dialog)


@pytest.mark.parametrize("at", [0, CHUNK - 1, CHUNK])
def test_a_meta_that_is_not_our_recorders_passes_wherever_it_stands(at):
    turns = many(CHUNK + 5, meta={"model": "m"})
    turns[at] |= {"meta": {"weights": [1, {"b": None, "a": True}], "n": "ü"}}
    for given_turns in (turns, [as_class(one) for one in turns]):
        dialog = {"dialogId": "d", "turns": given_turns}
        assert quick_wire_key(dialog) == exact_wire_key(dialog)


@pytest.mark.parametrize("pair", [(0, 1), (CHUNK - 1, CHUNK), (3, CHUNK + 3)])
def test_a_duplicate_among_many_is_found_wherever_it_stands(pair):
    turns = many(CHUNK + 5, ("a",))
    turns[pair[1]] |= {"chainDepth": turns[pair[0]]["chainDepth"]}
    assert quick_wire_key({"dialogId": "d", "turns": turns}) is None
    with pytest.raises(DuplicateTurnError):
        dialog_wire_key({"dialogId": "d", "turns": turns})


def test_what_our_recorder_makes_passes_with_every_meta_key_and_text_of_any_script():
    recorder = DialogRecorder("sha256:ü張🤖")
    parent = recorder.append(speaker="clerk", audience="axe+layout", chain_depth=0, content='{"act":"charge"}')
    for depth, (speaker, meta) in enumerate(
        [("axe+layout", None), ("張", {"model": "Modèle 🤖"}), ("pixels", dict.fromkeys(META_KEYS, 'ß"\\\n'))], 1
    ):
        parent = recorder.append(
            speaker=speaker,
            audience="team",
            chain_depth=depth,
            content="«Größe» \u2028 🤖 \x7f",
            parent_hash=parent,
            meta=meta,
        )
    for dialog in (
        recorder,
        canonical_dialog_snapshot(recorder),
        Dialog(dialog_id=recorder.dialog_id, turns=recorder.turns),
    ):
        assert quick_wire_key(dialog) == exact_wire_key(dialog) == recorder.wire_key()


def test_the_struct_of_our_metas_has_our_meta_keys_in_canonical_order():
    assert OwnMeta.__struct_fields__ == tuple(sorted(META_KEYS))


def test_the_metas_of_our_recorder_are_checked_without_a_walk():
    members = turn(meta={"model": "m", "parts": "p"})
    assert read_turns([members], MAPPINGS, True)[1]
    assert read_turns([as_class(members)], CLASSES, True)[1]
    assert not read_turns([turn(meta={"tokens": 1})], MAPPINGS, True)[1]


YES = {
    "no turns": [],
    "escapes": [turn(content="".join(map(chr, range(0x80))) + "\u2028\U0001f600")],
    "the largest integers": [turn(chainDepth=2**53, meta={"n": [2**53, -(2**53)]})],
    "turns in another order": [turn(chainDepth=1), turn(speaker="B"), turn(speaker="b"), turn(speaker="å"), turn()],
    "members nobody knows": [turn(timestamp=object(), cost=1.5)],
    "nested meta": [turn(meta=nested(20))],
    "an enumeration of texts": [turn(speaker=Word.A)],
    "a text whose enumeration says something else": [turn(content=Spelled.A)],
    "two that speak at one depth": [turn(speaker="a"), turn(speaker="B")],
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
    "a text of a subclass": [turn(content=Text("c"))],
    "a mapping of a subclass": [Table(turn())],
    "a meta of a subclass": [turn(meta=Table(model="m"))],
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
