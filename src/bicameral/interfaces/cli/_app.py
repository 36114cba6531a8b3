"""The commands' tree, and what an error looks like on the way out.

Command modules are imported here, so they must not import anything heavy at their top: `--help` answers in
under 200 ms because a command loads what it needs when it runs.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

import typer

from bicameral import __version__
from bicameral.errors import BicameralError, DefectError
from bicameral.interfaces.cli import _adjudicate, _backlog, _check, _doctor, _nli, _witness
from bicameral.interfaces.cli._output import print_json

app = typer.Typer(
    name="bicameral",
    help="Two judges, one account of what is wrong in an application's screenshots, on a record anyone can check.",
    no_args_is_help=True,
    add_completion=False,
    # Plain help: loading rich for it would cost more than the 200 ms that --help may take.
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command("check")(_check.check)
app.command("judge")(_check.judge)
app.command("adjudicate")(_adjudicate.adjudicate)
app.add_typer(_backlog.app, name="backlog")
app.add_typer(_witness.app, name="witness")
app.add_typer(_nli.app, name="nli")
app.command("doctor")(_doctor.doctor)


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"bicameral {__version__}")
        raise typer.Exit


@app.callback()
def _root(
    version: bool = typer.Option(
        False, "--version", help="Print the version and stop.", is_eager=True, callback=_show_version
    ),
) -> None:
    pass


def run(arguments: Sequence[str]) -> int:
    """Run one command line; the exit status. An error is a sentence on stderr; with --json also a document."""
    as_json = "--json" in arguments
    try:
        # The command is called below typer's own main, which would turn an interruption into a silent exit.
        command = typer.main.get_command(app)
        with command.make_context("bicameral", list(arguments)) as context:
            result: Any = command.invoke(context)
        if sys.stdout is not None:
            sys.stdout.flush()  # a full disk is told here, and not after the status was
    except typer.Exit as exc:
        return exc.exit_code
    except BicameralError as exc:
        return _failed(exc, as_json)
    except KeyboardInterrupt:
        interrupted = BicameralError(
            "Interrupted.", mend="Every view that was judged is kept; run it again and it is not judged twice."
        )
        return _failed(interrupted, as_json)
    except BrokenPipeError:
        sys.stderr.close()  # a reader such as `head` has seen enough; nothing is left to tell it
        return 2  # what was found was not told whole, so it must not read as "nothing open"
    except OSError as exc:
        if _stdout_takes_no_more(exc):
            return 2
        return _unexpected(exc, as_json)
    except Exception as exc:  # the last resort: a user sees a sentence, a developer asks for the trace
        return _unexpected(exc, as_json)
    return result if isinstance(result, int) else 0


def _stdout_takes_no_more(exc: OSError) -> bool:
    """Whether stdout is a place that is full or cannot be written, which is then told on stderr.

    Whatever else writes a file names it in an error of its own. Stdout is written to no more: what is left in its
    buffer would fail again when the program ends.
    """
    import errno
    import os

    if exc.filename is not None or exc.errno not in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EBADF):
        return False
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.close(nowhere)
    what = f"error: stdout could not be written: {exc.strerror}. What was found was not told whole."
    typer.echo(f"{what} Free some space, or send it elsewhere.", err=True)
    return True


def _unexpected(exc: Exception, as_json: bool) -> int:
    show = getattr(exc, "show", None)
    if callable(show):  # a usage error of the command line itself: it says what and where
        show()
        if as_json:
            print_json({"error": {"kind": "UsageError", "message": exc.format_message(), "mend": None}})  # type: ignore[attr-defined]  # click's
        return 2
    import os
    import traceback

    if os.environ.get("BICAMERAL_TRACE"):
        traceback.print_exception(exc)
    defect = DefectError(
        f"Something went wrong inside Bicameral: {type(exc).__name__}: {exc}.",
        mend="Nothing that was committed is lost. Set BICAMERAL_TRACE=1 to see where, and please report it.",
    )
    return _failed(defect, as_json)


def _failed(exc: BicameralError, as_json: bool) -> int:
    from bicameral.report.untrusted import safe_lines

    typer.echo(f"error: {safe_lines(str(exc))}", err=True)
    if as_json:
        print_json({"error": {"kind": type(exc).__name__, "message": exc.message, "mend": exc.mend}})
    return exc.exit_status
