"""Where the pixels refute the declared colour, what they show bounds the contrast at every size."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bicameral.imaging.contrast import over, ratio
from bicameral.imaging.legibility import Declared, Reading, read_text
from bicameral.imaging.level import LEVEL_WIDTH, level_coverage, level_of
from drawn_text import Colour, box_of, ground, write

WORDS = "The quick brown fox jumps over 13 lazy dogs"
AT = (10, 6)
WHITE, INK = (255, 255, 255), (34, 34, 34)


def faded(size: float, share: float, *, behind: Colour = WHITE, colour: Colour = INK) -> Reading:
    """Text under a filter of opacity that the style does not tell of."""
    plain = ground(int(40 * size), int(3 * size), behind)
    declared = Declared(colour=colour, alpha=1.0, font_px=size, text=WORDS)
    return read_text(write(plain, WORDS, AT, size, colour, share), plain, [box_of(WORDS, AT, size)], declared)


@pytest.mark.parametrize("size", [14, 16, 20, 24, 40])
def test_text_that_a_filter_fades_far_below_misses_at_every_size(size: int) -> None:
    reading = faded(size, 0.3)
    assert reading.outcome(3.0) == "misses"
    assert reading.median == pytest.approx(float(ratio(over(INK, 0.3, WHITE), WHITE)), rel=0.06)
    assert not reading.exact


@pytest.mark.parametrize("size", [12, 16, 20, 32])
@pytest.mark.parametrize("share", [0.35, 0.5, 0.65, 0.75])
def test_nothing_is_settled_the_wrong_way(size: int, share: float) -> None:
    true = float(ratio(over(INK, share, WHITE), WHITE))
    reading = faded(size, share)
    assert reading.outcome(true * 0.98) != "misses"
    assert reading.outcome(true * 1.02) != "clears"


def test_within_the_margin_nothing_is_settled() -> None:
    true = float(ratio(over(INK, 0.58, WHITE), WHITE))
    assert 4.0 < true < 4.5
    assert faded(16, 0.58).outcome(4.5) == "unsettled"


def test_colours_that_a_filter_turns_around_are_read_as_they_show() -> None:
    """Black on white under invert(.55) is light grey on dark grey: off the line to the declared colour."""
    behind, shown = (115, 115, 115), (140, 140, 140)
    plain = ground(700, 60, behind)
    declared = Declared(colour=(0, 0, 0), alpha=1.0, font_px=16, text=WORDS)
    reading = read_text(write(plain, WORDS, AT, 16, shown), plain, [box_of(WORDS, AT, 16)], declared)
    assert reading.outcome(4.5) == "misses"
    assert reading.colour == shown


@pytest.mark.parametrize("size", [12, 16, 20])
def test_a_hairline_that_stays_short_of_its_colour_is_not_called_faint(size: int) -> None:
    """Every pixel covered for another share, none for more than 0.6: strokes thinner than a pixel."""
    plain = ground(700, 60)
    rng = np.random.default_rng(size)
    solid = write(plain, WORDS, AT, size, INK)
    inked = (solid != plain).any(axis=-1)
    thin = plain + (np.asarray(INK) - 255.0) * (inked * rng.uniform(0.05, 0.6, inked.shape) ** 1.5)[..., None]
    declared = Declared(colour=INK, alpha=1.0, font_px=size, text=WORDS)
    reading = read_text(np.round(thin).astype(np.uint8), plain, [box_of(WORDS, AT, size)], declared)
    assert reading.outcome(4.5) != "misses"


def test_few_pixels_and_no_ink_have_no_level() -> None:
    assert level_of(np.zeros(0)) is None
    assert level_of(np.ones(5)) is None
    assert level_of(np.zeros(50)) is None
    assert level_of(np.ones(50)) == 1.0


@given(st.lists(st.floats(0.01, 1.0), min_size=12, max_size=80), st.floats(0.1, 400.0))
def test_a_level_is_no_weaker_than_the_third_strongest_and_scales_with_its_unit(ink: list[float], unit: float) -> None:
    strength = np.array(ink)
    level, scaled = level_of(strength), level_of(strength * unit)
    if level is not None:
        assert level == sorted(ink)[-3]
        assert scaled is None or scaled == pytest.approx(level * unit)
        assert (strength >= LEVEL_WIDTH * level).sum() >= 3


@given(st.floats(1, 200))
def test_the_margin_never_grows_with_the_size(size: float) -> None:
    assert 0 < level_coverage(size) <= level_coverage(size + 1) <= 1
