"""Whatever a judge writes, reading it never raises, and nothing is read into it."""

from __future__ import annotations

import json
import random
from typing import Any

from dialogue_strategies import ANY_CHALLENGE, ANY_PROPOSAL, FINDINGS, RULINGS, WILD_TEXT
from hypothesis import given
from hypothesis import strategies as st

from bicameral.dialogue import fenced, mark_of, parse_challenge, parse_judge_reply
from bicameral.dialogue.texts import cut, is_blank, slug, storable
from bicameral.model.findings import Finding
from bicameral.model.vocabulary import CATEGORIES, SEVERITIES, WORDS
from dialogue_batches import SHOT_IDS, proposal


def check_finding(finding: Finding) -> None:
    assert set(finding.shot_ids) <= set(SHOT_IDS)
    assert len(set(finding.shot_ids)) == len(finding.shot_ids)
    assert finding.category in CATEGORIES
    assert finding.severity in SEVERITIES
    assert finding.attribute == slug(finding.attribute)
    mark_of(finding)  # a finding has a canonical form: no lone surrogate got through
    assert "\0" not in finding.title + finding.problem + finding.expected + finding.observed


@given(ANY_PROPOSAL, st.sampled_from(["stop", "stop", "stop", "length", "refusal"]))
def test_any_proposal_accounts_for_every_shot_exactly_once(text: str, finish: Any) -> None:
    reply = parse_judge_reply(text, shots=SHOT_IDS, finish=finish, oracle="x")
    flagged = {shot_id for finding in reply.findings for shot_id in finding.shot_ids}
    parts = [flagged, set(reply.clean_shot_ids), set(reply.unaccounted)]
    assert sum(map(len, parts)) == len(SHOT_IDS)
    assert set().union(*parts) == set(SHOT_IDS)
    assert reply.state != "complete" or not reply.unaccounted
    for finding in reply.findings:
        check_finding(finding)


@given(ANY_CHALLENGE, st.integers(0, 4), st.lists(FINDINGS, max_size=4), st.booleans())
def test_any_challenge_rules_each_number_once_or_leaves_it_unruled(
    text: str, count: int, rows: list[dict[str, Any]], told: bool
) -> None:
    filed = parse_judge_reply(proposal(*rows, clean=[]), shots=SHOT_IDS, oracle="x").findings
    put = len(filed) if told else count
    reply = parse_challenge(text, count=put, shots=SHOT_IDS, findings=filed if told else None, oracle="y")
    ruled = [ruling.index for ruling in reply.verdicts]
    assert len(ruled) == len(set(ruled))
    assert sorted([*ruled, *reply.unruled]) == list(range(put))
    for ruling in reply.verdicts:
        assert ruling.verdict in WORDS
        assert ruling.verdict not in {"dispute", "amend"} or not is_blank(ruling.note or "")
    assert (reply.state == "complete") <= (reply.usable and not reply.unruled)
    for finding in reply.additions:
        check_finding(finding)


@given(st.lists(RULINGS, max_size=6), st.randoms(use_true_random=False))
def test_the_order_of_rulings_does_not_matter_and_saying_it_twice_changes_no_word(
    rows: list[dict[str, Any]], chance: random.Random
) -> None:
    def words(given_rows: list[dict[str, Any]]) -> dict[int, str]:
        reply = parse_challenge(json.dumps({"verdicts": given_rows}), count=3, shots=SHOT_IDS)
        return {ruling.index: ruling.verdict for ruling in reply.verdicts}

    shuffled = rows[:]
    chance.shuffle(shuffled)
    assert words(shuffled) == words(rows) == words(rows + rows)


@given(st.lists(FINDINGS, max_size=5))
def test_every_usable_row_is_in_a_finding_with_all_its_shots(rows: list[dict[str, Any]]) -> None:
    reply = parse_judge_reply(proposal(*rows, clean=[]), shots=SHOT_IDS, oracle="x")
    if reply.state == "unreadable":  # a lone surrogate somewhere
        return
    kept = [given_row for given_row in rows if "\0" not in given_row["problem"] + given_row["attribute"]]
    for given_row in kept:
        alone = parse_judge_reply(proposal(given_row, clean=[]), shots=SHOT_IDS, oracle="x").findings[0]
        same = [
            finding
            for finding in reply.findings
            if (finding.category, finding.attribute, finding.problem, finding.severity)
            == (alone.category, alone.attribute, alone.problem, alone.severity)
            and set(alone.shot_ids) <= set(finding.shot_ids)
        ]
        assert same


@given(WILD_TEXT)
def test_a_slug_is_its_own_slug(text: str) -> None:
    assert slug(slug(text)) == slug(text)
    assert slug(text)
    assert slug(text) == "general" or not slug(text).startswith("-")


@given(WILD_TEXT, st.integers(0, 60))
def test_a_cut_is_a_beginning_and_no_longer_than_it_may_be(text: str, units: int) -> None:
    clean = storable(text)
    kept = cut(clean, units)
    assert clean.startswith(kept)
    assert len(kept.encode("utf-16-le")) <= 2 * units
    assert len(clean.encode("utf-16-le")) <= 2 * units or len(kept.encode("utf-16-le")) >= 2 * units - 2


@given(WILD_TEXT | st.text("<>0123456789abcdef facts\n", max_size=60))
def test_no_text_closes_its_fence(text: str) -> None:
    fence = fenced("facts", fenced("facts", text))
    boundary = fence.split(maxsplit=2)[1]
    assert fence.count(boundary) == 2
