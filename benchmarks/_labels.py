"""Labelled pages: what their labels say, and which words of a judge speak of the same thing.

A labelled set is a folder with a `labels.json` (schema `evidence/1`): pages, and for each page labels that say of an
element whether a defect of some kind is there (`defect`), is not (`clean`), or cannot be (`inapplicable`). What is not
labelled is unknown and is not scored, except in a set whose `labels_mean` says that every other finding is a candidate.

Answers for reading labels and for their kinds. Declines to open a page: where a label lies is `_pages`'s, and what
comes of it `_scoring`'s.

Rules, in order:
1. Level AAA is not asked for: its defects are left out, its clean places are clean for level AA too.
2. `review`, `informative`, `incomplete` and `see-source` are weaker words: they score nothing, and what is said there
   is no false positive either.
3. Notes without a place (`annotation`) are left out.
4. Where a page's `notes` say that the failure is on a page it links to, that page is the one that is judged, whole.
"""

from __future__ import annotations

import json
import posixpath
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

WRONG: Final = "defect"
RIGHT: Final = ("clean", "inapplicable")
UNSCORED_KINDS: Final = frozenset({"annotation"})

# Kind of label to the rules of axe-core that speak of it (`aria-` stands for all that begin so) and, with a leading
# `*`, to the categories in which the other instruments do. A kind that is not here is a rule's own name.
KINDS: Final[Mapping[str, tuple[str, ...]]] = {
    "animation": ("*motion", "blink", "marquee", "meta-refresh"),
    "aria-role": ("aria-roles",),
    "broken-image": ("*broken-image",),
    "button-name": ("button-name", "input-button-name", "aria-command-name"),
    "color-contrast": ("color-contrast", "*contrast", "*color-scheme"),
    "content": ("*content",),
    "contrast": ("color-contrast", "*contrast", "*color-scheme"),
    "contrast-enhanced": ("color-contrast", "*contrast"),
    "css": ("*clipping", "*layout-overflow"),
    "element-overlap": ("*overlap",),
    "float-wrap": ("*overlap", "*layout-overflow", "*alignment"),
    "focus-visible": ("*focus",),
    "forms": (
        "label",
        "select-name",
        "aria-input-field-name",
        "form-field-multiple-labels",
        "label-title-only",
        "autocomplete-valid",
        "color-contrast",
        "*contrast",
    ),
    "frames": ("frame-title", "frame-title-unique"),
    "heading-empty": ("empty-heading",),
    "headings": ("empty-heading", "heading-order", "p-as-heading", "page-has-heading-one"),
    "html": (),  # ways of writing that no rule of anybody here looks at
    "image-alt": ("image-alt", "role-img-alt", "svg-img-alt", "input-image-alt", "object-alt", "area-alt"),
    "image-decorative": (),  # whether an image says something is for a person
    "image-of-text": (),
    "keyboard": (
        "*focus",
        "tabindex",
        "skip-link",
        "scrollable-region-focusable",
        "nested-interactive",
        "accesskeys",
        "focus-order-semantics",
    ),
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
    "layout-shift": (),
    "letter-spacing": ("avoid-inline-spacing",),
    "line-height": ("avoid-inline-spacing",),
    "link-name": ("link-name", "area-alt"),
    "link-text": ("identical-links-same-purpose", "link-name"),
    "links": ("link-name", "link-in-text-block", "identical-links-same-purpose", "skip-link"),
    "lists": ("list", "listitem", "dlitem", "definition-list"),
    "multimedia": ("video-caption", "audio-caption", "no-autoplay-audio", "*motion"),
    "name": ("button-name", "link-name", "input-image-alt", "input-button-name", "aria-", "label"),
    "orientation-lock": ("css-orientation-lock",),
    "page title": ("document-title",),
    "scrollable-region": ("scrollable-region-focusable",),
    "tables": ("td-", "th-", "table-", "scope-attr-valid", "empty-table-header"),
    "text-clipping": ("*clipping",),
    "text-overflow": ("*clipping", "*overlap", "*layout-overflow"),
    "title": ("document-title",),
    "typography": ("*typography", "*motion", "avoid-inline-spacing", "blink", "marquee"),
    "viewport-overflow": ("*layout-overflow", "*responsive"),
    "visual-reference": (),
    "zoom-disabled": ("meta-viewport",),
}
# Criteria of WCAG that the other instruments' categories speak of; axe's rules name theirs in their tags.
CRITERIA: Final[Mapping[str, tuple[str, ...]]] = {
    "contrast": ("1.4.3",),
    "color-scheme": ("1.4.3",),
    "focus": ("2.4.7",),
    "motion": ("2.2.2",),
}
WHOLE_PAGE: Final = frozenset({"html", "body", "head", "main", "head > meta", "#page"})
_ELSEWHERE: Final = re.compile(r"failure is on the linked page (\S+\.html?)\b")
_NOTE: Final = re.compile(r"\s\([^()]*\)$")  # "#host (shadow root)"


