"""Write the table of ``README.md`` from ``truth.json``.

Answers for the lines between the two marks in ``README.md`` and for nothing else there.

    python demo/make_table.py
"""

from __future__ import annotations

import json
from pathlib import Path

HERE = Path(__file__).parent
BEGIN, END = "<!-- table: begin -->", "<!-- table: end -->"
LANES = {
    "rendering": ("render", "broken-image", "console-error", "color-scheme"),
    "geometry": ("layout-overflow", "overlap", "clipping", "alignment", "spacing", "responsive"),
    "legibility": ("contrast", "typography"),
    "accessibility": ("a11y", "label", "structure", "target-size", "focus", "motion"),
    "craft": ("hierarchy", "consistency", "content"),
}


def cell(found: list[tuple[str, str]]) -> str:
    """``page`` and ``selector`` of each entry, the page named once for a run of entries."""
    parts: list[str] = []
    last = ""
    for page, selector in found:
        parts.append(f"`{selector}`" if page == last else f"{page} `{selector}`")
        last = page
    return ", ".join(parts)


def table(truth: dict[str, list[dict[str, object]]]) -> str:
    """One row a category, in the order of the lanes."""
    places: dict[tuple[str, str], list[tuple[str, str]]] = {}
    for page in truth["pages"]:
        entries = page["entries"]
        assert isinstance(entries, list)
        for entry in entries:
            key = (entry["category"], entry["kind"])
            places.setdefault(key, []).append((str(page["path"]).removesuffix(".html"), entry["selector"]))
    rows = ["| lane | category | defect | near-miss twin, which is fine |", "| --- | --- | --- | --- |"]
    for lane, categories in LANES.items():
        for category in categories:
            defects, twins = places[category, "defect"], places[category, "twin"]
            rows.append(f"| {lane} | `{category}` | {cell(defects)} | {cell(twins)} |")
    return "\n".join(rows)


def main() -> None:
    readme = HERE / "README.md"
    text = readme.read_text(encoding="utf-8")
    truth = json.loads((HERE / "truth.json").read_text(encoding="utf-8"))
    before, rest = text.split(BEGIN)
    _, after = rest.split(END)
    readme.write_text(f"{before}{BEGIN}\n{table(truth)}\n{END}{after}", encoding="utf-8")


if __name__ == "__main__":
    main()
