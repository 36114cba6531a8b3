"""Names for elements that outlive a change of layout: the second half of an instrument's `attribute`.

Answers for one rule: the root is `page`; an element is called by its role and accessible name; where it has no name, by
the nearest landmark and a selector without positions. Two instruments that measure one element give it one name, and
an element keeps its name across form factors, schemes and runs. Declines to tell apart elements that a reader could
not tell apart by role, name, landmark and classes: those are one issue.

A slug is kebab-case, holds letters, marks and digits of any script, and is never empty.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from typing import Final

from bicameral.model.facts import Facts

MOST_CHARACTERS: Final = 60
"""Longer slugs end in a hash of the whole, so that two that begin alike stay two."""
HASH_DIGITS: Final = 6

CONTRAST_RULE: Final = "color-contrast"
SCHEME_RULE: Final = "scheme-lost-text"
"""One name each for both instruments that measure contrast, so that their findings on one element are one issue."""

NAMELESS_ROLES: Final = frozenset(
    {
        None,
        "generic",
        "paragraph",
        "none",
        "presentation",
        "cell",
        "gridcell",
        "row",
        "rowgroup",
        "list",
        "listitem",
        "text",
        "blockquote",
        "caption",
        "code",
        "definition",
        "term",
        "deletion",
        "insertion",
        "emphasis",
        "strong",
        "subscript",
        "superscript",
        "time",
        "document",
    }
)
"""Roles whose computed name, where there is one, is only what stands in them: it changes whenever the content does."""

_POSITIONS = re.compile(r":(?:nth|first|last|only)-[a-z-]+(?:\([^)]*\))?")


def slug_of(facts: Facts, element_index: int) -> str:
    """The name of an element of `facts.elements`, at most MOST_CHARACTERS long. Raises IndexError for no element."""
    element = facts.elements[element_index]
    if element.tag == "html":
        return "page"
    name = kebab(element.name or "") if element.role not in NAMELESS_ROLES else ""
    if name:
        return shorten(f"{kebab(element.role or element.tag)}-{name}")
    landmark = kebab(element.landmark or "")
    selector = slug_of_selector(element.selector) or kebab(element.tag)
    return shorten("-".join(part for part in (landmark, selector) if part) or "page")


def slug_of_selector(selector: str) -> str:
    """A selector as a slug, positions left out; empty where nothing else is in it."""
    return kebab(_POSITIONS.sub("", selector))


def attribute_for(rule: str, facts: Facts, element_index: int) -> str:
    """What an instrument files a finding under: the rule and the element."""
    return f"{rule}-{slug_of(facts, element_index)}"


def kebab(text: str) -> str:
    """Lower case, letters, marks and digits of any script, one `-` between the rest. Empty where there are none.

    Compatibility forms are one with their plain ones (Unicode NFKC), and a mark without a letter before it is left out:
    the reader of replies does the same to every attribute, and so changes nothing in ours.
    """
    normal = unicodedata.normalize("NFKC", text)
    lower = unicodedata.normalize("NFKC", "".join(character.lower()[0] for character in normal))
    kept: list[str] = []
    for character in lower:
        kind = unicodedata.category(character)[0]
        inside = bool(kept) and kept[-1] != "-"
        if kind in "LN" or (kind == "M" and inside):
            kept.append(character)
        elif inside:
            kept.append("-")
    return "".join(kept).strip("-")


def shorten(slug: str) -> str:
    """At most MOST_CHARACTERS, cut between characters a reader sees as one, with a hash of the whole at the end."""
    if len(slug) <= MOST_CHARACTERS:
        return slug
    digest = hashlib.sha256(slug.encode("utf-8")).hexdigest()[:HASH_DIGITS]
    end = MOST_CHARACTERS - HASH_DIGITS - 1
    while end > 1 and unicodedata.category(slug[end])[0] == "M":  # a mark belongs to the letter before it
        end -= 1
    return f"{slug[:end].rstrip('-')}-{digest}"
