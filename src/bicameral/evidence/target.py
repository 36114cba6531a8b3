"""Addresses: what may be opened, what a route is called, and what may be written down of an address.

Answers for the rules on a target (DESIGN 10 and section 1) and for keeping hosts, ports, queries and credentials out
of everything that is stored. Declines to open anything.

Rules: only http and https; the host is this machine's own (localhost and below, 127/8, ::1) unless remote ones are
allowed; credentials go to the browser and nowhere else. A route is known by its path. Where an address that somebody
listed has a query or a fragment, the key adds them so that two routes stay two: the parameters' names as they are, and
of the values the first 8 hex digits of a digest, which hides nothing from who can guess the value. So of parameters
whose names say that they may hold a secret (`_secrets`), and of values without a name that look like a code, nothing is
in the digest; two routes that differ in these alone cannot be told apart and are refused together.
"""

from __future__ import annotations

import hashlib
import ipaddress
import re
from dataclasses import dataclass, field
from functools import cache
from typing import Final
from urllib.parse import SplitResult, parse_qsl, quote, unquote, urljoin, urlsplit

from bicameral.errors import TargetError
from bicameral.evidence._secrets import is_opaque, is_secret_name, without_path_secrets

_DEFAULT_PORTS: Final = {"http": 80, "https": 443}
_ADDRESS: Final = re.compile(r"\b(?:https?|wss?|file|blob:https?)://[^\s\"'<>`]+", re.IGNORECASE)
_SUSPECT: Final = re.compile(r"[/?:;]|localhost", re.IGNORECASE)
_NO_SCHEME: Final = re.compile(r"(?<![\w:/.])//[\w\[][^\s\"'<>`]*")
_QUERY: Final = re.compile(r"(?<=[\w/.~%-])\?[\w.~%+\[\]-]+=[^\s\"'<>`()]*")
_PARAMETER: Final = re.compile(r"(?<=[\w/])(;[\w.~%-]+)=[^\s\"'<>`();/]*")
_JSON_WEB_TOKEN: Final = re.compile(r"\beyJ[\w-]{6,}\.[\w-]+(?:\.[\w-]*)?")
_SCHEME_OF_SIGN_IN: Final = re.compile(
    r"\b(Bearer|Basic|Digest|Negotiate)\s+(?=\S*[\d_=~+/-]|\S{16})[\w.~+/=-]{6,}", re.IGNORECASE
)
_NAMED_SECRET: Final = re.compile(
    r"((?:[\w-]*(?:token|secret|passw|pwd|api[_-]?key|authorization|session|cookie|signature|credential|csrf|xsrf|jwt)[\w-]*"
    r"|\b(?:sid|sig|auth))[\"']?\s*(?:=|:(?=\s*[\"'])|(?<=authorization):|(?<=cookie):)\s*[\"']?)(?!Bearer|Basic|Digest|Negotiate|\()"
    r"[^\s\"'<>&,;(){}\[\]]{3,}",
    re.IGNORECASE,
)
REMOVED: Final = "(removed)"
_PATH_SAFE: Final = "/:@!$&'()*+,;=~-._%"
NAMES_SHOWN: Final = 60


@dataclass(frozen=True, kw_only=True)
class Address:
    """One address that may be opened.

    url: without credentials.  origin: scheme, host and port.  shown: for people: no credentials, no query.
    route: the key.  user, password: never shown, stored or compared.
    """

    url: str
    origin: str
    shown: str
    route: str
    local: bool
    user: str | None = field(default=None, repr=False, compare=False)
    password: str | None = field(default=None, repr=False, compare=False)


