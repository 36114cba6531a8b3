"""The HTML page as a browser shows it: on a phone, in the dark, without sideways scroll, and clean by axe."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, sync_playwright
from report_samples import clean_report, empty_report, shop_report

from bicameral.report.html import render_html

pytestmark = pytest.mark.browser

AXE = files("bicameral.evidence").joinpath("vendor", "axe.min.js")
RUN_AXE = "axe.run(document).then(found => found.violations.map(one => [one.id, one.nodes.map(node => node.html)]))"
OPEN_ALL = "document.querySelectorAll('details').forEach(one => { one.open = true })"
WIDEST = "Math.max(document.documentElement.scrollWidth, document.body.scrollWidth) - innerWidth"


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        found = os.environ.get("BICAMERAL_CHROMIUM") or shutil.which("chromium-headless-shell")
        opened = playwright.chromium.launch(executable_path=found, args=["--no-sandbox", "--disable-gpu"])
        yield opened
        opened.close()


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("report")
    made = {
        "shop": render_html(*shop_report()),
        "clean": render_html(*clean_report()),
        "empty": render_html(empty_report(), clean_report()[1]),
    }
    for name, page in made.items():
        (folder / f"{name}.html").write_text(page, "utf-8")
    return {name: folder / f"{name}.html" for name in made}


def shown(browser: Browser, page: Path, *, width: int = 1440, scheme: str = "light", bypass_csp: bool = False) -> Page:
    context = browser.new_context(
        viewport={"width": width, "height": 900},
        color_scheme="dark" if scheme == "dark" else "light",
        reduced_motion="reduce",
        bypass_csp=bypass_csp,
    )
    tab = context.new_page()
    tab.goto(page.as_uri())
    return tab


@pytest.mark.parametrize("name", ["shop", "clean", "empty"])
@pytest.mark.parametrize(("width", "scheme"), [(1440, "light"), (390, "dark")])
def test_the_page_fits_its_width_and_axe_finds_nothing(
    browser: Browser, pages: dict[str, Path], name: str, width: int, scheme: str
) -> None:
    tab = shown(browser, pages[name], width=width, scheme=scheme, bypass_csp=True)
    tab.evaluate(OPEN_ALL)
    assert tab.evaluate(WIDEST) <= 0
    tab.evaluate(AXE.read_text("utf-8"))
    assert tab.evaluate(RUN_AXE) == []
    tab.context.close()


def test_the_page_breaks_none_of_its_own_policy_and_asks_for_nothing(browser: Browser, pages: dict[str, Path]) -> None:
    context = browser.new_context()
    tab = context.new_page()
    said, asked = [], []
    tab.on("console", lambda message: said.append(message.text))
    tab.on("request", lambda request: asked.append(request.url) if not request.url.startswith("data:") else None)
    tab.goto(pages["shop"].as_uri())
    tab.evaluate(OPEN_ALL)
    assert said == []
    assert asked == [pages["shop"].as_uri()]
    context.close()


def test_the_box_is_drawn_where_the_finding_says(browser: Browser, pages: dict[str, Path]) -> None:
    tab = shown(browser, pages["shop"])
    picture, frame = (
        tab.evaluate(f"document.querySelector('.crop {part}').getBoundingClientRect().toJSON()")
        for part in ("use", ".box")
    )
    scale = picture["width"] / 720
    assert frame["x"] - picture["x"] == pytest.approx((20 - 6) * scale, abs=3)
    assert frame["width"] == pytest.approx((680 + 12) * scale, abs=6)
    tab.context.close()


def test_filters_hide_issues_without_any_script_and_say_when_none_is_left(
    browser: Browser, pages: dict[str, Path]
) -> None:
    tab = shown(browser, pages["shop"])
    visible = "[...document.querySelectorAll('.open .issue')].filter(one => one.offsetParent).length"
    tab.evaluate("document.querySelector('details.filters').open = true")
    assert tab.evaluate(visible) == 7
    tab.get_by_label("high 3").uncheck()
    assert tab.evaluate(visible) == 4
    assert not tab.locator(".nothing-left").is_visible()
    for label in ("agreed", "amended", "not ruled on", "no dialogue"):
        tab.get_by_label(label).uncheck()
    assert tab.evaluate(visible) == 0
    assert tab.locator(".nothing-left").is_visible()
    tab.context.close()
