"""assert_dialogs_equivalent: every form of a dialog, and a message that shows where two part."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from dialog_samples import recorder, wire

from bicameral.canonical import Dialog, read_record, record_bytes
from bicameral.errors import DuplicateTurnError, RecordError
from bicameral.testing import assert_dialogs_equivalent
from bicameral.witness import record_dialog
from dialogue_batches import first, hold, proposal, row, rulings, second


def message_of(a: Any, b: Any) -> str:
    with pytest.raises(AssertionError) as caught:
        assert_dialogs_equivalent(a, b)
    return str(caught.value)


def test_every_form_of_one_dialog_is_equivalent_to_every_other(tmp_path: Path) -> None:
    made = recorder("one", "two")
    record = made.record("a label")
    (tmp_path / "record.json").write_bytes(record_bytes(record))
    (tmp_path / "dialog.json").write_text(json.dumps(wire(made), indent=2))
    forms = [
        made,
        Dialog(dialog_id=made.dialog_id, turns=made.turns[::-1]),
        wire(made),
        record,
        read_record(record),
        record_bytes(record),
        tmp_path / "record.json",
        str(tmp_path / "dialog.json"),
    ]
    for a in forms:
        for b in forms:
            assert_dialogs_equivalent(a, b)


async def test_the_result_of_a_dialogue_and_its_witness_are_dialogs_too() -> None:
    result = await hold(first(proposal(row("a"))), second(rulings("agree")))
    again = await hold(first(proposal(row("a"))), second(rulings("agree")))
    assert_dialogs_equivalent(result, record_dialog(again.turns))
    other = await hold(first(proposal(row("a"))), second(rulings(("dispute", "it is even"))))
    assert message_of(result, other).splitlines() == [
        "The dialogs part at turns[2].content.rulings[0].notes[0]:",
        "  first:  (absent)",
        '  second: "it is even"',
        "  in what codex says to claude-code (turn 2)",
    ]


@pytest.mark.parametrize(
    ("other", "expected"),
    [
        (recorder("one", "three"), ["turns[1].content", '"two"', '"three"', "bob says to ann (turn 1)"]),
        (recorder("one"), ["turns[1]", "(absent)", "bob says to ann (turn 1)"]),
        (recorder("one", "two", "three"), ["turns[2]", "(absent)", "ann says to bob (turn 2)"]),
        (recorder("one", "two", dialog_id="d2"), ["dialogId", '"d1"', '"d2"']),
        (recorder("one", "two", speakers=("ann", "cy")), ["turns[0]", "(turn 0)"]),
    ],
    ids=["content", "a turn less", "a turn more", "another id", "another speaker"],
)
def test_the_first_difference_is_the_message_with_both_values(other: Any, expected: list[str]) -> None:
    message = message_of(recorder("one", "two"), other)
    for words in expected:
        assert words in message
    assert [line.split(":")[0].strip() for line in message.splitlines()[1:3]] == ["first", "second"]


def test_of_a_long_value_the_part_that_differs_is_shown() -> None:
    long = "x" * 5000
    message = message_of(recorder(long + "a" + long), recorder(long + "b" + long))
    one, other = message.splitlines()[1:3]
    assert "xa" in one
    assert "xb" in other
    assert len(message) < 1200


def test_a_difference_shows_nothing_that_a_terminal_obeys() -> None:
    message = message_of(recorder("\x1b[2J"), recorder("\u202eabc\x07"))
    assert message.isascii()
    assert all(line.isprintable() for line in message.splitlines())


def test_what_is_outside_the_key_is_not_compared() -> None:
    made = recorder("one")
    assert_dialogs_equivalent(made.record("a"), {**made.record("b"), "note": 1})


@pytest.mark.parametrize(
    "broken",
    [
        7,
        None,
        [],
        {},
        {"dialogId": "x", "turns": [{}]},
        b"{",
        b"\xff",
        "no/such/file.json",
        "a\0b",
        {"solverType": "ui.session.v1"},
    ],
)
def test_what_is_no_dialog_is_an_error_of_the_test_and_says_which(broken: Any) -> None:
    with pytest.raises(RecordError, match="The second dialog cannot be compared"):
        assert_dialogs_equivalent(recorder("one"), broken)
    with pytest.raises(RecordError, match="The first dialog cannot be compared"):
        assert_dialogs_equivalent(broken, recorder("one"))


def test_a_dialog_with_a_turn_twice_is_no_dialog() -> None:
    dialog = wire(recorder("one"))
    with pytest.raises(DuplicateTurnError, match="The first dialog"):
        assert_dialogs_equivalent(dialog | {"turns": dialog["turns"] * 2}, dialog)


@pytest.mark.parametrize("module", ["bicameral.testing", "bicameral.testing.pytest_plugin"])
def test_importing_it_loads_nothing_of_bicameral_beyond_it(module: str) -> None:
    code = f"import pytest, sys; before = set(sys.modules); import {module}; print(*sorted(set(sys.modules) - before))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = set(done.stdout.split())
    allowed = {"bicameral", "bicameral._version", "bicameral.testing", "bicameral.testing.pytest_plugin"}
    assert {name for name in loaded if name.startswith("bicameral")} <= allowed
    assert not {name.partition(".")[0] for name in loaded} & {"sqlalchemy", "pydantic", "msgspec", "rfc8785", "asyncio"}
