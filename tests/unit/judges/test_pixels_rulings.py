"""What `pixels` says of another judge's findings."""

from __future__ import annotations

import numpy as np
import pytest
from facts_builder import Shelf
from pixels_scene import Scene, word

from bicameral.judges.instruments.instrument import Answer
from bicameral.judges.instruments.pixels import PixelsInstrument
from bicameral.judges.instruments.pixels.answers import MEASURED, UNSEEN
from bicameral.judges.instruments.slug import attribute_for
from bicameral.model.evidence import Box
from bicameral.model.findings import Finding, Place
from bicameral.model.vocabulary import CATEGORIES
from drawn_text import box_of, hexed, write

NOTE = "A sentence that matters to somebody"
GOOD = hexed("#333333")


def contrast(scene: Scene, element: int) -> tuple[str, str]:
    answer = word(scene, "contrast", attribute_for("color-contrast", scene.page.build(), element))
    return answer.verdict, answer.note


def test_text_that_measurably_misses_is_agreed_with_number_and_place() -> None:
    scene = Scene()
    verdict, note = contrast(scene, scene.write(NOTE, (40, 50), hexed("#999999")))
    assert verdict == "agree"
    assert note.startswith("The p “A sentence that matters to somebody” has a contrast of 2.8:1, ")
    assert "which is too little: 4.5:1 is needed. Measured at " in note


def test_text_that_measurably_clears_is_disputed_with_number_and_place() -> None:
    scene = Scene(ground=hexed("#0d4757"))
    verdict, note = contrast(scene, scene.write(NOTE, (40, 50), (255, 255, 255)))
    assert verdict == "dispute"
    assert note.startswith("The p “A sentence that matters to somebody” has a contrast of 10.2:1, ")


def test_within_the_margin_the_word_is_cannot_tell_with_the_number() -> None:
    scene = Scene()
    # Black at an opacity that comes to within a rounding of 4.5:1.
    verdict, note = contrast(scene, scene.write(NOTE, (40, 50), (0, 0, 0), alpha=0.5365))
    assert verdict == "cannot-tell"
    assert note.startswith(("4.5", "4.4"))
    assert "measured at" in note
    assert note.endswith("The difference is within the margin of error.")


def test_inactive_and_ornamental_text_is_disputed_as_exempt() -> None:
    scene = Scene()
    button = scene.write("Choose seats", (40, 50), hexed("#bbbbbb"), run={"disabled": True})
    waves = scene.write("~ ~ ~", (40, 90), hexed("#bbbbbb"), run={"hidden_from_at": True})
    assert contrast(scene, button)[0] == "dispute"
    assert contrast(scene, waves) == (
        "dispute",
        "The text is decoration that says nothing, which is exempt (WCAG 1.4.3).",
    )


def test_a_single_sign_is_agreed_on_only_below_three() -> None:
    scene = Scene()
    verdict, note = contrast(scene, scene.write("X", (40, 50), hexed("#888888"), size=18))
    assert (verdict, note.endswith("a single sign that is an icon needs 3.0:1.")) == ("cannot-tell", True)
    assert contrast(scene, scene.write("Z", (40, 90), hexed("#bbbbbb"), size=18))[0] == "agree"


def test_text_without_ink_is_cannot_tell_with_the_reason() -> None:
    scene = Scene()
    verdict, note = contrast(scene, scene.write(NOTE, (40, 50), hexed("#999999"), drawn=False))
    assert verdict == "cannot-tell"
    assert "was not measured" in note


def test_a_finding_that_only_has_a_box_is_about_the_text_in_it() -> None:
    scene = Scene()
    scene.write(NOTE, (40, 50), hexed("#999999"))
    x, y, width, height = (int(value) for value in box_of(NOTE, (40, 50), 16))
    framed = Box(x=x - 60, y=y - 40, width=width + 120, height=height + 80)
    assert word(scene, "contrast", box=framed).verdict == "agree"


def test_rules_on_contrast_that_ask_for_something_else_are_not_ruled_by_this_measure() -> None:
    scene = Scene()
    element = scene.write(NOTE, (40, 50), hexed("#999999"))
    facts = scene.page.build()
    assert word(scene, "contrast", attribute_for("color-contrast-enhanced", facts, element)).verdict == "cannot-tell"


