"""Dialogs, values and texts for properties."""

from __future__ import annotations

from hypothesis import strategies as st

from bicameral.canonical import UNDEFINED
from bicameral.model.dialogs import META_KEYS

TEXTS = st.text(st.characters(exclude_categories=[]), max_size=12)  # any code point, lone surrogates too
SAID = st.text(max_size=12)  # what UTF-8 can say
HANDLES = st.one_of(
    st.text(st.sampled_from("abAB-_ 1.\x01\x7f"), max_size=4),
    st.text(st.sampled_from("aAé\u0301\u00ad\u200bß张\U0001f916\ufb33\U00010000\uffff\ud800"), max_size=3),
    TEXTS,
)
SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(2**70), 2**70),
    st.floats(),
    TEXTS,
    st.just(UNDEFINED),
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(TEXTS, inner, max_size=4)),
    max_leaves=12,
)
PLAIN = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(-(2**53) + 1, 2**53 - 1), st.text(max_size=8)),
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(st.text(max_size=6), inner, max_size=4)),
    max_leaves=12,
)
DEPTHS = st.one_of(st.integers(-2, 4), st.sampled_from([0.5, -0.0, float("nan"), float("inf"), 2**53, 2**53 + 1]))


@st.composite
def foreign_turns(draw):
    turn = {name: draw(HANDLES) for name in ("speaker", "audience")}
    turn |= {"chainDepth": draw(DEPTHS), "content": draw(TEXTS)}
    for name, values in (("meta", VALUES), ("parentHash", st.one_of(TEXTS, SCALARS))):
        if draw(st.booleans()):
            turn[name] = draw(values)
    return turn


FOREIGN_DIALOGS = st.fixed_dictionaries({"dialogId": TEXTS, "turns": st.lists(foreign_turns(), max_size=6)})
METAS = st.one_of(st.none(), st.dictionaries(st.sampled_from(sorted(META_KEYS)), SAID, max_size=3))


@st.composite
def own_plans(draw):
    """Turns for a recorder: each with a place and the number of an earlier turn as its parent; the first has none."""
    handle = st.one_of(st.sampled_from(["clerk", "axe+layout", "pixels", "team", "Åsa"]), SAID.filter(bool))
    plan = []
    for _ in range(draw(st.integers(1, 8))):
        parent = draw(st.integers(0, len(plan) - 1)) if plan else None
        depth = 0 if parent is None else plan[parent]["chain_depth"] + draw(st.integers(1, 3))
        turn = {"speaker": draw(handle), "audience": draw(handle), "chain_depth": depth, "content": draw(SAID)}
        if any(all(turn[name] == other[name] for name in ("speaker", "audience", "chain_depth")) for other in plan):
            continue
        plan.append({**turn, "meta": draw(METAS), "parent": parent})
    return plan
