"""Every case of vectors/challenge.json: a challenger's reply text to rulings, additions and consensus.

Not compared: reason wordings, incident logs, a panel's name. In the consensus an amender stands in `amended_by`.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from bicameral.dialogue import ChallengeReply, consensus_for, parse_challenge

FOLDER = Path(__file__).parents[2] / "vectors"
CASES = {case["name"]: case for case in json.loads((FOLDER / "challenge.json").read_text(encoding="utf-8"))["cases"]}
VOCABULARY = json.loads((FOLDER / "reply.json").read_text(encoding="utf-8"))["vocabulary"]["categories"]


def read(case: dict) -> ChallengeReply:
    categories = case["panel"]["categories"] if case["panel"] else VOCABULARY
    return parse_challenge(
        case["reply"],
        count=case["count"],
        shots=case["shots"],
        categories=categories,
        oracle=case["challenger"],
    )


def said(reply: ChallengeReply) -> list[dict]:
    return [
        {"index": ruling.index, "verdict": ruling.verdict} | ({} if ruling.note is None else {"note": ruling.note})
        for ruling in reply.verdicts
    ]


def added(reply: ChallengeReply) -> list[tuple]:
    return [
        (shot_id, a.category, a.attribute, a.region, a.severity, a.title, a.problem, a.confidence)
        for a in reply.additions
        for shot_id in a.shot_ids
    ]


def expected_additions(case: dict) -> list[tuple]:
    names = ("shotId", "category", "attribute", "region", "severity", "title", "problem", "confidence")
    return [tuple(row[name] for name in names) for row in case["expect"]["additions"]]


def rejected_values(reply: ChallengeReply) -> list:
    return [json.loads(row.row) for row in reply.rejected]


Check = Callable[[dict, ChallengeReply], None]
BOTH_RULED = [
    {"index": 0, "verdict": "agree"},
    {"index": 1, "verdict": "dispute", "note": "the gap is even on this shot"},
]


def rulings_are_found(case: dict, reply: ChallengeReply) -> None:
    assert reply.state == "complete"
    assert said(reply) == BOTH_RULED


def fence_in_a_note_is_a_note(case: dict, reply: ChallengeReply) -> None:
    assert said(reply) == [{"index": 0, "verdict": "dispute", "note": "see ```css\n.a{}\n``` here"}]
    assert reply.unruled == (1,)


def unreadable(case: dict, reply: ChallengeReply) -> None:
    assert reply.state == "unreadable"
    assert said(reply) == []


def both_absent(*ruled: int) -> Check:
    def check(case: dict, reply: ChallengeReply) -> None:
        rows = json.loads(case["reply"])["verdicts"]
        assert said(reply) == []
        assert sorted(map(repr, rejected_values(reply))) == sorted(map(repr, rows))
        assert set(ruled) <= set(reply.unruled)
        assert not reply.usable

    return check


def case_folded(case: dict, reply: ChallengeReply) -> None:
    assert said(reply) == [{"index": 1, "verdict": "agree"}]
    assert [row["verdict"] for row in rejected_values(reply)] == ["refuted"]


def trimmed(case: dict, reply: ChallengeReply) -> None:
    assert said(reply) == [{"index": 0, "verdict": "agree"}, {"index": 1, "verdict": "agree"}]


def list_is_no_word(case: dict, reply: ChallengeReply) -> None:
    assert said(reply) == []
    assert len(reply.rejected) == 2


def emoji_left_whole(case: dict, reply: ChallengeReply) -> None:
    (ruling,) = reply.verdicts
    assert ruling.note == "n" * 299


def null_addition_loses_itself_only(case: dict, reply: ChallengeReply) -> None:
    assert [row["verdict"] for row in said(reply)] == ["agree", "agree"]
    assert [addition.attribute for addition in reply.additions] == ["label-gap"]
    assert rejected_values(reply) == [None]


def wrong_types_are_rejected(case: dict, reply: ChallengeReply) -> None:
    assert reply.additions == ()
    assert len(reply.rejected) == 1
    assert not reply.usable


# name: (what we answer, why)
DIFFERENT: dict[str, tuple[Check, str]] = {
    "read_prose_with_braces_before": (rulings_are_found, "prose with braces loses nothing"),
    "read_example_after_answer": (rulings_are_found, "an example after the answer loses nothing"),
    "read_note_holds_fence": (fence_in_a_note_is_a_note, "a fence inside a string loses nothing"),
    "read_duplicate_members": (unreadable, "repeated members are unreadable"),
    "index_neg_zero": (both_absent(0), "two differing rulings on one number are both absent"),
    "duplicate_first_wins": (both_absent(0), "two differing rulings on one number are both absent"),
    "duplicate_rejected_row_does_not_claim": (both_absent(0), "two differing rulings on one number are both absent"),
    "duplicate_three": (both_absent(1), "differing rulings on one number are all absent"),
    "verdict_unknown_word": (case_folded, "a ruling word is compared after trimming and case folding"),
    "verdict_padded": (trimmed, "a ruling word is compared after trimming and case folding"),
    "verdict_non_string": (list_is_no_word, "a value of a wrong type is rejected, never turned into text"),
    "note_cut_splits_emoji": (emoji_left_whole, "no cut splits a character"),
    "additions_null_row_loses_all": (null_addition_loses_itself_only, "a null row loses that row only"),
    "additions_degenerate_fields": (wrong_types_are_rejected, "a value of a wrong type is rejected"),
}
NOT_UNDERSTOOD = "read_empty_object", "read_top_level_array_one"


@pytest.mark.parametrize("name", [name for name in CASES if name not in DIFFERENT])
def test_a_challenge_is_read_as_the_vector_says(name: str) -> None:
    case = CASES[name]
    reply = read(case)
    expect = case["expect"]
    if not expect["readable"]:
        assert reply.state == ("empty" if case["reply"] == "" else "unreadable")
        assert (reply.verdicts, reply.additions, reply.rejected) == ((), (), ())
        return
    assert reply.state in {"complete", "incomplete"}
    assert said(reply) == expect["verdicts"]
    assert added(reply) == expected_additions(case)
    wanted = [row["raw"] for row in expect["rejected"]]
    if name == "index_infinity":  # the vector cannot write 1e999; we keep the row as it was written
        assert [row.row for row in reply.rejected] == ['{"index":1e999,"verdict":"agree"}']
    else:
        assert rejected_values(reply) == wanted
    for number, consensus in enumerate(expect["consensus"]):
        on = [ruling for ruling in reply.verdicts if ruling.index == number]
        ours = consensus_for(case["proposer"], on)
        assert ours.reported_by == consensus["reportedBy"]
        assert [*ours.agreed_by, *(d.oracle for d in ours.amended_by)] == consensus.get("agreedBy", [])
        assert [{"oracle": d.oracle, "note": d.note} for d in ours.disputed_by] == consensus.get("disputedBy", [])
        assert ours.disputed == expect["disputed"][number]


@pytest.mark.parametrize("name", DIFFERENT)
def test_a_challenge_is_read_differently_on_purpose(name: str) -> None:
    check, _why = DIFFERENT[name]
    check(CASES[name], read(CASES[name]))


@pytest.mark.parametrize("name", [name for name in CASES if name.startswith("rows_") or name in NOT_UNDERSTOOD])
def test_a_reply_with_nothing_usable_was_not_understood(name: str) -> None:
    reply = read(CASES[name])
    assert not reply.usable
    assert reply.state == "incomplete"
    assert reply.unruled == (0, 1)


def test_a_member_of_the_wrong_type_is_said_to_be_left_out() -> None:
    assert [row.where for row in read(CASES["additions_not_list"]).dropped] == ["additions"]
    assert [row.row for row in read(CASES["rows_verdicts_not_list"]).dropped] == ['"all agree"']


def test_no_difference_is_named_that_no_vector_has() -> None:
    assert set(DIFFERENT) <= set(CASES)
