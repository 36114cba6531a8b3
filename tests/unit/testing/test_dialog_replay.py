"""A recorded dialogue played back by scripted judges comes out the same."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from dialog_samples import recorder

from bicameral.canonical import Dialog
from bicameral.dialogue import hold_dialogue
from bicameral.errors import InputError, RecordError
from bicameral.model.judging import DialogueResult
from bicameral.testing import assert_dialogs_equivalent
from bicameral.testing.goldens import DialogGolden, Touched
from bicameral.testing.recorded import RecordedDialog
from bicameral.testing.scripted import Line
from bicameral.witness import record_dialog
from dialogue_batches import FIRST, LIGHT, SECOND, SHOT_IDS, first, hold, proposal, question, row, rulings, second

TWO = proposal(row("a"), row("b"))
CUT = Line(text="", finish="length")

DIALOGUES: dict[str, tuple[list[Any], list[Any]]] = {
    "agreed and disputed": ([TWO], [rulings("agree", ("dispute", "it is even"))]),
    "amended, and cannot tell": ([TWO], [rulings(("amend", "only in dark"), "cannot-tell")]),
    "one number left out": ([TWO], [rulings("agree")]),
    "two words for one number": ([TWO], [rulings("agree").replace("}]", '}, {"index": 0, "verdict": "dispute"}]')]),
    "rows that are rejected": (
        [
            proposal(row("a"), {"shot_id": "nowhere"}, row("b", severity="huge")).replace(
                '"clean_shot_ids": [', '"clean_shot_ids": ["no-such-shot", 7, '
            )
        ],
        [rulings("agree", additions=[{"shot_id": 7}, row("c", shot_id="nowhere")])],
    ),
    "a box that is none": ([proposal(row("a", box=[1, 2]))], [rulings("agree")]),
    "boxes and other shots": (
        [proposal(row("a", box=[1, 2, 3, 4], also_shot_ids=[SHOT_IDS[1]], also_boxes={SHOT_IDS[1]: [1, 1, 2, 2]}))],
        [rulings("agree")],
    ),
    "shots that nobody looked at": ([proposal(row("a"), clean=[])], [rulings("agree")]),
    "a second round": ([proposal(row("a")), rulings("agree")], [rulings("agree", additions=[row("new")])]),
    "a second round that fails": (
        [proposal(row("a")), RuntimeError("x")],
        [rulings("agree", additions=[row("new")])],
    ),
    "a restatement that is folded": ([proposal(row("a"))], [rulings(additions=[row("a", title="Mine")])]),
    "a challenger that is down": ([TWO], [RuntimeError("down")]),
    "a challenger that says nothing usable": ([TWO], ["{}"]),
    "a challenger that cannot be read": ([TWO], ["junk", "more junk"]),
    "a challenge in halves": (
        [TWO],
        [CUT, CUT, rulings("agree"), '{"verdicts": [{"index": 1, "verdict": "dispute", "note": "no"}]}'],
    ),
    "nothing found": ([proposal()], []),
    "a combined instrument": (
        [Line(text=proposal(row("a", part="axe"), row("b", part="layout")), parts=("axe", "layout"))],
        [Line(text=rulings("agree", "agree"), meta={"pictures": "scaled 1:2"})],
    ),
    "letters of every script": ([proposal(row("größe", title="\u202eשלום 🎈"))], [rulings(("dispute", "\u0000x\n"))]),
}


async def played_back(result: DialogueResult) -> DialogueResult:
    recorded = RecordedDialog(_dialog(result))
    proposer, challenger = recorded.judge(FIRST), recorded.judge(SECOND)
    again = await hold_dialogue(question(), proposer, challenger, monotonic=lambda: 0.0)
    assert (proposer.unused, challenger.unused) == (0, 0)
    return again


def _dialog(result: DialogueResult) -> Dialog:
    witnessed = record_dialog(result.turns)
    return Dialog(dialog_id=witnessed.dialog_id, turns=witnessed.turns)


@pytest.mark.parametrize("name", DIALOGUES)
async def test_judges_that_say_it_again_have_an_equivalent_dialog(name: str) -> None:
    proposer, challenger = DIALOGUES[name]
    result = await hold(first(*proposer), second(*challenger))
    again = await played_back(result)
    assert_dialogs_equivalent(result, again)
    assert again.findings == result.findings
    assert (again.undialogued_reason, again.second_round_reason) == (
        result.undialogued_reason,
        result.second_round_reason,
    )


async def test_a_judge_alone_is_played_back_too() -> None:
    result = await hold(first(TWO), None)
    recorded = RecordedDialog(_dialog(result))
    again = await hold_dialogue(question(), recorded.judge(FIRST), None, monotonic=lambda: 0.0)
    assert_dialogs_equivalent(result, again)


async def test_a_change_of_the_rules_shows_where_a_played_back_dialogue_parts() -> None:
    result = await hold(first(TWO), second(rulings("agree", ("dispute", "it is even"))))
    recorded = RecordedDialog(_dialog(result))
    asked = question(instructions="Look closely.")
    again = await hold_dialogue(asked, recorded.judge(FIRST), recorded.judge(SECOND), monotonic=lambda: 0.0)
    with pytest.raises(AssertionError, match=r"turns\[0\]\.content\.skills\[0\]\.digest"):
        assert_dialogs_equivalent(result, again)


def test_the_words_of_any_agents_are_there_in_order(tmp_path: Path) -> None:
    made = recorder("hello", "hi", "bye")
    given: dict[str, Any] = {"module": tmp_path / "test_it.py", "test": "t", "node_id": "n"}
    DialogGolden(**given, recording=True, touched=Touched()).check(made, "talk")
    recorded = DialogGolden(**given, recording=False, touched=Touched()).replay("talk")
    assert recorded.contents("ann") == ["hello", "bye"]
    assert recorded.contents("bob") == ["hi"]
    assert recorded.turns == made.turns
    assert_dialogs_equivalent(recorded.dialog, made)
    with pytest.raises(RecordError, match="names no roster"):
        recorded.judge("ann")


async def test_a_handle_that_had_no_seat_is_told_with_those_that_had() -> None:
    recorded = RecordedDialog(_dialog(await hold(first(proposal(row("a", shot_id=LIGHT))), second(rulings("agree")))))
    with pytest.raises(InputError, match=f"'ann' had no seat.*{FIRST}, {SECOND}"):
        recorded.judge("ann")
