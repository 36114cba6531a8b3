"""Facts documents for tests: a page with a root and a body, to which elements, text and measurements are added.

Everything goes through `parse_facts`, so that no test rests on facts that a capture could not give.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from bicameral.model.evidence import Shot
from bicameral.model.facts import Facts, parse_facts

BLACK = [0, 0, 0, 1]
WHITE = [255, 255, 255, 1]
CLEAR = [0, 0, 0, 0]
VIEWPORTS = {"desktop": (1440, 900), "tablet": (834, 1112), "phone": (390, 844)}
HTML, BODY = 0, 1

STYLE: dict[str, Any] = {
    "display": "block",
    "position": "static",
    "color": BLACK,
    "background": CLEAR,
    "background_image": False,
    "font_px": 16,
    "weight": 400,
    "line_height_px": 24,
    "overflow_x": "visible",
    "overflow_y": "visible",
    "opacity": 1,
    "visibility": "visible",
    "text_overflow": "clip",
    "white_space": "normal",
    "border_radius_px": 0,
    "border_px": [0, 0, 0, 0],
    "padding_px": [0, 0, 0, 0],
    "margin_px": [0, 0, 0, 0],
    "text_align": "start",
    "z_index": "auto",
    "font_family": "sans-serif",
}


class PageBuilder:
    """One page. Boxes are [x, y, width, height]; elements are named by the index that `add` returns."""

    def __init__(self, *, form_factor: str = "desktop", scheme: str = "light", height: float = 900) -> None:
        width, window = VIEWPORTS[form_factor]
        self.width = width
        self.document: dict[str, Any] = {
            "facts_version": "facts/1",
            "page": {
                "path": "/",
                "title": "A page",
                "lang": "en",
                "form_factor": form_factor,
                "scheme": scheme,
                "viewport": [width, window],
                "document": [width, height],
                "settled": True,
                "tools": {"axe": "4.14.1", "browser": "chromium 156", "capture": "capture/1"},
            },
            "companion": None,
            "elements": [],
            "text_runs": [],
            "axe": {"version": "4.14.1", "violations": [], "incomplete": [], "contrast_passes": []},
            "geometry": {"scroll_width_px": width, "client_width_px": width},
        }
        self.add("html", [0, 0, width, height], parent=None, role="document", style={"background": WHITE})
        self.add("body", [0, 0, width, height], parent=HTML)

    def add(
        self,
        tag: str,
        box: Sequence[float],
        *,
        parent: int | None = BODY,
        style: Mapping[str, Any] | None = None,
        attributes: Mapping[str, str] | None = None,
        text: str | None = None,
        **members: Any,
    ) -> int:
        """An element; with `text`, one line of text that fills its box."""
        element: dict[str, Any] = {
            "tag": tag,
            "role": None,
            "name": None,
            "region": "content",
            "landmark": None,
            "selector": tag,
            "path": tag,
            "parent": parent,
            "box": list(box),
            "interactive": False,
            "disabled": False,
            "hidden_from_at": False,
            "style": {**STYLE, **(style or {})},
            "heading_level": None,
            "attributes": dict(attributes or {}),
        }
        assert members.keys() <= element.keys(), members
        self.document["elements"].append(element | members)
        index = len(self.document["elements"]) - 1
        if text is not None:
            self.text(index, text, list(box))
        return index

    def text(self, element: int, text: str, *lines: Sequence[float], **members: Any) -> None:
        """A text run of an element, with its line boxes; size and colour are the element's."""
        style = self.document["elements"][element]["style"]
        run: dict[str, Any] = {
            "element": element,
            "pseudo": None,
            "text": text,
            "lines": [list(line) for line in lines],
            "color": style["color"],
            "font_px": style["font_px"],
            "weight": style["weight"],
            "large": style["font_px"] >= 24,
            "opacity": style["opacity"],
            "shadow": False,
            "background_clip_text": False,
            "disabled": False,
            "hidden_from_at": False,
            "clipped_fraction": 0,
        }
        assert members.keys() <= run.keys(), members
        self.document["text_runs"].append(run | members)

    def measured(self, **members: Any) -> None:
        """Members of `geometry`."""
        self.document["geometry"].update(members)

    def violation(self, rule: str, *elements: int, impact: str = "serious", **members: Any) -> None:
        """One axe rule that failed on elements. members: of the node (`data`, `message`) or of the result (`tags`)."""
        self.document["axe"]["violations"].append(self._result(rule, elements, impact, members))

    def incomplete(self, rule: str, *elements: int, impact: str = "serious", **members: Any) -> None:
        self.document["axe"]["incomplete"].append(self._result(rule, elements, impact, members))

    def contrast_pass(self, element: int, ratio: float) -> None:
        self.document["axe"]["contrast_passes"].append({"element": element, "ratio": ratio})

    def build(self) -> Facts:
        return parse_facts(json.loads(self.body()))

    def body(self) -> bytes:
        """The document as it is stored."""
        return json.dumps(self.document, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()

    def _result(self, rule: str, elements: Sequence[int], impact: str, members: dict[str, Any]) -> dict[str, Any]:
        tags = members.pop("tags", ["wcag2aa"])
        help_text = members.pop("help", f"Elements must satisfy {rule}")
        node = {"message": "", "data": None, "target": "x", "box": None} | members
        nodes = [node | {"element": index, "box": self.document["elements"][index]["box"]} for index in elements]
        return {"rule": rule, "impact": impact, "tags": tags, "help": help_text, "nodes": nodes}


class Shelf:
    """Evidence held in memory; a `ports.EvidenceReader`."""

    def __init__(self) -> None:
        self.bodies: dict[str, bytes] = {}

    def keep(self, body: bytes) -> str:
        digest = f"sha256:{len(self.bodies):064x}"
        self.bodies[digest] = body
        return digest

    def read(self, digest: str) -> bytes:
        return self.bodies[digest]


def shot(page: PageBuilder | None, shelf: Shelf, *, form_factor: str = "desktop", scheme: str = "light") -> Shot:
    """A shot of a page, its facts on the shelf; without a page, a picture that some other tool took."""
    width, height = VIEWPORTS[form_factor]
    return Shot(
        shot_id=f"site/home/rest/{form_factor}/{scheme}",
        target="site",
        route="/home",
        picture="sha256:" + "0" * 64,
        width_px=width,
        height_px=height if page is None else int(page.document["page"]["document"][1]),
        form_factor=form_factor,
        scheme=scheme,
        facts=None if page is None else shelf.keep(page.body()),
    )
