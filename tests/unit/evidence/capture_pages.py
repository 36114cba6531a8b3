"""The site of the capture tests: one page for each thing that can be odd about a page; longer ones are in `pages/`."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Final

from PIL import Image

from local_site import Answer

SECRET: Final = "hush-5ecret"
"""Stands in queries and fragments of the pages; it may be in no facts."""


def page(body: str) -> str:
    return f"<!doctype html><html lang=en><head><meta charset=utf-8><title>T</title></head><body>{body}</body></html>"


def read(name: str) -> str:
    return (Path(__file__).parent / "pages" / f"{name}.html").read_text(encoding="utf-8")


def _moving_gif() -> bytes:
    frames = [Image.new("RGB", (40, 40), colour) for colour in ("red", "blue")]
    out = io.BytesIO()
    frames[0].save(out, "GIF", save_all=True, append_images=frames[1:], duration=30, loop=0)
    return out.getvalue()


def _red_png() -> bytes:
    out = io.BytesIO()
    Image.new("RGB", (40, 40), "red").save(out, "PNG")
    return out.getvalue()


ROWS: Final = "".join(
    f"<div style='height:1000px;background:rgb({at * 6},{at * 3},9)'>Row {at}</div>" for at in range(40)
)
POLICY: Final = "default-src 'none'; style-src 'nonce-n'; require-trusted-types-for 'script'"

PAGES: Final[dict[str, str | Answer]] = {
    "/plain": read("plain"),
    "/no-text": read("no-text"),
    "/current-color": read("current-color"),
    "/every-text": read("every-text"),
    "/hostile": read("hostile"),
    "/clobbered": page("<form><input name=parentNode><input name=getAttribute></form><p>Still here</p>"),
    "/shadowed": page(
        "<img name=children alt='' width=9 height=9><img name=documentElement alt='' width=9 height=9>"
        "<form><label>Pass <input name=code type=password value=hunter2 placeholder='Your code'></label></form>"
    ),
    "/csp": Answer(read("csp"), headers={"Content-Security-Policy": POLICY}),
    "/tall": page(f"<style>body{{margin:0}}</style>{ROWS}"),
    "/fixed": read("fixed"),
    "/css-motion": read("css-motion"),
    "/script-motion": read("script-motion"),
    "/lazy": read("lazy"),
    "/dialogs": read("dialogs"),
    "/noisy": read("noisy"),
    "/many": page("".join(f"<i>{at}</i> " for at in range(6500))),
    "/clipped": read("clipped"),
    "/empty": "",
    "/moved": Answer(status=302, headers={"Location": f"/csp?token={SECRET}"}),
    "/wanders": page("<script>setTimeout(() => location.replace('/csp'), 30)</script>"),
    "/never": page("<p>Waiting</p><img src='/silent.png' alt='Silent'>"),
}
REFUSED: Final[dict[str, str | Answer]] = {
    "/error": Answer("broken", 500),
    "/json": Answer("{}", headers={"Content-Type": "application/json"}),
    "/download": Answer("x", headers={"Content-Disposition": "attachment; filename=a.html"}),
    "/nothing": Answer(status=204),
}
SITE: Final[dict[str, bytes | str | Answer]] = {
    **PAGES,
    **REFUSED,
    "/endless": page("<script>for (;;);</script>"),
    "/red.png": Answer(_red_png(), headers={"Content-Type": "image/png"}),
    "/moving.gif": Answer(_moving_gif(), headers={"Content-Type": "image/gif"}),
    "/silent.png": Answer(wait_s=120),
}
