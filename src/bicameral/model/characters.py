"""Characters that nobody sees.

Answers for: which characters take part in no name, so that two names that look alike are not two. Declines to know
scripts that resemble each other.
"""

from __future__ import annotations

import unicodedata
from typing import Final

_IGNORABLE: Final = (
    (0x00AD, 0x00AD),
    (0x034F, 0x034F),
    (0x061C, 0x061C),
    (0x115F, 0x1160),
    (0x17B4, 0x17B5),
    (0x180B, 0x180F),
    (0x200B, 0x200F),
    (0x202A, 0x202E),
    (0x2060, 0x206F),
    (0x3164, 0x3164),
    (0xFE00, 0xFE0F),
    (0xFEFF, 0xFEFF),
    (0xFFA0, 0xFFA0),
    (0xFFF0, 0xFFF8),
    (0x1BCA0, 0x1BCA3),
    (0x1D173, 0x1D17A),
    (0xE0000, 0xE0FFF),
)
"""Default_Ignorable_Code_Point of Unicode 15 (DerivedCoreProperties.txt), which `unicodedata` does not carry."""

_IGNORED: Final = frozenset(chr(code) for first, last in _IGNORABLE for code in range(first, last + 1))


def is_ignorable(character: str) -> bool:
    """Whether a character shows nothing and only steers how others are shown: zero width, soft hyphen, selectors."""
    return character in _IGNORED


def is_hidden(character: str) -> bool:
    """Whether a character is ignorable, a control, a format character, a lone surrogate or no character at all."""
    return is_ignorable(character) or unicodedata.category(character)[0] == "C"


def without_ignorable(text: str) -> str:
    """The text without its ignorable characters."""
    return "".join(character for character in text if character not in _IGNORED)


def folded(character: str) -> str:
    """One letter for all its cases: its folding where that is one letter, else its lower case (`ß` stays itself)."""
    one = character.casefold()
    return one if len(one) == 1 else character.lower()[0]
