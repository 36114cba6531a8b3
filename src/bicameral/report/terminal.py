"""A run as a newcomer reads it in a terminal.

Answers for: the findings by issue, worst first, each with who said what; then what was not judged, what it cost and
what to do next. It declines pictures (the HTML page) and data (`--json`), and it decides nothing.

Rules, in order:
1. What a page or a model wrote is plain text: `untrusted` takes out what acts on a screen, and it is handed to rich
   as `Text`, so no markup of rich's in it is read as markup.
2. Severity, ruling and status are words; colour only repeats them, and NO_COLOR or a pipe lose nothing.
3. Below STACK_BELOW columns there is no table: every issue is a few lines one under the other. Nothing is cut at
   the right edge at any width.
4. rich is imported when something is rendered, so that `bicameral --help` does not pay for it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from bicameral.model.run import RunReport
from bicameral.report import wording
from bicameral.report.issues import FindingRow, IssueRow, issue_rows
from bicameral.report.untrusted import safe_line, shorten

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.text import Text

STACK_BELOW: Final = 76
KEY_SHOWN: Final = 8
"""Digits of an issue's key that are shown: unique in 98 of 100 stores of 10,000 issues; any length is accepted."""
NOTE_LIMIT: Final = 400
OBSERVED_LIMIT: Final = 240

SEVERITY_STYLES: Final = {"critical": "bold red", "high": "red", "medium": "yellow", "low": "cyan"}
RULING_STYLES: Final = {"dispute": "bold magenta", "amend": "yellow", "agree": "green", "cannot-tell": "dim"}


@dataclass(frozen=True, kw_only=True)
class Shell:
    """How a reader goes on from here. program: how it is called.  flags: what finds the same store, or empty.

    html: where the HTML page was written, None where none was asked for.
    """

    program: str = "bicameral"
    flags: str = ""
    html: str | None = None

    def command(self, words: str) -> str:
        return " ".join(part for part in (self.program, words, self.flags) if part)


def render(report: RunReport, console: Console, shell: Shell | None = None) -> None:
    """Print the run, ending with the commands that go on from it."""
    for part in _parts(report, console.width, shell or Shell()):
        console.print(part, soft_wrap=False, highlight=False, markup=False, emoji=False)


def render_text(report: RunReport, width: int = 80, shell: Shell | None = None) -> str:
    """The same as plain text without colour, `width` columns wide (at least 20)."""
    import io

    from rich.console import Console

    stream = io.StringIO()
    render(report, Console(file=stream, width=max(width, 20), color_system=None, legacy_windows=False), shell)
    return "".join(line.rstrip() + "\n" for line in stream.getvalue().splitlines())


def _parts(report: RunReport, width: int, shell: Shell) -> Iterator[RenderableType]:
    rows = issue_rows(report)
    several = len({batch.view.target for batch in report.batches}) > 1
    still_open = [row for row in rows if row.is_open]
    yield _heading(report, rows)
    if still_open:
        yield ""
        yield from _stack(still_open, several) if width < STACK_BELOW else [_table(still_open, several)]
    yield from _group(wording.RULED_EARLIER, _ruled(rows, several))
    yield from _group(wording.NOT_JUDGED, [shorten(line, NOTE_LIMIT) for line in wording.not_judged(report)])
    yield from _group("Notes", [shorten(note, NOTE_LIMIT) for note in report.notes])
    yield from _group("This run", _about(report, rows))
    yield from _group("Next", _next(still_open, shell))


def _text(text: str, style: str = "") -> Text:
    from rich.text import Text

    return Text(text, style=style, overflow="fold")


def _heading(report: RunReport, rows: tuple[IssueRow, ...]) -> Text:
    counts = wording.severity_counts(row for row in rows if row.is_open)
    heading = _text(wording.verdict(report, rows), "bold")
    if counts:
        heading.append(f": {counts}", "bold")
    heading.append("\n" + safe_line(wording.looked_at(report)), "dim")
    return heading


def _table(rows: list[IssueRow], several: bool) -> RenderableType:
    from rich import box
    from rich.table import Table

    table = Table(
        box=box.SIMPLE_HEAD, padding=(0, 2, 0, 0), leading=1, show_edge=False, pad_edge=False, header_style="dim"
    )
    table.add_column("Severity", no_wrap=True)
    table.add_column("Category", overflow="fold", max_width=16)
    table.add_column("Where", overflow="fold", ratio=2, min_width=15)
    table.add_column("Finding and accounts", overflow="fold", ratio=5)
    table.expand = True
    for row in rows:
        severity = _severity(row)
        severity.append("\n" + row.issue[:KEY_SHOWN], "dim")
        where = _text(_place(row, several))
        where.append("\n" + _shots(row), "dim")
        said = _text(safe_line(row.lead.finding.title), "bold")
        for line in _accounts(row):
            said.append("\n").append_text(line)
        table.add_row(severity, _text(row.lead.finding.category), where, said)
    return table


