"""Axe's incompletes: how many of them the picture settles, and how many it settles wrongly.

`incomplete-index.json` beside the sets lists nodes on which axe-core cannot tell, with the truth where one is known.
For each the `pixels` instrument is asked as a challenger is: a finding that the text is unreadable is put to it.
Agreeing says defect, disputing says clean (or that the text is exempt), cannot-tell leaves it open.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal

from _labels import Label, LabelledSet, Page
from _scoring import Place

from bicameral.judges.instruments.instrument import Instrument, Look
from bicameral.judges.instruments.slug import attribute_for
from bicameral.model.facts import Rect
from bicameral.model.findings import Finding

INDEX: Final = "incomplete-index.json"
MEASURABLE: Final = frozenset({"color-contrast"})
WANTED: Final[Mapping[str, str]] = {"defect": "agree", "clean": "dispute", "inapplicable": "dispute"}

Outcome = Literal["right", "wrong", "open", "unknown truth, settled", "unknown truth, open", "not found"]


@dataclass(frozen=True, kw_only=True)
class Node:
    """One node that axe leaves open. truth: `defect`, `clean`, `inapplicable`, or None where nobody says."""

    path: str
    selector: str
    truth: str | None

    @property
    def label(self) -> Label:
        return Label(kind="incomplete", expected="incomplete", selectors=(self.selector,))


@dataclass(frozen=True, kw_only=True)
class Answered:
    """What the picture said of one node. word: its ruling.  note: the reason, in its own words."""

    node: Node
    outcome: Outcome
    word: str = ""
    note: str = ""


def read_index(data: Path) -> dict[tuple[str, str], list[Node]]:
    """Set and page to the nodes there, of the rules a picture can measure; empty where there is no index."""
    place = data / INDEX
    if not place.is_file():
        return {}
    found: dict[tuple[str, str], list[Node]] = {}
    for row in json.loads(place.read_text(encoding="utf-8"))["nodes"]:
        if row["axe_rule"] in MEASURABLE:
            found.setdefault((row["set"], row["page"]), []).append(_node(row))
    return found


def _node(row: Mapping[str, Any]) -> Node:
    truth = row["truth"] if row["truth"] in WANTED else None
    return Node(path=row["page"], selector=row["selector"], truth=truth)


def with_nodes(page: Page, nodes: Sequence[Node]) -> Page:
    """The page with a label more for each node, so that the nodes' places are found along with the labels'."""
    return Page(
        path=page.path,
        labels=(*page.labels, *(node.label for node in nodes)),
        only_in=page.only_in,
        viewports=page.viewports,
    )


def ask(pixels: Instrument, looks: Sequence[Look], node: Node, places: Mapping[str, Place]) -> Answered:
    """Put the node to the picture on the first shot on which it lies."""
    for look in looks:
        place = places.get(look.shot.form_factor)
        if place is None or look.facts is None or not (place.elements or place.boxes):
            continue
        finding = _finding(look, place)
        answer = pixels.rule([look], [finding])[0].get(look.shot.shot_id)
        word = "cannot-tell" if answer is None else answer.verdict
        note = "" if answer is None else answer.note
        return Answered(node=node, outcome=outcome_of(node.truth, word), word=word, note=note)
    return Answered(node=node, outcome="not found")


def outcome_of(truth: str | None, word: str) -> Outcome:
    """A text that the rule does not apply to is rightly left open too: nothing is wrong, and nothing said to be."""
    if truth is None:
        return "unknown truth, open" if word == "cannot-tell" else "unknown truth, settled"
    if word == "cannot-tell":
        return "right" if truth == "inapplicable" else "open"
    return "right" if word == WANTED[truth] else "wrong"


def _finding(look: Look, place: Place) -> Finding:
    assert look.facts is not None
    box = look.box(Rect(*place.boxes[0])) if place.boxes else None
    attribute = attribute_for("color-contrast", look.facts, place.elements[0]) if place.elements else "color-contrast"
    return Finding(
        shot_id=look.shot.shot_id,
        category="contrast",
        attribute=attribute,
        severity="medium",
        title="Text contrast too low",
        problem="The text is hard to read against its background.",
        confidence="high",
        box=box,
    )


def known_sets(data: Path, sets: Sequence[LabelledSet]) -> dict[tuple[str, str], list[Node]]:
    """The index, restricted to these sets."""
    names = {labelled.name for labelled in sets}
    return {key: nodes for key, nodes in read_index(data).items() if key[0] in names}
