"""One thing is said one way, and what did not happen is said too."""

from __future__ import annotations

from dataclasses import replace
from typing import get_args

import pytest
from report_samples import ROSTER, Pictures, clean_report, empty_report, shop_report, view_shots, with_summary

from bicameral.model.adjudication import AdjudicationResult, Verdict
from bicameral.model.judging import Spend
from bicameral.model.seats import Roster
from bicameral.model.vocabulary import REASONS, STATUSES, WORDS
from bicameral.report import wording
from bicameral.report.issues import STANDINGS, issue_rows

VIEW = {f"{shot.form_factor} {shot.scheme}": shot for shot in view_shots(Pictures(), "/")}
TWO = [VIEW["desktop light"], VIEW["desktop dark"]]


@pytest.mark.parametrize(
    ("shown", "words"),
    [
        (list(VIEW), "all 6 shots"),
        (["phone dark"], "phone dark"),
        (["phone dark", "phone light"], "phone"),
        (["phone dark", "phone light", "desktop dark", "desktop light"], "desktop, phone"),
        (["desktop dark", "tablet dark", "phone dark"], "dark"),
        (["phone dark", "tablet light"], "tablet light, phone dark"),
        ([], ""),
    ],
)
def test_form_factors_and_schemes_are_said_in_few_words(shown: list[str], words: str) -> None:
    assert wording.shot_words([VIEW[name] for name in shown], list(VIEW.values())) == words


def test_a_view_of_one_form_factor_is_told_by_its_scheme() -> None:
    assert wording.shot_words(TWO[1:], TWO) == "dark"
    assert wording.shot_words(TWO[:1], TWO[:1]) == "desktop light"
    assert wording.shot_words(TWO, TWO) == "all 2 shots"


def test_unknown_form_factors_are_named_last() -> None:
    watch = replace(VIEW["phone light"], form_factor="watch")
    assert wording.shot_words([watch, VIEW["phone dark"]], [watch, *VIEW.values()]) == "phone dark, watch light"


def test_every_closed_word_has_its_words() -> None:
    assert set(wording.REASON_WORDS) == set(REASONS)
    assert set(wording.RULING_WORDS) == set(WORDS)
    assert set(wording.STANDING_WORDS) == set(STANDINGS)
    assert set(wording.STATUS_WORDS) == set(STATUSES)
    assert set(wording.ADVICE_WORDS) == set(get_args(Verdict))


def test_the_verdict_counts_open_issues_and_not_those_a_person_ruled_on() -> None:
    report, _ = shop_report()
    rows = issue_rows(report)
    assert wording.verdict(report, rows) == "7 open issues"
    assert wording.severity_counts(row for row in rows if row.is_open) == "1 critical, 3 high, 2 medium, 1 low"


def test_no_findings_is_not_called_a_verdict_on_anything_unjudged() -> None:
    report, _ = clean_report()
    assert wording.verdict(report, ()) == "No findings"
    partly = replace(report, unaccounted=("x",), exit_status=2)
    assert wording.verdict(partly, ()) == "No findings, but not everything was judged"
    failed = replace(report, summary=replace(report.summary, failed_views=1))
    assert wording.verdict(failed, ()) == "The view could not be judged"
    assert wording.verdict(empty_report(), ()) == "Nothing was judged"


def test_an_exit_status_says_why() -> None:
    report, _ = shop_report()
    rows = issue_rows(report)
    assert wording.exit_words(report, rows).endswith("1 view could not be judged and 1 input could not be used.")
    assert "nothing open" in wording.exit_words(clean_report()[0], ())
    excused = replace(report, exit_status=1, summary=replace(report.summary, open=6))
    assert "(1 of them left out of it)" in wording.exit_words(excused, rows)
    none_counts = replace(report, exit_status=0, summary=replace(report.summary, open=0))
    assert "none of the open issues counts" in wording.exit_words(none_counts, rows)
    strict = replace(report, skipped=(), summary=replace(report.summary, failed_views=0))
    assert "1 view had no dialogue" in wording.exit_words(strict, rows)


