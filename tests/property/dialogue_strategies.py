"""Replies of judges who mean harm, or do not care: text that is anything, and JSON that is nearly right."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import strategies as st

from dialogue_batches import DARK, LIGHT, PHONE, row

TEXT = st.text(st.characters(codec="utf-8"), max_size=40)


def weighted(*choices: tuple[int, st.SearchStrategy[Any]]) -> st.SearchStrategy[Any]:
    """One of the strategies, as often as its weight says: `one_of` takes the same strategy twice for one."""
    return st.sampled_from([strategy for weight, strategy in choices for _ in range(weight)]).flatmap(lambda s: s)


WILD_TEXT = st.text(st.characters(), max_size=40)  # lone surrogates among them
MARKS = [*'{}[]"\\,: \n', "```", "```json\n", "NaN", "null", "true", "1e999", "\ud800"]
PIECES = ['{"verdicts":', '{"additions":[]}', '"index":0', '"verdict":"agree"', '"findings":[', '"clean_shot_ids":[]']
WHOLES = ['{"verdicts":[{"index":0,"verdict":"agree"}]}', '{"verdicts":[{"index":0,"verdict":"dispute","note":"n"}]}']
CHUNKS = st.sampled_from([*MARKS, *PIECES, *WHOLES])
SOUP = st.lists(CHUNKS | WILD_TEXT, max_size=30).map("".join)
"""Text out of which an answer may or may not come together."""

SCALARS: st.SearchStrategy[Any] = (
    st.none()
    | st.booleans()
    | st.integers(-3, 5)
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | TEXT
)
JUNK: st.SearchStrategy[Any] = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3), max_leaves=5
)
"""Values of the wrong type. What makes a whole reply unreadable comes by POISON alone, else nothing would be read."""
POISON: st.SearchStrategy[Any] = st.sampled_from([float("nan"), float("-inf"), "\ud800", "a\udfff"])
SHOTS = st.sampled_from([LIGHT, DARK, PHONE])


def mostly(good: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """The right thing nine times in ten, and anything at all the tenth."""
    return weighted((9, good), (1, JUNK))


def spoiled(rows: st.SearchStrategy[dict[str, Any]]) -> st.SearchStrategy[Any]:
    """Rows of which some lack a member, hold a wrong one or one too many, or are no rows."""
    changes = st.dictionaries(
        st.sampled_from(
            ["shotId", "index", "verdict", "note", "mark", "title", "box", "severity", "also_shot_ids", "part"]
        ),
        JUNK,
        max_size=2,
    )
    wrong = st.builds(lambda given, wrong: given | wrong, rows, changes)
    poisoned = st.builds(lambda given, poison: given | {"x": poison}, rows, POISON)
    return weighted((30, rows), (4, wrong), (2, JUNK), (1, poisoned))


FINDINGS = st.builds(
    row,
    attribute=st.sampled_from(["gap", "label", "Gap", "größe"]) | TEXT,
    shot_id=SHOTS,
    also_shot_ids=st.lists(SHOTS, max_size=3),
    category=st.sampled_from(["spacing", "contrast"]),
    severity=st.sampled_from(["critical", "low"]),
    problem=TEXT,
    box=st.none() | st.lists(st.integers(0, 99), min_size=4, max_size=4),
)
RULINGS = st.builds(
    lambda index, verdict, note, mark: {"index": index, "verdict": verdict, "note": note, "mark": mark},
    st.sampled_from([0, 1, 2, 0, 1, 2, 1.0, -0.0, 7]),
    st.sampled_from(["agree", "dispute", "amend", "cannot-tell", "dispute", " Agree", "refuted"]),
    st.none() | st.just("because") | TEXT,
    st.none() | st.text("0123456789abcdef", min_size=4, max_size=4),
)


def written(members: dict[str, Any]) -> st.SearchStrategy[str]:
    """An object as a judge might write it down: with fences, prose, another object beside it, or cut off."""
    body = json.dumps(members)
    beside = st.builds(lambda before, after: f"{before}{body}{after}", SOUP, SOUP)
    cut_off = st.integers(0, len(body)).map(lambda end: body[:end])
    return weighted((6, st.just(body)), (2, st.just(f"```json\n{body}\n```")), (2, beside), (1, cut_off))


PROPOSALS = st.fixed_dictionaries(
    {},
    optional={
        "findings": mostly(st.lists(spoiled(FINDINGS), max_size=4)),
        "clean_shot_ids": mostly(st.lists(SHOTS | JUNK, max_size=4)),
    },
).flatmap(written)
CHALLENGES = st.fixed_dictionaries(
    {"verdicts": mostly(st.lists(spoiled(RULINGS), min_size=1, max_size=5))},
    optional={"additions": mostly(st.lists(spoiled(FINDINGS), max_size=3))},
).flatmap(written)

ANY_PROPOSAL = weighted((2, PROPOSALS), (1, SOUP))
ANY_CHALLENGE = weighted((8, CHALLENGES), (1, SOUP))
