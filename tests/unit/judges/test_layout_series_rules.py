"""One of several siblings out of line or unevenly spaced: what fires, and the near misses that do not."""

from __future__ import annotations

from typing import Any

import pytest
from facts_builder import PageBuilder

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


class TestAlignment:
    def column(self, page: PageBuilder, *xs: float, width: float = 200, **style: Any) -> list[int]:
        parent = page.add("div", [0, 0, 400, 400], selector="div.list")
        return [
            page.add(
                "div",
                [x, 20 + 50 * at, width, 40],
                parent=parent,
                selector=f"div.n{at}",
                text=f"Item {at}",
                style=style,
            )
            for at, x in enumerate(xs)
        ]

    def test_one_of_a_column_that_is_a_few_pixels_off(self) -> None:
        page = PageBuilder()
        self.column(page, 20, 20, 26, 20)
        (found,) = filed(page)
        assert (found.category, found.attribute) == ("alignment", "off-edge-div-n2")
        assert "stands 6 px to the right of the left edge that its siblings share." in found.observed

    def test_one_of_a_row_that_hangs_lower(self) -> None:
        page = PageBuilder()
        parent = page.add("div", [0, 0, 900, 100])
        for at, y in enumerate((20, 20, 20, 24)):
            page.add("a", [20 + 110 * at, y, 100, 30], parent=parent, role="link", name=f"Day {at}", text=f"Day {at}")
        (found,) = filed(page)
        assert "stands 4 px below the top edge" in found.observed

    def test_an_indented_detail_among_them_hides_nothing(self) -> None:
        page = PageBuilder()
        self.column(page, 20, 20, 26, 60, 20, 20)
        assert [row.attribute for row in filed(page)] == ["off-edge-div-n2"]

    @pytest.mark.parametrize(
        "xs", [(20, 20, 26), (20, 20, 26, 26), (20, 20, 21, 20), (20, 20, 60, 20), (20, 20, 20, 20), (20, 24, 28, 32)]
    )
    def test_few_siblings_several_off_rounding_and_indents_are_fine(self, xs: tuple[float, ...]) -> None:
        page = PageBuilder()
        self.column(page, *xs)
        assert filed(page) == []

    def test_a_wider_one_that_is_centred_is_in_line(self) -> None:
        page = PageBuilder()
        rows = self.column(page, 20, 20, 15, 20)
        page.document["elements"][rows[2]]["box"][2] = 210
        assert filed(page) == []

    def test_one_whose_text_lines_up_all_the_same_is_in_line(self) -> None:
        page = PageBuilder()
        self.column(page, 20, 20, 16, 20)
        for run in page.document["text_runs"]:
            run["lines"][0][0] = 24
        assert filed(page) == []

    def test_a_row_of_different_heights_hangs_by_its_middles(self) -> None:
        page = PageBuilder()
        parent = page.add("div", [0, 0, 900, 100])
        for at, (y, height) in enumerate(((20, 30), (20, 30), (20, 30), (16, 38))):
            page.add("span", [20 + 110 * at, y, 100, height], parent=parent, text=f"Day {at}")
        assert filed(page) == []

    def test_rows_of_a_table_are_the_tables_affair(self) -> None:
        page = PageBuilder()
        table = page.add("tbody", [0, 0, 400, 400])
        for at, x in enumerate((20, 20, 26, 20)):
            page.add("tr", [x, 20 + 50 * at, 200, 40], parent=table, text=f"Row {at}")
        assert filed(page) == []


class TestSpacing:
    def column(self, page: PageBuilder, *gaps: float, tag: str = "div", last_class: str = "") -> None:
        parent = page.add("div", [0, 0, 400, 900])
        y = 20.0
        for at in range(len(gaps) + 1):
            classes = {"class": "card" + (f" {last_class}" if last_class and at == len(gaps) else "")}
            page.add(tag, [20, y, 200, 40], parent=parent, selector=f"div.n{at}", text=f"Item {at}", attributes=classes)
            y += 40 + (gaps[at] if at < len(gaps) else 0)

    def test_one_gap_that_differs_from_all_others(self) -> None:
        page = PageBuilder()
        self.column(page, 16, 16, 28, 16)
        (found,) = filed(page)
        assert (found.category, found.attribute) == ("spacing", "uneven-gap-div-n3")
        assert "follows a gap of 28 px; the 3 other gaps are 16 px." in found.observed

    def test_one_gap_that_is_too_small(self) -> None:
        page = PageBuilder()
        self.column(page, 24, 24, 24, 8, 24)
        assert [row.attribute for row in filed(page)] == ["uneven-gap-div-n4"]

    @pytest.mark.parametrize(
        "gaps",
        [
            (16, 16, 28),
            (16, 16, 18, 16),
            (16, 16, 28, 28),
            (16, 16, 90, 16),
            (12, 12, 36, 12),
            (0, 0, 16, 0),
            (16, 16, 16, 16),
            (8, 16, 24, 32),
        ],
    )
    def test_few_gaps_rounding_groups_and_blocks_are_fine(self, gaps: tuple[float, ...]) -> None:
        page = PageBuilder()
        self.column(page, *gaps)
        assert filed(page) == []

    def test_a_last_one_of_another_kind_is_set_apart(self) -> None:
        page = PageBuilder()
        self.column(page, 16, 16, 16, 28, last_class="card--more")
        assert filed(page) == []

    def test_a_rule_drawn_in_the_gap_parts_two_groups(self) -> None:
        page = PageBuilder()
        self.column(page, 16, 16, 28, 16)
        page.document["elements"][6]["style"]["border_px"] = [1, 0, 0, 0]
        assert filed(page) == []

    def test_rules_in_all_gaps_part_nothing(self) -> None:
        page = PageBuilder()
        self.column(page, 16, 16, 28, 16)
        for element in page.document["elements"][3:]:
            element["style"]["border_px"] = [1, 0, 0, 0]
        assert len(filed(page)) == 1

    def test_running_text_is_spaced_by_what_it_says(self) -> None:
        page = PageBuilder()
        self.column(page, 16, 16, 28, 16, tag="p")
        assert filed(page) == []

    def test_something_else_in_between_explains_a_gap(self) -> None:
        page = PageBuilder()
        self.column(page, 16, 16, 28, 16)
        page.add("hr", [20, 190, 200, 1], parent=2)
        assert filed(page) == []
