"""The reference page of the NLI server says what the server does."""

from __future__ import annotations

import re
from pathlib import Path

from bicameral.interfaces.cli._nli import PORT
from bicameral.interfaces.nli.door import TITLES
from bicameral.interfaces.nli.limits import Limits

DOCS = Path(__file__).parents[3] / "docs"
PAGE = (DOCS / "reference/nli-http.md").read_text("utf-8")


def test_the_limits_are_the_shipped_ones() -> None:
    table = PAGE.partition("## Limits")[2].partition("##")[0]
    said = [float(row.replace(",", "")) for row in re.findall(r"^\| [^|]+ \| ([\d,]+) \|", table, re.MULTILINE)]
    limits = Limits()
    assert said == [
        limits.body_bytes,
        limits.pairs,
        limits.characters,
        limits.queued_pairs,
        limits.requests,
        limits.read_s,
    ]


def test_every_status_is_explained() -> None:
    table = PAGE.partition("| status | when |")[2]
    said = {int(number) for row in re.findall(r"^\| ([\d, ]+) \|", table, re.MULTILINE) for number in row.split(",")}
    assert said == set(TITLES)


def test_the_port_is_the_sidecars() -> None:
    assert PORT == 11435
    assert f"http://127.0.0.1:{PORT}" in (DOCS / "guides/nli-server.md").read_text("utf-8")
