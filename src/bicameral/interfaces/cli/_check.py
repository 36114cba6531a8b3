"""`check` and `judge`: the main job, on a running site or on a folder of pictures."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bicameral.interfaces.cli._options import AsJson, Config, State, route_list, settings_for, words
from bicameral.model.vocabulary import FORM_FACTORS, SCHEMES

if TYPE_CHECKING:
    from bicameral.model.run import RunReport
    from bicameral.runtime.events import Watch
    from bicameral.runtime.workspace import Workspace
    from bicameral.settings import Settings

Proposer = Annotated[
    str | None,
    typer.Option("--proposer", metavar="NAME[:MODEL]", help="Who files the findings. [default: axe+layout]"),
]
Challenger = Annotated[
    str | None,
    typer.Option(
        "--challenger", metavar="NAME[:MODEL]", help="Who rules on them; `none` for one judge. [default: pixels]"
    ),
]
Nli = Annotated[
    str | None,
    typer.Option(
        "--nli",
        metavar="NAME",
        help="Who weighs disputes: packaged, none, NAME@REVISION or an http address. [default: packaged]",
    ),
]
Llm = Annotated[
    str | None, typer.Option("--llm", metavar="NAME:MODEL", help="The language model that weighs where no NLI can.")
]
LlmTier = Annotated[
    str | None, typer.Option("--llm-tier", metavar="TIER", help="How far --llm is trusted: low, medium or high.")
]
NoCache = Annotated[bool, typer.Option("--no-cache", help="Judge again even where nothing has changed.")]
IgnoreDisputed = Annotated[
    bool, typer.Option("--ignore-disputed", help="Findings that the challenger disputes do not fail the run.")
]
Strict = Annotated[bool, typer.Option("--strict", help="Status 2 also where no dialogue was had.")]
Html = Annotated[Path | None, typer.Option("--html", metavar="FILE", help="Write one self-contained page.")]
Quiet = Annotated[bool, typer.Option("--quiet", help="No progress and no table; the exit status says it.")]
Yes = Annotated[bool, typer.Option("--yes", help="Never ask anything. (Nothing is asked today.)", hidden=True)]


def check(
    targets: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="TARGET...",
            help="Addresses, name=address, or names of configured targets. [default: all configured]",
        ),
    ] = None,
    proposer: Proposer = None,
    challenger: Challenger = None,
    nli: Nli = None,
    llm: Llm = None,
    llm_tier: LlmTier = None,
    routes: Annotated[
        str | None, typer.Option("--routes", metavar="PATHS", help="Paths to open, separated by commas.")
    ] = None,
    form_factors: Annotated[
        str | None, typer.Option("--form-factors", metavar="LIST", help=f"[default: {','.join(FORM_FACTORS)}]")
    ] = None,
    schemes: Annotated[
        str | None, typer.Option("--schemes", metavar="LIST", help=f"[default: {','.join(SCHEMES)}]")
    ] = None,
    state: State = None,
    config: Config = None,
    no_cache: NoCache = False,
    allow_remote: Annotated[
        bool, typer.Option("--allow-remote", help="Open addresses that are not on this machine.")
    ] = False,
    ignore_disputed: IgnoreDisputed = False,
    strict: Strict = False,
    html: Html = None,
    as_json: AsJson = False,
    quiet: Quiet = False,
    yes: Yes = False,
) -> int:
    """Open a running site, have two judges reach one account of it, and report.

    Exit status: 0 nothing open, 1 open findings, 2 the job could not be done or a view could not be judged.
    """
    settings = settings_for(
        config,
        state,
        proposer=proposer,
        challenger=challenger,
        adjudicator=nli,
        adjudicator_llm=llm,
        adjudicator_tier=llm_tier,
        form_factors=words(form_factors, FORM_FACTORS, "--form-factors"),
        schemes=words(schemes, SCHEMES, "--schemes"),
        use_cache=False if no_cache else None,
        allow_remote=allow_remote or None,
        ignore_disputed=ignore_disputed or None,
        strict=strict or None,
    )
    from bicameral.runtime.check import run_check
    from bicameral.runtime.targets import resolve_targets

    chosen = resolve_targets(settings, targets or (), route_list(routes))
    return _report(settings, html, as_json, quiet, lambda space, watch: run_check(settings, chosen, space, watch))


def judge(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A folder of pictures that some other tool took.")],
    proposer: Proposer = None,
    challenger: Challenger = None,
    nli: Nli = None,
    llm: Llm = None,
    llm_tier: LlmTier = None,
    state: State = None,
    config: Config = None,
    no_cache: NoCache = False,
    ignore_disputed: IgnoreDisputed = False,
    strict: Strict = False,
    html: Html = None,
    as_json: AsJson = False,
    quiet: Quiet = False,
    yes: Yes = False,
) -> int:
    """Judge a folder of screenshots: [target/]route[/state][/form-factor][/scheme].png

    By default `pixels` judges alone, since a lone picture has no facts; the summary names what was not judged.
    """
    settings = settings_for(
        config,
        state,
        proposer=proposer,
        challenger=challenger,
        adjudicator=nli,
        adjudicator_llm=llm,
        adjudicator_tier=llm_tier,
        use_cache=False if no_cache else None,
        ignore_disputed=ignore_disputed or None,
        strict=strict or None,
    )
    from bicameral.runtime.check import run_folder

    return _report(settings, html, as_json, quiet, lambda space, watch: run_folder(settings, folder, space, watch))


def _report(
    settings: Settings,
    html: Path | None,
    as_json: bool,
    quiet: bool,
    job: Callable[[Workspace, Watch], RunReport],
) -> int:
    """Run the job under a progress display, then write what was asked for. The exit status.

    A page that could not be written keeps nobody from the findings: they are printed first, then the error is told.
    """
    from bicameral.errors import StoreError
    from bicameral.interfaces.cli._output import check_place, write_file
    from bicameral.interfaces.cli._progress import progress
    from bicameral.runtime.workspace import Workspace

    failed: StoreError | None = None
    if html is not None:
        check_place(html)
    with Workspace.open(settings) as space:
        with progress(shown=not quiet) as watch:
            report = job(space, watch)
        if html is not None:
            from bicameral.report.html import render_html

            try:
                write_file(html, render_html(report, space.evidence))
            except StoreError as exc:
                failed = exc
    _print(report, None if failed else html, as_json, quiet, _flags(settings))
    if failed is not None:
        typer.echo(f"error: {failed}", err=True)
        return failed.exit_status
    return report.exit_status


def _print(report: RunReport, html: Path | None, as_json: bool, quiet: bool, flags: str) -> None:
    if as_json:
        from bicameral.interfaces.cli._output import print_json
        from bicameral.report.json import report_document

        print_json(report_document(report))
    elif not quiet:
        from rich.console import Console

        from bicameral.interfaces.cli._options import program
        from bicameral.report.terminal import Shell, render

        shell = Shell(program=program(), flags=flags, html=None if html is None else str(html))
        render(report, Console(), shell)


def _flags(settings: Settings) -> str:
    """What another command needs in order to find the same store."""
    import shlex

    from bicameral.settings import DEFAULT_STATE

    return "" if settings.state_dir == DEFAULT_STATE else f"--state {shlex.quote(str(settings.state_dir))}"
