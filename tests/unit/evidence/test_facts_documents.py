"""Facts are written in one canonical form and read back whole; what is no facts document is refused with its place."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bicameral.errors import EvidenceError
from bicameral.evidence.facts import clean_text, facts_document, read_facts
from bicameral.model.facts import Rect

STYLE: dict[str, Any] = {
    "display": "block", "position": "static", "color": [0, 0, 0, 1], "background": [255, 255, 255, 0.5],
    "background_image": False, "font_px": 16, "weight": 400, "line_height_px": None, "overflow_x": "visible",
    "overflow_y": "visible", "opacity": 1, "visibility": "visible", "text_overflow": "clip", "white_space": "normal",
    "border_radius_px": 0, "border_px": [0, 0, 0, 0], "padding_px": [0, 0, 0, 0], "margin_px": [0, -8, 0, 0],
    "text_align": "start", "z_index": "auto", "font_family": "serif",
}  # fmt: skip
ELEMENT: dict[str, Any] = {
    "tag": "p", "role": "paragraph", "name": None, "region": "content", "landmark": None, "selector": "p", "path": "p",
    "parent": None, "box": [0.5, 1.25, 10, 20], "interactive": False, "disabled": False, "hidden_from_at": False,
    "style": STYLE, "heading_level": None, "attributes": {"id": "a"},
}  # fmt: skip
RUN: dict[str, Any] = {
    "element": 0, "pseudo": None, "text": "Hi", "lines": [[1, 2, 3, 4]], "color": [0, 0, 0, 1], "font_px": 16,
    "weight": 400, "large": False, "opacity": 1, "shadow": False, "background_clip_text": False, "disabled": False,
    "hidden_from_at": False, "clipped_fraction": 0,
}  # fmt: skip
NODE: dict[str, Any] = {"element": 0, "target": "p", "box": [0, 0, 1, 1], "message": "low", "data": {"ratio": 3}}
RESULT: dict[str, Any] = {
    "rule": "color-contrast",
    "impact": "serious",
    "tags": ["wcag2aa"],
    "help": "h",
    "nodes": [NODE],
}
PASS = {"element": None, "ratio": 21}
VALUE: dict[str, Any] = {
    "facts_version": "facts/1",
    "page": {
        "path": "/", "title": "T", "lang": None, "form_factor": "phone", "scheme": "dark", "viewport": [390, 844],
        "document": [390, 900], "settled": True, "tools": {"axe": "4", "browser": "b", "capture": "c"},
    },
    "companion": None, "elements": [ELEMENT], "text_runs": [RUN],
    "axe": {"version": "4", "violations": [RESULT], "incomplete": [], "contrast_passes": [PASS]},
    "geometry": {"scroll_width_px": 390, "client_width_px": 390, "covered": [{"element": 0, "by": None}]},
    "console": [], "failed_requests": [], "aria": "",
}  # fmt: skip


def _with(path: str, value: object) -> dict[str, Any]:
    """A copy of VALUE with one place changed; `path` is dotted, numbers are positions."""
    changed = copy.deepcopy(VALUE)
    at: Any = changed
    *steps, last = [int(step) if step.isdigit() else step for step in path.split(".")]
    for step in steps:
        at = at[step]
    if value is ...:
        del at[last]
    else:
        at[last] = value
    return changed


def test_a_document_is_read_into_values() -> None:
    facts = read_facts(json.dumps(VALUE).encode())
    assert facts.elements[0].box == Rect(0.5, 1.25, 10, 20)
    assert facts.elements[0].style.background.alpha == 0.5
    assert facts.elements[0].attributes["id"] == "a"
    assert facts.axe.violations[0].nodes[0].data == {"ratio": 3}
    assert facts.geometry.covered[0].by is None
    assert facts.geometry.focus == ()


def test_a_box_in_whole_pixels_holds_the_measured_one() -> None:
    box = Rect(0.5, 1.25, 10, 20).to_box()
    assert box.as_list() == [0, 1, 11, 21]
    assert Rect(0.5, 1.25, 10, 20).to_box(2).as_list() == [1, 2, 20, 41]


@pytest.mark.parametrize(
    ("path", "value", "place"),
    [
        ("facts_version", "facts/2", "facts_version: expected 'facts/1'"),
        ("facts_version", ..., "facts_version"),
        ("page.title", 3, "page.title: expected a text"),
        ("page.viewport", [1], "page.viewport: expected a list of 2"),
        ("page.settled", 1, "page.settled: expected true or false"),
        ("elements", {}, "elements: expected a list"),
        ("elements.0", None, "elements[0]: expected an object"),
        ("elements.0.box", [0, 0, 1, "2"], "elements[0].box: expected a finite number"),
        ("elements.0.box", [0, 0, float("nan"), 1], "NaN"),
        ("elements.0.region", "sidebar", "elements[0].region: expected 'content' or"),
        ("elements.0.parent", 0, "elements[0].parent: expected an element before 0"),
        ("elements.0.parent", True, "elements[0].parent: expected a whole number"),
        ("elements.0.heading_level", 1.5, "elements[0].heading_level: expected a whole number"),
        ("elements.0.style.opacity", ..., "elements[0].style.opacity"),
        ("elements.0.attributes", {"id": 3}, "elements[0].attributes.id: expected a text"),
        ("text_runs.0.element", 1, "text_runs[0].element: expected an element before 1"),
        ("text_runs.0.element", -1, "text_runs[0].element"),
        ("text_runs.0.pseudo", "::marker", "text_runs[0].pseudo"),
        ("text_runs.0.lines", [[1, 2, 3]], "text_runs[0].lines[0]: expected a list of 4"),
        ("axe.violations.0.nodes.0.element", 9, "axe.violations[0].nodes[0]"),
        ("axe.violations.0.nodes.0.data", [1], "axe.violations[0].nodes[0].data: expected an object"),
        ("geometry.covered.0.by", 7, "geometry.covered[0].by"),
        ("geometry.scroll_width_px", 10**400, "geometry.scroll_width_px"),
        ("console", None, "console: expected a list"),
    ],
)
def test_what_is_wrong_is_named_by_its_path(path: str, value: object, place: str) -> None:
    with pytest.raises(EvidenceError) as caught:
        read_facts(json.dumps(_with(path, value)).encode())
    assert place in str(caught.value)


def test_several_faults_arrive_together() -> None:
    value = _with("page.title", 3)
    value["aria"] = None
    with pytest.raises(EvidenceError) as caught:
        read_facts(json.dumps(value).encode())
    assert "page.title" in str(caught.value)
    assert "aria" in str(caught.value)


@pytest.mark.parametrize(
    "body",
    [b"", b"{", b"[]", b"null", b"\xff\xfe", b'{"facts_version": NaN}', b'{"a": 1, "a": 2}', b"[" * 100_000],
)
def test_bytes_that_are_no_document_are_refused(body: bytes) -> None:
    with pytest.raises(EvidenceError):
        read_facts(body)


def test_members_of_a_later_writer_are_passed_over() -> None:
    assert read_facts(json.dumps(VALUE | {"future": 1}).encode()).page.path == "/"


@given(st.recursive(st.none() | st.booleans() | st.floats() | st.text(), lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner), max_leaves=8))  # fmt: skip  # noqa: E501
def test_no_value_whatever_raises_anything_but_an_evidence_error(value: object) -> None:
    body = json.dumps(VALUE | {"elements": value}).encode()
    try:
        read_facts(body)
    except EvidenceError as error:
        assert str(error)  # noqa: PT017  # the property is about both outcomes


def _document(**changed: Any) -> bytes:
    parts = {name: VALUE[name] for name in ("page", "companion", "console", "failed_requests", "aria")}
    collected = {name: VALUE[name] for name in ("elements", "text_runs", "axe", "geometry")}
    return facts_document(**{**parts, "origin": "http://127.0.0.1:8000", "collected": collected, **changed})


def test_a_document_has_one_canonical_form() -> None:
    body = _document()
    value = json.loads(body)
    assert body == json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()
    assert value["elements"][0]["box"] == [0.5, 1.25, 10, 20]


def test_numbers_have_at_most_two_decimals_and_no_fraction_where_whole() -> None:
    element = ELEMENT | {"box": [1.005001, 2.0, 1 / 3, 0.1 + 0.2]}
    collected = {"elements": [element], "text_runs": [], "axe": VALUE["axe"]}
    assert b'"box":[1.01,2,0.33,0.3]' in _document(collected=collected)


def test_texts_that_cannot_be_encoded_or_stored_are_mended() -> None:
    page = VALUE["page"] | {"title": "a\x00b\ud800c\U0001f600"}
    assert read_facts(_document(page=page)).page.title == "a\ufffdb\ufffdc\U0001f600"


def test_what_a_page_gave_in_another_shape_is_never_kept() -> None:
    collected = {"elements": "mine now", "text_runs": [], "axe": VALUE["axe"]}
    with pytest.raises(EvidenceError, match="elements: expected a list"):
        _document(collected=collected)


@given(st.text(alphabet=st.characters(), max_size=30))
def test_a_cleaned_text_is_always_encodable_and_stays_clean(text: str) -> None:
    cleaned = clean_text(text)
    assert cleaned.encode().decode() == cleaned
    assert "\x00" not in cleaned
    assert clean_text(cleaned) == cleaned
