"""Text over text, covered controls and text cut through: what fires, and the near misses that do not."""

from __future__ import annotations

from typing import Any

import pytest
from facts_builder import WHITE, PageBuilder

from bicameral.judges.instruments.instrument import Measured
from bicameral.judges.instruments.layout import measure
from bicameral.judges.instruments.layout.tree import Tree

GREY = [230, 230, 230, 1]


def filed(page: PageBuilder, category: str | None = None) -> list[Measured]:
    found = measure({"shot": Tree(page.build())})["shot"]
    return [row for row in found if category is None or row.category == category]


def wide(page: PageBuilder, *, past: float = 60, **style: Any) -> int:
    """A table that reaches past the right edge of the page."""
    page.add("p", [16, 16, 200, 24], text="Some words")
    table = page.add("table", [16, 60, page.width - 16 + past, 100], role="table", selector="table.fares", style=style)
    page.measured(
        scroll_width_px=page.width + past,
        overflowing=[{"element": table, "past_left_px": 0, "past_right_px": past}],
    )
    return table


class TestOverlap:
    def two(
        self, page: PageBuilder, *, dy: float, upper: dict[str, Any] | None = None, text: str = "Second text"
    ) -> None:
        first = page.add("p", [20, 20, 200, 20], selector="p.first")
        page.text(first, "First text", [20, 20, 120, 20])
        second = page.add("p", [20, 20 + dy, 200, 20], selector="p.second", style=upper)
        page.text(second, text, [20, 20 + dy, 120, 20])

    def test_text_over_text_is_filed_on_the_upper_one_with_both_words_and_the_place(self) -> None:
        page = PageBuilder()
        self.two(page, dy=8)
        (found,) = filed(page)
        assert found.attribute == "text-overlap-p-second"
        assert "draws “Second text” over “First text” at 20,32." in found.observed

    def test_the_upper_one_is_the_one_painted_last(self) -> None:
        page = PageBuilder()
        first = page.add("p", [20, 20, 200, 20], selector="p.raised", style={"position": "relative", "z_index": "2"})
        page.text(first, "First text", [20, 20, 120, 20])
        self.two(page, dy=0, text="Third text")
        page.document["text_runs"] = [run for run in page.document["text_runs"] if run["text"] != "Second text"]
        assert {row.attribute for row in filed(page)} >= {"text-overlap-p-raised"}

    @pytest.mark.parametrize("dy", [12, 14, 20])
    def test_lines_that_stand_close_are_fine(self, dy: float) -> None:
        page = PageBuilder()
        self.two(page, dy=dy)
        assert filed(page, "overlap") == []

    @pytest.mark.parametrize(
        "upper",
        [
            {"background": WHITE, "position": "absolute"},
            {"background_image": True, "position": "fixed"},
            {"opacity": 0},
            {"color": [0, 0, 0, 0]},
        ],
    )
    def test_text_behind_an_opaque_box_or_that_is_not_seen_is_fine(self, upper: dict[str, Any]) -> None:
        page = PageBuilder()
        self.two(page, dy=3, upper=upper)
        assert filed(page, "overlap") == []

    def test_the_same_text_twice_is_a_shadow(self) -> None:
        page = PageBuilder()
        self.two(page, dy=2, text="First text")
        assert filed(page, "overlap") == []

    def test_an_icon_over_a_field_is_fine(self) -> None:
        page = PageBuilder()
        self.two(page, dy=2, text="⌕")
        assert filed(page, "overlap") == []

    def test_text_for_screen_readers_is_not_seen(self) -> None:
        page = PageBuilder()
        page.add("p", [20, 20, 200, 20], text="First text")
        hidden = page.add("span", [20, 20, 1, 1], style={"position": "absolute", "overflow_x": "hidden"})
        page.text(hidden, "Skip to content", [20, 20, 120, 20])
        assert filed(page, "overlap") == []

    def test_labels_inside_a_drawing_are_its_own_affair(self) -> None:
        page = PageBuilder()
        drawing = page.add("svg", [0, 0, 300, 300])
        for words in ("January", "February"):
            page.add("text", [20, 20, 80, 16], parent=drawing, text=words)
        assert filed(page, "overlap") == []

    def test_text_that_moves_is_nowhere_for_long(self) -> None:
        page = PageBuilder()
        self.two(page, dy=3)
        page.measured(animations=[{"element": 3, "duration_ms": 800, "properties": ["opacity"]}])
        assert filed(page, "overlap") == []


