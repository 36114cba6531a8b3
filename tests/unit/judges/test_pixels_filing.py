"""What `pixels` files, and on what it keeps silent."""

from __future__ import annotations

import numpy as np
import pytest
from facts_builder import Shelf
from pixels_scene import Scene, filed

from bicameral.judges.instruments.instrument import Look
from bicameral.judges.instruments.pixels import (
    LANES_WITHOUT_FACTS,
    NOT_JUDGED_WITHOUT_FACTS,
    PixelsInstrument,
)
from bicameral.judges.instruments.slug import attribute_for
from bicameral.model.vocabulary import LANES
from drawn_text import hexed, write

GREY, GOOD = hexed("#999999"), hexed("#333333")
NOTE = "A sentence that matters to somebody"


def test_unreadable_text_is_filed_with_number_and_place_under_the_name_axe_uses() -> None:
    scene = Scene()
    element = scene.write(NOTE, (40, 50), GREY)
    (found,) = filed(scene)
    assert found.category == "contrast"
    assert found.attribute == attribute_for("color-contrast", scene.page.build(), element)
    assert "2.8:1. Measured at " in found.observed
    assert "(#999999 on #ffffff)" in found.observed
    assert found.confidence == "high"


def test_readable_text_is_not_filed() -> None:
    scene = Scene()
    scene.write(NOTE, (40, 50), GOOD)
    assert filed(scene) == []


@pytest.mark.parametrize(("size", "count"), [(16, 1), (24, 0)])
def test_large_text_needs_less(size: int, count: int) -> None:
    scene = Scene()
    scene.write(NOTE, (40, 50), hexed("#888888"), size=size)
    assert len(filed(scene)) == count


def test_one_element_is_one_finding_by_its_worst_text() -> None:
    scene = Scene()
    element = scene.write(NOTE, (40, 50), hexed("#8a8a8a"))
    scene.page.text(element, "and a second one", [40, 100, 200, 20], color=[204, 204, 204, 1])
    scene.shown = write(scene.shown, "and a second one", (40, 100), 16, (204, 204, 204))
    (found,) = filed(scene)
    assert "1.6:1" in found.observed


def test_text_that_vanishes_is_filed() -> None:
    scene = Scene()
    scene.write("Seen well enough", (40, 10), GOOD)
    scene.write(NOTE, (40, 50), (255, 255, 255))
    (found,) = filed(scene)
    assert "1.0:1" in found.observed
    assert found.severity == "high"
    assert "cannot be seen" in found.problem


def test_text_under_something_of_its_own_colour_is_left_open() -> None:
    scene = Scene()
    scene.write("Seen well enough", (40, 10), GOOD)
    scene.write(NOTE, (40, 50), (255, 255, 255), drawn=False)
    scene.page.add("div", [0, 40, 600, 60], style={"position": "absolute", "background": [255, 255, 255, 1]})
    assert filed(scene) == []


def test_text_that_is_not_drawn_is_not_filed() -> None:
    scene = Scene()
    scene.write("Seen well enough", (40, 10), GOOD)
    scene.write(NOTE, (40, 50), GREY, drawn=False)
    assert filed(scene) == []


@pytest.mark.parametrize(
    "run",
    [
        {"disabled": True},
        {"hidden_from_at": True},
        {"opacity": 0.01},
    ],
)
def test_exempt_text_is_not_filed(run: dict[str, object]) -> None:
    scene = Scene()
    scene.write("Seen well enough", (40, 10), GOOD)
    scene.write(NOTE, (40, 50), GREY, run=run)
    assert filed(scene) == []


def test_the_label_of_an_inactive_control_is_not_filed() -> None:
    scene = Scene()
    scene.write("Your pet's name", (40, 50), GREY, attributes={"id": "pet"})
    scene.page.add("input", [40, 80, 100, 20], disabled=True, attributes={"aria-labelledby": "other pet"})
    assert filed(scene) == []


@pytest.mark.parametrize("text", ["×", "• • •", "~ ~ ~", "|"])
def test_single_signs_and_ornaments_are_not_filed(text: str) -> None:
    scene = Scene()
    scene.write(text, (40, 50), GREY)
    assert filed(scene) == []


def test_currency_signs_are_words() -> None:
    scene = Scene()
    scene.write("€ £ $", (40, 50), hexed("#dddddd"), size=20)
    assert len(filed(scene)) == 1


@pytest.mark.parametrize("name", ["site-logo", "logo", "c-wordmark"])
def test_a_logotype_is_not_filed(name: str) -> None:
    scene = Scene()
    scene.write(NOTE, (40, 50), GREY, attributes={"class": name})
    assert filed(scene) == []


