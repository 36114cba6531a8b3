"""The `witness` commands that make or change something: bundles, traces, redactions, keys and signatures."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bicameral.errors import ConfigError
from bicameral.interfaces.cli._options import AsJson, Config, State, settings_for

if TYPE_CHECKING:
    from bicameral.settings import Settings
    from bicameral.witness.keys import PrivateKey

STDOUT = Path("-")

SigningKey = Annotated[
    Path | None,
    typer.Option("--signing-key", metavar="FILE", help="The private key. [default: what BICAMERAL_SIGNING_KEY names]"),
]


def _print_json(document: object) -> None:
    from bicameral.interfaces.cli._output import print_json

    print_json(document)


def bundle(
    run: Annotated[
        str, typer.Argument(metavar="RUN", help="A run's id or a start of it; latest is the newest.")
    ] = "latest",
    whole: Annotated[bool, typer.Option("--all", help="The whole store instead of one run.")] = False,
    out: Annotated[
        Path | None, typer.Option("--out", metavar="FILE", help="Where to; - is stdout. [default: RUN.bicameral.tar]")
    ] = None,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace a file that is there.")] = False,
    state: State = None,
    config: Config = None,
    as_json: AsJson = False,
) -> int:
    """Pack a run into one file for someone who has nothing else: records, chain, pictures, raw replies."""
    if out == STDOUT and as_json:
        raise ConfigError("--out - writes the bundle to stdout, where --json has no place.", mend="Leave one out.")
    if whole and run != "latest":
        raise ConfigError(f"--all is the whole store; {run} is one run of it.", mend="Leave one out.")
    settings = settings_for(config, state)
    import sys

    from bicameral.runtime.witnessing.bundling import bundle as packed
    from bicameral.runtime.witnessing.bundling import bundle_to
    from bicameral.runtime.workspace import Workspace

    chosen = None if whole else run
    with Workspace.open(settings, create=False) as space:
        if out == STDOUT:
            if sys.stdout.isatty():
                raise ConfigError("A bundle is no text for a terminal.", mend="Redirect stdout, or name a file.")
            done = bundle_to(space, chosen, sys.stdout.buffer)
        else:
            done = packed(space, chosen, out, overwrite=overwrite)
    if as_json:
        _print_json({**vars(done), "file": str(done.file)})
        return 0
    what = "the whole store" if done.run_id is None else f"run {done.run_id}"
    typer.echo(
        f"{done.file or 'stdout'}: {what}, {done.records} of {done.entries} records whole, {done.blobs} pictures, "
        f"facts and instructions, {done.size:,} bytes.",
        err=out == STDOUT,
    )
    if not done.finished:
        typer.echo("The run was not finished: what it had judged is in it.", err=True)
    if done.failed:
        typer.echo(f"{done.failed} of its views could not be judged: no record tells of them.", err=True)
    return 0


def export(
    what: Annotated[str, typer.Argument(metavar="PATH", help="As for show.")],
    name: Annotated[str | None, typer.Argument(metavar="NAME", help="As for show.")] = None,
    cael: Annotated[bool, typer.Option("--cael", help="As a cael.v1 hash-chained trace, an entry a line.")] = False,
    mode: Annotated[str, typer.Option("--mode", metavar="sha256|fnv1a", help="The trace's hash.")] = "sha256",
    out: Annotated[Path | None, typer.Option("--out", metavar="FILE", help="Where to; stdout if not given.")] = None,
    state: State = None,
    config: Config = None,
    as_json: AsJson = False,
) -> int:
    """Write a record in another format."""
    from bicameral.interfaces.cli._options import words

    modes = words(mode, ("sha256", "fnv1a"), "--mode")
    if not cael:
        raise ConfigError("Export into which format?", mend="Give --cael.")
    if modes is None or len(modes) != 1:
        raise ConfigError("--mode takes one of sha256 and fnv1a.")
    if out is None and as_json:
        raise ConfigError("The trace goes to stdout, where --json has no place.", mend="Give --out FILE.")
    settings = settings_for(config, state)
    from bicameral.runtime.witnessing.exporting import cael_lines

    lines = cael_lines(settings, what, name, mode=modes[0])  # type: ignore[arg-type]  # `words` gives one of the two
    if out is None:
        import sys

        for line in lines:
            sys.stdout.buffer.write(line)
        sys.stdout.flush()
        return 0
    from bicameral.interfaces.cli._output import write_file

    written = list(lines)
    write_file(out, b"".join(written))
    if as_json:
        _print_json({"file": str(out), "entries": len(written)})
    else:
        typer.echo(f"{len(written)} entries written to {out}.")
    return 0


def redact(
    digest: Annotated[
        str,
        typer.Argument(metavar="DIGEST", help="Of a picture, facts, instructions or a reply: whole, or 12 digits."),
    ],
    reason: Annotated[str, typer.Option("--reason", help="Why; kept with the digest.")],
    by: Annotated[
        str | None, typer.Option("--by", metavar="NAME", help="Who does it. [default: git's user, else the login]")
    ] = None,
    state: State = None,
    config: Config = None,
    as_json: AsJson = False,
) -> int:
    """Drop bytes for good. Their digest stays, and `verify` says who dropped them and why."""
    settings = settings_for(config, state)
    from bicameral.runtime.witnessing.redacting import redact as dropped
    from bicameral.runtime.workspace import Workspace

    with Workspace.open(settings, create=False) as space:
        done = dropped(space, digest, reason=reason, by=by)
    if as_json:
        _print_json({**vars(done), "kinds": list(done.kinds)})
        return 0
    gone = [f"{done.replies} raw replies" if done.replies != 1 else "1 raw reply"] if done.replies else []
    gone += ["1 file of evidence"] if done.file else []
    typer.echo(f"{done.digest}: {' and '.join(gone) or 'nothing that was still here'} dropped.")
    if done.records:
        typer.echo(f"{done.records} record{'' if done.records == 1 else 's'} still name it by its digest.")
    return 0


def keygen(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Where the private key goes; it must not exist.")],
    public: Annotated[
        Path | None, typer.Option("--public", metavar="FILE", help="Where the public key goes. [default: FILE.pub]")
    ] = None,
    as_json: AsJson = False,
) -> int:
    """Make an Ed25519 key pair. With BICAMERAL_SIGNING_PASSPHRASE set the private file is encrypted with it."""
    settings = settings_for(None, None)
    from bicameral.runtime.keyfiles import generate_key, write_key_pair

    made = generate_key()
    beside = write_key_pair(made, file, public, passphrase=settings.signing_passphrase)
    if as_json:
        _print_json({"key_id": made.key_id, "private": str(file), "public": str(beside)})
        return 0
    typer.echo(f"{made.key_id}\n  private  {file} (keep it; BICAMERAL_SIGNING_KEY={file} signs each run)")
    typer.echo(f"  public   {beside} (give it to whoever verifies: witness verify --key {beside})")
    return 0


def sign(signing_key: SigningKey = None, state: State = None, config: Config = None, as_json: AsJson = False) -> int:
    """Sign the newest entry of this store's chain, and with it every entry before."""
    settings = settings_for(config, state, signing_key=signing_key)
    from bicameral.errors import InputError
    from bicameral.runtime.signing import NOTHING_TO_SIGN, sign_head
    from bicameral.runtime.workspace import Workspace

    private = _private_key(settings)
    with Workspace.open(settings, create=False) as space:
        done = sign_head(space, private)
    if done is None:
        raise InputError(NOTHING_TO_SIGN, mend="`bicameral check` or `bicameral judge` makes one.")
    if as_json:
        _print_json(
            {
                "head": done.envelope.subject,
                "seq": done.seq,
                "key_id": done.envelope.key_id,
                "signed_at": done.envelope.signed_at,
                "is_new": done.is_new,
            }
        )
    else:
        again = "" if done.is_new else " It had been signed by this key before."
        typer.echo(f"Entry {done.seq}, {done.envelope.subject}, is signed by {done.envelope.key_id}.{again}")
    return 0


