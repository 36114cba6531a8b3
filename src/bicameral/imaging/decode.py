"""Bytes of a picture into pixels.

Answers for reading PNG, JPEG and WebP as 8-bit RGB, whatever they hold (CMYK, 16 bits, a palette, transparency, an
EXIF rotation), and for refusing what is no picture to judge. Declines to trust a file's name: the bytes say what it is.

Rules, in order: the kind is told by the first bytes; the size is known before anything is unpacked, and one beyond the
limits is refused; more than one frame is refused; every pixel must be there; then the picture is turned upright and
made RGB, transparency over white.
"""

from __future__ import annotations

import io
import warnings
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageOps, UnidentifiedImageError

from bicameral.errors import EvidenceError

MAX_PIXELS: Final = 100_000_000
"""A 1440 px wide page 69,000 px tall; 300 MB as RGB. A file of some kilobytes that unpacks to more is a bomb."""
MAX_SIDE: Final = 65_535
"""What JPEG can say, and more than any renderer here draws truly."""

Kind = Literal["png", "jpeg", "webp"]
Picture = NDArray[np.uint8]
"""H x W x 3, red green blue, 0 to 255."""


def sniff(body: bytes) -> Kind | None:
    """The kind of picture by its first bytes, or None for anything else."""
    if body.startswith(b"\x89PNG\r\n\x1a\n"):
        return "png"
    if body.startswith(b"\xff\xd8\xff"):
        return "jpeg"
    if body[:4] == b"RIFF" and body[8:12] == b"WEBP":
        return "webp"
    return None


def decode(body: bytes, *, where: str) -> Picture:
    """The picture's pixels, H x W x 3, upright.

    where: named in the message of the EvidenceError that is raised for bytes that are empty, no picture, cut short,
    animated, or too large to unpack.
    """
    return np.asarray(decode_image(body, where=where))


def decode_image(body: bytes, *, where: str) -> Image.Image:
    """As `decode`, but as a Pillow image of mode RGB."""
    if not body:
        raise EvidenceError(f"{where} is empty.", mend="Take the picture again.")
    kind = sniff(body)
    if kind is None:
        raise EvidenceError(f"{where} is not a PNG, JPEG or WebP picture.", mend="Convert it, or leave it out.")
    with warnings.catch_warnings():
        # Sizes are checked below, before anything is unpacked, and odd metadata is no fault: no warning is news.
        warnings.simplefilter("ignore")
        try:
            with Image.open(io.BytesIO(body), formats=[kind.upper()]) as image:
                _check_size(image, where)
                if getattr(image, "n_frames", 1) > 1:
                    raise EvidenceError(f"{where} is animated.", mend="Hand in one still frame.")
                image.load()
                return _rgb(_upright(image))
        except Image.DecompressionBombError as error:
            raise _too_large(where) from error
        except (UnidentifiedImageError, OSError, SyntaxError, ValueError, EOFError, IndexError) as error:
            raise EvidenceError(
                f"{where} is cut short or damaged ({error}).", mend="Take the picture again."
            ) from error


def encode_png(picture: Picture | Image.Image) -> bytes:
    """8-bit RGB PNG bytes; the same pixels always give the same bytes with one Pillow and zlib."""
    image = picture if isinstance(picture, Image.Image) else Image.fromarray(picture)
    out = io.BytesIO()
    image.convert("RGB").save(out, "PNG", compress_level=6)
    return out.getvalue()


def size_of(body: bytes) -> tuple[int, int]:
    """Width and height in pixels of a picture that this program made, from its header alone."""
    with Image.open(io.BytesIO(body)) as image:
        return image.size


def _check_size(image: Image.Image, where: str) -> None:
    width, height = image.size
    if width < 1 or height < 1 or max(width, height) > MAX_SIDE or width * height > MAX_PIXELS:
        raise _too_large(where)


def _too_large(where: str) -> EvidenceError:
    return EvidenceError(
        f"{where} unpacks to more than {MAX_PIXELS:,} pixels or {MAX_SIDE:,} on a side.", mend="Cut it into pieces."
    )


def _upright(image: Image.Image) -> Image.Image:
    try:
        return ImageOps.exif_transpose(image)
    except Exception:
        # A damaged EXIF block says nothing about which way is up; the pixels are whole.
        return image


def _rgb(image: Image.Image) -> Image.Image:
    if image.mode == "RGB":
        return image
    if image.mode.startswith(("I", "F")):
        return _eight_bits(image).convert("RGB")
    if image.mode in {"RGBA", "LA", "PA", "RGBa", "La"} or "transparency" in image.info:
        layered = image.convert("RGBA")
        return Image.alpha_composite(Image.new("RGBA", layered.size, (255, 255, 255, 255)), layered).convert("RGB")
    return image.convert("RGB")


def _eight_bits(image: Image.Image) -> Image.Image:
    """16-bit grey to 8-bit by its high byte; Pillow's own conversion clips instead."""
    wide = np.asarray(image).astype(np.int64)
    return Image.fromarray(np.clip(wide >> 8, 0, 255).astype(np.uint8))
