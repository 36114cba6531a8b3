"""Nothing that a judge filed is lost unsaid, and a verdict that lost a finding is not kept for ever."""

from __future__ import annotations

import json
from typing import Any

import pytest

from bicameral.dialogue import parse_challenge, parse_judge_reply
from bicameral.dialogue.same import REPLACED
from bicameral.dialogue.scan import MAX_ROWS
from bicameral.model.evidence import Box
from bicameral.testing.scripted import Line
from dialogue_batches import DARK, LIGHT, PHONE, SHOT_IDS, first, hold, proposal, row, rulings, second

ALL_CLEAN = json.dumps({"findings": [], "clean_shot_ids": SHOT_IDS})


def written(value: object) -> str:
    return json.dumps(value)


def read(text: str, **options: Any) -> Any:
    return parse_judge_reply(text, shots=SHOT_IDS, **options)


def challenge(text: str, count: int = 1, **options: Any) -> Any:
    return parse_challenge(text, count=count, shots=SHOT_IDS, **options)


@pytest.mark.parametrize(
    "answer", [ALL_CLEAN, json.dumps({"clean_shot_ids": SHOT_IDS}), "```json\n" + ALL_CLEAN + "\n```"]
)
async def test_a_finding_that_a_later_answer_dropped_is_listed_and_the_verdict_not_kept(answer: str) -> None:
    text = written({"findings": [row("a")]}) + "\n\n" + answer
    result = await hold(first(text), second())
    assert (result.findings, result.clean_shot_ids) == ((), SHOT_IDS)
    assert [(lost.reason, lost.where) for lost in result.rejected] == [(REPLACED, "findings[0]")]
    assert json.loads(result.rejected[0].row)["attribute"] == "a"
    assert not result.cacheable


async def test_of_two_bare_proposals_the_last_is_the_answer_and_what_it_lacks_is_listed() -> None:
    text = (
        proposal(row("a"), row("b", DARK))
        + "\n"
        + proposal(row("b", DARK, title="in other words"), clean=[LIGHT, PHONE])
    )
    result = await hold(first(text), second(rulings("agree")))
    assert [finding.attribute for finding in result.findings] == ["b"]
    assert [json.loads(lost.row)["attribute"] for lost in result.rejected] == ["a"]
    assert not result.cacheable


async def test_a_draft_that_the_answer_repeats_loses_nothing() -> None:
    text = f'Draft: {proposal(row("a", title="hm"))} For example {{"findings": [{{}}]}} Answer: {proposal(row("a"))}'
    result = await hold(first(text), second(rulings("agree")))
    assert (result.rejected, result.cacheable) == ((), True)


def test_a_finding_dropped_from_several_drafts_is_listed_once() -> None:
    draft = written({"findings": [row("a")]})
    assert len(read(f"{draft} {draft} {draft} {ALL_CLEAN}").rejected) == 1


@pytest.mark.parametrize("bad", [row(severity="High"), row(category="Spacing"), row(title=7), None, {}, "x"])
async def test_a_proposal_with_a_row_that_could_not_be_used_is_read_and_not_kept(bad: Any) -> None:
    text = written({"findings": [bad], "clean_shot_ids": SHOT_IDS})
    assert read(text).state == "complete"
    result = await hold(first(text), second())
    assert (result.clean_shot_ids, result.dialogued, result.cacheable) == (SHOT_IDS, True, False)
    assert len(result.rejected) == 1


async def test_half_of_a_batch_with_a_lost_row_makes_the_whole_not_kept() -> None:
    cut_off = Line(text="{", finish="length")
    halves = [proposal(row(), row(severity="x"), clean=[DARK]), proposal(clean=[PHONE])]
    result = await hold(first(cut_off, cut_off, *halves), second(rulings("agree")))
    assert (result.unaccounted, result.cacheable) == ((), False)


@pytest.mark.parametrize("members", [{"findings": None}, {}, {"findings": "none"}])
async def test_a_reply_without_a_list_of_findings_says_nothing_of_them(members: dict[str, Any]) -> None:
    text = written({"clean_shot_ids": SHOT_IDS} | members)
    assert (read(text).state, read(text).clean_shot_ids) == ("incomplete", SHOT_IDS)
    result = await hold(first(text), second())
    assert not result.cacheable


