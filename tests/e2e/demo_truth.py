"""The demo site's own list of truths, held against what a run found.

`mismatches` names every defect that was not found where it is, and every finding that is no listed defect. A twin that
the proposer is known to misjudge (`filed: disputed`) is to be filed and disputed: neither the false finding nor the
objection may be lost. Run as a
program it checks the site and prints them: `python tests/e2e/demo_truth.py [--state DIR]`.
"""

from __future__ import annotations

import functools
import json
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from bicameral.evidence.store import EvidenceFolder
from bicameral.model.evidence import Box, Shot
from bicameral.model.facts import Facts, parse_facts
from bicameral.model.findings import Finding
from bicameral.model.run import RunReport
from bicameral.runtime.check import run_check
from bicameral.runtime.events import unwatched
from bicameral.runtime.workspace import Workspace
from bicameral.settings import Settings, TargetSettings

DEMO = Path(__file__).resolve().parents[2] / "demo"


@dataclass(frozen=True)
class Entry:
    """One truth: a defect or a near-miss twin. is_disputed: a twin that is to be filed, and disputed."""

    id: str
    path: str
    is_defect: bool
    is_disputed: bool
    category: str
    selectors: tuple[str, ...]
    looks: frozenset[tuple[str, str]]

    @property
    def is_filed(self) -> bool:
        return self.is_defect or self.is_disputed


def read_truth() -> tuple[Entry, ...]:
    document = json.loads((DEMO / "truth.json").read_text(encoding="utf-8"))
    return tuple(_entry(page["path"], row) for page in document["pages"] for row in page["entries"])


def _entry(path: str, row: dict[str, Any]) -> Entry:
    return Entry(
        id=row["id"],
        path=path,
        is_defect=row["kind"] == "defect",
        is_disputed=row.get("filed") == "disputed",
        category=row["category"],
        selectors=(row["selector"], *row.get("other_selectors", ())),
        looks=frozenset((form, scheme) for form in row["form_factors"] for scheme in row["schemes"]),
    )


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        return


@contextmanager
def served_demo() -> Iterator[str]:
    """The demo site on a free loopback port."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(_Quiet, directory=str(DEMO / "site")))
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def check_demo(state: Path) -> tuple[RunReport, EvidenceFolder]:
    """One run of every page by the default judges."""
    routes = tuple(dict.fromkeys(f"/{entry.path}" for entry in read_truth()))
    settings = Settings(project="demo", state_dir=state)
    with served_demo() as address, Workspace.open(settings) as space:
        target = TargetSettings(name="site", url=address, routes=routes)
        return run_check(settings, (target,), space, unwatched), space.evidence


def mismatches(report: RunReport, evidence: EvidenceFolder) -> tuple[list[str], list[str]]:
    """Defects missed and findings too many, each as a line."""
    truth = read_truth()
    shots = {shot.shot_id: shot for shot in report.shots}
    facts: dict[str, Facts] = {}

    def facts_of(shot: Shot) -> Facts:
        if shot.shot_id not in facts:
            assert shot.facts is not None
            facts[shot.shot_id] = parse_facts(json.loads(evidence.read(shot.facts)))
        return facts[shot.shot_id]

    found: set[tuple[str, tuple[str, str]]] = set()
    too_many = []
    for row in report.findings:
        for shot_id in row.finding.shot_ids:
            shot = shots[shot_id]
            entry = _defect_of(row.finding, shot, facts_of(shot), truth)
            if entry is None:
                too_many.append(_line(row.finding, shot))
            else:
                found.add((entry.id, (shot.form_factor, shot.scheme)))
    missed = [
        f"{entry.id} ({entry.category}, {entry.path} {entry.selectors[0]}) on {' '.join(look)}"
        for entry in truth
        if entry.is_filed
        for look in sorted(entry.looks)
        if (entry.id, look) not in found
    ]
    return missed, too_many


def _defect_of(finding: Finding, shot: Shot, facts: Facts, truth: tuple[Entry, ...]) -> Entry | None:
    disputed = finding.consensus is not None and finding.consensus.disputed
    for entry in truth:
        if not entry.is_filed or f"/{entry.path}" != shot.route or entry.category != finding.category:
            continue
        here = disputed == entry.is_disputed and (shot.form_factor, shot.scheme) in entry.looks
        if here and _is_there(finding, shot, facts, entry):
            return entry
    return None


def _is_there(finding: Finding, shot: Shot, facts: Facts, entry: Entry) -> bool:
    """Whether the finding's box lies on an element that the entry names.

    What lies outside the picture has no box there, and neither has a script or the page as a whole.
    """
    box = finding.box_on(shot.shot_id)
    boxes = [
        element.box.to_box()
        for element in facts.elements
        for selector in entry.selectors
        if selector == f"#{element.attributes.get('id')}"
    ]
    if box is None:
        return all(other.x + other.width <= 0 or other.x >= shot.width_px for other in boxes)
    return any(_meet(box, other) for other in boxes)


def _meet(a: Box, b: Box) -> bool:
    width = min(a.x + a.width, b.x + b.width) - max(a.x, b.x)
    height = min(a.y + a.height, b.y + b.height) - max(a.y, b.y)
    smaller = max(1, min(a.width * a.height, b.width * b.height))
    return width > 0 and height > 0 and width * height >= smaller / 2


def _line(finding: Finding, shot: Shot) -> str:
    return f"{shot.route} {shot.form_factor} {shot.scheme}: {finding.oracle} {finding.category} {finding.attribute}"


def main() -> None:
    state = Path(sys.argv[2]) if sys.argv[1:2] == ["--state"] else Path(tempfile.mkdtemp())
    report, evidence = check_demo(state)
    missed, too_many = mismatches(report, evidence)
    print(f"{report.summary.findings} findings; {len(missed)} missed, {len(too_many)} too many")
    print(*(f"missed    {line}" for line in missed), sep="\n")
    print(*(f"too many  {line}" for line in too_many), sep="\n")


if __name__ == "__main__":
    main()
