"""The layout instrument's rules on type, focus, motion, headings, buttons and wording."""

from __future__ import annotations

from typing import Any

import pytest
from facts_builder import PageBuilder

from bicameral.judges.instruments.instrument import Measured
from bicameral.judges.instruments.layout import measure
from bicameral.judges.instruments.layout.tree import Tree

BLUE = [20, 60, 200, 1]


def filed(page: PageBuilder) -> list[Measured]:
    return measure({"shot": Tree(page.build())})["shot"]


class TestTypography:
    def test_text_below_nine_pixels(self) -> None:
        page = PageBuilder()
        page.add("p", [20, 20, 200, 10], selector="p.terms", text="Terms apply", style={"font_px": 8})
        (found,) = filed(page)
        assert (found.category, found.attribute) == ("typography", "small-text-p-terms")
        assert "shows “Terms apply” in 8 px." in found.observed

    def test_what_stands_in_the_lines_of_a_small_block_is_one_defect_with_it(self) -> None:
        page = PageBuilder()
        block = page.add("p", [20, 20, 200, 10], selector="footer p", text="Terms apply to", style={"font_px": 8})
        for at, words in enumerate(("Shipping", "Returns")):
            page.add(
                "a", [230 + 60 * at, 20, 40, 10], parent=block, text=words, style={"font_px": 8, "display": "inline"}
            )
        assert [row.attribute for row in filed(page)] == ["small-text-footer-p"]

    @pytest.mark.parametrize(
        ("tag", "text", "font_px"), [("p", "Terms apply", 9), ("sup", "ref", 8), ("p", "®", 7), ("svg", "May", 6)]
    )
    def test_nine_pixels_superscripts_signs_and_drawings_are_fine(self, tag: str, text: str, font_px: float) -> None:
        page = PageBuilder()
        page.add(tag, [20, 20, 200, 10], text=text, style={"font_px": font_px})
        assert filed(page) == []

    def lines(self, page: PageBuilder, pitch: float, font_px: float, count: int = 3) -> None:
        text = page.add("p", [20, 20, 300, 200], selector="p.intro", style={"font_px": font_px})
        boxes = [[20, 20 + pitch * at, 300, font_px * 1.15] for at in range(count)]
        page.text(text, "A text of several lines that go on", *boxes)

    def test_lines_closer_than_the_text_is_high(self) -> None:
        page = PageBuilder()
        self.lines(page, pitch=13, font_px=16)
        (found,) = filed(page)
        assert (found.category, found.attribute) == ("typography", "tight-lines-p-intro")
        assert "sets lines of 16 px text 13 px apart." in found.observed

    @pytest.mark.parametrize(("pitch", "font_px", "count"), [(16, 16, 3), (15.2, 16, 2), (48, 56, 2), (10, 16, 1)])
    def test_solid_setting_display_lines_and_single_lines_are_fine(
        self, pitch: float, font_px: float, count: int
    ) -> None:
        page = PageBuilder()
        self.lines(page, pitch, font_px, count)
        assert filed(page) == []

    def test_lines_of_two_columns_are_no_neighbours(self) -> None:
        page = PageBuilder()
        text = page.add("p", [20, 20, 900, 60])
        page.text(text, "A text that is set in two columns", [20, 20, 300, 18], [480, 26, 300, 18])
        assert filed(page) == []


class TestFocus:
    def stop(self, page: PageBuilder, changes: tuple[str, ...] = (), **members: Any) -> int:
        members = {"tag": "a", "role": "link", "name": "Prices", "selector": "nav a.item"} | members
        link = page.add(members.pop("tag"), [20, 20, 80, 24], text="Prices", **members)
        rows = page.document["geometry"].setdefault("focus", [])
        rows.append({"element": link, "changes": list(changes)})
        return link

    def test_a_link_that_shows_no_focus(self) -> None:
        page = PageBuilder()
        self.stop(page, landmark="navigation")
        (found,) = filed(page)
        assert (found.category, found.attribute) == ("focus", "focus-unseen-navigation-nav-a-item")

    def test_links_that_one_style_rule_hides_are_one_defect(self) -> None:
        page = PageBuilder()
        self.stop(page)
        self.stop(page, name="Contact")
        assert len({row.attribute for row in filed(page)}) == 1

    def test_any_change_shows_the_focus(self) -> None:
        page = PageBuilder()
        self.stop(page, ("box-shadow",))
        assert filed(page) == []

    @pytest.mark.parametrize(
        "members",
        [
            {"tag": "input", "role": "textbox", "attributes": {"type": "email"}},
            {"tag": "input", "role": "textbox"},
            {"tag": "textarea", "role": "textbox"},
            {"disabled": True},
            {"style": {"opacity": 0}},
            {"tag": "iframe"},
        ],
    )
    def test_carets_disabled_and_unseen_controls_and_frames_are_fine(self, members: dict[str, Any]) -> None:
        page = PageBuilder()
        page.add("p", [20, 500, 200, 24], text="Some words")
        self.stop(page, **members)
        assert filed(page) == []


