"""Words as they are compared, and texts as any store can keep them.

Answers for: trimming and folding that give the same answer on every machine. Declines to mend a text, and to know any
vocabulary.

Rules, in order:
1. Trimming takes the white space of ECMAScript (U+FEFF among it, U+001C to U+001F and U+0085 not).
2. A word of a closed vocabulary is compared after trimming and case folding; what is no text is no word.
3. A lone surrogate and a NUL are kept as their escapes.
"""

from __future__ import annotations

from typing import Final

WHITE_SPACE: Final = "\t\n\v\f\r \u00a0\u1680\u2028\u2029\u202f\u205f\u3000\ufeff" + "".join(
    map(chr, range(0x2000, 0x200B))
)
"""ECMA-262, WhiteSpace and LineTerminator: what `String.prototype.trim` removes."""


def trimmed(text: str) -> str:
    """The text without white space at either end."""
    return text.strip(WHITE_SPACE)


def word(value: object) -> str | None:
    """A word of a closed vocabulary as it is compared: trimmed, case folded. None for what is no text."""
    return trimmed(value).casefold() if isinstance(value, str) else None


def storable(text: str) -> str:
    """The text with each lone surrogate and each NUL written as its six-character escape: any store can keep it.

    Inside a JSON string the escape means the same character again, which is refused there.
    """
    return text.encode("utf-8", "backslashreplace").decode("utf-8").replace("\0", "\\u0000")
