"""The benchmark of verifying measures real dialogs, finds nothing wrong with them, and says what it found."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from witness_verify import Maker, make, measure, one_dialogue, turns_of, verify

from bicameral.witness import record_dialog, verify_record
from bicameral.witness.bundle import read_bundle


def test_its_dialogs_are_what_a_recorder_makes_and_no_two_are_one() -> None:
    maker = Maker(one_dialogue())
    made = [maker.dialog(number) for number in range(3)]
    for number, dialog in enumerate(made):
        real = record_dialog(turns_of(maker.result, number), raw=maker.result.raw)
        assert dialog.record_bytes == real.record_bytes
        assert (dialog.dialog_id, dialog.wire_digest) == (real.dialog_id, real.wire_digest)
        assert list(verify_record(dialog.record_bytes)) == []
        assert json.loads(dialog.record_bytes)["turnCount"] == 4
    assert len({dialog.dialog_id for dialog in made}) == 3


def test_a_small_measurement_says_counts_ratio_memory_and_whether_the_figure_is_reached(tmp_path: Path) -> None:
    place = tmp_path / "bundle.tar"
    make(place, 20)
    with place.open("rb") as file:
        assert sum(1 for _ in read_bundle(file)) == 1 + 20 + 22 + 1
    said = measure(place, 20, 1)
    assert "20 dialogs, 80 turns, 60 raw replies, 22 blobs" in said
    assert "ratio" in said
    assert "10 %" in said
    assert "reached" in said or "missed" in said


def test_a_bundle_that_is_not_sound_is_not_measured(tmp_path: Path) -> None:
    place = tmp_path / "bundle.tar"
    make(place, 3)
    body = place.read_bytes()
    place.write_bytes(body.replace(b"two pixels", b"two Pixels").replace(b"picture 00000000", b"Picture 00000000", 1))
    with pytest.raises(AssertionError, match="Problem"):
        verify(place, 3, 1)