class TestMotion:
    def moving(self, page: PageBuilder, *properties: str, size: float = 300, **members: Any) -> None:
        box = page.add("div", [20, 20, size, size], **({"selector": "div.hero"} | members))
        page.add("p", [20, 500, 200, 24], text="Some words")
        page.measured(animations=[{"element": box, "duration_ms": 2500, "properties": list(properties)}])

    def test_endless_movement_under_reduced_motion(self) -> None:
        page = PageBuilder()
        self.moving(page, "opacity", "transform")
        (found,) = filed(page)
        assert (found.category, found.attribute) == ("motion", "endless-motion-div-hero")
        assert "changes its transform every 2.5 s without end." in found.observed

    def test_a_small_sign_that_moves_is_less_severe(self) -> None:
        page = PageBuilder()
        self.moving(page, "transform", size=12)
        assert [row.severity for row in filed(page)] == ["low"]

    def test_colours_and_opacity_do_not_move(self) -> None:
        page = PageBuilder()
        self.moving(page, "opacity", "backgroundColor", "boxShadow")
        assert filed(page) == []

    @pytest.mark.parametrize(
        "members",
        [
            {"size": 6},
            {"attributes": {"class": "spinner-border"}},
            {"attributes": {"class": "skeleton-line"}},
            {"attributes": {"aria-busy": "true"}},
            {"role": "progressbar"},
            {"style": {"opacity": 0}},
        ],
    )
    def test_what_waits_is_tiny_or_is_not_seen_may_move(self, members: dict[str, Any]) -> None:
        page = PageBuilder()
        self.moving(page, "transform", **members)
        assert filed(page) == []

    def test_an_animation_of_something_unlisted_is_passed_over(self) -> None:
        page = PageBuilder()
        self.moving(page, "transform")
        page.document["geometry"]["animations"][0]["element"] = None
        assert filed(page) == []


class TestHierarchy:
    def headings(self, page: PageBuilder, *sizes: tuple[int, float], wrap: bool = False, **members: Any) -> None:
        section = page.add("section", [0, 0, 800, 600])
        for at, (level, font_px) in enumerate(sizes):
            box = [20, 20 + 60 * at, 400, 40]
            parent = page.add("div", box, parent=section) if wrap else section
            name = f"Part {chr(65 + at)}"
            page.add(
                f"h{level}",
                box,
                parent=parent,
                role="heading",
                name=name,
                text=name,
                heading_level=level,
                style={"font_px": font_px},
                **members,
            )

    def test_a_heading_larger_than_its_sections(self) -> None:
        page = PageBuilder()
        self.headings(page, (2, 20), (3, 28))
        (found,) = filed(page)
        assert (found.category, found.attribute) == ("hierarchy", "heading-larger-heading-part-b")
        assert "(level 3) is set in 28 px, its section's heading “Part A” in 20 px." in found.observed

    @pytest.mark.parametrize(
        "sizes",
        [((2, 24), (3, 24)), ((2, 24), (3, 26)), ((2, 24), (2, 40)), ((3, 18), (2, 30)), ((2, 30), (3, 20), (4, 16))],
    )
    def test_equal_slightly_larger_and_other_ranks_are_fine(self, sizes: tuple[tuple[int, float], ...]) -> None:
        page = PageBuilder()
        self.headings(page, *sizes)
        assert filed(page) == []

    def test_the_name_of_the_site_may_be_small(self) -> None:
        page = PageBuilder()
        self.headings(page, (1, 18), (2, 40), region="shell-header")
        assert filed(page) == []

    def test_a_figure_set_large_is_no_heading_to_a_reader(self) -> None:
        page = PageBuilder()
        self.headings(page, (2, 20), (3, 48))
        page.document["text_runs"][1]["text"] = "1,024"
        assert filed(page) == []

    def test_a_heading_in_the_next_card_belongs_elsewhere(self) -> None:
        page = PageBuilder()
        row = page.add("div", [0, 0, 800, 600])
        for at, (level, font_px) in enumerate(((4, 13), (6, 18))):
            card = page.add("div", [400 * at, 0, 390, 300], parent=row)
            body = page.add("div", [400 * at, 0, 390, 300], parent=card)
            inner = page.add("div", [400 * at, 0, 390, 300], parent=body)
            page.add(
                f"h{level}",
                [400 * at, 0, 390, 40],
                parent=inner,
                role="heading",
                name=f"Card {at}",
                text=f"Card {at}",
                heading_level=level,
                style={"font_px": font_px},
            )
        assert filed(page) == []

    def test_a_heading_for_screen_readers_has_no_size(self) -> None:
        page = PageBuilder()
        self.headings(page, (2, 12), (3, 28))
        page.document["text_runs"][0]["lines"] = []
        assert filed(page) == []


