"""What designers do on purpose stays silent, and each rule asks what its words ask."""

from __future__ import annotations

import re
from typing import Any

import pytest
from facts_builder import BODY, PageBuilder

from bicameral.judges.instruments.instrument import Measured
from bicameral.judges.instruments.layout import measure, typography
from bicameral.judges.instruments.layout.tree import Tree

BLUE, WHITE, CLEAR = [18, 58, 107, 1], [255, 255, 255, 1], [0, 0, 0, 0]
SENTENCE = "We keep a wall of sea stories, charts and pilot books, and can order anything in print. "


def filed(page: PageBuilder, category: str) -> list[Measured]:
    return [row for row in measure({"shot": Tree(page.build())})["shot"] if row.category == category]


class TestBackdrop:
    def over(self, page: PageBuilder, colour: list[float], **run: Any) -> None:
        """A large figure behind a heading."""
        figure = page.add("span", [20, 20, 130, 120], style={"font_px": 120, "color": colour}, parent=BODY)
        page.text(figure, "01", [20, 20, 130, 130], **({"hidden_from_at": True} | run))
        heading = page.add("h2", [40, 90, 400, 30], selector="h2.began", style={"font_px": 24, "position": "relative"})
        page.text(heading, "How we began", [40, 92, 166, 27])

    def test_a_faint_figure_that_is_not_read_aloud_hides_nothing(self) -> None:
        page = PageBuilder()
        self.over(page, [241, 243, 246, 1])
        assert filed(page, "overlap") == []

    @pytest.mark.parametrize("alpha", [1, 0.08])
    def test_its_faintness_is_that_of_colour_and_opacity_together(self, alpha: float) -> None:
        page = PageBuilder()
        self.over(page, [20, 20, 20, alpha])
        assert bool(filed(page, "overlap")) == (alpha == 1)

    def test_one_that_is_read_aloud_is_text(self) -> None:
        page = PageBuilder()
        self.over(page, [241, 243, 246, 1], hidden_from_at=False)
        assert len(filed(page, "overlap")) == 1

    def test_over_a_picture_nobody_knows_how_faint_it_is(self) -> None:
        page = PageBuilder()
        page.document["elements"][BODY]["style"]["background_image"] = True
        self.over(page, [241, 243, 246, 1])
        assert len(filed(page, "overlap")) == 1


class TestTypography:
    def paragraph(
        self, page: PageBuilder, pitch: float, *, count: int = 4, tag: str = "p", font_px: float = 16
    ) -> None:
        text = page.add(tag, [20, 20, 700, 200], selector=f"{tag}.body", style={"font_px": font_px})
        boxes = [[20, 20 + pitch * at, 700, font_px * 1.1] for at in range(count)]
        page.text(text, (SENTENCE * 3)[: 60 * count], *boxes)

    def test_a_drop_cap_is_no_line(self) -> None:
        page = PageBuilder()
        text = page.add("p", [20, 20, 700, 72])
        page.text(text, SENTENCE * 3, [20, 12, 53, 63], [81, 23, 700, 17], [81, 47, 690, 17], [20, 71, 650, 17])
        assert filed(page, "typography") == []

    def test_solid_lines_of_a_paragraph(self) -> None:
        page = PageBuilder()
        self.paragraph(page, 16)
        (found,) = filed(page, "typography")
        assert (found.attribute, found.severity) == ("tight-lines-p-body", "low")
        assert "at least 1.1 times" in found.expected

    @pytest.mark.parametrize(
        "members",
        [{"pitch": 17.6}, {"pitch": 16, "count": 2}, {"pitch": 16, "tag": "h2"}, {"pitch": 22, "font_px": 22}],
    )
    def test_normal_short_heading_and_large_lines_are_fine(self, members: dict[str, Any]) -> None:
        page = PageBuilder()
        self.paragraph(page, **members)
        assert filed(page, "typography") == []

    @pytest.mark.parametrize(("words", "font_px", "count"), [(SENTENCE, 9, 1), (SENTENCE, 10, 0), ("Terms", 9, 0)])
    def test_a_sentence_is_asked_more_than_a_label(self, words: str, font_px: float, count: int) -> None:
        page = PageBuilder()
        page.add("p", [20, 20, 600, 14], text=words, style={"font_px": font_px})
        assert len(filed(page, "typography")) == count

    @pytest.mark.parametrize(
        ("rule", "least"),
        [
            (typography.SMALL_RULE, typography.SMALLEST_PX),
            (typography.SENTENCE_RULE, typography.SMALLEST_READ_PX),
            (typography.TIGHT_RULE, typography.TIGHTEST_EM),
            (typography.DISPLAY_RULE, typography.TIGHTEST_DISPLAY_EM),
            (typography.PARAGRAPH_RULE, typography.PARAGRAPH_EM),
        ],
    )
    def test_what_a_rule_expects_is_what_it_measures(self, rule: Any, least: float) -> None:
        for words in (rule.expected, rule.acceptance):
            assert [float(number) for number in re.findall(r"\d+(?:\.\d+)?", words)] == [least]