def read_address(text: str, *, allow_remote: bool = False) -> Address:
    """Read an address. Raises TargetError, with the mend, for one that may not be opened."""
    parts, port = _split(text)
    host = parts.hostname or ""
    shown = _shown(parts, port)
    local = is_local(host)
    if not local and not allow_remote:
        raise TargetError(
            f"{shown} is not on this machine.",
            mend="Pass --allow-remote to open it all the same, if it is yours to check.",
        )
    origin = _origin(parts.scheme, host, port)
    path = quote(parts.path or "/", safe=_PATH_SAFE)
    url = origin + path + (f"?{parts.query}" if parts.query else "") + (f"#{parts.fragment}" if parts.fragment else "")
    return Address(
        url=url,
        origin=origin,
        shown=shown,
        route=route_key(url),
        local=local,
        user=unquote(parts.username) if parts.username else None,
        password=unquote(parts.password or "") if parts.username else None,
    )


def addresses(base_url: str, routes: tuple[str, ...], *, allow_remote: bool = False) -> tuple[Address, ...]:
    """Every route of a target as an address, in the order given; no routes: the base address itself.

    A route is a path with or without a query, or a whole address of the same origin. Repeats are opened once.
    Raises TargetError for a route that leads off the target's origin, and for two routes with one key.
    """
    base = read_address(base_url, allow_remote=allow_remote)
    found = [base] if not routes else [_on(base, route, allow_remote=allow_remote) for route in routes]
    once = tuple({address.url: address for address in found}.values())
    _tell_apart(once)
    return once


def _tell_apart(found: tuple[Address, ...]) -> None:
    known: dict[str, Address] = {}
    for address in found:
        other = known.setdefault(address.route, address)
        if other is not address:
            raise TargetError(
                f"Two routes are both named {address.route}: they differ in the order of parameters alone, or in "
                "what may be a secret, which no name holds.",
                mend="Leave one out, or check it in a run or as a target of its own.",
            )


def _on(base: Address, route: str, *, allow_remote: bool) -> Address:
    address = read_address(urljoin(base.url, route), allow_remote=allow_remote)
    if address.origin != base.origin:
        raise TargetError(f"The route {address.shown} is not on {base.origin}.", mend="Name it as a target of its own.")
    return Address(
        url=address.url,
        origin=address.origin,
        shown=address.shown,
        route=address.route,
        local=address.local,
        user=base.user,
        password=base.password,
    )


def is_local(host: str) -> bool:
    """localhost and names below it (RFC 6761), 127/8 and ::1. Names are not looked up: what a name says may change."""
    name = host.rstrip(".").lower()
    if name == "localhost" or name.endswith(".localhost"):
        return True
    try:
        address = ipaddress.ip_address(name)
    except ValueError:
        return False
    mapped = getattr(address, "ipv4_mapped", None)
    return bool((mapped or address).is_loopback)


def origin_of(url: str) -> str | None:
    """Scheme, host and port, or None for an address that has no such origin (data:, about:, blob: and broken ones)."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        return None
    if parts.scheme not in _DEFAULT_PORTS or not parts.hostname:
        return None
    return _origin(parts.scheme, parts.hostname, port)


def route_key(url: str) -> str:
    """The name of a route: path, then `;names~digest` of a query, then `#fragment` of a fragment."""
    parts = urlsplit(url)
    return path_of(url) + _query_key(parts.query) + _fragment_key(parts.fragment)


def _query_key(query: str) -> str:
    """`;names~digest`; `;names` where no value may be told; `*` for what is no name but a code."""
    if not query:
        return ""
    pairs = sorted(parse_qsl(query, keep_blank_values=True))
    names = ",".join(dict.fromkeys("*" if is_opaque(name) else quote(name, safe="") for name, _ in pairs))[:NAMES_SHOWN]
    told = [(name, value) for name, value in pairs if not is_secret_name(name) and not is_opaque(name)]
    return f";{names}~{_digest(repr(told or query))}" if told or not pairs else f";{names}"


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:8]


def _fragment_key(fragment: str) -> str:
    """`#/path` of a hash router as it is; parameters as those of a query; anything else by its digest, or `#*`."""
    if not fragment:
        return ""
    if fragment.startswith(("/", "!/")):
        path, _, query = fragment.partition("?")
        return f"#{quote(without_path_secrets(path), safe=_PATH_SAFE)}{_query_key(query)}"
    if "=" in fragment:
        return f"#{_query_key(fragment)}"
    return "#*" if is_opaque(fragment) else f"#~{_digest(fragment)}"


def path_of(url: str) -> str:
    """The path alone, for the facts; without a session that stands in it."""
    try:
        return without_path_secrets(urlsplit(url).path) or "/"
    except ValueError:
        return "/"


def relative(url: str, origin: str) -> str:
    """What may be stored of an address: of the page's own origin its path; of any other its scheme and host."""
    try:
        parts = urlsplit(url)
        host, own = parts.hostname, origin_of(url) == origin
    except ValueError:
        return "(unreadable address)"
    if own:
        return without_path_secrets(parts.path) or "/"
    if not host:
        return f"{parts.scheme}:" if parts.scheme else quote(without_path_secrets(parts.path), safe=_PATH_SAFE)
    return f"{parts.scheme}://{host}"


