"""What a page or a model wrote, made safe to put before a person.

Answers for: text that cannot move a cursor, colour a terminal, reverse the reading order or hide itself. It declines
to judge the words, and it is no escaping: HTML is escaped by the template, and the terminal is given plain text.

Rules, in order:
1. Whole escape sequences go (ECMA-48: CSI, OSC and the other strings), so that no `[31m` is left behind. A string
   that is never ended loses its introducer alone, so that nobody can swallow what follows.
2. Other control characters go; tabs and the several kinds of line break become a space or a line feed.
3. Invisible formatting goes: bidi overrides and isolates, zero-width marks, tag characters. The joiners U+200C and
   U+200D stay, because Persian, Indic scripts and emoji need them, and so do the visible number signs of Arabic.
4. A lone surrogate becomes U+FFFD.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Final

_ESCAPES: Final = re.compile(
    r"(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]"  # CSI: parameters, intermediates, final byte
    r"|(?:\x1b[\]PX^_]|[\x9d\x90\x98\x9e\x9f])[^\x07\x1b\x9c]*(?:\x07|\x1b\\|\x9c)"  # OSC, DCS, SOS, PM, APC
    r"|\x1b[ -/]*[0-~]"  # the short ones
)
_BREAKS: Final = re.compile("\r\n|[\r\x0b\x0c\x85\u2028\u2029]")
_KEPT_FORMATTING: Final = frozenset("\u200c\u200d\u0600\u0601\u0602\u0603\u0604\u0605\u06dd\u070f\u08e2")


def safe_lines(text: str) -> str:
    """The text with its line breaks (as line feeds) and without anything that acts on a screen."""
    if text.isascii() and text.isprintable():
        return text
    text = _BREAKS.sub("\n", _ESCAPES.sub("", text)).replace("\t", " ")
    return "".join(map(_safe_character, text)).strip()


def safe_line(text: str) -> str:
    """The same on one line: every run of white space is one space."""
    return " ".join(safe_lines(text).split())


def shorten(text: str, limit: int) -> str:
    """One safe line of at most `limit` characters (at least 2), cut at a word where one ends in its last third.

    No cut leaves a combining mark or a joiner at its end without what it joins.
    """
    line = safe_line(text)
    if len(line) <= limit:
        return line
    end = limit - 1
    while end and not _may_cut(line, end):
        end -= 1
    cut = line[:end]
    space = cut.rfind(" ")
    if space > limit * 2 // 3:
        cut = cut[:space]
    return cut.rstrip() + "…"


def _may_cut(line: str, at: int) -> bool:
    after = line[at]
    return not (unicodedata.combining(after) or "\u200d" in (after, line[at - 1]))


def _safe_character(character: str) -> str:
    if character == "\n" or character in _KEPT_FORMATTING:
        return character
    match unicodedata.category(character):
        case "Cc" | "Cf":
            return ""
        case "Cs":
            return "\ufffd"
        case _:
            return character
