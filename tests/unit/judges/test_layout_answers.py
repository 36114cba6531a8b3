"""The layout instrument's word on the findings of others, and its manners as an instrument."""

from __future__ import annotations

from typing import Any

import pytest
from facts_builder import PageBuilder, Shelf, shot

from bicameral.judges.instruments.instrument import Answer, Look
from bicameral.judges.instruments.layout import LayoutInstrument
from bicameral.model.evidence import Box
from bicameral.model.findings import Finding


def answer(page: PageBuilder, category: str, **members: Any) -> Answer:
    taken = shot(page, Shelf())
    plain: dict[str, Any] = {
        "attribute": "something",
        "severity": "high",
        "title": "t",
        "problem": "p",
        "confidence": "high",
    }
    finding = Finding(shot_id=taken.shot_id, category=category, **(plain | members))
    look = Look(shot=taken, facts=page.build(), read=lambda digest: b"")
    ((word,),) = [list(words.values()) for words in LayoutInstrument().rule([look], [finding])]
    return word


def small(page: PageBuilder) -> PageBuilder:
    page.add("p", [20, 20, 200, 10], selector="p.terms", text="Terms apply", style={"font_px": 8})
    return page


def test_the_same_defect_by_the_same_name_agrees_with_what_was_measured() -> None:
    word = answer(small(PageBuilder()), "typography", attribute="small-text-p-terms")
    assert (word.verdict, word.note) == ("agree", "The p.terms element shows “Terms apply” in 8 px.")


def test_the_same_kind_of_defect_in_the_same_place_agrees() -> None:
    assert answer(small(PageBuilder()), "typography", box=Box(x=18, y=18, width=210, height=14)).verdict == "agree"


def test_the_same_kind_of_defect_elsewhere_cannot_tell() -> None:
    assert (
        answer(small(PageBuilder()), "typography", box=Box(x=800, y=18, width=210, height=14)).verdict == "cannot-tell"
    )


def test_another_kind_of_defect_in_the_same_place_cannot_tell() -> None:
    assert answer(small(PageBuilder()), "contrast", box=Box(x=18, y=18, width=210, height=14)).verdict == "cannot-tell"


def test_a_page_that_does_not_scroll_sideways_is_said_to() -> None:
    word = answer(PageBuilder(), "layout-overflow")
    assert word == Answer(
        verdict="dispute", note="The page does not scroll sideways. Page and window are 1440 px wide."
    )


def test_a_page_that_scrolls_a_little_is_not_disputed() -> None:
    page = PageBuilder()
    page.measured(scroll_width_px=1443)
    assert answer(page, "layout-overflow").verdict == "cannot-tell"


def test_a_picture_that_loaded_is_not_broken() -> None:
    page = PageBuilder()
    image = page.add("img", [20, 20, 300, 200], role="img", name="Harbour")
    page.measured(images=[{"element": image, "natural": [640, 480], "complete": True}])
    word = answer(page, "broken-image", attribute="missing-img-harbour")
    assert word == Answer(verdict="dispute", note="The img “Harbour” shows a picture. It loaded, 640 by 480 px.")


@pytest.mark.parametrize(("changes", "verdict"), [(["outline-style"], "dispute"), ([], "cannot-tell")])
def test_a_focus_that_shows_is_disputed(changes: list[str], verdict: str) -> None:
    page = PageBuilder()
    link = page.add("input", [20, 20, 80, 24], role="textbox", name="Search")
    page.measured(focus=[{"element": link, "changes": changes}])
    assert answer(page, "focus", attribute="no-focus-textbox-search").verdict == verdict


@pytest.mark.parametrize("category", ["spacing", "hierarchy", "motion", "content"])
def test_the_absence_of_a_finding_of_ours_proves_nothing(category: str) -> None:
    assert answer(PageBuilder(), category).verdict == "cannot-tell"


def test_a_rule_names_its_part_and_every_row_its_region() -> None:
    page = small(PageBuilder())
    page.document["elements"][-1]["region"] = "shell-footer"
    look = Look(shot=shot(page, Shelf()), facts=page.build(), read=lambda digest: b"")
    (rows,) = LayoutInstrument().propose([look]).values()
    assert [(row.part, row.region) for row in rows] == [("layout", "shell-footer")]
