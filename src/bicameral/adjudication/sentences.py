"""A text as its sentences, each with the place where it begins.

Answers for: the same sentences on every machine, in scripts with a full stop of their own too. Pure. Declines to know a
language: a short list of English abbreviations is all it has.

Rules, in order:
1. A sentence ends at a full stop, question or exclamation mark (of any script), with the quotes and brackets that
   close after it, where white space or the end follows. The wide marks of East Asia need no white space.
2. A full stop does not end one after an abbreviation or an initial, nor where a small letter follows.
3. What is left after the last mark is a sentence too. White space within is the caller's to fold.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

_CLOSERS: Final = "\"'”’»)\\]}*_`」』）】"
_END: Final = re.compile(rf"(?:[.!?…؟۔։।॥]+[{_CLOSERS}]*(?=\s|$))|(?:[。！？｡]+[{_CLOSERS}]*)")
_ABBREVIATION: Final = re.compile(
    r"(?:^|[\s(\[\"'“‘*_])(?:[^\W\d_]|(?:[^\W\d_]\.)+[^\W\d_]|Mrs?|Ms|Dr|Prof|St|Sr|Jr|vs|etc|cf|No|Nos|Fig|Eq|Sec|Ch|Vol|"
    r"pp?|ca|approx|Inc|Ltd|Co|Corp|dept|est|resp|incl|excl|max|min)\.$",
    re.IGNORECASE,
)


def sentences(text: str) -> Iterator[tuple[int, str]]:
    """(offset, sentence) in order, each as it stands but without white space at its ends. Blank ones are left out."""
    start = 0
    for mark in _END.finditer(text):
        if mark[0][0] == "." and _goes_on(text, start, mark):
            continue
        yield from _stripped(text, start, mark.end())
        start = mark.end()
    yield from _stripped(text, start, len(text))


def _goes_on(text: str, start: int, mark: re.Match[str]) -> bool:
    if _ABBREVIATION.search(text[start : mark.start() + 1]):
        return True
    after = text[mark.end() : mark.end() + 40].lstrip()
    return bool(after) and after[0].islower() and "\n\n" not in text[mark.end() : mark.end() + 40]


def _stripped(text: str, start: int, end: int) -> Iterator[tuple[int, str]]:
    piece = text[start:end]
    bare = piece.strip()
    if bare:
        yield start + len(piece) - len(piece.lstrip()), bare
