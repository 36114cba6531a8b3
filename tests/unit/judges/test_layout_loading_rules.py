"""The layout instrument's rules on what loaded and what was drawn."""

from __future__ import annotations

from typing import Any

import pytest
from facts_builder import PageBuilder

from bicameral.judges.instruments.instrument import Measured
from bicameral.judges.instruments.layout import measure
from bicameral.judges.instruments.layout.tree import Tree


def filed(page: PageBuilder) -> list[Measured]:
    return measure({"shot": Tree(page.build())})["shot"]


def worded() -> PageBuilder:
    page = PageBuilder()
    page.add("p", [20, 700, 200, 24], text="Some words")
    return page


class TestImages:
    def image(self, page: PageBuilder, *, box: list[float] | None = None, style: Any = None, **row: Any) -> None:
        index = page.add("img", box or [20, 20, 300, 200], role="img", name="Harbour", style=style)
        plain = {"element": index, "natural": [0, 0], "complete": True, "address": "/harbour.jpg"}
        page.measured(images=[plain | row])

    def failed(self, page: PageBuilder, address: str, kind: str = "image", status: int | None = 404) -> None:
        page.document["failed_requests"] = [{"address": address, "kind": kind, "status": status, "error": None}]

    def test_a_picture_that_did_not_load(self) -> None:
        page = worded()
        self.image(page)
        self.failed(page, "/harbour.jpg")
        (found,) = filed(page)
        assert (found.category, found.attribute) == ("broken-image", "broken-image-img-harbour")
        assert "/harbour.jpg did not load, status 404" in found.observed

    def test_a_file_that_is_no_picture(self) -> None:
        page = worded()
        self.image(page)
        assert "holds no image that could be decoded" in filed(page)[0].observed

    @pytest.mark.parametrize(
        "row",
        [
            {"natural": [640, 480]},
            {"complete": False},
            {"address": None},
            {"address": "/logo.svg"},
            {"box": [20, 20, 1, 1]},
            {"style": {"opacity": 0}},
        ],
    )
    def test_loaded_waiting_unnamed_tiny_and_unseen_pictures_are_fine(self, row: dict[str, Any]) -> None:
        page = worded()
        self.image(page, **row)
        assert filed(page) == []

    def test_a_drawing_that_failed_to_load_is_missing(self) -> None:
        page = worded()
        self.image(page, address="/logo.svg")
        self.failed(page, "/logo.svg")
        assert len(filed(page)) == 1

    def test_a_picture_of_the_style_that_did_not_load(self) -> None:
        page = worded()
        self.failed(page, "/img/paper.png")
        (found,) = filed(page)
        assert (found.attribute, found.rect, found.severity) == ("broken-image-img-paper-png", None, "medium")

    @pytest.mark.parametrize("address", ["/favicon.ico", "/apple-touch-icon.png", "https://ads.example"])
    def test_icons_of_the_frame_and_other_hosts_are_fine(self, address: str) -> None:
        page = worded()
        self.failed(page, address)
        assert filed(page) == []


