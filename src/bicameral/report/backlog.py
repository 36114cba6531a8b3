"""The backlog for people and programs: a list of issues, and one issue whole.

Answers for: what a reader sees of an issue across runs. Declines the findings of one run (`terminal`, `json`). What a
page or a model wrote goes through `untrusted`, and to rich as `Text` alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from bicameral.model.backlog import HumanRuling, Issue, Sighting
from bicameral.model.plain import to_plain
from bicameral.report.terminal import KEY_SHOWN, SEVERITY_STYLES, STACK_BELOW
from bicameral.report.untrusted import safe_line, safe_lines, shorten

if TYPE_CHECKING:
    from rich.console import Console

NOTHING_YET = "No issue here. `bicameral check` files them; `bicameral backlog list --status all` shows those ruled on."


def issue_document(issue: Issue) -> dict[str, Any]:
    """An issue as plain JSON values, with what is derived when shown: whether it is disputed."""
    document: dict[str, Any] = to_plain(issue)
    return {**document, "disputed": issue.disputed}


def render_issues(issues: Sequence[Issue], console: Console) -> None:
    """A table, worst first as handed in; stacked lines on a narrow terminal."""
    from rich.table import Table
    from rich.text import Text

    if not issues:
        console.print(Text(NOTHING_YET))
        return
    if console.width < STACK_BELOW:
        for issue in issues:
            console.print(Text(f"{issue.severity}  {issue.issue[:KEY_SHOWN]}  {_status(issue)}"))
            console.print(Text(f"  {_place(issue)}  {issue.category}"))
            console.print(Text(f"  {safe_line(issue.title)}"))
        return
    table = Table(box=None, pad_edge=False, header_style="bold")
    for heading in ("Severity", "Issue", "Status", "Where", "Category", "What is wrong"):
        table.add_column(heading, overflow="fold", no_wrap=heading in ("Severity", "Issue"))
    for issue in issues:
        table.add_row(
            Text(issue.severity, style=SEVERITY_STYLES[issue.severity]),
            issue.issue[:KEY_SHOWN],
            Text(_status(issue)),
            Text(_place(issue)),
            issue.category,
            Text(shorten(safe_line(issue.title), 120)),
        )
    console.print(table)


def render_issue(issue: Issue, console: Console) -> None:
    """One issue whole: what it is, where it was seen, who said what, and every ruling."""
    from rich.text import Text

    for line in _lines(issue):
        console.print(Text(line), soft_wrap=False)


def _lines(issue: Issue) -> Iterator[str]:
    yield f"{issue.issue}  {issue.severity}  {_status(issue)}"
    yield safe_line(issue.title)
    yield f"{_place(issue)}, {issue.category} / {safe_line(issue.attribute)}"
    yield ""
    yield safe_lines(issue.problem)
    if issue.expected:
        yield f"Expected: {safe_line(issue.expected)}"
    if issue.observed:
        yield f"Observed: {safe_line(issue.observed)}"
    if issue.not_seen_since:
        yield f"Not seen since run {issue.not_seen_since}: it may be closed as fixed."
    yield ""
    told: list[str] = []
    for sighting in issue.sightings:
        said = list(_sighting_lines(sighting))
        yield said[0]
        if said[1:] != told:  # what a judge said of several shots at once is told once
            yield from said[1:]
        told = said[1:]
    for ruling in issue.rulings:
        yield _ruling_line(ruling)
    if issue.reopened_run is not None:
        yield f"run {issue.reopened_run}  saw it again after it was ruled fixed, so it is open again"


def _sighting_lines(sighting: Sighting) -> Iterator[str]:
    box = sighting.box
    where = f" at {box.x},{box.y} ({box.width} x {box.height})" if box is not None else ""
    gone = "" if sighting.seen else ", no longer seen"
    route = safe_line(sighting.route)
    yield f"{route} {sighting.form_factor} {sighting.scheme}{where}: filed by {safe_line(sighting.oracle)}{gone}"
    for ruling in sighting.rulings:
        note = f": {safe_line(ruling.note)}" if ruling.note else ""
        yield f"  {safe_line(ruling.oracle)} says {ruling.verdict}{note}"


def _ruling_line(ruling: HumanRuling) -> str:
    who, reason = safe_line(ruling.ruled_by), safe_line(ruling.reason)
    said = f"{who} proposes" if ruling.proposed else f"{who} ruled"
    return f"{ruling.ruled_at}  {said} {ruling.status}" + (f": {reason}" if reason else "")


def _status(issue: Issue) -> str:
    extra = [", disputed"] if issue.disputed else []
    if issue.reopened:
        extra.append(f", reopened {issue.reopened} times" if issue.reopened > 1 else ", reopened")
    if issue.not_seen_since:
        extra.append(", not seen since")
    return issue.status + "".join(extra)


def _place(issue: Issue) -> str:
    state = "" if issue.state == "rest" else f" ({safe_line(issue.state)})"
    return f"{safe_line(issue.target)}{safe_line(issue.place)}{state}"
