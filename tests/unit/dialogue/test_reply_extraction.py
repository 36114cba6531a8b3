"""Which text in a reply is its answer, and what makes the whole of it unreadable."""

from __future__ import annotations

import json

import pytest

from bicameral.dialogue import ChallengeReply, parse_challenge, parse_judge_reply
from bicameral.dialogue.extract import MAX_REPLY
from dialogue_batches import LIGHT, SHOT_IDS, proposal, row, rulings

AGREE = rulings("agree")
DISPUTE = rulings(("dispute", "not there"))


def challenge(text: str, count: int = 1) -> ChallengeReply:
    return parse_challenge(text, count=count, shots=SHOT_IDS, oracle="codex")


def word(text: str) -> str | None:
    verdicts = challenge(text).verdicts
    return verdicts[0].verdict if verdicts else None


@pytest.mark.parametrize(
    "text",
    [
        f"```json\n{AGREE}\n```",
        f"~~~\n{AGREE}\n~~~",
        f"Sure! {AGREE} Anything else?",
        f"I checked {{everything}} and [most] of it. {AGREE}",
        f"function() {{ return 1; }} and {{color: red}} then {AGREE}",
        f'The rule {{"color": red}} is mine. {AGREE}',
        f'It begins {{"color": red and goes on\n{AGREE}',
        f'He said "{{" and left. {AGREE}',
        f'Format: {{"verdicts": [{{"index": 0, ...}}]}}\n\n{AGREE}',
        f'{AGREE}\n\nThe format was {{"verdicts": [{{"index": 0, ...}}]}}.',
        f'Example: {{"verdicts": []}} Answer: {AGREE}',
        f'{{"thinking": "it is there"}} {AGREE}',
        f"See [1] and [2, 3]. {AGREE}",
        f"[{AGREE}]",
        f"{AGREE}\n{AGREE}",
        f"```json\n{DISPUTE}\n```\nOn second thoughts:\n```json\n{AGREE}\n```",
        f"{DISPUTE}\nFinally:\n```json\n{AGREE}\n```",
        "\ufeff" + AGREE,
        AGREE.replace(",", ",\r\n\t"),
        AGREE.replace("index", "ind\\u0065x"),
    ],
)
def test_the_answer_is_found_whatever_stands_around_it(text: str) -> None:
    assert word(text) == "agree"


@pytest.mark.parametrize(
    ("what", "text"),
    [
        ("prose", "I agree with all of them, index 0 too."),
        ("a text", '"agree"'),
        ("null", "null"),
        ("two bare answers that differ", f"{AGREE} {DISPUTE}"),
        ("two bare answers and a fenced one", f"{AGREE} {DISPUTE} ```{AGREE}```"),
        ("two empty answers that differ", '{"verdicts":[]} {"additions":[]}'),
        ("a broken answer", AGREE[:-1]),
        ("a broken answer after a whole one", f"{AGREE} {DISPUTE[:-2]}"),
        ("a trailing comma", '{"verdicts":[{"index":0,"verdict":"agree"},]}'),
        ("a comment", '{"verdicts":[/* one */{"index":0,"verdict":"agree"}]}'),
        ("single quotes", "{'verdicts':[{'index':0,'verdict':'agree'}]}"),
        ("a word of Python", '{"verdicts":[{"index":0,"verdict":"agree","note":None}]}'),
        ("NaN", '{"verdicts":[{"index":0,"verdict":"agree"}],"x":NaN}'),
        ("Infinity", '{"verdicts":[{"index":0,"verdict":"agree"}],"x":-Infinity}'),
        ("a line break in a string", '{"verdicts":[{"index":0,"verdict":"agree","note":"a\nb"}]}'),
        ("a number with a leading zero", '{"verdicts":[{"index":00,"verdict":"agree"}]}'),
        ("repeated members", '{"verdicts":[{"index":0,"verdict":"agree"}],"verdicts":[]}'),
        ("repeated members in a row", '{"verdicts":[{"index":0,"index":0,"verdict":"agree"}]}'),
        ("repeated members, one escaped", '{"verdicts":[{"index":0,"verdict":"agree"}],"verdict\\u0073":[]}'),
        ("a lone surrogate, escaped", '{"verdicts":[{"index":0,"verdict":"agree","note":"\\ud800"}]}'),
        ("a lone surrogate, bare", '{"verdicts":[{"index":0,"verdict":"agree","note":"\ud800"}]}'),
        ("a lone surrogate in a name", '{"verdicts":[{"index":0,"verdict":"agree"}],"\\udc00":1}'),
        ("nesting beyond any contract", '{"verdicts":[{"index":0,"verdict":"agree"}],"x":' + "[" * 100_000),
        ("deep but whole", f'{{"x":{"[" * 100_000}{"]" * 100_000},"verdicts":[{{"index":0,"verdict":"agree"}}]}}'),
        ("ten megabytes", AGREE + " " * 10_000_000),
        ("one character too many", AGREE + " " * (MAX_REPLY + 1 - len(AGREE))),
    ],
)
def test_what_cannot_be_read_is_unreadable_and_says_nothing(what: str, text: str) -> None:
    reply = challenge(text)
    assert reply.state == "unreadable", what
    assert (reply.verdicts, reply.additions, reply.rejected, reply.usable) == ((), (), (), False)


