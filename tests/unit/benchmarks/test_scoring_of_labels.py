"""Which claims are right, wrong and missing, and the figures over pages."""

from __future__ import annotations

import pytest
from _labels import Label, LabelledSet, Page
from _scoring import Claim, Counts, PageScore, Place, Tally, bootstrap, inside, meets, score_page, wilson
from hypothesis import given, settings
from hypothesis import strategies as st

HERE = (10.0, 10.0, 100.0, 20.0)
THERE = (10.0, 300.0, 100.0, 20.0)


def label(expected: str = "defect", kind: str = "contrast", selector: str | None = "#a") -> Label:
    return Label(kind=kind, expected=expected, selectors=() if selector is None else (selector,))


def at(*boxes: tuple[float, float, float, float], elements: tuple[int, ...] = ()) -> Place:
    return Place(boxes=boxes, elements=elements)


def claim(place: Place | None, category: str = "contrast", form: str = "desktop") -> Claim:
    return Claim(rule="color-contrast", category=category, by="pixels", places={form: place})


def scored(
    labels: list[tuple[Label, Place]], *claims: Claim, rest_is_clean: bool = False, form: str = "desktop"
) -> PageScore:
    page = Page(path="a.html", labels=tuple(one for one, _ in labels))
    labelled = LabelledSet(name="mine", pages=(page,), rest_is_clean=rest_is_clean)
    return score_page(labelled, page, [{form: place} for _, place in labels], claims)


def test_a_defect_that_is_claimed_where_it_is_is_a_hit() -> None:
    score = scored([(label(), at(HERE))], claim(at(HERE)))
    assert score.counts == Counts(1, 0, 0)
    assert score.false_claims == ()


def test_a_defect_that_nobody_claims_is_missed() -> None:
    assert scored([(label(), at(HERE))]).counts == Counts(0, 0, 1)


def test_a_claim_elsewhere_or_of_another_kind_is_no_hit() -> None:
    assert scored([(label(), at(HERE))], claim(at(THERE)), claim(at(HERE), "overlap")).counts == Counts(0, 0, 1)


def test_a_clean_place_that_is_claimed_is_one_false_positive_however_often_it_is_claimed() -> None:
    score = scored([(label("clean"), at(HERE))], claim(at(HERE)), claim(at(HERE)))
    assert score.counts == Counts(0, 1, 0)
    assert len(score.false_claims) == 2


def test_a_claim_on_a_defect_within_a_clean_wrapper_is_right() -> None:
    wrapper = (0.0, 0.0, 500.0, 500.0)
    score = scored([(label(), at(HERE)), (label("clean", selector="#wrap"), at(wrapper))], claim(at(HERE)))
    assert score.counts == Counts(1, 0, 0)


def test_what_is_not_labelled_is_unknown_unless_the_set_says_that_it_is_clean() -> None:
    assert scored([], claim(at(THERE))).counts == Counts(0, 0, 0)
    score = scored([], claim(at(THERE)), claim(None), rest_is_clean=True)
    assert score.counts == Counts(0, 2, 0)
    assert len(score.false_claims) == 2


@pytest.mark.parametrize("expected", ["review", "informative", "incomplete", "see-source"])
def test_a_weaker_word_of_the_source_counts_neither_way(expected: str) -> None:
    score = scored([(label(expected), at(HERE))], claim(at(HERE)), rest_is_clean=True)
    assert score.counts == Counts(0, 0, 0)


def test_a_claim_at_a_form_factor_for_which_the_label_does_not_hold_says_nothing_of_it() -> None:
    assert scored([(label(), at(HERE))], claim(at(HERE), form="phone")).counts == Counts(0, 0, 1)


def test_a_label_of_the_whole_page_is_met_by_every_claim_of_its_kind() -> None:
    assert scored([(label(selector=None), at())], claim(at(THERE))).counts == Counts(1, 0, 0)


