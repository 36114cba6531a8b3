"""What a model can read of a text.

Answers for: a text without lone surrogates, and the answer to a pair that needs no model. Pure. Declines to guess
a language: scripts are all it knows, so a model that knows only English still reads French and gets it wrong.

Rules, in order:
1. Half a character becomes U+FFFD: no tokenizer takes it.
2. A pair with a text without a letter or a digit (empty, white space, punctuation, emoji) is undecided.
3. Of two texts that are the same but for white space each follows from the other, in any script.
4. Where the model's config names its scripts, a pair with a text that has more than half of its letters in others is
   undecided.
5. Where the model's config asks for a check, a pair on which it fires is a plain conflict.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import Final

from bicameral.adjudication.nli.checks import NUMBERS, differing_counts
from bicameral.adjudication.nli.scores import follows_from_itself, plain_conflict, undecided
from bicameral.ports import NLIResult

_HALF_A_CHARACTER: Final = re.compile("[\ud800-\udfff]")
_LOOKED_AT: Final = 20_000
"""Characters that decide the script of a text: a book does not change it later."""


def whole(text: str) -> str:
    """The text with U+FFFD for each lone surrogate."""
    return text if text.isascii() else _HALF_A_CHARACTER.sub("\ufffd", text)


def answered(
    premise: str, hypothesis: str, scripts: frozenset[str] | None, checks: frozenset[str] = frozenset()
) -> NLIResult | None:
    """The answer by rules 2 to 5, or None where the model has to be asked.

    scripts: the first words of the Unicode names of its letters (`LATIN`), or None where they are not known.  checks:
    by their names, such as `checks.NUMBERS`.
    """
    for text in (premise, hypothesis):
        if not any(character.isalnum() for character in text):
            return undecided("a text has neither a letter nor a digit")
    if premise == hypothesis or premise.split() == hypothesis.split():
        return follows_from_itself()
    foreign = None if scripts is None else _foreign(premise, scripts) or _foreign(hypothesis, scripts)
    if foreign is not None:
        return undecided(f"most of a text is in a script that the model does not know ({foreign.lower()})")
    found = differing_counts(premise, hypothesis) if NUMBERS in checks else None
    return None if found is None else plain_conflict(f"the texts differ in one count alone: {found}")


def _foreign(text: str, scripts: frozenset[str]) -> str | None:
    """A script that the model does not know, if most letters are in such."""
    if text.isascii():
        return None
    letters = [character for character in text[:_LOOKED_AT] if character.isalpha()]
    foreign = [character for character in letters if _script(character) not in scripts]
    return _script(foreign[0]) if 2 * len(foreign) > len(letters) else None


@lru_cache(maxsize=4096)
def _script(character: str) -> str:
    return unicodedata.name(character, "UNNAMED").split()[0]
