"""What axe-core finds inside frames, and how many it finds."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Final

import pytest

from bicameral.evidence.capture import capture
from bicameral.evidence.facts import read_facts
from bicameral.evidence.plan import CapturePlan, CaptureResult, Limits
from bicameral.evidence.store import EvidenceFolder
from bicameral.model.facts import AxeNode, Facts
from local_site import Serve

pytestmark = pytest.mark.browser


def _page(body: str) -> str:
    return f"<!doctype html><html lang=en><title>T</title><body style='margin:0'>{body}</body></html>"


OUTER: Final = _page(
    "<h1 style='margin:0;height:100px'>T</h1>"
    "<iframe title=A src=/in width=300 height=200 style='display:block;border:5px solid;padding:10px'></iframe>"
)
INNER: Final = _page(
    "<p style='color:#ccc;margin:20px;height:20px'>Faint words</p>"
    "<iframe title=B src=/deep width=200 height=80 style='display:block;border:0'></iframe>"
    "<div style='height:900px'></div><p style='color:#ccc' id=far>Far words</p>"
)
DEEP: Final = _page("<button style='width:30px;height:30px;display:block'></button>")


def _see(base: str, place: Path) -> tuple[CaptureResult, Facts]:
    plan = CapturePlan(
        target="site", base_url=base, form_factors=("phone",), schemes=("light",), limits=Limits(settle_s=5)
    )
    result = asyncio.run(capture(plan, EvidenceFolder(place)))
    return result, read_facts(EvidenceFolder(place).read(str(result.shots[0].facts)))


def _nodes(facts: Facts, rule: str) -> list[AxeNode]:
    return [node for result in facts.axe.violations if result.rule == rule for node in result.nodes]


def test_what_is_wrong_inside_a_frame_has_its_box_on_the_page(tmp_path: Path, serve: Serve) -> None:
    _, facts = _see(serve({"/": OUTER, "/in": INNER, "/deep": DEEP}), tmp_path)
    near, far = _nodes(facts, "color-contrast")
    assert near.element is None
    # Border 5 and padding 10 of the frame, margin 20 of the text; the frame's own scroll bar is hidden.
    assert near.box is not None
    assert near.box[:2] == (35, 135)
    # Scrolled out of the frame: the frame is what can be shown of it.
    assert far.box == (15, 115, 300, 200)


def test_a_frame_in_a_frame_is_placed_too(tmp_path: Path, serve: Serve) -> None:
    _, facts = _see(serve({"/": OUTER, "/in": INNER, "/deep": DEEP}), tmp_path)
    (button,) = _nodes(facts, "button-name")
    assert button.box == (15, 175, 30, 30)


def test_what_is_written_in_srcdoc_is_placed_too(tmp_path: Path, serve: Serve) -> None:
    inner = _page("<p style=color:#ccc;margin:0>Faint words</p>").replace('"', "'")
    _, facts = _see(serve({"/": _page(f'<h1>T</h1><iframe title=A srcdoc="{inner}"></iframe>')}), tmp_path)
    (node,) = _nodes(facts, "color-contrast")
    assert node.box is not None


def test_a_frame_of_another_origin_is_told_in_a_note_and_nothing_of_it_has_a_box(tmp_path: Path, serve: Serve) -> None:
    other = serve({"/in": _page("<p style='color:#ccc'>Faint words</p>")})
    result, facts = _see(serve({"/": _page(f"<h1>T</h1><iframe title=A src='{other}/in'></iframe>")}), tmp_path)
    assert all(node.box is None for node in _nodes(facts, "color-contrast"))
    assert any("holds 1 frames of another origin" in note for note in result.notes)


def test_the_number_of_elements_that_break_a_rule_is_kept_whole(tmp_path: Path, serve: Serve) -> None:
    many = "".join(f"<p style='color:#bbb'>Faint text {at}</p>" for at in range(1_200))
    _, facts = _see(serve({"/": _page(f"<h1>T</h1>{many}")}), tmp_path)
    (result,) = [result for result in facts.axe.violations if result.rule == "color-contrast"]
    assert (len(result.nodes), result.nodes_total) == (1_000, 1_200)
