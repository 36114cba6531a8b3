"""What the HTML page shows, gathered before the template lays it out.

Answers for: which picture of an issue comes first and what is drawn on it, which filters there are, which shots are
shown as clean. It declines layout, and it writes no HTML. Text is handed on as it was written: the template's one
door for values makes it safe and escapes it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from bicameral.model.evidence import Box, Shot
from bicameral.model.run import BatchOutcome, RunReport
from bicameral.model.vocabulary import SEVERITIES
from bicameral.ports import EvidenceReader
from bicameral.report import wording
from bicameral.report.issues import STANDINGS, FindingRow, IssueRow, issue_rows
from bicameral.report.pictures import Album, Reduced, album, drawable, thumbnail, window

THUMBNAILS: Final = 48
"""Clean shots shown as small pictures; the rest are named. 48 thumbnails are about 250 kB."""

_STANDING_LABELS: Final[Mapping[str, str]] = dict(wording.STANDING_WORDS.items())


@dataclass(frozen=True, kw_only=True)
class Figure:
    """One shot of one finding. symbol: the id of its embedded picture, or None and `absence` says why.

    crop: what is shown at reading size.  frame: what is drawn, None where the judge gave none or it is off the picture.
    remark: a sentence below the picture where something has to be said of it, or "".
    """

    shot: Shot
    symbol: str | None
    absence: str
    crop: Box
    frame: Box | None
    caption: str
    alt: str
    remark: str


@dataclass(frozen=True, kw_only=True)
class FindingView:
    """One finding with its pictures: `near` at the form factor it is described on, `more` at the others."""

    row: FindingRow
    near: tuple[Figure, ...]
    more: tuple[Figure, ...]


@dataclass(frozen=True, kw_only=True)
class IssueView:
    row: IssueRow
    place: str
    shots: str
    findings: tuple[FindingView, ...]


@dataclass(frozen=True, kw_only=True)
class Choice:
    """One filter: its word in the data, its word for people, how many issues it shows."""

    value: str
    label: str
    count: int


@dataclass(frozen=True, kw_only=True)
class CleanShot:
    shot_id: str
    caption: str
    thumbnail: str | None


@dataclass(frozen=True, kw_only=True)
class Page:
    """Everything on the page, in order. pictures: symbol id to picture. meetings: severity and standing that occur."""

    report: RunReport
    rows: tuple[IssueRow, ...]
    still_open: tuple[IssueView, ...]
    ruled: tuple[IssueView, ...]
    severities: tuple[Choice, ...]
    standings: tuple[Choice, ...]
    meetings: tuple[tuple[str, str], ...]
    clean: tuple[CleanShot, ...]
    pictures: dict[str, Reduced]
    reduced: bool
    records: tuple[tuple[int, BatchOutcome], ...]
    not_judged: tuple[str, ...]
    empty: str
    cached: str | None


def page(report: RunReport, evidence: EvidenceReader, *, budget_bytes: int) -> Page:
    """Gather the page. Reads each picture that a finding shows once, and the clean ones for their thumbnails."""
    rows = issue_rows(report)
    shown = [shot.picture for row in rows for shot in row.shots]
    held = album(shown, evidence, budget_bytes=budget_bytes)
    names = {digest: f"picture-{number}" for number, digest in enumerate(held.pictures)}
    several = len({batch.view.target for batch in report.batches}) > 1
    views = [_issue_view(row, held, names, several) for row in rows]
    still_open = tuple(view for view in views if view.row.is_open)
    return Page(
        report=report,
        rows=rows,
        still_open=still_open,
        ruled=tuple(view for view in views if not view.row.is_open),
        severities=_choices((view.row.severity for view in still_open), SEVERITIES, {}),
        standings=_choices((view.row.standing for view in still_open), STANDINGS, _STANDING_LABELS),
        meetings=tuple(sorted({(view.row.severity, view.row.standing) for view in still_open})),
        clean=tuple(_clean_shots(report, evidence)),
        pictures={names[digest]: picture for digest, picture in held.pictures.items()},
        reduced=any(_was_reduced(shot, held) for shot in report.shots),
        records=tuple(enumerate(report.batches)),
        not_judged=wording.not_judged(report),
        empty=wording.nothing_open(report, rows),
        cached=wording.caches(report),
    )


def _was_reduced(shot: Shot, held: Album) -> bool:
    picture = held.pictures.get(shot.picture)
    return picture is not None and picture.width_px < shot.width_px


def _choices(values: Iterable[str], order: Sequence[str], words: Mapping[str, str]) -> tuple[Choice, ...]:
    counts = Counter(values)
    return tuple(
        Choice(value=value, label=words.get(value, value), count=counts[value]) for value in order if counts[value]
    )


def _issue_view(row: IssueRow, held: Album, names: dict[str, str], several: bool) -> IssueView:
    return IssueView(
        row=row,
        place=wording.place(row, several_targets=several),
        shots=", ".join(
            word for word in (wording.shot_words(row.shots, row.view_shots), *row.strange_shot_ids) if word
        ),
        findings=tuple(_finding_view(finding_row, held, names) for finding_row in row.findings),
    )


def _finding_view(row: FindingRow, held: Album, names: dict[str, str]) -> FindingView:
    shots = sorted(row.shots, key=wording.look_order)
    described = next((shot for shot in shots if shot.shot_id == row.finding.shot_id), shots[0] if shots else None)
    figures = [_figure(row, shot, held, names) for shot in shots]
    near = [figure for figure in figures if described and figure.shot.form_factor == described.form_factor]
    return FindingView(row=row, near=tuple(near), more=tuple(one for one in figures if one not in near))


def _figure(row: FindingRow, shot: Shot, held: Album, names: dict[str, str]) -> Figure:
    given = row.finding.box_on(shot.shot_id)
    frame = drawable(given, shot.width_px, shot.height_px, scale=shot.scale)
    caption = wording.look_words(shot)
    if given is None or frame is None:
        remark = "The box lies outside the picture." if given else "The judge gave no box here."
        alt = f"Screenshot of {shot.route}, {caption}, from its top."
    else:
        remark = ""
        where = f"{given.x}, {given.y}, {given.width} by {given.height} pixels"
        alt = f"Screenshot of {shot.route}, {caption}, with a box at {where}."
    return Figure(
        shot=shot,
        symbol=names.get(shot.picture),
        absence=_absence(shot, held),
        crop=window(given if frame else None, shot.width_px, shot.height_px, scale=shot.scale),
        frame=frame,
        caption=caption,
        alt=alt,
        remark=remark,
    )


def _absence(shot: Shot, held: Album) -> str:
    if shot.picture in held.redacted:
        return "This picture was redacted: its bytes were dropped on purpose, its digest stays on record."
    if shot.picture in held.missing:
        return "This picture is no longer in the evidence folder, or cannot be read."
    if shot.picture in held.left_out:
        return "This picture was left out to keep the page small."
    return ""


def _clean_shots(report: RunReport, evidence: EvidenceReader) -> Iterable[CleanShot]:
    by_id = {shot.shot_id: shot for shot in report.shots}
    for number, name in enumerate(report.clean_shot_ids):
        shot = by_id.get(name)
        yield CleanShot(
            shot_id=name,
            caption=f"{shot.route}, {wording.look_words(shot)}" if shot else name,
            thumbnail=thumbnail(shot.picture, evidence) if shot and number < THUMBNAILS else None,
        )
