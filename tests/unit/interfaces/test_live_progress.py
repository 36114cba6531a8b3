"""What a person watching a run sees, and that nobody else is bothered with it."""

from __future__ import annotations

import io
import sys

import pytest

from bicameral.interfaces.cli._progress import progress
from bicameral.model.evidence import View
from bicameral.model.judging import JudgeEvent
from bicameral.model.vocabulary import Task
from bicameral.runtime.events import ShotTaken, ViewDone, ViewJudging, unwatched

VIEW = View(target="site", platform="web", route="/\x1b[31mfares", state="rest")


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def said(task: Task, handle: str) -> ViewJudging:
    event = JudgeEvent(kind="asked", task=task, handle=handle, shots=6)
    return ViewJudging(view=VIEW, event=event, total=2)


def test_on_a_terminal_each_seat_is_seen_at_work(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setenv("COLUMNS", "160")
    monkeypatch.setenv("TERM", "xterm")
    with progress(shown=True) as watch:
        watch(ShotTaken(done=1, total=6, where="site/fares/rest/phone/dark"))
        watch(said("propose", "axe+layout"))
        watch(said("challenge", "pixels"))
        watch(said("rule", "axe+layout"))
        watch(ViewDone(view=VIEW, done=1, total=2, outcome="3 findings, unchanged"))
    shown = terminal.getvalue()
    assert "1/6" in shown
    assert "1/2" in shown
    assert "3 findings, unchanged" in shown
    assert "\x1b[31mfares" not in shown


def test_where_stderr_is_no_terminal_or_quiet_was_asked_for_nothing_is_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    with progress(shown=True) as watch:
        assert watch is unwatched
    monkeypatch.setattr(sys, "stderr", Terminal())
    with progress(shown=False) as watch:
        assert watch is unwatched
