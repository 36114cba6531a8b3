"""From what the collectors answered to the bytes of a facts document, and back.

Answers for one canonical form (UTF-8, members sorted, no spaces, at most two decimals) so that the same page gives the
same bytes, and for taking nothing from a page on trust: texts are cut and made encodable, and the whole is read by
`model.facts.parse_facts` before it is kept.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

from bicameral.errors import EvidenceError
from bicameral.model.facts import FACTS_VERSION, Facts, parse_facts

CAPTURE_VERSION: Final = "capture/1"
"""The version of the rules by which pages are brought to rest, measured and pictured."""
MAX_FACTS_BYTES: Final = 64 * 1024 * 1024
MAX_TEXT: Final = 200_000
_EMPTY_GEOMETRY: Final[Mapping[str, Any]] = {"scroll_width_px": 0, "client_width_px": 0}


def facts_document(
    *,
    page: Mapping[str, Any],
    companion: str | None,
    collected: Mapping[str, Any],
    console: list[dict[str, Any]],
    failed_requests: list[dict[str, Any]],
    aria: str,
) -> bytes:
    """Canonical bytes of one document. collected: `elements`, `text_runs`, `axe` and `geometry` as the page gave them.

    Raises EvidenceError, naming the members, where that has not the shape of the facts.
    """
    value = _plain(
        {
            "facts_version": FACTS_VERSION,
            "page": page,
            "companion": companion,
            "elements": collected["elements"],
            "text_runs": collected["text_runs"],
            "axe": collected["axe"],
            "geometry": collected.get("geometry") or _EMPTY_GEOMETRY,
            "console": console,
            "failed_requests": failed_requests,
            "aria": aria,
        }
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


def _plain(value: Any) -> Any:
    """Numbers with at most two decimals and no fraction where whole; texts cut and free of what UTF-8 cannot say."""
    if isinstance(value, str):
        return clean_text(value)
    if isinstance(value, bool) or value is None or isinstance(value, int):
        return value
    if isinstance(value, float):
        rounded = round(value, 2)
        return int(rounded) if rounded.is_integer() else rounded
    if isinstance(value, Mapping):
        return {clean_text(str(name)): _plain(member) for name, member in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    return clean_text(str(value))


def clean_text(text: str) -> str:
    """Lone surrogates and NUL become U+FFFD: neither can be encoded or stored."""
    return text[:MAX_TEXT].encode("utf-16", "surrogatepass").decode("utf-16", "replace").replace("\x00", "\ufffd")