@pytest.mark.parametrize("bad", [row("x", severity="High"), None, {}])
async def test_an_addition_that_could_not_be_used_is_listed_and_the_verdict_not_kept(bad: Any) -> None:
    result = await hold(first(proposal(row())), second(rulings("agree", additions=[bad])))
    assert (result.dialogued, result.unruled, result.cacheable) == (True, (), False)
    assert [lost.where for lost in result.rejected] == ["additions[0]"]


async def test_an_addition_that_a_later_answer_dropped_is_listed() -> None:
    fenced = "```json\n" + rulings("agree", additions=[row("new"), row("gap")]) + "\n```\n"
    result = await hold(first(proposal(row("gap"))), second(fenced + rulings("agree")))
    assert [json.loads(lost.row)["attribute"] for lost in result.rejected] == ["new"]  # the other restates #0
    assert not result.cacheable


async def test_what_may_not_be_added_in_the_second_round_is_no_lost_finding() -> None:
    answer = rulings("agree", additions=[row("more")])
    result = await hold(first(proposal(row()), answer), second(rulings("agree", additions=[row("new")])))
    assert result.cacheable


def test_rulings_of_a_replaced_answer_are_listed_where_the_answer_rules_on_something_else() -> None:
    draft = "```\n" + rulings(("dispute", "no"), "agree") + "\n```\n"
    reply = challenge(draft + rulings("agree"), count=2)
    assert [(ruling.index, ruling.verdict) for ruling in reply.verdicts] == [(0, "agree")]
    assert [(lost.reason, lost.where) for lost in reply.rejected] == [(REPLACED, "verdicts[1]")]
    assert reply.state == "incomplete"


def test_two_bare_answers_of_which_only_one_rules_are_read_and_the_last_is_the_answer() -> None:
    reply = challenge(rulings("agree") + written({"additions": [row("new")]}))
    assert ([a.attribute for a in reply.additions], reply.verdicts, reply.unruled) == (["new"], (), (0,))
    assert [lost.where for lost in reply.rejected] == ["verdicts[0]"]
    assert reply.state == "incomplete"
    reply = challenge(written({"additions": [row("new")]}) + rulings("agree"))
    assert ([ruling.verdict for ruling in reply.verdicts], reply.additions) == (["agree"], ())
    assert [lost.where for lost in reply.rejected] == ["additions[0]"]
    assert reply.findings_lost
    reply = challenge(rulings("agree") + rulings("agree", additions=[row("new")]))
    assert (reply.state, [a.attribute for a in reply.additions], reply.rejected) == ("complete", ["new"], ())


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"confidence": 5}, "confidence is not a word"),
        ({"confidence": "HIGH"}, "confidence is none of its words"),
        ({"region": 7}, "region is not a word"),
        ({"region": ["content"]}, "region is not a word"),
        ({"part": {}}, "part is not a word"),
        ({"acceptance": "x"}, "acceptance is not a list"),
        ({"acceptance": ["a", 1, None, "b\0"]}, "3 of acceptance that are no text"),
        ({"also_shot_ids": "y"}, "also_shot_ids is not a list"),
        ({"also_shot_ids": {}}, "also_shot_ids is not a list"),
        ({"also_boxes": 3}, "also_boxes is not an object"),
        ({"also_boxes": {DARK: [1, 2, 3, 4]}}, "1 of also_boxes that are no rectangle on another of its shots"),
        ({"also_shot_ids": [DARK], "also_boxes": {DARK: "x"}}, "1 of also_boxes that are no rectangle on"),
    ],
)
def test_a_value_of_a_wrong_type_is_left_out_and_said_to_be(changes: dict[str, Any], said: str) -> None:
    reply = read(proposal(row(**changes), clean=[]))
    assert len(reply.findings) == 1
    assert [lost.reason for lost in reply.dropped] == [f"left out: {said}"] or said in reply.dropped[0].reason
    assert (reply.findings[0].region, reply.rejected) == ("content", ())


@pytest.mark.parametrize(
    "changes", [{"region": "sidebar"}, {"region": None}, {"confidence": None}, {"acceptance": None}]
)
def test_what_may_be_absent_or_unknown_is_nothing_left_out(changes: dict[str, Any]) -> None:
    assert read(proposal(row(**changes))).dropped == ()


@pytest.mark.parametrize("note", [7, ["x"], {}, True])
def test_a_note_that_is_no_text_loses_its_row_whatever_the_word(note: object) -> None:
    for word in ("agree", "cannot-tell", "dispute", "amend"):
        reply = challenge(written({"verdicts": [{"index": 0, "verdict": word, "note": note}]}))
        assert (reply.verdicts, [lost.reason for lost in reply.rejected]) == ((), ["note is not a text"])