def link_scene(colour: str, *, underlined: bool = False, around: bool = True, weight: int = 400) -> Answer:
    """The word on a link of that colour in a line of dark grey text."""
    scene = Scene()
    paragraph = scene.write("Ask at the harbour office or", (40, 50), hexed("#444444"))
    if not around:
        scene.page.document["text_runs"].clear()
        scene.shown = scene.behind.copy()
    link = scene.write("read the tide tables", (300, 50), hexed(colour), tag="a", parent=paragraph)
    scene.page.document["text_runs"][-1]["weight"] = weight
    if underlined:
        x, y, width, height = (int(value) for value in box_of("read the tide tables", (300, 50), 16))
        scene.shown[y + height - 3, x : x + width] = hexed(colour)
    x, y, width, height = (int(value) for value in scene.page.document["elements"][link]["box"])
    return word(scene, "contrast", "link-in-text-block-main-p-a", Box(x=x, y=y, width=width, height=height))


def test_a_link_in_nearly_the_colour_of_the_text_around_it_is_agreed() -> None:
    answer = link_scene("#5a3a3a")
    assert answer.verdict == "agree"
    assert "#5a3a3a of the link" in answer.note


@pytest.mark.parametrize(("colour", "underlined"), [("#5a3a3a", True), ("#e08080", False)])
def test_a_link_with_a_line_below_it_or_in_another_colour_is_disputed(colour: str, underlined: bool) -> None:
    assert link_scene(colour, underlined=underlined).verdict == "dispute"


def test_a_link_that_something_else_may_mark_or_that_stands_alone_is_left_open() -> None:
    assert link_scene("#5a3a3a", weight=700).verdict == "cannot-tell"
    assert link_scene("#5a3a3a", around=False).verdict == "cannot-tell"


def test_text_hidden_from_everyone_is_left_open_and_hidden_text_that_shows_is_not() -> None:
    scene = Scene()
    scene.write("Seen well enough", (40, 10), GOOD)
    gone = scene.write(NOTE, (40, 50), (255, 255, 255), run={"hidden_from_at": True})
    pale = scene.write(NOTE, (40, 90), hexed("#999999"), run={"hidden_from_at": True})
    assert contrast(scene, gone)[0] == "cannot-tell"
    assert "meant for nobody" in contrast(scene, gone)[1]
    assert contrast(scene, pale)[0] == "agree"


def test_text_that_is_cut_away_is_neither_agreed_nor_disputed() -> None:
    scene = Scene()
    scene.write("Seen well enough", (40, 10), GOOD)
    element = scene.write(NOTE, (40, 50), (255, 255, 255), run={"clipped_fraction": 0.7})
    verdict, note = contrast(scene, element)
    assert verdict == "cannot-tell"
    assert "cut away" in note


def test_a_note_says_whether_the_number_is_enough() -> None:
    scene = Scene()
    assert "which is enough: 4.5:1 is needed" in contrast(scene, scene.write(NOTE, (40, 50), GOOD))[1]
    pale = scene.write("Other words", (40, 90), hexed("#999999"))
    assert "which is too little: 4.5:1 is needed" in contrast(scene, pale)[1]


@pytest.mark.parametrize("category", ["contrast", "color-scheme", "overlap", "clipping"])
def test_without_a_companion_nothing_about_text_is_told(category: str) -> None:
    scene = Scene()
    scene.write(NOTE, (40, 50), hexed("#999999"))
    scene.with_companion = False
    answer = word(scene, category, box=Box(x=0, y=0, width=900, height=200))
    assert answer.verdict == "cannot-tell"
    assert answer.note


def test_every_category_is_either_measured_or_has_a_reason_why_not() -> None:
    assert set(MEASURED) | set(UNSEEN) == set(CATEGORIES)
    assert not set(MEASURED) & set(UNSEEN)