class TestConsole:
    def test_an_error_is_filed_by_its_words_without_numbers(self) -> None:
        page = worded()
        page.document["console"] = [
            {"level": "error", "text": "Uncaught TypeError: x is undefined at line 12", "source": "/app.js"},
            {"level": "error", "text": "Uncaught TypeError: x is undefined at line 99", "source": "/app.js"},
        ]
        (found,) = filed(page)
        assert found.attribute == "console-error-uncaught-typeerror-x-is-undefined-at-line"
        assert (found.category, found.severity) == ("console-error", "high")

    def test_an_error_that_the_page_reports_itself_is_medium(self) -> None:
        page = worded()
        page.document["console"] = [{"level": "error", "text": "Prices could not be refreshed", "source": None}]
        assert filed(page)[0].severity == "medium"

    def test_a_script_that_did_not_load_is_told_once(self) -> None:
        page = worded()
        text = "Failed to load resource: the server responded with a status of 404"
        page.document["console"] = [{"level": "error", "text": text, "source": "/app.js"}]
        page.document["failed_requests"] = [{"address": "/app.js", "kind": "script", "status": 404, "error": None}]
        (found,) = filed(page)
        assert found.attribute == "console-error-not-loaded-app-js"
        assert found.observed == "The script /app.js did not load: status 404."

    @pytest.mark.parametrize("source", [None, "https://cdn.example", "/favicon.ico"])
    def test_a_failed_load_elsewhere_is_the_networks_doing(self, source: str | None) -> None:
        page = worded()
        page.document["console"] = [
            {"level": "error", "text": "Failed to load resource: net::ERR_FAILED", "source": source}
        ]
        assert filed(page) == []

    def test_a_missing_picture_is_no_console_error(self) -> None:
        page = worded()
        text = "Failed to load resource: the server responded with a status of 404"
        page.document["console"] = [{"level": "error", "text": text, "source": "/a.png"}]
        page.document["failed_requests"] = [{"address": "/a.png", "kind": "image", "status": 404, "error": None}]
        assert {row.category for row in filed(page)} == {"broken-image"}


class TestRender:
    def canvas(self, page: PageBuilder, *, box: list[float] | None = None, blank: bool = True, **style: Any) -> int:
        canvas = page.add("canvas", box or [20, 20, 600, 300], selector="canvas#chart", style=style)
        page.measured(canvases=[canvas], blank_canvases=[canvas] if blank else [])
        return canvas

    def test_a_canvas_that_nobody_drew_on(self) -> None:
        page = worded()
        self.canvas(page)
        (found,) = filed(page)
        assert (found.category, found.attribute) == ("render", "blank-canvas-canvas-chart")
        assert "is 600 by 300 px and blank" in found.observed

    @pytest.mark.parametrize(
        "members",
        [{"blank": False}, {"box": [20, 20, 60, 60]}, {"position": "absolute"}, {"position": "fixed"}, {"opacity": 0}],
    )
    def test_drawn_small_laid_over_and_unseen_ones_are_fine(self, members: dict[str, Any]) -> None:
        page = worded()
        self.canvas(page, **members)
        assert filed(page) == []

    def test_one_with_text_over_it_is_a_background(self) -> None:
        page = worded()
        self.canvas(page)
        page.add("h1", [40, 40, 200, 40], text="Welcome")
        assert filed(page) == []

    def test_a_page_that_shows_nothing(self) -> None:
        (found,) = filed(PageBuilder())
        assert (found.attribute, found.severity, found.rect) == ("empty-page-page", "critical", None)

    @pytest.mark.parametrize("tag", ["img", "svg", "canvas", "iframe", "my-app", "input"])
    def test_a_page_with_something_on_it_is_not_empty(self, tag: str) -> None:
        page = PageBuilder()
        page.add(tag, [0, 0, 300, 300])
        assert filed(page) == []

    def test_a_background_picture_is_something(self) -> None:
        page = PageBuilder()
        page.add("div", [0, 0, 300, 300], style={"background_image": True})
        assert filed(page) == []

    def test_a_tall_main_part_that_is_empty(self) -> None:
        page = worded()
        page.add("main", [0, 0, 1440, 600], role="main", selector="main")
        (found,) = filed(page)
        assert (found.category, found.attribute) == ("render", "empty-main-main")

    def test_a_main_part_with_a_picture_or_of_no_height_is_fine(self) -> None:
        page = worded()
        main = page.add("main", [0, 0, 1440, 600], role="main")
        page.add("img", [0, 0, 300, 300], parent=main)
        page.add("main", [0, 0, 1440, 90], role="main")
        assert filed(page) == []

    def test_a_page_that_says_something_to_assistive_technology_is_not_empty(self) -> None:
        page = PageBuilder()
        page.document["aria"] = "- paragraph: Some text in a shadow root"
        assert filed(page) == []

    def test_a_painted_box_is_something(self) -> None:
        page = PageBuilder()
        page.add("div", [0, 0, 300, 300], style={"border_px": [1, 1, 1, 1]})
        assert filed(page) == []
