"""Every case of vectors/reply.json: a proposer's reply to findings, clean shots and unaccounted shots.

Not compared: reason wordings, incident logs, prose lapses, a panel's name. Copies made for sibling shots are one
finding here, with `also_shot_ids`; the comparison spells them out again.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from bicameral.dialogue import ProposalReply, parse_judge_reply
from bicameral.model.findings import Finding

VECTORS = json.loads((Path(__file__).parents[2] / "vectors" / "reply.json").read_text(encoding="utf-8"))
CASES = {case["name"]: case for case in VECTORS["cases"]}
FIELDS = (
    "category",
    "attribute",
    "region",
    "severity",
    "title",
    "problem",
    "expected",
    "observed",
    "confidence",
    "acceptance",
)
LIGHT, DARK, PHONE = (
    "web/app/home/rest/desktop/light",
    "web/app/home/rest/desktop/dark",
    "web/app/home/rest/phone/light",
)


def read(case: dict) -> ProposalReply:
    categories = case["panel"]["categories"] if case["panel"] else VECTORS["vocabulary"]["categories"]
    return parse_judge_reply(json.dumps(case["reply"]), shots=case["shots"], categories=categories)


def per_shot(findings: tuple[Finding, ...]) -> list[tuple]:
    rows = []
    for finding in findings:
        words = tuple(list(finding.acceptance) if name == "acceptance" else getattr(finding, name) for name in FIELDS)
        rows += [(shot_id, *words) for shot_id in finding.shot_ids]
    return rows


def expected_rows(case: dict) -> list[tuple]:
    return [(row["shotId"], *(row[name] for name in FIELDS)) for row in case["expect"]["findings"]]


def nothing_read(case: dict, reply: ProposalReply) -> None:
    assert reply.state == "unreadable"
    assert reply.findings == ()
    assert reply.unaccounted == tuple(case["shots"])


def null_row_loses_itself_only(case: dict, reply: ProposalReply) -> None:
    assert [finding.attribute for finding in reply.findings] == ["body-text"]
    assert [row.row for row in reply.rejected] == ["null"]
    assert reply.clean_shot_ids == (DARK, PHONE)
    assert reply.state == "complete"


def both_is_flagged(case: dict, reply: ProposalReply) -> None:
    assert per_shot(reply.findings) == expected_rows(case)
    assert reply.clean_shot_ids == (DARK, PHONE)
    assert reply.both == (LIGHT,)


def clean_also_flagged_is_flagged(case: dict, reply: ProposalReply) -> None:
    assert per_shot(reply.findings) == expected_rows(case)
    assert reply.clean_shot_ids == ()
    assert reply.both == (PHONE,)


def clean_once(case: dict, reply: ProposalReply) -> None:
    assert reply.clean_shot_ids == (LIGHT, DARK, PHONE)
    assert reply.rejected == ()


def filed_once(case: dict, reply: ProposalReply) -> None:
    wanted = list(dict.fromkeys(map(repr, expected_rows(case))))
    assert list(map(repr, per_shot(reply.findings))) == wanted
    assert len(reply.findings) == 1
    assert reply.rejected == ()


def row_rejected(case: dict, reply: ProposalReply) -> None:
    assert reply.findings == ()
    assert [json.loads(row.row) for row in reply.rejected] == case["reply"]["findings"]
    assert reply.unaccounted == (LIGHT,)


def emoji_kept_or_left_whole(case: dict, reply: ProposalReply) -> None:
    (finding,) = reply.findings
    assert finding.title == "t" * 199


def any_script(case: dict, reply: ProposalReply) -> None:
    assert [finding.attribute for finding in reply.findings] == [
        "body-text",
        "body-text",
        "body-text",
        "größe",
        "текст",
        "general",
        "kelvin-i",
    ]


# name: (what we answer, why)
DIFFERENT: dict[str, tuple[Callable[[dict, ProposalReply], None], str]] = {
    "shape_null_reply": (nothing_read, "a parser never raises; null is no answer"),
    "shape_row_null_throws": (null_row_loses_itself_only, "a null row loses that row only"),
    "accounting_shot_both_flagged_and_clean": (both_is_flagged, "a shot in both lists is flagged"),
    "whole_mixed": (clean_also_flagged_is_flagged, "a shot in both lists is flagged"),
    "accounting_clean_repeated": (clean_once, "a shot is called clean once"),
    "siblings_sibling_is_other_primary": (filed_once, "the proposal's own repeats are filed once"),
    "duplicate_same_finding_twice": (filed_once, "the proposal's own repeats are filed once"),
    "vocab_list_valued_words": (row_rejected, "a value of a wrong type is rejected, never turned into text"),
    "coerce_field_types": (row_rejected, "a value of a wrong type is rejected, never turned into text"),
    "caps_cap_splits_emoji": (emoji_kept_or_left_whole, "no cut splits a character"),
    "coerce_attribute_forms": (any_script, "attributes keep letters of any script"),
}


@pytest.mark.parametrize("name", [name for name in CASES if name not in DIFFERENT])
def test_a_reply_is_read_as_the_vector_says(name: str) -> None:
    case = CASES[name]
    reply = read(case)
    expect = case["expect"]
    assert per_shot(reply.findings) == expected_rows(case)
    assert [json.loads(row.row) for row in reply.rejected] == [row["raw"] for row in expect["rejected"]]
    flagged = {shot_id for finding in reply.findings for shot_id in finding.shot_ids}
    assert list(reply.clean_shot_ids) == [shot_id for shot_id in expect["cleanShotIds"] if shot_id not in flagged]
    assert list(reply.unaccounted) == expect["unaccounted"]


@pytest.mark.parametrize("name", DIFFERENT)
def test_a_reply_is_read_differently_on_purpose(name: str) -> None:
    check, _why = DIFFERENT[name]
    check(CASES[name], read(CASES[name]))


def test_no_difference_is_named_that_no_vector_has() -> None:
    assert set(DIFFERENT) <= set(CASES)
