"""Pages of every kind are pictured and measured in a real browser; nothing a page does breaks that off."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import capture_pages as pages
import numpy as np
import pytest

from bicameral.evidence.capture import capture
from bicameral.evidence.facts import read_facts
from bicameral.evidence.plan import CaptureEvent, CapturePlan, CaptureResult, Limits
from bicameral.evidence.store import EvidenceFolder
from bicameral.imaging.decode import Picture, decode
from bicameral.model.evidence import Shot
from bicameral.model.facts import Element, Facts, TextRun
from local_site import Serve

pytestmark = [pytest.mark.browser, pytest.mark.timeout(400)]

ROUTES = (*pages.PAGES, *pages.REFUSED, "/absent", "/plain?q=1&q=2")
STILL = ("/plain", "/no-text", "/every-text", "/css-motion", "/csp", "/clipped", "/noisy", "/lazy")


class Album:
    """What one capture gave, by route."""

    def __init__(self, result: CaptureResult, folder: EvidenceFolder) -> None:
        self.result = result
        self.folder = folder
        self.shots = {shot.route: shot for shot in result.shots}

    def facts(self, route: str) -> Facts:
        digest = self.shots[route].facts
        assert digest is not None
        return read_facts(self.folder.read(digest))

    def document(self, route: str) -> str:
        digest = self.shots[route].facts
        assert digest is not None
        return self.folder.read(digest).decode()

    def picture(self, route: str) -> Picture:
        return decode(self.folder.read(self.shots[route].picture), where=route)

    def companion(self, route: str) -> Picture:
        digest = self.shots[route].companion
        assert digest is not None
        return decode(self.folder.read(digest), where=route)

    def notes(self, route: str) -> str:
        return " ".join(note for note in self.result.notes if note.startswith(f"site{route}/"))

    def reason(self, path: str) -> str:
        (row,) = [row for row in self.result.skipped if row.where.endswith(path)]
        return row.reason


def _take(base: str, place: Path, **changed: Any) -> Album:
    folder = EvidenceFolder(place)
    settings: dict[str, Any] = {
        "target": "site",
        "base_url": base,
        "form_factors": ("desktop",),
        "schemes": ("light",),
        "limits": Limits(settle_s=2, axe_s=8, shot_s=60),
        **changed,
    }
    return Album(asyncio.run(capture(CapturePlan(**settings), folder)), folder)


@pytest.fixture(scope="module")
def base(serve: Serve) -> str:
    return serve(pages.SITE)


@pytest.fixture(scope="module")
def album(base: str, tmp_path_factory: pytest.TempPathFactory) -> Album:
    return _take(base, tmp_path_factory.mktemp("evidence"), routes=ROUTES)


def _element(facts: Facts, identity: str) -> Element:
    return next(element for element in facts.elements if element.attributes.get("id") == identity)


def _run(facts: Facts, text: str) -> TextRun:
    (run,) = [run for run in facts.text_runs if run.text == text]
    return run


def test_every_page_that_can_be_shown_is_one_shot_in_the_order_of_the_plan(album: Album) -> None:
    assert [shot.route for shot in album.result.shots][:-1] == list(pages.PAGES)
    assert album.result.shots[-1].route.startswith("/plain;q~")
    assert album.shots["/plain"].shot_id == "site/plain/rest/desktop/light"


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("/error", "answers 500"),
        ("/absent", "answers 404"),
        ("/json", "is application/json, not a page"),
        ("/download", "answers with a download"),
        ("/nothing", "shows no page"),
    ],
)
def test_a_route_that_cannot_be_judged_is_skipped_once_with_its_reason(album: Album, path: str, reason: str) -> None:
    assert reason in album.reason(path)


def test_every_picture_has_a_companion_of_its_size_and_facts_that_name_it(album: Album) -> None:
    for route, shot in album.shots.items():
        assert album.picture(route).shape == album.companion(route).shape == (shot.height_px, shot.width_px, 3)
        assert album.facts(route).companion == shot.companion


def test_the_same_page_gives_the_same_bytes_in_another_browser_on_another_port(
    album: Album, serve: Serve, tmp_path: Path
) -> None:
    again = _take(serve(pages.SITE), tmp_path, routes=STILL)
    for route in STILL:
        assert again.shots[route] == album.shots[route], route


def test_facts_hold_no_host_port_query_or_credentials(album: Album, base: str) -> None:
    port = base.rpartition(":")[2]
    for route in album.shots:
        document = album.document(route)
        assert f":{port}" not in document, route
        assert base not in document, route
        assert pages.SECRET not in document, route
        assert "me:pw" not in document, route


class TestPlain:
    def test_regions_follow_the_landmarks(self, album: Album) -> None:
        facts = album.facts("/plain")
        where = {facts.elements[run.element].region: run.text for run in facts.text_runs}
        regions = {run.text: facts.elements[run.element].region for run in facts.text_runs}
        assert set(where) == {"content", "shell-nav", "shell-header", "shell-footer"}
        assert regions["Acme"] == "shell-header"
        assert regions["Prices"] == "shell-nav"
        assert regions["Small print"] == "shell-footer"
        assert regions["Not the shell"] == regions["Neither"] == regions["Hello there"] == "content"

    def test_roles_and_names_are_the_computed_ones(self, album: Album) -> None:
        facts = album.facts("/plain")
        assert (_element(facts, "mail").role, _element(facts, "mail").name) == ("textbox", "Mail")
        assert _element(facts, "logo").name == "Acme"
        assert _element(facts, "logo").landmark == "banner"
        (image,) = [element for element in facts.elements if element.tag == "img"]
        assert (image.role, image.name) == ("img", "Red square")
        assert [element.heading_level for element in facts.elements if element.heading_level] == [1, 2, 3]

    def test_parents_come_first_and_boxes_are_whole_pages(self, album: Album) -> None:
        facts = album.facts("/plain")
        tags = [element.tag for element in facts.elements]
        assert tags[:2] == ["html", "body"]
        assert facts.elements[0].parent is None
        assert facts.elements[1].box[2] == 1440
        assert not {"head", "script", "style", "title"} & set(tags)

    def test_selectors_are_free_of_positions_and_made_up_classes(self, album: Album) -> None:
        facts = album.facts("/plain")
        selectors = [element.selector for element in facts.elements]
        assert "main p.lead" in selectors
        assert not any("nth" in selector or "css-" in selector for selector in selectors)
        assert len({element.path for element in facts.elements}) == len(facts.elements)

    def test_addresses_are_relative_or_bare(self, album: Album) -> None:
        links = [
            element.attributes["href"] for element in album.facts("/plain").elements if "href" in element.attributes
        ]
        assert links == ["/", "/a", "https://example.com"]

    def test_text_has_its_colour_size_and_state(self, album: Album) -> None:
        facts = album.facts("/plain")
        assert _run(facts, "Hello there").color == (34, 34, 34, 1)
        assert _run(facts, "Hello there").large
        assert _run(facts, "Large").large
        assert not _run(facts, "Prices").large
        assert _run(facts, "Faint").opacity == 0.25
        assert _run(facts, "Send").disabled
        assert _run(facts, "Decoration").hidden_from_at
        assert _run(facts, "you@example.com").pseudo == "::placeholder"
        assert _run(facts, "Some words and a .").text

    def test_a_password_is_never_written_down(self, album: Album) -> None:
        assert "abcdef" not in album.document("/plain")
        assert _run(album.facts("/plain"), "••••••").pseudo == "value"

    def test_a_text_stands_where_the_picture_shows_it(self, album: Album) -> None:
        picture, companion = album.picture("/plain").astype(int), album.companion("/plain").astype(int)
        ink = np.abs(picture - companion).max(axis=2) > 8
        boxes = np.zeros_like(ink)
        for run in album.facts("/plain").text_runs:
            touched = False
            for line in run.lines:
                box = line.to_box()
                boxes[box.y : box.y + box.height, box.x : box.x + box.width] = True
                touched |= bool(ink[box.y : box.y + box.height, box.x : box.x + box.width].any())
            assert touched, run.text
        assert (ink & ~boxes).sum() < 0.02 * ink.sum()

    def test_axe_names_elements_by_their_position(self, album: Album) -> None:
        facts = album.facts("/plain")
        assert facts.axe.version == "4.14.1"
        assert facts.axe.error is None
        assert facts.axe.contrast_passes
        for result in (*facts.axe.violations, *facts.axe.incomplete):
            for node in result.nodes:
                assert node.element is not None
                assert node.box == facts.elements[node.element].box

    def test_the_page_itself_is_described(self, album: Album) -> None:
        page = album.facts("/plain").page
        assert (page.path, page.title, page.lang, page.settled) == ("/plain", "T", "en", True)
        assert page.viewport == (1440, 900)
        assert page.tools.browser.startswith("chromium ")

    def test_the_aria_snapshot_is_kept_without_addresses(self, album: Album) -> None:
        aria = album.facts("/plain").aria
        assert 'heading "Hello there" [level=1]' in aria
        assert "token" not in aria

    def test_a_query_makes_another_route_with_the_same_path(self, album: Album) -> None:
        (route,) = [route for route in album.shots if route.startswith("/plain;")]
        assert album.facts(route).page.path == "/plain"


class TestCompanion:
    def test_a_page_without_text_has_the_same_bytes_twice(self, album: Album) -> None:
        shot = album.shots["/no-text"]
        assert shot.picture == shot.companion
        assert album.picture("/no-text").std() > 1

    def test_every_kind_of_text_vanishes(self, album: Album) -> None:
        assert (album.picture("/every-text") < 250).sum() > 5000
        left = (album.companion("/every-text") < 250).any(axis=2)
        # The engine's sign for a picture that is not there is a drawing, not text.
        (image,) = [element.box.to_box() for element in album.facts("/every-text").elements if element.tag == "img"]
        left[image.y : image.y + 18, image.x : image.x + 18] = False
        assert not left.any(), np.argwhere(left)[:5]

    def test_what_is_drawn_in_the_colour_of_the_text_stays(self, album: Album) -> None:
        picture, companion = album.picture("/current-color"), album.companion("/current-color")
        changed = (picture != companion).any(axis=2)
        allowed = np.zeros_like(changed)
        for run in album.facts("/current-color").text_runs:
            for line in run.lines:
                box = line.to_box()
                allowed[box.y - 2 : box.y + box.height + 2, box.x - 2 : box.x + box.width + 2] = True
        assert changed.any()
        assert not (changed & ~allowed).any()
        red = (companion == (187, 0, 0)).all(axis=2).sum()
        assert red > 40 * 40 + 30 * 30 + 6 * 700


class TestOddPages:
    def test_a_page_that_overrides_everything_is_measured_all_the_same(self, album: Album) -> None:
        facts = album.facts("/hostile")
        assert _run(facts, "Still measured \ufffd").color == (0, 0, 0, 1)
        assert facts.axe.error is None
        assert len([element for element in facts.elements if element.tag == "input"]) == 8
        assert {result.rule for result in facts.axe.violations} >= {"image-alt", "label"}

    def test_a_page_on_which_axe_breaks_or_never_ends_is_judged_without_it(self, album: Album) -> None:
        facts = album.facts("/clobbered")
        assert _run(facts, "Still here").lines
        assert facts.axe.error
        assert facts.axe.version == "4.14.1"
        assert "was not measured by axe-core" in album.notes("/clobbered")

    def test_pictures_named_like_the_documents_own_members_hide_nothing_from_the_collector(self, album: Album) -> None:
        facts = album.facts("/shadowed")
        assert {element.tag for element in facts.elements} >= {"img", "form", "input"}
        assert "hunter2" not in repr(facts)

    def test_what_sets_a_control_apart_from_its_like_is_kept(self, album: Album) -> None:
        (control,) = (element for element in album.facts("/shadowed").elements if element.tag == "input")
        assert (control.attributes["name"], control.attributes["placeholder"]) == ("code", "Your code")

    def test_a_content_security_policy_stops_neither_measuring_nor_the_companion(self, album: Album) -> None:
        facts = album.facts("/csp")
        assert [run.text for run in facts.text_runs] == ["Strict", "Words"]
        assert facts.axe.violations
        assert facts.console == ()
        assert len(np.unique(album.companion("/csp"))) == 1

    def test_a_page_taller_than_a_browser_draws_is_put_together_from_pieces(self, album: Album) -> None:
        picture = album.picture("/tall")
        assert picture.shape == (32_768, 1440, 3)
        for at in range(32):
            assert picture[at * 1000 + 500, 1200].tolist() == [at * 6, at * 3, 9], at
        assert "the picture holds the first 1440 x 32768" in album.notes("/tall")

    def test_what_is_fixed_stands_in_the_picture_where_the_facts_say(self, album: Album) -> None:
        facts, picture = album.facts("/fixed"), album.picture("/fixed")
        for identity, colour in (("hero", [0, 90, 0]), ("bar", [90, 0, 0])):
            box = _element(facts, identity).box.to_box()
            assert picture[box.y + 5, box.x + 700].tolist() == colour, identity

    def test_motion_by_style_stands_still_and_the_page_is_settled(self, album: Album) -> None:
        facts, picture = album.facts("/css-motion"), album.picture("/css-motion")
        assert facts.page.settled
        assert _run(facts, "Enter").opacity == 1
        (gif,) = [element.box.to_box() for element in facts.elements if element.tag == "img"]
        assert picture[gif.y + 20, gif.x + 20].tolist() in ([254, 0, 0], [255, 0, 0])

    def test_a_page_that_changes_at_each_look_says_so(self, album: Album) -> None:
        assert not album.facts("/script-motion").page.settled
        assert "changes at each look (animated)" in album.notes("/script-motion")

    def test_a_moving_page_stands_still_between_its_two_pictures_and_its_facts(self, album: Album) -> None:
        facts, picture = album.facts("/script-motion"), album.picture("/script-motion")
        changed = (picture != album.companion("/script-motion")).any(axis=2)
        (line,) = [line for run in facts.text_runs for line in run.lines]
        box = line.to_box()
        assert changed[box.y : box.y + box.height, box.x : box.x + box.width].sum() == changed.sum() > 0
        square = _element(facts, "d").box.to_box()
        red = np.argwhere((picture == (255, 0, 0)).all(axis=2))
        assert red.min(axis=0).tolist() == [square.y, square.x]
        assert picture[200:240, 8:308].std() > 1

    def test_what_appears_on_the_way_down_is_in_the_picture(self, album: Album) -> None:
        facts, picture = album.facts("/lazy"), album.picture("/lazy")
        assert _run(facts, "Revealed").lines
        (image,) = [element.box.to_box() for element in facts.elements if element.tag == "img"]
        assert picture[image.y + 20, image.x + 20].tolist() == [255, 0, 0]

    def test_dialogs_are_dismissed(self, album: Album) -> None:
        assert _run(album.facts("/dialogs"), "After")

    def test_errors_and_failed_requests_are_recorded_without_secrets(self, album: Album) -> None:
        facts = album.facts("/noisy")
        texts = [entry.text for entry in facts.console]
        assert "Cannot reach /api" in texts
        assert any("Broke" in text for text in texts)
        assert not any("fine" in text for text in texts)
        failed = {(row.address, row.kind, row.status) for row in facts.failed_requests}
        assert {("/absent.png", "image", 404), ("/api", "fetch", 404), ("http://127.0.0.1", "fetch", None)} <= failed

    def test_what_is_beyond_the_limits_is_left_out_and_counted(self, album: Album) -> None:
        facts = album.facts("/many")
        assert len(facts.elements) == 6000
        assert len(facts.text_runs) == 4000
        assert "more elements and texts than are measured" in album.notes("/many")

    def test_an_empty_page_is_a_picture_without_text(self, album: Album) -> None:
        assert album.facts("/empty").text_runs == ()
        assert len(np.unique(album.picture("/empty"))) == 1

    def test_a_page_that_sends_the_visitor_on_is_judged_where_he_arrives(self, album: Album) -> None:
        for route in ("/moved", "/wanders"):
            assert album.facts(route).page.path == "/csp", route
            assert _run(album.facts(route), "Strict")
            assert "shows /csp" in album.notes(route)

    def test_a_page_that_never_finishes_loading_is_judged_unsettled(self, album: Album) -> None:
        assert not album.facts("/never").page.settled
        assert "still loading after 2 s" in album.notes("/never")
        assert _run(album.facts("/never"), "Waiting").lines

    def test_text_is_cut_to_what_overflow_lets_through(self, album: Album) -> None:
        facts = album.facts("/clipped")
        half = _run(facts, "Half")
        assert 0 < half.clipped_fraction < 1
        assert all(line.bottom <= _element(facts, "half").box.y + 20 for line in half.lines)
        assert _run(facts, "Out").clipped_fraction == 0
        assert len(_run(facts, "Two lines here").lines) >= 2
        texts = {run.text for run in facts.text_runs}
        assert not {"Only heard", "None", "Hidden"} & texts


def test_a_page_that_cannot_be_measured_in_time_is_skipped_and_the_rest_goes_on(base: str, tmp_path: Path) -> None:
    album = _take(base, tmp_path, routes=("/endless", "/csp"), limits=Limits(settle_s=1, shot_s=4))
    assert list(album.shots) == ["/csp"]
    assert "could not be measured within 4 s" in album.reason("/endless")


def test_every_form_factor_and_scheme_is_one_shot_and_one_event(serve: Serve, tmp_path: Path) -> None:
    events: list[CaptureEvent] = []
    folder = EvidenceFolder(tmp_path)
    plan = CapturePlan(target="site", base_url=serve({"/": pages.read("schemes")}))
    result = asyncio.run(capture(plan, folder, events.append))
    assert [(shot.form_factor, shot.scheme, shot.width_px) for shot in result.shots] == [
        (form_factor, scheme, width)
        for form_factor, width in (("desktop", 1440), ("tablet", 834), ("phone", 390))
        for scheme in ("light", "dark")
    ]
    assert [event.done for event in events] == [1, 2, 3, 4, 5, 6]
    assert {event.total for event in events} == {6}
    for shot in result.shots:
        corner = decode(folder.read(shot.picture), where="x")[0, 0].tolist()
        assert corner == ([10, 20, 30] if shot.scheme == "dark" else [255, 255, 255])
        assert json.loads(folder.read(_digest(shot)))["page"]["scheme"] == shot.scheme
    assert len({shot.view for shot in result.shots}) == 1


def _digest(shot: Shot) -> str:
    assert shot.facts is not None
    return shot.facts