@pytest.mark.parametrize("category", sorted(UNSEEN))
def test_what_a_picture_cannot_show_is_cannot_tell_with_a_reason(category: str) -> None:
    assert word(Scene(), category) == Answer(verdict="cannot-tell", note=UNSEEN[category])


@pytest.mark.parametrize("facts", [True, False])
def test_every_finding_gets_a_word_whatever_it_points_at(facts: bool) -> None:
    scene = Scene(form_factor="phone")
    scene.write(NOTE, (40, 50), GOOD)
    scene.with_facts = facts
    look = scene.look()
    boxes = [None, Box(x=0, y=0, width=0, height=0), Box(x=5000, y=5000, width=10, height=10)]
    findings = [
        Finding(
            shot_id=look.shot.shot_id,
            category=category,
            attribute="no-such-thing",
            severity="low",
            title="t",
            problem="p",
            confidence="low",
            box=box,
        )
        for category in [*CATEGORIES, "nonsense"]
        for box in boxes
    ]
    for words in PixelsInstrument().rule([look], findings):
        (answer,) = words.values()
        assert answer.verdict in ("agree", "dispute", "amend", "cannot-tell")
        assert answer.note


def test_each_shot_of_a_finding_gets_its_own_word() -> None:
    good, bad = Scene(), Scene(form_factor="phone")
    element = good.write(NOTE, (40, 50), GOOD)
    bad.write(NOTE, (40, 50), hexed("#aaaaaa"))
    shelf = Shelf()
    looks = [good.look(shelf), bad.look(shelf)]
    finding = Finding(
        shot_id=looks[0].shot.shot_id,
        also_shot_ids=(looks[1].shot.shot_id,),
        also_boxes=(Place(shot_id=looks[1].shot.shot_id, box=Box(x=40, y=50, width=270, height=20)),),
        category="contrast",
        attribute=attribute_for("color-contrast", good.page.build(), element),
        severity="high",
        title="t",
        problem="p",
        confidence="high",
    )
    (words,) = PixelsInstrument().rule(looks, [finding])
    assert [words[look.shot.shot_id].verdict for look in looks] == ["dispute", "agree"]


def test_a_finding_on_another_shot_is_not_ruled_here() -> None:
    scene = Scene()
    finding = Finding(
        shot_id="elsewhere", category="render", attribute="a", severity="low", title="t", problem="p", confidence="low"
    )
    assert PixelsInstrument().rule([scene.look()], [finding]) == [{}]


def overlap(scene: Scene, element: int) -> str:
    return word(scene, "overlap", attribute_for("text-overlap", scene.page.build(), element)).verdict


def test_letters_over_letters_are_agreed() -> None:
    scene = Scene()
    scene.write(NOTE, (40, 50), GOOD)
    assert overlap(scene, scene.write("Something else is written across it here", (120, 55), GOOD)) == "agree"


def test_boxes_that_touch_without_letters_crossing_are_disputed() -> None:
    scene = Scene()
    scene.write(NOTE, (40, 50), GOOD)
    assert overlap(scene, scene.write("The next line of the page", (40, 66), GOOD)) == "dispute"


def test_a_text_that_is_not_drawn_overlaps_nothing_that_shows() -> None:
    """The closed half of a disclosure: the facts have its box, the picture has no ink of it."""
    scene = Scene()
    scene.write("Summary of it", (40, 50), GOOD)
    assert overlap(scene, scene.write("Some more text", (40, 51), GOOD, drawn=False)) == "cannot-tell"


def test_text_on_a_ground_of_its_own_is_left_open() -> None:
    scene = Scene()
    scene.write(NOTE, (40, 50), GOOD)
    badge = scene.page.add("div", [100, 45, 300, 30], style={"background": [255, 255, 255, 1]})
    assert overlap(scene, scene.write("A badge across it", (120, 55), GOOD, parent=badge)) == "cannot-tell"


