"""Full-page pictures of a page that stands still.

Answers for one PNG of the whole page at one picture pixel a CSS pixel, at most MAX_HEIGHT tall and MAX_AREA in all.
Beyond PIECE a browser repeats or drops what it draws, so taller pages are taken in pieces and put together.
"""

from __future__ import annotations

from typing import Any, Final

from PIL import Image

from bicameral.evidence.browser import BrowserTimeout, Page
from bicameral.imaging.decode import decode_image, encode_png, size_of

WHOLE: Final = 16_384
"""The tallest and widest picture that Chromium draws truly in one go."""
PIECE: Final = 8_192
MAX_HEIGHT: Final = 32_768
MAX_AREA: Final = 64_000_000
TIMEOUT_MS: Final = 30_000.0


def picture_size(document: tuple[int, int], viewport: tuple[int, int]) -> tuple[int, int]:
    """Width and height of the picture of a page of this size; what is beyond the limits is not pictured."""
    width = min(max(document[0], viewport[0]), WHOLE)
    height = max(document[1], viewport[1])
    return width, max(1, min(height, MAX_HEIGHT, MAX_AREA // width))


async def take_picture(page: Page, document: tuple[int, int], viewport: tuple[int, int]) -> bytes:
    """PNG bytes. The same standing page gives the same bytes."""
    width, height = picture_size(document, viewport)
    if height <= WHOLE and (width, height) == (max(document[0], viewport[0]), max(document[1], viewport[1])):
        return await _shot(page)
    whole = Image.new("RGB", (width, height))
    for top in range(0, height, PIECE):
        clip = {"x": 0, "y": top, "width": width, "height": min(PIECE, height - top)}
        piece = decode_image(await _shot(page, clip=clip), where=f"the piece of the page at {top} px")
        whole.paste(piece, (0, top))
    return encode_png(whole)


async def rehearse(page: Page) -> None:
    """Take one pixel of the full page, so that what a full-page picture does to the layout is done before measuring.

    Chromium 156 lays text out anew for the first picture beyond the viewport, with letters some hundredths of a pixel
    narrower in places; from then on it stays so, and boxes measured earlier would not be those of the picture.
    """
    await _shot(page, clip={"x": 0, "y": 0, "width": 1, "height": 1})


async def _shot(page: Page, **clip: Any) -> bytes:
    """One picture; one that is not there in time is asked for once more, for on a busy machine the second comes.

    The caller bounds both together.
    """
    try:
        return await _ask(page, clip)
    except BrowserTimeout:
        return await _ask(page, clip)


async def _ask(page: Page, clip: dict[str, Any]) -> bytes:
    return await page.screenshot(
        full_page=True, animations="disabled", caret="hide", scale="css", timeout=TIMEOUT_MS, **clip
    )


def same_size(first: bytes, second: bytes) -> bool:
    return size_of(first) == size_of(second)
