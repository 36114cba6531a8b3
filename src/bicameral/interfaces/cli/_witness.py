"""`witness`: keys, records and transcripts of dialogs."""

from __future__ import annotations

from typing import Annotated

import typer

from bicameral.interfaces.cli._options import AsJson, Config, State, settings_for

app = typer.Typer(
    help="The record of what was said: its key, its form, its transcript.", no_args_is_help=True, rich_markup_mode=None
)

File = Annotated[str, typer.Argument(metavar="FILE", help="A dialog or a record as JSON; - reads stdin.")]


@app.command("key")
def key(file: File, as_json: AsJson = False) -> int:
    """Print a dialog's wire digest: equal digests are equal dialogs."""
    from bicameral.runtime.records import key_of, read_dialog_file

    found = key_of(read_dialog_file(file))
    if as_json:
        from bicameral.interfaces.cli._output import print_json

        print_json(found)
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
    from bicameral.interfaces.cli._output import print_json
    from bicameral.runtime.records import read_dialog_file, record_of

    print_json(record_of(read_dialog_file(file), label))
    return 0


@app.command("list")
def list_records(state: State = None, config: Config = None, as_json: AsJson = False) -> int:
    """List the records of this store, newest last, by each of their names."""
    settings = settings_for(config, state)
    from bicameral.runtime.records import stored_records
    from bicameral.runtime.workspace import Workspace

    with Workspace.open(settings, create=False) as space:
        rows = stored_records(space)
    if as_json:
        from bicameral.interfaces.cli._output import print_json

        print_json({"records": rows})
        return 0
    if not rows:
        typer.echo("No record yet. `bicameral check` leaves one for each view.")
    for row in rows:
        runs = "1 run" if len(row["runs"]) == 1 else f"{len(row['runs'])} runs"
        typer.echo(f"{row['view']}  ({runs})")
        typer.echo(f"  record  {row['digest']}\n  dialog  {row['dialog_id']}\n  key     {row['wire_digest']}")
    return 0


@app.command("show")
def show(
    what: Annotated[
        str,
        typer.Argument(
            metavar="PATH", help="A record's file, or the start of its digest, dialog id or wire digest in the store."
        ),
    ],
    state: State = None,
    config: Config = None,
    as_json: AsJson = False,
) -> int:
    """Print a dialog as a transcript: who said what to whom, in order, with the hashes."""
    settings = settings_for(config, state)
    from bicameral.runtime.records import find_record, transcript

    found = find_record(settings, what)
    if as_json:
        from bicameral.interfaces.cli._output import print_json

        print_json(found)
    else:
        typer.echo(transcript(found), nl=False)
    return 0
