"""The dissents of an account as pairs, the advice beside them, and the child dialog in which they were weighed."""

from __future__ import annotations

import json
from dataclasses import replace

from bicameral.adjudication import read_result
from bicameral.adjudication.dissents import ADJUDICATOR, dissents_of, said_of, with_advice
from bicameral.canonical import record_json
from bicameral.model.adjudication import AdjudicationResult, Rung
from bicameral.model.findings import Consensus, Dissent, Finding
from bicameral.witness import record_dialog, verify_record

PLAIN = Finding(
    shot_id="a", category="contrast", attribute="x", severity="high", title="t", problem="Hard to read.",
    observed="The text has a contrast of 2.9:1.", confidence="high",
)  # fmt: skip
AGREED = replace(PLAIN, consensus=Consensus(reported_by="axe", agreed_by=("pixels",)))
DISPUTED = replace(
    PLAIN, consensus=Consensus(reported_by="axe", disputed_by=(Dissent(oracle="pixels", note="It is\n 7.3:1."),))
)
BOTH = replace(
    PLAIN,
    observed=" ",
    consensus=Consensus(
        reported_by="axe",
        disputed_by=(Dissent(oracle="b", note="no"),),
        amended_by=(Dissent(oracle="c", note="only in dark"),),
    ),
)
GENUINE = AdjudicationResult(
    "genuine", 0.9134, "nli", "stands", rungs=(Rung("n", said={"forward": {"scores": {"contradiction": 0.9134}}}),)
)
TENSION = AdjudicationResult("tension", 0, "none")
ACCOUNT = (AGREED, PLAIN, DISPUTED, BOTH)


def test_each_dispute_and_amendment_is_one_pair_in_the_order_of_the_findings() -> None:
    assert [(pair.finding, pair.oracle, pair.word) for pair in dissents_of(ACCOUNT)] == [
        (2, "pixels", "dispute"),
        (3, "b", "dispute"),
        (3, "c", "amend"),
    ]


def test_the_note_is_held_against_what_was_observed_or_else_the_problem() -> None:
    disputed, problem, _ = dissents_of(ACCOUNT)
    assert (disputed.claim, disputed.target) == ("It is 7.3:1.", "The text has a contrast of 2.9:1.")
    assert problem.target == "Hard to read."


def test_an_account_without_dissent_leaves_no_pair() -> None:
    assert dissents_of((AGREED, PLAIN)) == ()
    assert with_advice((AGREED, PLAIN), ()) == (AGREED, PLAIN)


def test_advice_stands_beside_its_dissent_and_changes_nothing_else() -> None:
    advised = with_advice(ACCOUNT, (GENUINE, TENSION, GENUINE))
    consensus = [finding.consensus for finding in advised]
    assert consensus[2] is not None
    assert consensus[2].disputed_by[0].adjudication == GENUINE
    assert consensus[3] is not None
    assert consensus[3].disputed_by[0].adjudication == TENSION
    assert consensus[3].amended_by[0].adjudication == GENUINE
    assert [replace(finding, consensus=None) for finding in advised] == [replace(f, consensus=None) for f in ACCOUNT]


def test_the_child_dialog_is_a_record_that_verifies_and_names_its_parent() -> None:
    pairs = dissents_of(ACCOUNT)
    said = said_of(
        pairs,
        (GENUINE, TENSION, GENUINE),
        parent="sha256:p",
        parent_dialog="sha256:d",
        project="shop",
        providers={"nli": "sha256:m"},
    )
    child = record_dialog(said)
    assert verify_record(child.record_bytes, record_digest=child.record_digest) == []
    charge, told = (json.loads(turn.content) for turn in child.turns)
    assert (charge["parent"], charge["parent_dialog"], charge["kind"]) == ("sha256:p", "sha256:d", "adjudication")
    assert [pair["claim"] for pair in charge["pairs"]] == ["It is 7.3:1.", "no", "only in dark"]
    assert (child.turns[1].speaker, told["verdicts"][0]["confidence"]) == (ADJUDICATOR, "0.9134")


def test_another_parent_is_another_dialog() -> None:
    pairs = dissents_of((DISPUTED,))

    def child(parent: str) -> str:
        return record_dialog(
            said_of(pairs, (GENUINE,), parent=parent, parent_dialog="d", project="p", providers={})
        ).dialog_id

    assert child("sha256:1") != child("sha256:2")
    assert child("sha256:1") == child("sha256:1")


def test_the_verdict_in_the_record_reads_back_as_it_was() -> None:
    _, told = said_of(dissents_of((DISPUTED,)), (GENUINE,), parent="p", parent_dialog="d", project="p", providers={})
    (row,) = json.loads(record_json(told.content))["verdicts"]
    assert row.pop("pair") == 0
    assert read_result(row) == GENUINE


def test_of_what_an_instrument_wrote_its_first_sentence_is_weighed() -> None:
    finding = replace(
        DISPUTED,
        oracle="axe",
        observed="The p “One. Two.” has a contrast of 3.1:1. Computed from the declared colours.",
        consensus=Consensus(
            reported_by="axe",
            disputed_by=(
                Dissent(oracle="axe+pixels", note="It has 11.5:1, which is enough: 4.5:1 is needed. Measured at 1,2."),
                Dissent(oracle="claude-code", note="No. It is fine."),
            ),
        ),
    )
    measured, read = dissents_of([finding], instruments=("axe", "pixels"))
    assert measured.claim == "It has 11.5:1, which is enough: 4.5:1 is needed."
    assert measured.target == "The p “One. Two.” has a contrast of 3.1:1."
    assert read.claim == "No. It is fine."