def test_a_word_that_merely_contains_logo_is_filed() -> None:
    scene = Scene()
    scene.write(NOTE, (40, 50), GREY, attributes={"class": "analogous"})
    assert len(filed(scene)) == 1


def test_without_a_companion_no_contrast_is_filed() -> None:
    scene = Scene()
    scene.write(NOTE, (40, 50), GREY)
    scene.with_companion = False
    assert filed(scene) == []


def test_a_companion_of_another_page_files_nothing() -> None:
    scene = Scene()
    scene.write(NOTE, (40, 50), GREY)
    scene.behind = scene.behind[:-40]
    assert filed(scene) == []


def test_boxes_that_do_not_lie_on_the_ink_file_nothing() -> None:
    """A page that moved after it was measured: its boxes point at other words."""
    scene = Scene()
    for row in range(6):
        scene.write(NOTE, (40, 50 + 40 * row), GREY)
    assert len(filed(scene)) == 6
    scene.shown[:, 120:] = scene.shown[:, :-120].copy()
    assert filed(scene) == []


def gradient_page(items: int = 30) -> tuple[Scene, int]:
    """A page of short list items, whose markers no facts tell of, and one text that misses."""
    scene = Scene()
    for number in range(items):
        y = 40 + 26 * number
        item = scene.write(f"Item {number}", (80, y), GOOD, style={"display": "list-item"})
        scene.page.document["elements"][item]["selector"] = "ul li"
        scene.shown[y + 5 : y + 15, 60:70] = GOOD
    return scene, scene.write("Pale words that somebody should read", (400, 50), hexed("#cccccc"))


def test_list_markers_do_not_stop_the_measuring_of_a_page() -> None:
    scene, _ = gradient_page()
    (found,) = filed(scene)
    assert "“Pale words" in found.title
    assert PixelsInstrument().unmeasured([scene.look()]) == {}


def test_a_list_whose_boxes_are_off_is_not_excused_as_markers() -> None:
    scene, _ = gradient_page()
    scene.shown = np.roll(scene.shown, 37, axis=1)
    assert filed(scene) == []
    assert PixelsInstrument().unmeasured([scene.look()]) == {scene.look().shot.shot_id: "contrast not measured"}


@pytest.mark.parametrize("tag", ["iframe", "select", "input", "x-rating"])
def test_what_writes_its_own_text_does_not_stop_the_measuring_of_a_page(tag: str) -> None:
    scene = Scene()
    scene.write(NOTE, (40, 50), GREY)
    scene.page.add(tag, [40, 200, 900, 300])
    for y in range(210, 480, 30):
        scene.shown = write(scene.shown, NOTE * 2, (50, y), 16, GOOD)
    assert len(filed(scene)) == 1


def test_ink_that_nobody_knows_of_costs_the_texts_around_it_and_no_others() -> None:
    scene = Scene()
    scene.write(NOTE, (40, 50), GREY)
    for row in range(6):
        scene.write(NOTE, (40, 300 + 30 * row), GOOD)
    near = scene.write(NOTE, (40, 800), GREY)
    scene.shown = write(scene.shown, NOTE, (360, 800), 16, GOOD)
    (found,) = filed(scene)
    assert found.rect is not None
    assert found.rect.y < scene.page.document["elements"][near]["box"][1]
    assert list(PixelsInstrument().unmeasured([scene.look()]).values()) == ["contrast measured in part only"]


def test_without_a_companion_a_shot_with_text_is_not_measured_and_one_without_is() -> None:
    scene, bare = Scene(), Scene(form_factor="phone")
    scene.write(NOTE, (40, 50), GOOD)
    scene.with_companion = bare.with_companion = False
    shelf = Shelf()
    look = scene.look(shelf)
    assert PixelsInstrument().unmeasured([look, bare.look(shelf)]) == {look.shot.shot_id: "contrast not measured"}


def test_a_video_behind_one_of_two_texts_is_a_loss_in_part() -> None:
    scene = Scene()
    scene.page.add("video", [0, 0, 900, 200])
    scene.write(NOTE, (40, 50), GOOD)
    scene.write(NOTE, (40, 400), GOOD)
    assert list(PixelsInstrument().unmeasured([scene.look()]).values()) == ["contrast measured in part only"]


