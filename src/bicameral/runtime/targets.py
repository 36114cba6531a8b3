"""Which pages a command line means.

A target's name is its identity in the backlog; its address is not, since hosts and ports change between runs.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Sequence
from dataclasses import replace
from urllib.parse import urlsplit

from bicameral.errors import ConfigError
from bicameral.settings import DEFAULT_TARGET_NAME, Settings, TargetSettings

_NAMED = re.compile(r"(?P<name>[^/\s=:?#]+)=(?P<url>https?://.+)")


def resolve_targets(
    settings: Settings, given: Sequence[str], routes: tuple[str, ...] | None
) -> tuple[TargetSettings, ...]:
    """The targets of a run: addresses, `name=address`, or names from the settings; all configured ones by default.

    routes: replaces every target's own.  Raises ConfigError for nothing to do, an unknown name, or two of one name.
    """
    chosen = tuple(_resolve(settings, word) for word in given) or settings.targets
    if not chosen:
        raise ConfigError(
            "There is nothing to check.", mend="Name an address, for example: bicameral check http://127.0.0.1:8000"
        )
    names = [target.name for target in chosen]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise ConfigError(
            f"Two targets are named {', '.join(twice)}.",
            mend="Give each address a name of its own: shop=http://127.0.0.1:8000 admin=http://127.0.0.1:8001",
        )
    if routes is None:
        return chosen
    return tuple(replace(target, routes=routes) for target in chosen)


def _resolve(settings: Settings, word: str) -> TargetSettings:
    named = _NAMED.fullmatch(word)
    if named:
        return TargetSettings(name=named["name"], url=_address(named["url"]))
    if "://" in word:
        return TargetSettings(name=DEFAULT_TARGET_NAME, url=_address(word))
    for target in settings.targets:
        if target.name == word:
            return target
    known = [target.name for target in settings.targets]
    close = difflib.get_close_matches(word, known, n=1)
    if close:
        mend = f"Did you mean {close[0]}?"
    elif re.fullmatch(r"[\w.\-\[\]:]+:\d+(/.*)?", word):
        mend = f"An address needs its scheme: http://{word}"
    else:
        mend = "Give an address such as http://127.0.0.1:8000, or the name of a target in bicameral.toml."
    raise ConfigError(f"{word!r} is neither an address nor a configured target.", mend=mend)


def _address(url: str) -> str:
    try:
        parts = urlsplit(url)
        port_ok = parts.port is None or 0 < parts.port < 65536
    except ValueError as exc:
        raise ConfigError(f"{url!r} is not an address: {exc}.") from exc
    if parts.scheme not in ("http", "https") or not parts.hostname or not port_ok:
        raise ConfigError(f"{url!r} is not an http or https address.", mend="For example: http://127.0.0.1:8000")
    return url
