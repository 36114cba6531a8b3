"""Screenshots made small enough to travel inside one HTML file, and the part of each that a finding is about.

Answers for: each picture once, as WebP, all of them together within a budget of bytes; and the window around a box.
It declines to judge or to measure: what is shown is reduced, and the page says so. Drawing the box is the template's.

Rules, in order:
1. Every picture starts at the best step. While the sum is over the budget, the largest goes one step down; a picture
   that is at the last step and still too much is left out, and counted. So the end does not depend on the order.
2. A picture that is gone, no longer matches its digest or cannot be decoded is `missing`, one that was dropped on
   purpose `redacted`: a report is never lost to it.
3. Windows and boxes are in the picture's own pixels, whatever it was reduced to.
"""

from __future__ import annotations

import base64
import io
import warnings
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from bicameral.errors import EvidenceError, RedactedEvidenceError
from bicameral.model.evidence import Box
from bicameral.ports import EvidenceReader

if TYPE_CHECKING:
    from PIL import Image

BUDGET_BYTES: Final = 10_500_000
"""Of WebP, for all pictures of a report: 14 MB in base64, so that the page stays below 15 MB."""

STEPS: Final[tuple[tuple[int, int], ...]] = ((1440, 72), (1200, 60), (900, 50), (640, 42), (420, 34))
"""Widest width in pixels and WebP quality, best first. 1440 is the widest of our own captures."""

WEBP_SIDE_PX: Final = 16_383
"""WebP holds no side longer than this (RFC 9649, 2.7)."""

THUMBNAIL_PX: Final = (320, 240)
WINDOW_PX: Final = 560
"""CSS pixels of page around a small box: enough to see where on the page it is, and still read its text."""

FRAME_PX: Final = 6
"""CSS pixels between a box and the frame drawn for it."""


@dataclass(frozen=True, kw_only=True)
class Reduced:
    """One picture as it is embedded. width_px, height_px: of the WebP. step: how far it was reduced, 0 the least."""

    webp: bytes
    width_px: int
    height_px: int
    step: int

    @property
    def data_url(self) -> str:
        return data_url(self.webp)


@dataclass(frozen=True, kw_only=True)
class Album:
    """The pictures of a report by digest. missing: could not be read.  left_out: would not fit the budget.

    redacted: were dropped on purpose.
    """

    pictures: dict[str, Reduced]
    missing: frozenset[str] = frozenset()
    redacted: frozenset[str] = frozenset()
    left_out: frozenset[str] = frozenset()


def album(digests: Iterable[str], evidence: EvidenceReader, *, budget_bytes: int = BUDGET_BYTES) -> Album:
    """Reduce each picture once, in the order given, until they fit together."""
    wanted = dict.fromkeys(digests)
    pictures = {digest: reduced for digest in wanted if (reduced := _reduced(digest, evidence, 0)) is not None}
    missing = frozenset(wanted) - pictures.keys()
    redacted = frozenset(digest for digest in missing if _was_redacted(digest, evidence))
    left_out: set[str] = set()
    while sum(len(one.webp) for one in pictures.values()) > budget_bytes:
        digest, largest = max(pictures.items(), key=lambda item: (len(item[1].webp), item[0]))
        smaller = _reduced(digest, evidence, largest.step + 1) if largest.step + 1 < len(STEPS) else None
        if smaller is None:
            del pictures[digest]
            left_out.add(digest)
        else:
            pictures[digest] = smaller
    return Album(pictures=pictures, missing=missing - redacted, redacted=redacted, left_out=frozenset(left_out))


