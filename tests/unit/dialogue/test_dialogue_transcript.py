"""What was said, as the record will hold it."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from bicameral.canonical import record_json, sha256_digest
from bicameral.model.vocabulary import CATEGORIES
from bicameral.testing.scripted import Line
from dialogue_batches import (
    DARK,
    FIRST,
    LIGHT,
    PHONE,
    SECOND,
    SHOTS,
    first,
    hold,
    proposal,
    question,
    row,
    rulings,
    second,
)


async def test_the_charge_names_everything_that_was_put() -> None:
    shots = (replace(SHOTS[0], facts="sha256:" + "f" * 64, companion="sha256:" + "c" * 64, scale=1.5), *SHOTS[1:])
    result = await hold(first(proposal(row())), second(rulings("agree")), question(shots=shots))
    charge = result.turns[0]
    assert (charge.act, charge.speaker, charge.audience) == ("charge", "clerk", FIRST)
    assert charge.content == {
        "act": "charge",
        "contract": "reply/1",
        "project": "shop",
        "target": "app",
        "platform": "web",
        "route": "/home",
        "state": "rest",
        "shots": [
            {
                "shot_id": LIGHT,
                "form_factor": "desktop",
                "scheme": "light",
                "picture": SHOTS[0].picture,
                "facts": "sha256:" + "f" * 64,
                "companion": "sha256:" + "c" * 64,
                "size": [1440, 900],
                "scale": "1.5",
            },
            *(
                {
                    "shot_id": shot.shot_id,
                    "form_factor": shot.form_factor,
                    "scheme": shot.scheme,
                    "picture": shot.picture,
                    "facts": None,
                    "companion": None,
                    "size": [1440, 900],
                    "scale": "1",
                }
                for shot in SHOTS[1:]
            ),
        ],
        "skills": [
            {"task": "propose", "digest": sha256_digest(b"Look.")},
            {"task": "challenge", "digest": sha256_digest(b"Look again.")},
        ],
        "vocabulary": list(CATEGORIES),
        "roster": [
            {"ai": FIRST, "model": "m1", "handle": FIRST},
            {"ai": SECOND, "model": "m2", "handle": SECOND},
        ],
        "challenge_clean": False,
    }


async def test_a_shot_of_another_view_says_where_it_differs() -> None:
    shots = (SHOTS[0], replace(SHOTS[1], route="/cart"))
    result = await hold(first(proposal(clean=[LIGHT, DARK])), None, question(shots=shots))
    said = result.turns[0].content["shots"]
    assert isinstance(said, list)
    assert "route" not in said[0]
    assert said[1]["route"] == "/cart"


async def test_the_findings_are_told_as_ingested() -> None:
    bad = row(severity="urgent")
    text = proposal(row(also_shot_ids=[DARK], box=[1.5, 2, 3, 4]), bad, clean=["ghost"])
    result = await hold(first(Line(text=text, meta={"pictures": "halved", "host": "h"})), second(rulings("agree")))
    turn = result.turns[1]
    assert (turn.act, turn.speaker, turn.audience) == ("findings", FIRST, SECOND)
    assert turn.meta == {"model": "m1", "pictures": "halved"}
    assert turn.raw is not None
    assert turn.raw.text == text
    finding = {name: member for name, member in row().items() if name != "acceptance"}
    assert turn.content == {
        "act": "findings",
        "findings": [
            finding
            | {
                "acceptance": ["it is 8 px"],
                "also_shot_ids": [DARK],
                "box": [1, 2, 4, 4],
                "also_boxes": {},
                "oracle": FIRST,
            }
        ],
        "clean_shot_ids": [],
        "unaccounted": [PHONE],
        "rejected": [json.dumps(bad), '"ghost"'],
    }


async def test_rulings_are_told_by_number_and_the_second_round_after_them() -> None:
    result = await hold(
        first(proposal(row()), rulings(("dispute", "by design"))),
        second(rulings(("amend", "only here"), additions=[row("missed")])),
    )
    challenge, answer = result.turns[2:]
    assert (challenge.speaker, challenge.audience) == (SECOND, FIRST)
    assert challenge.content["rulings"] == [{"index": 0, "verdict": "amend", "notes": ["only here"]}]
    additions = challenge.content["additions"]
    assert isinstance(additions, list)
    assert [addition["attribute"] for addition in additions] == ["missed"]
    assert (answer.speaker, answer.audience) == (FIRST, SECOND)
    assert answer.content == {
        "act": "rulings",
        "rulings": [{"index": 0, "verdict": "dispute", "notes": ["by design"]}],
        "additions": [],
        "rejected": [],
    }


async def test_a_judge_alone_speaks_to_the_team() -> None:
    result = await hold(first(proposal(row())), None)
    assert [(turn.act, turn.speaker, turn.audience) for turn in result.turns] == [
        ("charge", "clerk", FIRST),
        ("findings", FIRST, "team"),
    ]


@pytest.mark.parametrize(
    ("challenge", "answer"),
    [
        (rulings("agree"), None),
        ("{}", None),
        (rulings(("dispute", "no"), additions=[row("new", box=[0.5, 1, 2, 3])]), rulings("agree")),
        (rulings("agree", additions=[row("new"), None, {"index": 1e999}]), "x"),
    ],
)
async def test_every_turn_can_be_recorded(challenge: str, answer: str | None) -> None:
    script = [proposal(row(box=[1.25, 2, 3, 4]), {}), *([answer, answer] if answer else [])]
    result = await hold(first(*script), second(challenge, challenge))
    for turn in result.turns:
        record_json(turn.content)  # refuses floats, lone surrogates and integers beyond 2^53-1
        assert turn.content["act"] == turn.act


async def test_two_replies_with_one_meaning_are_one_dialog() -> None:
    plain = rulings("agree", ("dispute", "no"))
    other = "Here:\n```json\n" + json.dumps({"verdicts": json.loads(plain)["verdicts"][::-1]}, indent=3) + "\n```"
    filed = proposal(row("a"), row("b"))
    one = await hold(first(filed), second(plain))
    two = await hold(first("Sure.\n" + filed), second(other))
    assert [turn.content for turn in one.turns] == [turn.content for turn in two.turns]


async def test_the_fence_around_a_reply_is_no_part_of_what_was_said_but_the_raw_reply_is_kept() -> None:
    result = await hold(first("```\n" + proposal(row()) + "\n```"), None)
    assert result.turns[1].raw == result.raw[0]
    assert result.raw[0].text.startswith("```")