def rotate(
    new: Annotated[Path, typer.Argument(metavar="NEW", help="The private key that follows the present one.")],
    signing_key: SigningKey = None,
    state: State = None,
    config: Config = None,
    as_json: AsJson = False,
) -> int:
    """Let a new key follow the present one, on its signed word: who pinned the old key goes on being able to verify."""
    settings = settings_for(config, state, signing_key=signing_key)
    from bicameral.runtime.keyfiles import load_private_key
    from bicameral.runtime.signing import rotate_key
    from bicameral.runtime.workspace import Workspace

    old = _private_key(settings)
    following = load_private_key(new, passphrase=settings.signing_passphrase)
    with Workspace.open(settings, create=False) as space:
        done = rotate_key(space, old, following)
    if as_json:
        _print_json(
            {
                "old_key_id": old.key_id,
                "new_key_id": following.key_id,
                "signed_at": done.rotation.signed_at,
                "head": None if done.head is None else done.head.envelope.subject,
            }
        )
    else:
        typer.echo(f"{old.key_id} is followed by {following.key_id}. Sign with {new} from now on.")
    return 0


def _private_key(settings: Settings) -> PrivateKey:
    from bicameral.runtime.signing import signing_key_of

    key = signing_key_of(settings)
    if key is None:
        raise ConfigError(
            "There is no key to sign with.", mend="Give --signing-key FILE, or set BICAMERAL_SIGNING_KEY to its name."
        )
    return key