def thumbnail(digest: str, evidence: EvidenceReader) -> str | None:
    """The top of a picture as a small data URL of 4:3, or None where it cannot be read."""
    picture = _decoded(digest, evidence)
    if picture is None:
        return None
    width, height = THUMBNAIL_PX
    top = picture.crop((0, 0, picture.width, max(1, min(picture.height, picture.width * height // width))))
    top.thumbnail((width, height))
    return data_url(_webp(top, 55))


def data_url(webp: bytes) -> str:
    return "data:image/webp;base64," + base64.b64encode(webp).decode("ascii")


def window(box: Box | None, width: int, height: int, *, scale: float = 1.0) -> Box:
    """The part of a picture of width x height to show for a box: on the picture, never empty, the box near its middle.

    No box: the top of the picture. A box taller than the window shows from its top; the whole page shows the rest.
    """
    wide = min(width, round(WINDOW_PX * scale))
    if box is None:
        return Box(x=0, y=0, width=width, height=max(1, min(height, width * 5 // 8)))
    wide = min(width, max(wide, box.width * 5 // 4))
    tall = min(height, max(wide // 2, min(box.height * 5 // 4 + round(48 * scale), wide)))
    left = _within(box.x + box.width // 2 - wide // 2, width - wide)
    if box.height > tall:
        top = _within(box.y - round(24 * scale), height - tall)
    else:
        top = _within(box.y + box.height // 2 - tall // 2, height - tall)
    return Box(x=left, y=top, width=max(1, wide), height=max(1, tall))


def drawable(box: Box | None, width: int, height: int, *, scale: float = 1.0) -> Box | None:
    """The frame to draw for a box: a little outside it, so that no glyph is painted over, and on the picture.

    None where the box is, or where no part of it is on the picture.
    """
    if box is None or box.x >= width or box.y >= height or box.x + box.width < 0 or box.y + box.height < 0:
        return None
    margin = round(FRAME_PX * scale)
    left, top = max(0, box.x - margin), max(0, box.y - margin)
    right, bottom = min(width, box.x + box.width + margin), min(height, box.y + box.height + margin)
    return Box(x=left, y=top, width=right - left, height=bottom - top)


def _within(value: int, most: int) -> int:
    return max(0, min(value, most))


def _reduced(digest: str, evidence: EvidenceReader, step: int) -> Reduced | None:
    picture = _decoded(digest, evidence)
    if picture is None:
        return None
    widest, quality = STEPS[step]
    factor = min(1.0, widest / picture.width, WEBP_SIDE_PX / picture.height)
    if factor < 1.0:
        size = (max(1, round(picture.width * factor)), max(1, round(picture.height * factor)))
        picture = picture.resize(size, reducing_gap=2.0)
    return Reduced(webp=_webp(picture, quality), width_px=picture.width, height_px=picture.height, step=step)


def _was_redacted(digest: str, evidence: EvidenceReader) -> bool:
    try:
        evidence.read(digest)
    except RedactedEvidenceError:
        return True
    except EvidenceError:
        return False
    return False  # it is there, and no picture


def _decoded(digest: str, evidence: EvidenceReader) -> Image.Image | None:
    from PIL import Image

    try:
        body = evidence.read(digest)
        with warnings.catch_warnings():
            # A picture this large was accepted as evidence; here it is only shown, and a bomb is refused all the same.
            warnings.simplefilter("ignore", Image.DecompressionBombWarning)
            with Image.open(io.BytesIO(body)) as picture:
                return _opaque(picture)
    except (EvidenceError, OSError, ValueError, SyntaxError, Image.DecompressionBombError):
        return None


def _opaque(picture: Image.Image) -> Image.Image:
    """RGB; on white where the picture lets something through, as a viewer would show it."""
    from PIL import Image

    if not picture.has_transparency_data:
        return picture.convert("RGB")
    seen = picture.convert("RGBA")
    return Image.alpha_composite(Image.new("RGBA", seen.size, "white"), seen).convert("RGB")


def _webp(picture: Image.Image, quality: int) -> bytes:
    buffer = io.BytesIO()
    # Method 2: less than half the time of the default for 4 % more bytes (20 full pages of the demo, 2026-11-30).
    picture.save(buffer, "WEBP", quality=quality, method=2)
    return buffer.getvalue()
