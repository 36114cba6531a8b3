"""`backlog`: the issues across runs, and what people rule on them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bicameral.interfaces.cli._options import AsJson, Config, State, settings_for, words
from bicameral.model.vocabulary import SEVERITIES, STATUSES

if TYPE_CHECKING:
    from bicameral.runtime.workspace import Workspace

app = typer.Typer(
    help="The issues across runs, and what people ruled on them.", no_args_is_help=True, rich_markup_mode=None
)

IssueKey = Annotated[str, typer.Argument(metavar="ISSUE", help="An issue's key, or its first four digits or more.")]


def _open(config: Path | None, state: Path | None, *, create: bool = False) -> Workspace:
    settings = settings_for(config, state)
    from bicameral.runtime.workspace import Workspace

    return Workspace.open(settings, create=create)


def _print_json(document: object) -> None:
    from bicameral.interfaces.cli._output import print_json

    print_json(document)


@app.command("list")
def list_issues(
    status: Annotated[
        str | None,
        typer.Option(
            "--status",
            metavar="LIST",
            help="Only these, separated by commas; `all` for every one. [default: open,confirmed]",
        ),
    ] = None,
    severity: Annotated[str | None, typer.Option("--severity", metavar="LIST", help="Only these.")] = None,
    disputed: Annotated[bool, typer.Option("--disputed", help="Only issues whose every sighting is disputed.")] = False,
    state: State = None,
    config: Config = None,
    as_json: AsJson = False,
) -> int:
    """List the issues, worst first."""
    statuses = STATUSES if status == "all" else words(status, STATUSES, "--status") or ("open", "confirmed")
    severities = words(severity, SEVERITIES, "--severity") or SEVERITIES
    from bicameral.runtime.backlog import list_issues as listed

    with _open(config, state) as space:
        issues = listed(space, statuses=statuses, severities=severities, disputed_only=disputed)
    if as_json:
        from bicameral.report.backlog import issue_document

        _print_json({"issues": [issue_document(issue) for issue in issues]})
    else:
        from rich.console import Console

        from bicameral.report.backlog import render_issues

        render_issues(issues, Console())
    return 0


@app.command("show")
def show(issue: IssueKey, state: State = None, config: Config = None, as_json: AsJson = False) -> int:
    """Show one issue: where it was seen, who said what, and what people ruled."""
    from bicameral.runtime.backlog import find_issue

    with _open(config, state) as space:
        found = find_issue(space, issue)
    if as_json:
        from bicameral.report.backlog import issue_document

        _print_json(issue_document(found))
    else:
        from rich.console import Console

        from bicameral.report.backlog import render_issue

        render_issue(found, Console())
    return 0


@app.command("rule")
def rule(
    issue: IssueKey,
    status: Annotated[str, typer.Option("--status", metavar="STATUS", help="|".join(STATUSES))],
    reason: Annotated[str, typer.Option("--reason", help="Why; needed for by-design, not-a-defect and blocked.")] = "",
    by: Annotated[
        str | None, typer.Option("--by", metavar="NAME", help="Who rules. [default: git's user, else the login]")
    ] = None,
    state: State = None,
    config: Config = None,
    as_json: AsJson = False,
) -> int:
    """Rule on one issue. No later run undoes it, except that one ruled fixed and seen again is reopened."""
    from bicameral.runtime.backlog import rule_issue

    chosen = words(status, STATUSES, "--status")
    if chosen is None or len(chosen) != 1:
        raise typer.BadParameter("name one status", param_hint="--status")
    with _open(config, state) as space:
        ruled = rule_issue(space, issue, status=chosen[0], reason=reason, by=by)
    if as_json:
        from bicameral.report.backlog import issue_document

        _print_json(issue_document(ruled))
    else:
        typer.echo(f"{ruled.issue} is {ruled.status}, ruled by {ruled.rulings[-1].ruled_by}.")
    return 0


@app.command("export")
def export(
    file: Annotated[Path | None, typer.Argument(metavar="[FILE]", help="Where to; stdout if not given.")] = None,
    state: State = None,
    config: Config = None,
    as_json: AsJson = False,
) -> int:
    """Write the whole backlog as one stable JSON document that a team can commit."""
    from bicameral.runtime.backlog import export_backlog

    with _open(config, state) as space:
        body, count = export_backlog(space)
    if file is None:
        import sys

        sys.stdout.buffer.write(body)
        return 0
    from bicameral.interfaces.cli._output import write_file

    write_file(file, body)
    if as_json:
        _print_json({"issues": count, "file": str(file)})
    else:
        typer.echo(f"{count} issues written to {file}.")
    return 0


@app.command("import")
def import_document(
    file: Annotated[str, typer.Argument(metavar="FILE", help="A document that `backlog export` wrote; - reads stdin.")],
    state: State = None,
    config: Config = None,
    as_json: AsJson = False,
) -> int:
    """Read an exported backlog into this store."""
    from bicameral.runtime.backlog import import_backlog
    from bicameral.runtime.records import read_input

    body = read_input(file)
    with _open(config, state, create=True) as space:
        counts: dict[str, Any] = import_backlog(space, body)
    if as_json:
        _print_json(counts)
    else:
        typer.echo(", ".join(f"{count} {word}" for word, count in counts.items()) + ".")
    return 0
