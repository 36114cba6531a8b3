"""From what the collectors answered to the bytes of a facts document, and back.

Answers for one canonical form (UTF-8, members sorted, no spaces, at most two decimals) so that the same page gives the
same bytes, and for taking nothing from a page on trust: texts are cut and made encodable; queries, the page's own host
and port and what stands in text fields are taken out of them; and the whole is read by `model.facts.parse_facts` before
it is kept.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, Final

from bicameral.errors import EvidenceError
from bicameral.evidence.target import without_addresses
from bicameral.model.facts import FACTS_VERSION, Facts, parse_facts

CAPTURE_VERSION: Final = "capture/2"
"""The version of the rules by which pages are brought to rest, measured and pictured."""
MAX_FACTS_BYTES: Final = 64 * 1024 * 1024
MAX_TEXT: Final = 200_000
_EMPTY_GEOMETRY: Final[Mapping[str, Any]] = {"scroll_width_px": 0, "client_width_px": 0}


WHOLE: Final = 4
_BUTTONS: Final = frozenset({"submit", "reset", "button", "image"})
_TYPED_IN_ARIA: Final = re.compile(
    r"""^(\s*- '?(?:textbox|searchbox|spinbutton|combobox)\b(?:[^\n]*?["\]'])?: +)(\S.*)$""", re.MULTILINE
)


def facts_document(
    *,
    origin: str,
    page: Mapping[str, Any],
    companion: str | None,
    collected: Mapping[str, Any],
    console: list[dict[str, Any]],
    failed_requests: list[dict[str, Any]],
    aria: str,
) -> bytes:
    """Canonical bytes of one document.

    origin: of the page; no text will name it.  collected: `elements`, `text_runs`, `axe` and `geometry` as the page
    gave them.

    Raises EvidenceError, naming the members, where that has not the shape of the facts.
    """
    elements, runs = _untyped(collected["elements"], collected["text_runs"])
    value = _plain(
        {
            "facts_version": FACTS_VERSION,
            "page": page,
            "companion": companion,
            "elements": elements,
            "text_runs": runs,
            "axe": collected["axe"],
            "geometry": collected.get("geometry") or _EMPTY_GEOMETRY,
            "console": console,
            "failed_requests": failed_requests,
            "aria": _TYPED_IN_ARIA.sub(lambda match: match[1] + _shape(match[2]), aria),
        },
        lru_cache(4096)(lambda text: without_addresses(clean_text(text), origin)),
    )
    parse_facts(value)
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False).encode()


def read_facts(body: bytes) -> Facts:
    """The facts in these bytes. Raises EvidenceError for what is no such document, with the path of what is wrong."""
    if len(body) > MAX_FACTS_BYTES:
        raise EvidenceError(f"A facts document of {len(body):,} bytes is beyond the limit of {MAX_FACTS_BYTES:,}.")
    try:
        value = json.loads(body, object_pairs_hook=_once, parse_constant=_no_constant)
    except (ValueError, RecursionError) as error:
        raise EvidenceError(f"This is no facts document: {error}.", mend="Capture the page again.") from error
    return parse_facts(value)


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) != len(pairs):
        raise ValueError("a member occurs twice in one object")
    return members


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is no number of JSON")


def _untyped(
    elements: list[dict[str, Any]], runs: list[dict[str, Any]]
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """What somebody typed, or an application filled in, without its letters: only how it looks is measured.

    It stands in the runs of text fields, and in the names of the elements around them.
    """
    values = {at: str(run["text"]) for at, run in enumerate(runs) if _is_typed(run, elements)}
    named = elements
    for value in sorted(set(values.values()), key=len, reverse=True):
        named = [{**row, "name": _without(str(row["name"]), value)} if row.get("name") else row for row in named]
    return named, [{**run, "text": _shape(values[at])} if at in values else run for at, run in enumerate(runs)]


def _is_typed(run: dict[str, Any], elements: list[dict[str, Any]]) -> bool:
    element = elements[run["element"]] if run.get("pseudo") == "value" else {}
    if element.get("tag") == "input":
        return str(element.get("attributes", {}).get("type", "")).lower() not in _BUTTONS
    return element.get("tag") == "textarea"


def _without(name: str, value: str) -> str:
    """A name without a value in it, or without the beginning of one at the end where the name was cut.

    Values of fewer than WHOLE letters are taken out only between spaces: they may be parts of other words.
    """
    if len(value) < WHOLE:
        return re.sub(rf"(?<!\S){re.escape(value)}(?!\S)", _shape(value), name)
    if value in name:
        return name.replace(value, _shape(value))
    ends = (end for end in range(min(len(value), len(name)), WHOLE - 1, -1) if name.endswith(value[:end]))
    end = next(ends, 0)
    return name[: len(name) - end] + _shape(value[:end]) if end else name


def _shape(text: str) -> str:
    """As long and as many letters, for what is measured by them; nothing of what it said."""
    return "".join("x" if sign.isalnum() else " " if sign.isspace() else "•" for sign in text)


def _plain(value: Any, said: Callable[[str], str]) -> Any:
    """Numbers with at most two decimals and no fraction where whole; texts as `said` writes them."""
    if isinstance(value, str):
        return said(value)
    if isinstance(value, bool) or value is None or isinstance(value, int):
        return value
    if isinstance(value, float):
        rounded = round(value, 2)
        return int(rounded) if rounded.is_integer() else rounded
    if isinstance(value, Mapping):
        return {clean_text(str(name)): _plain(member, said) for name, member in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item, said) for item in value]
    return said(str(value))


def clean_text(text: str) -> str:
    """Lone surrogates and NUL become U+FFFD: neither can be encoded or stored."""
    return text[:MAX_TEXT].encode("utf-16", "surrogatepass").decode("utf-16", "replace").replace("\x00", "\ufffd")
