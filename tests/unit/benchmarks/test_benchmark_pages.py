"""Which form factors a labelled page is looked at, where it is served, and what makes a capture of it stale."""

from __future__ import annotations

import json
import urllib.request
from pathlib import Path

import pytest
from _claims import criteria_of
from _incompletes import outcome_of, read_index, with_nodes
from _labels import Label, LabelledSet, Page
from _pages import form_factors_for, forms_of
from _site import digest_of_files, route_of, served


def page(*widths: tuple[int, int], viewports: tuple[int, ...] = ()) -> Page:
    labels = tuple(Label(kind="overlap", expected="defect", widths=one) for one in widths)
    return Page(path="a b.html", labels=labels, viewports=viewports)


@pytest.mark.parametrize(
    ("looked_at", "forms"),
    [
        (page(), ("desktop", "phone")),
        (page((0, 100_000)), ("desktop", "phone")),
        (page((320, 640)), ("desktop", "phone")),
        (page((600, 1400)), ("desktop", "tablet", "phone")),
        (page(viewports=(1280,)), ("desktop",)),
        (page(viewports=(412,)), ("phone",)),
        (page(viewports=(1280, 375)), ("desktop", "phone")),
    ],
)
def test_a_page_is_looked_at_as_its_labels_and_its_own_viewports_ask(looked_at: Page, forms: tuple[str, ...]) -> None:
    assert form_factors_for(looked_at) == forms


def test_a_label_holds_for_the_form_factors_in_its_range_or_else_for_the_nearest() -> None:
    forms = ("desktop", "phone")
    assert forms_of(Label(kind="a", expected="defect", widths=(320, 640)), forms) == ("phone",)
    assert forms_of(Label(kind="a", expected="defect", widths=(1200, 1300)), forms) == ("desktop",)
    assert forms_of(Label(kind="a", expected="defect"), forms) == forms


def test_a_route_is_quoted_and_keeps_its_query() -> None:
    labelled = LabelledSet(name="my set", pages=())
    assert route_of(labelled, page()) == "/my%20set/a%20b.html"
    assert route_of(labelled, Page(path="a.html?delay=2", labels=())) == "/my%20set/a.html?delay=2"


def test_a_folder_is_served_on_loopback(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("hello")
    with served(tmp_path) as address, urllib.request.urlopen(f"{address}/a.txt") as answer:
        assert address.startswith("http://127.0.0.1:")
        assert answer.read() == b"hello"


def test_a_changed_renamed_or_added_file_changes_the_digest_of_a_folder(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text("one")
    digests = [digest_of_files(tmp_path)]
    (tmp_path / "a.html").write_text("two")
    digests.append(digest_of_files(tmp_path))
    (tmp_path / "a.html").rename(tmp_path / "b.html")
    digests.append(digest_of_files(tmp_path))
    (tmp_path / "c.html").write_text("")
    digests.append(digest_of_files(tmp_path))
    assert len(set(digests)) == 4
    assert digest_of_files(tmp_path) == digests[-1]


def test_criteria_are_read_from_axes_tags() -> None:
    assert criteria_of(["wcag2aa", "wcag143", "wcag1410", "wcag22aa", "best-practice"]) == ("1.4.3", "1.4.10")


@pytest.mark.parametrize(
    ("truth", "word", "outcome"),
    [
        ("defect", "agree", "right"),
        ("defect", "dispute", "wrong"),
        ("defect", "cannot-tell", "open"),
        ("clean", "dispute", "right"),
        ("clean", "agree", "wrong"),
        ("clean", "cannot-tell", "open"),
        ("inapplicable", "cannot-tell", "right"),
        ("inapplicable", "agree", "wrong"),
        (None, "agree", "unknown truth, settled"),
        (None, "cannot-tell", "unknown truth, open"),
    ],
)
def test_a_word_on_an_incomplete_is_right_wrong_or_open(truth: str | None, word: str, outcome: str) -> None:
    assert outcome_of(truth, word) == outcome


def test_an_index_of_incompletes_is_read_by_page_and_without_one_nothing_is_asked(tmp_path: Path) -> None:
    assert read_index(tmp_path) == {}
    rows = [
        {"set": "s", "page": "a.html", "axe_rule": "color-contrast", "selector": "#a", "truth": "ask-pixels"},
        {"set": "s", "page": "a.html", "axe_rule": "css-orientation-lock", "selector": "html", "truth": None},
    ]
    (tmp_path / "incomplete-index.json").write_text(json.dumps({"nodes": rows}))
    ((key, nodes),) = read_index(tmp_path).items()
    assert key == ("s", "a.html")
    assert [(node.selector, node.truth) for node in nodes] == [("#a", None)]
    assert with_nodes(page(), nodes).labels[0].selectors == ("#a",)
