"""axe-core's violations as findings."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from facts_builder import HTML, PageBuilder, Shelf, shot

from bicameral.judges.instruments.axe import AxeInstrument
from bicameral.judges.instruments.axe.filing import violations
from bicameral.judges.instruments.axe.rules import NOT_FILED, RULES
from bicameral.judges.instruments.instrument import Look, Measured
from bicameral.model.vocabulary import CATEGORIES

CONTRAST = {"fgColor": "#999999", "bgColor": "#ffffff", "contrastRatio": 2.84, "expectedContrastRatio": "4.5:1"}


def filed(page: PageBuilder) -> list[Measured]:
    return list(violations(page.build()))


def test_a_violation_is_one_finding_an_element() -> None:
    page = PageBuilder()
    one = page.add("button", [0, 0, 30, 30], role="button", selector="button.icon")
    other = page.add("button", [40, 0, 30, 30], role="button", selector="#menu", region="shell-nav")
    page.violation(
        "button-name", one, other, impact="critical", message="Fix any of the following:\n  Element has no text"
    )
    first, second = filed(page)
    assert (first.category, first.attribute, first.severity) == ("label", "button-name-button-icon", "high")
    assert first.observed == "The button.icon element: Element has no text."
    assert first.rect == page.build().elements[one].box
    assert second.region == "shell-nav"


def test_contrast_is_told_in_numbers() -> None:
    page = PageBuilder()
    link = page.add("a", [0, 0, 80, 20], role="link", name="Read more")
    page.violation("color-contrast", link, data=CONTRAST)
    (found,) = filed(page)
    assert found.attribute == "color-contrast-link-read-more"
    assert (found.category, found.severity) == ("contrast", "medium")
    assert found.expected == "Text of this size has a contrast of at least 4.5:1 (WCAG 2.2, 1.4.3)."
    assert "2.8:1. Computed from the declared colours (#999999 on #ffffff)" in found.observed


def test_a_ratio_is_cut_and_never_rounded_to_a_pass() -> None:
    page = PageBuilder()
    page.violation("color-contrast", page.add("p", [0, 0, 9, 9]), data=CONTRAST | {"contrastRatio": 4.49})
    assert "4.49:1" in filed(page)[0].observed


def test_text_that_is_nearly_lost_is_more_severe() -> None:
    page = PageBuilder()
    page.violation("color-contrast", page.add("p", [0, 0, 9, 9]), data=CONTRAST | {"contrastRatio": 1.3})
    assert filed(page)[0].severity == "high"


@pytest.mark.parametrize(
    "data",
    [
        None,
        {},
        {"contrastRatio": "2.84", "expectedContrastRatio": "4.5:1"},
        {"contrastRatio": True, "expectedContrastRatio": "4.5:1"},
        {"contrastRatio": 2.84, "expectedContrastRatio": "high"},
        {"contrastRatio": 0, "expectedContrastRatio": "4.5:1"},
        {"contrastRatio": 2.84, "expectedContrastRatio": "4.5:1", "fgColor": 7},
    ],
)
def test_numbers_that_make_no_sense_leave_axes_own_words(data: dict[str, object] | None) -> None:
    page = PageBuilder()
    page.violation("color-contrast", page.add("p", [0, 0, 9, 9]), data=data, message="Element has too little contrast")
    (found,) = filed(page)
    assert found.severity == "medium"
    assert found.observed


@pytest.mark.parametrize(
    ("impact", "severity"), [("critical", "high"), ("serious", "high"), ("moderate", "medium"), ("minor", "low")]
)
def test_severity_follows_axes_impact(impact: str, severity: str) -> None:
    page = PageBuilder()
    page.violation("label", page.add("input", [0, 0, 90, 20]), impact=impact)
    assert filed(page)[0].severity == severity


def test_an_impact_that_is_absent_is_medium() -> None:
    page = PageBuilder()
    page.violation("label", page.add("input", [0, 0, 90, 20]))
    page.document["axe"]["violations"][0]["impact"] = None
    assert filed(page)[0].severity == "medium"


def test_advice_is_low_but_for_what_leaves_a_part_unusable() -> None:
    page = PageBuilder()
    box = page.add("nav", [0, 0, 90, 20])
    page.violation("landmark-one-main", box, impact="moderate", tags=["best-practice"])
    page.violation("skip-link", box, impact="moderate", tags=["best-practice"])
    assert [found.severity for found in filed(page)] == ["low", "medium"]


@pytest.mark.parametrize("rule", sorted(NOT_FILED))
def test_rules_that_are_facts_are_not_filed(rule: str) -> None:
    page = PageBuilder()
    page.violation(rule, page.add("div", [0, 0, 90, 20]))
    assert filed(page) == []


def test_experimental_rules_are_not_filed() -> None:
    page = PageBuilder()
    page.violation("p-as-heading", page.add("p", [0, 0, 90, 20]), tags=["wcag2a", "experimental"])
    assert filed(page) == []


def test_incompletes_are_facts_and_not_findings() -> None:
    page = PageBuilder()
    page.incomplete("color-contrast", page.add("p", [0, 0, 90, 20]))
    assert filed(page) == []


def test_a_rule_of_the_page_has_no_box() -> None:
    page = PageBuilder()
    page.violation("html-has-lang", HTML)
    (found,) = filed(page)
    assert (found.attribute, found.rect, found.title) == ("html-has-lang-page", None, "Page without a language")


def test_a_node_inside_a_frame_is_named_by_where_axe_found_it() -> None:
    page = PageBuilder()
    page.violation("image-alt", page.add("img", [0, 0, 90, 20]))
    page.document["axe"]["violations"][0]["nodes"] = [
        {"element": None, "target": "iframe#ad >>> img:nth-child(2)", "box": [5, 6, 7, 8], "message": "", "data": None}
    ]
    (found,) = filed(page)
    assert found.attribute == "image-alt-iframe-ad-img"
    assert found.rect is not None
    assert found.rect.x == 5


def test_a_node_that_is_nowhere_is_not_filed() -> None:
    page = PageBuilder()
    page.violation("meta-viewport", HTML)
    page.document["axe"]["violations"][0]["nodes"][0] |= {"element": None, "box": None}
    assert filed(page) == []


def test_a_target_is_told_by_its_size() -> None:
    page = PageBuilder()
    page.violation("target-size", page.add("a", [0, 0, 18, 16.5], role="link", name="Next"))
    (found,) = filed(page)
    assert found.category == "target-size"
    assert "is 18 by 16.5 px" in found.observed


def test_a_rule_of_another_version_of_axe_is_filed_in_its_own_words() -> None:
    page = PageBuilder()
    page.violation("brand-new-rule", page.add("p", [0, 0, 9, 9]), help="Things must be good")
    (found,) = filed(page)
    assert (found.category, found.expected) == ("a11y", "Things must be good.")
    assert found.title.startswith("Things must be good")


def test_every_rule_of_the_axe_that_ships_has_words_in_a_known_category() -> None:
    import bicameral.evidence

    vendored = Path(bicameral.evidence.__file__).parent / "vendor" / "axe.min.js"
    script = vendored.read_text(encoding="utf-8")
    assert script.startswith("/*! axe v4.14")
    named = set(
        re.findall(r'\{id:"([a-z]+(?:-[a-z]+)*)",(?:impact|selector|matches|excludeHidden|reviewOnFail)', script)
    )
    assert len(named) > 90
    assert named - RULES.keys() == set()
    assert {words.category for words in RULES.values()} <= set(CATEGORIES)


def test_words_of_the_page_are_folded_and_cut() -> None:
    page = PageBuilder()
    name = "Buy\u0000 \n\n now " + "x" * 100
    page.violation("label", page.add("input", [0, 0, 9, 9], role="textbox", name=name), message="m\u0007" * 400)
    (found,) = filed(page)
    assert "“Buy now xxx" in found.observed
    assert "\u0007" not in found.observed
    assert len(found.title) < 200
    assert len(found.observed) < 800


def test_of_several_messages_of_axe_the_first_is_told_whole() -> None:
    page = PageBuilder()
    message = "Element has no text; aria-label attribute does not exist or is empty; Element has no title attribute"
    page.violation("button-name", page.add("button", [0, 0, 9, 9], role="button", selector="b.x"), message=message)
    assert filed(page)[0].observed == "The b.x element: Element has no text."


def test_controls_without_a_name_are_told_apart_by_what_their_author_wrote_on_them() -> None:
    page = PageBuilder()
    marks = [{"name": "email"}, {"name": "phone"}, {"placeholder": "Your town"}, {"type": "date"}]
    fields = [page.add("input", [0, 40 * i, 90, 20], selector="form input", attributes=m) for i, m in enumerate(marks)]
    page.violation("label", *fields)
    assert [found.attribute for found in filed(page)] == [
        "label-form-input-email",
        "label-form-input-phone",
        "label-form-input-your-town",
        "label-form-input-date",
    ]


def test_a_name_that_the_browser_made_up_does_not_make_image_buttons_one() -> None:
    page = PageBuilder()
    buttons = [
        page.add("input", [0, 40 * i, 90, 20], role="button", name="Submit", selector=f"#go{i}", landmark="main")
        for i in range(4)
    ]
    page.violation("input-image-alt", *buttons)
    assert len({found.attribute for found in filed(page)}) == 4


def test_a_placeholder_in_the_facts_tells_fields_apart() -> None:
    page = PageBuilder()
    for y, said in ((0, "From"), (40, "To")):
        field = page.add("input", [0, y, 90, 20], selector="form input")
        page.text(field, said, [4, y, 60, 20], pseudo="::placeholder")
        page.violation("label", field)
    assert [found.attribute for found in filed(page)] == ["label-form-input-from", "label-form-input-to"]


def test_images_without_a_name_are_told_apart_by_their_files() -> None:
    page = PageBuilder()
    rows = []
    for y, address in ((0, "/a/hero-640w.png"), (40, "/a/chart.3f2a91c0.svg")):
        image = page.add("img", [0, y, 90, 20], selector="main img")
        rows.append({"element": image, "natural": [9, 9], "complete": True, "address": address})
        page.violation("image-alt", image)
    page.measured(images=rows)
    assert [found.attribute for found in filed(page)] == ["image-alt-main-img-hero", "image-alt-main-img-chart"]


def test_links_that_one_style_marks_by_colour_alone_are_one_defect() -> None:
    page = PageBuilder()
    for y, place in ((0, "#overview p"), (40, "#overview p"), (80, "#links p")):
        link = page.add("a", [0, y, 80, 20], role="link", name=f"Read {y}", selector=f"{place} a", landmark="main")
        page.violation("link-in-text-block", link)
    assert {found.attribute for found in filed(page)} == {"link-in-text-block-main-p-a"}


@pytest.mark.parametrize(
    ("found", "said"),
    [
        (2.64, "The link “Tides” is marked by its colour alone. It has the colour #008080, which is 2.6:1 from"),
        ("2.64", "The link “Tides” breaks the rule."),
        (None, "The link “Tides” breaks the rule."),
    ],
)
def test_a_link_marked_by_colour_alone_is_told_in_numbers(found: object, said: str) -> None:
    page = PageBuilder()
    link = page.add("a", [0, 0, 80, 20], role="link", name="Tides", selector="p a")
    data = {"contrastRatio": found, "nodeColor": "#008080", "parentColor": "#333333"}
    page.violation("link-in-text-block", link, data=data)
    assert filed(page)[0].observed.startswith(said)


def test_the_worse_of_two_ratios_weighs_more() -> None:
    page = PageBuilder()
    for ratio in (4.3, 1.6):
        page.violation("color-contrast", page.add("p", [0, 0, 9, 9]), data=CONTRAST | {"contrastRatio": ratio})
    mild, bad = filed(page)
    assert bad.weight > mild.weight > 0


def test_a_title_names_the_element_once_and_its_place_once() -> None:
    page = PageBuilder()
    page.violation("image-alt", page.add("img", [0, 0, 9, 9], selector="main p img", landmark="main"))
    page.violation("image-alt", page.add("img", [0, 0, 9, 9], selector="#news a img"))
    assert [found.title.split(": ")[1] for found in filed(page)] == ["img element in main", "img element in #news"]


def test_a_shot_on_which_axe_did_not_come_to_an_end_is_not_measured() -> None:
    shelf, page, other = Shelf(), PageBuilder(), PageBuilder(form_factor="phone")
    page.document["axe"]["error"] = "it did not finish in time"
    looks = [
        Look(shot=shot(one, shelf, form_factor=factor), facts=one.build(), read=shelf.read)
        for one, factor in ((page, "desktop"), (other, "phone"))
    ]
    assert AxeInstrument().unmeasured(looks) == {looks[0].shot.shot_id: "not measured by axe-core"}


def test_the_contrast_of_an_ornament_is_not_filed() -> None:
    page = PageBuilder()
    for text, hidden in (("~ ~ ~", True), ("~ ~ ~", False), ("New", True)):
        box = page.add("span", [0, 0, 90, 20], selector=f"span.{hidden}.{text[0]}", text=text, hidden_from_at=hidden)
        page.violation("color-contrast", box, data=CONTRAST)
    assert [found.attribute for found in filed(page)] == ["color-contrast-span-false", "color-contrast-span-true-n"]


class TestAcrossSchemes:
    def filed(self, dark_ratio: float, light_ratio: float | None, *, factor: str = "desktop") -> list[Measured]:
        """What is filed on the dark shot, where the note's contrast is `dark_ratio`."""
        shelf = Shelf()
        looks = []
        for scheme, form_factor in (("light", "desktop"), ("dark", factor)):
            page = PageBuilder(scheme=scheme, form_factor=form_factor)
            note = page.add("p", [20, 20, 200, 24], selector="p.note", text="Opening hours")
            if scheme == "dark":
                page.violation("color-contrast", note, data=CONTRAST | {"contrastRatio": dark_ratio})
            elif light_ratio is not None:
                page.contrast_pass(note, light_ratio)
            taken = shot(page, shelf, form_factor=form_factor, scheme=scheme)
            looks.append(Look(shot=taken, facts=page.build(), read=shelf.read))
        return list(AxeInstrument().propose(looks)[looks[1].shot.shot_id])

    def test_text_lost_in_one_scheme_and_readable_in_the_other_is_the_schemes_defect(self) -> None:
        (found,) = self.filed(1.1, 12)
        assert (found.category, found.attribute) == ("color-scheme", "scheme-lost-text-p-note")
        assert found.title.startswith("Text gone in the dark scheme: ")
        assert "1.1:1" in found.observed

    @pytest.mark.parametrize(("dark", "light"), [(1.5, 12), (2.4, 12), (1.1, 2.9), (1.1, None)])
    def test_pale_text_and_text_lost_in_both_is_low_contrast(self, dark: float, light: float | None) -> None:
        (found,) = self.filed(dark, light)
        assert (found.category, found.attribute) == ("contrast", "color-contrast-p-note")

    def test_other_form_factors_are_not_compared(self) -> None:
        assert [found.category for found in self.filed(1.1, 12, factor="phone")] == ["contrast"]
