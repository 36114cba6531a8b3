"""Errors that the page wrote to the console, and its own scripts and styles that did not load.

One message is one defect, numbers apart. Silent for data that the server refused (a status of 400 to 499: pages reckon
with "not signed in", and one that does not throws, which is told), for what `broken-image` files, for icons of the
browser's frame, and for other hosts that did not answer: that is the network's doing where the picture was taken.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from bicameral.judges.instruments import wording
from bicameral.judges.instruments.instrument import Measured
from bicameral.judges.instruments.layout.filing import Rule
from bicameral.judges.instruments.layout.images import is_frame_icon
from bicameral.judges.instruments.layout.tree import Tree
from bicameral.judges.instruments.slug import kebab, shorten
from bicameral.model.facts import ConsoleEntry, FailedRequest

TEXT_CHARACTERS: Final = 160
LOADED: Final = frozenset({"script", "stylesheet", "fetch", "xhr", "font", "document"})
DATA: Final = frozenset({"fetch", "xhr"})
_FAILED_LOAD: Final = "Failed to load resource"
_DIGITS: Final = re.compile(r"\d+")
_UNCAUGHT: Final = re.compile(r"\buncaught\b|^\w*Error:", re.IGNORECASE)

RULE: Final = Rule(
    name="console-error",
    category="console-error",
    severity="medium",
    title="Error in the console",
    problem="The page reports an error while it loads; something that it meant to do was not done.",
    expected="The page loads without an error.",
    acceptance="The console shows no such error when the page is loaded.",
)


def console_error(tree: Tree) -> Iterator[Measured]:
    told: set[str] = set()
    for entry in tree.facts.console:
        slug = shorten(kebab(_DIGITS.sub("", entry.text)) or "error")
        if entry.level == "error" and slug not in told and _counts(tree, entry):
            told.add(slug)
            where = f" ({wording.plain(entry.source, 60)})" if entry.source else ""
            words = f"The console shows {wording.quote(entry.text, TEXT_CHARACTERS)}{where}."
            yield RULE.file_page(slug, words, severity="high" if _UNCAUGHT.search(entry.text) else "medium")
    for row in tree.facts.failed_requests:
        if _is_refusal(row):
            continue
        if row.kind in LOADED and row.address.startswith("/") and not is_frame_icon(row.address):
            slug = shorten(f"not-loaded-{kebab(row.address)}")
            if slug not in told:
                told.add(slug)
                why = f"status {row.status}" if row.status is not None else wording.plain(row.error or "no answer", 60)
                yield RULE.file_page(slug, f"The {row.kind} {wording.plain(row.address, 80)} did not load: {why}.")


def _is_refusal(row: FailedRequest) -> bool:
    return row.kind in DATA and row.status is not None and 400 <= row.status < 500


def _counts(tree: Tree, entry: ConsoleEntry) -> bool:
    """A failed load is told once, with its kind, from the failed requests; here only what those do not hold."""
    if _FAILED_LOAD not in entry.text and "net::ERR_" not in entry.text:
        return True
    if entry.source is None or not entry.source.startswith("/") or is_frame_icon(entry.source):
        return False
    return all(row.address != entry.source for row in tree.facts.failed_requests)
