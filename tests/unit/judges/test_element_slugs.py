"""Names of elements: stable, free of positions, one for both instruments."""

from __future__ import annotations

import pytest
from facts_builder import PageBuilder
from hypothesis import given
from hypothesis import strategies as st

from bicameral.dialogue.texts import slug as read_slug
from bicameral.judges.instruments.slug import (
    MOST_CHARACTERS,
    attribute_for,
    kebab,
    shorten,
    slug_of,
    slug_of_selector,
)


def test_an_element_with_a_role_and_a_name_is_called_by_them() -> None:
    page = PageBuilder()
    index = page.add("button", [0, 0, 80, 30], role="button", name="Save & close", landmark="main")
    assert slug_of(page.build(), index) == "button-save-close"


def test_without_a_name_the_landmark_and_the_selector_name_it() -> None:
    page = PageBuilder()
    index = page.add("button", [0, 0, 80, 30], role="button", landmark="form Search", selector="#top form button.go")
    assert slug_of(page.build(), index) == "form-search-top-form-button-go"


def test_without_a_landmark_the_selector_alone_names_it() -> None:
    page = PageBuilder()
    index = page.add("p", [0, 0, 80, 30], selector="p.lead")
    assert slug_of(page.build(), index) == "p-lead"


def test_positions_in_a_selector_do_not_reach_the_name() -> None:
    assert slug_of_selector("ul > li:nth-child(3) > a:first-child") == "ul-li-a"


@pytest.mark.parametrize("role", [None, "generic", "paragraph", "cell", "listitem"])
def test_what_merely_stands_in_an_element_is_no_name(role: str | None) -> None:
    page = PageBuilder()
    index = page.add("td", [0, 0, 80, 30], role=role, name="1,024 visitors", selector="table td.count")
    assert slug_of(page.build(), index) == "table-td-count"


@pytest.mark.parametrize(
    ("tag", "attributes", "slug"),
    [
        ("a", {"href": "/tides/today?x=1"}, "p-a-today"),
        ("a", {"href": "https://example.org/"}, "p-a"),
        ("a", {"href": "#top"}, "p-a"),
        ("input", {"type": "checkbox"}, "p-input-checkbox"),
        ("label", {"for": "town"}, "p-label-town"),
        ("p", {"title": "x", "href": "/a"}, "p-p"),
    ],
)
def test_controls_and_links_without_a_name_are_called_by_what_they_are_for(
    tag: str, attributes: dict[str, str], slug: str
) -> None:
    page = PageBuilder()
    index = page.add(tag, [0, 0, 80, 30], selector=f"p {tag}", attributes=attributes)
    assert slug_of(page.build(), index) == slug


def test_an_id_is_enough() -> None:
    page = PageBuilder()
    index = page.add("input", [0, 0, 80, 30], selector="#q", attributes={"type": "text", "id": "q"})
    assert slug_of(page.build(), index) == "q"


@pytest.mark.parametrize("width", ["-640w", "-1280w", "-640x480", ".3f2a91c0", ""])
def test_the_size_and_digest_of_a_file_are_no_part_of_its_name(width: str) -> None:
    page = PageBuilder()
    index = page.add("img", [0, 0, 80, 30], selector="p img")
    row = {"element": index, "natural": [1, 1], "complete": True, "address": f"/static/harbour{width}.jpg"}
    page.measured(images=[row])
    assert slug_of(page.build(), index) == "p-img-harbour"


def test_the_root_is_the_page() -> None:
    page = PageBuilder()
    page.document["elements"][0]["name"] = "News of the day"
    assert slug_of(page.build(), 0) == "page"


def test_letters_of_any_script_are_kept() -> None:
    assert kebab("Größe ÄNDERN") == "größe-ändern"
    assert kebab("حفظ المستند") == "حفظ-المستند"
    assert kebab("हिन्दी में") == "हिन्दी-में"
    assert kebab("保存する") == "保存する"


def test_a_name_without_letters_falls_back_to_the_selector() -> None:
    page = PageBuilder()
    index = page.add("button", [0, 0, 30, 30], role="button", name="★ ✕", selector="button.close")
    assert slug_of(page.build(), index) == "button-close"


def test_two_long_names_that_begin_alike_stay_two() -> None:
    long = "A heading that goes on and on about one and the same thing until it says "
    one, two = shorten(kebab(long + "this")), shorten(kebab(long + "that"))
    assert one != two
    assert max(len(one), len(two)) <= MOST_CHARACTERS


def test_the_attribute_is_the_rule_and_the_element() -> None:
    page = PageBuilder()
    index = page.add("a", [0, 0, 80, 30], role="link", name="Read more")
    assert attribute_for("color-contrast", page.build(), index) == "color-contrast-link-read-more"


def test_no_element_is_an_index_error() -> None:
    with pytest.raises(IndexError):
        slug_of(PageBuilder().build(), 99)


@given(st.text(max_size=200), st.text(max_size=60), st.sampled_from(["button", None, "heading", "generic"]))
def test_the_reader_of_replies_changes_nothing_in_an_attribute(name: str, selector: str, role: str | None) -> None:
    page = PageBuilder()
    name, selector = (text.encode("utf-8", "replace").decode() for text in (name, selector))
    index = page.add("div", [0, 0, 10, 10], role=role, name=name, selector=selector)
    attribute = attribute_for("a-rule", page.build(), index)
    assert read_slug(attribute) == attribute
    assert len(attribute) <= len("a-rule-") + MOST_CHARACTERS


@given(st.text(max_size=300))
def test_kebab_and_shorten_are_stable_and_never_grow(text: str) -> None:
    once = kebab(text)
    assert kebab(once) == once
    assert len(shorten(once)) <= max(MOST_CHARACTERS, 1)
    assert shorten(once) == shorten(once)
