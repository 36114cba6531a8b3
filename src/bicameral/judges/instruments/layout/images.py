"""Pictures that did not load, seen where they should be.

Silent for pictures still loading, for ones whose place is not seen (counting pixels, hidden ones), for drawings
(`.svg`) that loaded without a size of their own, and for icons of the browser's frame. Other hosts' pictures count
where the page shows them: the reader sees the hole, whoever dug it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from bicameral.judges.instruments import wording
from bicameral.judges.instruments.instrument import Measured
from bicameral.judges.instruments.layout.filing import Rule
from bicameral.judges.instruments.layout.tree import Tree
from bicameral.judges.instruments.slug import kebab, shorten
from bicameral.model.facts import FailedRequest, Image

LEAST_PX: Final = 8.0
"""A hole smaller than this is not seen; counting pixels are 1 by 1."""
NOT_ON_THE_PAGE: Final = ("favicon", "apple-touch-icon", "browserconfig", "manifest")

RULE: Final = Rule(
    name="broken-image",
    category="broken-image",
    severity="high",
    title="Picture missing",
    problem="A picture did not load, and a hole or a broken symbol stands in its place.",
    expected="The picture is shown.",
    acceptance="The picture's address answers with an image.",
)


def broken_image(tree: Tree) -> Iterator[Measured]:
    failed = {row.address: row for row in tree.facts.failed_requests if row.kind == "image"}
    named: set[str] = set()
    for image in tree.facts.geometry.images:
        if image.address is not None and image.natural.width <= 0:
            named.add(image.address)
        if _is_broken(image, failed) and _is_seen(tree, image.element):
            yield RULE.file(tree, image.element, f"shows no picture: {_cause(image, failed)}.")
    for address, row in failed.items():
        if address.startswith("/") and address not in named and not is_frame_icon(address):
            loaded = any(image.address == address for image in tree.facts.geometry.images)
            if not loaded:
                words = f"The picture {wording.plain(address, 80)} that the page uses did not load: {_why(row)}."
                yield RULE.file_page(shorten(kebab(address)), words, severity="medium")


def is_frame_icon(address: str) -> bool:
    """Icons of the tab and the home screen: no part of the page."""
    name = address.rsplit("/", 1)[-1].lower()
    return any(word in name for word in NOT_ON_THE_PAGE)


def _is_broken(image: Image, failed: dict[str, FailedRequest]) -> bool:
    if not image.complete or image.natural.width > 0 or image.address is None:
        return False
    return not image.address.endswith(".svg") or image.address in failed


def _is_seen(tree: Tree, index: int) -> bool:
    box = tree.elements[index].box
    return tree.is_seen(index) and box.width >= LEAST_PX and box.height >= LEAST_PX


def _cause(image: Image, failed: dict[str, FailedRequest]) -> str:
    where = wording.plain(image.address or "", 80)
    row = failed.get(image.address or "")
    return f"{where} did not load, {_why(row)}" if row else f"{where} holds no image that could be decoded"


def _why(row: FailedRequest) -> str:
    return f"status {row.status}" if row.status is not None else wording.plain(row.error or "no answer", 60)
