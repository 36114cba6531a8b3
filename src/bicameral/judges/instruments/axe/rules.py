"""What each rule of axe-core 4.14 is called here: its category, and a plain title and problem.

Answers for every rule of axe-core 4.14.1; a rule of another version falls back to `a11y` and axe's own words.
Rules that are facts and not findings, and why, are in NOT_FILED.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final


@dataclass(frozen=True)
class Wording:
    """category: of the closed vocabulary.  title: without the element.  problem: what it does to a reader."""

    category: str
    title: str
    problem: str


_NAME = "Assistive technology announces it without saying what it is for."
_IGNORED = "Assistive technology ignores the markup or announces something else than is shown."
_LANDMARK = "People who move by landmarks are led to the wrong place."
_TABLE = "Screen readers cannot tie the cells of the table to their headers."

RULES: Final[Mapping[str, Wording]] = MappingProxyType(
    {
        "accesskeys": Wording("a11y", "Access key used twice", "Only one of the elements can be reached by the key."),
        "area-alt": Wording("label", "Image map area without a name", _NAME),
        "aria-allowed-attr": Wording("a11y", "ARIA attribute that the role does not support", _IGNORED),
        "aria-allowed-role": Wording("a11y", "ARIA role that does not suit the element", _IGNORED),
        "aria-braille-equivalent": Wording("a11y", "Braille label without a spoken equivalent", _IGNORED),
        "aria-command-name": Wording("label", "Control without a name", _NAME),
        "aria-conditional-attr": Wording("a11y", "ARIA attribute used against its role", _IGNORED),
        "aria-deprecated-role": Wording("a11y", "Deprecated ARIA role", _IGNORED),
        "aria-dialog-name": Wording("label", "Dialog without a name", _NAME),
        "aria-hidden-body": Wording(
            "a11y", "Page hidden from assistive technology", "Nothing on the page is announced."
        ),
        "aria-hidden-focus": Wording(
            "a11y",
            "Focusable element hidden from assistive technology",
            "Focus lands on something that is not announced.",
        ),
        "aria-input-field-name": Wording("label", "Input without a name", _NAME),
        "aria-meter-name": Wording("label", "Meter without a name", _NAME),
        "aria-progressbar-name": Wording("label", "Progress bar without a name", _NAME),
        "aria-prohibited-attr": Wording("a11y", "ARIA attribute where it is not allowed", _IGNORED),
        "aria-required-attr": Wording(
            "a11y", "Required ARIA attribute missing", "The state of the control is not announced."
        ),
        "aria-required-children": Wording("structure", "ARIA role without its required children", _IGNORED),
        "aria-required-parent": Wording("structure", "ARIA role outside its required parent", _IGNORED),
        "aria-roledescription": Wording("a11y", "Role description on an element without a role", _IGNORED),
        "aria-roles": Wording("a11y", "ARIA role that does not exist", _IGNORED),
        "aria-tab-name": Wording("label", "Tab without a name", _NAME),
        "aria-text": Wording("a11y", "Text role around something focusable", _IGNORED),
        "aria-toggle-field-name": Wording("label", "Toggle without a name", _NAME),
        "aria-tooltip-name": Wording("label", "Tooltip without a name", _NAME),
        "aria-treeitem-name": Wording("label", "Tree item without a name", _NAME),
        "aria-valid-attr": Wording("a11y", "ARIA attribute that does not exist", _IGNORED),
        "aria-valid-attr-value": Wording("a11y", "ARIA attribute with an invalid value", _IGNORED),
        "audio-caption": Wording("a11y", "Audio without captions", "What is said cannot be read."),
        "autocomplete-valid": Wording(
            "a11y", "Autocomplete value that does not exist", "The browser cannot fill in the field."
        ),
        "avoid-inline-spacing": Wording(
            "typography", "Text spacing fixed inline", "Readers who need wider spacing cannot have it."
        ),
        "blink": Wording("motion", "Blinking text", "Text that blinks cannot be read in peace, nor stopped."),
        "button-name": Wording("label", "Button without a name", _NAME),
        "bypass": Wording(
            "structure", "No way past repeated blocks", "Keyboard users pass every link of the header each time."
        ),
        "color-contrast": Wording(
            "contrast", "Text contrast too low", "The text is hard to read against its background."
        ),
        "color-contrast-enhanced": Wording(
            "contrast", "Text contrast below the enhanced level", "The text is hard to read against its background."
        ),
        "css-orientation-lock": Wording(
            "responsive", "Orientation locked", "People whose device is mounted the other way cannot use the page."
        ),
        "definition-list": Wording("structure", "Definition list with other content in it", _IGNORED),
        "dlitem": Wording("structure", "Definition outside a definition list", _IGNORED),
        "document-title": Wording(
            "structure", "Page without a title", "Tabs, history and screen readers cannot name the page."
        ),
        "duplicate-id": Wording("a11y", "Id used twice", "References reach only the first of the elements."),
        "duplicate-id-active": Wording(
            "a11y", "Id of a control used twice", "References reach only the first of the elements."
        ),
        "duplicate-id-aria": Wording(
            "a11y", "Id that ARIA or a label refers to used twice", "The label or description is of another element."
        ),
        "empty-heading": Wording("structure", "Empty heading", "People who move by headings land on nothing."),
        "empty-table-header": Wording("structure", "Empty table header", _TABLE),
        "focus-order-semantics": Wording("a11y", "Focusable element without a fitting role", _NAME),
        "form-field-multiple-labels": Wording(
            "label", "Form field with several labels", "Only some of the labels are announced."
        ),
        "frame-focusable-content": Wording(
            "a11y", "Frame that the keyboard cannot enter", "Its controls cannot be reached."
        ),
        "frame-tested": Wording("a11y", "Frame that was not tested", "Its content is unknown."),
        "frame-title": Wording("label", "Frame without a title", _NAME),
        "frame-title-unique": Wording("label", "Frames with one title", "The frames cannot be told apart by name."),
        "heading-order": Wording(
            "structure", "Heading level skipped", "People who move by headings look for a section that is not there."
        ),
        "hidden-content": Wording("a11y", "Hidden content that was not tested", "Its content is unknown."),
        "html-has-lang": Wording(
            "a11y", "Page without a language", "Screen readers may read it in the wrong language."
        ),
        "html-lang-valid": Wording(
            "a11y", "Page language invalid", "Screen readers may read it in the wrong language."
        ),
        "html-xml-lang-mismatch": Wording(
            "a11y", "Two different page languages", "Screen readers may choose the wrong one."
        ),
        "identical-links-same-purpose": Wording(
            "label", "Links with one name and several purposes", "The links cannot be told apart by name."
        ),
        "image-alt": Wording(
            "label", "Image without alternative text", "What the image shows is lost to those who cannot see it."
        ),
        "image-redundant-alt": Wording(
            "label", "Alternative text repeats the text beside it", "It is announced twice."
        ),
        "input-button-name": Wording("label", "Button without a name", _NAME),
        "input-image-alt": Wording("label", "Image button without alternative text", _NAME),
        "label": Wording("label", "Form field without a label", _NAME),
        "label-content-name-mismatch": Wording(
            "label", "Name differs from the visible label", "Voice users cannot call the control by what they read."
        ),
        "label-title-only": Wording(
            "label", "Form field without a visible label", "Sighted people cannot tell what it is for."
        ),
        "landmark-banner-is-top-level": Wording("structure", "Banner inside another landmark", _LANDMARK),
        "landmark-complementary-is-top-level": Wording("structure", "Aside inside another landmark", _LANDMARK),
        "landmark-contentinfo-is-top-level": Wording("structure", "Footer landmark inside another landmark", _LANDMARK),
        "landmark-main-is-top-level": Wording("structure", "Main landmark inside another landmark", _LANDMARK),
        "landmark-no-duplicate-banner": Wording("structure", "More than one banner", _LANDMARK),
        "landmark-no-duplicate-contentinfo": Wording("structure", "More than one footer landmark", _LANDMARK),
        "landmark-no-duplicate-main": Wording("structure", "More than one main landmark", _LANDMARK),
        "landmark-one-main": Wording("structure", "No main landmark", _LANDMARK),
        "landmark-unique": Wording("structure", "Landmarks that cannot be told apart", _LANDMARK),
        "link-in-text-block": Wording(
            "contrast",
            "Link marked by colour alone",
            "People who do not see the difference in colour do not find the link.",
        ),
        "link-name": Wording("label", "Link without a name", _NAME),
        "list": Wording("structure", "List with other content in it", "The number of items is announced wrongly."),
        "listitem": Wording("structure", "List item outside a list", "It is not announced as part of a list."),
        "marquee": Wording("motion", "Scrolling text", "Text that moves cannot be read in peace, nor stopped."),
        "meta-refresh": Wording("motion", "Page reloads by itself", "People lose their place in what they read."),
        "meta-refresh-no-exceptions": Wording(
            "motion", "Page reloads by itself", "People lose their place in what they read."
        ),
        "meta-viewport": Wording("responsive", "Zoom disabled", "People who need larger text cannot have it."),
        "meta-viewport-large": Wording(
            "responsive", "Zoom limited", "People who need much larger text cannot have it."
        ),
        "nested-interactive": Wording(
            "structure", "Control inside another control", "The inner control is not announced."
        ),
        "no-autoplay-audio": Wording(
            "motion", "Sound that starts by itself", "It drowns the voice of a screen reader."
        ),
        "object-alt": Wording("label", "Embedded object without alternative text", _NAME),
        "p-as-heading": Wording(
            "structure", "Paragraph styled as a heading", "People who move by headings do not find it."
        ),
        "page-has-heading-one": Wording(
            "structure", "No heading of level 1", "People who move by headings find no start."
        ),
        "presentation-role-conflict": Wording("a11y", "Decorative element that is announced all the same", _IGNORED),
        "region": Wording("structure", "Content outside all landmarks", _LANDMARK),
        "role-img-alt": Wording("label", "Image role without a name", _NAME),
        "scope-attr-valid": Wording("structure", "Table scope used wrongly", _TABLE),
        "scrollable-region-focusable": Wording(
            "focus", "Scrolling area that the keyboard cannot reach", "Keyboard users cannot read what is scrolled out."
        ),
        "select-name": Wording("label", "Select without a name", _NAME),
        "server-side-image-map": Wording("a11y", "Server-side image map", "It cannot be used without a mouse."),
        "skip-link": Wording("focus", "Skip link that leads nowhere", "Keyboard users are left where they were."),
        "summary-name": Wording("label", "Summary without a name", _NAME),
        "svg-img-alt": Wording("label", "Drawing without alternative text", _NAME),
        "tabindex": Wording("focus", "Positive tab index", "Focus jumps about the page instead of following it."),
        "table-duplicate-name": Wording("structure", "Table caption repeated in its summary", "It is announced twice."),
        "table-fake-caption": Wording("structure", "Table cell used as a caption", _TABLE),
        "target-size": Wording("target-size", "Target too small", "People tap beside it or hit its neighbour."),
        "td-has-header": Wording("structure", "Data cell without a header", _TABLE),
        "td-headers-attr": Wording("structure", "Table cell that refers to a wrong header", _TABLE),
        "th-has-data-cells": Wording("structure", "Table header without data", _TABLE),
        "valid-lang": Wording("a11y", "Language code invalid", "Screen readers may read it in the wrong language."),
        "video-caption": Wording("a11y", "Video without captions", "What is said cannot be read."),
    }
)

NOT_FILED: Final[frozenset[str]] = frozenset(
    {
        "color-contrast-enhanced",  # level AAA
        "identical-links-same-purpose",  # level AAA
        "meta-refresh-no-exceptions",  # level AAA
        "frame-tested",  # says that axe did not look, not that something is wrong
        "hidden-content",  # likewise
        "duplicate-id",  # of no consequence since WCAG 2.2 dropped success criterion 4.1.1
        "duplicate-id-active",  # likewise
        # Advice, no success criterion. On ordinary pages (2026-11-30) these fired once a block or on harmless markup:
        "region",  # `landmark-one-main` says the same once
        "landmark-unique",
        "landmark-banner-is-top-level",
        "landmark-complementary-is-top-level",
        "landmark-contentinfo-is-top-level",
        "landmark-no-duplicate-banner",
        "landmark-no-duplicate-contentinfo",
        # Advice of minor impact, that Lighthouse too reports as information or not at all:
        "aria-allowed-role",
        "empty-table-header",
        "image-redundant-alt",
        "presentation-role-conflict",
        "table-duplicate-name",
    }
)
