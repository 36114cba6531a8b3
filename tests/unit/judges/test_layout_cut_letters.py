"""Labels cut at the right, and letters that lose what hangs below their line."""

from __future__ import annotations

from typing import Any

import pytest
from facts_builder import PageBuilder

from bicameral.judges.instruments.instrument import Measured
from bicameral.judges.instruments.layout import measure
from bicameral.judges.instruments.layout.tree import Tree

HIDDEN = {"overflow_x": "hidden", "overflow_y": "hidden"}


def filed(page: PageBuilder) -> list[Measured]:
    return [row for row in measure({"shot": Tree(page.build())})["shot"] if row.category == "clipping"]


class TestLabel:
    def button(
        self, page: PageBuilder, *, line: float = 102, cut: float = 0.31, wide: float = 164, **style: Any
    ) -> int:
        """A button of 110 px in which a label does not wrap."""
        kind = HIDDEN | {"display": "inline-block", "padding_px": [0, 8, 0, 8]} | style
        button = page.add("button", [314, 186, 110, 44], selector="button.pay", style=kind)
        page.text(button, "Continue to payment", [322, 199, line, 17], clipped_fraction=cut)
        page.measured(scrollers=[{"element": button, "scroll": [wide, 44], "client": [110, 44]}])
        return button

    def test_a_label_that_its_own_button_cuts(self) -> None:
        page = PageBuilder()
        self.button(page)
        (found,) = filed(page)
        assert found.attribute == "text-cut-button-pay"
        assert "cut through at its right edge; 31 % of it is not drawn." in found.observed

    def test_so_is_a_label_in_a_part_of_the_button_s_line(self) -> None:
        page = PageBuilder()
        button = self.button(page)
        part = page.add("span", [322, 199, 148, 17], parent=button, selector="span.label", style={"display": "inline"})
        page.document["text_runs"][0]["element"] = part
        assert [row.attribute for row in filed(page)] == ["text-cut-span-label"]

    @pytest.mark.parametrize(
        "members",
        [{"text_overflow": "ellipsis"}, {"cut": 0, "line": 80, "wide": 110}, {"overflow_x": "auto"}],
    )
    def test_an_ellipsis_a_label_that_fits_and_one_that_scrolls_are_fine(self, members: dict[str, Any]) -> None:
        page = PageBuilder()
        self.button(page, **members)
        assert filed(page) == []

    def test_a_block_that_sticks_out_of_its_track_is_a_slide(self) -> None:
        page = PageBuilder()
        button = self.button(page)
        slide = page.add("span", [322, 199, 148, 17], parent=button, style={"display": "inline-block"})
        page.document["text_runs"][0]["element"] = slide
        assert filed(page) == []


class TestHangingLetters:
    """Arial of 24 px: a line of 27 px, 5 of them below the baseline."""

    def heading(self, page: PageBuilder, *, pitch: float, text: str = "Gypsy jargon", **style: Any) -> None:
        whole, top = 27.0, 200.0
        box = [314, top, 400, pitch]
        kind = HIDDEN | {"font_px": 24, "line_height_px": pitch} | style
        heading = page.add("h2", box, selector="h2.tight", style=kind)
        shown = min(whole, pitch)
        page.text(heading, text, [314, top, 200, shown], clipped_fraction=round(1 - shown / whole, 2))
        page.measured(scrollers=[{"element": heading, "scroll": [400, pitch + 4], "client": [400, pitch]}])

    def test_a_line_height_so_small_that_the_box_cuts_them(self) -> None:
        page = PageBuilder()
        self.heading(page, pitch=18)
        (found,) = filed(page)
        assert "cut through at its lower edge" in found.observed

    @pytest.mark.parametrize("pitch", [20.5, 21.6, 24, 27])
    def test_solid_setting_cuts_the_leading_alone(self, pitch: float) -> None:
        page = PageBuilder()
        self.heading(page, pitch=pitch)
        assert filed(page) == []

    def test_words_without_them_lose_nothing(self) -> None:
        page = PageBuilder()
        self.heading(page, pitch=18, text="Autumn catalan notice")
        assert filed(page) == []

    @pytest.mark.parametrize("style", [{"line_height_px": None}, {"display": "flex"}, {"text_overflow": "ellipsis"}])
    def test_where_the_line_lies_in_its_box_is_not_known_or_it_is_shortened(self, style: dict[str, Any]) -> None:
        page = PageBuilder()
        self.heading(page, pitch=18, **style)
        assert filed(page) == []

    @pytest.mark.parametrize(("left", "cut"), [(13.5, True), (14.5, True), (16, False), (18, False)])
    def test_the_last_of_several_lines(self, left: float, cut: bool) -> None:
        page = PageBuilder()
        text = page.add("p", [20, 20, 300, 40 + left], selector="p.note", style=HIDDEN)
        lines = [[20, 20, 300, 18], [20, 40, 300, 18], [20, 60, 200, left]]
        page.text(text, "Gypsy jargon playing on the quay by day", *lines, clipped_fraction=0.1)
        page.measured(scrollers=[{"element": text, "scroll": [300, 120], "client": [300, 40 + left]}])
        assert bool(filed(page)) == cut
