"""A run as one self-contained HTML page: boxes on the pictures, both accounts side by side.

Answers for: one file that asks nothing of any network, holds each picture once, and reads without script. It declines
to decide, and to write the file (the runtime does, atomically).

Rules, in order:
1. Every value passes one door, `_shown`, which takes out what acts on a screen or hides; then Jinja2 escapes it.
2. The policy in the page allows pictures from the page itself and the one style sheet by its digest; nothing else:
   no script, no form, no frame, no request.
3. Filters are check boxes and CSS. The rules for them are made here, from closed vocabularies alone.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable
from importlib.resources import files
from typing import TYPE_CHECKING

from bicameral.model.run import RunReport
from bicameral.ports import EvidenceReader
from bicameral.report import wording
from bicameral.report._page import Page, page
from bicameral.report.pictures import BUDGET_BYTES
from bicameral.report.untrusted import safe_lines, shorten

if TYPE_CHECKING:
    from jinja2 import Environment


def render_html(report: RunReport, evidence: EvidenceReader, *, budget_bytes: int = BUDGET_BYTES) -> str:
    """The page as text, to be written as UTF-8. budget_bytes: of all pictures together, before base64."""
    from markupsafe import Markup

    gathered = page(report, evidence, budget_bytes=budget_bytes)
    css = _template_text("report.css") + "".join(_filter_rules(gathered))
    return (
        _environment()
        .get_template("report.html.j2")
        .render(
            page=gathered,
            report=report,
            wording=wording,
            # Our own style sheet, with rules made of closed words: the only text that is not escaped.
            css=Markup(css),
            css_digest=_csp_digest(css),
        )
    )


def _environment() -> Environment:
    from jinja2 import DictLoader, Environment, StrictUndefined

    environment = Environment(
        loader=DictLoader({"report.html.j2": _template_text("report.html.j2")}),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_shown,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["paragraphs"] = _paragraphs
    environment.filters["brief"] = _brief
    environment.filters["shorten"] = shorten
    return environment


def _template_text(name: str) -> str:
    return files("bicameral.report").joinpath("templates", name).read_text("utf-8")


def _shown(value: object) -> object:
    """Text made safe; markup of our own and everything else as it is."""
    return safe_lines(value) if type(value) is str else value


def _paragraphs(text: str) -> list[str]:
    return [line for line in safe_lines(text).split("\n") if line.strip()]


def _brief(digest: str | None) -> str:
    """The first 12 hex digits of a digest."""
    return (digest or "").removeprefix("sha256:")[:12]


def _csp_digest(css: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(css.encode("utf-8")).digest()).decode("ascii")


def _filter_rules(gathered: Page) -> Iterable[str]:
    """Hide what is not ticked, and show the sentence for nothing left when every kind of issue is hidden."""
    for axis, choices in (("severity", gathered.severities), ("standing", gathered.standings)):
        for choice in choices:
            those = f'.open .issue[data-{axis}="{choice.value}"]'
            yield f"\nbody:has({_unticked(choice.value)}) {those} {{ display: none; }}"
    if gathered.meetings:
        hidden = "".join(f":is(:has({_unticked(one)}), :has({_unticked(two)}))" for one, two in gathered.meetings)
        yield f"\nbody{hidden} .nothing-left {{ display: block; }}\n"


def _unticked(value: str) -> str:
    return f"#show-{value}:not(:checked)"
