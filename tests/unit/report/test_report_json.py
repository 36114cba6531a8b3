"""The JSON document is DESIGN 11's row, and the reference page describes it to the member."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest
from report_samples import clean_report, empty_report, shop_report

from bicameral.model.findings import RejectedRow
from bicameral.model.run import RunReport
from bicameral.report.json import report_document, to_json

PAGE = Path(__file__).parents[3] / "docs" / "reference" / "check-json.md"

PROMISED = "run_id findings clean_shot_ids unaccounted batches spend summary"
PROMISED_FINDING = (
    "issue sighting shot_id category attribute region severity title problem expected observed confidence box status "
    "oracle consensus"
)
PROMISED_BATCH = "view dialogued undialogued_reason unruled cached dialog_id wire_digest"
PROMISED_CONSENSUS = "reported_by agreed_by disputed_by amended_by undecided_by rounds"


def schema() -> dict:
    return json.loads(re.search(r"```json\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)[1])


def faults(value: object, rule: dict, root: dict, where: str = "$") -> list[str]:
    """What a document breaks of the schema words that the page uses, each with its place."""
    if "$ref" in rule:
        return faults(value, root["$defs"][rule["$ref"].rsplit("/", 1)[1]], root, where)
    if "anyOf" in rule:
        tried = [faults(value, one, root, where) for one in rule["anyOf"]]
        return [] if any(not one for one in tried) else min(tried, key=len)
    if "enum" in rule:
        fits = any(value == word and type(value) is type(word) for word in rule["enum"])
        return [] if fits else [f"{where}: {value!r}"]
    kinds = {
        "object": dict, "array": list, "string": str, "boolean": bool, "integer": int, "number": (int, float),
        "null": type(None),
    }  # fmt: skip
    if not isinstance(value, kinds[rule["type"]]) or (isinstance(value, bool) and rule["type"] != "boolean"):
        return [f"{where}: {value!r} is no {rule['type']}"]
    said = []
    if isinstance(value, dict):
        known, other = rule.get("properties", {}), rule.get("additionalProperties")
        said += [f"{where}: {name} is missing" for name in rule.get("required", ()) if name not in value]
        for name, member in value.items():
            if name in known or isinstance(other, dict):
                said += faults(member, known.get(name, other), root, f"{where}.{name}")
            else:
                said.append(f"{where}: {name} is not described")
    elif isinstance(value, list):
        if not rule.get("minItems", 0) <= len(value) <= rule.get("maxItems", len(value)):
            said.append(f"{where}: {len(value)} items")
        for index, item in enumerate(value):
            said += faults(item, rule["items"], root, f"{where}[{index}]")
    elif isinstance(value, str) and not re.search(rule.get("pattern", ""), value):
        said.append(f"{where}: {value!r} does not match")
    elif isinstance(value, int | float) and not rule.get("minimum", value) <= value <= rule.get("maximum", value):
        said.append(f"{where}: {value} is out of range")
    return said


def everything() -> RunReport:
    report, _ = shop_report()
    rejected = (RejectedRow(reason="A dispute needs a note.", row='{"index":0}', where="verdicts[0]"),)
    return replace(report, batches=(replace(report.batches[0], rejected=rejected), *report.batches[1:]))


@pytest.mark.parametrize("report", [everything(), clean_report()[0], clean_report(cached=True)[0], empty_report()])
def test_the_document_is_what_the_reference_page_describes(report: RunReport) -> None:
    document = json.loads(to_json(report))
    assert faults(document, schema(), schema()) == []
    assert document == report_document(report)


def test_the_schema_refuses_what_it_does_not_describe() -> None:
    document = json.loads(to_json(everything()))
    document["findings"][0]["box"] = [1, 2, 3]
    document["findings"][1]["severity"] = "grave"
    document["findings"][2]["extra"] = 1
    del document["summary"]["open"]
    document["batches"][0]["cached"] = 0
    assert len(faults(document, schema(), schema())) == 5


def test_every_promised_member_is_there() -> None:
    document = report_document(everything())
    assert set(PROMISED.split()) <= document.keys()
    for finding in document["findings"]:
        assert set(PROMISED_FINDING.split()) <= finding.keys()
        if finding["consensus"] is not None:
            assert set(PROMISED_CONSENSUS.split()) == finding["consensus"].keys()
    for batch in document["batches"]:
        assert set(PROMISED_BATCH.split()) <= batch.keys()


@pytest.mark.parametrize(
    ("heading", "path"),
    [
        ("The document", ()),
        ("A finding", ("$defs", "finding")),
        ("A consensus", ("$defs", "consensus")),
        ("A batch", ("$defs", "batch")),
    ],
)
def test_the_tables_of_the_page_list_the_members_of_its_schema(heading: str, path: tuple[str, ...]) -> None:
    section = PAGE.read_text("utf-8").split(f"## {heading}\n")[1].split("\n## ")[0]
    described = schema()
    for step in path:
        described = described[step]
    assert re.findall(r"^\| `(\w+)`", section, re.MULTILINE) == list(described["properties"])


def test_a_dissent_carries_its_adjudication_only_where_it_was_weighed() -> None:
    said = {one["title"]: one["consensus"] for one in report_document(everything())["findings"]}
    (disputed,) = said["“per month” is too faint on the card"]["disputed_by"]
    assert disputed["note"] == "7.3:1 measured at 312,88"
    assert disputed["adjudication"]["verdict"] == "genuine"
    assert set(said["The close button is smaller than a fingertip"]["amended_by"][0]) == {"oracle", "note"}
    assert said["Menu items step to the right"] is None


def test_the_text_is_ascii_and_holds_what_was_written_whole() -> None:
    report = everything()
    nasty = "\x1b[2J\u202e<script>\ud800 ü \u2028"
    first = replace(report.findings[0], finding=replace(report.findings[0].finding, title=nasty))
    text = to_json(replace(report, findings=(first, *report.findings[1:])))
    assert text.isascii()
    assert "\x1b" not in text
    assert text.endswith("}\n")
    assert json.loads(text)["findings"][0]["title"] == nasty


def test_unruled_numbers_name_findings_of_their_batch() -> None:
    document = report_document(everything())
    (number,) = document["batches"][1]["unruled"]
    (finding,) = [one for one in document["findings"] if (one["batch"], one["number"]) == (1, number)]
    assert finding["title"] == "The e-mail field has no label"
