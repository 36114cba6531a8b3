"""The whole of instruments.py on a set of two pages: captured, located, judged, scored and told."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest
from _labels import read_sets
from _report import SetResult, as_json, errors_of, table
from instruments import measure

PAGE = """<!doctype html><html lang="en"><title>Small</title>
<style>body { font: 16px sans-serif; background: #fff } #pale { color: #bbb } #plain { color: #222 }</style>
<main><h1>Two lines</h1><p id="pale">This line is hard to read.</p><p id="plain">This line is easy to read.</p>
<div id="host"></div></main>
<script>host.attachShadow({mode: "open"}).innerHTML = "<p style='color: #ccc'>So is this one.</p>"</script>
</html>"""
LABELS = [
    {"kind": "contrast", "expected": "defect", "by": "source", "selector": "#pale"},
    {"kind": "contrast", "expected": "clean", "by": "source", "selector": "#plain"},
    {"kind": "contrast", "expected": "defect", "by": "source", "selector": "#host (shadow root)"},
    {"kind": "contrast", "expected": "clean", "by": "source", "selector": "#gone"},
]


def measured(data: Path, state: Path) -> SetResult:
    (result,) = asyncio.run(measure(data, read_sets(data), state, jobs=1))
    return result


@pytest.mark.browser
def test_a_set_is_measured_and_what_cannot_be_opened_is_an_error_of_that_page_alone(tmp_path: Path) -> None:
    folder = tmp_path / "data" / "small"
    folder.mkdir(parents=True)
    (folder / "a.html").write_text(PAGE, encoding="utf-8")
    pages = [{"path": "a.html", "labels": LABELS}, {"path": "missing.html", "labels": []}]
    (folder / "labels.json").write_text(json.dumps({"pages": pages}), encoding="utf-8")

    first = measured(tmp_path / "data", tmp_path / "state")
    assert list(first.errors) == ["missing.html"]
    assert "404" in first.errors["missing.html"]
    score = first.scores["filed"]["a.html"]
    assert [str(label) for label in score.hit] == ["contrast at #pale", "contrast at #host"]
    assert (score.missed, score.flagged, score.clean) == ((), (), 2)
    assert first.nowhere == ["a.html  contrast at #gone"]
    assert first.tally("both agree").counts.hits == 2

    again = measured(tmp_path / "data", tmp_path / "state")
    assert again.scores == first.scores

    said = table([again]) + errors_of([again])
    assert "small: 1 pages, 1 with an error; labels: 2 defect, 2 clean" in said
    assert json.loads(json.dumps(as_json([again])))[0]["accounts"]["filed"]["hits"] == 2