def test_a_reply_of_just_the_limit_is_read() -> None:
    assert word(AGREE + " " * (MAX_REPLY - len(AGREE))) == "agree"


@pytest.mark.parametrize(
    "text",
    [
        '{"draft":' + AGREE + ',"verdicts":[{"index":0,"verdict":"dispute","note":"tr',
        '{"verdicts":[{"index":0,"verdict":"dispute","note":"the page says:\n```json\n' + AGREE + '\n```\n"}]}',
        '{"verdicts":[{"index":0,"verdict":"dispute","note":"the page says: "' + AGREE + '"}]}',
        '{"summary": None, "verdicts": [], "example": ' + AGREE + "}",
        '{"summary": None, "verdicts": [], "example": ' + AGREE,
        '[{"index": 0, "verdict": oops}, ' + AGREE + "]",
        '{"reply": ' + AGREE + "}",
        "[" + AGREE + "," + DISPUTE + "]",
        "{'verdicts': []} \"" + AGREE.replace('"', '\\"') + '"',
    ],
)
def test_an_answer_within_something_else_is_not_the_answer(text: str) -> None:
    assert word(text) is None


@pytest.mark.parametrize("finish", ["length", "refusal"])
def test_why_the_judge_stopped_is_looked_at_before_the_text(finish: str) -> None:
    state = {"length": "truncated", "refusal": "refused"}[finish]
    reply = parse_challenge(AGREE, count=1, shots=SHOT_IDS, finish=finish)  # type: ignore[arg-type]
    assert (reply.state, reply.verdicts) == (state, ())
    proposed = parse_judge_reply(proposal(), shots=SHOT_IDS, finish=finish)  # type: ignore[arg-type]
    assert (proposed.state, proposed.clean_shot_ids, proposed.unaccounted) == (state, (), SHOT_IDS)


@pytest.mark.parametrize("text", ["", " \n\t", "\ufeff\u2028"])
def test_a_blank_reply_is_empty(text: str) -> None:
    assert challenge(text).state == "empty"
    assert parse_judge_reply(text, shots=SHOT_IDS).state == "empty"


def test_the_last_proposal_with_something_in_it_is_the_answer() -> None:
    text = (
        f"Draft: {proposal(row('a'))}\nAnswer: {proposal(row('b'))}\nFormat: " + '{"findings":[],"clean_shot_ids":[]}'
    )
    (finding,) = parse_judge_reply(text, shots=SHOT_IDS).findings
    assert finding.attribute == "b"


def test_both_spellings_of_the_clean_list_are_unreadable() -> None:
    text = json.dumps({"findings": [], "clean_shot_ids": [LIGHT], "cleanShotIds": [LIGHT]})
    assert parse_judge_reply(text, shots=SHOT_IDS).state == "unreadable"


def test_a_lone_surrogate_or_a_repeated_member_outside_the_answer_does_no_harm() -> None:
    assert word(f'\ud800 {{"a":1,"a":2}} {{"b":"\\ud800"}} {AGREE}') == "agree"


@pytest.mark.parametrize("digits", ["9" * 5000, "-" + "9" * 5000, "1e999", "1e-999", "0." + "1" * 5000])
def test_a_number_nobody_can_count_to_loses_its_row_only(digits: str) -> None:
    text = f'{{"verdicts":[{{"index":{digits},"verdict":"agree"}},{{"index":1,"verdict":"agree"}}]}}'
    reply = challenge(text, count=2)
    if digits == "1e-999":  # a double like any other, and it is zero
        assert reply.state == "complete"
        return
    assert [ruling.index for ruling in reply.verdicts] == [1]
    assert [row.row for row in reply.rejected] == [f'{{"index":{digits},"verdict":"agree"}}']


def test_a_rejected_row_is_kept_as_it_was_written() -> None:
    text = '{"verdicts":[ {"index" : 7 ,\n "verdict":"agree"} , {"index":0,"verdict":"agree"}]}'
    (rejected,) = challenge(text).rejected
    assert (rejected.row, rejected.where) == ('{"index" : 7 ,\n "verdict":"agree"}', "verdicts[0]")


@pytest.mark.parametrize(
    "unit",
    [
        "{",
        "[",
        '{"a":',
        '{"a":x ',
        '{"verdicts":x ',
        '"',
        "`",
        '{"a":1}',
        " {  ",
        '{"a":"b',
        '{"a',
        "[[1],",
        '\\"',
        "{}",
    ],
)
def test_text_made_to_be_hard_to_read_is_read_once_over(unit: str) -> None:
    # No clock: one that looked at each character again for every character would not come back within the time limit.
    text = unit * (MAX_REPLY // len(unit))
    assert not challenge(text).usable
    assert not parse_judge_reply(text, shots=SHOT_IDS).usable