def test_ink_at_the_edge_that_cuts_a_line_is_agreed() -> None:
    scene = Scene()
    box = scene.page.add("div", [40, 50, 400, 35], style={"overflow_y": "hidden", "overflow_x": "hidden"})
    text = scene.page.add("p", [40, 50, 400, 60], parent=box, name=NOTE, selector="#cut")
    scene.page.text(text, NOTE, [40, 50, 280, 20], [40, 74, 280, 11], clipped_fraction=0.3)
    whole = write(write(scene.shown, NOTE, (40, 50), 16, GOOD), NOTE, (40, 74), 16, GOOD)
    scene.shown[:85] = whole[:85]
    answer = word(scene, "clipping", attribute_for("text-cut", scene.page.build(), box))
    assert answer.verdict == "agree"
    assert "at 40,84" in answer.note


def test_a_cut_between_lines_is_cannot_tell() -> None:
    scene = Scene()
    box = scene.page.add("div", [40, 50, 400, 24], style={"overflow_y": "hidden"})
    text = scene.page.add("p", [40, 50, 400, 60], parent=box, name=NOTE, selector="#cut")
    scene.page.text(text, NOTE, [40, 50, 280, 20], clipped_fraction=0.5)
    scene.shown = write(scene.shown, NOTE, (40, 50), 16, GOOD)
    assert word(scene, "clipping", attribute_for("text-cut", scene.page.build(), box)).verdict == "cannot-tell"


def wide(scene: Scene, *, painted: bool) -> None:
    scene.page.measured(scroll_width_px=500, client_width_px=390)
    scene.shown = np.pad(scene.shown, ((0, 0), (0, 110), (0, 0)), constant_values=255)
    scene.behind = np.pad(scene.behind, ((0, 0), (0, 110), (0, 0)), constant_values=255)
    if painted:
        scene.paint([380, 100, 100, 40], (0, 90, 120))


@pytest.mark.parametrize(("painted", "verdict"), [(True, "agree"), (False, "amend")])
def test_a_page_wider_than_its_window_is_agreed_and_amended_where_nothing_shows_there(
    painted: bool, verdict: str
) -> None:
    scene = Scene(form_factor="phone")
    scene.write("Some words", (20, 20), GOOD)
    wide(scene, painted=painted)
    answer = word(scene, "layout-overflow", "sideways-scroll-page")
    assert answer.verdict == verdict
    assert "the picture is 500 px wide, the window 390 px" in answer.note


def test_a_page_as_wide_as_its_window_is_disputed() -> None:
    scene = Scene(form_factor="phone")
    scene.write("Some words", (20, 20), GOOD)
    assert word(scene, "layout-overflow", "sideways-scroll-page").verdict == "dispute"


def test_letters_outside_their_box_are_agreed_and_a_wide_page_is_no_proof_of_them() -> None:
    scene = Scene(form_factor="phone")
    box = scene.page.add("div", [20, 20, 100, 30], name="card", selector="#card")
    scene.write("Some words that run out of the card", (20, 20), GOOD, parent=box)
    inside = scene.page.add("div", [20, 200, 350, 40], name="other card", selector="#other")
    scene.write("Some words", (20, 200), GOOD, parent=inside)
    wide(scene, painted=True)
    facts = scene.page.build()
    assert (
        word(
            scene, "layout-overflow", attribute_for("text-spill", facts, box), Box(x=20, y=20, width=100, height=30)
        ).verdict
        == "agree"
    )
    assert (
        word(
            scene, "layout-overflow", attribute_for("text-spill", facts, inside), Box(x=20, y=200, width=350, height=40)
        ).verdict
        == "cannot-tell"
    )


def test_blankness_is_agreed_or_disputed_by_counting() -> None:
    scene = Scene()
    scene.write(NOTE, (40, 20), GOOD)
    empty = scene.page.add("canvas", [100, 100, 400, 200], name="Tides", selector="#tides")
    drawn = scene.page.add("canvas", [100, 400, 400, 200], name="Swell", selector="#swell")
    scene.paint([120, 480, 300, 2], (0, 90, 120))
    facts = scene.page.build()
    assert word(scene, "render", attribute_for("blank-canvas", facts, empty)).verdict == "agree"
    assert word(scene, "render", attribute_for("blank-canvas", facts, drawn)).verdict == "dispute"
    assert word(scene, "render", attribute_for("torn-edges", facts, drawn)).verdict == "cannot-tell"
    assert word(scene, "render", "empty-page-page").verdict == "dispute"


