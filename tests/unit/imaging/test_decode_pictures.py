"""Pictures of every kind become upright 8-bit RGB; what is no still picture is refused with its reason."""

from __future__ import annotations

import io
import struct
import zlib

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from bicameral.errors import EvidenceError
from bicameral.imaging.decode import decode, encode_png, size_of, sniff


def _bytes(image: Image.Image, kind: str, **options: object) -> bytes:
    out = io.BytesIO()
    image.save(out, kind, **options)
    return out.getvalue()


def _plain(colour: tuple[int, int, int] = (10, 20, 30), size: tuple[int, int] = (6, 4)) -> Image.Image:
    return Image.new("RGB", size, colour)


def _chunk(name: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))


@pytest.mark.parametrize("kind", ["PNG", "WEBP"])
def test_a_lossless_picture_keeps_every_pixel(kind: str) -> None:
    pixels = np.random.default_rng(7).integers(0, 256, (9, 11, 3), dtype=np.uint8)
    assert np.array_equal(decode(_bytes(Image.fromarray(pixels), kind, lossless=True), where="x"), pixels)


def test_the_shape_is_height_by_width_by_three() -> None:
    assert decode(_bytes(_plain(), "PNG"), where="x").shape == (4, 6, 3)


def test_a_cmyk_jpeg_becomes_rgb() -> None:
    body = _bytes(Image.new("CMYK", (8, 8), (0, 255, 255, 0)), "JPEG", quality=95)
    red, green, blue = decode(body, where="x")[4, 4]
    assert red > 200
    assert max(green, blue) < 60


def test_sixteen_bit_grey_is_scaled_and_not_clipped() -> None:
    wide = Image.fromarray(np.full((3, 3), 0x8000, dtype=np.uint16))
    assert decode(_bytes(wide, "PNG"), where="x")[1, 1].tolist() == [128, 128, 128]


def test_sixteen_bit_colour_becomes_eight() -> None:
    row = b"\x00" + struct.pack(">HHH", 0xFFFF, 0x8000, 0) * 2
    header = struct.pack(">IIBBBBB", 2, 1, 16, 2, 0, 0, 0)
    body = b"\x89PNG\r\n\x1a\n" + _chunk(b"IHDR", header) + _chunk(b"IDAT", zlib.compress(row)) + _chunk(b"IEND", b"")
    assert decode(body, where="x")[0, 0].tolist() == [255, 128, 0]


def test_a_picture_that_lies_on_its_side_is_turned_upright() -> None:
    image = _plain(size=(6, 4))
    image.putpixel((0, 0), (255, 0, 0))
    exif = Image.Exif()
    exif[0x0112] = 6
    turned = decode(_bytes(image, "PNG", exif=exif), where="x")
    assert turned.shape == (6, 4, 3)
    assert turned[0, 3].tolist() == [255, 0, 0]


def test_transparency_is_laid_over_white() -> None:
    assert decode(_bytes(Image.new("RGBA", (2, 2), (0, 0, 0, 0)), "PNG"), where="x")[0, 0].tolist() == [255, 255, 255]


def test_a_palette_with_a_transparent_entry_is_laid_over_white() -> None:
    image = Image.new("P", (2, 2), 0)
    image.putpalette([9, 9, 9] * 256)
    assert decode(_bytes(image, "PNG", transparency=0), where="x")[0, 0].tolist() == [255, 255, 255]


@pytest.mark.parametrize("mode", ["1", "L", "LA", "P"])
def test_every_mode_becomes_rgb(mode: str) -> None:
    assert decode(_bytes(_plain((255, 255, 255)).convert(mode), "PNG"), where="x")[0, 0].tolist() == [255, 255, 255]


@pytest.mark.parametrize(
    ("body", "word"),
    [
        (b"", "empty"),
        (b"hello, I am a text", "not a PNG"),
        (b"<svg xmlns='http://www.w3.org/2000/svg'/>", "not a PNG"),
        (_bytes(_plain(), "GIF"), "not a PNG"),
        (_bytes(_plain(size=(200, 200)), "PNG")[:120], "cut short"),
        (_bytes(_plain(size=(200, 200)), "JPEG")[:300], "cut short"),
        (_bytes(_plain(size=(200, 200)), "WEBP")[:60], "cut short"),
        (b"\x89PNG\r\n\x1a\n", "cut short"),
        (b"\xff\xd8\xff", "cut short"),
        (b"RIFF\x00\x00\x00\x00WEBP", "cut short"),
        (b"\x89PNG\r\n\x1a\n" + b"\x00" * 400, "cut short"),
    ],
)
def test_what_is_no_whole_picture_is_refused_by_name(body: bytes, word: str) -> None:
    with pytest.raises(EvidenceError, match=word) as caught:
        decode(body, where="shots/home.png")
    assert "shots/home.png" in str(caught.value)


@pytest.mark.parametrize("kind", ["PNG", "WEBP"])
def test_an_animated_picture_is_refused(kind: str) -> None:
    frames = [_plain((0, 0, 0)), _plain((255, 255, 255))]
    body = _bytes(frames[0], kind, save_all=True, append_images=frames[1:], duration=50)
    with pytest.raises(EvidenceError, match="animated"):
        decode(body, where="x")


@pytest.mark.parametrize(("width", "height"), [(60_000, 60_000), (70_000, 2), (2, 70_000), (20_000, 6_000)])
def test_a_decompression_bomb_is_refused_before_it_is_unpacked(width: int, height: int) -> None:
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    body = b"\x89PNG\r\n\x1a\n" + _chunk(b"IHDR", header) + _chunk(b"IDAT", zlib.compress(b"\0")) + _chunk(b"IEND", b"")
    with pytest.raises(EvidenceError, match="unpacks to more"):
        decode(body, where="x")


@given(
    st.binary(max_size=300),
    st.sampled_from([b"", b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff\xe0", b"RIFF\x20\0\0\0WEBPVP8 "]),
)
def test_no_bytes_whatever_raise_anything_but_an_evidence_error(tail: bytes, head: bytes) -> None:
    try:
        picture = decode(head + tail, where="x")
    except EvidenceError:
        return
    assert picture.dtype == np.uint8


@given(st.integers(0, 400), st.integers(0, 255))
def test_a_picture_with_one_changed_byte_is_read_or_refused(at: int, value: int) -> None:
    body = bytearray(_bytes(_plain(size=(30, 30)), "PNG"))
    body[at % len(body)] = value
    try:
        picture = decode(bytes(body), where="x")
    except EvidenceError:
        return
    assert picture.ndim == 3


def test_written_and_read_again_the_pixels_are_the_same() -> None:
    pixels = np.random.default_rng(3).integers(0, 256, (5, 7, 3), dtype=np.uint8)
    body = encode_png(pixels)
    assert np.array_equal(decode(body, where="x"), pixels)
    assert encode_png(pixels) == body
    assert size_of(body) == (7, 5)


def test_the_kind_is_told_by_the_bytes_alone() -> None:
    assert sniff(_bytes(_plain(), "WEBP")) == "webp"
    assert sniff(_bytes(_plain(), "JPEG")) == "jpeg"
    assert sniff(b"RIFF....WAVE") is None
