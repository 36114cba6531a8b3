"""A plain conflict that a small model misses: two texts that are one text but for how many of something there are.

Answers for: two counts of one thing that differ, and nothing else. Pure. Declines to understand: whatever is not plain
is the model's. The check stands because it was measured: of the labelled pairs on which it fires, 316 of 324 are
contradictions to people (Wilson's lower bound 95 %), of which the model alone finds about a fifth. Texts about
different things differ in more than one word, so it never fires on strangers.

Rules, in order. It fires where all hold:
1. The texts have at least four words each and are word for word the same, after case folding and without the last full
   stop, but for one word, which is a number in both: digits, or an English number word from two up.
2. The two are not one number written in two ways.
3. Both count the same thing: a word that is no function word, or a sign such as %, follows. A number that tells things
   apart (`in street 12`, `chapter 3 headings`) or times (`on 4 May`, `at 5 pm`) counts nothing: both can be true.
4. None of the four words before says that it is a bound or a guess (`at least`, `more than`, `about`).
"""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Final

NUMBERS: Final = "numbers-1"
"""The check's name and version, as a model's config asks for it."""
KNOWN: Final = (NUMBERS,)

_WORD: Final = re.compile(r"\w+(?:[.,:'’]\w+)*|[^\w\s]")
_FEWEST: Final = 4
_SMALL: Final = (
    "two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen "
    "nineteen twenty"
)
_TENS: Final = "thirty forty fifty sixty seventy eighty ninety"
_VALUES: Final = {
    **{word: Decimal(value) for value, word in enumerate(_SMALL.split(), 2)},
    **{word: Decimal(10 * value) for value, word in enumerate(_TENS.split(), 3)},
    "hundred": Decimal(100),
    "thousand": Decimal(1000),
    "million": Decimal(1_000_000),
}
_BOUNDS_WORDS: Final = """
least most more less fewer than over under above below about around roughly approximately nearly almost up
between some or maximum minimum max min within only exceeds exceed
"""
_BOUNDS: Final = frozenset(_BOUNDS_WORDS.split())
_FUNCTION_WORDS: Final = """
is are was were be been am has have had do does did will would can could may might must shall should a an the and
or but nor so if in on at of to by for with from into onto as than that which who whom whose this these those it
he she they we you i not no never when while where because after before until since he's she's it's
"""
_FUNCTION: Final = frozenset(_FUNCTION_WORDS.split())
_TIMES_WORDS: Final = """
january february march april may june july august september october november december jan feb mar apr jun jul aug
sep sept oct nov dec am pm o'clock bc ad bce ce
"""
_TIMES: Final = frozenset(_TIMES_WORDS.split())
_NUMBERED_WORDS: Final = """
chapter room street road avenue day version page step figure table line gate level floor section part phase week
month year number no item question unit port bus flight track platform season episode volume issue case test shot
view class grade type group team player house building row column paragraph article clause rule route apartment
flat suite lane highway channel stage round game match set area zone district ward sector block lot # v
"""
_NUMBERED: Final = frozenset(_NUMBERED_WORDS.split())
_SIGNS: Final = frozenset("%€$£°")


def differing_counts(premise: str, hypothesis: str) -> str | None:
    """The two numbers, for people, where the texts conflict by these rules; else None."""
    first, second = _words(premise), _words(hypothesis)
    if len(first) != len(second) or len(first) < _FEWEST:
        return None
    at = [place for place, (one, other) in enumerate(zip(first, second, strict=True)) if one != other]
    if len(at) != 1:
        return None
    place = at[0]
    one, other = _value(first[place]), _value(second[place])
    if one is None or other is None or one == other:
        return None
    if not _counts(first, place) or _BOUNDS.intersection(first[max(0, place - 4) : place]):
        return None
    return f"{first[place]} and {second[place]}"


def _words(text: str) -> list[str]:
    words = [word.casefold() for word in _WORD.findall(text)]
    while words and words[-1] in (".", "!"):
        words.pop()
    return words


def _value(word: str) -> Decimal | None:
    if word in _VALUES:
        return _VALUES[word]
    if re.fullmatch(r"[0-9]{1,3}(?:,[0-9]{3})+(?:\.[0-9]+)?", word):
        word = word.replace(",", "")
    return Decimal(word) if re.fullmatch(r"[0-9]+(?:\.[0-9]+)?", word) else None


def _counts(words: list[str], place: int) -> bool:
    before = words[place - 1] if place else ""
    after = words[place + 1] if place + 1 < len(words) else ""
    if before in _NUMBERED or after in _TIMES or after in _FUNCTION or after in _VALUES:
        return False
    return after in _SIGNS or after[:1].isalpha()
