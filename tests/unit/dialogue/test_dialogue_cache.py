"""A verdict is served only for what decided it, and served whole."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from bicameral.dialogue import cache_key, decode_result, encode_result
from bicameral.errors import RecordError, RosterError
from bicameral.model.adjudication import AdjudicationResult, Rung
from bicameral.model.judging import Spend
from bicameral.model.seats import Seat
from bicameral.testing.scripted import ScriptedJudge
from dialogue_batches import LIGHT, SHOTS, first, hold, proposal, question, row, rulings, second


def key(asked: Any = None, proposer: Any = None, challenger: Any = None, **options: Any) -> str:
    return cache_key(
        asked or question(), proposer or first(), second() if challenger is None else challenger, **options
    )


def other_shot(**changes: Any) -> Any:
    return question(shots=(replace(SHOTS[0], **changes), *SHOTS[1:]))


BASE = key()
DIFFERENT = {
    "a picture": key(other_shot(picture="sha256:" + "e" * 64)),
    "facts": key(other_shot(facts="sha256:" + "e" * 64)),
    "the companion": key(other_shot(companion="sha256:" + "e" * 64)),
    "a picture's size": key(other_shot(width_px=1441)),
    "a picture's scale": key(other_shot(scale=2.0)),
    "a shot's name": key(other_shot(shot_id="app/home/rest/desktop/dim")),
    "one shot fewer": key(question(shots=SHOTS[:2])),
    "the order of shots": key(question(shots=SHOTS[::-1])),
    "facts shown": key(question(facts_lines={LIGHT: "16 px"})),
    "the project": key(question(project="bank")),
    "instructions": key(question(instructions="Look. ")),
    "the challenge's instructions": key(question(challenge_instructions="Look again!")),
    "no challenge": key(question(challenge_instructions=None)),
    "the vocabulary": key(question(categories=("contrast",))),
    "challenge_clean": key(question(challenge_clean=True)),
    "the output limit": key(question(output_limit=100)),
    "parameters": key(parameters={"temperature": "0"}),
    "the proposer's model": key(proposer=ScriptedJudge(Seat("claude-code", "m9"), [])),
    "the challenger's model": key(challenger=ScriptedJudge(Seat("codex", "m9"), [])),
    "the proposer's rules": key(proposer=first(identity={"rules": "2"})),
    "the challenger's rules": key(challenger=second(identity={"rules": "2"})),
    "the seats swapped": key(proposer=second(), challenger=first()),
}


@pytest.mark.parametrize("what", DIFFERENT)
def test_whatever_decides_a_verdict_is_in_its_key(what: str) -> None:
    assert DIFFERENT[what] != BASE
    assert len({BASE, *DIFFERENT.values()}) == len(DIFFERENT) + 1


@pytest.mark.parametrize("version", ["CONTRACT_VERSION", "ENGINE_VERSION", "PROMPT_VERSION"])
def test_rules_of_another_version_are_another_key(version: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(f"bicameral.dialogue.cache.{version}", "another/9")
    assert key() != BASE


def test_the_same_two_judges_in_the_other_order_are_another_key() -> None:
    alike = {"rules": "1"}
    one, other = ScriptedJudge(Seat("a", "m"), [], identity=alike), ScriptedJudge(Seat("b", "m"), [], identity=alike)
    assert key(proposer=one, challenger=other) != key(proposer=other, challenger=one)


def test_what_decides_nothing_is_not_in_the_key() -> None:
    assert key(question(timeout_s=3.0)) == BASE
    assert BASE.startswith("sha256:")


def test_a_challenger_that_will_not_speak_is_not_in_the_key() -> None:
    asked = question(challenge_instructions=None, challenge_clean=True)
    alone = cache_key(asked, first(), None)
    assert cache_key(asked, first(), second()) == alone
    assert cache_key(asked, first(), second(identity={"rules": "2"}, costs_nothing=True)) == alone
    assert cache_key(question(), first(), None) == alone


def test_whether_clean_batches_are_challenged_is_in_the_key_as_it_will_be() -> None:
    free, paid = second(costs_nothing=True), second()
    asked = question(challenge_clean=None)
    assert cache_key(asked, first(), free) == cache_key(question(challenge_clean=True), first(), free)
    assert cache_key(asked, first(), paid) == cache_key(question(challenge_clean=False), first(), paid)


def test_one_ai_in_both_seats_has_no_key() -> None:
    with pytest.raises(RosterError):
        cache_key(question(), first(), first())


async def test_a_result_reads_back_whole() -> None:
    result = await hold(
        first(proposal(row(box=[1, 2, 3, 4]), row("label"), {}), rulings("agree")),
        second(rulings(("dispute", "no 🙂"), ("amend", "half"), additions=[row("new")])),
    )
    result = replace(result, duration_s=1.25, spend=Spend(calls=3, usd=0.1))
    assert decode_result(encode_result(result)) == result
    assert encode_result(decode_result(encode_result(result))) == encode_result(result)


async def test_an_adjudication_reads_back_too() -> None:
    result = await hold(first(proposal(row())), second(rulings(("dispute", "no"))))
    (finding,) = result.findings
    assert finding.consensus is not None
    advice = AdjudicationResult(
        "genuine",
        0.93,
        "nli",
        rungs=(Rung("onnx", said={"label": "contradiction", "scores": {"contradiction": 0.93}}),),
    )
    dissent = replace(finding.consensus.disputed_by[0], adjudication=advice)
    weighed = replace(finding, consensus=replace(finding.consensus, disputed_by=(dissent,)))
    result = replace(result, findings=(weighed,))
    assert decode_result(encode_result(result)) == result


async def test_an_undialogued_result_reads_back_too() -> None:
    result = await hold(first("\ud800 x", proposal(row())), second(RuntimeError("x")))
    assert decode_result(encode_result(result)) == result


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b"{}", b'{"findings":[]}', b"\xff", b"[" * 100_000])
def test_bytes_that_are_no_verdict_are_refused(body: bytes) -> None:
    with pytest.raises(RecordError):
        decode_result(body)
