"""`nli`: serve the classifier to other programs, and fetch a better one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from bicameral.errors import ConfigError
from bicameral.interfaces.cli._options import AsJson
from bicameral.interfaces.nli.limits import Limits

if TYPE_CHECKING:
    import socket

app = typer.Typer(
    help="The classifier that weighs contradictions: serve it, fetch another.",
    no_args_is_help=True,
    rich_markup_mode=None,
)

_DEFAULT = Limits()

PORT = 11435
"""Where clients of the sidecar look for it."""


@app.command("serve")
def serve(
    host: Annotated[str, typer.Option("--host", metavar="ADDRESS", help="The address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option("--port", metavar="PORT", help="0 takes any free one.", min=0, max=65535)] = PORT,
    nli: Annotated[
        str, typer.Option("--nli", metavar="MODEL", help="packaged, or NAME@REVISION of one that was pulled.")
    ] = "packaged",
    allow_remote: Annotated[
        bool, typer.Option("--allow-remote", help="Let --host be an address that other machines can reach.")
    ] = False,
    allow_host: Annotated[
        list[str] | None,
        typer.Option("--allow-host", metavar="NAME", help="A name, beside addresses and localhost, to answer to."),
    ] = None,
    max_pairs: Annotated[int, typer.Option("--max-pairs", help="The most pairs of one batch.", min=1)] = _DEFAULT.pairs,
    max_characters: Annotated[int, typer.Option("--max-characters", help="Of one text.", min=1)] = _DEFAULT.characters,
    max_bytes: Annotated[int, typer.Option("--max-bytes", help="Of one request's body.", min=1)] = _DEFAULT.body_bytes,
    as_json: AsJson = False,
) -> int:
    """Serve the classifier over HTTP: POST /classify, POST /batch, GET /health. Stops on Ctrl-C or SIGTERM."""
    import asyncio

    from bicameral.interfaces.nli.serve import is_loopback, listen

    if not allow_remote and not is_loopback(host):
        raise ConfigError(
            f"{host} can be reached from other machines, and the server asks nobody who they are.",
            mend="Use --host 127.0.0.1, or --allow-remote if that is what you want.",
        )
    if nli.strip() == "none" or "://" in nli:
        raise ConfigError(f"--nli {nli!r} is no model to serve.", mend="Use packaged or NAME@REVISION.")
    limits = Limits(body_bytes=max_bytes, pairs=max_pairs, characters=max_characters)
    with listen(host, port) as listening:
        asyncio.run(_serve(listening, host, nli, limits, tuple(allow_host or ()), as_json))
    return 0


async def _serve(
    listening: socket.socket, host: str, nli: str, limits: Limits, names: tuple[str, ...], as_json: bool
) -> None:
    from bicameral.interfaces.nli.app import make_app
    from bicameral.interfaces.nli.serve import serve as until_a_signal
    from bicameral.runtime.adjudicating import open_adjudicators

    async with open_adjudicators(nli=nli, timeout_s=None) as opened:
        model = opened.nli
        assert model is not None
        await model.classify("The lamp is on.", "The lamp is off.")  # so that the first client does not wait for it
        address = listening.getsockname()
        url = f"http://[{address[0]}]:{address[1]}" if ":" in address[0] else f"http://{address[0]}:{address[1]}"

        def ready() -> None:
            if as_json:
                from bicameral.interfaces.cli._output import print_json

                digest = getattr(model, "digest", None)
                print_json({"url": url, "host": address[0], "port": address[1], "model": model.name, "digest": digest})
            else:
                typer.echo(f"Listening on {url} (model {model.name}). Stop with Ctrl-C.")

        await until_a_signal(make_app(model, limits=limits, names=(host, *names)), listening, ready=ready)


@app.command("pull")
def pull(
    model: Annotated[
        str, typer.Argument(metavar="NAME@REVISION", help="A cross-encoder on the model hub, best by a commit's hash.")
    ],
    network: Annotated[
        str | None,
        typer.Option("--network", metavar="FILE", help="The ONNX file in its repository, where it is not model.onnx."),
    ] = None,
    as_json: AsJson = False,
) -> int:
    """Fetch a classifier once, by name and revision, and pin it by its digests. Then: --nli NAME@REVISION.

    A better one than the packaged is cross-encoder/nli-deberta-v3-base@main; a branch is pinned to its commit.
    """
    from bicameral.adjudication.nli.fetch import fetch_model

    fetched = fetch_model(model, network=network)
    named = f"{fetched.name}@{fetched.revision}"
    if as_json:
        from bicameral.interfaces.cli._output import print_json

        print_json(
            {
                "model": named,
                "commit": fetched.commit,
                "digest": fetched.digest,
                "folder": str(fetched.folder),
                "files": dict(fetched.files),
            }
        )
    else:
        typer.echo(f"{named} is in {fetched.folder}")
        typer.echo(f"commit {fetched.commit}, digest {fetched.digest}")
        typer.echo(f"Use it with --nli {named}")
    return 0