def without_addresses(text: str, origin: str) -> str:
    """A text of the page's with every address in it replaced by what may be stored of it.

    Whole ones, those without a scheme (`//host/path`), and queries and path parameters of relative ones. The page's own
    host and port, by whatever name this machine goes, are `(this host)`: a site that moves says the same.
    """
    if not _SUSPECT.search(text):
        return text
    own = urlsplit(origin)
    cleaned = _ADDRESS.sub(lambda match: relative(match[0].removeprefix("blob:"), origin), text)
    cleaned = _NO_SCHEME.sub(lambda match: relative(f"{own.scheme}:{match[0]}", origin), cleaned)
    cleaned = _QUERY.sub("", cleaned)
    cleaned = _PARAMETER.sub(r"\1", cleaned)
    return _own_host(origin).sub("(this host)", cleaned)


def without_secrets(text: str, origin: str) -> str:
    """A text meant for developers, as a console holds: without addresses, and without what signs somebody in."""
    cleaned = _JSON_WEB_TOKEN.sub(REMOVED, without_addresses(text, origin))
    cleaned = _SCHEME_OF_SIGN_IN.sub(rf"\1 {REMOVED}", cleaned)
    return _NAMED_SECRET.sub(rf"\1{REMOVED}", cleaned)


@cache
def _own_host(origin: str) -> re.Pattern[str]:
    host, _, port = origin.partition("://")[2].rpartition(":")
    if not port.isdigit():
        return re.compile(rf"(?<![\w.:-]){re.escape(origin.partition('://')[2])}(?![\w-])", re.IGNORECASE)
    names = [re.escape(host)]
    if is_local(host.strip("[]")):
        names += [r"localhost", r"127(?:\.\d{1,3}){3}", r"0\.0\.0\.0", r"\[::1?\]"]
    return re.compile(rf"(?<![\w.-])(?:{'|'.join(names)}):{port}(?!\d)", re.IGNORECASE)


def _split(text: str) -> tuple[SplitResult, int | None]:
    try:
        parts = urlsplit(text.strip())
        port = parts.port
        if parts.scheme.lower() in _DEFAULT_PORTS and parts.hostname:
            return parts, port
    except ValueError as error:
        raise TargetError(
            f"{_redacted(text)} is no address ({error}).", mend="Write it as http://127.0.0.1:8000/path."
        ) from error
    raise TargetError(f"{_redacted(text)} is no http or https address.", mend="Write it as http://127.0.0.1:8000/path.")


def _redacted(text: str) -> str:
    """A broken address for a message: nothing before an @ or after a ? of it."""
    bare = text.strip().partition("?")[0]
    head, at, tail = bare.rpartition("@")
    scheme = head.partition("://")[0] + "://" if at and "://" in head else ""
    return repr(f"{scheme}{tail}"[:200])


def _origin(scheme: str, host: str, port: int | None) -> str:
    name = f"[{host}]" if ":" in host else host.lower()
    written = "" if port is None or port == _DEFAULT_PORTS[scheme] else f":{port}"
    return f"{scheme}://{name}{written}"


def _shown(parts: SplitResult, port: int | None) -> str:
    return _origin(parts.scheme, parts.hostname or "", port) + (parts.path or "/")
