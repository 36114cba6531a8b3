"""Files what should show something and shows one flat colour.

Answers for three rules:

1. `render`, blank page: the whole picture is one colour but for LEAST_PIXELS. Without facts that is enough; with facts
   there must be something that should show.
2. `render`, blank canvas: a canvas that says what it shows (it has a name, or a figure holds it), that nobody draws on
   by hand, and that is one flat colour to its edges.
3. `broken-image`: the facts say that no picture was decoded, and none shows in its place.

Declines to call pictures, frames and large areas blank because they are pale or empty: a fog, a text box and the margin
below a short page are meant to be so.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from bicameral.imaging.flat import Flat, flat
from bicameral.judges.instruments import wording
from bicameral.judges.instruments.instrument import Measured
from bicameral.judges.instruments.pixels.contrast import PART
from bicameral.judges.instruments.pixels.sheet import Sheet
from bicameral.judges.instruments.pixels.texts import ancestors, exemption
from bicameral.judges.instruments.slug import attribute_for
from bicameral.model.facts import Facts, Image, Rect

BLANK_PAGE_RULE: Final = "empty-page-page"
BLANK_CANVAS_RULE: Final = "blank-canvas"
BROKEN_IMAGE_RULE: Final = "broken-image"
"""The names that `layout` files what the facts say under, so that both file one issue."""
LEAST_PIXELS: Final = 16
"""Less than any letter: a stray caret or the corner of a frame."""
SHOWING: Final = frozenset({"img", "canvas", "video", "iframe", "svg", "picture", "object", "embed"})
LEAST_AREA_PX: Final = 2_500.0
BARE_SHARE: Final = 0.6
"""What a box without its picture shows of one colour at least, alt text and the browser's mark included."""


def blank(sheet: Sheet) -> Iterator[Measured]:
    """What is blank on one shot, the page first. Where the page is, nothing else is said."""
    page, facts = flat(sheet.picture), sheet.facts
    if is_blank(page) and (facts is None or _has_content(facts)):
        yield _blank_page(sheet, page)
        return
    if facts is None:
        return
    for index in facts.geometry.canvases:
        if _should_show(facts, index) and is_bare(sheet, facts, index):
            yield _blank_canvas(sheet, facts, index)
    for image in facts.geometry.images:
        if is_undecoded(image) and is_unpainted(sheet, facts, image.element):
            yield _broken_image(facts, image.element)


def is_undecoded(image: Image) -> bool:
    """Loading has ended, an address was given, and no picture came of it."""
    return image.complete and image.natural.width == 0 and image.address is not None


def is_blank(found: Flat) -> bool:
    return found.others <= LEAST_PIXELS


def _has_content(facts: Facts) -> bool:
    """Text that is not hidden from anyone, or an element that shows something."""
    if any(exemption(run) is None and not run.hidden_from_at and run.lines for run in facts.text_runs):
        return True
    return any(element.interactive or element.tag in SHOWING for element in facts.elements)


def inner(facts: Facts, index: int) -> Rect:
    """An element's box within its border, and a pixel more for its antialiased edge."""
    element = facts.elements[index]
    border = element.style.border_px
    width = element.box.width - border.left - border.right - 2
    height = element.box.height - border.top - border.bottom - 2
    return Rect(element.box.x + border.left + 1, element.box.y + border.top + 1, max(0.0, width), max(0.0, height))


def is_bare(sheet: Sheet, facts: Facts, index: int) -> bool:
    """The element is large enough to show something, wholly in the picture, and one flat colour but for its corners."""
    rect = inner(facts, index)
    part = sheet.part(rect)
    whole = rect.width * rect.height * sheet.scale**2
    if rect.width * rect.height < LEAST_AREA_PX or part.shape[0] * part.shape[1] < 0.9 * whole:
        return False
    corner = facts.elements[index].style.border_radius_px * sheet.scale
    return flat(part).others <= 4 * 0.25 * corner**2


def is_unpainted(sheet: Sheet, facts: Facts, index: int) -> bool:
    """An image's box that shows at most its alt text and the browser's mark."""
    part = sheet.part(inner(facts, index))
    return part.shape[0] * part.shape[1] >= LEAST_AREA_PX / 4 and flat(part).share >= BARE_SHARE


def _should_show(facts: Facts, index: int) -> bool:
    element = facts.elements[index]
    if element.interactive or element.style.visibility != "visible" or element.style.opacity < 0.1:
        return False
    held = any(facts.elements[around].tag == "figure" for around in ancestors(facts, index))
    return held or bool(element.name and element.name.strip())


def _blank_page(sheet: Sheet, page: Flat) -> Measured:
    height, width = sheet.picture.shape[:2]
    colour = "#" + "".join(f"{channel:02x}" for channel in page.colour)
    but = f"but {page.others} " if page.others else ""
    return Measured(
        part=PART,
        category="render",
        attribute=BLANK_PAGE_RULE,
        severity="critical",
        title="The page shows nothing",
        problem="Nobody can read or use anything on this page.",
        expected="The page shows its content.",
        observed=f"All {but}of the {width} by {height} pixels are {colour}.",
        acceptance=("The picture of the page shows its content.",),
    )


def _blank_canvas(sheet: Sheet, facts: Facts, index: int) -> Measured:
    who = wording.describe(facts, index)
    box = facts.elements[index].box
    colour = "#" + "".join(f"{channel:02x}" for channel in flat(sheet.part(inner(facts, index))).colour)
    size = f"{wording.number(box.width)} by {wording.px(box.height)}"
    return Measured(
        part=PART,
        category="render",
        attribute=attribute_for(BLANK_CANVAS_RULE, facts, index),
        region=facts.elements[index].region,
        severity="high",
        title=f"Nothing is drawn: {wording.plain(who.removeprefix('The '), 70)}",
        problem="What it should show is missing.",
        expected="The canvas shows what its name or its figure says.",
        observed=f"{who} is one flat {colour} over {size} {wording.place(box)}.",
        acceptance=("The canvas shows more than one colour.",),
        rect=box,
    )


def _broken_image(facts: Facts, index: int) -> Measured:
    who = wording.describe(facts, index)
    box = facts.elements[index].box
    return Measured(
        part=PART,
        category="broken-image",
        attribute=attribute_for(BROKEN_IMAGE_RULE, facts, index),
        region=facts.elements[index].region,
        severity="high",
        title=f"Image does not show: {wording.plain(who.removeprefix('The '), 70)}",
        problem="What the image should show is missing.",
        expected="The image is loaded and shown.",
        observed=f"{who} was not decoded, and its box {wording.place(box)} shows no picture.",
        acceptance=("The image has a natural size and shows in its box.",),
        rect=box,
    )
