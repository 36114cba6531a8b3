"""Pages whose forms and pictures bear the names of properties are measured as any other, and end."""

from __future__ import annotations

import re
from typing import Any

import pytest

from bicameral.evidence._world import source
from bicameral.evidence.browser import fresh_page, open_browser

pytestmark = pytest.mark.browser

NAMES = re.findall(
    r"\w+",
    """
    parentElement parentNode assignedSlot getRootNode children childNodes nodeType isConnected host contains
    matches closest querySelectorAll querySelector getBoundingClientRect getClientRects scrollWidth
    clientWidth scrollHeight clientHeight getAttribute hasAttribute style tabIndex focus blur disabled labels
    shadowRoot nextElementSibling body documentElement activeElement adoptedStyleSheets createElement
    getAnimations elementFromPoint baseURI
    """,
)
PARTS = """<div id=wide style="width:700px;height:10px"></div>
<div id=box style="width:200px;height:40px;overflow:auto"><p style="width:900px;height:90px;margin:0">a</p></div>
<button id=under style="display:block;width:100px;height:30px">Book</button>
<div id=lid style="position:absolute;left:0;top:40px;width:300px;height:50px;background:#eee">Notice</div>"""


def page(form: str, extra: str) -> str:
    return f"<!doctype html><html><body style='margin:0'>{form}{PARTS}</form>{extra}</body></html>"


async def measured(document: str) -> dict[str, Any]:
    """What geometry says, by the place of the parts, whatever else is on the page."""
    everything = "[...Document.prototype.querySelectorAll.call(document, '#wide,#box,#under,#lid')]"
    async with (
        open_browser() as browser,
        fresh_page(browser, viewport=(600, 500), scheme="light", trust_certificates=False) as opened,
    ):
        await opened.set_content(document)
        answer: dict[str, Any] = await opened.evaluate(f"({source('collect/geometry.js')})({everything})")
    return answer


async def test_a_form_whose_fields_bear_the_names_of_properties() -> None:
    fields = "".join(f"<input type=hidden name={name}>" for name in NAMES)
    plain = await measured(page("<form>", ""))
    assert plain["overflowing"]
    assert plain["scrollers"]
    assert plain["covered"]
    assert plain["focus"]
    assert await measured(page(f"<form>{fields}", "")) == plain


async def test_a_document_whose_pictures_bear_the_names_of_properties() -> None:
    pictures = "".join(f"<img name={name} style='display:none'>" for name in NAMES)
    assert await measured(page("<form>", pictures)) == await measured(page("<form>", ""))


async def test_a_form_that_is_the_parent_it_names_ends() -> None:
    """`parentElement` leads from the form to its own field, and from there back to the form."""
    answer = await measured(page("<form style='width:800px'><input name=parentElement style='width:20px'>", ""))
    assert [row["element"] for row in answer["overflowing"]] == [0]
