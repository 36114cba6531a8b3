"""One row to one finding, or a reason why not; and the account of every shot."""

from __future__ import annotations

import json
from typing import Any

import pytest

from bicameral.dialogue import ProposalReply, parse_judge_reply
from bicameral.model.evidence import Box
from bicameral.model.findings import Finding, Place
from dialogue_batches import DARK, LIGHT, PHONE, SHOT_IDS, proposal, row


def read(*rows: dict[str, Any], **options: Any) -> ProposalReply:
    return parse_judge_reply(proposal(*rows), shots=SHOT_IDS, oracle="claude-code", **options)


def filed(**changes: Any) -> Finding:
    (finding,) = read(row(**changes)).findings
    return finding


def refused(**changes: Any) -> str:
    reply = read(row(**changes))
    assert reply.findings == ()
    (rejected,) = reply.rejected
    assert rejected.where == "findings[0]"
    return rejected.reason


def test_a_whole_row_is_filed_with_every_member() -> None:
    finding = filed(also_shot_ids=[PHONE], box=[1, 2, 3, 4], also_boxes={PHONE: [5, 6, 7, 8]})
    assert finding == Finding(
        shot_id=LIGHT,
        category="spacing",
        attribute="gap",
        severity="high",
        title="gap is off",
        problem="gap is 2 px where the rest keeps 8 px.",
        expected="8 px",
        observed="2 px",
        confidence="high",
        acceptance=("it is 8 px",),
        also_shot_ids=(PHONE,),
        box=Box(x=1, y=2, width=3, height=4),
        also_boxes=(Place(shot_id=PHONE, box=Box(x=5, y=6, width=7, height=8)),),
        oracle="claude-code",
    )


def test_camel_case_is_read_as_snake_case_is() -> None:
    snake = row(also_shot_ids=[PHONE], also_boxes={PHONE: [5, 6, 7, 8]})
    camel = {
        {"shot_id": "shotId", "also_shot_ids": "alsoShotIds", "also_boxes": "alsoBoxes"}.get(name, name): member
        for name, member in snake.items()
    }
    assert read(camel).findings == read(snake).findings


@pytest.mark.parametrize(
    ("name", "value"), [("shotId", LIGHT), ("alsoShotIds", [DARK]), ("alsoBoxes", {DARK: [0, 0, 1, 1]})]
)
def test_a_row_with_both_spellings_is_rejected_even_if_they_agree(name: str, value: object) -> None:
    assert refused(**{"also_shot_ids": [DARK], "also_boxes": {DARK: [0, 0, 1, 1]}, name: value}).startswith("both ")


@pytest.mark.parametrize("name", ["title", "problem", "expected", "observed", "attribute"])
@pytest.mark.parametrize("value", [7, 1.5, True, ["x"], {"a": 1}])
def test_a_text_of_another_type_is_no_text(name: str, value: object) -> None:
    assert refused(**{name: value}) == f"{name} is not a text"


@pytest.mark.parametrize("name", ["title", "problem", "expected", "observed", "attribute"])
def test_a_nul_is_refused_at_the_door(name: str) -> None:
    assert refused(**{name: "a\0b"}) == f"{name} holds a NUL"


@pytest.mark.parametrize("name", ["shot_id", "category", "severity"])
@pytest.mark.parametrize("value", ["", "nope", None, 3, True, ["high"], {}, " high", "HIGH"])
def test_a_word_that_decides_what_a_finding_is_must_be_exact(name: str, value: object) -> None:
    assert refused(**{name: value}).startswith(f"unknown {name}")


def test_null_stands_for_absent() -> None:
    finding = filed(title=None, expected=None, attribute=None, acceptance=None, box=None, also_shot_ids=None)
    assert (finding.title, finding.expected, finding.attribute, finding.acceptance) == ("", "", "general", ())


@pytest.mark.parametrize("value", ["sidebar", "Content", None, 4, ["content"]])
def test_an_unknown_region_is_content(value: object) -> None:
    assert filed(region=value).region == "content"


@pytest.mark.parametrize("value", ["HIGH", None, 0.9, ["low"]])
def test_an_unknown_confidence_is_medium(value: object) -> None:
    assert filed(confidence=value).confidence == "medium"


@pytest.mark.parametrize(
    ("box", "read_as"),
    [
        ([10, 20, 30, 40], (10, 20, 30, 40)),
        ({"x": 10, "y": 20, "width": 30, "height": 40}, (10, 20, 30, 40)),
        ([10.4, 20.6, 30.0, 40.9], (10, 20, 31, 42)),
        ([-3, 0, 0, 0], (-3, 0, 0, 0)),
    ],
)
def test_a_box_is_read_into_whole_pixels_that_cover_it(box: object, read_as: tuple[int, ...]) -> None:
    found = filed(box=box).box
    assert found is not None
    assert tuple(found.as_list()) == read_as


@pytest.mark.parametrize(
    "box",
    [
        [1, 2, 3],
        [1, 2, 3, 4, 5],
        "1,2,3,4",
        [1, 2, -3, 4],
        [True, 2, 3, 4],
        ["1", 2, 3, 4],
        {"x": 1},
        [1, 2, 3, 1e300],
        5,
    ],
)
def test_what_is_no_box_is_left_out_and_said_to_be(box: object) -> None:
    reply = read(row(box=box))
    assert reply.findings[0].box is None
    assert [lost.reason for lost in reply.dropped] == ["left out: box is no rectangle"]


def test_an_infinite_box_is_none() -> None:
    text = proposal(row(box=[1, 2, 3, 4])).replace("[1, 2, 3, 4]", "[1, 2, 3, 1e999]")
    assert parse_judge_reply(text, shots=SHOT_IDS).findings[0].box is None


