"""A page whose pictures a test draws: what is written in the facts is also drawn, unless the test says otherwise."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from facts_builder import BODY, PageBuilder, Shelf, shot

from bicameral.imaging.decode import Picture, encode_png
from bicameral.judges.instruments.instrument import Answer, Look, Measured
from bicameral.judges.instruments.pixels import PixelsInstrument
from bicameral.model.evidence import Box, Shot
from bicameral.model.findings import Finding
from drawn_text import Colour, box_of, write


class Scene:
    """One shot in the making. `behind` is the companion, `shown` the picture; both may be painted on."""

    def __init__(
        self, *, form_factor: str = "desktop", scheme: str = "light", ground: Colour = (255, 255, 255)
    ) -> None:
        self.page = PageBuilder(form_factor=form_factor, scheme=scheme)
        self.form_factor, self.scheme = form_factor, scheme
        height = int(self.page.document["page"]["document"][1])
        self.behind: Picture = np.full((height, self.page.width, 3), ground, dtype=np.uint8)
        self.shown: Picture = self.behind.copy()
        self.with_companion = True
        self.with_facts = True

    def paint(self, box: Sequence[int], colour: Colour) -> None:
        """A rectangle on both pictures."""
        x, y, width, height = box
        for picture in (self.behind, self.shown):
            picture[y : y + height, x : x + width] = colour

    def write(
        self,
        text: str,
        at: tuple[int, int],
        colour: Colour,
        *,
        size: int = 16,
        tag: str = "p",
        parent: int = BODY,
        drawn: bool = True,
        alpha: float = 1.0,
        run: Mapping[str, Any] | None = None,
        **members: Any,
    ) -> int:
        """An element with one line of text, drawn on the picture as the facts say."""
        box = list(box_of(text, at, size))
        style = {"font_px": size, "color": [*colour, 1], "opacity": alpha} | members.pop("style", {})
        selector = f"#text-{len(self.page.document['elements'])}"
        element = self.page.add(tag, box, parent=parent, style=style, name=text, selector=selector, **members)
        self.page.text(element, text, box, **(run or {}))
        if drawn:
            self.shown = write(self.shown, text, at, size, colour, alpha)
        return element

    def shot(self, shelf: Shelf) -> Shot:
        taken = shot(self.page if self.with_facts else None, shelf, form_factor=self.form_factor, scheme=self.scheme)
        height, width = self.shown.shape[:2]
        return replace(
            taken,
            picture=shelf.keep(encode_png(self.shown)),
            companion=shelf.keep(encode_png(self.behind)) if self.with_companion else None,
            width_px=width,
            height_px=height,
        )

    def look(self, shelf: Shelf | None = None) -> Look:
        shelf = Shelf() if shelf is None else shelf
        return Look(shot=self.shot(shelf), facts=self.page.build() if self.with_facts else None, read=shelf.read)


def filed(*scenes: Scene) -> list[Measured]:
    """What the instrument files on these shots of one view, in order."""
    shelf = Shelf()
    by_shot = PixelsInstrument().propose([scene.look(shelf) for scene in scenes])
    return [measured for found in by_shot.values() for measured in found]


def word(scene: Scene, category: str, attribute: str = "", box: Box | None = None) -> Answer:
    """What the instrument says of one finding on this shot."""
    look = scene.look()
    finding = Finding(
        shot_id=look.shot.shot_id,
        category=category,
        attribute=attribute or "something",
        severity="high",
        title="t",
        problem="p",
        confidence="high",
        box=box,
    )
    ((answer,),) = [list(words.values()) for words in PixelsInstrument().rule([look], [finding])]
    return answer
