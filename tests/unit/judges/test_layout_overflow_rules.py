"""Sideways scroll, text that leaves its box, content and controls past the edge: what fires, and near misses."""

from __future__ import annotations

from typing import Any

import pytest
from facts_builder import HTML, WHITE, PageBuilder

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


class TestSidewaysScroll:
    def test_a_page_that_scrolls_sideways_names_what_sticks_out(self) -> None:
        page = PageBuilder(form_factor="phone")
        wide(page)
        (found,) = filed(page)
        assert (found.category, found.attribute) == ("layout-overflow", "sideways-scroll-table-fares")
        assert (
            "reaches 60 px past the edge of the page in a window of 390 px; the page is 450 px wide." in found.observed
        )

    def test_the_outermost_of_what_sticks_out_is_named(self) -> None:
        page = PageBuilder(form_factor="phone")
        table = wide(page)
        cell = page.add("td", [300, 60, 150, 40], parent=table)
        rows = [{"element": index, "past_left_px": 0, "past_right_px": 60} for index in (table, cell)]
        page.measured(overflowing=rows)
        assert len(filed(page)) == 1

    def test_a_line_of_text_that_sticks_out_of_its_box_is_named(self) -> None:
        page = PageBuilder(form_factor="phone")
        pre = page.add("pre", [16, 20, 358, 40], selector="pre.licence")
        page.text(pre, "A line that does not wrap", [16, 20, 500, 20])
        page.measured(scroll_width_px=516)
        (found,) = filed(page)
        assert found.attribute == "sideways-scroll-pre-licence"

    def test_where_nothing_is_known_to_stick_out_the_page_is_named(self) -> None:
        page = PageBuilder(form_factor="phone")
        page.add("p", [16, 16, 200, 24], text="Some words")
        page.measured(scroll_width_px=450)
        (found,) = filed(page)
        assert (found.attribute, found.rect) == ("sideways-scroll-page", None)

    def test_a_right_to_left_page_scrolls_to_the_left(self) -> None:
        page = PageBuilder()
        aside = page.add("aside", [-37, 16, 255, 100], selector="aside", text="نص")
        page.measured(scroll_width_px=1477, overflowing=[{"element": aside, "past_left_px": 37, "past_right_px": 0}])
        assert [row.attribute for row in filed(page)] == ["sideways-scroll-aside"]

    def test_a_few_pixels_are_rounding(self) -> None:
        page = PageBuilder(form_factor="phone")
        wide(page, past=4)
        assert filed(page) == []

    @pytest.mark.parametrize("tag", ["html", "body"])
    def test_a_page_that_cuts_its_overflow_does_not_scroll(self, tag: str) -> None:
        page = PageBuilder(form_factor="phone")
        wide(page)
        page.document["elements"][0 if tag == "html" else 1]["style"]["overflow_x"] = "hidden"
        assert filed(page, "layout-overflow") == []

    def test_a_wide_table_in_a_box_that_scrolls_is_fine(self) -> None:
        page = PageBuilder(form_factor="phone")
        box = page.add("div", [16, 16, 358, 100], style={"overflow_x": "auto"})
        table = page.add("table", [16, 16, 800, 100], parent=box)
        page.text(table, "Monday to Friday", [16, 20, 790, 20])
        page.measured(scrollers=[{"element": box, "scroll": [800, 100], "client": [358, 100]}])
        assert filed(page) == []


class TestSpill:
    def box(self, page: PageBuilder, **style: Any) -> int:
        return page.add("div", [20, 20, 200, 60], selector="div.note", style={"background": GREY, **style})

    def test_text_that_runs_over_the_lower_edge_of_its_box(self) -> None:
        page = PageBuilder()
        text = page.add("p", [30, 30, 180, 96], parent=self.box(page))
        page.text(text, "More than the box holds", [30, 30, 180, 20], [30, 54, 180, 20], [30, 78, 180, 20])
        (found,) = filed(page)
        assert found.attribute == "text-spill-div-note"
        assert "runs 18 px over its lower edge" in found.observed

    def test_a_word_that_runs_over_the_right_edge_of_its_box(self) -> None:
        page = PageBuilder()
        page.text(self.box(page), "Donaudampfschifffahrtsgesellschaft", [30, 30, 260, 20])
        assert [row.attribute for row in filed(page)] == ["text-spill-div-note"]

    def test_the_same_text_in_a_box_that_nobody_sees_is_fine(self) -> None:
        page = PageBuilder()
        page.text(self.box(page, background=WHITE), "Donaudampfschifffahrtsgesellschaft", [30, 30, 260, 20])
        assert filed(page) == []

    @pytest.mark.parametrize("style", [{"overflow_y": "auto"}, {"overflow_x": "hidden"}])
    def test_a_box_that_scrolls_or_cuts_holds_its_text(self, style: dict[str, str]) -> None:
        page = PageBuilder()
        page.text(self.box(page, **style), "More than the box holds", [30, 78, 180, 20])
        assert filed(page, "layout-overflow") == []

    def test_a_badge_that_is_placed_over_the_edge_is_fine(self) -> None:
        page = PageBuilder()
        box = self.box(page)
        page.text(box, "Inside", [30, 30, 80, 20])
        badge = page.add("span", [200, 70, 60, 24], parent=box, style={"position": "absolute"})
        page.text(badge, "New offer", [200, 72, 60, 20])
        assert filed(page) == []

    def test_less_than_half_a_line_is_fine(self) -> None:
        page = PageBuilder()
        page.text(self.box(page), "Tight", [30, 66, 80, 20])
        assert filed(page) == []


