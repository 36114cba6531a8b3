"""The terminal shows everything at any width, and nothing it shows can act on it."""

from __future__ import annotations

import io
import subprocess
import sys
from dataclasses import replace

import pytest
from report_samples import clean_report, empty_report, shop_report
from rich.cells import cell_len
from rich.console import Console

from bicameral.model.findings import Consensus, Dissent
from bicameral.model.run import RunReport
from bicameral.report.issues import issue_rows
from bicameral.report.terminal import Shell, render, render_text

WIDTHS = (20, 40, 60, 75, 76, 80, 120, 200)


def retitled(report: RunReport, title: str, note: str) -> RunReport:
    consensus = Consensus(reported_by="axe+layout", disputed_by=(Dissent(oracle="pixels", note=note),))
    finding = replace(report.findings[3].finding, title=title, consensus=consensus)
    return replace(report, findings=(replace(report.findings[3], finding=finding),))


@pytest.mark.parametrize("width", WIDTHS)
def test_no_line_is_wider_than_the_terminal(width: int) -> None:
    text = render_text(shop_report()[0], width, Shell(html="out/report.html"))
    assert max(cell_len(line) for line in text.splitlines()) <= width


@pytest.mark.parametrize("width", WIDTHS)
def test_no_word_of_a_title_or_a_note_is_lost_at_any_width(width: int) -> None:
    report, _ = shop_report()
    shown = "".join(render_text(report, width).split())
    for row in issue_rows(report):
        for word in row.lead.finding.title.split():
            assert word in shown
    assert "pixels" in shown
    assert "DISPUTES" in shown


def test_a_narrow_terminal_gets_no_table() -> None:
    assert "Severity" in render_text(shop_report()[0], 80)
    assert "Severity" not in render_text(shop_report()[0], 40)


def test_severity_is_a_word_and_the_worst_comes_first() -> None:
    text = render_text(shop_report()[0], 100)
    places = [text.index(word) for word in ("\ncritical", "\nhigh", "\nmedium", "\nlow")]
    assert places == sorted(places)


def test_who_said_what_stands_under_each_finding() -> None:
    text = render_text(shop_report()[0], 200)
    assert "layout, pixels agree: 97 % of the box is one flat grey" in text
    assert "pixels DISPUTES: 7.3:1 measured at 312,88" in text
    assert "The adjudicator (nli, confidence 0.91) reads genuine" in text
    assert "pixels amends: only its mark is 18 wide; the ring is 22" in text
    assert "axe+layout cannot tell: the background is an image" in text
    assert "not ruled on by pixels" in text
    assert "no dialogue with pixels" in text


def test_what_was_not_judged_is_said_plainly() -> None:
    text = render_text(shop_report()[0], 300)
    assert "shop/pricing: 1 finding not ruled on, to be judged again." in text
    assert "shop/pricing (menu-open): No dialogue with pixels: it did not answer in time." in text
    assert "shop/about: Not judged by axe+layout: its answer could not be read. The reply was 12 MB long" in text
    assert "Unaccounted for: shop/pricing/rest/tablet/light." in text
    assert "Skipped shots/broken.png: It ends after 1,204 of 88,310 bytes." in text
    assert "by design: Menu items step to the right" in text


def test_the_next_steps_name_the_worst_issue_and_the_page() -> None:
    report, _ = shop_report()
    key = issue_rows(report)[0].issue[:8]
    text = render_text(report, 120, Shell(html="out/report.html"))
    assert f"bicameral backlog show {key}" in text
    assert f"bicameral backlog rule {key} --status by-design --reason" in text
    assert "With boxes on the pictures: out/report.html" in text
    assert "--html report.html" in render_text(report, 120)


def test_a_run_with_nothing_to_say_is_short_and_clear() -> None:
    text = render_text(clean_report(cached=True)[0], 80)
    assert text.startswith("No findings\n")
    assert "No judge was called: nothing changed since the last run." in text
    assert "Exit status 0" in text
    assert "Next" not in text
    assert render_text(empty_report(), 80).startswith("Nothing was judged\n")


def test_escape_sequences_and_markup_of_a_page_are_plain_text() -> None:
    report = retitled(shop_report()[0], "[bold red]x[/] \x1b[2Jwiped :boom: [link=file:///]", "\u202enote\x07 [/]")
    text = render_text(report, 120)
    assert "[bold red]x[/] wiped :boom: [link=file:///]" in text
    assert "pixels DISPUTES: note [/]" in text
    assert not {"\x1b", "\x07", "\u202e"} & set(text)


def test_a_very_long_note_is_cut_and_the_report_goes_on() -> None:
    text = render_text(retitled(shop_report()[0], "t", "word " * 100_000), 80)
    assert len(text) < 5_000
    assert "…" in text


def test_no_color_and_a_pipe_get_the_same_words_without_colour(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    stream = io.StringIO()
    render(shop_report()[0], Console(file=stream, width=100, force_terminal=True, legacy_windows=False))
    assert "\x1b[3" not in stream.getvalue()
    assert "\x1b[9" not in stream.getvalue()
    pipe = io.StringIO()
    render(shop_report()[0], Console(file=pipe, width=100))
    assert "\x1b" not in pipe.getvalue()
    assert "critical" in pipe.getvalue()


def test_colour_only_repeats_the_words() -> None:
    stream = io.StringIO()
    console = Console(file=stream, width=100, force_terminal=True, color_system="standard", legacy_windows=False)
    render(shop_report()[0], console)
    assert "\x1b[" in stream.getvalue()
    assert Console(width=100).render_str(stream.getvalue()) is not None


def test_importing_the_terminal_report_does_not_import_rich_or_pillow_or_jinja() -> None:
    program = (
        "import sys, bicameral.report.terminal, bicameral.report.html, bicameral.report.json\n"
        "print([name for name in ('rich', 'PIL', 'jinja2', 'numpy') if name in sys.modules])"
    )
    assert subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout == "[]\n"
