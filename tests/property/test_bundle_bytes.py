"""Whatever happens to a bundle and whatever dialogue is in it: any change is told, what is sound is never accused."""

from __future__ import annotations

import asyncio
import io
from functools import cache
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bicameral.dialogue import hold_dialogue
from bicameral.errors import JudgeFailed, RecordError
from bicameral.model.judging import DialogueResult
from bicameral.model.seats import Seat
from bicameral.testing.scripted import ScriptedJudge
from bicameral.witness.audit import Header, audit
from bicameral.witness.bundle import read_bundle
from dialogue_batches import FIRST, SECOND, SHOT_IDS, proposal, question, row, rulings
from witness_deposits import alone, deposit, head_envelope, problems_of, redaction, shots


@cache
def bundle() -> bytes:
    """A small bundle with one of everything."""
    found = deposit(alone())
    assert found.head is not None
    picture = min(found.blobs)
    return (
        found.without(picture)
        .with_(
            header=Header(runs=("r1",)),
            redactions=(redaction(picture),),
            envelopes=(head_envelope(found.head),),
        )
        .bundle()
    )


def is_reported(body: bytes) -> bool:
    """Whether a reader is told that something is wrong. No exception but a RecordError leaves the verification."""
    try:
        return bool(list(audit(read_bundle(io.BytesIO(body)))))
    except RecordError:
        return True


def changed(at: int, mask: int) -> bytes:
    body = bundle()
    return body[:at] + bytes([body[at] ^ mask]) + body[at + 1 :]


def test_the_bundle_is_sound_as_it_is() -> None:
    assert not is_reported(bundle())


@given(st.integers(0), st.integers(1, 255))
def test_any_changed_byte_is_reported(at: int, mask: int) -> None:
    assert is_reported(changed(at % len(bundle()), mask))


@given(st.integers(0))
def test_a_bundle_that_was_cut_off_anywhere_is_reported(at: int) -> None:
    assert is_reported(bundle()[: at % len(bundle())])


@given(st.integers(0), st.integers(0), st.binary(max_size=600))
def test_anything_taken_out_or_put_in_is_reported(at: int, length: int, put: bytes) -> None:
    body = bundle()
    begin = at % len(body)
    end = begin + length % 1025
    other = body[:begin] + put + body[end:]
    assert other == body or is_reported(other)


@given(st.lists(st.integers(0), min_size=2, max_size=6))
def test_blocks_in_another_order_are_reported(cuts: list[int]) -> None:
    body = bundle()
    blocks = [body[at : at + 512] for at in range(0, len(body), 512)]
    order = list(range(len(blocks)))
    for one, other in pairwise(cuts):
        a, b = one % len(blocks), other % len(blocks)
        order[a], order[b] = order[b], order[a]
    moved = b"".join(blocks[number] for number in order)
    assert moved == body or is_reported(moved)


@given(st.binary(max_size=2000))
def test_bytes_that_are_no_bundle_are_reported(body: bytes) -> None:
    assert is_reported(body)
    assert is_reported(bundle()[:1536] + body)


@pytest.mark.slow
def test_every_byte_counts() -> None:
    assert [at for at in range(len(bundle())) if not is_reported(changed(at, 1 << at % 8))] == []


@pytest.mark.slow
def test_every_length_counts() -> None:
    assert [at for at in range(len(bundle())) if not is_reported(bundle()[:at])] == []


WORDS = ("agree", "dispute", "amend", "cannot-tell", "nonsense")
NOTES = st.sampled_from(["", "it is even", "zwei\nZeilen 😀", "\u200b"])
VERDICTS = st.lists(st.tuples(st.sampled_from(WORDS), NOTES), max_size=4)
ROWS = st.lists(
    st.builds(
        row,
        attribute=st.sampled_from(["gap", "rand", "größe"]),
        shot_id=st.sampled_from([*SHOT_IDS, "elsewhere"]),
        also_shot_ids=st.lists(st.sampled_from(SHOT_IDS), max_size=2, unique=True),
        box=st.none() | st.just([1, 2, 3, 4]),
        title=st.sampled_from(["off", "schräg 😀", ""]),
    ),
    max_size=3,
)
GARBAGE = st.sampled_from(["", "no json", "{}", '{"verdicts": []}', "[" * 500])


@given(
    rows=ROWS,
    clean=st.lists(st.sampled_from(SHOT_IDS), max_size=3, unique=True),
    words=VERDICTS,
    added=ROWS,
    second=VERDICTS,
    garbage=st.tuples(st.none() | GARBAGE, st.none() | GARBAGE),
    two=st.booleans(),
    asks_clean=st.booleans(),
)
def test_the_outcome_of_any_dialogue_is_derived_from_its_turns_alone(
    rows: list[dict[str, object]],
    clean: list[str],
    words: list[tuple[str, str]],
    added: list[dict[str, object]],
    second: list[tuple[str, str]],
    garbage: tuple[str | None, str | None],
    two: bool,
    asks_clean: bool,
) -> None:
    challenge = garbage[0] if garbage[0] is not None else rulings(*words, additions=added)
    answer = garbage[1] if garbage[1] is not None else rulings(*second)
    proposer = ScriptedJudge(Seat(FIRST, "m1"), [proposal(*rows, clean=clean), answer, answer, answer])
    challenger = ScriptedJudge(Seat(SECOND, "m2"), [challenge] * 4) if two else None
    asked = question(shots=shots(), challenge_clean=asks_clean)
    result: DialogueResult
    try:
        result = asyncio.run(hold_dialogue(asked, proposer, challenger, monotonic=lambda: 0.0))
    except JudgeFailed:
        return
    assert problems_of(deposit(result)) == []
