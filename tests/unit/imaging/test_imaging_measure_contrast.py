"""Contrast ratios are those of the definition."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bicameral.imaging.contrast import luminance, over, ratio, ratio_of_luminances
from drawn_text import hexed

channel = st.integers(0, 255)
colour = st.tuples(channel, channel, channel)


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("#000000", "#ffffff", 21.0),
        ("#777777", "#ffffff", 4.48),
        ("#767676", "#ffffff", 4.54),
        ("#959595", "#ffffff", 3.0),
        ("#0000ff", "#ffffff", 8.59),
        ("#ff0000", "#ffffff", 4.0),
        ("#123456", "#123456", 1.0),
    ],
)
def test_known_pairs_have_their_known_ratio(one: str, other: str, expected: float) -> None:
    assert float(ratio(np.array(hexed(one), np.uint8), np.array(hexed(other), np.uint8))) == pytest.approx(
        expected, abs=0.006
    )


@given(colour, colour)
def test_the_ratio_is_symmetric_and_lies_between_1_and_21(one: tuple[int, ...], other: tuple[int, ...]) -> None:
    there, back = float(ratio(one, other)), float(ratio(other, one))
    assert there == back
    assert 1.0 <= there <= 21.0 + 1e-9


@given(colour)
def test_bytes_by_the_table_and_fractions_by_the_formula_agree(one: tuple[int, ...]) -> None:
    assert float(luminance(np.array(one, np.uint8))) == pytest.approx(float(luminance(np.array(one, float))), abs=1e-12)


@given(colour, st.integers(0, 2))
def test_a_lighter_channel_makes_a_lighter_colour(one: tuple[int, ...], which: int) -> None:
    lighter = list(one)
    lighter[which] = min(255, lighter[which] + 1)
    assert float(luminance(lighter)) >= float(luminance(one))


@given(st.floats(0, 1), st.floats(0, 1), st.floats(0, 1))
def test_moving_away_from_the_other_colour_raises_the_ratio(base: float, a: float, b: float) -> None:
    near, far = sorted((a, b), key=lambda value: abs(value - base))
    if (near - base) * (far - base) >= 0:
        assert float(ratio_of_luminances(base, far)) >= float(ratio_of_luminances(base, near)) - 1e-12


@given(colour, colour, st.floats(-1, 2))
def test_a_translucent_colour_stays_between_itself_and_what_is_behind(
    one: tuple[int, ...], behind: tuple[int, ...], alpha: float
) -> None:
    mixed = over(one, alpha, behind)
    low, high = np.minimum(one, behind), np.maximum(one, behind)
    assert bool(((mixed >= low - 1e-9) & (mixed <= high + 1e-9)).all())


def test_channels_outside_the_range_count_as_its_ends() -> None:
    assert float(luminance([-20.0, 0.0, 0.0])) == 0.0
    assert float(luminance([300.0, 255.0, 255.0])) == pytest.approx(1.0)


def test_arrays_of_any_shape_broadcast() -> None:
    page = np.zeros((4, 5, 3), np.uint8)
    assert ratio(page, np.array([255, 255, 255])).shape == (4, 5)