def _stack(rows: list[IssueRow], several: bool) -> Iterator[Text]:
    for number, row in enumerate(rows):
        said = _text("\n" if number else "").append_text(_severity(row))
        said.append(f"  {row.lead.finding.category}  ").append(row.issue[:KEY_SHOWN], "dim")
        said.append("\n" + safe_line(row.lead.finding.title), "bold")
        said.append(f"\n{_place(row, several)}, {_shots(row)}", "dim")
        for line in _accounts(row):
            said.append("\n").append_text(line)
        yield said


def _severity(row: IssueRow) -> Text:
    return _text(row.severity, SEVERITY_STYLES[row.severity])


def _place(row: IssueRow, several: bool) -> str:
    return safe_line(wording.place(row, several_targets=several))


def _shots(row: IssueRow) -> str:
    words = [wording.shot_words(row.shots, row.view_shots), *row.strange_shot_ids]
    return safe_line(", ".join(word for word in words if word))


def _accounts(row: IssueRow) -> Iterator[Text]:
    """Who said what: one line for accounts that differ in nothing but where they were given."""
    seen: dict[str, Text] = {}
    for finding_row in row.findings:
        for line in _account_lines(finding_row):
            seen.setdefault(line.plain, line)
    if row.disputed_in_part:
        seen["in part"] = _text("Disputed in part: other shots of this issue are not.", "magenta")
    if row.status == "confirmed":
        seen["confirmed"] = _text("confirmed by a person", "dim")
    if row.reopened:
        seen["reopened"] = _text("was fixed, and is back", "dim")
    yield from seen.values()


def _account_lines(row: FindingRow) -> Iterator[Text]:
    """The reporter's line, with what it observed unless an agreement says it; then a line for each other word."""
    reporter = safe_line(row.reporter)
    agreeing = [safe_line(account.oracle) for account in row.accounts if account.word == "agree"]
    first = _text(f"{', '.join([reporter, *agreeing])} agree" if agreeing else reporter)
    agreed = "; ".join(shorten(note, NOTE_LIMIT) for one in row.accounts if one.word == "agree" for note in one.notes)
    if row.standing == "alone":
        first.append(" alone", "dim")
    said = agreed or shorten(row.reported.finding.observed or row.reported.finding.problem, OBSERVED_LIMIT)
    if said:
        first.append(f": {said}")
    yield first
    if row.standing in ("unruled", "undialogued"):
        yield _text(_silence(row), "dim")
    for account in row.accounts:
        if account.word == "agree":
            continue
        verb = wording.RULING_WORDS[account.word]
        if account.word == "dispute":  # the one ruling that nobody may read past, with or without colour
            verb = verb.upper()
        line = _text(f"{safe_line(account.oracle)} {verb}", RULING_STYLES[account.word])
        notes = "; ".join(shorten(note, NOTE_LIMIT) for note in account.notes)
        if notes:
            line.append(f": {notes}", "default")
        yield line
    for account in row.accounts:
        if account.advice is not None:
            yield _text(wording.advice_line(account.advice), "dim")


def _silence(row: FindingRow) -> str:
    other = safe_line(row.other or "")
    if row.standing == "unruled":
        return f"not ruled on by {other}"
    return f"no dialogue with {other}"


def _group(title: str, lines: list[str]) -> Iterator[RenderableType]:
    if not lines:
        return
    from rich.padding import Padding

    yield ""
    yield _text(title, "bold")
    for line in lines:
        yield Padding(_text(line), (0, 0, 0, 2), expand=False)


def _ruled(rows: tuple[IssueRow, ...], several: bool) -> list[str]:
    return [
        f"{wording.STATUS_WORDS[row.status]}: {safe_line(row.lead.finding.title)} "
        f"({_place(row, several)}, {row.issue[:KEY_SHOWN]})"
        for row in rows
        if not row.is_open
    ]


def _about(report: RunReport, rows: tuple[IssueRow, ...]) -> list[str]:
    standings, clean = wording.standing_counts(rows), len(report.clean_shot_ids)
    return [
        *([f"Accounts of the open issues: {standings}."] if standings else []),
        *([f"Clean: {wording.plural(clean, 'shot')}."] if clean else []),
        *([said] if (said := wording.caches(report)) else []),
        f"Spent: {wording.spent(report.spend)}. Run {safe_line(report.run_id)}.",
        wording.exit_words(report, rows),
    ]


def _next(rows: list[IssueRow], shell: Shell) -> list[str]:
    lines = []
    if shell.html is not None:
        lines.append(f"With boxes on the pictures: {safe_line(shell.html)}")
    elif rows:
        lines.append("See the boxes on the pictures: add --html report.html")
    if rows:
        key = rows[0].issue[:KEY_SHOWN]
        lines.append(f"Read one whole: {safe_line(shell.command(f'backlog show {key}'))}")
        ruling = f'backlog rule {key} --status by-design --reason "why"'
        lines.append(f"Rule on it: {safe_line(shell.command(ruling))}")
    return lines
