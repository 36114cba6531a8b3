"""Where generated text stands: boxes of ::before and ::after, which the page's own scripts cannot ask for.

Answers for filling in the `lines` of such text runs through the browser's protocol. Declines to measure more than
MOST of them on one page: the rest are left out of the runs.
"""

from __future__ import annotations

from typing import Any, Final

from bicameral.evidence._world import World
from bicameral.evidence.browser import BrowserFault, CDPSession

MOST: Final = 150


async def place(
    runs: list[dict[str, Any]], world: World, session: CDPSession, origin: tuple[float, float]
) -> list[dict[str, Any]]:
    """The runs in their order, each with its lines; those that the browser draws nowhere are left out.

    origin: where the window's upper left corner is in the picture of the full page.
    """
    placed = []
    asked = 0
    for run in runs:
        if "window" not in run:
            placed.append(run)
            continue
        window = run.pop("window")
        if asked >= MOST:
            continue
        asked += 1
        quads = await _quads(run, world, session)
        lines, fraction = _within([_bounds(quad, origin) for quad in quads], window)
        if quads:
            placed.append({**run, "lines": lines, "clipped_fraction": fraction})
    return placed


async def _quads(run: dict[str, Any], world: World, session: CDPSession) -> list[list[float]]:
    """Corners of each fragment, from the window's upper left corner."""
    handle = await world.handle(f"bicameral.elements[{int(run['element'])}]")
    if handle is None:
        return []
    try:
        node = (await session.send("DOM.describeNode", {"objectId": handle}))["node"]
        kind = str(run["pseudo"]).strip(":")
        for pseudo in node.get("pseudoElements", ()):
            if pseudo.get("pseudoType") == kind:
                found = await session.send("DOM.getContentQuads", {"backendNodeId": pseudo["backendNodeId"]})
                return list(found["quads"])
    except BrowserFault:
        return []
    return []


def _bounds(quad: list[float], origin: tuple[float, float]) -> tuple[float, float, float, float]:
    across, down = [x + origin[0] for x in quad[0::2]], [y + origin[1] for y in quad[1::2]]
    return min(across), min(down), max(across), max(down)


def _within(
    boxes: list[tuple[float, float, float, float]], window: list[float] | None
) -> tuple[list[list[float]], float]:
    """Boxes cut to a window [x, y, width, height] (None: nothing cuts), and the fraction of their area that is gone."""
    whole = shown = 0.0
    lines = []
    for left, top, right, bottom in boxes:
        whole += (right - left) * (bottom - top)
        if window is not None:
            left, top = max(left, window[0]), max(top, window[1])
            right, bottom = min(right, window[0] + window[2]), min(bottom, window[1] + window[3])
        if right > left and bottom > top:
            shown += (right - left) * (bottom - top)
            lines.append([left, top, right - left, bottom - top])
    return lines, 1 - shown / whole if whole else 0.0
