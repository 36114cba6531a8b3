"""Numbers and elements in plain sentences."""

from __future__ import annotations

import pytest
from facts_builder import PageBuilder
from hypothesis import given
from hypothesis import strategies as st

from bicameral.judges.instruments.wording import against, describe, ratio


@pytest.mark.parametrize(
    ("value", "wanted", "said"),
    [
        (4.48, 4.5, "4.48:1"),
        (4.4999, 4.5, "4.49:1"),
        (4.5, 4.5, "4.50:1"),
        (4.54, 4.5, "4.54:1"),
        (2.84, 4.5, "2.8:1"),
        (17.42, 4.5, "17.4:1"),
        (4.48, None, "4.4:1"),
    ],
)
def test_a_ratio_has_the_decimals_it_needs(value: float, wanted: float | None, said: str) -> None:
    assert ratio(value, wanted) == said


@given(st.floats(1, 21), st.sampled_from([3.0, 4.5]))
def test_a_ratio_as_told_never_stands_on_the_other_side_of_what_is_wanted(value: float, wanted: float) -> None:
    told = float(ratio(value, wanted).removesuffix(":1"))
    if value < wanted - 1e-6:
        assert told < wanted
    if value >= wanted:
        assert told >= wanted


def test_a_number_is_followed_by_what_it_comes_to() -> None:
    assert against(17.4, 4.5) == "which is enough: 4.5:1 is needed"
    assert against(4.48, 4.5) == "which is too little: 4.5:1 is needed"


@pytest.mark.parametrize(
    ("selector", "landmark", "said"),
    [
        ("main p img", "main", "The img element in main"),
        ("#news a img", None, "The img element in #news"),
        ("ul > li", None, "The li element in ul"),
        ("p.lead", "main", "The p.lead element in main"),
        ("#q", None, "The #q element"),
        ("", None, "The div element"),
    ],
)
def test_an_element_without_a_name_is_told_by_its_own_part_and_its_place(
    selector: str, landmark: str | None, said: str
) -> None:
    page = PageBuilder()
    index = page.add("div", [0, 0, 9, 9], selector=selector, landmark=landmark)
    assert describe(page.build(), index) == said