def test_a_claim_about_the_whole_page_meets_every_place() -> None:
    assert scored([(label(), at(HERE))], claim(None)).counts == Counts(1, 0, 0)


def test_one_element_is_one_place_whatever_its_boxes() -> None:
    nothing = (10.0, 10.0, 0.0, 0.0)
    assert meets(label(), {"desktop": at(nothing, elements=(7,))}, claim(at(THERE, elements=(7,))))


def test_boxes_without_an_area_are_one_place_only_where_they_are_the_same() -> None:
    empty, wide, near = (10.0, 10.0, 0.0, 18.0), (10.0, 10.0, 60.0, 18.0), (11.0, 10.0, 0.0, 18.0)
    assert meets(label(), {"desktop": at(empty)}, claim(at(near)))
    assert not meets(label(), {"desktop": at(empty)}, claim(at(wide)))


@pytest.mark.parametrize(("width", "met"), [(50.0, True), (49.0, False)])
def test_half_of_the_smaller_box_must_be_covered(width: float, met: bool) -> None:
    shifted = (HERE[0] + HERE[2] - width, HERE[1], HERE[2], HERE[3])
    assert meets(label(), {"desktop": at(HERE)}, claim(at(shifted))) is met


def test_a_claim_is_inside_where_it_is_about_the_page_or_lies_in_the_bounds() -> None:
    bounds = {"desktop": at((0.0, 0.0, 200.0, 100.0))}
    assert inside(claim(None), bounds)
    assert inside(claim(at(HERE)), bounds)
    assert not inside(claim(at(THERE)), bounds)
    assert not inside(claim(at(HERE), form="phone"), bounds)


def test_figures_that_nothing_was_counted_for_are_none_and_not_zero() -> None:
    nothing = Counts()
    assert (nothing.precision, nothing.recall, nothing.f1) == (None, None, None)
    assert Counts(0, 0, 3).precision is None
    assert Counts(0, 0, 3).recall == 0
    assert Tally().false_a_page is None
    assert Tally().f1_interval() is None


def test_figures_are_those_of_the_textbook() -> None:
    counts = Counts(6, 2, 4)
    assert (counts.precision, counts.recall) == (0.75, 0.6)
    assert counts.f1 == pytest.approx(2 * 0.75 * 0.6 / (0.75 + 0.6))


def test_false_positives_a_page_count_claims_and_pages_without_any() -> None:
    tally = Tally([PageScore(false_claims=(claim(None), claim(None))), PageScore()])
    assert tally.false_a_page == 1.0


@pytest.mark.parametrize(
    ("successes", "trials", "low", "high"), [(0, 10, 0.0, 0.2775), (5, 10, 0.2366, 0.7634), (10, 10, 0.7225, 1.0)]
)
def test_wilsons_interval_is_the_published_one(successes: int, trials: int, low: float, high: float) -> None:
    assert wilson(successes, trials) == pytest.approx((low, high), abs=5e-4)


def test_an_interval_of_no_trials_is_none() -> None:
    assert wilson(0, 0) is None
    assert bootstrap([], lambda counts: counts.f1) is None
    assert bootstrap([Counts()] * 3, lambda counts: counts.f1) is None


@settings(deadline=None)
@given(st.lists(st.builds(Counts, *[st.integers(0, 5)] * 3), min_size=1, max_size=12))
def test_the_bootstrap_gives_one_interval_within_the_range_of_the_figure(rows: list[Counts]) -> None:
    interval = bootstrap(rows, lambda counts: counts.f1)
    assert interval == bootstrap(rows, lambda counts: counts.f1)
    if interval is not None:
        assert 0 <= interval[0] <= interval[1] <= 1


@given(st.integers(0, 50), st.integers(0, 50))
def test_wilsons_interval_holds_the_share(successes: int, failures: int) -> None:
    interval = wilson(successes, successes + failures)
    if interval is not None:
        assert interval[0] <= successes / (successes + failures) + 1e-12
        assert interval[1] >= successes / (successes + failures) - 1e-12
