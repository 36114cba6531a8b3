"""What is rendered is measured where the picture shows it, and what is not rendered is neither measured nor watched."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Final

import capture_pages as pages
import numpy as np
import numpy.typing as npt
import pytest

from bicameral.evidence.capture import capture
from bicameral.evidence.facts import read_facts
from bicameral.evidence.plan import CapturePlan, CaptureResult
from bicameral.evidence.store import EvidenceFolder
from bicameral.imaging.decode import decode
from bicameral.model.facts import Facts, Rect, TextRun
from local_site import Answer, Serve

pytestmark = [pytest.mark.browser, pytest.mark.timeout(300)]
NAMES: Final = ("shadow", "details", "stirs", "right-to-left", "advice")


class Seen:
    def __init__(self, result: CaptureResult, folder: EvidenceFolder) -> None:
        self.result = result
        self._folder = folder
        self._shots = {shot.route: shot for shot in result.shots}

    def facts(self, route: str) -> Facts:
        return read_facts(self._folder.read(str(self._shots[route].facts)))

    def pixels(self, route: str) -> tuple[npt.NDArray[np.int_], npt.NDArray[np.int_]]:
        shot = self._shots[route]
        both = (shot.picture, str(shot.companion))
        picture, companion = (decode(self._folder.read(digest), where=route).astype(int) for digest in both)
        return picture, companion

    def notes(self, route: str) -> list[str]:
        return [note for note in self.result.notes if note.startswith(f"site{route}/")]


@pytest.fixture(scope="module")
def seen(serve: Serve, tmp_path_factory: pytest.TempPathFactory) -> Seen:
    site: dict[str, bytes | str | Answer] = {f"/{name}": pages.read(name) for name in NAMES}
    folder = EvidenceFolder(tmp_path_factory.mktemp("evidence"))
    plan = CapturePlan(
        target="site",
        base_url=serve(site),
        routes=tuple(site),
        form_factors=("desktop",),
        schemes=("light",),
    )
    return Seen(asyncio.run(capture(plan, folder)), folder)


def _run(facts: Facts, text: str) -> TextRun:
    (run,) = [run for run in facts.text_runs if run.text == text]
    return run


def _of(facts: Facts, text: str) -> str:
    return facts.elements[_run(facts, text).element].tag


def _inked(seen: Seen, route: str, line: Rect) -> bool:
    picture, companion = seen.pixels(route)
    box = line.to_box()
    window = slice(box.y, box.y + box.height), slice(box.x, box.x + box.width)
    return bool((np.abs(picture[window] - companion[window]).max(axis=2) > 40).any())


@pytest.mark.parametrize("route", ["/shadow", "/details", "/stirs", "/right-to-left", "/advice"])
def test_a_page_at_rest_is_called_so_and_has_its_companion(seen: Seen, route: str) -> None:
    assert seen.facts(route).page.settled
    assert seen.notes(route) == []
    assert seen.facts(route).companion is not None


@pytest.mark.parametrize("route", ["/shadow", "/details", "/right-to-left"])
def test_every_text_run_stands_where_the_picture_shows_it(seen: Seen, route: str) -> None:
    for run in seen.facts(route).text_runs:
        assert any(_inked(seen, route, line) for line in run.lines), run.text


@pytest.mark.parametrize("route", ["/shadow", "/details", "/right-to-left"])
def test_all_that_the_companion_takes_away_is_in_a_text_run(seen: Seen, route: str) -> None:
    picture, companion = seen.pixels(route)
    ink = np.abs(picture - companion).max(axis=2) > 40
    for run in seen.facts(route).text_runs:
        for line in run.lines:
            box = line.to_box()
            # A disclosure triangle stands before its summary's text and is no text.
            before = 20 if run.text.endswith(("uestion", "?")) else 1
            ink[box.y - 1 : box.y + box.height + 1, max(0, box.x - before) : box.x + box.width + 1] = False
    assert not ink.any(), np.argwhere(ink)[:5]


class TestShadow:
    def test_text_that_stands_directly_in_a_shadow_tree_is_its_hosts(self, seen: Seen) -> None:
        facts = seen.facts("/shadow")
        assert _of(facts, "Direct words") == "a-card"
        assert _of(facts, "Shadow alone") == "a-none"
        assert _run(facts, "Direct words").color == (0, 128, 0, 1)

    def test_slotted_text_stands_in_the_box_around_its_slot(self, seen: Seen) -> None:
        facts = seen.facts("/shadow")
        assert _of(facts, "Loose words") == "button"
        assert _of(facts, "Fallback") == "a-empty"

    def test_text_without_a_box_of_its_own_keeps_its_colour(self, seen: Seen) -> None:
        facts = seen.facts("/shadow")
        assert _of(facts, "No box") == "p"
        assert _run(facts, "No box").color == (0x12, 0x34, 0x56, 1)

    def test_elements_come_in_the_order_in_which_they_are_shown(self, seen: Seen) -> None:
        tags = [element.tag for element in seen.facts("/shadow").elements]
        assert tags[3:8] == ["a-card", "button", "i", "b", "a-none"]

    def test_what_no_slot_shows_is_neither_element_nor_text(self, seen: Seen) -> None:
        assert "Never shown" not in {run.text for run in seen.facts("/shadow").text_runs}


class TestClosedDetails:
    def test_what_is_folded_away_is_neither_element_nor_text(self, seen: Seen) -> None:
        facts = seen.facts("/details")
        texts = {run.text for run in facts.text_runs}
        assert texts == {"Answers", "How do I pay?", "When?", "Where?", "Directly here", "On the page"}
        assert "a" not in {element.tag for element in facts.elements}


class TestRightToLeft:
    @pytest.mark.parametrize(
        ("identity", "colour"), [("wide", (170, 0, 0)), ("far", (0, 170, 0)), ("near", (0, 0, 170))]
    )
    def test_boxes_and_picture_have_one_origin(self, seen: Seen, identity: str, colour: tuple[int, ...]) -> None:
        facts, (picture, _) = seen.facts("/right-to-left"), seen.pixels("/right-to-left")
        (box,) = [element.box for element in facts.elements if element.attributes.get("id") == identity]
        painted = np.argwhere((picture == colour).all(axis=2))
        (top, left), (bottom, right) = painted.min(axis=0).tolist(), (painted.max(axis=0) + 1).tolist()
        assert [round(side) for side in (box.x, box.y, box.right, box.bottom)] == [left, top, right, bottom]

    def test_the_facts_say_where_the_window_was(self, seen: Seen) -> None:
        page = seen.facts("/right-to-left").page
        assert page.document[0] == 1800
        assert page.window == (360, 0)
        assert seen.facts("/details").page.window == (0, 0)

    def test_generated_text_is_there_too(self, seen: Seen) -> None:
        run = _run(seen.facts("/right-to-left"), "Generated")
        assert run.pseudo == "::before"
        assert run.lines[0].right == 1800


def test_the_rules_that_axe_leaves_out_are_asked_for_one_by_one(seen: Seen) -> None:
    told = {result.rule for result in seen.facts("/advice").axe.violations}
    assert {"css-orientation-lock", "label-content-name-mismatch", "table-fake-caption", "td-has-header"} <= told
    assert "p-as-heading" not in told


def test_asking_about_style_sheets_leaves_nothing_in_the_facts(serve: Serve, tmp_path: Path) -> None:
    """axe-core fetches the sheets of other origins once more, which those may not allow."""
    other = serve({"/a.css": Answer("p { color: #345 }", headers={"Content-Type": "text/css"})})
    base = serve({"/": pages.page(f"<link rel=stylesheet href='{other}/a.css'><main><h1>Styled</h1></main>")})
    folder = EvidenceFolder(tmp_path)
    plan = CapturePlan(target="site", base_url=base, form_factors=("phone",), schemes=("light",))
    facts = Seen(asyncio.run(capture(plan, folder)), folder).facts("/")
    assert facts.axe.error is None
    assert (facts.console, facts.failed_requests) == ((), ())
