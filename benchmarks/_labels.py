"""Labelled pages and what it means to be right about one.

A labelled set is a folder with a `labels.json` (schema `evidence/1`): pages, and for each page labels that say of an
element whether a defect of some kind is there (`defect`), is not (`clean`), or cannot be (`inapplicable`). What is not
labelled is unknown and is not scored, except in a set whose `labels_mean` says that every other finding is a candidate.

A label and a finding meet when they are of one kind and their boxes cover each other: at least half of the smaller one.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

Box = tuple[float, float, float, float]

SCORED: Final = ("defect", "clean", "inapplicable")

# Kind of label to the rules (an attribute's first words) and, with a leading `*`, the whole categories that speak of it.
KINDS: Final[Mapping[str, tuple[str, ...]]] = {
    "animation": ("*motion", "blink", "marquee", "meta-refresh"),
    "aria-role": ("aria-roles",),
    "broken-image": ("*broken-image",),
    "button-name": ("button-name", "input-button-name", "aria-command-name"),
    "color-contrast": ("*contrast", "*color-scheme"),
    "content": ("*content",),
    "contrast": ("*contrast", "*color-scheme", "link-in-text-block"),
    "contrast-enhanced": ("*contrast",),
    "css": ("*content", "*a11y", "*contrast"),
    "element-overlap": ("*overlap",),
    "float-wrap": ("*overlap", "*layout-overflow", "*alignment"),
    "focus-visible": ("*focus",),
    "forms": ("*label", "aria-", "duplicate-id", "autocomplete-valid"),
    "frames": ("frame-",),
    "heading-empty": ("empty-heading",),
    "headings": ("empty-heading", "heading-order", "p-as-heading", "page-has-heading-one", "*hierarchy"),
    "html": ("*a11y", "*structure"),
    "image-alt": (
        "image-alt",
        "role-img-alt",
        "svg-img-alt",
        "input-image-alt",
        "object-alt",
        "area-alt",
        "image-redundant",
    ),
    "image-decorative": ("presentation-role-conflict", "image-alt"),
    "image-of-text": ("image-of-text",),
    "keyboard": ("*focus", "tabindex", "skip-link", "scrollable-region-focusable", "nested-interactive", "accesskeys"),
    "label": (
        "label",
        "select-name",
        "aria-input-field-name",
        "aria-toggle-field-name",
        "form-field-multiple-labels",
        "input-button-name",
    ),
    "label-in-name": ("label-content-name-mismatch",),
    "landmark": ("landmark-", "region"),
    "lang": ("html-has-lang", "html-lang-valid", "valid-lang", "html-xml-lang-mismatch"),
    "layout-shift": ("layout-shift",),
    "letter-spacing": ("avoid-inline-spacing",),
    "line-height": ("avoid-inline-spacing",),
    "link-name": ("link-name", "area-alt"),
    "link-text": ("identical-links-same-purpose", "link-name"),
    "links": ("link-", "skip-link", "identical-links-same-purpose", "*focus", "target-size"),
    "lists": ("list", "listitem", "dlitem", "definition-list"),
    "multimedia": ("video-caption", "audio-caption", "no-autoplay-audio"),
    "name": ("button-name", "link-name", "aria-", "label"),
    "orientation-lock": ("css-orientation-lock",),
    "page title": ("document-title",),
    "scrollable-region": ("scrollable-region-focusable",),
    "tables": ("td-", "th-", "table-", "scope-attr-valid", "empty-table-header"),
    "text-clipping": ("*clipping",),
    "text-overflow": ("*clipping", "*overlap", "*layout-overflow"),
    "title": ("document-title",),
    "typography": ("*typography", "avoid-inline-spacing"),
    "viewport-overflow": ("*layout-overflow", "*responsive"),
    "zoom-disabled": ("meta-viewport",),
}
# A criterion of WCAG that our own rules speak of; axe's rules name theirs in their tags.
CRITERIA: Final[Mapping[str, str]] = {"contrast": "1.4.3", "color-scheme": "1.4.3", "focus": "2.4.7", "motion": "2.2.2"}
WHOLE_PAGE: Final = frozenset({"html", "body", "head", "main", "head > meta", "#page"})


@dataclass(frozen=True, kw_only=True)
class Label:
    """kind, expected: as the source says.  selectors: of the elements meant; empty means the whole page.

    widths: the least and greatest viewport width for which it holds.  criteria: of WCAG, for labels of kind `wcag-criterion`.
    """

    kind: str
    expected: str
    selectors: tuple[str, ...]
    widths: tuple[int, int]
    criteria: tuple[str, ...] = ()

    @property
    def whole_page(self) -> bool:
        return not self.selectors or all(selector in WHOLE_PAGE for selector in self.selectors)


@dataclass(frozen=True, kw_only=True)
class Page:
    """path: below the set's folder.  only_in: a selector outside of which nothing is scored."""

    path: str
    labels: tuple[Label, ...]
    only_in: str | None = None


