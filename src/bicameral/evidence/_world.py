"""An isolated world of one page: our scripts beside the page's own, each with their own globals.

Answers for running a collector where neither the page's content security policy nor its changes to built-in objects
reach. Declines to interpret what comes back: it is of a page, and is checked against the shape of the facts later.
"""

from __future__ import annotations

import contextlib
import json
from functools import cache
from importlib.resources import files
from typing import Any, Final

from bicameral.errors import BrowserError
from bicameral.evidence.browser import BrowserFault, CDPSession

NAME: Final = "bicameral"


class WorldGone(BrowserError):
    """The page went elsewhere, or broke off, while it was being measured."""


@cache
def source(name: str) -> str:
    """The text of a collector, or of a vendored script, that ships with the package. "" where there is none."""
    place = files("bicameral.evidence").joinpath(*name.split("/"))
    return place.read_text(encoding="utf-8") if place.is_file() else ""


class World:
    """The isolated worlds of a page's frames. `enter` makes them anew, as a page that has navigated needs."""

    def __init__(self, session: CDPSession) -> None:
        self._session = session
        self._main = 0
        self._frames: list[int] = []

    async def enter(self) -> None:
        """Make the worlds: of the page itself, and of each frame that this process draws and that lets us in."""
        tree = (await self._send("Page.getFrameTree", {}))["frameTree"]
        self._main = await self._create(tree["frame"]["id"])
        await self._evaluate(self._main, source("collect/world.js"))
        self._frames = []
        for frame in _below(tree):
            # A frame may vanish or belong to another process; then its text stays and axe says that it saw no frame.
            with contextlib.suppress(BrowserError):
                world = await self._create(frame)
                await self._evaluate(world, source("collect/world.js"))
                self._frames.append(world)

    async def load_axe(self) -> None:
        script = source("vendor/axe.min.js")
        for world in (*self._frames, self._main):
            with contextlib.suppress(WorldGone):
                await self._evaluate(world, script + "\n;0")

    async def call(self, collector: str, *arguments: Any) -> Any:
        """What a collector in `collect/` answers in the page, as plain JSON values."""
        return await self._evaluate(self._main, _called(collector, arguments))

    async def call_in_frames(self, collector: str) -> None:
        for world in self._frames:
            with contextlib.suppress(WorldGone):
                await self._evaluate(world, _called(collector, ()))

    async def evaluate(self, expression: str) -> Any:
        return await self._evaluate(self._main, expression)

    async def handle(self, expression: str) -> str | None:
        """The browser's id of the object that an expression gives, or None."""
        answer = await self._send("Runtime.evaluate", {"contextId": self._main, "expression": expression})
        return answer.get("result", {}).get("objectId")  # type: ignore[no-any-return]  # the protocol's plain JSON

    async def _create(self, frame: str) -> int:
        answer = await self._send("Page.createIsolatedWorld", {"frameId": frame, "worldName": NAME})
        return int(answer["executionContextId"])

    async def _evaluate(self, world: int, expression: str) -> Any:
        answer = await self._send(
            "Runtime.evaluate",
            {"contextId": world, "expression": expression, "returnByValue": True, "awaitPromise": True},
        )
        if "exceptionDetails" in answer:
            details = answer["exceptionDetails"]
            said = details.get("exception", {}).get("description") or details.get("text", "")
            raise WorldGone(f"A collector broke off in the page: {str(said).splitlines()[0][:300]}.")
        return answer["result"].get("value")

    async def _send(self, method: str, parameters: dict[str, Any]) -> dict[str, Any]:
        try:
            return await self._session.send(method, parameters)
        except BrowserFault as error:
            raise WorldGone(
                f"The page went away while it was measured ({str(error).splitlines()[0][:200]})."
            ) from error


def _called(collector: str, arguments: tuple[Any, ...]) -> str:
    return f"(\n{source(f'collect/{collector}.js')}\n)({', '.join(json.dumps(argument) for argument in arguments)})"


def _below(tree: dict[str, Any]) -> list[str]:
    """Frame ids below the top one, parents first."""
    found = []
    for child in tree.get("childFrames", ()):
        found.append(child["frame"]["id"])
        found += _below(child)
    return found
