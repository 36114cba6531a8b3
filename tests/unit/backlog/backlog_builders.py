"""One shot, one finding, one batch: what the tests of the backlog start from."""

from __future__ import annotations

from typing import Any

from bicameral.backlog import JudgedBatch, Merged, Reach, merge, rule
from bicameral.model.backlog import Issue
from bicameral.model.evidence import Shot
from bicameral.model.findings import Consensus, Dissent, Finding, Ruling

AT = "2026-11-30T12:00:00Z"


def digest(letter: str) -> str:
    return "sha256:" + letter * 64


def shot(
    route: str = "/", form_factor: str = "desktop", scheme: str = "light", *, picture: str = "a", **more: Any
) -> Shot:
    return Shot(
        **{
            "shot_id": f"app{route}/rest/{form_factor}/{scheme}",
            "target": "app",
            "route": route,
            "form_factor": form_factor,
            "scheme": scheme,
            "picture": digest(picture),
            "facts": digest("f"),
            "width_px": 100,
            "height_px": 100,
        }
        | more
    )


def finding(on: Shot, **more: Any) -> Finding:
    return Finding(
        **{
            "shot_id": on.shot_id,
            "category": "contrast",
            "attribute": "button-save",
            "severity": "high",
            "confidence": "high",
            "title": "Text is hard to read",
            "problem": "The label is grey on grey.",
            "oracle": "axe",
        }
        | more
    )


def batch(
    run_id: str, shots: list[Shot], findings: list[Finding], *, complete: tuple[str, ...] = ("axe",)
) -> JudgedBatch:
    """complete: the oracles whose verdict is complete over all the shots."""
    every = frozenset(one.shot_id for one in shots)
    return JudgedBatch(
        run_id=run_id,
        shots=tuple(shots),
        findings=tuple(findings),
        dialog_id=digest("d"),
        wire_digest=digest("e"),
        reaches=tuple(Reach(oracle=oracle, shot_ids=every) for oracle in complete),
    )


def one_issue(**more: Any) -> Issue:
    """An issue that run-1 filed on the first shot."""
    here = shot()
    (issue,) = merge([], batch("run-1", [here], [finding(here, **more)])).issues
    return issue


def ruled(issue: Issue, status: Any, *, at: str = AT, by: str = "ada", proposed: bool = False) -> Issue:
    return rule(issue, status=status, reason="because", ruled_by=by, ruled_at=at, proposed=proposed)


def then(issues: list[Issue], *batches: JudgedBatch) -> tuple[dict[str, Issue], Merged]:
    """The issues after the batches, merged one after another, and what the last one brought."""
    held = {issue.issue: issue for issue in issues}
    for each in batches:
        merged = merge(held.values(), each)
        held |= {issue.issue: issue for issue in merged.issues}
    return held, merged


def disputed(by: str = "pixels", note: str = "It reads well.", **more: Any) -> dict[str, Any]:
    """The account of a finding that one judge disputes, for `finding`."""
    return {
        "consensus": Consensus(reported_by="axe+layout", disputed_by=(Dissent(oracle=by, note=note),), **more),
        "rulings": (Ruling(index=0, oracle=by, verdict="dispute", notes=(note,)),),
    }


def agreed(by: str = "pixels") -> dict[str, Any]:
    return {
        "consensus": Consensus(reported_by="axe+layout", agreed_by=(by,)),
        "rulings": (Ruling(index=0, oracle=by, verdict="agree"),),
    }