class TestSeries:
    def cards(self, page: PageBuilder, *gaps: float, **style: Any) -> None:
        holder = page.add("div", [0, 0, 900, 200])
        x = 20.0
        for at in range(len(gaps) + 1):
            box = [x, 20, 150, 100]
            page.add(
                "div",
                box,
                parent=holder,
                selector=f"div.n{at}",
                text=f"Card {at}",
                style={"border_px": [1] * 4} | style,
            )
            x += 150 + (gaps[at] if at < len(gaps) else 0)

    def test_the_middle_one_of_three_gaps_between_cards(self) -> None:
        page = PageBuilder()
        self.cards(page, 16, 2, 16)
        (found,) = filed(page, "spacing")
        assert "follows a gap of 2 px; the 2 other gaps are 16 px." in found.observed

    @pytest.mark.parametrize("gaps", [(16, 32, 16), (2, 16, 16), (16, 16, 2), (16, 13, 16), (16, 2), (16, 2, 12)])
    def test_pairs_ends_rounding_and_gaps_that_follow_no_rule_are_fine(self, gaps: tuple[float, ...]) -> None:
        page = PageBuilder()
        self.cards(page, *gaps)
        assert filed(page, "spacing") == []

    def test_three_gaps_between_words_show_no_intention(self) -> None:
        page = PageBuilder()
        self.cards(page, 16, 2, 16, border_px=[0, 0, 0, 0])
        assert filed(page, "spacing") == []

    def form(
        self, page: PageBuilder, *xs: float, tag: str = "input", rights: tuple[float, ...] = (), **kind: str
    ) -> None:
        form = page.add("form", [20, 0, 700, 400])
        for at, x in enumerate(xs):
            row = page.add("p", [20, 20 + 60 * at, 700, 44], parent=form)
            page.add("label", [20, 30 + 60 * at, 100, 24], parent=row, text=f"Field {at}")
            right = rights[at] if rights else 440
            page.add(tag, [x, 20 + 60 * at, right - x, 44], parent=row, selector=f"#f{at}", attributes=dict(kind))

    @pytest.mark.parametrize("tag", ["input", "select", "textarea"])
    def test_a_field_that_is_off_the_column_of_the_others(self, tag: str) -> None:
        page = PageBuilder()
        self.form(page, 140, 140, 146, 140, tag=tag)
        (found,) = filed(page, "alignment")
        assert "stands 6 px to the right of the left edge that the other rows' fields share." in found.observed

    @pytest.mark.parametrize("xs", [(140, 140, 146), (140, 146, 152, 158), (140, 140, 141, 140), (140, 140, 180, 140)])
    def test_few_rows_labels_of_any_width_rounding_and_indents_are_fine(self, xs: tuple[float, ...]) -> None:
        page = PageBuilder()
        self.form(page, *xs)
        assert filed(page, "alignment") == []

    def test_a_narrower_field_in_the_middle_and_boxes_to_tick_are_fine(self) -> None:
        page = PageBuilder()
        self.form(page, 140, 140, 146, 140, rights=(440, 440, 434, 440))
        assert filed(page, "alignment") == []
        page = PageBuilder()
        self.form(page, 140, 140, 146, 140, type="checkbox")
        assert filed(page, "alignment") == []


