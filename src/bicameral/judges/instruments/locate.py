"""Which elements another judge's finding is about, by its name or by its box.

Answers for one question, the same for every instrument: whose attribute ends in this element's slug; failing that,
whose box is nearly the finding's. Declines to guess: an attribute that names nothing here and a box that fits nothing
give no elements, and the instrument then cannot tell.
"""

from __future__ import annotations

from typing import Final

from bicameral.judges.instruments import wording
from bicameral.judges.instruments.instrument import Look
from bicameral.model.facts import Rect
from bicameral.model.findings import Finding

SAME_BOX: Final = 0.5
"""Intersection over union from which two boxes are of one element: the customary bound of object detection."""
SHARED: Final = 0.5
"""Share of the smaller box that must lie in the larger one where the name fits already."""


def elements_of(look: Look, finding: Finding) -> tuple[int, ...]:
    """The elements of the look's facts that `finding` is about, in document order; empty where none can be named."""
    if look.facts is None:
        return ()
    box = rect_of(look, finding)
    named = look.slugs.get(slug_in(look, finding.attribute) or "", ())
    if box is None:
        return named
    fitting = tuple(index for index in named if shared(look.facts.elements[index].box, box) >= SHARED)
    if fitting:
        return fitting
    return tuple(i for i, element in enumerate(look.facts.elements) if overlap(element.box, box) >= SAME_BOX)


def subject_of(look: Look, finding: Finding, otherwise: str = "The text") -> str:
    """What a sentence on the finding is about, in the words of `wording.describe`, as whoever filed it has them.

    otherwise: said where no element can be named.
    """
    elements = elements_of(look, finding)
    return wording.describe(look.facts, elements[0]) if look.facts is not None and elements else otherwise


def slug_in(look: Look, attribute: str) -> str | None:
    """The longest slug of an element that `attribute` ends in, after its rule."""
    start = attribute.find("-")
    while start >= 0:
        slug = attribute[start + 1 :]
        if slug in look.slugs:
            return slug
        start = attribute.find("-", start + 1)
    return None


def rect_of(look: Look, finding: Finding) -> Rect | None:
    """The finding's box on this shot in CSS pixels of the page."""
    box = finding.box_on(look.shot.shot_id)
    if box is None:
        return None
    scale = look.shot.scale
    return Rect(box.x / scale, box.y / scale, box.width / scale, box.height / scale)


def intersection(a: Rect, b: Rect) -> float:
    """The area that both cover, in square pixels; 0 where they only touch."""
    width = min(a.right, b.right) - max(a.x, b.x)
    height = min(a.bottom, b.bottom) - max(a.y, b.y)
    return width * height if width > 0 and height > 0 else 0.0


def overlap(a: Rect, b: Rect) -> float:
    """Intersection over union, 0 to 1."""
    common = intersection(a, b)
    union = a.width * a.height + b.width * b.height - common
    return common / union if union > 0 else 0.0


def shared(a: Rect, b: Rect) -> float:
    """The share of the smaller of two boxes that lies in the other, 0 to 1."""
    smaller = min(a.width * a.height, b.width * b.height)
    return intersection(a, b) / smaller if smaller > 0 else 0.0
