"""Rulings by number: which count, which are absent, and what an addition becomes."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from bicameral.dialogue import ChallengeReply, consensus_for, mark_of, parse_challenge, parse_judge_reply
from bicameral.model.findings import Finding, Ruling
from dialogue_batches import DARK, LIGHT, PHONE, SHOT_IDS, first, hold, proposal, row, rulings, second


def filed(*rows: dict[str, Any]) -> tuple[Finding, ...]:
    return parse_judge_reply(proposal(*rows), shots=SHOT_IDS, oracle="claude-code").findings


FILED = filed(row("gap"), row("label", shot_id=DARK))


def read(text: str, **options: Any) -> ChallengeReply:
    given = {"count": 2, "shots": SHOT_IDS, "findings": FILED, "oracle": "codex"} | options
    return parse_challenge(text, **given)


def verdicts(*rows: dict[str, Any], additions: list[Any] | None = None) -> str:
    return json.dumps({"verdicts": rows} | ({} if additions is None else {"additions": additions}))


def words(reply: ChallengeReply) -> dict[int, str]:
    return {ruling.index: ruling.verdict for ruling in reply.verdicts}


def test_every_word_is_read_and_every_note_kept() -> None:
    found = filed(row("a"), row("b"), row("c"), row("d"))
    text = rulings(("agree", " yes "), ("dispute", "no"), ("amend", "half"), ("cannot-tell", "dark"))
    reply = read(text, count=4, findings=found)
    assert reply.state == "complete"
    assert words(reply) == {0: "agree", 1: "dispute", 2: "amend", 3: "cannot-tell"}
    assert [ruling.note for ruling in reply.verdicts] == ["yes", "no", "half", "dark"]
    assert {ruling.oracle for ruling in reply.verdicts} == {"codex"}


@pytest.mark.parametrize("word", ["dispute", "amend"])
@pytest.mark.parametrize(
    "note", [None, "", " \n", 7, ["x"], {"a": 1}, "\u200b\u2060", "\u0085", "\u200b" * 300 + "late"]
)
def test_a_dissent_without_an_account_is_absent(word: str, note: object) -> None:
    reply = read(verdicts({"index": 0, "verdict": word, "note": note}, {"index": 1, "verdict": "agree"}))
    assert words(reply) == {1: "agree"}
    assert reply.unruled == (0,)
    assert len(reply.rejected) == 1


def test_rulings_on_one_number_with_one_word_count_once_and_keep_all_notes() -> None:
    text = verdicts(
        {"index": 0, "verdict": "dispute", "note": "first"},
        {"index": 0.0, "verdict": "DISPUTE ", "note": "second"},
        {"index": 1, "verdict": "agree"},
        {"index": 1, "verdict": "agree"},
    )
    reply = read(text)
    assert reply.state == "complete"
    assert reply.verdicts[0].notes == ("first", "second")
    assert reply.verdicts[0].note == "first\nsecond"
    assert reply.verdicts[1].note is None


def test_rulings_on_one_number_that_differ_are_all_absent() -> None:
    rows = [{"index": 0, "verdict": "agree"}, {"index": 0, "verdict": "dispute", "note": "no"}]
    for order in (rows, rows[::-1]):
        reply = read(verdicts(*order, {"index": 1, "verdict": "agree"}))
        assert words(reply) == {1: "agree"}
        assert reply.unruled == (0,)
        assert [rejected.where for rejected in reply.rejected] == ["verdicts[0]", "verdicts[1]"]


def test_a_mark_of_another_finding_voids_the_ruling_and_nothing_else_does() -> None:
    own, other = (mark_of(finding) for finding in FILED)
    for mark in (own, own.upper(), f" {own} ", None, "", "zzzz", 7, [other], "ffff" * 9):
        reply = read(verdicts({"index": 0, "verdict": "agree", "mark": mark}))
        assert words(reply) == {0: "agree"}, mark
    reply = read(verdicts({"index": 0, "verdict": "agree", "mark": other}, {"index": 1, "verdict": "agree"}))
    assert words(reply) == {1: "agree"}
    assert "another" in reply.rejected[0].reason


@pytest.mark.parametrize("swapped", [False, True])
async def test_a_mark_of_any_other_finding_of_the_dialogue_voids_a_ruling(swapped: bool) -> None:
    # In the second round: #0 there is the addition, and the mark is that of #0 of the first round.
    filed_first, added = FILED[0], replace(filed(row("new"))[0], oracle="codex")
    mark = mark_of(filed_first if swapped else added)
    answer = verdicts({"index": 0, "verdict": "dispute", "note": "no", "mark": mark})
    result = await hold(first(proposal(row("gap")), answer), second(rulings("agree", additions=[row("new")])))
    assert mark_of(result.findings[0]) == mark_of(filed_first)
    assert mark_of(result.findings[1]) == mark_of(added)
    if swapped:
        assert (result.second_round_reason, result.unruled) == ("nothing-usable", (1,))
    else:
        assert result.findings[1].consensus is not None
        assert result.findings[1].consensus.disputed


@pytest.mark.parametrize("word", ["dispute", "amend"])
@pytest.mark.parametrize("notes", [(), ("",), ("\u200b",)])
def test_a_consensus_counts_no_dissent_without_an_account(word: Any, notes: tuple[str, ...]) -> None:
    consensus = consensus_for("a", [Ruling(index=0, oracle="b", verdict=word, notes=notes)])
    assert (consensus.disputed, consensus.agreed, consensus.ruled) == (False, False, False)
    assert (consensus.disputed_by, consensus.amended_by) == ((), ())


def test_every_word_of_a_restatement_is_kept() -> None:
    said = row("gap", title="T1", problem="P2", expected="E3", observed="O4", acceptance=["A5", "A6"])
    (ruling,) = read(verdicts(additions=[said])).verdicts
    assert ruling.note == "T1\nP2\nexpected: E3\nobserved: O4\nacceptance: A5\nacceptance: A6"


def test_two_findings_with_one_mark_void_nothing() -> None:
    twin = (FILED[0], FILED[0])
    reply = read(verdicts({"index": 0, "verdict": "agree", "mark": mark_of(FILED[0])}), findings=twin)
    assert words(reply) == {0: "agree"}


def test_without_the_findings_no_mark_is_checked_and_nothing_folded() -> None:
    other = mark_of(FILED[1])
    text = verdicts({"index": 0, "verdict": "agree", "mark": other}, additions=[row("gap")])
    reply = read(text, findings=None)
    assert words(reply) == {0: "agree"}
    assert [addition.attribute for addition in reply.additions] == ["gap"]


def test_a_mark_is_four_hex_digits_of_the_canonical_finding() -> None:
    mark = mark_of(FILED[0])
    assert len(mark) == 4
    int(mark, 16)
    assert mark == mark_of(filed(row("gap"))[0])


def test_a_restatement_agrees_with_what_it_restates_and_its_words_are_kept() -> None:
    text = verdicts({"index": 1, "verdict": "agree"}, additions=[row("Gap", title="Too tight", severity="low")])
    reply = read(text)
    assert reply.state == "complete"
    assert words(reply) == {0: "agree", 1: "agree"}
    assert reply.additions == ()
    assert reply.verdicts[0].note is not None
    assert "Too tight" in reply.verdicts[0].note


@pytest.mark.parametrize("word", ["dispute", "amend", "cannot-tell"])
def test_a_restatement_voids_a_different_ruling_on_the_same_finding(word: str) -> None:
    reply = read(verdicts({"index": 0, "verdict": word, "note": "hm"}, additions=[row("gap")]))
    assert words(reply) == {0: "agree"}
    assert [rejected.where for rejected in reply.rejected] == ["verdicts[0]"]


def test_a_restatement_and_an_agreement_are_one_ruling_with_both_notes() -> None:
    reply = read(verdicts({"index": 0, "verdict": "agree", "note": "seen"}, additions=[row("gap", title="Tight")]))
    assert reply.verdicts[0].notes[0] == "seen"
    assert reply.verdicts[0].notes[1].startswith("Tight\n")


@pytest.mark.parametrize(
    "changes", [{"category": "alignment"}, {"attribute": "gutter"}, {"region": "shell-nav"}, {"shot_id": PHONE}]
)
def test_another_identity_or_another_shot_is_an_addition(changes: dict[str, str]) -> None:
    reply = read(verdicts({"index": 0, "verdict": "agree"}, additions=[row() | changes]))
    assert len(reply.additions) == 1
    assert reply.additions[0].oracle == "codex"


def test_what_a_restatement_shows_on_further_shots_is_added_there() -> None:
    addition = row("gap", also_shot_ids=[PHONE], box=[1, 1, 1, 1], also_boxes={PHONE: [9, 9, 9, 9]})
    reply = read(verdicts(additions=[addition]))
    assert words(reply) == {0: "agree"}
    (rest,) = reply.additions
    assert rest.shot_ids == (PHONE,)
    assert rest.box is not None
    assert rest.box.x == 9


def test_one_restatement_may_speak_of_several_findings() -> None:
    found = filed(row("gap", shot_id=LIGHT), row("gap", shot_id=DARK))
    reply = read(verdicts(additions=[row("gap", also_shot_ids=[DARK])]), findings=found)
    assert words(reply) == {0: "agree", 1: "agree"}
    assert reply.additions == ()


def test_an_accepted_addition_is_something_usable() -> None:
    reply = read(verdicts(additions=[row("new")]))
    assert (reply.usable, reply.state, reply.unruled) == (True, "incomplete", (0, 1))


def test_with_nothing_put_a_list_of_additions_must_be_there() -> None:
    for text, usable in [
        ('{"additions":[]}', True),
        ('{"verdicts":[],"additions":[]}', True),
        ('{"verdicts":[{"index":0,"verdict":"agree"}],"additions":[]}', True),
        ('{"verdicts":[]}', False),
        ('{"additions":null}', False),
        ('{"additions":"none"}', False),
        ('{"additions":[null]}', False),
        ("{}", False),
    ]:
        reply = read(text, count=0, findings=())
        assert reply.usable is usable, text
        assert (reply.state == "complete") is usable, text


def test_who_may_not_add_has_its_additions_rejected() -> None:
    reply = read(verdicts({"index": 0, "verdict": "agree"}, additions=[row("new"), row("gap")]), may_add=False)
    assert words(reply) == {0: "agree"}
    assert reply.additions == ()
    assert [rejected.where for rejected in reply.rejected] == ["additions[0]", "additions[1]"]


def test_a_nul_in_a_note_loses_the_row() -> None:
    reply = read(verdicts({"index": 0, "verdict": "agree", "note": "a\0"}, {"index": 1, "verdict": "agree"}))
    assert words(reply) == {1: "agree"}


def test_a_ruling_never_restates_a_category() -> None:
    text = verdicts({"index": 0, "verdict": "agree", "category": "contrast", "attribute": "x", "severity": "low"})
    assert read(text).verdicts[0].verdict == "agree"


def test_a_count_of_nothing_and_a_ruling_on_it_is_rejected() -> None:
    reply = read(verdicts({"index": 0, "verdict": "agree"}), count=0, findings=())
    assert (reply.verdicts, len(reply.rejected)) == ((), 1)