class TestCoveredControl:
    def covered(self, page: PageBuilder, *, tag: str = "div", box: list[float] | None = None, **members: Any) -> None:
        control = page.add("a", [20, 20, 100, 30], role="link", name="Book", attributes={"href": "/book"})
        cover = page.add(tag, box or [0, 0, 400, 60], selector="div.strip", **members)
        page.measured(covered=[{"element": control, "by": cover}])

    def test_a_control_under_something_else_is_filed_with_what_covers_it(self) -> None:
        page = PageBuilder()
        self.covered(page)
        (found,) = filed(page, "overlap")
        assert found.attribute == "covered-control-link-book"
        assert "is covered at its middle by the div.strip element" in found.observed

    def test_a_dialog_covers_on_purpose(self) -> None:
        page = PageBuilder()
        self.covered(page, box=[0, 0, 1440, 900])
        assert filed(page, "overlap") == []

    def test_a_link_stretched_over_its_card_leads_to_the_same_place(self) -> None:
        page = PageBuilder()
        self.covered(page, tag="a", attributes={"href": "/book"})
        assert filed(page, "overlap") == []

    def test_a_control_drawn_by_its_label_is_one_control(self) -> None:
        page = PageBuilder()
        self.covered(page, tag="label")
        assert filed(page, "overlap") == []

    def test_a_cover_that_is_not_in_the_list_is_not_known(self) -> None:
        page = PageBuilder()
        control = page.add("a", [20, 20, 100, 30], role="link", name="Book", text="Book")
        page.measured(covered=[{"element": control, "by": None}])
        assert filed(page, "overlap") == []


class TestTextCut:
    def cut(self, page: PageBuilder, *, line: list[float], fraction: float = 0.4, **style: Any) -> int:
        box = page.add(
            "div",
            [20, 20, 200, 40],
            selector="div.card",
            style={"overflow_y": "hidden", "overflow_x": "hidden", **style},
        )
        text = page.add("p", [20, 20, 200, 72], parent=box, selector="p.teaser")
        page.text(text, "Text that is longer than its box", [20, 20, 200, 20], line, clipped_fraction=fraction)
        page.measured(scrollers=[{"element": box, "scroll": [200, 72], "client": [200, 40]}])
        return box

    def test_a_line_cut_through_at_the_lower_edge(self) -> None:
        page = PageBuilder()
        self.cut(page, line=[20, 52, 200, 8])
        (found,) = filed(page, "clipping")
        assert found.attribute == "text-cut-p-teaser"
        assert "cut through at its lower edge; 40 % of it is not drawn" in found.observed

    def test_a_text_too_long_for_its_own_box(self) -> None:
        page = PageBuilder()
        box = page.add(
            "div", [20, 20, 100, 24], selector="div.chip", style={"overflow_x": "hidden", "white_space": "nowrap"}
        )
        page.text(box, "Reservation number", [20, 22, 100, 20], clipped_fraction=0.3)
        page.measured(scrollers=[{"element": box, "scroll": [143, 24], "client": [100, 24]}])
        (found,) = filed(page, "clipping")
        assert "right edge" in found.observed

    def test_lines_cut_between_one_another_were_counted(self) -> None:
        page = PageBuilder()
        self.cut(page, line=[20, 40, 200, 20])
        assert filed(page, "clipping") == []

    @pytest.mark.parametrize(
        "style",
        [
            {"text_overflow": "ellipsis"},
            {"overflow_y": "auto"},
            {"overflow_x": "scroll"},
            {"display": "-webkit-box"},
        ],
    )
    def test_a_cut_with_an_ellipsis_or_a_scroller_can_be_read(self, style: dict[str, Any]) -> None:
        page = PageBuilder()
        self.cut(page, line=[20, 52, 200, 8], **style)
        assert filed(page, "clipping") == []

    def test_a_hairline_of_text_is_no_text(self) -> None:
        page = PageBuilder()
        self.cut(page, line=[20, 58, 200, 2])
        assert filed(page, "clipping") == []

    def test_a_line_that_keeps_its_letters_is_whole(self) -> None:
        page = PageBuilder()
        self.cut(page, line=[20, 42, 200, 18], fraction=0.03)
        assert filed(page, "clipping") == []

    def test_text_hidden_whole_is_hidden_on_purpose(self) -> None:
        page = PageBuilder()
        self.cut(page, line=[20, 52, 200, 8], fraction=0.99)
        assert filed(page, "clipping") == []

    def test_a_fade_over_the_cut_says_that_there_is_more(self) -> None:
        page = PageBuilder()
        box = self.cut(page, line=[20, 52, 200, 8])
        page.add("div", [20, 30, 200, 30], parent=box, style={"position": "absolute", "background_image": True})
        assert filed(page, "clipping") == []

    def test_a_control_that_unfolds_the_box_says_that_there_is_more(self) -> None:
        page = PageBuilder()
        box = self.cut(page, line=[20, 52, 200, 8])
        page.add("button", [20, 70, 80, 20], attributes={"aria-expanded": "false"}, role="button", name="More")
        assert page.document["elements"][box]["parent"] == 1
        assert filed(page, "clipping") == []

    def test_a_slide_that_sticks_out_of_its_track_is_a_slide(self) -> None:
        page = PageBuilder()
        track = page.add("div", [20, 20, 200, 60], style={"overflow_x": "hidden"})
        slide = page.add("div", [160, 20, 180, 60], parent=track)
        page.text(slide, "Second slide", [170, 30, 50, 20], clipped_fraction=0.6)
        page.measured(scrollers=[{"element": track, "scroll": [320, 60], "client": [200, 60]}])
        assert filed(page, "clipping") == []

    def test_a_field_scrolls_its_text_by_itself(self) -> None:
        page = PageBuilder()
        field = page.add("input", [20, 20, 100, 24], role="textbox", style={"overflow_x": "clip"})
        page.text(field, "A long value in a short field", [20, 22, 100, 20], clipped_fraction=0.5, pseudo="value")
        assert filed(page, "clipping") == []
