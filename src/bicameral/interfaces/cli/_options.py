"""Flags that several commands share, and reading their values."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer

from bicameral.errors import ConfigError

if TYPE_CHECKING:
    from bicameral.settings import Settings

Word = TypeVar("Word", bound=str)

State = Annotated[
    Path | None, typer.Option("--state", metavar="DIR", help="Where everything is kept. [default: .bicameral]")
]
Config = Annotated[
    Path | None,
    typer.Option("--config", metavar="FILE", help="Settings. [default: bicameral.toml or pyproject.toml, if there]"),
]
AsJson = Annotated[bool, typer.Option("--json", help="Write one JSON document to stdout and nothing else.")]


def settings_for(config: Path | None, state: Path | None, **flags: Any) -> Settings:
    """The settings of a command started here."""
    import os

    from bicameral.settings import load_settings

    return load_settings(Path.cwd(), config=config, environment=os.environ, flags={"state_dir": state, **flags})


def words(text: str | None, known: Sequence[Word], flag: str) -> tuple[Word, ...] | None:
    """A comma-separated list of known words, in the vocabulary's own order. Raises ConfigError for any other."""
    if text is None:
        return None
    given = [word.strip() for word in text.split(",") if word.strip()]
    for word in given:
        if word not in known:
            close = difflib.get_close_matches(word, known, n=1)
            mend = f"Did you mean {close[0]}?" if close else f"Choose from {', '.join(known)}."
            raise ConfigError(f"{flag}: {word!r} is not known.", mend=mend)
    if not given:
        raise ConfigError(f"{flag} names nothing.", mend=f"Choose from {', '.join(known)}.")
    return tuple(word for word in known if word in given)


def route_list(text: str | None) -> tuple[str, ...] | None:
    """Comma-separated routes, each made to start with a slash, in the order given, each once."""
    if text is None:
        return None
    routes = [part.strip() for part in text.split(",") if part.strip()]
    if not routes:
        raise ConfigError("--routes names nothing.", mend="Give paths such as /,/about.html")
    return tuple(dict.fromkeys(route if route.startswith("/") else f"/{route}" for route in routes))


def program() -> str:
    """How the program is called from this shell: by its name if that is found, else by its path."""
    import shutil
    import sys

    if shutil.which("bicameral") is not None:
        return "bicameral"
    beside = Path(sys.executable).parent / "bicameral"
    if not beside.is_file():
        return "python -m bicameral"
    try:
        return str(beside.relative_to(Path.cwd()))
    except ValueError:
        return str(beside)
