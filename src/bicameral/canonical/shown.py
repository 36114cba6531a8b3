"""Foreign text made safe to show: nothing a terminal would obey, nothing that hides or reorders what is read."""

from __future__ import annotations

import unicodedata
from typing import Final

from bicameral.model.characters import is_ignorable

_HIDDEN: Final[frozenset[str]] = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
"""General categories that are escaped: controls, format characters (bidirectional ones, zero width), lone surrogates,
line and paragraph separators."""


def shown(text: str, *, most: int | None = None) -> str:
    """The text on one line, with each control, format, ignorable or surrogate character as `\\n` or `\\u202e`.

    most: characters of the text that are shown (an escaped one counts once); `…` stands for the rest. None shows all.
    A backslash stays as it is, so the result is for eyes and cannot be read back.
    """
    if most is not None and len(text) > most:
        return f"{shown(text[:most])}…"
    if text.isascii() and text.isprintable():
        return text
    return "".join(_escaped(character) if _is_hidden(character) else character for character in text)


def shown_lines(text: str) -> list[str]:
    """The same with line breaks obeyed; tabs become four spaces. At least one line."""
    return [shown(line.replace("\t", "    ")) for line in text.replace("\r\n", "\n").split("\n")]


def _is_hidden(character: str) -> bool:
    return unicodedata.category(character) in _HIDDEN or is_ignorable(character)


def _escaped(character: str) -> str:
    return character.encode("unicode_escape", "surrogatepass").decode("ascii")