def test_a_repeat_with_another_box_is_filed_once_and_its_box_said_to_be_left_out() -> None:
    reply = read(proposal(row(box=[0, 0, 10, 10]), row(box=[500, 500, 10, 10]), row(box=[0, 0, 10, 10]), row()))
    (finding,) = reply.findings
    assert finding.box == Box(x=0, y=0, width=10, height=10)
    assert [(lost.reason, lost.where) for lost in reply.dropped] == [("left out: the box of a repeat", "findings[1]")]
    assert json.loads(reply.dropped[0].row)["box"] == [500, 500, 10, 10]


def test_repeats_joined_by_a_later_row_are_one_and_keep_every_shot_and_box() -> None:
    rows = [
        row(shot_id=DARK, box=[2, 2, 2, 2]),
        row("other"),
        row(shot_id=LIGHT, box=[1, 1, 1, 1]),
        row(shot_id=PHONE, also_shot_ids=[LIGHT, DARK], also_boxes={DARK: [9, 9, 9, 9]}),
    ]
    reply = read(proposal(*rows))
    joined, other = reply.findings
    assert (joined.shot_ids, other.attribute) == ((DARK, LIGHT, PHONE), "other")
    assert [joined.box_on(shot_id) and joined.box_on(shot_id).x for shot_id in SHOT_IDS] == [1, 2, None]
    assert [lost.where for lost in reply.dropped] == ["findings[3]"]


def test_one_account_on_thousands_of_shots_is_read_in_one_go() -> None:
    # No clock: a reader that holds each row against each other one would not come back within the time limit.
    shots = [f"app/r{n}/rest/desktop/light" for n in range(19_000)]
    rows = [{"shot_id": shot_id, "category": "spacing", "severity": "low"} for shot_id in shots]
    reply = parse_judge_reply(written({"findings": rows, "clean_shot_ids": []}), shots=shots)
    assert (len(reply.findings), reply.state) == (19_000, "complete")
    chain = [row | {"also_shot_ids": [shots[n - 1]]} for n, row in enumerate(rows) if n]
    reply = parse_judge_reply(written({"findings": chain, "clean_shot_ids": []}), shots=shots)
    assert [len(finding.shot_ids) for finding in reply.findings] == [19_000]


def test_more_rows_than_anybody_files_are_unreadable() -> None:
    agree = '{"index":0,"verdict":"agree"}'
    assert challenge('{"verdicts":[' + agree + ",1" * (MAX_ROWS - 1) + "]}").state == "complete"
    assert challenge('{"verdicts":[' + agree + ",1" * MAX_ROWS + "]}").state == "unreadable"
    assert challenge('{"verdicts":[' + agree + ",1" * 1_300_000 + "]}").state == "unreadable"
    half = "1," * (MAX_ROWS // 2) + "1"
    text = f'{{"x":[{half}]}} {{"verdicts":[{agree},{half}]}}'
    assert challenge(text).state == "unreadable"
    assert read('{"findings":[' + "1," * MAX_ROWS + '1],"clean_shot_ids":[]}').state == "unreadable"


@pytest.mark.parametrize("value", ["1e999", "-1e999", '"all agree"', '{"a" : 1}', "true", "0.10", '"\\u00e9"'])
def test_a_member_that_is_no_list_is_kept_as_it_was_written(value: str) -> None:
    reply = challenge(f'{{"verdicts" : {value} ,"additions":[]}}')
    assert [(lost.row, lost.where) for lost in reply.dropped] == [(value, "verdicts")]


@pytest.mark.parametrize("text", [None, b"{}", 7, [], {}, bytearray(b"x")])
def test_what_is_no_text_is_unreadable(text: Any) -> None:
    assert parse_judge_reply(text, shots=SHOT_IDS).state == "unreadable"
    assert parse_challenge(text, count=2, shots=SHOT_IDS).state == "unreadable"


@pytest.mark.parametrize("finish", ["max_tokens", "content_filter", "", None, [], {}, 3])
def test_an_end_that_nobody_knows_is_no_whole_reply(finish: Any) -> None:
    assert read(proposal(row()), finish=finish).state == "unreadable"
    reply = challenge(rulings("agree"), finish=finish)
    assert (reply.state, reply.verdicts, reply.unruled) == ("unreadable", (), (0,))
