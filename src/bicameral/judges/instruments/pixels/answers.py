"""The picture's word on another judge's finding, on one shot.

Answers for choosing who measures, by the finding's category. What no picture can show is cannot-tell, with the reason;
so is whatever a measurement leaves within its margin of error. Each number is ruled; a dispute gives a number and a
place.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Final

from bicameral.judges.instruments.instrument import Answer
from bicameral.judges.instruments.pixels.on_geometry import on_clipping, on_overflow, on_overlap
from bicameral.judges.instruments.pixels.on_parts import on_broken_image, on_render, on_size
from bicameral.judges.instruments.pixels.on_text import on_contrast, on_scheme
from bicameral.judges.instruments.pixels.sheet import Sheet
from bicameral.judges.instruments.pixels.texts import Text
from bicameral.model.findings import Finding

Answering = Callable[[Sheet, Sequence[Text], Finding], Answer]

MEASURED: Final[Mapping[str, Answering]] = MappingProxyType(
    {
        "contrast": on_contrast,
        "color-scheme": on_scheme,
        "overlap": on_overlap,
        "clipping": on_clipping,
        "layout-overflow": on_overflow,
        "broken-image": on_broken_image,
        "render": on_render,
        "typography": on_size,
    }
)
UNSEEN: Final[Mapping[str, str]] = MappingProxyType(
    {
        "console-error": "A picture shows no console.",
        "alignment": "The edges of boxes are not measured in the picture.",
        "spacing": "The gaps between boxes are not measured in the picture.",
        "responsive": "What a window of another size would show is not in this picture.",
        "a11y": "A picture does not show what assistive technology is told.",
        "label": "A picture does not show the accessible name.",
        "structure": "A picture does not show the markup.",
        "target-size": "A picture does not show how far a target reaches.",
        "focus": "A picture taken at rest shows no focus.",
        "motion": "A still picture shows no motion.",
        "hierarchy": "Whether sizes fit the order of the content is not measured.",
        "consistency": "Whether parts match each other is not measured.",
        "content": "What words mean is not measured.",
    }
)


def answer(sheet: Sheet, texts: Sequence[Text], finding: Finding) -> Answer:
    """The word on a finding that shows on this sheet. texts: the sheet's own, in the order of the facts."""
    measure = MEASURED.get(finding.category)
    if measure is not None:
        return measure(sheet, texts, finding)
    return Answer(verdict="cannot-tell", note=UNSEEN.get(finding.category, "A picture does not settle this."))
