"""Which model APIs there are, and how one is reached: its address, and its key as the vendor names it.

Answers for reading `adapter:model` and resolving it against an environment that is handed in. Declines to open a
connection, and to show a key: `Access` keeps it out of its own text.

Rules, in order:
1. An address that the caller gives beats the environment's, and that beats the vendor's own.
2. A key is sent only where its own adapter is asked for; OPENAI_API_KEY never goes to an `openai-compatible` server.
3. What is missing is a ConfigError that names the variable.
"""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final
from urllib.parse import urlsplit

from bicameral.errors import ConfigError

OLLAMA_PORT: Final = 11434


@dataclass(frozen=True, kw_only=True)
class Adapter:
    """One API. key_names, url_names: environment variables, the first that is set counts.

    key_needed: it answers nobody without one.  default_url: None where there is none, or where its SDK knows it.
    """

    name: str
    key_names: tuple[str, ...]
    url_names: tuple[str, ...]
    key_needed: bool = True
    url_needed: bool = False
    default_url: str | None = None


ADAPTERS: Final[Mapping[str, Adapter]] = MappingProxyType(
    {
        adapter.name: adapter
        for adapter in (
            Adapter(
                name="openai",
                key_names=("OPENAI_API_KEY",),
                url_names=("OPENAI_BASE_URL",),
                default_url="https://api.openai.com/v1",
            ),
            Adapter(
                name="anthropic",
                key_names=("ANTHROPIC_API_KEY",),
                url_names=("ANTHROPIC_BASE_URL",),
                default_url="https://api.anthropic.com",
            ),
            Adapter(
                name="google",
                key_names=("GOOGLE_API_KEY", "GEMINI_API_KEY"),
                url_names=("GOOGLE_GEMINI_BASE_URL",),
                default_url="https://generativelanguage.googleapis.com",
            ),
            Adapter(
                name="ollama",
                key_names=("OLLAMA_API_KEY",),
                url_names=("OLLAMA_BASE_URL", "OLLAMA_HOST"),
                key_needed=False,
                default_url=f"http://127.0.0.1:{OLLAMA_PORT}/v1",
            ),
            Adapter(
                name="openai-compatible",
                key_names=("OPENAI_COMPATIBLE_API_KEY",),
                url_names=("OPENAI_COMPATIBLE_BASE_URL",),
                key_needed=False,
                url_needed=True,
            ),
        )
    }
)


@dataclass(frozen=True, kw_only=True)
class Access:
    """A model, where it is, and what opens it. The key is in no repr. host: the address as messages may show it."""

    adapter: str
    model: str
    base_url: str
    key: str | None = field(default=None, repr=False)

    @property
    def host(self) -> str:
        parts = urlsplit(self.base_url)
        return f"{parts.hostname}:{parts.port}" if parts.port else str(parts.hostname)

    @property
    def shown(self) -> str:
        """How messages name it, for example `ollama:qwen3 at 127.0.0.1:11434`."""
        return f"{self.adapter}:{self.model} at {self.host}"


def split_name(text: str) -> tuple[Adapter, str]:
    """Read `adapter:model`; the model may itself hold colons. Raises ConfigError that names the nearest adapter."""
    name, _, model = text.strip().partition(":")
    adapter = ADAPTERS.get(name)
    if adapter is None:
        near = difflib.get_close_matches(name, ADAPTERS, n=1)
        guess = f"Did you mean {near[0]}? " if near else ""
        raise ConfigError(f"There is no model API named {name!r}.", mend=f"{guess}Known: {', '.join(ADAPTERS)}.")
    if not model.strip():
        raise ConfigError(f"{text!r} names no model.", mend=f"Write {name}:MODEL.")
    return adapter, model.strip()


def resolve_access(
    text: str, environment: Mapping[str, str], *, base_url: str | None = None, key: str | None = None
) -> Access:
    """Where `adapter:model` is and what opens it.

    environment: the variables to read.  Raises ConfigError for an unknown adapter, an address that is none, and a
    missing key or address, naming the variable to set.
    """
    adapter, model = split_name(text)
    found = base_url or _first(environment, adapter.url_names) or adapter.default_url
    if found is None:
        raise ConfigError(
            f"{adapter.name} needs the address of a server.",
            mend=f"Set {adapter.url_names[0]}, for example to http://127.0.0.1:8080/v1.",
        )
    url = _ollama_url(found) if adapter.name == "ollama" else _checked_url(found, adapter)
    key = key or _first(environment, adapter.key_names)
    if key is None and adapter.key_needed:
        raise ConfigError(
            f"{adapter.name} needs an API key and none is set.", mend=f"Set {' or '.join(adapter.key_names)}."
        )
    if key is not None and not (key.isascii() and key.isprintable() and " " not in key):
        raise ConfigError(
            f"The API key of {adapter.name} holds white space or characters that no header can carry.",
            mend=f"Set {adapter.key_names[0]} anew.",
        )
    return Access(adapter=adapter.name, model=model, base_url=url, key=key)


def _first(environment: Mapping[str, str], names: tuple[str, ...]) -> str | None:
    """The first variable that holds something. White space at the ends is what copying left there."""
    for name in names:
        value = environment.get(name, "").strip()
        if value:
            return value
    return None


def _ollama_url(text: str) -> str:
    """Ollama's address in all the ways its own program takes it (`host`, `:port`, `0.0.0.0`), down to `/v1`."""
    if "://" not in text:
        text = f"http://{text}"
        host, _, port = text[len("http://") :].rstrip("/").rpartition(":")
        if not port.isdigit():
            text = f"{text.rstrip('/')}:{OLLAMA_PORT}"
        elif not host:
            text = f"http://127.0.0.1:{port}"
    text = text.replace("://0.0.0.0", "://127.0.0.1", 1).rstrip("/")
    url = _checked_url(text, ADAPTERS["ollama"])
    return url if urlsplit(url).path not in ("", "/") else f"{url}/v1"


def _checked_url(text: str, adapter: Adapter) -> str:
    mend = f"Write it as https://host/path; {adapter.url_names[0]} is where it is read from."
    try:
        parts = urlsplit(text)
        host, _ = parts.hostname, parts.port
    except ValueError as exc:
        raise ConfigError(f"The address of {adapter.name} cannot be read: {exc}.", mend=mend) from exc
    if parts.scheme not in ("http", "https") or not host:
        raise ConfigError(f"The address of {adapter.name} is no http or https address.", mend=mend)
    if parts.username is not None or parts.password is not None or parts.query or parts.fragment:
        raise ConfigError(
            f"The address of {adapter.name} holds a user name, a password or a query.",
            mend=f"Leave it out of the address; a key belongs in {adapter.key_names[0]}.",
        )
    return text.rstrip("/")
