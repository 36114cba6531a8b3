"""What is done to the words of a reply before they become part of a value.

Answers for: trimming, cutting and slugs that give the same answer on every machine. Declines to mend a text: one that
cannot be kept whole is the caller's to reject.

Rules, in order:
1. Lengths count UTF-16 units, as the vectors do; a cut never leaves half of a character.
2. Trimming, words and storable texts are those of `canonical.words`.
3. A text that shows nothing (white space, control and format characters) is blank, whatever its length.
"""

from __future__ import annotations

import hashlib
import unicodedata
from typing import Final

from bicameral.canonical.words import storable as storable
from bicameral.canonical.words import trimmed as trimmed
from bicameral.canonical.words import word as word
from bicameral.model.characters import folded, without_ignorable

MAX_ATTRIBUTE: Final = 200
"""UTF-16 units of an attribute. Far above any name of a thing; a longer one keeps its beginning and a digest."""

NO_NAME: Final = "general"
"""The attribute of a finding that names no thing."""


def cut(text: str, units: int) -> str:
    """At most `units` UTF-16 units of the text, from its beginning, without half a character."""
    if len(text) * 2 <= units:
        return text
    kept = text.encode("utf-16-le", "surrogatepass")[: units * 2]
    return kept.decode("utf-16-le", "ignore")


def is_blank(text: str) -> bool:
    """Whether the text shows nothing to a reader. True for the empty text and for zero-width spaces alone."""
    return all(unicodedata.category(character)[0] in "ZC" for character in text)


def slug(text: str) -> str:
    """An attribute in kebab-case: letters, marks and digits of any script, lower case, single hyphens between words.

    Compatibility forms (full width, ligatures, the Kelvin sign) are one with their plain ones (Unicode NFKC), letters
    that differ only in case or in their form at a word's end are one (Unicode's simple case folding), and what nobody
    sees (zero width, soft hyphens, variation selectors) is left out, so that two spellings of a name are one identity.
    Nothing left: `general`. Applied twice it changes nothing.
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
    name = "".join(kept).strip("-")
    if not name:
        return NO_NAME
    whole = cut(name, MAX_ATTRIBUTE)
    if whole == name:
        return name
    digest = hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:8]
    return f"{cut(name, MAX_ATTRIBUTE - 9).rstrip('-')}-{digest}"
