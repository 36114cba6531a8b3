"""axe's word on the findings of others."""

from __future__ import annotations

import pytest
from facts_builder import PageBuilder, Shelf, shot

from bicameral.judges.instruments.axe import AxeInstrument
from bicameral.judges.instruments.instrument import Answer, Look
from bicameral.judges.instruments.slug import attribute_for
from bicameral.model.evidence import Box
from bicameral.model.findings import Finding

DATA = {"fgColor": "#999", "bgColor": "#fff", "contrastRatio": 2.84, "expectedContrastRatio": "4.5:1"}


def text(page: PageBuilder, name: str, y: float = 0, font_px: float = 16) -> int:
    return page.add("a", [10, y, 100, 20], role="link", name=name, text=name, style={"font_px": font_px})


def answer(
    page: PageBuilder, element: int | None, *, category: str = "contrast", box: Box | None = None, attribute: str = ""
) -> Answer:
    facts = page.build()
    taken = shot(page, Shelf())
    finding = Finding(
        shot_id=taken.shot_id,
        category=category,
        attribute=attribute or attribute_for("color-contrast", facts, element or 0),
        severity="high",
        title="t",
        problem="p",
        confidence="high",
        box=box,
    )
    look = Look(shot=taken, facts=facts, read=lambda digest: b"")
    ((word,),) = [list(words.values()) for words in AxeInstrument().rule([look], [finding])]
    return word


def test_a_violation_on_the_element_agrees_with_its_number() -> None:
    page = PageBuilder()
    link = text(page, "Read more")
    page.violation("color-contrast", link, data=DATA)
    assert answer(page, link) == Answer(
        verdict="agree",
        note="The link “Read more” has a contrast of 2.8:1, which is too little: 4.5:1 is needed. "
        "Computed from the declared colours.",
    )


def test_a_clear_pass_disputes_with_its_number() -> None:
    page = PageBuilder()
    link = text(page, "Read more")
    page.contrast_pass(link, 5.25)
    assert answer(page, link) == Answer(
        verdict="dispute",
        note="The link “Read more” has a contrast of 5.2:1, which is enough: 4.5:1 is needed. "
        "Computed from the declared colours.",
    )


@pytest.mark.parametrize(("ratio", "verdict"), [(4.5, "cannot-tell"), (4.94, "cannot-tell"), (4.96, "dispute")])
def test_a_pass_near_the_threshold_cannot_tell(ratio: float, verdict: str) -> None:
    page = PageBuilder()
    link = text(page, "Read more")
    page.contrast_pass(link, ratio)
    assert answer(page, link).verdict == verdict


def test_large_text_is_held_against_its_own_threshold() -> None:
    page = PageBuilder()
    link = text(page, "Read more", font_px=32)
    page.contrast_pass(link, 3.4)
    assert answer(page, link) == Answer(
        verdict="dispute",
        note="The link “Read more” has a contrast of 3.4:1, which is enough: 3.0:1 is needed. "
        "Computed from the declared colours.",
    )


def test_what_axe_left_open_cannot_tell_and_says_so() -> None:
    page = PageBuilder()
    link = text(page, "Read more")
    page.incomplete("color-contrast", link)
    page.contrast_pass(link, 21)
    word = answer(page, link)
    assert (word.verdict, bool(word.note)) == ("cannot-tell", True)


def test_what_was_never_measured_cannot_tell() -> None:
    page = PageBuilder()
    assert answer(page, text(page, "Read more")).verdict == "cannot-tell"


@pytest.mark.parametrize("pseudo", ["::placeholder", "::before", "::after"])
def test_a_pass_of_the_own_text_says_nothing_of_a_placeholder_or_generated_text(pseudo: str) -> None:
    page = PageBuilder()
    field = page.add("input", [10, 10, 200, 30], role="textbox", name="Search", selector="#q")
    page.text(field, "Search the timetable", [14, 14, 150, 20], pseudo=pseudo, color=[187, 187, 187, 1])
    page.contrast_pass(field, 17.4)
    word = answer(page, field)
    assert word.verdict == "cannot-tell"
    assert "own text" in word.note


def test_the_value_of_a_field_is_its_own_text() -> None:
    page = PageBuilder()
    field = page.add("input", [10, 10, 200, 30], role="textbox", name="Search", selector="#q")
    page.text(field, "Port Callan", [14, 14, 150, 20], pseudo="value")
    page.contrast_pass(field, 17.4)
    assert answer(page, field).verdict == "dispute"


def test_of_two_elements_with_one_name_the_box_says_which() -> None:
    page = PageBuilder()
    high, low = text(page, "Read more", 0), text(page, "Read more", 500)
    page.violation("color-contrast", high, data=DATA)
    page.contrast_pass(low, 12)
    assert answer(page, low, box=Box(x=10, y=500, width=100, height=20)).verdict == "dispute"
    assert answer(page, low, box=Box(x=10, y=0, width=100, height=20)).verdict == "agree"


def test_a_finding_named_in_other_words_is_found_by_its_box() -> None:
    page = PageBuilder()
    page.contrast_pass(text(page, "Read more"), 12)
    box = Box(x=12, y=0, width=100, height=22)
    assert answer(page, None, attribute="pale-link", box=box).verdict == "dispute"
    assert answer(page, None, attribute="pale-link").verdict == "cannot-tell"
    assert answer(page, None, attribute="pale-link", box=Box(x=900, y=9, width=9, height=9)).verdict == "cannot-tell"


def test_a_violation_of_the_same_category_on_the_element_agrees() -> None:
    page = PageBuilder()
    field = page.add("input", [10, 10, 200, 30], role="textbox", selector="#q")
    page.violation("label", field)
    assert answer(page, None, category="label", attribute="unlabelled-q") == Answer(
        verdict="agree", note="axe-core's rule label fails on this element."
    )


def test_the_absence_of_a_violation_proves_nothing() -> None:
    page = PageBuilder()
    page.add("input", [10, 10, 200, 30], role="textbox", selector="#q")
    assert answer(page, None, category="label", attribute="unlabelled-q").verdict == "cannot-tell"


@pytest.mark.parametrize(("size", "verdict"), [(24, "dispute"), (44, "dispute"), (23.9, "cannot-tell")])
def test_the_size_of_a_target_is_measured(size: float, verdict: str) -> None:
    page = PageBuilder()
    page.add("button", [10, 10, size, size], role="button", name="Go")
    word = answer(page, None, category="target-size", attribute="small-button-go")
    assert word.verdict == verdict
    assert "by" in word.note


def test_text_lost_in_one_scheme_is_answered_by_its_contrast() -> None:
    page = PageBuilder()
    link = text(page, "Read more")
    page.violation("color-contrast", link, data=DATA | {"contrastRatio": 1.1})
    word = answer(page, None, category="color-scheme", attribute="scheme-lost-text-link-read-more")
    assert (word.verdict, " has a contrast of 1.1:1, " in word.note) == ("agree", True)


def test_another_defect_of_a_scheme_is_not_answered_by_contrast() -> None:
    page = PageBuilder()
    page.contrast_pass(text(page, "Read more"), 12)
    word = answer(page, None, category="color-scheme", attribute="white-card-link-read-more")
    assert word.verdict == "cannot-tell"
