"""How `adjudicate` shows what it found: to people as text, to programs as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import typer

if TYPE_CHECKING:
    from bicameral.model.adjudication import AdjudicationResult
    from bicameral.runtime.pairs import PairsSummary
    from bicameral.runtime.scan import ScanReport, Told

_MEANS = {
    "genuine": "Both cannot be true of the same time.",
    "supersedes": "The target was true, and the world has changed since.",
    "tension": "They conflict in part, or the claim cannot be verified.",
    "complementary": "The claim supports the target, or makes it more exact.",
    "unrelated": "The two have no logical bearing on each other.",
}
_CONFLICTS_SHOWN = 50


def result_document(result: AdjudicationResult) -> dict[str, Any]:
    return {
        "verdict": result.verdict,
        "confidence": result.confidence,
        "method": result.method,
        "reasoning": result.reasoning,
        "tier_capped": result.tier_capped,
    }


def show_result(result: AdjudicationResult, *, small: bool) -> None:
    from bicameral.report.untrusted import safe_line

    if result.method == "none":
        typer.echo(f"{result.verdict} (unverified): nobody could say; neither trusted nor dropped.")
    else:
        typer.echo(f"{result.verdict} ({result.confidence:.0%} sure): {_MEANS[result.verdict]}")
    if result.reasoning:
        typer.echo(f"  {safe_line(result.reasoning)}")
    if result.tier_capped:
        typer.echo("  A model of a low tier said genuine and was not sure enough to be believed.")
    if small and result.method == "nli":
        from bicameral.runtime.adjudicating import SMALL

        typer.echo(f"  {SMALL}")


def table_document(summary: PairsSummary) -> dict[str, Any]:
    """A table's run as JSON."""
    return {
        "out": str(summary.out),
        "rows": summary.rows,
        "counts": dict(summary.counts),
        "bad_rows": summary.bad_rows,
        "bad": [{"where": place, "what": why} for place, why in summary.bad],
        "unweighed": summary.unweighed,
        "gated": summary.gated,
        "resumed": summary.resumed,
    }


def show_table(summary: PairsSummary, *, small: bool, asked: bool = True) -> None:
    """asked: whether there was anybody to ask."""
    from bicameral.report.untrusted import safe_line

    weighed = summary.rows - summary.bad_rows - summary.unweighed if asked else summary.gated
    before = f"; an earlier run had done {summary.resumed}" if summary.resumed else ""
    typer.echo(f"{safe_line(str(summary.out))}: {weighed} of {summary.rows} rows weighed{before}.")
    if not asked:
        typer.echo("Nobody was asked, so the others are unverified: tension, confidence 0.")
    for verdict, count in summary.counts.items():
        typer.echo(f"  {verdict:<14} {count}")
    if summary.gated:
        typer.echo(f"{summary.gated} pairs are about different subjects; nobody was asked about them.")
    if summary.unweighed:
        typer.echo(f"{summary.unweighed} pairs got no answer from any provider: tension, confidence 0.")
    if summary.bad_rows:
        typer.echo(f"{summary.bad_rows} bad rows are carried through with an error:")
        for place, why in summary.bad:
            typer.echo(f"  {place}: {safe_line(why)}")
        if summary.bad_rows > len(summary.bad):
            typer.echo(f"  and {summary.bad_rows - len(summary.bad)} more")
    if small:
        from bicameral.runtime.adjudicating import SMALL

        typer.echo(SMALL)


def scan_document(report: ScanReport) -> dict[str, Any]:
    found = report.candidates
    return {
        "counts": dict(report.counts),
        "contradictions": [
            {
                **result_document(one.result),
                "target": _statement(one.earlier),
                "claim": _statement(one.later),
            }
            for one in report.conflicts
        ],
        "files": report.files,
        "statements": report.statements,
        "pairs": {
            "possible": found.possible,
            "compared": len(found.pairs),
            "not_compared": {
                "no_shared_rare_word": found.no_rare_word,
                "different_subjects": found.different_subjects,
                "over_max_pairs": found.over_limit,
            },
            "unweighed": report.unweighed,
        },
        "passed_over": dict(report.passed_over),
        "skipped": [{"where": name, "what": why} for name, why in report.skipped],
    }


def _statement(told: Told) -> dict[str, Any]:
    first, *others = told.places
    also = [{"file": place.file, "line": place.line} for place in others]
    return {"file": first.file, "line": first.line, "text": told.text, "also": also}


def show_scan(report: ScanReport, *, small: bool, asked: bool = True) -> None:
    """asked: whether there was anybody to ask."""
    from bicameral.report.untrusted import safe_line

    for one in report.conflicts[:_CONFLICTS_SHOWN]:
        typer.echo(f"{one.result.verdict} ({one.result.confidence:.0%} sure)")
        for told in (one.earlier, one.later):
            also = f" (and {len(told.places) - 1} more places)" if len(told.places) > 1 else ""
            typer.echo(f"  {safe_line(str(told.places[0]))}{also}: {safe_line(told.text)}")
    if len(report.conflicts) > _CONFLICTS_SHOWN:
        typer.echo(f"and {len(report.conflicts) - _CONFLICTS_SHOWN} more; --json has them all")
    found = report.candidates
    compared = "compared" if asked else "found worth comparing, and nobody was asked"
    typer.echo(
        f"{report.statements} statements in {report.files} files; "
        f"{len(found.pairs)} of {found.possible} pairs {compared}, {len(report.conflicts)} contradictions."
    )
    typer.echo(
        f"Not compared: {found.no_rare_word} pairs share no rare word, {found.different_subjects} are about different "
        f"subjects, {found.over_limit} were over --max-pairs."
    )
    if report.passed_over:
        typer.echo(
            "Not read: " + ", ".join(f"{count} {kind}" for kind, count in sorted(report.passed_over.items())) + "."
        )
    if report.unweighed:
        typer.echo(f"{report.unweighed} pairs got no answer from any provider.")
    for name, why in report.skipped:
        typer.echo(f"skipped {safe_line(name)}: {safe_line(why)}")
    if small:
        from bicameral.runtime.adjudicating import SMALL

        typer.echo(SMALL)
