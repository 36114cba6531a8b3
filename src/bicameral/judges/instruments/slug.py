"""Names for elements that outlive a change of layout: the second half of an instrument's `attribute`.

Answers for one rule: the root is `page`; an element is called by its role and accessible name; where it has no name, by
the nearest landmark, a selector without positions and, of controls, links and images, what their author calls them. Two
instruments that measure one element give it one name, and an element keeps its name across form factors, schemes and
runs. Declines to tell apart elements that a reader could not tell apart by role, name, landmark and classes: those are
one issue.

A slug is kebab-case, holds letters, marks and digits of any script, and is never empty.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from typing import Final

from bicameral.model.characters import folded, without_ignorable
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

MARKED_TAGS: Final = frozenset({"input", "select", "textarea", "button", "a", "area", "img", "iframe", "label"})
"""Elements of which a page has many alike, and whose attributes say which is which."""

_IDS = re.compile(r"#[^\s.:\[>+~]+")
_BUILT = re.compile(r"\d+(?:x|w|px|x\d+)?|(?=[a-f]*\d)[a-f0-9]{6,}", re.IGNORECASE)
"""A size or a digest in a file's name: it changes with the window or the build, and the file stays the same."""
_POSITIONS = re.compile(r":(?:nth|first|last|only)-[a-z-]+(?:\([^)]*\))?")


def slug_of(facts: Facts, element_index: int) -> str:
    """The name of an element of `facts.elements`, at most MOST_CHARACTERS long. Raises IndexError for no element."""
    element = facts.elements[element_index]
    if element.tag == "html":
        return "page"
    name = kebab(element.name or "") if element.role not in NAMELESS_ROLES else ""
    if name:
        return shorten(f"{kebab(element.role or element.tag)}-{name}")
    return unnamed_slug_of(facts, element_index)


def unnamed_slug_of(facts: Facts, element_index: int) -> str:
    """The name of an element that has none for assistive technology, or none but what the browser made up for it.

    Landmark, selector, and of controls, links and images what they are for, so that four fields without a label are
    four issues. Raises IndexError for no element.
    """
    element = facts.elements[element_index]
    if element.tag == "html":
        return "page"
    selector = slug_of_selector(element.selector) or kebab(element.tag)
    parts = [kebab(element.landmark or ""), selector]
    if element.tag in MARKED_TAGS and "#" not in element.selector.rsplit(" ", 1)[-1]:
        parts.append(_mark(facts, element_index))
    return shorten("-".join(part for part in parts if part) or "page")


def style_slug_of(facts: Facts, element_index: int) -> str:
    """The name of all elements that one style rule makes alike: the landmark, and the last two parts of the selector
    without ids, which name places and not styles. Raises IndexError for no element.
    """
    element = facts.elements[element_index]
    parts = [part for part in element.selector.split() if part not in (">", "+", "~")]
    kept = [slug_of_selector(_IDS.sub("", part)) for part in parts[-2:]]
    named = [part for part in (kebab(element.landmark or ""), *kept) if part]
    return shorten("-".join(named) if any(kept) else "-".join([*named, kebab(element.tag)]))


def _mark(facts: Facts, element_index: int) -> str:
    """What sets a control, a link or an image apart from its like, by what its author wrote; empty where nothing does.

    Of an address only the file's or page's own name counts, without the sizes and digests that builds put into it.
    """
    element = facts.elements[element_index]
    given = element.attributes
    for name in ("name", "for", "placeholder"):
        if kebab(given.get(name, "")):
            return kebab(given[name])
    for run in facts.text_runs if element.tag in ("input", "textarea") else ():
        if run.element == element_index and run.pseudo == "::placeholder":
            return kebab(run.text)
    if element.tag == "img":
        address = next((image.address for image in facts.geometry.images if image.element == element_index), None)
        return _stem(address or "")
    return _stem(given.get("href", "")) or kebab(given.get("type", ""))


def _stem(address: str) -> str:
    """`/a/hero-640w.3f2a91.png?v=2` is `hero`; an address without a path of its own is nothing."""
    path = re.split(r"[?#]", re.sub(r"^[a-z][a-z0-9+.-]*:(?://[^/]*)?", "", address, flags=re.IGNORECASE))[0]
    last = path.rstrip("/").rsplit("/", 1)[-1]
    words = re.split(r"[-_.@\s]+", last)
    kept = [word for word in (words[:-1] if "." in last and len(words) > 1 else words) if not _BUILT.fullmatch(word)]
    return kebab("-".join(kept))


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
    normal = unicodedata.normalize("NFKC", without_ignorable(text))
    lower = unicodedata.normalize("NFKC", "".join(map(folded, without_ignorable(normal))))
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