def test_an_empty_page_is_agreed() -> None:
    answer = word(Scene(), "render", "empty-page-page")
    assert answer.verdict == "agree"
    assert answer.note == "All of the 1440 by 900 pixels of the page are of one colour."


@pytest.mark.parametrize(("size", "verdict"), [(8, "agree"), (11, "cannot-tell"), (16, "dispute")])
def test_small_type_is_settled_by_the_height_of_its_letters(size: int, verdict: str) -> None:
    scene = Scene()
    element = scene.write(NOTE, (40, 50), GOOD, size=size)
    assert word(scene, "typography", attribute_for("small-text", scene.page.build(), element)).verdict == verdict


def test_other_rules_of_type_are_cannot_tell() -> None:
    scene = Scene()
    element = scene.write(NOTE, (40, 50), GOOD, size=8)
    assert word(scene, "typography", attribute_for("tight-lines", scene.page.build(), element)).verdict == "cannot-tell"


def test_a_missing_image_is_agreed_and_a_shown_one_disputed() -> None:
    scene = Scene()
    scene.write(NOTE, (40, 20), GOOD)
    rows = []
    for name, y, natural in (("Gone", 100, (0, 0)), ("Shown", 400, (400, 200))):
        index = scene.page.add("img", [100, y, 400, 200], role="img", name=name, selector=f"#{name}")
        rows.append({"element": index, "natural": list(natural), "complete": True, "address": "/a.jpg"})
    scene.page.measured(images=rows)
    noise = np.random.default_rng(7).integers(0, 256, (200, 400, 3), dtype=np.uint8)
    scene.shown[400:600, 100:500] = scene.behind[400:600, 100:500] = noise
    facts = scene.page.build()
    gone, shown = (attribute_for("broken-image", facts, row["element"]) for row in rows)
    assert word(scene, "broken-image", gone).verdict == "agree"
    assert word(scene, "broken-image", shown).verdict == "dispute"


@pytest.mark.parametrize(
    ("box", "natural", "painted", "verdict"),
    [
        ([8, 26, 16, 16], (0, 0), True, "agree"),
        ([8, 26, 16, 16], (16, 16), True, "dispute"),
        ([8, -6, 16, 16], (0, 0), False, "agree"),
        ([100, 100, 400, 200], (0, 0), True, "cannot-tell"),
        ([-900, -900, 40, 40], (0, 0), False, "cannot-tell"),
    ],
)
def test_a_small_box_of_a_file_that_was_not_decoded_holds_the_browsers_mark(
    box: list[int], natural: tuple[int, int], painted: bool, verdict: str
) -> None:
    scene = Scene()
    scene.write(NOTE, (40, 300 if box[1] < 300 else 20), GOOD)
    index = scene.page.add("img", box, role="img", selector="#pic")
    row = {"element": index, "natural": list(natural), "complete": True, "address": "/a.jpg"}
    scene.page.measured(images=[row])
    if painted:
        x, y, width, height = box
        noise = np.random.default_rng(7).integers(0, 256, (height, width, 3), dtype=np.uint8)
        scene.shown[y : y + height, x : x + width] = scene.behind[y : y + height, x : x + width] = noise
    answer = word(scene, "broken-image", attribute_for("broken-image", scene.page.build(), index))
    assert answer.verdict == verdict
    assert ",-" not in answer.note


def test_a_scheme_finding_is_agreed_where_the_text_misses_and_disputed_where_it_clears() -> None:
    scene = Scene(scheme="dark", ground=(25, 37, 44))
    gone = scene.write(NOTE, (40, 50), (22, 36, 44))
    fine = scene.write("Another sentence", (40, 90), (220, 225, 230))
    facts = scene.page.build()
    assert word(scene, "color-scheme", attribute_for("scheme-lost-text", facts, gone)).verdict == "agree"
    assert word(scene, "color-scheme", attribute_for("scheme-lost-text", facts, fine)).verdict == "dispute"
    assert word(scene, "color-scheme", attribute_for("card-stays-pale", facts, fine)).verdict == "cannot-tell"
