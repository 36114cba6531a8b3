"""Text that was left in by mistake: fillers, unfilled templates, values that a program printed by accident.

Silent in code and in fields that people fill in, and where the word is part of a sentence about it: `undefined` counts
only where it stands for a value.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from bicameral.judges.instruments import wording
from bicameral.judges.instruments.instrument import Measured
from bicameral.judges.instruments.layout.filing import Rule
from bicameral.judges.instruments.layout.tree import CODE_TAGS, Tree, united
from bicameral.model.facts import TextRun

FILLER: Final = re.compile(
    r"\blorem ipsum dolor\b|^\W*lorem ipsum\b(?!\s+(?:is|was|are|text|generator|filler))", re.IGNORECASE
)
TEMPLATE: Final = re.compile(
    r"\{\{\s*[#/^&>!]?\s*[\w.$|\[\]'\"() -]{1,60}\s*\}\}|\{%\s*\w[^%]{0,60}%\}|<%=?[^%]{1,60}%>|\$\{[\w.]{1,40}\}"
)
OBJECT: Final = re.compile(r"\[object (?:Object|Array|Promise|Undefined|Null|Function)\]")
ENTITY: Final = re.compile(r"&(?:amp|nbsp|lt|gt|quot|apos|#\d{2,5}|#x[0-9a-f]{2,5});", re.IGNORECASE)
MOJIBAKE: Final = re.compile(r"â€[™œ“”¢¦\x9c\x9d\x99]|Ã[©¨¼¶¤Ÿ±¡³ª§]|Â[£©®°·]|\ufffd")
VALUE: Final = r"(?:undefined|NaN|null)"
COUNTED: Final = (
    "items?|results?|products?|orders?|messages?|notifications?|comments?|reviews?|views?|likes?|votes?|points?|followers?"
    "|people|persons?|guests?|passengers?|adults?|children|users?|members?|visitors?|tickets?|seats?|rooms?|files?|photos?"
    "|nights?|days?|weeks?|months?|years?|hours?|minutes?|seconds?|pages?|km|miles|kg"
)
"""What applications count for their readers; programmers speak of undefined variables, values and behaviour."""
ALONE: Final = re.compile(
    rf"^[\s\-–—(]*{VALUE}[\s)%]*$"  # the whole text
    rf"|^[^.!?]{{1,30}}:\s*{VALUE}[\s)%.]*$"  # Total: undefined
    rf"|(?:[$€£¥]\s?){VALUE}\b|\b(?:NaN)(?:\s?(?:%|px|kg|km|h|min|items?|results?|days?|hours?|minutes?|[$€£¥])(?!\w))"
    rf"|^{VALUE}\s+(?:of|/)\s"
    rf"|\b(?:undefined|NaN)\s+(?:{COUNTED})\b"
    rf"|^(?:Hello|Hi|Welcome|Dear|Hey)[ ,]+(?:back[ ,]+)?{VALUE}\b"
    rf"|^Invalid Date$"
)
KINDS: Final = (
    (FILLER, "filler text"),
    (TEMPLATE, "a template that was not filled in"),
    (OBJECT, "an object printed as text"),
    (ENTITY, "a character code printed as text"),
    (MOJIBAKE, "characters decoded wrongly"),
    (ALONE, "a missing value printed as text"),
)
PASSED_OVER: Final = CODE_TAGS | {"script", "style", "noscript", "svg", "math"}

RULE: Final = Rule(
    name="leftover-text",
    category="content",
    severity="medium",
    title="Text left in by mistake",
    problem="The page shows text that was meant for a program or as a filler, where readers expect its content.",
    expected="The page shows its own content.",
    acceptance="The text is replaced by the content that belongs there.",
)


def leftover_text(tree: Tree) -> Iterator[Measured]:
    for run in tree.read_runs:
        if run.pseudo == "value" or tree.within(run.element, PASSED_OVER) or _names_code(tree, run):
            continue
        for pattern, what in KINDS:
            found = pattern.search(run.text)
            if found is not None:
                start = max(0, found.start() - 20)
                shown = wording.quote(run.text[start : found.end() + 20], 80)
                words = f"shows {what}: {shown} {wording.place(run.lines[0])}."
                severity = RULE.severity if pattern is not FILLER else "low"
                yield RULE.file(tree, run.element, words, rect=united(list(run.lines)), severity=severity)
                break


def _names_code(tree: Tree, run: TextRun) -> bool:
    """Set in a typewriter face, or in a block that is named after code: documentation shows such texts on purpose."""
    for at in list(tree.upward(run.element))[:4]:
        element = tree.elements[at]
        face = element.style.font_family.lower()
        if at == run.element and ("mono" in face or "courier" in face or "consol" in face):
            return True
        if re.search(r"\b(?:code|highlight|example|syntax|snippet)", element.attributes.get("class", "").lower()):
            return True
    return False
