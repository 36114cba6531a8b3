"""`witness`: reading what is on record. What makes and changes something is in `_witness_making`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from bicameral.interfaces.cli import _witness_making as making
from bicameral.interfaces.cli._options import AsJson, Config, State, settings_for

app = typer.Typer(
    help="The record of what was said: verify it, replay it, compare it, hand it on.",
    no_args_is_help=True,
    rich_markup_mode=None,
)

File = Annotated[str, typer.Argument(metavar="FILE", help="A dialog or a record as JSON; - reads stdin.")]
What = Annotated[
    str,
    typer.Argument(
        metavar="PATH",
        help="A record's file, bundle, trace or state folder; or of the store a digest's start, a view, RUN/VIEW.",
    ),
]
Name = Annotated[
    str | None,
    typer.Argument(metavar="NAME", help="Of the record in that bundle or folder: its view, or a digest's start."),
]


def _print_json(document: object) -> None:
    from bicameral.interfaces.cli._output import print_json

    print_json(document)


@app.command("key")
def key(file: File, as_json: AsJson = False) -> int:
    """Print a dialog's wire digest: equal digests are equal dialogs."""
    from bicameral.runtime.records import key_of, read_dialog_file

    found = key_of(read_dialog_file(file))
    if as_json:
        _print_json(found)
    else:
        typer.echo(found["wireDigest"])
    return 0


@app.command("record")
def record(
    file: File,
    label: Annotated[str | None, typer.Option("--label", help="A name to carry along.")] = None,
    as_json: AsJson = False,
) -> int:
    """Print a dialog's agent.dialog.v1 record."""
    from bicameral.runtime.records import read_dialog_file, record_of

    _print_json(record_of(read_dialog_file(file), label))
    return 0


@app.command("list")
def list_records(
    path: Annotated[
        str | None, typer.Argument(metavar="PATH", help="A bundle or a state folder. [default: this store]")
    ] = None,
    state: State = None,
    config: Config = None,
    as_json: AsJson = False,
) -> int:
    """List the records of a store or a bundle, newest last, by each of their names."""
    settings = settings_for(config, state)
    from bicameral.report.untrusted import safe_line
    from bicameral.runtime.witnessing.locating import records_in

    rows = records_in(settings, path)
    if as_json:
        _print_json({"records": [{**vars(row), "runs": list(row.runs)} for row in rows]})
        return 0
    if not rows:
        typer.echo("No record yet. `bicameral check` leaves one for each view.")
    for row in rows:
        runs = "" if not row.runs else "  (1 run)" if len(row.runs) == 1 else f"  ({len(row.runs)} runs)"
        typer.echo(f"{safe_line(row.view) or 'a dialog'}{runs}")
        typer.echo(f"  record  {row.digest}\n  dialog  {safe_line(row.dialog_id)}\n  key     {row.wire_digest}")
        if row.runs:
            typer.echo(f"  run     {row.runs[-1]}")
    return 0


@app.command("show")
def show(what: What, name: Name = None, state: State = None, config: Config = None, as_json: AsJson = False) -> int:
    """Print a dialog as a transcript: who said what to whom, in order, with the hashes."""
    settings = settings_for(config, state)
    from bicameral.runtime.witnessing.locating import locate

    found = locate(settings, what, name)
    if as_json:
        _print_json(dict(found.members))
        return 0
    from bicameral.interfaces.cli._witness_told import evidence_lines, reply_lines
    from bicameral.runtime.witnessing.charges import evidence_of
    from bicameral.witness import render_transcript

    typer.echo(render_transcript(found.members), nl=False)
    for line in (*reply_lines(found), *evidence_lines(evidence_of(found.body), found)):
        typer.echo(line)
    return 0


@app.command("verify")
def verify(
    paths: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="PATH...", help="Bundles, records, cael.v1 traces or state folders. [default: this store]"
        ),
    ] = None,
    keys: Annotated[
        list[Path] | None,
        typer.Option("--key", metavar="FILE", help="A public key that must have signed it; may be given again."),
    ] = None,
    head: Annotated[
        str | None,
        typer.Option("--head", metavar="DIGEST", help="The digest that its newest entry, or the record, must have."),
    ] = None,
    state: State = None,
    config: Config = None,
    as_json: AsJson = False,
) -> int:
    """Derive every hash again from what is there. Status 0: sound; 1: broken; 2: unreadable; 3: not signed by --key."""
    settings = settings_for(config, state)
    from bicameral.interfaces.cli._witness_told import verified_document, verified_lines
    from bicameral.runtime.witnessing.verifying import check_head, load_keys, verify_path, worst

    pinned = load_keys(keys or ())
    check_head(head)
    found = []
    wanted: list[str | None] = [*paths] if paths else [None]
    for path in wanted:
        one = verify_path(settings, path, keys=pinned, head=head)
        found.append(one)
        if not as_json:
            for line in verified_lines(one):
                typer.echo(line)
    status = worst(one.status for one in found)
    if as_json:
        _print_json(verified_document(found, status))
    return status


@app.command("diff")
def diff(
    a: Annotated[str, typer.Argument(metavar="A", help="As for show; of a bundle's record write BUNDLE/NAME.")],
    b: Annotated[str, typer.Argument(metavar="B", help="The same.")],
    as_record: Annotated[
        bool, typer.Option("--record", help="Print the comparison's equivalence.v1 record instead.")
    ] = False,
    state: State = None,
    config: Config = None,
    as_json: AsJson = False,
) -> int:
    """Compare two dialogs. Status 0: they are one; 1: they differ, and the first turn where they part is told."""
    settings = settings_for(config, state)
    from bicameral.interfaces.cli._witness_told import difference_document
    from bicameral.report.untrusted import safe_line
    from bicameral.runtime.witnessing.comparing import compare

    found = compare(settings, a, b)
    if as_record:
        _print_json(found.record)
    elif as_json:
        first = difference_document(found.difference)
        _print_json({"equivalent": found.difference is None, "first_difference": first})
    elif found.difference is None:
        typer.echo("The two dialogs are equivalent.")
    else:
        typer.echo(f"They part at {safe_line(str(found.difference))}")
    return 0 if found.difference is None else 1


@app.command("replay")
def replay(
    what: Annotated[
        str | None,
        typer.Argument(
            metavar="PATH",
            help="A bundle or state folder; or of this store a run or a record. [default: this store]",
        ),
    ] = None,
    name: Name = None,
    state: State = None,
    config: Config = None,
    as_json: AsJson = False,
) -> int:
    """Verify, then read the raw replies again: the same findings and consensus must come out. No judge is called.

    Status 0: all came out the same, or could not be replayed for want of a reply; 1: one did not, or is broken.
    """
    settings = settings_for(config, state)
    from bicameral.interfaces.cli._witness_told import replayed_document, replayed_lines
    from bicameral.runtime.witnessing.rereading import replay_path

    found = replay_path(settings, what, name)
    if as_json:
        _print_json(replayed_document(found))
    else:
        for line in replayed_lines(found):
            typer.echo(line)
    return found.status


app.command("bundle")(making.bundle)
app.command("export")(making.export)
app.command("redact")(making.redact)
app.command("keygen")(making.keygen)
app.command("sign")(making.sign)
app.command("rotate")(making.rotate)
