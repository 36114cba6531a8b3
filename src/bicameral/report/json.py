"""A run as one JSON document: what `check --json` and `judge --json` write to stdout (DESIGN 11).

Answers for: every member of that row, and for saying more than it asks without renaming any of it. It declines prose:
sentences are for people, a program gets words of the closed vocabularies. What a page or a model wrote is given whole;
the text is ASCII, so that no control character, bidi mark or lone surrogate in it reaches a terminal or breaks a pipe.

The document is described in `docs/reference/check-json.md`, schema included; a test holds the two together.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping

from bicameral.model.adjudication import AdjudicationResult
from bicameral.model.evidence import Box, Shot
from bicameral.model.findings import Consensus, Dissent, RejectedRow, Ruling
from bicameral.model.judging import Spend
from bicameral.model.run import BatchOutcome, ReportedFinding, RunReport, RunSummary
from bicameral.model.seats import Roster, Seat
from bicameral.report.issues import numbers_in_batch

Document = dict[str, object]


def to_json(report: RunReport) -> str:
    """The document as ASCII text, indented, with a line break at its end."""
    return json.dumps(report_document(report), ensure_ascii=True, allow_nan=False, indent=2) + "\n"


def report_document(report: RunReport) -> Document:
    """The document as plain JSON values. Findings keep the run's order, members the order of the reference page."""
    numbers = numbers_in_batch(report)
    return {
        "run_id": report.run_id,
        "project": report.project,
        "program_version": report.program_version,
        "exit_status": report.exit_status,
        "roster": _roster(report.roster),
        "findings": [_finding(row, number) for row, number in zip(report.findings, numbers, strict=True)],
        "clean_shot_ids": list(report.clean_shot_ids),
        "unaccounted": list(report.unaccounted),
        "batches": [_batch(batch) for batch in report.batches],
        "shots": [_shot(shot) for shot in report.shots],
        "skipped": [{"where": skipped.where, "reason": skipped.reason} for skipped in report.skipped],
        "notes": list(report.notes),
        "spend": _spend(report.spend),
        "summary": _summary(report.summary),
    }


def _finding(reported: ReportedFinding, number: int) -> Document:
    finding = reported.finding
    return {
        "issue": reported.issue,
        "sighting": reported.sighting,
        "shot_id": finding.shot_id,
        "category": finding.category,
        "attribute": finding.attribute,
        "region": finding.region,
        "severity": finding.severity,
        "title": finding.title,
        "problem": finding.problem,
        "expected": finding.expected,
        "observed": finding.observed,
        "confidence": finding.confidence,
        "box": _box(finding.box),
        "status": reported.status,
        "oracle": finding.oracle,
        "consensus": _consensus(finding.consensus),
        "acceptance": list(finding.acceptance),
        "also_shot_ids": list(finding.also_shot_ids),
        "also_boxes": [{"shot_id": place.shot_id, "box": _box(place.box)} for place in finding.also_boxes],
        "sightings": dict(reported.sightings),
        "rulings": [_ruling(ruling) for ruling in finding.rulings],
        "is_new": reported.is_new,
        "reopened": reported.reopened,
        "batch": reported.batch,
        "number": number,
    }


def _box(box: Box | None) -> list[int] | None:
    return None if box is None else box.as_list()


def _consensus(consensus: Consensus | None) -> Document | None:
    if consensus is None:
        return None
    return {
        "reported_by": consensus.reported_by,
        "agreed_by": list(consensus.agreed_by),
        "disputed_by": [_dissent(dissent) for dissent in consensus.disputed_by],
        "amended_by": [_dissent(dissent) for dissent in consensus.amended_by],
        "undecided_by": list(consensus.undecided_by),
        "rounds": consensus.rounds,
    }


def _dissent(dissent: Dissent) -> Document:
    said: Document = {"oracle": dissent.oracle, "note": dissent.note}
    if dissent.adjudication is not None:
        said["adjudication"] = _adjudication(dissent.adjudication)
    return said


def _adjudication(result: AdjudicationResult) -> Document:
    return {
        "verdict": result.verdict,
        "confidence": result.confidence,
        "method": result.method,
        "reasoning": result.reasoning,
        "tier_capped": result.tier_capped,
    }


def _ruling(ruling: Ruling) -> Document:
    return {
        "index": ruling.index,
        "oracle": ruling.oracle,
        "verdict": ruling.verdict,
        "notes": list(ruling.notes),
    }


def _batch(batch: BatchOutcome) -> Document:
    return {
        "view": str(batch.view),
        "target": batch.view.target,
        "platform": batch.view.platform,
        "route": batch.view.route,
        "state": batch.view.state,
        "roster": _roster(batch.roster),
        "dialogued": batch.dialogued,
        "undialogued_reason": batch.undialogued_reason,
        "second_round_reason": batch.second_round_reason,
        "unruled": list(batch.unruled),
        "cached": batch.cached,
        "cacheable": batch.cacheable,
        "dialog_id": batch.dialog_id,
        "wire_digest": batch.wire_digest,
        "failure": batch.failure,
        "failure_note": batch.failure_note,
        "rejected": [_rejected(row) for row in batch.rejected],
        "unaccounted": list(batch.unaccounted),
        "lanes_not_judged": list(batch.lanes_not_judged),
        "reply_states": dict(batch.reply_states),
    }


def _rejected(row: RejectedRow) -> Document:
    return {"reason": row.reason, "where": row.where, "row": row.row}


def _shot(shot: Shot) -> Document:
    return {
        "shot_id": shot.shot_id,
        "target": shot.target,
        "platform": shot.platform,
        "route": shot.route,
        "state": shot.state,
        "form_factor": shot.form_factor,
        "scheme": shot.scheme,
        "picture": shot.picture,
        "facts": shot.facts,
        "width_px": shot.width_px,
        "height_px": shot.height_px,
        "scale": shot.scale,
    }


def _roster(roster: Roster) -> Document:
    return {
        "proposer": _seat(roster.proposer),
        "challenger": None if roster.challenger is None else _seat(roster.challenger),
    }


def _seat(seat: Seat) -> Document:
    return {"ai": seat.ai, "model": seat.model, "handle": seat.handle}


def _spend(spend: Spend) -> Document:
    return {
        "calls": spend.calls,
        "input_tokens": spend.input_tokens,
        "output_tokens": spend.output_tokens,
        "usd": spend.usd,
    }


def _summary(summary: RunSummary) -> Document:
    """Every count of the model. One that is added there shows here, and then the reference page's test asks for it."""
    said: Document = {}
    for field in dataclasses.fields(summary):
        value = getattr(summary, field.name)
        said[field.name] = dict(value) if isinstance(value, Mapping) else value
    return said
