"""Text within text: that both are drawn is told from what shows past the other, or from how full the place is."""

from __future__ import annotations

from pixels_scene import Scene, word

from bicameral.judges.instruments.slug import attribute_for

GOOD = (34, 34, 34)


def overlap(scene: Scene, element: int) -> str:
    return word(scene, "overlap", attribute_for("text-overlap", scene.page.build(), element)).verdict


def test_a_small_text_that_lies_wholly_within_a_larger_one() -> None:
    scene = Scene()
    scene.write("Tides and Timetables of the Northern Isles", (40, 50), GOOD, size=32, tag="h2")
    assert overlap(scene, scene.write("Paperback edition for 12.50 in the shop", (120, 60), GOOD)) == "agree"


def test_one_that_is_not_drawn_there_leaves_the_place_no_fuller() -> None:
    scene = Scene()
    scene.write("Tides and Timetables of the Northern Isles", (40, 50), GOOD, size=32, tag="h2")
    hidden = scene.write("Paperback edition for 12.50 in the shop", (120, 60), GOOD, drawn=False)
    assert overlap(scene, hidden) == "cannot-tell"


def test_a_heading_that_shows_above_the_longer_line_over_it() -> None:
    scene = Scene()
    scene.write("A long winter of letters", (40, 40), GOOD, size=28, tag="h2")
    text = scene.write("We keep a wall of sea stories, charts and pilot books, and can order anything", (40, 57), GOOD)
    assert overlap(scene, text) == "agree"


def test_a_third_text_above_proves_nothing_of_a_heading_that_is_not_drawn() -> None:
    scene = Scene()
    scene.write("A long winter of letters", (40, 40), GOOD, size=28, tag="h2", drawn=False)
    scene.write("Opening hours of shop", (40, 34), GOOD)
    text = scene.write("We keep a wall of sea stories, charts and pilot books, and can order anything", (40, 57), GOOD)
    assert overlap(scene, text) != "agree"


def test_a_faint_ornament_that_is_not_read_aloud_is_in_nobodys_way() -> None:
    scene = Scene()
    scene.write("0123", (40, 30), (241, 243, 246), size=90, tag="span", run={"hidden_from_at": True})
    assert overlap(scene, scene.write("How we began with a cart", (60, 80), GOOD, size=24)) != "agree"


def test_a_dark_one_is() -> None:
    scene = Scene()
    scene.write("0123", (40, 30), (90, 90, 90), size=90, tag="span", run={"hidden_from_at": True})
    assert overlap(scene, scene.write("How we began with a cart", (60, 80), GOOD, size=24)) == "agree"
