"""One colour is told from several, and changes are found where they are."""

from __future__ import annotations

import numpy as np
import pytest

from bicameral.imaging.flat import changed, flat, outside
from drawn_text import ground, write


def test_one_colour_is_all_of_one_colour() -> None:
    found = flat(ground(300, 200, (16, 25, 30)))
    assert found == ((16, 25, 30), 1.0, 0)


def test_dithering_is_still_one_colour() -> None:
    part = ground(300, 200, (100, 100, 100))
    part[::2, ::2] += 2
    assert flat(part).others == 0


def test_a_word_is_seen_on_a_large_page() -> None:
    page = write(ground(1440, 900), "Hello", (20, 20), 16, (0, 0, 0))
    assert 20 < flat(page).others < 2000


def test_the_commonest_colour_of_a_large_part_is_found_by_samples() -> None:
    part = ground(2000, 2000, (255, 255, 255))
    part[:300] = (10, 10, 10)
    found = flat(part)
    assert found.colour == (255, 255, 255)
    assert found.share == pytest.approx(0.85)


@pytest.mark.parametrize("shape", [(0, 0, 3), (0, 9, 3), (9, 0, 3)])
def test_an_empty_part_has_no_colour(shape: tuple[int, int, int]) -> None:
    assert flat(np.zeros(shape, np.uint8)).share == 0.0


def test_change_inside_the_boxes_is_not_outside() -> None:
    before = ground(100, 100)
    after = before.copy()
    after[10:20, 10:30] = 0
    ink = changed(before, after)
    assert not outside(ink, [(8, 8, 30, 20)]).any()
    assert int(outside(ink, [(8, 8, 12, 20)]).sum()) == 90
    assert int(ink.sum()) == 200


def test_boxes_that_lie_outside_the_picture_cover_nothing() -> None:
    every = ~changed(ground(10, 10), ground(10, 10))
    assert outside(every, []).all()
    assert int(outside(every, [(-50, -50, 10, 10)]).sum()) >= 99