@pytest.mark.parametrize("name", ["site-logo", "wordmark"])
def test_a_logotype_that_vanishes_in_one_scheme_is_filed(name: str) -> None:
    light, dark = Scene(), Scene(scheme="dark", ground=(25, 37, 44))
    for scene in (light, dark):
        scene.write("Other words", (40, 10), (120, 150, 170) if scene is dark else GOOD)
        scene.write("Northern Ferries", (40, 50), (22, 36, 44), attributes={"class": name})
    assert [found.category for found in filed(light, dark)] == ["color-scheme"]


def test_a_few_letters_that_are_a_little_pale_are_not_filed_and_half_of_them_are() -> None:
    ground = {True: hexed("#919191"), False: hexed("#e8e8e8")}  # 4.0:1 and more than 10:1 with #222222 on it
    for pale_px, count in ((70, 0), (400, 1)):
        scene = Scene()
        scene.paint([0, 0, 900, 100], ground[False])
        scene.paint([40, 0, pale_px, 100], hexed("#7d7d7d"))
        scene.write(NOTE, (40, 50), hexed("#222222"))
        assert len(filed(scene)) == count, pale_px


def test_text_past_the_edge_of_the_page_is_not_contrast() -> None:
    scene = Scene(form_factor="phone", ground=(255, 255, 255))
    scene.shown = np.pad(scene.shown, ((0, 0), (0, 110), (0, 0)), constant_values=255)
    scene.behind = np.pad(scene.behind, ((0, 0), (0, 110), (0, 0)), constant_values=255)
    scene.paint([0, 40, 390, 40], (20, 20, 20))
    scene.write("Some words of the page", (20, 120), GOOD)
    scene.write("Contacts and so on", (320, 50), (255, 255, 255))
    scene.write("Imprint", (430, 55), (255, 255, 255))
    assert filed(scene) == []


def test_the_number_says_on_which_side_of_the_threshold_it_lies() -> None:
    scene = Scene()
    scene.write(NOTE, (40, 50), hexed("#777777"))
    (found,) = filed(scene)
    assert "4.47:1. Measured at " in found.observed or "4.48:1. Measured at " in found.observed


def test_of_texts_that_miss_the_worse_one_weighs_more() -> None:
    scene = Scene()
    scene.write(NOTE, (40, 50), hexed("#8a8a8a"))
    scene.write(NOTE, (40, 90), hexed("#cccccc"))
    mild, bad = filed(scene)
    assert bad.weight > mild.weight > 1


def test_text_over_a_video_is_left_open() -> None:
    scene = Scene()
    scene.page.add("video", [0, 0, 900, 200])
    scene.write(NOTE, (40, 50), GREY)
    assert filed(scene) == []


def test_text_over_a_canvas_that_was_redrawn_is_left_open_and_other_text_is_not() -> None:
    scene = Scene()
    scene.page.add("canvas", [0, 0, 900, 200])
    scene.write(NOTE, (40, 50), GREY)
    below = scene.write(NOTE, (40, 300), GREY)
    scene.behind[:200, :900] = (0, 0, 90)
    (found,) = filed(scene)
    assert found.rect is not None
    assert found.rect.y == scene.page.document["elements"][below]["box"][1]


def test_text_gone_in_one_scheme_is_filed_there_as_that_and_not_as_contrast() -> None:
    light, dark = Scene(), Scene(scheme="dark", ground=(25, 37, 44))
    for scene in (light, dark):
        scene.write("Other words", (40, 10), (120, 150, 170) if scene is dark else GOOD)
        element = scene.write(NOTE, (40, 50), (22, 36, 44))
    (found,) = filed(light, dark)
    assert found.category == "color-scheme"
    assert found.attribute == attribute_for("scheme-lost-text", dark.page.build(), element)
    assert "in the dark scheme" in found.observed


def test_text_bad_in_both_schemes_is_contrast_in_both() -> None:
    light, dark = Scene(), Scene(scheme="dark", ground=(25, 37, 44))
    light.write(NOTE, (40, 50), hexed("#bbbbbb"))
    dark.write(NOTE, (40, 50), (30, 40, 50))
    assert [found.category for found in filed(light, dark)] == ["contrast", "contrast"]


def test_schemes_are_compared_at_one_form_factor_only() -> None:
    light, dark = Scene(form_factor="phone"), Scene(scheme="dark", ground=(25, 37, 44))
    light.write(NOTE, (40, 50), (22, 36, 44))
    dark.write("Other words", (40, 10), (200, 200, 200))
    dark.write(NOTE, (40, 50), (22, 36, 44))
    assert [found.category for found in filed(light, dark)] == ["contrast"]


def test_a_blank_page_is_filed_once_and_alone() -> None:
    scene = Scene()
    scene.write(NOTE, (40, 50), (255, 255, 255))
    (found,) = filed(scene)
    assert (found.category, found.severity) == ("render", "critical")
    assert found.observed == "All of the 1440 by 900 pixels are #ffffff."


