"""How instruments put numbers and elements into plain sentences.

Answers for text that a page wrote: it is folded, cut and freed of control characters before it stands in a sentence.
"""

from __future__ import annotations

import unicodedata
from typing import Final

from bicameral.model.facts import Colour, Facts, Rect

QUOTED_CHARACTERS: Final = 60
NEAR_RATIO: Final = 0.1
"""One decimal, cut, stands for as much."""


def quote(text: str, most: int = QUOTED_CHARACTERS) -> str:
    """What a page says, in quotation marks, on one line, at most `most` characters of it."""
    return f"“{plain(text, most)}”"


def plain(text: str, most: int) -> str:
    """White space folded, control characters and lone surrogates left out, cut with an ellipsis."""
    kept = "".join(c if unicodedata.category(c) not in ("Cc", "Cs", "Cn") else " " for c in text)
    folded = " ".join(kept.split())
    if len(folded) <= most:
        return folded
    end = most - 1
    while end > 1 and unicodedata.category(folded[end])[0] == "M":  # a mark stays with its letter
        end -= 1
    return folded[:end].rstrip() + "…"


def px(value: float) -> str:
    """A length with its unit, without needless decimals: `12 px`, `12.5 px`."""
    return f"{number(value)} px"


def number(value: float) -> str:
    """At most one decimal, and none where it is zero."""
    text = f"{value:.1f}"
    return text.removesuffix(".0")


def ratio(value: float, wanted: float | None = None) -> str:
    """A contrast ratio, cut and never rounded up: `4.3:1`.

    wanted: the ratio it is held against, if any. Within NEAR_RATIO of it two decimals stand, so that the number says
    by itself on which side it lies: `4.48:1` and `4.54:1` of 4.5.
    """
    if wanted is not None and abs(value - wanted) < NEAR_RATIO:
        return f"{int(value * 100 + 1e-6) / 100:.2f}:1"
    return f"{int(value * 10 + 1e-9) / 10:.1f}:1"


def against(value: float, wanted: float) -> str:
    """The second half of a sentence that began with a measured ratio: whether it is enough."""
    return f"which is {'enough' if value >= wanted else 'too little'}: {ratio(wanted)} is needed"


def colour(value: Colour) -> str:
    """`#rrggbb`, with the opacity in per cent where it is not whole."""
    text = "#" + "".join(f"{round(max(0.0, min(255.0, channel))):02x}" for channel in value[:3])
    return text if value.alpha >= 1 else f"{text} at {round(value.alpha * 100)} %"


def place(rect: Rect) -> str:
    """Where on the page: `at 312,88`."""
    return f"at {round(rect.x)},{round(rect.y)}"


def describe(facts: Facts, element_index: int) -> str:
    """An element as a reader would point at it: `The button “Save”`, or `The p.lead element in main`.

    Of a selector its last part is told; where there is no landmark, the first one too, which is the nearest place.
    """
    element = facts.elements[element_index]
    if element.name and element.name.strip():
        return f"The {element.role or element.tag} {quote(element.name)}"
    parts = [part for part in element.selector.split() if part not in (">", "+", "~")] or [element.tag]
    place = element.landmark or (parts[0] if len(parts) > 1 else "")
    inside = f" in {plain(place, QUOTED_CHARACTERS)}" if place else ""
    return f"The {plain(parts[-1], QUOTED_CHARACTERS)} element{inside}"
