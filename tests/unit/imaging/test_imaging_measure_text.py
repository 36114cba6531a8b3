"""Text is read from two pictures as readable, unreadable, gone, absent or not to be told."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bicameral.imaging.contrast import over, ratio
from bicameral.imaging.decode import Picture
from bicameral.imaging.legibility import Declared, Reading, read_text
from drawn_text import Bounds, Colour, box_of, gradient, ground, hexed, write

WORDS = "The quick brown fox jumps over 13 lazy dogs"
AT = (10, 6)
WHITE, BLACK = (255, 255, 255), (0, 0, 0)


def read(
    behind: Picture,
    colour: Colour,
    *,
    size: float = 16,
    declared: Colour | None = None,
    alpha: float = 1.0,
    shown: Picture | None = None,
    text: str = WORDS,
    boxes: list[Bounds] | None = None,
    shadow: bool = False,
    clipped: bool = False,
) -> Reading:
    picture = write(behind, text, AT, size, colour, alpha) if shown is None else shown
    said = Declared(colour=declared or colour, alpha=alpha, font_px=size, shadow=shadow, clipped=clipped, text=text)
    return read_text(picture, behind, boxes or [box_of(text, AT, size)], said)


@pytest.mark.parametrize("size", [9, 11, 12, 14, 16, 20, 32])
@pytest.mark.parametrize(
    ("colour", "behind", "expected"),
    [
        ("#767676", "#ffffff", 4.54),
        ("#777777", "#ffffff", 4.48),
        ("#ffffff", "#0d4757", 10.21),
        ("#333333", "#ff9900", 5.90),
    ],
)
def test_the_ratio_is_that_of_the_two_colours_at_every_size(
    size: int, colour: str, behind: str, expected: float
) -> None:
    reading = read(ground(600, 60, hexed(behind)), hexed(colour), size=size)
    assert reading.state == "measured"
    assert reading.exact
    assert reading.median == pytest.approx(expected, abs=0.01)
    assert reading.worst == pytest.approx(expected, abs=0.01)


def test_twins_on_either_side_of_the_threshold_are_told_apart() -> None:
    assert read(ground(600, 60), hexed("#777777")).outcome(4.5) == "misses"
    assert read(ground(600, 60), hexed("#767676")).outcome(4.5) == "clears"


def test_within_the_margin_nothing_is_settled() -> None:
    reading = read(ground(600, 60), hexed("#777777"))
    assert reading.outcome(reading.median + 0.01) == "unsettled"
    assert reading.outcome(reading.median - 0.01) == "unsettled"


def test_a_translucent_colour_is_measured_as_it_is_shown() -> None:
    reading = read(ground(600, 60), BLACK, alpha=0.42)
    shown = (255 * 0.58,) * 3
    assert reading.median == pytest.approx(3.04, abs=0.02)
    assert reading.colour == tuple(round(value) for value in shown)
    assert reading.margin > 0.02  # rounding while blending is part of it


def test_gradient_twins_are_settled_by_where_the_letters_lie() -> None:
    dark = gradient(500, 60, hexed("#0d4757"), hexed("#24506f"))
    pale_at_the_end = gradient(500, 60, hexed("#7d4a1e"), hexed("#f1d9a8"))
    assert read(dark, WHITE).outcome(4.5) == "clears"
    reading = read(pale_at_the_end, WHITE)
    assert reading.outcome(4.5) == "misses"
    assert reading.worst < reading.median


def test_a_pale_end_that_no_letter_reaches_does_no_harm() -> None:
    behind = ground(900, 60, hexed("#1c3d5c"))
    behind[:, 600:] = hexed("#dfeaf0")
    assert read(behind, WHITE).outcome(4.5) == "clears"


@pytest.mark.parametrize(("share", "outcome"), [(0.03, "unsettled"), (0.5, "misses")])
def test_a_few_bad_letters_leave_it_open_and_many_settle_it(share: float, outcome: str) -> None:
    behind = ground(600, 60, hexed("#0d4757"))
    _, _, width, _ = box_of(WORDS, AT, 16)
    behind[:, : AT[0] + int(width * share)] = hexed("#c8d8e0")
    assert read(behind, WHITE).outcome(4.5) == outcome


def test_letters_that_vanish_count_as_letters() -> None:
    """White over a red and white tile: what is over white leaves no difference between the pictures."""
    behind = ground(600, 60, hexed("#cc0000"))
    for x in range(0, 600, 16):
        behind[:, x : x + 8] = 255
    reading = read(behind, WHITE)
    assert reading.outcome(3.0) == "misses"
    assert reading.vanishing == pytest.approx(0.5, abs=0.15)
    assert reading.worst == pytest.approx(1.0, abs=0.01)


def test_text_in_the_colour_of_its_ground_has_vanished() -> None:
    reading = read(ground(600, 60), WHITE)
    assert reading.state == "vanished"
    assert reading.median == pytest.approx(1.0, abs=0.01)
    assert reading.outcome(3.0) == "misses"


def test_a_border_that_crosses_vanished_text_does_not_make_it_readable() -> None:
    behind = ground(600, 60)
    shown = behind.copy()
    shown[:, 60] = 0
    assert read(behind, WHITE, shown=shown).state == "vanished"


def test_text_almost_in_the_colour_of_its_ground_is_measured_with_its_own_colour() -> None:
    reading = read(ground(600, 60, hexed("#19252c")), hexed("#16242c"))
    assert reading.exact
    assert reading.colour == hexed("#16242c")
    assert reading.outcome(4.5) == "misses"


def test_text_that_leaves_no_ink_where_it_would_show_is_not_drawn() -> None:
    behind = ground(600, 60)
    reading = read(behind, BLACK, shown=behind)
    assert reading.state == "no-ink"
    assert reading.outcome(4.5) == "unsettled"


def test_ink_of_another_colour_is_measured_by_its_own() -> None:
    """A filter or blend mode: the style says black, the picture shows blue."""
    behind = ground(600, 60)
    reading = read(behind, BLACK, shown=write(behind, WORDS, AT, 24, (0, 0, 200)), size=24)
    assert not reading.exact
    assert np.abs(np.subtract(reading.colour, (0, 0, 200))).max() <= 4
    assert reading.outcome(4.5) == "clears"


def test_ink_that_stays_short_of_its_colour_is_bounded_from_both_sides() -> None:
    behind = ground(600, 60)
    faint = write(behind, WORDS, AT, 24, BLACK, alpha=0.5)  # a filter halves it; the style does not say so
    reading = read(behind, BLACK, shown=faint, size=24)
    assert not reading.exact
    assert reading.outcome(2.0) == "clears"
    assert reading.outcome(4.5) == "unsettled"
    assert (
        read(behind, hexed("#999999"), shown=write(behind, WORDS, AT, 24, hexed("#999999"), 0.5)).outcome(4.5)
        == "misses"
    )


def test_colour_glyphs_are_not_measured() -> None:
    behind = ground(600, 60)
    paints = gradient(600, 60, (255, 200, 0), (0, 90, 255))
    paints[::2] = (200, 0, 90)
    reading = read(behind, BLACK, shown=write(behind, WORDS, AT, 24, paints), size=24)
    assert reading.state == "unsure"


def test_a_window_onto_a_gradient_is_measured_by_what_shows_in_it() -> None:
    behind = ground(700, 60)
    dark = write(behind, WORDS, AT, 24, gradient(700, 60, (120, 0, 0), (0, 0, 120)))
    pale = write(behind, WORDS, AT, 24, gradient(700, 60, (255, 220, 200), (200, 220, 255)))
    assert read(behind, BLACK, shown=dark, size=24, clipped=True).outcome(4.5) == "clears"
    assert read(behind, BLACK, shown=pale, size=24, clipped=True).outcome(4.5) == "misses"


def test_a_dark_shadow_around_white_text_leaves_it_open() -> None:
    behind = ground(600, 60, (200, 200, 200))
    shadowed = behind
    for dx in (-2, 0, 2):
        for dy in (-2, 0, 2):
            shadowed = write(shadowed, WORDS, (AT[0] + dx, AT[1] + dy), 24, BLACK)
    shown = write(shadowed, WORDS, AT, 24, WHITE)
    assert read(behind, WHITE, shown=shown, size=24, shadow=True).outcome(4.5) == "unsettled"


def test_a_faint_shadow_does_no_harm() -> None:
    behind = ground(600, 60)
    shown = write(write(behind, WORDS, (11, 7), 24, BLACK, 0.05), WORDS, AT, 24, BLACK)
    assert read(behind, BLACK, shown=shown, size=24, shadow=True).outcome(4.5) == "clears"


def test_an_underline_in_another_colour_is_no_letter() -> None:
    behind = ground(600, 60)
    x, y, width, height = box_of(WORDS, AT, 16)
    shown = write(behind, WORDS, AT, 16, BLACK)
    shown[int(y + height) - 3, int(x) : int(x + width)] = (120, 180, 255)
    reading = read(behind, BLACK, shown=shown)
    assert reading.exact
    assert reading.outcome(4.5) == "clears"


def test_a_word_in_a_long_box_is_found() -> None:
    """The line of an input is as long as the input."""
    assert read(ground(600, 60), BLACK, text="Ada", boxes=[(10, 6, 580, 20)]).outcome(4.5) == "clears"


def test_the_place_is_one_with_ink() -> None:
    behind = ground(600, 60)
    shown = write(behind, WORDS, AT, 16, BLACK)
    reading = read(behind, BLACK, shown=shown)
    for x, y in (reading.median_at, reading.worst_at):
        assert shown[y, x].max() < 128


@pytest.mark.parametrize(
    "boxes",
    [
        [(0, 0, 0, 0)],
        [(-500, -500, 20, 20)],
        [(5000, 10, 20, 20)],
        [(10, 10, -5, 20)],
        [(0.2, 0.2, 0.1, 0.1)],
    ],
)
def test_boxes_without_pixels_settle_nothing(boxes: list[Bounds]) -> None:
    assert read(ground(200, 40), BLACK, boxes=boxes).outcome(4.5) == "unsettled"


def test_a_text_without_lines_settles_nothing() -> None:
    picture = ground(50, 50)
    assert read_text(picture, picture, [], Declared(colour=BLACK, alpha=1, font_px=16)).state == "no-ink"


def test_a_box_that_sticks_out_of_the_picture_is_read_as_far_as_it_goes() -> None:
    behind = ground(120, 60)
    assert read(behind, BLACK).outcome(4.5) == "clears"


def test_a_companion_of_another_size_settles_nothing() -> None:
    reading = read_text(ground(50, 50), ground(50, 51), [(0, 0, 40, 20)], Declared(colour=BLACK, alpha=1, font_px=16))
    assert reading.state == "unsure"


@settings(deadline=None, max_examples=60)
@given(
    st.integers(0, 255), st.integers(0, 255), st.sampled_from([11, 14, 16, 24]), st.floats(0.2, 1.0), st.floats(1, 21)
)
def test_outcomes_never_contradict_the_true_ratio(ink: int, paper: int, size: int, alpha: float, wanted: float) -> None:
    """Whatever the greys and the opacity, clears is never said below what is wanted, nor misses above."""
    behind = ground(420, 40, (paper,) * 3)
    true = float(ratio(over((ink,) * 3, alpha, (paper,) * 3), (paper,) * 3))
    reading = read(behind, (ink,) * 3, size=size, alpha=alpha)
    if reading.outcome(wanted) == "clears":
        assert true >= wanted
    if reading.outcome(wanted) == "misses":
        assert true <= wanted


@settings(deadline=None, max_examples=40)
@given(st.integers(0, 2**32 - 1), st.floats(-40, 80), st.floats(-40, 80), st.floats(0, 90), st.floats(0, 90))
def test_noise_and_any_box_never_raise(seed: int, x: float, y: float, width: float, height: float) -> None:
    rng = np.random.default_rng(seed)
    picture, companion = (rng.integers(0, 256, (50, 60, 3), dtype=np.uint8) for _ in range(2))
    declared = Declared(colour=(9, 99, 199), alpha=0.7, font_px=12, shadow=bool(seed % 2), clipped=bool(seed % 3))
    reading = read_text(picture, companion, [(x, y, width, height)], declared)
    assert 1.0 <= reading.worst <= 21.0
    assert 1.0 <= reading.median <= 21.0
    assert reading.outcome(4.5) in ("clears", "misses", "unsettled")
