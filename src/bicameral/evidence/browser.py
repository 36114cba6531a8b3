"""The browser: which one, how it is started, and one fresh context for each picture.

Answers for a Chromium whose pictures of an unchanged page are the same bytes each time, that opens no window but the
one it is asked for, and that is replaced where a page has got hold of it. Declines to know what is looked at. The one
module that imports playwright.

The browser is, in order: what BICAMERAL_CHROMIUM names; `chromium-headless-shell`, `chromium`, `chromium-browser`,
`google-chrome` on the PATH; the one that `playwright install chromium` fetched. Kinds differ in single pixels, so
pictures are comparable within one kind; its version is in the facts.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import shutil
import signal
from collections.abc import AsyncIterator, Iterator, Mapping
from typing import Any, Final

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
    "Engine",
    "NoBrowser",
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
CLOSE_S: Final = 5.0
"""A context that is not closed by then belongs to a page that answers nothing any more."""
END_S: Final = 10.0

FLAGS: Final = (
    "--hide-scrollbars",
    "--disable-gpu",
    "--disable-lcd-text",  # grey edges: the measuring of glyphs knows one coverage a pixel, not three
    "--disable-partial-raster",  # without it a second picture of the same page differs at some edges (156.0.8078)
    "--blink-settings=imageAnimationPolicy=2",  # animated pictures show their first frame
    "--autoplay-policy=user-gesture-required",
    "--block-new-web-contents",  # window.open and target=_blank open nothing, so nothing is asked of where they lead
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
            raise NoBrowser(f"{VARIABLE} is {named!r}, which is not a program that can be run.", mend=MEND)
        return program
    for name in PROGRAMS:
        program = shutil.which(name, path=environ.get("PATH"))
        if program is not None:
            return program
    return None


class NoBrowser(BrowserError):
    """None can be started."""


class Engine:
    """One running browser, which is replaced by a fresh one where a page got hold of it.

    `generation` goes up with each; what was under way in the one before is lost.
    """

    def __init__(self) -> None:
        self.generation = 0
        self.version = ""
        self._changing = asyncio.Lock()
        self._driver: Playwright | None = None
        self._browser: Browser | None = None
        self._process: int | None = None

    async def browser(self) -> Browser:
        """The running browser; a new one where the last broke off. Raises BrowserError where none starts."""
        async with self._changing:
            if self._browser is None or not self._browser.is_connected():
                await self._end()
                await self._start()
        assert self._browser is not None
        return self._browser

    def give_up(self, browser: Browser) -> None:
        """End a browser that does not answer, at once: it is stopped from outside, with every page in it."""
        if browser is self._browser:
            self._kill()
            self._browser = None
            self.generation += 1

    async def close(self) -> None:
        async with self._changing:
            await self._end()

    async def _start(self) -> None:
        program = find_browser()
        starting = async_playwright()
        try:
            self._driver = await asyncio.wait_for(starting.start(), START_S)
        except Exception as error:
            raise NoBrowser(
                f"Playwright's driver did not start ({_first_line(error)}).",
                mend="Check that playwright is installed whole; on Debian its node needs the package libatomic1.",
            ) from error
        _expect_end(starting)
        self._browser = await _launch(self._driver, program)
        self.version = self._browser.version
        with contextlib.suppress(BrowserFault):
            self._process = await _process_of(self._browser)

    async def _end(self) -> None:
        """Everything is stopped in the end, whether it answers or not."""
        browser, driver = self._browser, self._driver
        self._browser = self._driver = None
        if browser is not None:
            try:
                await asyncio.wait_for(browser.close(), END_S)
            except (BrowserFault, TimeoutError):
                self._kill()
        self._process = None
        if driver is not None:
            with contextlib.suppress(BrowserFault, TimeoutError):
                await asyncio.wait_for(driver.stop(), END_S)

    def _kill(self) -> None:
        if self._process is not None:
            with contextlib.suppress(OSError):
                os.kill(self._process, getattr(signal, "SIGKILL", signal.SIGTERM))
            self._process = None


@contextlib.asynccontextmanager
async def open_browser() -> AsyncIterator[Engine]:
    """One running browser, closed at the end whatever happens.

    Raises BrowserError, with the mend, where none starts.
    """
    engine = Engine()
    with _quietly():
        try:
            await engine.browser()
            yield engine
        finally:
            await engine.close()


def _expect_end(starting: object) -> None:
    """Ctrl-C ends the driver along with us; nobody asks playwright's future of that end, so asyncio would print it."""
    transport = getattr(getattr(starting, "_client", None), "_transport", None)
    ended = getattr(transport, "on_error_future", None)
    if isinstance(ended, asyncio.Future):
        ended.add_done_callback(lambda future: future.cancelled() or future.exception())


@contextlib.contextmanager
def _quietly() -> Iterator[None]:
    """What the driver says of pages that are gone, in futures nobody waits for any more, is not printed."""
    loop = asyncio.get_running_loop()
    before = loop.get_exception_handler()

    def handle(running: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        if isinstance(context.get("exception"), BrowserFault):
            return
        if before is not None:
            before(running, context)
        else:
            running.default_exception_handler(context)

    loop.set_exception_handler(handle)
    try:
        yield
    finally:
        loop.set_exception_handler(before)


async def _process_of(browser: Browser) -> int | None:
    """The id of the browser's own process on this machine."""
    session = await browser.new_browser_cdp_session()
    rows = (await session.send("SystemInfo.getProcessInfo"))["processInfo"]
    await session.detach()
    return next((int(row["id"]) for row in rows if row["type"] == "browser"), None)


async def _launch(driver: Playwright, program: str | None) -> Browser:
    if program is None:
        program = driver.chromium.executable_path
        if shutil.which(program) is None:
            raise NoBrowser("No Chromium was found on this machine.", mend=MEND)
    # The sandbox needs a user namespace that root may not have in a container; nobody else gives it up.
    root = ["--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []
    try:
        return await driver.chromium.launch(
            executable_path=program, args=[*FLAGS, *root], chromium_sandbox=not root, timeout=START_S * 1000
        )
    except BrowserFault as error:
        raise NoBrowser(f"{program} did not start ({_first_line(error)}).", mend=MEND) from error


@contextlib.asynccontextmanager
async def fresh_page(
    engine: Engine,
    *,
    viewport: tuple[int, int],
    scheme: str,
    trust_certificates: bool,
    sign_in: tuple[str, str, str] | None = None,
) -> AsyncIterator[Page]:
    """One page in a context of its own: no cookies, no cache, no state of the picture before.

    When it is left, it is closed; where that does not succeed in time the browser is given up, for a page that cannot
    be closed would take the next ones along.

    viewport: width and height in CSS pixels.  trust_certificates: accept any (a development server's own).
    sign_in: user, password and the only origin that is told them, for HTTP authentication.
    """
    browser = await engine.browser()
    try:
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
            page = await context.new_page()
            # For browsers that do not know the flag against new windows.
            context.on("page", _shut)
            yield page
        finally:
            await _leave(context, browser, engine)
    finally:
        if not browser.is_connected():
            engine.give_up(browser)


async def _leave(context: BrowserContext, browser: Browser, engine: Engine) -> None:
    try:
        await asyncio.wait_for(context.close(), CLOSE_S)
    except TimeoutError:
        engine.give_up(browser)
    except BrowserFault:
        pass  # it is gone already


async def _shut(opened: Page) -> None:
    with contextlib.suppress(BrowserFault):
        await opened.close()


def _first_line(error: Exception) -> str:
    text = str(error).strip() or type(error).__name__
    return text.splitlines()[0][:300]
