"""The benchmarks of the witness run, compare like with like, and print their ratios."""

from __future__ import annotations

import argparse
import re

import dialog_key
import pytest
import recorder_digest

from bicameral.canonical import canonical_dialog_snapshot, dialog_wire_key
from bicameral.canonical.quick import quick_wire_key


def test_the_key_benchmark_prints_a_ratio_for_every_kind_of_dialog(capsys):
    dialog_key.main(["--turns", "20", "--times", "1"])
    rows = [line for line in capsys.readouterr().out.splitlines() if re.search(r"\d+\.\d\d +\d+\.\d\d$", line)]
    assert len(rows) == len(dialog_key.cases()) == 32


@pytest.mark.parametrize("case", dialog_key.cases(), ids=str)
def test_every_kind_of_dialog_is_ordinary_and_means_the_snapshot_beside_it(case):
    source, snapshot = dialog_key.handed_over(case, dialog_key.made(case, 50))
    assert quick_wire_key(source) == dialog_wire_key(source) == dialog_wire_key(snapshot)
    assert canonical_dialog_snapshot(source) == snapshot
    assert len(snapshot["turns"]) == 50


def test_a_dialog_that_the_gate_refuses_is_not_measured(monkeypatch):
    monkeypatch.setattr(dialog_key, "quick_wire_key", lambda source: None)
    with pytest.raises(SystemExit, match="gate says no"):
        dialog_key.main(["--turns", "5", "--times", "1"])


def test_the_recorder_benchmark_prints_growth_and_says_what_is_extrapolated(capsys):
    recorder_digest.main(["--turns", "20,40", "--peer-turns", "5,10", "--times", "1"])
    printed = capsys.readouterr().out
    assert len(re.findall(r"2\.0 times the turns: \d+\.\d\d times the time", printed)) == 2
    assert re.search(
        r"ratio at 40 turns: \d+ \(rebuilding extrapolated from 10 turns by the square: \d+ s, not", printed
    )


def test_recorder_and_peer_give_one_digest():
    said = recorder_digest.chain(30)
    assert recorder_digest.recorded(said) == recorder_digest.rebuilt(said)


def test_a_peer_with_another_digest_is_no_comparison(monkeypatch):
    monkeypatch.setattr(recorder_digest, "rebuilt", lambda turns: "sha256:")
    with pytest.raises(SystemExit, match="one digest"):
        recorder_digest.main(["--turns", "4", "--peer-turns", "2", "--times", "1"])


@pytest.mark.parametrize("text", ["", "x", "5,4", "5,5", "0"])
def test_sizes_that_do_not_rise_are_refused(text):
    with pytest.raises((argparse.ArgumentTypeError, ValueError)):
        recorder_digest.sizes_of(text)
