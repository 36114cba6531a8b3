"""A run of a small shop, as the runtime would hand it to the reports: pictures drawn here, findings written here.

`shop_report()` has one of everything a report must show: agreement, dispute with advice, amendment, cannot-tell, an
addition of the challenger, not ruled on, no dialogue, a view that failed, a ruling of a person, unaccounted shots.
"""

from __future__ import annotations

import hashlib
import io
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, replace
from functools import cache

from PIL import Image, ImageDraw

from bicameral.errors import EvidenceError
from bicameral.model.adjudication import AdjudicationResult
from bicameral.model.evidence import Box, Shot, View
from bicameral.model.findings import Consensus, Dissent, Finding, Place, Ruling
from bicameral.model.identity import issue_key, sighting_key
from bicameral.model.judging import Spend
from bicameral.model.run import BatchOutcome, ReportedFinding, RunReport, RunSummary, SkippedInput
from bicameral.model.seats import Roster, Seat
from bicameral.model.vocabulary import SUPPRESSED_STATUSES, Status

LOOKS = tuple(
    (form, scheme, width)
    for form, width in (("desktop", 720), ("tablet", 417), ("phone", 195))
    for scheme in ("light", "dark")
)
ROSTER = Roster(Seat("axe+layout", "1"), Seat("pixels", "1"))


@dataclass
class Pictures:
    """An EvidenceReader over bytes in memory."""

    held: dict[str, bytes] = field(default_factory=dict)

    def add(self, body: bytes) -> str:
        digest = "sha256:" + hashlib.sha256(body).hexdigest()
        self.held[digest] = body
        return digest

    def read(self, digest: str) -> bytes:
        try:
            return self.held[digest]
        except KeyError:
            raise EvidenceError(f"No evidence {digest}.") from None


