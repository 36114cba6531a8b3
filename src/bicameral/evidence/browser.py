"""The browser: which one, how it is started, and one fresh context for each picture.

Answers for a Chromium whose pictures of an unchanged page are the same bytes each time. Declines to know what is
looked at. The one module that imports playwright.

The browser is, in order: what BICAMERAL_CHROMIUM names; `chromium-headless-shell`, `chromium`, `chromium-browser`,
`google-chrome` on the PATH; the one that `playwright install chromium` fetched. Kinds differ in single pixels, so
pictures are comparable within one kind; its version is in the facts.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import shutil
from collections.abc import AsyncIterator, Mapping
from typing import Final

from playwright.async_api import Browser, BrowserContext, CDPSession, Page, Playwright, async_playwright
from playwright.async_api import Error as BrowserFault
from playwright.async_api import TimeoutError as BrowserTimeout

from bicameral.errors import BrowserError

__all__ = [
    "Browser",
    "BrowserContext",
    "BrowserFault",
    "BrowserTimeout",
    "CDPSession",
    "Page",
    "find_browser",
    "fresh_page",
    "open_browser",
]

VARIABLE: Final = "BICAMERAL_CHROMIUM"
PROGRAMS: Final = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
MEND: Final = (
    "Install one (Debian: apt install chromium-headless-shell; anywhere: playwright install chromium) "
    f"or set {VARIABLE} to the program."
)
START_S: Final = 60.0

FLAGS: Final = (
    "--hide-scrollbars",
    "--disable-gpu",
    "--disable-lcd-text",  # grey edges: the measuring of glyphs knows one coverage a pixel, not three
    "--disable-partial-raster",  # without it a second picture of the same page differs at some edges (156.0.8078)
    "--blink-settings=imageAnimationPolicy=2",  # animated pictures show their first frame
    "--autoplay-policy=user-gesture-required",
    "--disable-quic",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
)


def find_browser(environ: Mapping[str, str] = os.environ) -> str | None:
    """The program to start, or None to leave the choice to playwright.

    Raises BrowserError where BICAMERAL_CHROMIUM names something that cannot be run.
    """
    named = environ.get(VARIABLE)
    if named:
        program = shutil.which(named)
        if program is None:
            raise BrowserError(f"{VARIABLE} is {named!r}, which is not a program that can be run.", mend=MEND)
        return program
    for name in PROGRAMS:
        program = shutil.which(name, path=environ.get("PATH"))
        if program is not None:
            return program
    return None


@contextlib.asynccontextmanager
async def open_browser() -> AsyncIterator[Browser]:
    """One running browser, closed at the end whatever happens.

    Raises BrowserError, with the mend, where none starts.
    """
    program = find_browser()
    starting = async_playwright()
    try:
        driver = await asyncio.wait_for(starting.start(), START_S)
    except Exception as error:
        raise BrowserError(
            f"Playwright's driver did not start ({_first_line(error)}).",
            mend="Check that playwright is installed whole; on Debian its node needs the package libatomic1.",
        ) from error
    try:
        browser = await _launch(driver, program)
        try:
            yield browser
        finally:
            with contextlib.suppress(BrowserFault):
                await browser.close()
    finally:
        await driver.stop()


async def _launch(driver: Playwright, program: str | None) -> Browser:
    if program is None:
        program = driver.chromium.executable_path
        if shutil.which(program) is None:
            raise BrowserError("No Chromium was found on this machine.", mend=MEND)
    # The sandbox needs a user namespace that root may not have in a container; nobody else gives it up.
    root = ["--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []
    try:
        return await driver.chromium.launch(
            executable_path=program, args=[*FLAGS, *root], chromium_sandbox=not root, timeout=START_S * 1000
        )
    except BrowserFault as error:
        raise BrowserError(f"{program} did not start ({_first_line(error)}).", mend=MEND) from error


@contextlib.asynccontextmanager
async def fresh_page(
    browser: Browser,
    *,
    viewport: tuple[int, int],
    scheme: str,
    trust_certificates: bool,
    sign_in: tuple[str, str, str] | None = None,
) -> AsyncIterator[Page]:
    """One page in a context of its own: no cookies, no cache, no state of the picture before.

    viewport: width and height in CSS pixels.  trust_certificates: accept any (a development server's own).
    sign_in: user, password and the only origin that is told them, for HTTP authentication.
    """
    context = await browser.new_context(
        viewport={"width": viewport[0], "height": viewport[1]},
        device_scale_factor=1,
        color_scheme="dark" if scheme == "dark" else "light",
        reduced_motion="reduce",
        locale="en-US",
        timezone_id="UTC",
        service_workers="block",
        accept_downloads=False,
        ignore_https_errors=trust_certificates,
        http_credentials=(
            {"username": sign_in[0], "password": sign_in[1], "origin": sign_in[2]} if sign_in is not None else None
        ),
    )
    try:
        # With no listener for them, playwright dismisses dialogs by itself.
        yield await context.new_page()
    finally:
        # A page in an endless loop cannot be asked to close; the browser's own end takes it along.
        with contextlib.suppress(BrowserFault, TimeoutError):
            await asyncio.wait_for(context.close(), 5)


def _first_line(error: Exception) -> str:
    text = str(error).strip() or type(error).__name__
    return text.splitlines()[0][:300]