class TestConsistency:
    def row(self, page: PageBuilder, *styles: dict[str, Any], gap: float = 12, cards: bool = False) -> None:
        holder = page.add("div", [0, 0, 900, 100])
        for at, style in enumerate(styles):
            style = {"background": BLUE, "border_radius_px": 6} | style
            height = style.pop("height", 40)
            box = [20 + (100 + gap) * at, 20, 100, height]
            parent = page.add("div", box, parent=holder, attributes={"class": "card"}) if cards else holder
            words = style.pop("words", f"Choose {chr(97 + at)}")
            page.add("button", box, parent=parent, role="button", name=words, text=words, style=style)

    @pytest.mark.parametrize(
        ("odd", "words"),
        [
            ({"height": 48}, "has a height of 48 px; its 2 siblings have 40 px."),
            ({"border_radius_px": 0}, "has a corner radius of 0 px; its 2 siblings have 6 px."),
            ({"font_px": 13}, "has a text size of 13 px; its 2 siblings have 16 px."),
        ],
    )
    @pytest.mark.parametrize("cards", [False, True])
    def test_one_button_that_differs(self, odd: dict[str, Any], words: str, cards: bool) -> None:
        page = PageBuilder()
        self.row(page, {}, {}, odd, cards=cards)
        (found,) = [row for row in filed(page) if row.category == "consistency"]
        assert found.attribute == "odd-button-button-choose-c"
        assert words in found.observed

    @pytest.mark.parametrize(
        "styles",
        [
            ({}, {"height": 48}),
            ({}, {}, {"height": 42}),
            ({}, {"height": 48}, {"height": 56}),
            ({}, {}, {"background": [0, 0, 0, 0], "border_radius_px": 0}),
            ({}, {}, {"words": "✕", "height": 24}),
            ({"border_radius_px": 30}, {"border_radius_px": 999}, {"border_radius_px": 20}),
        ],
    )
    def test_pairs_small_differences_links_icons_and_pills_are_fine(self, styles: tuple[dict[str, Any], ...]) -> None:
        page = PageBuilder()
        self.row(page, *styles)
        assert [row for row in filed(page) if row.category == "consistency"] == []

    def test_buttons_that_touch_have_corners_by_design(self) -> None:
        page = PageBuilder()
        self.row(page, {}, {"border_radius_px": 0}, {}, gap=0)
        assert [row for row in filed(page) if row.category == "consistency"] == []

    def test_a_button_that_wraps_is_taller(self) -> None:
        page = PageBuilder()
        self.row(page, {}, {}, {"height": 64})
        page.document["text_runs"][-1]["lines"] = [[250, 22, 90, 20], [250, 46, 90, 20]]
        assert [row for row in filed(page) if row.category == "consistency"] == []


class TestContent:
    def said(self, text: str, tag: str = "p", **members: Any) -> list[Measured]:
        page = PageBuilder()
        parent = page.add("div", [0, 0, 900, 300], **members)
        page.add(tag, [20, 20, 400, 24], parent=parent, text=text)
        return filed(page)

    @pytest.mark.parametrize(
        "text",
        [
            "Lorem ipsum dolor sit amet, consectetur",
            "Nullam et orci lorem ipsum dolor",
            "Hello {{ user.name }}!",
            "Total: {{price}}",
            "{% include footer %}",
            "Dear ${customer.name},",
            "Your plan: [object Object]",
            "undefined",
            "NaN",
            "Price: undefined",
            "$NaN",
            "NaN%",
            "undefined items",
            "Welcome back, undefined",
            "A table for undefined guests at eight",
            "about NaN km from here",
            "Invalid Date",
            "Fish &amp; chips",
            "Price&nbsp;list",
            "Itâ€™s ready",
            "CafÃ© menu",
            "Na\ufffdve",
        ],
    )
    def test_text_left_in_by_mistake(self, text: str) -> None:
        (found,) = self.said(text)
        assert (found.category, found.attribute) == ("content", "leftover-text-p")

    @pytest.mark.parametrize(
        "text",
        [
            "The value is undefined until it is set.",
            "An undefined variable is an error",
            "Null and void",
            "The weight is deliberately left undefined.",
            "for undefined variables and values",
            "Null results are published too",
            "Division by zero gives NaN in most languages.",
            "Lorem ipsum is the printer's filler text since 1500",
            "Use curly braces { like } these",
            "Nan's bakery",
            "Null Island",
            "Salt & pepper; rice",
            "R&D; sales",
            "It costs $5 {each}",
            "The [object] of the game",
            "Ångström, Ãrea, naïve",
            "Undefined",
        ],
    )
    def test_sentences_that_use_such_words_are_fine(self, text: str) -> None:
        assert self.said(text) == []

    @pytest.mark.parametrize("tag", ["code", "pre", "kbd", "samp", "textarea"])
    def test_code_may_say_anything(self, tag: str) -> None:
        assert self.said("{{ name }} is undefined: [object Object]", tag) == []

    def test_so_may_a_block_named_after_code_or_set_in_its_face(self) -> None:
        assert self.said("{{ name }}", attributes={"class": "highlight"}) == []
        page = PageBuilder()
        page.add("p", [20, 20, 400, 24], text="{{ name }}", style={"font_family": '"Courier New", monospace'})
        assert filed(page) == []

    def test_what_a_person_filled_in_is_theirs(self) -> None:
        page = PageBuilder()
        field = page.add("input", [20, 20, 400, 24], role="textbox")
        page.text(field, "undefined", [20, 20, 100, 20], pseudo="value")
        assert filed(page) == []
