"""Pictures fit the page, each once, and a missing one loses no report."""

from __future__ import annotations

import io
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image
from report_samples import Pictures, drawn

from bicameral.model.evidence import Box
from bicameral.report.pictures import BUDGET_BYTES, FRAME_PX, STEPS, album, drawable, thumbnail, window


def noise(width: int, height: int, seed: int) -> bytes:
    picture = Image.frombytes("RGB", (width, height), random.Random(seed).randbytes(width * height * 3))
    return png(picture)


def png(picture: Image.Image) -> bytes:
    buffer = io.BytesIO()
    picture.save(buffer, "PNG")
    return buffer.getvalue()


def opened(webp: bytes) -> Image.Image:
    return Image.open(io.BytesIO(webp))


def test_each_picture_is_reduced_once_and_keeps_its_shape() -> None:
    pictures = Pictures()
    digest = pictures.add(drawn(720, 500, "light", 1))
    held = album([digest, digest], pictures)
    assert list(held.pictures) == [digest]
    assert opened(held.pictures[digest].webp).size == (720, 500)
    assert held.pictures[digest].data_url.startswith("data:image/webp;base64,")


def test_a_wide_picture_is_scaled_to_the_widest_that_is_shown() -> None:
    pictures = Pictures()
    held = album([pictures.add(drawn(2880, 600, "dark", 1))], pictures)
    (picture,) = held.pictures.values()
    assert (picture.width_px, picture.height_px) == (1440, 300)


def test_a_picture_taller_than_webp_can_hold_is_scaled_and_not_lost() -> None:
    pictures = Pictures()
    held = album([pictures.add(png(Image.new("RGB", (40, 20_000), "white")))], pictures)
    (picture,) = held.pictures.values()
    assert picture.height_px == 16_383


def test_the_largest_pictures_give_way_until_all_fit() -> None:
    pictures = Pictures()
    small = pictures.add(drawn(720, 500, "light", 1))
    large = pictures.add(noise(900, 900, 1))
    held = album([small, large], pictures, budget_bytes=150_000)
    assert sum(len(one.webp) for one in held.pictures.values()) <= 150_000
    assert held.pictures[small].step == 0
    assert held.pictures[large].step > 0


def test_a_picture_that_fits_at_no_step_is_left_out_and_counted() -> None:
    pictures = Pictures()
    small, large = pictures.add(drawn(720, 500, "light", 1)), pictures.add(noise(700, 700, 2))
    held = album([small, large], pictures, budget_bytes=8_000)
    assert held.left_out == {large}
    assert list(held.pictures) == [small]


def test_what_is_kept_does_not_depend_on_the_order_of_pictures() -> None:
    pictures = Pictures()
    digests = [pictures.add(noise(300, 300, seed)) for seed in range(3)]
    one, two = (album(order, pictures, budget_bytes=60_000) for order in (digests, digests[::-1]))
    assert {name: held.step for name, held in one.pictures.items()} == {
        name: held.step for name, held in two.pictures.items()
    }


@pytest.mark.parametrize(
    "body",
    [b"", b"not a picture", drawn(720, 500, "light", 1)[:-400], b"\x89PNG\r\n\x1a\n" + b"\0" * 40],
    ids=["empty", "no-picture", "truncated", "broken-header"],
)
def test_a_picture_that_cannot_be_read_is_missing_and_nothing_else(body: bytes) -> None:
    pictures = Pictures()
    bad, good = pictures.add(body), pictures.add(drawn(195, 700, "dark", 1))
    held = album([bad, good, "sha256:gone"], pictures)
    assert held.missing == {bad, "sha256:gone"}
    assert list(held.pictures) == [good]
    assert thumbnail(bad, pictures) is None


def test_a_transparent_picture_is_shown_on_white() -> None:
    pictures = Pictures()
    held = album([pictures.add(png(Image.new("RGBA", (20, 20), (0, 0, 0, 0))))], pictures)
    (picture,) = held.pictures.values()
    assert opened(picture.webp).convert("RGB").getpixel((5, 5)) == (255, 255, 255)


SIDE = st.integers(1, 20_000)
CORNER = st.integers(-500, 21_000)
BOXES = st.builds(Box, x=CORNER, y=CORNER, width=st.integers(0, 3000), height=st.integers(0, 9000))


@given(BOXES | st.none(), SIDE, SIDE, st.sampled_from((1.0, 2.0, 0.5)))
def test_a_window_always_lies_on_its_picture_and_is_never_empty(
    box: Box | None, width: int, height: int, scale: float
) -> None:
    shown = window(box, width, height, scale=scale)
    assert shown.x >= 0
    assert shown.y >= 0
    assert shown.width >= 1
    assert shown.height >= 1
    assert shown.x + shown.width <= width
    assert shown.y + shown.height <= height


@given(BOXES, SIDE, SIDE)
def test_a_frame_lies_on_its_picture_or_there_is_none(box: Box, width: int, height: int) -> None:
    frame = drawable(box, width, height)
    if frame is None:
        assert box.x >= width or box.y >= height or box.x + box.width < 0 or box.y + box.height < 0
    else:
        assert 0 <= frame.x <= frame.x + frame.width <= width
        assert 0 <= frame.y <= frame.y + frame.height <= height


def test_a_frame_stands_a_little_outside_its_box() -> None:
    frame = drawable(Box(x=100, y=100, width=50, height=20), 390, 844)
    assert frame == Box(x=100 - FRAME_PX, y=100 - FRAME_PX, width=50 + 2 * FRAME_PX, height=20 + 2 * FRAME_PX)


def test_a_box_in_the_middle_lies_whole_in_its_window() -> None:
    shown = window(Box(x=700, y=2000, width=120, height=24), 1440, 5000)
    assert shown.x < 700
    assert shown.x + shown.width > 820
    assert shown.y < 2000
    assert shown.y + shown.height > 2024


def test_the_budget_keeps_a_page_below_fifteen_megabytes() -> None:
    assert BUDGET_BYTES * 4 / 3 + 500_000 < 15_000_000


def test_steps_go_down_in_width_and_in_quality() -> None:
    assert list(STEPS) == sorted(STEPS, reverse=True)
