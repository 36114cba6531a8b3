"""`adjudicate`: does a claim really contradict a statement? One pair, a table of pairs, or a folder of texts."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bicameral.interfaces.cli._adjudicate_shown import (
    result_document,
    scan_document,
    show_result,
    show_scan,
    show_table,
    table_document,
)
from bicameral.interfaces.cli._options import AsJson, Config, State, settings_for

if TYPE_CHECKING:
    from bicameral.runtime.adjudicating import Adjudicators


def adjudicate(
    claim: Annotated[str | None, typer.Argument(metavar="CLAIM", help="What is said now.")] = None,
    against: Annotated[
        str | None, typer.Option("--against", metavar="TARGET", help="The statement that it may contradict.")
    ] = None,
    pairs: Annotated[
        Path | None, typer.Option("--pairs", metavar="IN", help="A table of pairs: .csv, .tsv, .jsonl or .parquet.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--out", metavar="OUT", help="With --pairs: the same table with verdicts.")
    ] = None,
    scan: Annotated[
        Path | None,
        typer.Option(
            "--scan", metavar="FOLDER", help="Find statements in Markdown and text that contradict each other."
        ),
    ] = None,
    nli: Annotated[
        str | None,
        typer.Option(
            "--nli",
            metavar="MODEL",
            help="packaged, none, an http address, or NAME@REVISION that was pulled. [default: packaged]",
        ),
    ] = None,
    llm: Annotated[
        str | None,
        typer.Option(
            "--llm", metavar="ADAPTER:MODEL", help="A language model: asked if the NLI says genuine or fails."
        ),
    ] = None,
    llm_tier: Annotated[
        str | None,
        typer.Option("--llm-tier", metavar="TIER", help="low, medium or high. [default: from the table of models]"),
    ] = None,
    timeout: Annotated[
        float, typer.Option("--timeout", metavar="SECONDS", help="For each call of a provider.", min=0.001)
    ] = 30.0,
    claim_column: Annotated[str, typer.Option("--claim-column", help="With --pairs: the claims' column.")] = "claim",
    target_column: Annotated[str, typer.Option("--target-column", help="With --pairs: the targets'.")] = "target",
    prefix: Annotated[str, typer.Option("--prefix", help="With --pairs: put before the new columns' names.")] = "",
    gate: Annotated[
        bool, typer.Option("--gate", help="With --pairs: call pairs about different subjects unrelated, unasked.")
    ] = False,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="With --pairs: replace OUT if it is there.")] = False,
    restart: Annotated[
        bool, typer.Option("--restart", help="With --pairs: forget what an unfinished run has weighed.")
    ] = False,
    max_pairs: Annotated[
        int | None, typer.Option("--max-pairs", metavar="N", help="With --scan: weigh at most N pairs. [default: 5000]")
    ] = None,
    state: State = None,
    config: Config = None,
    as_json: AsJson = False,
) -> int:
    """Say whether a claim really contradicts a statement: genuine, supersedes, tension, complementary or unrelated.

    Exit status: 0 weighed; 2 if it could not be done, a provider that was asked did not answer, a row of a table was
    bad, or a file could not be read.
    """
    import asyncio

    mode = _mode(claim, against, pairs, out, scan, max_pairs)
    settings = settings_for(config, state, adjudicator=nli, adjudicator_llm=llm, adjudicator_tier=llm_tier)
    from bicameral.runtime.adjudicating import open_adjudicators, open_answers

    async def run() -> int:
        async with (
            open_answers(settings) as answers,
            open_adjudicators(
                nli=settings.adjudicator,
                llm=settings.adjudicator_llm,
                llm_tier=settings.adjudicator_tier,
                timeout_s=timeout,
                answers=answers,
                tiers=settings.tiers,
            ) as adjudicators,
        ):
            if mode == "pairs":
                assert pairs is not None
                assert out is not None
                from bicameral.runtime.pair_rows import Columns

                columns = Columns(claim=claim_column, target=target_column, prefix=prefix)
                flags = {"gate": gate, "overwrite": overwrite, "restart": restart}
                return await _table(pairs, out, adjudicators, columns=columns, flags=flags, as_json=as_json)
            if mode == "scan":
                assert scan is not None
                return await _folder(scan, adjudicators, max_pairs=max_pairs, as_json=as_json)
            assert claim is not None
            assert against is not None
            return await _pair(claim, against, adjudicators, as_json=as_json)

    return asyncio.run(run())


def _mode(
    claim: str | None,
    against: str | None,
    pairs: Path | None,
    out: Path | None,
    scan: Path | None,
    max_pairs: int | None,
) -> str:
    from bicameral.errors import ConfigError

    usage = "Give CLAIM --against TARGET, or --pairs IN --out OUT, or --scan FOLDER."
    if (claim is None) != (against is None) and pairs is None and scan is None:
        raise ConfigError("A claim and a target belong together.", mend=usage)
    pair = against if claim is None else claim
    given = [name for name, value in (("pair", pair), ("pairs", pairs), ("scan", scan)) if value is not None]
    if len(given) != 1:
        raise ConfigError("There is nothing to weigh." if not given else "These flags do not go together.", mend=usage)
    if (out is None) == (given[0] == "pairs"):
        raise ConfigError("--pairs and --out belong together.", mend=usage)
    if max_pairs is not None and given[0] != "scan":
        raise ConfigError("--max-pairs belongs to --scan.", mend=usage)
    return given[0]


async def _pair(claim: str, target: str, adjudicators: Adjudicators, *, as_json: bool) -> int:
    from bicameral.adjudication import adjudicate_contradiction

    result = await adjudicate_contradiction(claim, target, **adjudicators.arguments())
    failed = [rung for rung in result.rungs if rung.failure]
    if as_json:
        from bicameral.interfaces.cli._output import print_json

        print_json(result_document(result))
    else:
        show_result(result, small=adjudicators.packaged)
    for rung in failed:
        _note(f"{rung.provider} did not answer ({rung.failure}): {rung.detail}")
    return 2 if failed and result.method == "none" else 0


async def _table(
    source: Path, out: Path, adjudicators: Adjudicators, *, columns: Any, flags: dict[str, bool], as_json: bool
) -> int:
    from bicameral.runtime.pairs import adjudicate_table

    with _progress("pairs") as watch:
        summary = await adjudicate_table(
            source, out, adjudicators, columns=columns, watch=lambda done, _: watch(done, None), **flags
        )
    if as_json:
        from bicameral.interfaces.cli._output import print_json

        print_json(table_document(summary))
    else:
        show_table(summary, small=adjudicators.packaged, asked=adjudicators.anybody)
    return 0 if summary.complete else 2


async def _folder(folder: Path, adjudicators: Adjudicators, *, max_pairs: int | None, as_json: bool) -> int:
    from bicameral.runtime.scan import MAX_PAIRS, scan_folder

    with _progress("pairs") as watch:
        report = await scan_folder(
            folder, adjudicators, max_pairs=MAX_PAIRS if max_pairs is None else max_pairs, watch=watch
        )
    if as_json:
        from bicameral.interfaces.cli._output import print_json

        print_json(scan_document(report))
    else:
        show_scan(report, small=adjudicators.packaged, asked=adjudicators.anybody)
    return 0 if report.complete else 2


def _note(text: str) -> None:
    from bicameral.report.untrusted import safe_line

    typer.echo(f"note: {safe_line(text)}", err=True)


@contextmanager
def _progress(what: str) -> Iterator[Callable[[int, int | None], None]]:
    """A watcher that draws a bar on stderr while the block runs; one that does nothing where nobody is looking."""
    import sys

    if not sys.stderr.isatty():
        yield lambda done, total: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.description}"), BarColumn(bar_width=24), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bars:
        task = bars.add_task(what, total=None)
        yield lambda done, total: bars.update(task, completed=done, total=total)
