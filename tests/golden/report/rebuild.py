"""Rebuild the golden reports from `tests/unit/report/report_samples.py`; on an unchanged tree it changes nothing.

    .venv/bin/python tests/golden/report/rebuild.py

The pictures inside the HTML page are replaced by their number: their bytes belong to the WebP encoder at hand.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parents[1] / "unit" / "report"))

from report_samples import clean_report, empty_report, shop_report  # noqa: E402

from bicameral.report.html import render_html  # noqa: E402
from bicameral.report.json import to_json  # noqa: E402
from bicameral.report.terminal import Shell, render_text  # noqa: E402


def golden_reports() -> dict[str, str]:
    """File name to text."""
    shop, pictures = shop_report()
    unchanged, _ = clean_report(cached=True)
    return {
        "shop.json": to_json(shop),
        "shop.html": _without_pictures(render_html(shop, pictures)),
        **{f"shop-{width}.txt": render_text(shop, width, Shell(html="report.html")) for width in (120, 80, 40)},
        "unchanged.json": to_json(unchanged),
        "unchanged-80.txt": render_text(unchanged, 80),
        "nothing-judged.json": to_json(empty_report()),
        "nothing-judged-80.txt": render_text(empty_report(), 80),
    }


def _without_pictures(page: str) -> str:
    numbers: dict[str, int] = {}
    return re.sub(
        "data:image/webp;base64,[A-Za-z0-9+/=]+",
        lambda found: f"data:image/webp;base64,({numbers.setdefault(found[0], len(numbers))})",
        page,
    )


if __name__ == "__main__":
    for name, text in golden_reports().items():
        (HERE / name).write_text(text, "utf-8", newline="\n")
        print(name)
