"""What a labels.json says, and which words of a judge are of a label's kind."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from _labels import Label, LabelledSet, read_set, read_sets, speaks_of


def row(kind: str = "contrast", expected: str = "defect", **more: Any) -> dict[str, Any]:
    return {"kind": kind, "expected": expected, "by": "source", **more}


def a_set(*rows: dict[str, Any], labels_mean: str = "", **page: Any) -> LabelledSet:
    return read_set("mine", {"labels_mean": labels_mean, "pages": [{"path": "a.html", "labels": list(rows), **page}]})


def labels_of(*rows: dict[str, Any]) -> tuple[Label, ...]:
    return a_set(*rows).pages[0].labels


def says(label: Label, rule: str = "", category: str = "", criteria: tuple[str, ...] = (), axe: bool = False) -> bool:
    return speaks_of(label, rule=rule, category=category, criteria=criteria, by_axe=axe)


def test_a_label_without_a_selector_is_of_the_whole_page() -> None:
    (label,) = labels_of(row())
    assert label.whole_page
    assert label.selectors == ()


@pytest.mark.parametrize("selector", ["html", "body", "main", "head > meta"])
def test_a_label_on_the_root_is_of_the_whole_page(selector: str) -> None:
    assert labels_of(row(selector=selector))[0].whole_page


def test_a_label_on_an_element_is_not_of_the_whole_page() -> None:
    assert not labels_of(row(selector="#a"))[0].whole_page
    assert not labels_of(row(selectors=["body", "#a"]))[0].whole_page


def test_a_remark_after_a_selector_is_no_part_of_it() -> None:
    assert labels_of(row(selector="#host (shadow root)"))[0].selectors == ("#host",)
    assert labels_of(row(selector="p:nth-child(2)"))[0].selectors == ("p:nth-child(2)",)


def test_a_defect_of_level_aaa_is_left_out_and_a_clean_place_of_it_is_kept() -> None:
    assert labels_of(row("contrast-enhanced"), row("wcag-criterion", level="AAA", wcag=["1.4.6"])) == ()
    (kept,) = labels_of(row("contrast-enhanced", "clean"))
    assert kept.is_clean


@pytest.mark.parametrize("expected", ["review", "informative", "incomplete", "see-source"])
def test_a_weaker_word_of_the_source_is_neither_a_defect_nor_clean(expected: str) -> None:
    (label,) = labels_of(row(expected=expected))
    assert not label.is_defect
    assert not label.is_clean


def test_inapplicable_is_clean_and_a_note_without_a_place_is_left_out() -> None:
    assert labels_of(row(expected="inapplicable"))[0].is_clean
    assert labels_of(row("annotation")) == ()


def test_a_set_says_of_itself_whether_the_rest_of_its_pages_is_clean() -> None:
    assert not a_set(row()).rest_is_clean
    assert a_set(row(), labels_mean="every other finding is a candidate false positive").rest_is_clean


def test_pages_judged_by_criterion_are_judged_in_their_main_part_alone() -> None:
    assert a_set(row("wcag-criterion", wcag=["1.4.3"])).pages[0].only_in == "#page"
    assert a_set(row()).pages[0].only_in is None


def test_a_failure_that_is_on_a_linked_page_is_looked_for_there() -> None:
    notes = "The failure is on the linked page more/b.html (saved alongside), not on this one."
    (page,) = a_set(row("lang", selector="#a"), notes=notes).pages
    assert page.path == "more/b.html"
    assert page.labels[0].whole_page


def test_a_rule_of_axe_speaks_by_its_name_and_another_instruments_by_its_category() -> None:
    label = Label(kind="contrast", expected="defect")
    assert says(label, "color-contrast", "contrast", axe=True)
    assert says(label, "color-contrast", "contrast")
    assert not says(label, "link-in-text-block", "contrast", axe=True)
    assert not says(label, "text-overlap", "overlap")


def test_a_kind_that_is_a_rules_own_name_is_met_by_that_rule_alone() -> None:
    label = Label(kind="td-has-header", expected="defect")
    assert says(label, "td-has-header", "structure", axe=True)
    assert not says(label, "td-headers-attr", "structure", axe=True)


def test_a_criterion_is_met_by_whatever_names_it() -> None:
    label = Label(kind="wcag-criterion", expected="defect", criteria=("1.1.1",))
    assert says(label, "image-alt", "label", ("1.1.1",), axe=True)
    assert not says(label, "image-alt", "label", ("2.4.4",), axe=True)
    assert not says(label, "image-alt", "label", axe=True)


def written(folder: Path, name: str, text: str) -> None:
    (folder / name).mkdir()
    (folder / name / "labels.json").write_text(text, encoding="utf-8")


def test_every_set_below_a_folder_is_read_by_name_or_those_that_are_wanted(tmp_path: Path) -> None:
    for name in ("b", "a"):
        written(tmp_path, name, json.dumps({"pages": []}))
    (tmp_path / "not-a-set").mkdir()
    assert [one.name for one in read_sets(tmp_path)] == ["a", "b"]
    assert [one.name for one in read_sets(tmp_path, ["b"])] == ["b"]


def test_a_folder_without_sets_and_a_set_that_is_not_there_are_told(tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match="holds no labelled set"):
        read_sets(tmp_path)
    written(tmp_path, "a", '{"pages": []}')
    with pytest.raises(SystemExit, match="holds no set c; it holds a"):
        read_sets(tmp_path, ["c"])


@pytest.mark.parametrize("text", ["[]", "{}", '{"pages": 3}'])
def test_a_document_without_pages_is_told_by_name(tmp_path: Path, text: str) -> None:
    written(tmp_path, "a", text)
    with pytest.raises(SystemExit, match=r"labels\.json is no set of labels"):
        read_sets(tmp_path)
