"""What is known of a reply is told from its row as it was told from the reply, byte for byte."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from bicameral.canonical import canonical_json
from bicameral.model.judging import RawReply
from bicameral.storage import about_of, raw_of, reply_row
from bicameral.witness import about_reply

TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=12)
REPLIES = st.builds(
    RawReply,
    handle=TEXT,
    model=TEXT,
    task=st.sampled_from(["propose", "challenge", "rule"]),
    text=TEXT,
    digest=TEXT,
    finish=st.sampled_from(["stop", "length", "refusal"]),
    state=st.sampled_from(["complete", "truncated", "unreadable"]),
    parts=st.lists(TEXT, max_size=3).map(tuple),
    reads=st.none() | st.lists(TEXT, max_size=3).map(tuple),
    meta=st.dictionaries(TEXT, TEXT, max_size=3),
    half=st.integers(0, 2),
)


@given(REPLIES)
def test_a_row_and_its_reply_say_the_same(raw: RawReply) -> None:
    row = reply_row(raw, depth=1)
    assert about_of(row) == about_reply(raw)
    assert raw_of(row) == raw


@given(st.dictionaries(st.sampled_from(["a", "b\u007f", 'c"', "d\\", "e\n", "f\u001f"]), TEXT | st.integers(0, 9)))
def test_what_is_written_fast_is_canonical(reported: dict[str, object]) -> None:
    raw = RawReply(
        handle="h\u2028", model="m", task="rule", text="", digest="d", finish="stop", state="complete", half=0
    )
    row = reply_row(raw, depth=None)
    row = type(row)(**{**vars(row), "reported": canonical_json(reported).decode()})
    known = {name: getattr(row, name) for name in ("handle", "model", "task", "finish", "state")}
    assert about_of(row) == canonical_json({**reported, **known})
