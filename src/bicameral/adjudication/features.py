"""A text as the set of things it names, in any script.

Answers for: the same set for two forms of a word, for upper and lower case, for composed and decomposed letters, and
for words of one slot of which only one can hold (`lives`, `moved`; `enabled`, `off`). Pure. Declines to understand.

Rules, in order:
1. NFKC, case folded, without characters that nobody sees. Runs of letters, marks and digits are words; a symbol such
   as an emoji is a word of its own.
2. A word with a digit in it is kept whole: 8080 is not 8081.
3. Han is taken by the character; other scripts that put no spaces between words, and Hangul, by pairs of characters.
4. Of any other word the beginning counts: five letters, in English without its ending, in Arabic without its article.
5. A word of a slot also stands for the slot.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping
from itertools import groupby
from types import MappingProxyType
from typing import Final

from bicameral.model.characters import without_ignorable

STEM: Final = 5
"""Letters of a word that count. On labelled pairs 4 to 6 do equally well, and better than none or whole words."""

_ENDINGS: Final = ("ing", "ers", "ed", "es", "er", "ly", "s")
_ARTICLE: Final = "\u0627\u0644"
_ASCII_WORD: Final = re.compile(r"[a-z0-9]+")
_HAN: Final = ((0x3400, 0x9FFF), (0xF900, 0xFAFF), (0x20000, 0x3FFFF))
_UNSPACED: Final = (
    (0x0E00, 0x0EFF),  # Thai, Lao
    (0x1000, 0x109F),  # Myanmar
    (0x1100, 0x11FF),  # Hangul Jamo
    (0x1780, 0x17FF),  # Khmer
    (0x3040, 0x30FF),  # Hiragana, Katakana
    (0xAC00, 0xD7AF),  # Hangul
)

_SLOTS: Final = """
live lives lived living reside resides resided move moves moved moving relocate relocated home based settled emigrated
work works worked working job employed employer hired joined left quit resigned fired retired career
like likes liked love loves loved enjoy enjoys enjoyed prefer prefers preferred hate hates hated dislike dislikes
eat eats eating ate vegetarian vegan meat diet breakfast lunch dinner
married marry single spouse wife husband divorced engaged widowed partner
alive dead
open opens opened opening closed close closes closing shut
enable enables enabled disable disables disabled activated deactivated
start starts started begin begins began stop stops stopped end ends ended finish finished cease ceased
pass passes passed passing fail fails failed failing failure succeed succeeded success
increase increased rises rose risen grow grew grown decrease decreased fell fallen drop dropped shrank declined reduced
win wins won lose loses lost defeated beat
allow allowed permit permitted forbid forbidden prohibit prohibited banned
accept accepted reject rejected refuse refused
arrive arrived depart departed leave leaves leaving
buy bought purchase purchased sell sold
required mandatory optional
public private secret
online offline
default deprecated supported unsupported
"""
"""One slot a line: of its words, or their values, one holds at a time."""


def _stem(word: str) -> str:
    if word.isascii():
        for ending in _ENDINGS:
            if word.endswith(ending) and len(word) - len(ending) >= 3:
                word = word.removesuffix(ending)
                break
    elif word.startswith(_ARTICLE) and len(word) > 4:
        word = word[2:]
    return word[:STEM]


SLOTS: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        word: tuple(f"#{line.split()[0]}" for line in _SLOTS.strip().splitlines() if word in line.split())
        for word in _SLOTS.split()
    }
)
"""A whole word to the slots that it stands for."""


def features(text: str) -> frozenset[str]:
    """What a text names. Empty for a text without letters, digits and symbols."""
    found: set[str] = set()
    for word in words(text):
        found.update(SLOTS.get(word, ()))
        if any(character.isdigit() for character in word):
            found.add(word)
        elif _within(word[0], _UNSPACED):
            found.update(word[at : at + 2] for at in range(max(1, len(word) - 1)))
        else:
            found.add(_stem(word))
    return frozenset(found)


def words(text: str) -> Iterator[str]:
    """The words of a text in order, normalised and folded, not yet stemmed."""
    if text.isascii():
        yield from _ASCII_WORD.findall(text.lower())
        return
    folded = unicodedata.normalize("NFKC", without_ignorable(unicodedata.normalize("NFKC", text).casefold()))
    for kind, run in groupby(folded, key=_kind):
        if kind == "alone":
            yield from run
        elif kind is not None:
            yield "".join(run)


def _kind(character: str) -> str | None:
    """What a character joins with: its like in `spaced` or `unspaced` scripts, nothing (`alone`); None for no word."""
    match unicodedata.category(character):
        case "Lu" | "Ll" | "Lt" | "Lm" | "Lo" | "Mn" | "Mc" | "Nd" | "Nl" | "No":
            if _within(character, _HAN):
                return "alone"
            return "unspaced" if _within(character, _UNSPACED) else "spaced"
        case "So":
            return "alone"
        case _:
            return None


def _within(character: str, ranges: tuple[tuple[int, int], ...]) -> bool:
    code = ord(character)
    return code >= 0x0E00 and any(first <= code <= last for first, last in ranges)


def stems(text: str) -> frozenset[str]:
    """The words of a list as features, without their slots."""
    return frozenset(map(_stem, words(text)))
