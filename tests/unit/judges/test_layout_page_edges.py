"""Text and controls that the edge of the page cuts: what fires, and the near misses that do not."""

from __future__ import annotations

from typing import Any

import pytest
from facts_builder import BODY, HTML, PageBuilder

from bicameral.judges.instruments.instrument import Measured
from bicameral.judges.instruments.layout import measure
from bicameral.judges.instruments.layout.tree import Tree

WORDS = "International deliveries and customs"


def filed(page: PageBuilder) -> list[Measured]:
    return measure({"shot": Tree(page.build())})["shot"]


def phone(*, scrolls: bool = False) -> PageBuilder:
    page = PageBuilder(form_factor="phone")
    if not scrolls:
        page.document["elements"][BODY]["style"]["overflow_x"] = "hidden"
    return page


class TestText:
    """A heading of the phone's width whose one line may be wider."""

    def heading(self, page: PageBuilder, *, x: float = 24, width: float = 416, **members: Any) -> int:
        run = members.pop("run", {})
        parent = members.pop("parent", BODY)
        heading = page.add("h2", [24, 60, 342, 30], selector="h2.news", parent=parent, **members)
        page.text(heading, WORDS, [x, 62, width, 27], **run)
        return heading

    def test_a_line_that_does_not_wrap_is_cut_at_the_edge_of_a_page_that_does_not_scroll(self) -> None:
        page = phone()
        self.heading(page)
        (found,) = filed(page)
        assert (found.category, found.attribute) == ("responsive", "cut-at-edge-h2-news")
        assert "reaches 50 px past the edge of the window (390 px), where it is cut." in found.observed

    def test_a_word_in_the_line_of_a_block_is_one_defect_with_it(self) -> None:
        page = phone()
        heading = self.heading(page)
        link = page.add("a", [300, 60, 160, 30], parent=heading, style={"display": "inline"})
        page.text(link, "customs forms", [300, 62, 160, 27])
        assert [row.attribute for row in filed(page) if row.category == "responsive"] == ["cut-at-edge-h2-news"]

    @pytest.mark.parametrize("width", [342, 366, 372])
    def test_a_line_that_ends_inside_or_overhangs_by_a_letters_edge_is_fine(self, width: float) -> None:
        page = phone()
        self.heading(page, width=width)
        assert filed(page) == []

    @pytest.mark.parametrize(
        "members",
        [
            {"run": {"hidden_from_at": True}},
            {"style": {"position": "absolute"}},
            {"x": 400, "width": 300},
        ],
    )
    def test_ornament_placed_unseen_and_wholly_absent_text_is_fine(self, members: dict[str, Any]) -> None:
        page = phone()
        self.heading(page, **members)
        assert filed(page) == []

    @pytest.mark.parametrize("overflow", ["auto", "hidden", "clip"])
    def test_what_a_box_below_the_body_scrolls_or_cuts_is_that_boxes_affair(self, overflow: str) -> None:
        page = phone()
        strip = page.add("div", [0, 60, 390, 30], style={"overflow_x": overflow})
        self.heading(page, parent=strip)
        assert [row for row in filed(page) if row.category == "responsive"] == []

    def test_a_ticker_that_moves_is_fine(self) -> None:
        page = phone()
        heading = self.heading(page)
        page.measured(animations=[{"element": heading, "duration_ms": 9000, "properties": ["opacity"]}])
        assert filed(page) == []

    def test_the_card_of_a_row_that_peeks_in_is_no_text_too_long(self) -> None:
        page = phone()
        card = page.add("article", [300, 60, 300, 100], selector="article.card")
        page.text(card, WORDS, [310, 62, 280, 27])
        assert filed(page) == []

    def test_a_page_that_scrolls_there_is_told_of_once_as_such(self) -> None:
        page = phone(scrolls=True)
        self.heading(page)
        page.measured(scroll_width_px=440)
        assert [row.category for row in filed(page)] == ["layout-overflow"]


class TestControl:
    """A button whose left 90 px lie outside the page, its line cut there as the facts have it."""

    def button(self, page: PageBuilder, *, past: float = 90, cut: float = 0.46, **members: Any) -> int:
        members = {"role": "button", "name": "Sign in", "interactive": True, "selector": "button.sign-in"} | members
        style = {"position": "absolute"} | members.pop("style", {})
        button = page.add("button", [-past, 20, 193, 48], style=style, **members)
        page.text(button, "Sign in to my account", [0, 35, 83, 17], clipped_fraction=cut)
        rows = page.document["geometry"].get("overflowing", [])
        page.measured(overflowing=[*rows, {"element": button, "past_left_px": past, "past_right_px": 0}])
        return button

    def test_a_control_whose_words_are_cut_at_the_left_edge(self) -> None:
        page = PageBuilder()
        self.button(page)
        (found,) = filed(page)
        assert (found.category, found.attribute) == ("responsive", "cut-at-edge-button-sign-in")
        assert "reaches 90 px past the left edge of the page, where nothing scrolls." in found.observed

    @pytest.mark.parametrize(
        "members",
        [
            {"past": 6},
            {"past": 190},
            {"cut": 0},
            {"interactive": False},
            {"hidden_from_at": True},
            {"attributes": {"href": "#content"}},
        ],
    )
    def test_overhangs_tabs_that_peek_whole_words_ornament_and_skip_links_are_fine(
        self, members: dict[str, Any]
    ) -> None:
        page = PageBuilder()
        self.button(page, **members)
        assert filed(page) == []

    def test_slides_that_leave_together_are_fine(self) -> None:
        page = PageBuilder()
        row = page.add("div", [0, 0, 1440, 80])
        for name in ("One", "Two"):
            self.button(page, name=name, parent=row)
        assert filed(page) == []

    def test_a_menu_that_waits_off_the_canvas_is_fine(self) -> None:
        page = PageBuilder()
        menu = page.add("div", [-200, 0, 290, 400], style={"position": "absolute"})
        page.measured(overflowing=[{"element": menu, "past_left_px": 200, "past_right_px": 0}])
        self.button(page, parent=menu)
        assert filed(page) == []

    def test_a_page_that_reads_right_to_left_scrolls_there(self) -> None:
        page = PageBuilder()
        page.document["page"]["lang"] = "ar-EG"
        self.button(page)
        assert filed(page) == []

    def right(self, page: PageBuilder) -> None:
        button = page.add(
            "button",
            [320, 20, 150, 48],
            style={"position": "absolute"},
            role="button",
            name="Sign in",
            interactive=True,
            selector="button.sign-in",
        )
        page.text(button, "Sign in to my account", [336, 35, 120, 17])
        page.measured(overflowing=[{"element": button, "past_left_px": 0, "past_right_px": 80}])

    def test_a_control_across_the_right_edge_of_a_page_that_does_not_scroll(self) -> None:
        page = phone()
        self.right(page)
        (found,) = filed(page)
        assert "reaches 80 px past the right edge" in found.observed

    def test_one_of_a_page_that_scrolls_there_can_be_reached(self) -> None:
        page = phone(scrolls=True)
        self.right(page)
        page.document["elements"][HTML]["style"]["overflow_x"] = "visible"
        assert [row for row in filed(page) if row.category == "responsive"] == []
