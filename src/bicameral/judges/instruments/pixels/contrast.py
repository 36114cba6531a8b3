"""Files texts that the picture shows to be hard or impossible to read.

Answers for two rules, one finding an element and shot, by its worst run:

1. `contrast`: the measured ratio misses what is wanted by more than the margin of error. The attribute is axe's own, so
   that both instruments file one issue; what axe settled itself is measured and filed all the same.
2. `color-scheme`: a text that clears what is wanted in one scheme is gone (below 1.5:1) in the other, at the same form
   factor. It is filed on the scheme in which it is gone, and not as contrast there.

Declines, for precision: exempt and hidden text, single signs and ornaments (an icon needs another ratio), logotypes by
their name unless they are gone (no contrast is wanted of a logotype, but it is to be seen), vanished text of which half
or more is clipped, and whatever the reading leaves unsettled.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from bicameral.judges.instruments import wording
from bicameral.judges.instruments.instrument import Look, Measured
from bicameral.judges.instruments.pixels.texts import Text
from bicameral.judges.instruments.slug import CONTRAST_RULE, attribute_for
from bicameral.model.facts import Colour, Facts
from bicameral.model.vocabulary import Severity

PART: Final = "pixels"
SCHEME_RULE: Final = "scheme-lost-text"
"""The name that `layout` files what it can tell from declarations under, so that both file one issue."""
LOST_RATIO: Final = 2.0
"""Below it most readers lose words, not only comfort."""
_LOGO = re.compile(r"(?:^|[^a-z])(?:logo|logotype|wordmark)(?:[^a-z]|$)", re.IGNORECASE)

Texts = Mapping[str, Sequence[Text]]


def unreadable(looks: Sequence[Look], texts: Texts) -> dict[str, list[Measured]]:
    """Shot id to the contrast and colour scheme defects on it. texts: the measured runs of each shot, by shot id."""
    by_shot = {look.shot.shot_id: look for look in looks}
    filed: dict[str, list[Measured]] = {}
    for shot_id, look in by_shot.items():
        if look.facts is None:
            continue
        twin = _other_scheme(look, looks)
        readable = _readable(twin, texts) if twin is not None else frozenset()
        for text in _worst_of_elements(look.facts, texts.get(shot_id, ())):
            schemed = text.gone and attribute_for(SCHEME_RULE, look.facts, text.run.element) in readable
            measured = _scheme(look, look.facts, text) if schemed else _contrast(look.facts, text)
            filed.setdefault(shot_id, []).append(measured)
    return filed


def _other_scheme(look: Look, looks: Sequence[Look]) -> Look | None:
    for other in looks:
        if other.shot.form_factor == look.shot.form_factor and other.shot.scheme != look.shot.scheme:
            return other
    return None


def _readable(look: Look, texts: Texts) -> frozenset[str]:
    """Names of the elements of which every measured run clears what is wanted."""
    facts = look.facts
    if facts is None:
        return frozenset()
    runs: dict[int, list[Text]] = {}
    for text in texts.get(look.shot.shot_id, ()):
        if text.reading.state in ("measured", "vanished"):
            runs.setdefault(text.run.element, []).append(text)
    clear = (element for element, found in runs.items() if all(text.outcome == "clears" for text in found))
    return frozenset(attribute_for(SCHEME_RULE, facts, element) for element in clear)


def _worst_of_elements(facts: Facts, texts: Sequence[Text]) -> Iterator[Text]:
    """One text an element, in document order: of those that miss, the one with the lowest ratio."""
    worst: dict[int, Text] = {}
    for text in texts:
        if not _may_be_filed(facts, text):
            continue
        known = worst.get(text.run.element)
        if known is None or text.reading.worst < known.reading.worst:
            worst[text.run.element] = text
    for element in sorted(worst):
        yield worst[element]


def _may_be_filed(facts: Facts, text: Text) -> bool:
    run = text.run
    if text.outcome != "misses" or text.exempt is not None or run.hidden_from_at or not text.words:
        return False
    if text.unseen_on_purpose:
        return False
    if text.gone:
        return True
    element = facts.elements[run.element]
    names = " ".join((element.attributes.get("class", ""), element.attributes.get("id", ""), element.selector))
    return _LOGO.search(names) is None


def weight_of(ratio: float, wanted: float) -> float:
    """How far a ratio stays short: 1 where it is just enough, more the worse it is."""
    return wanted / max(ratio, 1.0)


def severity_of(ratio: float) -> Severity:
    """As axe's findings on contrast: high where words are lost, else medium."""
    return "high" if ratio < LOST_RATIO else "medium"