class TestCutAtEdge:
    def crossing(self, page: PageBuilder, **style: Any) -> None:
        page.document["elements"][1]["style"]["overflow_x"] = "hidden"
        box = page.add("div", [16, 20, 600, 60], selector="div.plan", style=style)
        page.text(box, "A row that is wider than the phone", [16, 30, 590, 20])
        page.measured(overflowing=[{"element": box, "past_left_px": 0, "past_right_px": 226}])

    def test_content_wider_than_a_window_that_does_not_scroll(self) -> None:
        page = PageBuilder(form_factor="phone")
        self.crossing(page)
        (found,) = filed(page)
        assert (found.category, found.attribute) == ("responsive", "cut-at-edge-div-plan")

    @pytest.mark.parametrize("position", ["absolute", "fixed"])
    def test_what_was_moved_out_of_the_flow_is_a_menu_or_a_decoration(self, position: str) -> None:
        page = PageBuilder(form_factor="phone")
        self.crossing(page, position=position)
        assert filed(page) == []

    def test_a_box_whose_text_ends_inside_is_fine(self) -> None:
        page = PageBuilder(form_factor="phone")
        self.crossing(page)
        page.document["text_runs"][0]["lines"] = [[16, 30, 300, 20]]
        assert filed(page) == []


class TestOffScreen:
    def views(self, box: list[float], *, count: int = 1, desktop: bool = True, **members: Any) -> list[Measured]:
        """A phone on which links lie at `box`, and a desktop on which they are in their place."""
        trees = {}
        parent_style = members.pop("parent_style", {})
        for factor in ("phone", "desktop"):
            page = PageBuilder(form_factor=factor)
            page.add("p", [16, 300, 200, 24], text="Some words")
            panel = page.add("div", [16, 16, 300, 100], style=parent_style)
            for at in range(count if factor == "phone" or desktop else 0):
                place = [box[0], box[1] + 40 * at, *box[2:]] if factor == "phone" else [40, 40 + 40 * at, 100, 24]
                plain = {
                    "role": "link",
                    "name": f"All sailings {at}",
                    "interactive": True,
                    "attributes": {"href": "/all"},
                }
                page.add("a", place, parent=panel, **(plain | members))
            trees[factor] = Tree(page.build())
        return measure(trees)["phone"]

    def test_a_link_that_lies_left_of_the_phones_screen(self) -> None:
        (found,) = self.views([-211, 40, 104, 24])
        assert (found.category, found.attribute) == ("responsive", "off-screen-control-link-all-sailings-0")
        assert "lies from x = -211 to -107 in a window of 390 px, where nothing scrolls." in found.observed

    def test_a_link_right_of_a_window_that_does_not_scroll(self) -> None:
        assert len(self.views([400, 40, 104, 24])) == 1

    @pytest.mark.parametrize(
        "members",
        [
            {"count": 3},
            {"desktop": False},
            {"attributes": {"href": "#content"}},
            {"style": {"visibility": "hidden"}},
            {"style": {"opacity": 0}},
            {"disabled": True},
            {"name": None},
            {"parent_style": {"overflow_x": "auto"}},
        ],
    )
    def test_menus_skip_links_hidden_ones_and_scrollers_are_fine(self, members: dict[str, Any]) -> None:
        assert self.views([-211, 40, 104, 24], **members) == []

    def test_a_link_half_in_view_can_be_used(self) -> None:
        assert self.views([-50, 40, 104, 24]) == []


def test_an_empty_document_is_judged_without_a_fault() -> None:
    page = PageBuilder()
    page.document["elements"] = []
    assert filed(page) == []


@pytest.mark.parametrize("value", [0, -5000, 1e7])
def test_boxes_anywhere_break_no_rule(value: float) -> None:
    page = PageBuilder()
    parent = page.add("div", [value, value, 0, 0], parent=HTML)
    for at in range(6):
        page.add(
            "button", [value, value * at, abs(value), 1], parent=parent, role="button", text="{{ x }} NaN", name="Go"
        )
    page.measured(scroll_width_px=abs(value), client_width_px=0)
    filed(page)