@cache
def drawn(width: int, height: int, scheme: str, seed: int) -> bytes:
    """A page-like PNG: bands and blocks, no text, so that it is the same on every machine."""
    paper, ink = ((250, 249, 246), (40, 40, 44)) if scheme == "light" else ((24, 24, 27), (225, 224, 220))
    picture = Image.new("RGB", (width, height), paper)
    draw = ImageDraw.Draw(picture)
    draw.rectangle((0, 0, width, 40), fill=(30 + 40 * seed % 200, 90, 120))
    for row in range(60, height - 20, 90):
        draw.rectangle((20, row, width - 20, row + 50), outline=ink)
        draw.rectangle((30, row + 10, 30 + width // 3, row + 18), fill=ink)
    buffer = io.BytesIO()
    picture.save(buffer, "PNG")
    return buffer.getvalue()


def view_shots(pictures: Pictures, route: str, *, state: str = "rest", seed: int = 0) -> tuple[Shot, ...]:
    shots = []
    for form, scheme, width in LOOKS:
        height = 500 if form == "desktop" else 700
        body = drawn(width, height, scheme, seed)
        shots.append(
            Shot(
                shot_id=f"shop{route}/{state}/{form}/{scheme}",
                target="shop",
                route=route,
                state=state,
                form_factor=form,
                scheme=scheme,
                picture=pictures.add(body),
                facts="sha256:" + hashlib.sha256(b"facts" + body).hexdigest(),
                width_px=width,
                height_px=height,
            )
        )
    return tuple(shots)


def reported(
    finding: Finding, shots: Mapping[str, Shot], batch: int, *, status: Status = "open", is_new: bool = False
) -> ReportedFinding:
    shot = shots[finding.shot_id]
    return ReportedFinding(
        finding=finding,
        issue=issue_key(finding, shot),
        sighting=sighting_key(finding, shot),
        sightings={name: sighting_key(finding, shots[name]) for name in finding.shot_ids if name in shots},
        status=status,
        batch=batch,
        is_new=is_new,
    )


def outcome(view: View, number: int, **more: object) -> BatchOutcome:
    digest = hashlib.sha256(str(view).encode()).hexdigest()
    plain = BatchOutcome(
        view=view,
        roster=ROSTER,
        dialogued=True,
        cacheable=True,
        dialog_id=f"sha256:{digest}",
        wire_digest="sha256:" + hashlib.sha256(digest.encode()).hexdigest(),
        reply_states={"complete": 2},
    )
    return replace(plain, **more)  # type: ignore[arg-type]


def summary_of(report: RunReport) -> RunSummary:
    """Counts as the runtime makes them, near enough for a report to be read."""
    found = [one.finding for one in report.findings]
    said = [one.consensus for one in found if one.consensus is not None]
    count: Callable[[Callable[[Consensus], object]], int] = lambda test: sum(1 for one in said if test(one))  # noqa: E731
    states: Counter[str] = Counter()
    for batch in report.batches:
        states.update(batch.reply_states)
    open_issues = {one.issue for one in report.findings if one.status in ("open", "confirmed")}
    return RunSummary(
        views=len(report.batches),
        shots=len(report.shots),
        findings=len(found),
        issues=len({one.issue for one in report.findings}),
        open=len(open_issues),
        new=len({one.issue for one in report.findings if one.is_new}),
        reopened=0,
        suppressed=len({one.issue for one in report.findings if one.status in SUPPRESSED_STATUSES}),
        blocked=0,
        agreed=count(lambda one: one.agreed),
        disputed=count(lambda one: one.disputed),
        amended=count(lambda one: one.amended_by),
        undecided=count(lambda one: one.undecided_by),
        unruled=sum(len(batch.unruled) for batch in report.batches),
        rejected_rows=sum(len(batch.rejected) for batch in report.batches),
        judge_calls=report.spend.calls,
        cached_views=sum(batch.cached for batch in report.batches),
        undialogued_views=sum(not batch.dialogued and batch.failure is None for batch in report.batches),
        failed_views=sum(batch.failure is not None for batch in report.batches),
        unaccounted_shots=len(report.unaccounted),
        by_severity={},
        reply_states=dict(states),
    )


def with_summary(report: RunReport) -> RunReport:
    return replace(report, summary=summary_of(report))


EMPTY_SUMMARY = RunSummary(
    **{one.name: 0 for one in fields(RunSummary) if one.name not in ("by_severity", "reply_states")}
)


def empty_report() -> RunReport:
    """A run that was given nothing to judge."""
    return RunReport(
        run_id="run-0",
        project="shop",
        roster=ROSTER,
        shots=(),
        batches=(),
        findings=(),
        clean_shot_ids=(),
        unaccounted=(),
        spend=Spend(),
        summary=EMPTY_SUMMARY,
        exit_status=2,
    )


def clean_report(*, cached: bool = False) -> tuple[RunReport, Pictures]:
    """One view, six shots, nothing found."""
    pictures = Pictures()
    shots = view_shots(pictures, "/")
    report = replace(
        empty_report(),
        run_id="run-2",
        shots=shots,
        batches=(outcome(shots[0].view, 0, cached=cached),),
        clean_shot_ids=tuple(shot.shot_id for shot in shots),
        spend=Spend() if cached else Spend(calls=2),
        exit_status=0,
    )
    return with_summary(report), pictures


def shop_report() -> tuple[RunReport, Pictures]:
    pictures = Pictures()
    home = view_shots(pictures, "/", seed=1)
    pricing = view_shots(pictures, "/pricing", seed=2)
    menu = view_shots(pictures, "/pricing", state="menu-open", seed=3)
    about = view_shots(pictures, "/about", seed=4)
    everything = {shot.shot_id: shot for shot in (*home, *pricing, *menu, *about)}
    batches = (
        outcome(home[0].view, 0, second_round_reason=None),
        outcome(pricing[0].view, 1, unruled=(2,), cacheable=False, reply_states={"complete": 2, "truncated": 1}),
        outcome(menu[0].view, 2, dialogued=False, undialogued_reason="timed-out", cacheable=False),
        outcome(
            about[0].view,
            3,
            dialogued=False,
            failure="unreadable",
            failure_note="The reply was 12 MB long and was cut off at 1 MB.",
            cacheable=False,
            dialog_id=None,
            wire_digest=None,
            reply_states={"unreadable": 2},
        ),
    )
    findings = (
        *(reported(one, everything, 0, is_new=True) for one in _home(home)),
        *(reported(one, everything, 1) for one in _pricing(pricing)),
        *(reported(one, everything, 2) for one in _menu(menu)),
    )
    ruled = replace(findings[-2], status="by-design")
    findings = (*findings[:-2], ruled, findings[-1])
    report = RunReport(
        run_id="20261130-204142-7f3a",
        project="shop",
        roster=ROSTER,
        shots=tuple(everything.values()),
        batches=batches,
        findings=findings,
        clean_shot_ids=tuple(shot.shot_id for shot in (*pricing[3:], *menu[4:])),
        unaccounted=(pricing[2].shot_id,),
        spend=Spend(calls=6),
        summary=EMPTY_SUMMARY,
        exit_status=2,
        skipped=(SkippedInput(where="shots/broken.png", reason="It ends after 1,204 of 88,310 bytes."),),
        notes=("The page / was still loading after 10 s; it was judged unsettled.",),
        program_version="0.1.0",
    )
    return with_summary(report), pictures


def ids(shots: tuple[Shot, ...]) -> tuple[str, ...]:
    return tuple(shot.shot_id for shot in shots)


def _home(shots: tuple[Shot, ...]) -> tuple[Finding, ...]:
    names = ids(shots)
    return (
        Finding(
            shot_id=names[0],
            also_shot_ids=names[1:],
            also_boxes=tuple(Place(shot_id=name, box=Box(x=20, y=60, width=120, height=50)) for name in names[1:]),
            category="broken-image",
            attribute="image-hero",
            severity="critical",
            title="The hero picture does not load",
            problem="The largest picture of the page is a broken-image mark.",
            expected="The picture of the harbour, or its alternative text set as text.",
            observed="/pictures/hero.jpg answered 404 Not Found.",
            confidence="high",
            acceptance=("/pictures/hero.jpg answers 200", "the element has a natural width above 0"),
            box=Box(x=20, y=60, width=680, height=50),
            oracle="layout",
            rulings=(Ruling(index=0, oracle="pixels", verdict="agree", notes=("97 % of the box is one flat grey",)),),
            consensus=Consensus(reported_by="axe+layout", agreed_by=("pixels",)),
        ),
        Finding(
            shot_id=names[5],
            category="contrast",
            attribute="color-contrast-link-read-more",
            severity="high",
            title="“Read more” is hard to read over the photograph",
            problem="The glyphs are drawn on the bright part of the photograph.",
            expected="At least 4.5:1 (WCAG 2.2, 1.4.3).",
            observed="1.9:1 measured at 60,255",
            confidence="high",
            box=Box(x=30, y=250, width=65, height=8),
            oracle="pixels",
            rulings=(
                Ruling(index=1, oracle="axe+layout", verdict="cannot-tell", notes=("the background is an image",)),
            ),
            consensus=Consensus(reported_by="pixels", undecided_by=("axe+layout",), rounds=2),
        ),
        Finding(
            shot_id=names[0],
            also_shot_ids=(names[1],),
            category="target-size",
            attribute="target-size-button-close",
            region="shell-header",
            severity="medium",
            title="The close button is smaller than a fingertip",
            problem="The target is 18 by 18 CSS pixels and its neighbour is 4 pixels away.",
            expected="24 by 24 CSS pixels, or as much space around it.",
            observed="18 by 18, 4 apart",
            confidence="medium",
            box=Box(x=690, y=10, width=18, height=18),
            oracle="axe",
            rulings=(
                Ruling(index=2, oracle="pixels", verdict="amend", notes=("only its mark is 18 wide; the ring is 22",)),
            ),
            consensus=Consensus(
                reported_by="axe+layout",
                amended_by=(Dissent(oracle="pixels", note="only its mark is 18 wide; the ring is 22"),),
            ),
        ),
    )


def _pricing(shots: tuple[Shot, ...]) -> tuple[Finding, ...]:
    names = ids(shots)
    weighed = AdjudicationResult(verdict="genuine", confidence=0.91, method="nli", reasoning="forward 0.91 0.05 0.04")
    return (
        Finding(
            shot_id=names[0],
            also_shot_ids=(names[2], names[4]),
            category="contrast",
            attribute="color-contrast-paragraph-per-month",
            severity="high",
            title="“per month” is too faint on the card",
            problem="Grey text on a light grey card.",
            expected="At least 4.5:1 (WCAG 2.2, 1.4.3).",
            observed="2.8:1 from the styles: #9a9a9a on #f4f4f4",
            confidence="high",
            box=Box(x=30, y=160, width=240, height=9),
            oracle="axe",
            rulings=(Ruling(index=0, oracle="pixels", verdict="dispute", notes=("7.3:1 measured at 312,88",)),),
            consensus=Consensus(
                reported_by="axe+layout",
                disputed_by=(Dissent(oracle="pixels", note="7.3:1 measured at 312,88", adjudication=weighed),),
            ),
        ),
        Finding(
            shot_id=names[4],
            also_shot_ids=(names[5],),
            category="layout-overflow",
            attribute="sideways-scroll-table-plans",
            severity="high",
            title="The table of plans makes the page scroll sideways",
            problem="The document is 214 px wide in a viewport of 195.",
            confidence="high",
            box=Box(x=20, y=330, width=194, height=50),
            oracle="layout",
            rulings=(Ruling(index=1, oracle="pixels", verdict="agree"),),
            consensus=Consensus(reported_by="axe+layout", agreed_by=("pixels",)),
        ),
        Finding(
            shot_id=names[1],
            category="label",
            attribute="label-input-email",
            severity="low",
            title="The e-mail field has no label",
            problem="A placeholder is its only name.",
            confidence="low",
            oracle="axe",
            consensus=Consensus(reported_by="axe+layout"),
        ),
    )


def _menu(shots: tuple[Shot, ...]) -> tuple[Finding, ...]:
    names = ids(shots)
    return (
        Finding(
            shot_id=names[0],
            category="alignment",
            attribute="alignment-menu-items",
            severity="low",
            title="Menu items step to the right",
            problem="Each item starts 6 px further right than the one above.",
            confidence="low",
            box=Box(x=30, y=70, width=240, height=110),
            oracle="layout",
        ),
        Finding(
            shot_id=names[2],
            also_shot_ids=(names[3],),
            category="overlap",
            attribute="overlap-menu-heading",
            severity="medium",
            title="The menu covers the page's heading",
            problem="The first two lines of the heading are behind the open menu.",
            expected="The heading stays readable, or the menu closes on scroll.",
            confidence="medium",
            box=Box(x=20, y=150, width=377, height=50),
            oracle="layout",
        ),
    )
