"""The commands a report ends with are those that work from the reader's shell."""

from __future__ import annotations

from report_samples import shop_report

from bicameral.report.terminal import Shell, render_text


def test_the_commands_carry_what_finds_the_same_store() -> None:
    shell = Shell(program=".venv/bin/bicameral", flags="--state 'my state'")
    text = render_text(shop_report()[0], 200, shell)
    assert "Read one whole: .venv/bin/bicameral backlog show 9f310937 --state 'my state'" in text


def test_by_default_they_are_the_bare_commands() -> None:
    assert "Read one whole: bicameral backlog show 9f310937\n" in render_text(shop_report()[0], 200)