def test_a_run_served_from_earlier_verdicts_says_that_no_judge_was_called() -> None:
    report, _ = clean_report(cached=True)
    assert wording.caches(report) == "No judge was called: nothing changed since the last run."
    part = replace(report, summary=replace(report.summary, views=3, judge_calls=4))
    assert wording.caches(part) == "1 of 3 views unchanged since an earlier run: no judge was called for it."
    assert wording.caches(clean_report()[0]) is None


def test_silence_says_who_was_silent_and_why() -> None:
    report, _ = shop_report()
    said = {row.lead.standing: wording.silence(row.lead) for row in issue_rows(report)}
    assert said["unruled"] == "Not ruled on: pixels said nothing of this finding. Silence is not agreement."
    assert said["undialogued"] == "pixels did not rule: it did not answer in time. This stands on one account."


def test_a_failed_second_round_is_said_of_what_the_challenger_added() -> None:
    report, _ = shop_report()
    batch = replace(report.batches[0], second_round_reason="refused")
    finding = replace(report.findings[1].finding, rulings=())
    finding = replace(finding, consensus=replace(finding.consensus, undecided_by=(), rounds=1))
    report = replace(
        report, batches=(batch, *report.batches[1:]), findings=(replace(report.findings[1], finding=finding),)
    )
    (row,) = issue_rows(report)
    assert wording.silence(row.lead) == "axe+layout did not rule on what pixels added: it declined to answer."
    assert any("did not rule on the additions" in line for line in wording.not_judged(report))


@pytest.mark.parametrize("reason", REASONS)
def test_every_reason_reads_as_a_sentence(reason: str) -> None:
    report, _ = shop_report()
    batch = replace(report.batches[2], undialogued_reason=reason)
    assert wording.undialogued(batch, report).startswith("No dialogue with pixels: ")


def test_advice_is_shown_with_its_confidence_and_a_cap_is_said() -> None:
    weighed = AdjudicationResult(verdict="tension", confidence=0.5, method="llm", tier_capped=True)
    assert "llm, confidence 0.50, held back because its model is of a low tier" in wording.advice_line(weighed)
    nobody = AdjudicationResult(verdict="tension", confidence=0.0, method="none")
    assert wording.advice_line(nobody) == "The adjudicator could not weigh the two accounts."


def test_spend_is_said_in_the_units_that_were_stated() -> None:
    assert wording.spent(Spend(calls=1)) == "1 judge call"
    assert wording.spent(Spend(calls=2, input_tokens=12000, output_tokens=40, usd=0.0412)) == (
        "2 judge calls, 12,000 tokens in and 40 out, 0.0412 USD"
    )


def test_lanes_that_nobody_could_judge_are_named_with_how_many_views() -> None:
    report, _ = shop_report()
    batches = (
        replace(report.batches[0], lanes_not_judged=("geometry", "accessibility")),
        *(replace(batch, lanes_not_judged=("geometry",)) for batch in report.batches[1:]),
    )
    assert wording.lanes_not_judged(replace(report, batches=batches)) == (
        "Lanes nobody here could judge: geometry and accessibility (1 view)."
    )


def test_one_judge_alone_is_said_and_is_no_failed_dialogue() -> None:
    report, _ = clean_report()
    alone = replace(report, roster=Roster(ROSTER.proposer))
    alone = with_summary(replace(alone, batches=(replace(report.batches[0], roster=alone.roster),)))
    assert wording.looked_at(alone) == "6 shots of 1 view, judged by axe+layout alone"
    assert wording.dialogue(alone.batches[0], alone) == "One judge alone, as asked."


def test_long_lists_are_cut_and_counted() -> None:
    assert wording.some([str(number) for number in range(11)]) == "0, 1, 2, 3, 4, 5, 6, 7 and 3 more"
