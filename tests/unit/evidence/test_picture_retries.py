"""A picture that is not there in time is asked for once more, and no oftener."""

from __future__ import annotations

import asyncio
from typing import Any, cast

import pytest

from bicameral.evidence._picture import take_picture
from bicameral.evidence.browser import BrowserFault, BrowserTimeout, Page


class BusyPage:
    """The one method of a page that pictures need; the first `late` pictures do not come in time."""

    def __init__(self, late: int, error: type[BrowserFault] = BrowserTimeout) -> None:
        self.late = late
        self.error = error
        self.asked: list[dict[str, Any]] = []

    async def screenshot(self, **wanted: Any) -> bytes:
        self.asked.append(wanted)
        if len(self.asked) <= self.late:
            raise self.error("Timeout 30000ms exceeded.")
        return b"picture"


def _take(page: BusyPage) -> bytes:
    return asyncio.run(take_picture(cast("Page", page), (390, 844), (390, 844)))


def test_a_late_picture_is_asked_for_again_in_the_same_words() -> None:
    page = BusyPage(late=1)
    assert _take(page) == b"picture"
    assert page.asked[0] == page.asked[1]


def test_after_the_second_time_it_is_given_up() -> None:
    page = BusyPage(late=5)
    with pytest.raises(BrowserTimeout):
        _take(page)
    assert len(page.asked) == 2


def test_a_page_that_is_gone_is_not_asked_again() -> None:
    page = BusyPage(late=1, error=BrowserFault)
    with pytest.raises(BrowserFault):
        _take(page)
    assert len(page.asked) == 1