def test_a_page_that_has_nothing_to_show_is_not_called_blank() -> None:
    assert filed(Scene()) == []


def test_a_page_with_one_short_word_is_not_blank() -> None:
    scene = Scene()
    scene.write("ok", (40, 50), GOOD)
    assert filed(scene) == []


def test_a_bare_picture_is_judged_for_blankness_alone() -> None:
    blank, shown = Scene(), Scene(form_factor="phone")
    blank.with_facts = shown.with_facts = blank.with_companion = shown.with_companion = False
    shown.write(NOTE, (40, 50), GREY)
    (found,) = filed(blank, shown)
    assert found.category == "render"
    assert LANES_WITHOUT_FACTS == ("rendering",)
    assert set(LANES_WITHOUT_FACTS) | set(NOT_JUDGED_WITHOUT_FACTS) == set(LANES)


def canvas(scene: Scene, *, name: str | None = "Tides today", tag: str = "canvas", **members: object) -> int:
    scene.write(NOTE, (40, 20), GOOD)
    element = scene.page.add(tag, [100, 100, 400, 200], name=name, **members)
    scene.page.measured(canvases=[element])
    return element


def test_a_blank_canvas_that_says_what_it_shows_is_filed() -> None:
    scene = Scene()
    element = canvas(scene)
    (found,) = filed(scene)
    assert found.attribute == attribute_for("blank-canvas", scene.page.build(), element)
    assert "one flat #ffffff over 400 by 200 px at 100,100" in found.observed


def test_a_canvas_with_one_line_on_it_is_not_blank() -> None:
    scene = Scene()
    canvas(scene)
    scene.paint([110, 200, 380, 2], (0, 90, 120))
    assert filed(scene) == []


def test_a_canvas_without_a_name_is_not_filed_unless_a_figure_holds_it() -> None:
    scene = Scene()
    canvas(scene, name=None)
    assert filed(scene) == []
    held = Scene()
    figure = held.page.add("figure", [90, 90, 500, 300])
    canvas(held, name=None, parent=figure)
    assert len(filed(held)) == 1


def test_a_canvas_to_draw_on_is_not_filed() -> None:
    scene = Scene()
    canvas(scene, name="Sign here", interactive=True)
    assert filed(scene) == []


def image(scene: Scene, *, address: str | None = "/a.jpg", natural: tuple[int, int] = (0, 0)) -> int:
    scene.write(NOTE, (40, 20), GOOD)
    element = scene.page.add("img", [100, 100, 400, 200], role="img", name="The engine room")
    row = {"element": element, "natural": list(natural), "complete": True, "address": address}
    scene.page.measured(images=[row])
    return element


def test_an_image_that_was_not_decoded_and_does_not_show_is_filed() -> None:
    scene = Scene()
    element = image(scene)
    (found,) = filed(scene)
    assert found.attribute == attribute_for("broken-image", scene.page.build(), element)


@pytest.mark.parametrize(("address", "natural"), [(None, (0, 0)), ("/a.jpg", (400, 200))])
def test_an_image_without_an_address_or_with_a_picture_is_not_filed(
    address: str | None, natural: tuple[int, int]
) -> None:
    scene = Scene()
    image(scene, address=address, natural=natural)
    assert filed(scene) == []


def test_what_shows_a_picture_after_all_is_not_filed() -> None:
    scene = Scene()
    image(scene)
    noise = np.random.default_rng(7).integers(0, 256, (200, 400, 3), dtype=np.uint8)
    scene.shown[100:300, 100:500] = scene.behind[100:300, 100:500] = noise
    assert filed(scene) == []


def test_boxes_outside_the_picture_and_texts_without_lines_do_no_harm() -> None:
    scene = Scene()
    scene.write(NOTE, (40, 50), GOOD)
    for box in ([-900, -900, 100, 20], [9000, 20, 100, 20], [1400, 890, 300, 300]):
        element = scene.page.add("p", box, name=f"far {box[0]}")
        scene.page.text(element, NOTE, box)
        scene.page.text(element, NOTE)
    assert filed(scene) == []


def test_measuring_twice_says_the_same_and_keeps_no_more_than_it_may() -> None:
    scene = Scene()
    scene.write(NOTE, (40, 50), GREY)
    look: Look = scene.look()
    instrument = PixelsInstrument()
    assert instrument.propose([look]) == instrument.propose([look]) == PixelsInstrument().propose([look])
    assert instrument.rules.startswith("sha256:")