@dataclass(frozen=True, kw_only=True)
class LabelledSet:
    """name: the folder's.  rest_is_clean: every finding that meets no `defect` label counts as a false positive."""

    name: str
    pages: tuple[Page, ...]
    rest_is_clean: bool


@dataclass(frozen=True, kw_only=True)
class Claim:
    """One thing one tool says of one page. box: CSS pixels of the page, None for the page as a whole."""

    rule: str
    category: str
    criteria: tuple[str, ...]
    box: Box | None


def read_sets(data: Path, wanted: Sequence[str]) -> list[LabelledSet]:
    """Every set below `data` (or those wanted), by name. Raises SystemExit where there is none."""
    found = [path.parent for path in sorted(data.glob("*/labels.json")) if not wanted or path.parent.name in wanted]
    if not found:
        raise SystemExit(f"{data} holds no labelled set: no */labels.json there.")
    return [_read_set(folder) for folder in found]


def _read_set(folder: Path) -> LabelledSet:
    document = json.loads((folder / "labels.json").read_text(encoding="utf-8"))
    pages = tuple(_page(page) for page in document["pages"])
    rest_is_clean = "candidate false positive" in document.get("labels_mean", "")
    return LabelledSet(name=folder.name, pages=pages, rest_is_clean=rest_is_clean)


def _page(page: Mapping[str, Any]) -> Page:
    labels = tuple(_label(label) for label in page["labels"] if label["expected"] in SCORED and _is_for_aa(label))
    only_in = "#page" if any(label.get("kind") == "wcag-criterion" for label in page["labels"]) else None
    return Page(path=page["path"], labels=labels, only_in=only_in)


def _is_for_aa(label: Mapping[str, Any]) -> bool:
    # The AAA rule: below 7:1 is its defect, on which a judge of level AA is right to be silent.
    return not (label["kind"] == "contrast-enhanced" and label["expected"] == "defect")


def _label(label: Mapping[str, Any]) -> Label:
    selectors = label.get("selectors") or ([label["selector"]] if label.get("selector") else [])
    low, high = label.get("viewport") or (0, 100_000)
    criteria = tuple(label.get("wcag") or ()) if label["kind"] == "wcag-criterion" else ()
    return Label(
        kind=label["kind"],
        expected=label["expected"],
        selectors=tuple(selectors),
        widths=(low, high),
        criteria=criteria,
    )


def same_kind(label: Label, claim: Claim) -> bool:
    """Whether a claim speaks of what the label is about."""
    if label.kind == "wcag-criterion":
        return any(criterion in label.criteria for criterion in claim.criteria)
    words = KINDS.get(label.kind, (label.kind,))
    return any(_matches(word, claim) for word in words)


def _matches(word: str, claim: Claim) -> bool:
    if word.startswith("*"):
        return claim.category == word[1:]
    return claim.rule == word or (word.endswith("-") and claim.rule.startswith(word))


def meets(label_boxes: Sequence[Box], claim: Claim) -> bool:
    """Whether a claim is about one of these places. A claim about the whole page meets every place."""
    if claim.box is None:
        return True
    return any(_cover(box, claim.box) >= 0.5 for box in label_boxes)


def _cover(a: Box, b: Box) -> float:
    width = min(a[0] + a[2], b[0] + b[2]) - max(a[0], b[0])
    height = min(a[1] + a[3], b[1] + b[3]) - max(a[1], b[1])
    smaller = min(a[2] * a[3], b[2] * b[3])
    if smaller <= 0:  # an element without an area: near enough is there
        return 1.0 if width >= -1 and height >= -1 else 0.0
    return max(0.0, width) * max(0.0, height) / smaller