class TestSmallThings:
    def turning(self, page: PageBuilder, *properties: str, size: float = 16, tag: str = "span", **style: Any) -> None:
        sign = page.add(
            tag,
            [20, 20, size, size],
            hidden_from_at=True,
            style={"border_radius_px": size / 2, "border_px": [2] * 4} | style,
        )
        page.add("p", [20, 500, 200, 24], text="Stock")
        page.measured(
            animations=[{"element": sign, "duration_ms": 900, "properties": list(properties or ["transform"])}]
        )

    @pytest.mark.parametrize(
        "members",
        [
            {},
            {"tag": "svg", "border_radius_px": 0, "border_px": [0] * 4},
            {"size": 32},
            {"border_px": [0] * 4, "background_image": True},
        ],
    )
    def test_a_small_round_sign_that_turns_waits(self, members: dict[str, Any]) -> None:
        page = PageBuilder()
        self.turning(page, **members)
        assert filed(page, "motion") == []

    @pytest.mark.parametrize(
        "members", [{"size": 48}, {"border_radius_px": 0}, {"border_px": [0] * 4}, {"background": BLUE}]
    )
    def test_a_larger_a_square_and_a_filled_one_moves(self, members: dict[str, Any]) -> None:
        page = PageBuilder()
        self.turning(page, **members)
        assert len(filed(page, "motion")) == 1

    def test_one_that_wanders_moves(self) -> None:
        page = PageBuilder()
        self.turning(page, "left", "transform")
        assert len(filed(page, "motion")) == 1

    def buttons(self, page: PageBuilder, *grounds: list[float]) -> None:
        holder = page.add("div", [0, 0, 900, 100])
        for at, ground in enumerate(grounds):
            height = 48 if at < len(grounds) - 1 else 35
            style = {"background": ground, "border_px": [1, 1, 1, 1]}
            words = ("Buy the chart", "Send as a gift", "Cancel")[at]
            page.add("button", [20 + 150 * at, 20, 130, height], parent=holder, role="button", text=words, style=style)

    def test_a_button_of_another_ground_is_smaller_by_choice(self) -> None:
        page = PageBuilder()
        self.buttons(page, BLUE, BLUE, WHITE)
        assert filed(page, "consistency") == []

    @pytest.mark.parametrize("grounds", [(BLUE, BLUE, BLUE), (BLUE, WHITE, WHITE), (WHITE, WHITE, WHITE)])
    def test_one_of_the_ground_of_another_is_odd(self, grounds: tuple[list[float], ...]) -> None:
        page = PageBuilder()
        self.buttons(page, *grounds)
        assert len(filed(page, "consistency")) == 1


class TestFailedRequests:
    def failed(self, kind: str, status: int | None, text: str | None = None) -> list[Measured]:
        page = PageBuilder()
        page.add("p", [20, 20, 200, 24], text="Some words")
        page.document["failed_requests"] = [{"address": "/api/me", "kind": kind, "status": status, "error": None}]
        if text is not None:
            page.document["console"] = [{"level": "error", "text": text, "source": "/app.js"}]
        return filed(page, "console-error")

    @pytest.mark.parametrize("kind", ["fetch", "xhr"])
    @pytest.mark.parametrize("status", [400, 401, 404, 499])
    def test_data_that_the_server_refused_is_an_answer(self, kind: str, status: int) -> None:
        assert self.failed(kind, status) == []

    def test_a_page_that_did_not_reckon_with_it_says_so_itself(self) -> None:
        (found,) = self.failed("fetch", 404, "Uncaught (in promise) TypeError: data is null")
        assert (found.severity, "data is null" in found.observed) == ("high", True)

    @pytest.mark.parametrize(
        ("kind", "status"), [("fetch", 500), ("fetch", None), ("script", 404), ("stylesheet", 404)]
    )
    def test_a_server_at_fault_no_answer_and_missing_parts_are_told(self, kind: str, status: int | None) -> None:
        assert len(self.failed(kind, status)) == 1
