"""One file, nothing fetched, nothing a page wrote is markup, and every account is there."""

from __future__ import annotations

import base64
import hashlib
import re
from dataclasses import replace
from html.parser import HTMLParser
from itertools import pairwise

import pytest
from report_samples import Pictures, clean_report, empty_report, outcome, shop_report, view_shots, with_summary

from bicameral.model.findings import Consensus, Dissent
from bicameral.model.run import RunReport
from bicameral.report.html import render_html


class Reader(HTMLParser):
    """Collects tags with their attributes, and the text outside style."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.said: list[str] = []
        self._in_style = False
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        self._in_style = tag == "style"

    def handle_endtag(self, tag: str) -> None:
        self._in_style = False

    def handle_data(self, data: str) -> None:
        if not self._in_style:
            self.said.append(data)

    @property
    def text(self) -> str:
        return " ".join(" ".join(self.said).split())

    def all(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.tags if name == tag]


@pytest.fixture(scope="module")
def shop() -> str:
    return render_html(*shop_report())


def test_the_page_asks_for_nothing_outside_itself(shop: str) -> None:
    reader = Reader(shop)
    addresses = [one for _, attributes in reader.tags for name, one in attributes.items() if name in ("src", "href")]
    assert addresses
    assert all(one is not None and one.startswith(("#", "data:image/webp;base64,")) for one in addresses)
    assert not {"script", "link", "iframe", "object", "embed", "form", "base"} & {name for name, _ in reader.tags}
    style = re.search(r"<style>(.*?)</style>", shop, re.DOTALL)
    assert style is not None
    assert "url(" not in style[1]
    assert "@import" not in style[1]


def test_the_policy_allows_this_style_sheet_and_pictures_in_the_page_alone(shop: str) -> None:
    style = re.search(r"<style>(.*?)</style>", shop, re.DOTALL)
    assert style is not None
    digest = base64.b64encode(hashlib.sha256(style[1].encode()).digest()).decode()
    (policy,) = [
        one["content"] for one in Reader(shop).all("meta") if one.get("http-equiv") == "Content-Security-Policy"
    ]
    assert policy == (
        f"default-src 'none'; img-src data:; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    )
    assert not [
        one for _, attributes in Reader(shop).tags for one in attributes if one == "style" or one.startswith("on")
    ]


def test_each_picture_is_in_the_file_once_however_often_it_is_shown(shop: str) -> None:
    reader = Reader(shop)
    embedded = [one["href"] for one in reader.all("image")]
    assert len(embedded) == len(set(embedded)) > 5
    assert len(reader.all("use")) > len(embedded)
    names = {one["id"] for one in reader.all("symbol")}
    assert {(one["href"] or "").removeprefix("#") for one in reader.all("use")} == names


def test_both_accounts_stand_side_by_side(shop: str) -> None:
    text = Reader(shop).text
    for said in (
        "axe reports Proposer in seat axe+layout. Confidence high. Grey text on a light grey card.",
        "Observed 2.8:1 from the styles: #9a9a9a on #f4f4f4 Expected At least 4.5:1 (WCAG 2.2, 1.4.3).",
        "pixels disputes Challenger. 7.3:1 measured at 312,88",
        "The adjudicator (nli, confidence 0.91) reads genuine",
        "Advice only: it changes no finding.",
        "Settled when /pictures/hero.jpg answers 200 the element has a natural width above 0",
        "pixels agrees Challenger. 97 % of the box is one flat grey",
        "pixels amends Challenger. only its mark is 18 wide; the ring is 22",
        "pixels reports Challenger, added in the challenge. Confidence high.",
        "axe+layout cannot tell Proposer. the background is an image",
        "No second account Not ruled on: pixels said nothing of this finding.",
        "No second account pixels did not rule: it did not answer in time.",
    ):
        assert said in text


def test_what_was_not_judged_and_the_records_are_on_the_page(shop: str) -> None:
    report, _ = shop_report()
    text = Reader(shop).text
    assert "Unaccounted for: shop/pricing/rest/tablet/light." in text
    assert "shop/about: Not judged by axe+layout: its answer could not be read." in text
    assert "It ends after 1,204 of 88,310 bytes." in text
    assert "The page / was still loading after 10 s; it was judged unsettled." in text
    for batch in report.batches:
        assert batch.dialog_id is None or batch.dialog_id in text
        assert batch.wire_digest is None or batch.wire_digest in text
    assert "none: nothing was recorded" in text
    assert "by design" in text


def test_headings_go_down_one_level_at_a_time_and_ids_are_unique(shop: str) -> None:
    reader = Reader(shop)
    levels = [int(name[1]) for name, _ in reader.tags if re.fullmatch(r"h[1-6]", name)]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after - before <= 1 for before, after in pairwise(levels))
    ids = [attributes["id"] for _, attributes in reader.tags if "id" in attributes]
    assert len(ids) == len(set(ids))
    for _, attributes in reader.tags:
        for name in (attributes.get("aria-labelledby") or "").split():
            assert name in ids


def test_every_picture_has_its_words(shop: str) -> None:
    reader = Reader(shop)
    drawn = [one for one in reader.all("svg") if one.get("role") == "img"]
    assert drawn
    assert all((one["aria-label"] or "").startswith("Screenshot of /") for one in drawn)
    assert any("with a box at 20, 60, 680 by 50 pixels" in (one["aria-label"] or "") for one in drawn)


def test_a_finding_without_a_box_says_so_and_draws_none(shop: str) -> None:
    assert "The judge gave no box here." in Reader(shop).text


def test_a_box_outside_its_picture_is_said_and_not_drawn() -> None:
    report, pictures = shop_report()
    finding = report.findings[4].finding
    assert finding.box is not None
    far = replace(report.findings[4], finding=replace(finding, box=replace(finding.box, x=9000), also_shot_ids=()))
    page = render_html(replace(report, findings=(far,)), pictures)
    assert "The box lies outside the picture." in page
    assert not Reader(page).all("rect")


NASTY = (
    "</style><script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "{{ 7*7 }}{% raw %}",
    "\u202egpj.exe\x1b[31m\x00",
    "<!-- ]]> --><svg onload=alert(1)>",
)


@pytest.mark.parametrize("nasty", NASTY)
def test_nothing_that_a_page_or_a_model_wrote_becomes_markup(nasty: str) -> None:
    report, pictures = shop_report()
    consensus = Consensus(reported_by="axe+layout", disputed_by=(Dissent(oracle=nasty, note=nasty),))
    finding = replace(
        report.findings[3].finding,
        title=nasty,
        problem=nasty,
        expected=nasty,
        observed=nasty,
        acceptance=(nasty,),
        oracle=nasty,
        category=nasty,
        attribute=nasty,
        consensus=consensus,
    )
    shot = replace(report.shots[6], route=nasty)
    attacked = replace(
        report,
        project=nasty,
        run_id=nasty,
        notes=(nasty,),
        unaccounted=(nasty,),
        shots=(*report.shots[:6], shot, *report.shots[7:]),
        findings=(replace(report.findings[3], finding=finding),),
    )
    plain, page = Reader(render_html(report, pictures)), render_html(attacked, pictures)
    reader = Reader(page)
    assert {name for name, _ in reader.tags} <= {name for name, _ in plain.tags}
    assert not [one for _, attributes in reader.tags for one in attributes if one.startswith("on")]
    assert not {"\u202e", "\x1b", "\x00"} & set(page)
    assert "49" not in reader.said


def test_a_missing_picture_is_said_and_the_report_is_whole() -> None:
    report, pictures = shop_report()
    del pictures.held[report.shots[0].picture]
    page = render_html(report, pictures)
    assert "This picture is no longer in the evidence folder, or cannot be read." in page
    assert "The hero picture does not load" in page


def test_pictures_over_the_budget_are_left_out_and_said() -> None:
    page = render_html(*shop_report(), budget_bytes=0)
    assert "This picture was left out to keep the page small." in page
    assert not Reader(page).all("image")


def test_a_run_without_findings_shows_what_was_looked_at() -> None:
    reader = Reader(render_html(*clean_report(cached=True)))
    assert "axe+layout (proposer) and pixels (challenger) found nothing wrong in 6 clean shots." in reader.text
    assert "No judge was called: nothing changed since the last run." in reader.text
    assert len(reader.all("img")) == 6
    assert not reader.all("input")


def test_a_run_in_which_nothing_was_judged_claims_nothing() -> None:
    text = Reader(render_html(empty_report(), Pictures())).text
    assert "Nothing was judged in this run." in text
    assert "found nothing wrong" not in text


def failed_report() -> tuple[RunReport, Pictures]:
    pictures = Pictures()
    shots = view_shots(pictures, "/")
    batch = outcome(shots[0].view, 0, failure="unreachable", dialogued=False, dialog_id=None, wire_digest=None)
    report = replace(empty_report(), shots=shots, batches=(batch,), unaccounted=tuple(one.shot_id for one in shots))
    return with_summary(report), pictures


def test_a_view_that_could_not_be_judged_is_not_called_clean() -> None:
    text = Reader(render_html(*failed_report())).text
    assert "The view could not be judged" in text
    assert "Nothing is known: no view could be judged." in text
    assert "Not judged by axe+layout: it could not be reached." in text


def test_the_filters_offer_what_occurs_and_nothing_else(shop: str) -> None:
    boxes = [one["id"] for one in Reader(shop).all("input")]
    assert boxes == [
        "show-critical", "show-high", "show-medium", "show-low",
        "show-agreed", "show-amended", "show-disputed", "show-undecided", "show-unruled", "show-undialogued",
    ]  # fmt: skip


def test_the_same_run_gives_the_same_page(shop: str) -> None:
    assert render_html(*shop_report()) == shop