@dataclass(frozen=True, kw_only=True)
class Label:
    """kind, expected: as the source says.  selectors: of the elements meant; empty means the whole page.

    widths: the least and greatest viewport width for which it holds.  criteria: of WCAG, where the kind is a criterion.
    """

    kind: str
    expected: str
    selectors: tuple[str, ...] = ()
    widths: tuple[int, int] = (0, 100_000)
    criteria: tuple[str, ...] = ()

    @property
    def whole_page(self) -> bool:
        return all(selector in WHOLE_PAGE for selector in self.selectors)

    @property
    def is_defect(self) -> bool:
        return self.expected == WRONG

    @property
    def is_clean(self) -> bool:
        return self.expected in RIGHT

    def __str__(self) -> str:
        where = ", ".join(self.selectors) or "page"
        return f"{self.kind} {' '.join(self.criteria)} at {where}" if self.criteria else f"{self.kind} at {where}"


@dataclass(frozen=True, kw_only=True)
class Page:
    """path: below the set's folder.  only_in: a selector outside of which nothing is scored.

    viewports: widths to look at, where the source names some; empty for any.
    """

    path: str
    labels: tuple[Label, ...]
    only_in: str | None = None
    viewports: tuple[int, ...] = ()


@dataclass(frozen=True, kw_only=True)
class LabelledSet:
    """name: the folder's.  rest_is_clean: every finding that meets no label counts as a false positive."""

    name: str
    pages: tuple[Page, ...]
    rest_is_clean: bool = False


def read_sets(data: Path, wanted: Sequence[str] = ()) -> list[LabelledSet]:
    """Every set below `data` (or those wanted), by name. Raises SystemExit where one that is wanted is not there."""
    found = {path.parent.name: path for path in sorted(data.glob("*/labels.json"))}
    if not found:
        raise SystemExit(f"{data} holds no labelled set: no */labels.json there.")
    unknown = [name for name in wanted if name not in found]
    if unknown:
        raise SystemExit(f"{data} holds no set {', '.join(unknown)}; it holds {', '.join(found)}.")
    return [read_set(name, _load(path)) for name, path in found.items() if not wanted or name in wanted]


def read_set(name: str, document: Mapping[str, Any]) -> LabelledSet:
    """One labels.json."""
    pages = tuple(_page(page) for page in document["pages"])
    return LabelledSet(
        name=name, pages=pages, rest_is_clean="candidate false positive" in document.get("labels_mean", "")
    )


def _load(path: Path) -> Mapping[str, Any]:
    document = json.loads(path.read_text(encoding="utf-8"))
    if not isinstance(document, dict) or not isinstance(document.get("pages"), list):
        raise SystemExit(f"{path} is no set of labels: it has no list of pages.")
    return document


def _page(page: Mapping[str, Any]) -> Page:
    rows = page["labels"]
    labels = tuple(_label(row) for row in rows if row["kind"] not in UNSCORED_KINDS and not _is_aaa_defect(row))
    only_in = "#page" if any(row["kind"] == "wcag-criterion" for row in rows) else None
    path = page["path"]
    if linked := _ELSEWHERE.search(page.get("notes") or ""):
        path = posixpath.normpath(linked[1])
        labels = tuple(replace(label, selectors=()) for label in labels)
    return Page(path=path, labels=labels, only_in=only_in, viewports=tuple(page.get("viewports") or ()))


def _is_aaa_defect(row: Mapping[str, Any]) -> bool:
    """Below 7:1 is a defect at level AAA, on which a judge of level AA is right to be silent."""
    return row["expected"] == WRONG and (row["kind"] == "contrast-enhanced" or row.get("level") == "AAA")


def _label(row: Mapping[str, Any]) -> Label:
    selectors = row.get("selectors") or ([row["selector"]] if row.get("selector") else [])
    low, high = row.get("viewport") or (0, 100_000)
    return Label(
        kind=row["kind"],
        expected=row["expected"],
        selectors=tuple(_NOTE.sub("", selector).strip() for selector in selectors),
        widths=(low, high),
        criteria=tuple(row.get("wcag") or ()) if row["kind"] == "wcag-criterion" else (),
    )


def speaks_of(label: Label, *, rule: str, category: str, criteria: Sequence[str], by_axe: bool) -> bool:
    """Whether what a judge filed is of the label's kind. by_axe: `rule` is one of axe-core's."""
    if label.kind == "wcag-criterion":
        return any(criterion in label.criteria for criterion in criteria)
    for word in KINDS.get(label.kind, (label.kind,)):
        if word.startswith("*"):
            if not by_axe and category == word[1:]:
                return True
        elif by_axe and (rule == word or (word.endswith("-") and rule.startswith(word))):
            return True
    return False
