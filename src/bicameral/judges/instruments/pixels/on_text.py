"""The picture's word on findings about how readable a text is.

Rules, in order:
1. The texts are those of the elements that the finding names or frames; failing that, those whose lines lie in its box.
2. Agree where one of them measurably misses what is wanted. A single sign, which may be an icon, counts below 3:1.
3. Dispute where all of them are exempt (WCAG 1.4.3), or where all that ask for contrast measurably clear it.
4. Otherwise cannot-tell, with what was measured. What is cut away or past the page's edge is not contrast, and text
   that is hidden from assistive technology and from the eye may be for nobody (ACT rule afw4f7 calls it inapplicable).
5. Of a text said to be lost in one scheme: agree where it is gone or misses, dispute where it clears and the finding is
   this instrument's own rule. A card that keeps its colours in both schemes may be called wrong for other reasons.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from bicameral.judges.instruments import wording
from bicameral.judges.instruments.instrument import Answer
from bicameral.judges.instruments.locate import elements_of, intersection, rect_of, subject_of
from bicameral.judges.instruments.pixels.contrast import SCHEME_RULE, colours, measured_at, number_of, place_of
from bicameral.judges.instruments.pixels.on_links import on_link
from bicameral.judges.instruments.pixels.sheet import Sheet
from bicameral.judges.instruments.pixels.texts import WANTED_LARGE, Text, ancestors
from bicameral.model.findings import Finding

IN_BOX: Final = 0.6
HIDDEN: Final = "The text cannot be seen and is hidden from assistive technology: it may be meant for nobody."
LINK_RULE: Final = "link-in-text-block"
OTHER_RULES: Final = ("color-contrast-enhanced",)
"""axe's rules on contrast that ask for something else than WCAG 1.4.3."""
_EXEMPT: Final = {
    "inactive": "The control is inactive, and inactive controls are exempt (WCAG 1.4.3).",
    "decoration": "The text is decoration that says nothing, which is exempt (WCAG 1.4.3).",
    "invisible": "The text is declared invisible.",
}


def on_contrast(sheet: Sheet, texts: Sequence[Text], finding: Finding) -> Answer:
    if finding.attribute.startswith(LINK_RULE):
        return on_link(sheet, texts, texts_of(sheet, texts, finding), subject_of(sheet.look, finding, "The link"))
    if finding.attribute.startswith(OTHER_RULES):
        return Answer(verdict="cannot-tell", note="Text against its background is measured, and this is another rule.")
    if sheet.companion_digest is None:
        return Answer(verdict="cannot-tell", note="No picture without text was taken to measure against.")
    about = texts_of(sheet, texts, finding)
    if not about:
        return Answer(verdict="cannot-tell", note="No measured text lies there.")
    asked = [text for text in about if text.exempt is None]
    if not asked:
        exempt = about[0].exempt or "invisible"
        return Answer(verdict="cannot-tell" if exempt == "invisible" else "dispute", note=_EXEMPT[exempt])
    if all(text.gone and text.run.hidden_from_at for text in asked):
        return Answer(verdict="cannot-tell", note=HIDDEN)
    who = subject_of(sheet.look, finding)
    missing = [text for text in asked if _misses(text)]
    if missing:
        worst = min(missing, key=lambda text: text.reading.worst)
        return Answer(verdict="agree", note=_needs(worst, who))
    if all(text.outcome == "clears" for text in asked):
        closest = min(asked, key=lambda text: text.reading.worst / text.wanted)
        return Answer(verdict="dispute", note=_needs(closest, who))
    return Answer(verdict="cannot-tell", note=_unsettled(asked))


def on_scheme(sheet: Sheet, texts: Sequence[Text], finding: Finding) -> Answer:
    if sheet.companion_digest is None:
        return Answer(verdict="cannot-tell", note="No picture without text was taken to measure against.")
    asked = [text for text in texts_of(sheet, texts, finding) if text.exempt is None]
    who = subject_of(sheet.look, finding)
    missing = [text for text in asked if _misses(text)]
    if missing:
        return Answer(verdict="agree", note=_needs(min(missing, key=lambda text: text.reading.worst), who))
    if asked and all(text.outcome == "clears" for text in asked) and finding.attribute.startswith(SCHEME_RULE):
        return Answer(verdict="dispute", note=_needs(min(asked, key=lambda text: text.reading.worst), who))
    if not asked:
        return Answer(verdict="cannot-tell", note="No measured text lies there.")
    return Answer(verdict="cannot-tell", note=_unsettled(asked))


def texts_of(sheet: Sheet, texts: Sequence[Text], finding: Finding) -> list[Text]:
    """The texts a finding is about: of its elements, else below them, else within its box."""
    facts = sheet.facts
    if facts is None:
        return []
    elements = frozenset(elements_of(sheet.look, finding))
    own = [text for text in texts if text.run.element in elements]
    if own:
        return own
    below = [text for text in texts if elements & ancestors(facts, text.run.element)] if elements else []
    box = rect_of(sheet.look, finding)
    if below or box is None:
        return below
    found = []
    for text in texts:
        area = sum(line.width * line.height for line in text.run.lines)
        if area > 0 and sum(intersection(line, box) for line in text.run.lines) >= IN_BOX * area:
            found.append(text)
    return found


def _misses(text: Text) -> bool:
    if text.outcome != "misses" or text.unseen_on_purpose:
        return False
    return len(text.run.text.strip()) > 1 or text.reading.median < WANTED_LARGE


def _needs(text: Text, who: str) -> str:
    """The number and whether it is enough, in a sentence that stands alone; then the place and the colours."""
    value = text.wanted if text.outcome == "clears" else 0.0
    return f"{who} has a contrast of {number_of(text)}, {wording.against(value, text.wanted)}. {place_of(text)}."


def _unsettled(asked: Sequence[Text]) -> str:
    """The measured number that is nearest to what is wanted, or why there is none."""
    open_texts = [text for text in asked if text.outcome != "clears"] or list(asked)
    for text in open_texts:
        if text.reading.why:
            return f"The contrast of {wording.quote(text.run.text, 40)} was not measured: {text.reading.why}."
    text = min(open_texts, key=lambda text: abs(text.reading.worst - text.wanted))
    if text.unseen_on_purpose:
        return f"Most of {wording.quote(text.run.text, 40)} is cut away, and the rest cannot be seen."
    said = f"{measured_at(text)} ({colours(text)}); {wording.ratio(text.wanted)} is needed"
    if text.outcome == "misses":
        return f"{said}, and a single sign that is an icon needs {wording.ratio(WANTED_LARGE)}."
    if text.reading.worst - text.reading.margin >= text.wanted:
        return f"{said}. A few letters may stay below it."
    if text.reading.worst < text.wanted <= text.reading.median:
        return f"{said}. Only a part of the text stays below it."
    return f"{said}. The difference is within the margin of error."