def _contrast(facts: Facts, text: Text) -> Measured:
    who = wording.describe(facts, text.run.element)
    needed = wording.ratio(text.wanted)
    if text.reading.state == "vanished" or text.reading.vanishing > 0.9:
        problem = "The text cannot be seen: it has the colour of what is behind it."
    else:
        problem = "The text is hard to read against what is behind it."
    return Measured(
        part=PART,
        category="contrast",
        attribute=attribute_for(CONTRAST_RULE, facts, text.run.element),
        region=facts.elements[text.run.element].region,
        severity=severity_of(text.reading.median),
        title=f"Text contrast too low: {wording.quote(text.run.text, 50)}",
        problem=problem,
        expected=f"Text of this size has a contrast of at least {needed} (WCAG 2.2, 1.4.3).",
        observed=f"{who} has a contrast of {number_of(text)}. {place_of(text)}.",
        weight=weight_of(
            text.reading.worst if text.reading.median >= text.wanted else text.reading.median, text.wanted
        ),
        acceptance=(f"The text measures {needed} or more at every letter.",),
        confidence="high" if text.reading.exact else "medium",
        rect=facts.elements[text.run.element].box,
    )


def _scheme(look: Look, facts: Facts, text: Text) -> Measured:
    who = wording.describe(facts, text.run.element)
    scheme = wording.plain(look.shot.scheme, 20)
    return Measured(
        part=PART,
        category="color-scheme",
        attribute=attribute_for(SCHEME_RULE, facts, text.run.element),
        region=facts.elements[text.run.element].region,
        severity="high",
        title=f"Text gone in the {scheme} scheme: {wording.quote(text.run.text, 50)}",
        problem=f"The text is readable in the other scheme and cannot be seen in the {scheme} one.",
        expected=f"The text has a contrast of at least {wording.ratio(text.wanted)} in both schemes.",
        observed=f"{who} has a contrast of {number_of(text)} in the {scheme} scheme. {place_of(text)}.",
        weight=weight_of(text.reading.median, text.wanted),
        acceptance=(f"The text measures {wording.ratio(text.wanted)} or more in both schemes.",),
        confidence="high" if text.reading.exact else "medium",
        rect=facts.elements[text.run.element].box,
    )


def number_of(text: Text) -> str:
    """The number that counts: `7.3:1`, or `3.1:1 in its worst tenth` where the middle of the ink is fine."""
    reading = text.reading
    if text.outcome == "misses" and reading.median >= text.wanted:
        return f"{wording.ratio(reading.worst, text.wanted)} in its worst tenth"
    return wording.ratio(reading.median, text.wanted)


def place_of(text: Text) -> str:
    """A sentence without its stop: where, between which colours, and the other number where it differs."""
    reading = text.reading
    middle, low = "{},{}".format(*reading.median_at), "{},{}".format(*reading.worst_at)
    if text.outcome == "misses" and reading.median >= text.wanted:
        other = f"; {wording.ratio(reading.median, text.wanted)} in the middle of its range at {middle}"
        return f"Measured at {low} ({colours(text)}){other}"
    differs = reading.median - reading.worst > 0.3
    other = f"; {wording.ratio(reading.worst, text.wanted)} in its worst tenth at {low}" if differs else ""
    return f"Measured at {middle} ({colours(text)}){other}"


def measured_at(text: Text) -> str:
    """The number and the place: `7.3:1 measured at 312,88`; where it varies, the worst tenth too.

    Where the middle of the ink is fine and the text misses all the same, the worst tenth comes first.
    """
    reading = text.reading
    median, worst = wording.ratio(reading.median, text.wanted), wording.ratio(reading.worst, text.wanted)
    middle, low = "{},{}".format(*reading.median_at), "{},{}".format(*reading.worst_at)
    if text.outcome == "misses" and reading.median >= text.wanted:
        return f"{worst} in its worst tenth, measured at {low}, and {median} in the middle of its range at {middle}"
    said = f"{median} measured at {middle}"
    if reading.median - reading.worst > 0.3:
        said += f" and {worst} in its worst tenth at {low}"
    return said


def colours(text: Text) -> str:
    """Letters on ground, as measured."""
    letters = wording.colour(Colour(*text.reading.colour, 1.0))
    return f"{letters} on {wording.colour(Colour(*text.reading.behind, 1.0))}"