def test_only_a_part_of_the_judge_may_be_named_as_the_oracle() -> None:
    assert read(row(part="axe"), parts=("axe", "layout")).findings[0].oracle == "axe"
    assert read(row(part="pixels"), parts=("axe", "layout")).findings[0].oracle == "claude-code"
    assert read(row(part="axe")).findings[0].oracle == "claude-code"


@pytest.mark.parametrize(
    ("written", "slug"),
    [
        ("Checkout Button", "checkout-button"),
        ("größe", "größe"),
        ("ＡＢＣ", "abc"),
        ("हिन्दी शब्द", "हिन्दी-शब्द"),
        ("ボタン", "ボタン"),
        ("ﾎﾞﾀﾝ", "ボタン"),
        ("e\u0301te\u0301", "été"),
        ("İstanbul", "istanbul"),
        ("a/b.c#d", "a-b-c-d"),
        ("\u0301", "general"),
        ("ΟΔΟΣ", "οδοσ"),
        ("οδος", "οδοσ"),
        ("check\u200bout", "checkout"),
        ("co\u00adop", "coop"),
        ("b\ufe0f", "b"),
        ("x\u034fy", "xy"),
        ("می\u200cخواهم", "میخواهم"),
        ("ẞ", "ß"),
        ("ſ", "s"),
        ("\u200b", "general"),
        ("🙂", "general"),
    ],
)
def test_an_attribute_is_kebab_case_in_any_script(written: str, slug: str) -> None:
    assert filed(attribute=written).attribute == slug


def test_long_attributes_that_differ_stay_apart() -> None:
    one, other = filed(attribute="a" * 300 + "x").attribute, filed(attribute="a" * 300 + "y").attribute
    assert one != other
    assert max(len(one), len(other)) <= 200


def test_a_cut_counts_utf16_units_and_keeps_characters_whole() -> None:
    assert filed(title="🙂" * 150).title == "🙂" * 100
    assert filed(title="x" + "🙂" * 150).title == "x" + "🙂" * 99


def test_every_shot_is_flagged_clean_or_unaccounted_and_in_one_of_them_only() -> None:
    text = proposal(row(also_shot_ids=[DARK]), clean=[DARK, LIGHT])
    reply = parse_judge_reply(text, shots=SHOT_IDS)
    assert (reply.clean_shot_ids, reply.unaccounted, reply.both) == ((), (PHONE,), (LIGHT, DARK))
    assert reply.state == "incomplete"


def test_a_shot_called_clean_that_was_not_opened_is_unaccounted() -> None:
    text = proposal(row())
    reply = parse_judge_reply(text, shots=SHOT_IDS, reads=[LIGHT, DARK])
    assert (reply.clean_shot_ids, reply.unaccounted, reply.state) == ((DARK,), (PHONE,), "incomplete")
    assert parse_judge_reply(text, shots=SHOT_IDS, reads=None).clean_shot_ids == (DARK, PHONE)
    assert parse_judge_reply(text, shots=SHOT_IDS, reads=[]).clean_shot_ids == ()


def test_an_unknown_shot_called_clean_is_said_to_be_left_out() -> None:
    text = json.dumps({"findings": [], "clean_shot_ids": [*SHOT_IDS, "ghost", None, 3]})
    reply = parse_judge_reply(text, shots=SHOT_IDS)
    assert reply.state == "complete"
    assert [(lost.row, lost.where) for lost in reply.dropped] == [
        ('"ghost"', "clean_shot_ids[3]"),
        ("null", "clean_shot_ids[4]"),
        ("3", "clean_shot_ids[5]"),
    ]


@pytest.mark.parametrize("members", [{"findings": "none"}, {"findings": {}}, {"clean_shot_ids": "all"}])
def test_a_member_that_is_no_list_makes_a_reply_incomplete(members: dict[str, object]) -> None:
    text = json.dumps({"findings": [row(also_shot_ids=[DARK, PHONE])], "clean_shot_ids": []} | members)
    reply = parse_judge_reply(text, shots=SHOT_IDS)
    assert reply.state == "incomplete"
    assert [lost.where for lost in reply.dropped] == list(members)


def test_own_repeats_are_filed_once_with_all_their_shots() -> None:
    reply = read(
        row(shot_id=LIGHT, box=[1, 1, 1, 1]),
        row(shot_id=PHONE, box=[3, 3, 3, 3]),
        row(shot_id=LIGHT, also_shot_ids=[DARK, PHONE], also_boxes={DARK: [2, 2, 2, 2]}),
    )
    (finding,) = reply.findings
    assert finding.shot_ids == (LIGHT, PHONE, DARK)
    boxes = {shot_id: finding.box_on(shot_id) for shot_id in SHOT_IDS}
    assert [box and box.x for box in boxes.values()] == [1, 2, 3]
    assert reply.rejected == ()


def test_two_accounts_of_one_thing_in_different_words_are_both_kept() -> None:
    assert len(read(row(problem="one"), row(problem="two")).findings) == 2


def test_one_defect_on_two_shots_apart_is_two_findings() -> None:
    assert len(read(row(shot_id=LIGHT), row(shot_id=PHONE)).findings) == 2


def test_a_row_that_leaves_much_out_is_listed_once() -> None:
    reply = read(row(also_shot_ids=[f"ghost-{n}" for n in range(500)], box="none"))
    assert len(reply.dropped) == 1


def test_a_reply_with_no_member_of_the_contract_accounts_for_nothing() -> None:
    reply = parse_judge_reply('{"result":"fine"}', shots=SHOT_IDS)
    assert (reply.state, reply.unaccounted) == ("incomplete", SHOT_IDS)
