"""The sentences that the terminal, the HTML page and other surfaces share, so that one thing is said one way.

Answers for: the verdict of a run in words, who said what, what was not judged, what it cost. It declines layout and
colour, and what a model wrote: callers make that safe (`untrusted`) before it is shown. Plain functions of the run.

Rules:
1. A state is named by a word, never by a colour alone.
2. What did not happen is said as plainly as what did: no dialogue, not ruled on, not judged, nothing changed.
3. Nothing here promises more than was done: no findings is said of these judges and these shots, not of the site.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from bicameral.model.adjudication import AdjudicationResult
from bicameral.model.evidence import Shot, View
from bicameral.model.judging import Spend
from bicameral.model.run import BatchOutcome, RunReport
from bicameral.model.seats import Roster
from bicameral.model.vocabulary import FORM_FACTORS, SCHEMES, SEVERITIES, Reason, Status, Word
from bicameral.report.issues import STANDINGS, Account, FindingRow, IssueRow, Standing

REASON_WORDS: Final[Mapping[Reason, str]] = {
    "unreachable": "it could not be reached",
    "timed-out": "it did not answer in time",
    "refused": "it declined to answer",
    "truncated": "its answer was cut off",
    "empty": "its answer was empty",
    "unreadable": "its answer could not be read",
    "nothing-usable": "nothing in its answer could be used",
    "budget": "the budget did not allow it",
    "cancelled": "the run was cancelled",
}

RULING_WORDS: Final[Mapping[Word, str]] = {
    "agree": "agrees",
    "dispute": "disputes",
    "amend": "amends",
    "cannot-tell": "cannot tell",
}

STANDING_WORDS: Final[Mapping[Standing, str]] = {
    "agreed": "agreed",
    "amended": "amended",
    "disputed": "disputed",
    "undecided": "cannot tell",
    "unruled": "not ruled on",
    "undialogued": "no dialogue",
    "alone": "one judge",
}

STATUS_WORDS: Final[Mapping[Status, str]] = {
    "open": "open",
    "confirmed": "confirmed",
    "fixed": "fixed",
    "by-design": "by design",
    "not-a-defect": "not a defect",
    "blocked": "blocked",
}

ADVICE_WORDS: Final[Mapping[str, str]] = {
    "genuine": "a real contradiction: the two accounts cannot both be true",
    "supersedes": "not a contradiction in kind: things changed between the two accounts",
    "tension": "a partial conflict, or one of scope",
    "complementary": "no contradiction: the second account supports or refines the first",
    "unrelated": "no contradiction: the two accounts are about different things",
}

ADVICE_IS_ADVICE: Final = "Advice only: it changes no finding."
NOTHING_CHANGED: Final = "No judge was called: nothing changed since the last run."
NOT_JUDGED: Final = "Not judged, or not by both"
RULED_EARLIER: Final = "Ruled on earlier, seen again"
LIST_LIMIT: Final = 8
"""Names shown of a long list; the rest are counted, and are whole in --json."""
UNACCOUNTED_MEANS: Final = "In no finding and not called clean: not judged, and judged again on the next run."


READING: Final[tuple[tuple[str, str], ...]] = (
    ("Agreed", "Both judges say that the defect is real."),
    ("Disputed", "One judge says that it is not. The finding is kept and stays open; a person rules on it."),
    (
        "Amended",
        "The other judge says that it is real, with a caveat. Its words stand beside the finding and change nothing.",
    ),
    ("Cannot tell", "The other judge looked and could not decide. That is neither agreement nor dispute."),
    ("Not ruled on", "The other judge said nothing of it. Silence is not agreement."),
    ("No dialogue", "The other judge could not be asked, or its answer could not be used; the reason is given."),
    ("Unaccounted for", "A shot that no judge filed a finding on or called clean."),
)


def plural(count: int, noun: str, many: str | None = None) -> str:
    """`1 view`, `2 views`, `0 views`."""
    return f"{count} {noun if count == 1 else many or noun + 's'}"


def listed(words: Sequence[str]) -> str:
    """`a`, `a and b`, `a, b and c`."""
    return " and ".join([", ".join(words[:-1]), words[-1]]) if len(words) > 1 else "".join(words)


def verdict(report: RunReport, rows: Sequence[IssueRow]) -> str:
    """The run in one sentence, as a heading. rows: all issues of the run."""
    summary = report.summary
    if summary.views == 0 and not rows:
        return "Nothing was judged"
    if summary.views and summary.failed_views == summary.views:
        return "The view could not be judged" if summary.views == 1 else "None of the views could be judged"
    if still_open := sum(row.is_open for row in rows):
        return plural(still_open, "open issue")
    nothing = "Nothing open" if rows else "No findings"
    return nothing if report.exit_status == 0 else f"{nothing}, but not everything was judged"


def looked_at(report: RunReport) -> str:
    """What was put before the judges, and who they were."""
    shots, views = plural(report.summary.shots, "shot"), plural(report.summary.views, "view")
    return f"{shots} of {views}, judged by {seats(report.roster)}"


def seats(roster: Roster) -> str:
    if roster.challenger is None:
        return f"{roster.proposer.handle} alone"
    return f"{roster.proposer.handle} (proposer) and {roster.challenger.handle} (challenger)"


def severity_counts(issues: Iterable[IssueRow]) -> str:
    """`1 critical, 3 high`: of the issues handed in, worst first; empty for none."""
    counts = Counter(row.severity for row in issues)
    return ", ".join(f"{counts[severity]} {severity}" for severity in SEVERITIES if counts[severity])


def standing_counts(rows: Iterable[IssueRow]) -> str:
    """`2 agreed, 1 disputed`: of the open issues among the rows; empty for none."""
    counts = Counter(row.standing for row in rows if row.is_open)
    return ", ".join(f"{counts[standing]} {STANDING_WORDS[standing]}" for standing in STANDINGS if counts[standing])


def exit_words(report: RunReport, rows: Sequence[IssueRow]) -> str:
    """What the exit status says, with its number. Issues that are open and do not count are said."""
    still_open = sum(row.is_open for row in rows)
    excused = (
        f" ({still_open - report.summary.open} of them left out of it)" if report.summary.open < still_open else ""
    )
    match report.exit_status:
        case 0 if still_open:
            return "Exit status 0: none of the open issues counts in the scope of this run."
        case 0:
            return "Exit status 0: nothing open in the scope of this run."
        case 1:
            return f"Exit status 1: there are open issues{excused}."
        case _:
            why = listed(_unfinished(report)) or "the job was not done whole"
            return f"Exit status {report.exit_status}: {why}."


def _unfinished(report: RunReport) -> list[str]:
    summary, said = report.summary, []
    if not summary.views:
        said.append("nothing was judged")
    if summary.failed_views:
        said.append(f"{plural(summary.failed_views, 'view')} could not be judged")
    if report.skipped:
        said.append(f"{plural(len(report.skipped), 'input')} could not be used")
    if not said and summary.undialogued_views:
        said.append(f"{plural(summary.undialogued_views, 'view')} had no dialogue")
    if not said and report.unaccounted:
        be = "is" if len(report.unaccounted) == 1 else "are"
        said.append(f"{plural(len(report.unaccounted), 'shot')} {be} unaccounted for")
    return said


def caches(report: RunReport) -> str | None:
    """What was served from earlier verdicts, or None where every judge was asked."""
    summary = report.summary
    if not summary.cached_views:
        return None
    if summary.cached_views == summary.views and not summary.judge_calls:
        return NOTHING_CHANGED
    same = f"{summary.cached_views} of {plural(summary.views, 'view')} unchanged since an earlier run"
    return f"{same}: no judge was called for {'it' if summary.cached_views == 1 else 'them'}."


def spent(spend: Spend) -> str:
    """What judging cost, in the units the providers state."""
    said = [plural(spend.calls, "judge call")]
    if spend.input_tokens or spend.output_tokens:
        said.append(f"{spend.input_tokens:,} tokens in and {spend.output_tokens:,} out")
    if spend.usd is not None:
        said.append(f"{spend.usd:.4f} USD" if spend.usd < 0.1 else f"{spend.usd:.2f} USD")
    return ", ".join(said)


def view(one: View) -> str:
    """`shop/pricing`, with the state where it is not at rest."""
    where = str(one).removesuffix(f" [{one.state}]")
    return where if one.state == "rest" else f"{where} ({one.state})"


def place(row: IssueRow, *, several_targets: bool) -> str:
    """The route or shell region, with the state where it is not at rest, and the target where there are several."""
    here = row.place.strip("[]") if row.place.startswith("[shell-") else row.place
    where = f"{row.target} {here}" if several_targets else here
    return where if row.state == "rest" else f"{where} ({row.state})"


def shot_words(shots: Sequence[Shot], of: Sequence[Shot]) -> str:
    """Form factors and schemes in few words: `all 6 shots`, `phone`, `dark`, `phone dark, tablet light`.

    shots: where something shows; of: every shot it could have shown on. A whole form factor is named without its
    schemes, a whole scheme without its form factors.
    """
    there, all_there = {_look(shot) for shot in shots}, {_look(shot) for shot in of}
    if not there:
        return ""
    if there == all_there and len(of) > 1:
        return f"all {len(of)} shots" if len(shots) == len(of) else f"{len(shots)} of {len(of)} shots"
    for axis in (0, 1):
        names = _ordered({look[axis] for look in there}, axis)
        if len({look[axis] for look in all_there}) > 1 and there == {look for look in all_there if look[axis] in names}:
            return ", ".join(names)
    return ", ".join(f"{form} {scheme}" for form, scheme in sorted(there, key=_look_order))


def look_words(shot: Shot) -> str:
    """`phone, dark`."""
    return f"{shot.form_factor}, {shot.scheme}"


def look_order(shot: Shot) -> tuple[int, str, int, str]:
    """Desktop, tablet, phone; light before dark; unknown words last, by name."""
    return _look_order(_look(shot))


def _look(shot: Shot) -> tuple[str, str]:
    return (shot.form_factor, shot.scheme)


def _look_order(look: tuple[str, str]) -> tuple[int, str, int, str]:
    form, scheme = look
    return (
        FORM_FACTORS.index(form) if form in FORM_FACTORS else len(FORM_FACTORS),
        form,
        SCHEMES.index(scheme) if scheme in SCHEMES else len(SCHEMES),
        scheme,
    )


def _ordered(names: Iterable[str], axis: int) -> list[str]:
    known: Sequence[str] = FORM_FACTORS if axis == 0 else SCHEMES
    return sorted(names, key=lambda name: (known.index(name) if name in known else len(known), name))


def ruling_line(account: Account) -> str:
    """`pixels disputes this`: who, and the ruling as a verb."""
    return f"{account.oracle} {RULING_WORDS[account.word]}"


def advice_line(advice: AdjudicationResult) -> str:
    """The adjudicator's verdict on a dissent, as the advice it is."""
    if advice.method == "none":
        return "The adjudicator could not weigh the two accounts."
    capped = ", held back because its model is of a low tier" if advice.tier_capped else ""
    return (
        f"The adjudicator ({advice.method}, confidence {advice.confidence:.2f}{capped}) reads {advice.verdict}: "
        f"{ADVICE_WORDS[advice.verdict]}."
    )


def silence(row: FindingRow) -> str:
    """What is said in place of a second account where there is none."""
    batch = row.batch
    if row.standing == "alone" or row.other is None:
        return "One judge sat alone; nobody was asked to rule on this."
    if row.added and batch.second_round_reason:
        return f"{row.other} did not rule on what {row.seat} added: {REASON_WORDS[batch.second_round_reason]}."
    if row.standing == "undialogued" and batch.undialogued_reason:
        return f"{row.other} did not rule: {REASON_WORDS[batch.undialogued_reason]}. This stands on one account."
    if row.standing == "undialogued":
        return f"{row.other} did not rule. This stands on one account."
    return f"Not ruled on: {row.other} said nothing of this finding. Silence is not agreement."


def undialogued(batch: BatchOutcome, report: RunReport) -> str:
    """Why a view had no dialogue, as one sentence without the view's name."""
    challenger = batch.roster.challenger or report.roster.challenger
    who = challenger.handle if challenger else "the challenger"
    why = f": {REASON_WORDS[batch.undialogued_reason]}" if batch.undialogued_reason else ""
    return f"No dialogue with {who}{why}. Findings stand on one account."


def second_round(batch: BatchOutcome) -> str:
    """Why the proposer did not rule on the challenger's additions, as one sentence without the view's name."""
    why = f": {REASON_WORDS[batch.second_round_reason]}" if batch.second_round_reason else ""
    return f"{batch.roster.proposer.handle} did not rule on the additions{why}. They stand on one account."


def failed(batch: BatchOutcome) -> str:
    """Why a view could not be judged, as one sentence without the view's name."""
    why = f": {REASON_WORDS[batch.failure]}" if batch.failure else ""
    said = f"Not judged by {batch.roster.proposer.handle}{why}."
    return f"{said} {batch.failure_note}" if batch.failure_note else said


def dialogue(batch: BatchOutcome, report: RunReport) -> str:
    """What became of a view's dialogue, in a few words for its record."""
    if batch.failure:
        return failed(batch)
    if not batch.dialogued:
        return undialogued(batch, report)
    said = "One judge alone, as asked." if batch.roster.challenger is None else "Both judges were heard."
    if batch.second_round_reason:
        said = f"{said} {second_round(batch)}"
    if batch.unruled:
        said = f"{said} {plural(len(batch.unruled), 'finding')} not ruled on."
    return f"{said} Served from an earlier verdict: nothing changed." if batch.cached else said


def nothing_open(report: RunReport, rows: Sequence[IssueRow]) -> str:
    """What stands where the open issues would, when there are none."""
    if not report.summary.views:
        return "Nothing was judged in this run."
    if report.summary.failed_views == report.summary.views:
        return "Nothing is known: no view could be judged."
    whole = "" if report.exit_status == 0 else " Not everything was judged; see above."
    if rows:
        return f"Nothing is open: every issue of this run was ruled on by a person.{whole}"
    return f"{seats(report.roster)} found nothing wrong in {plural(len(report.clean_shot_ids), 'clean shot')}.{whole}"


def not_judged(report: RunReport) -> tuple[str, ...]:
    """Everything that was not judged, or by one judge alone against the roster, one sentence each."""
    lines = [line for batch in report.batches for line in _view_lines(batch, report)]
    if report.unaccounted:
        lines.append(f"Unaccounted for: {some(report.unaccounted)}. {UNACCOUNTED_MEANS}")
    lines += [f"Skipped {skipped.where}: {skipped.reason}" for skipped in report.skipped]
    lines += [line for line in (lanes_not_judged(report), reply_troubles(report)) if line]
    return tuple(lines)


def _view_lines(batch: BatchOutcome, report: RunReport) -> Iterator[str]:
    if batch.failure:
        yield f"{view(batch.view)}: {failed(batch)}"
    elif not batch.dialogued:
        yield f"{view(batch.view)}: {undialogued(batch, report)}"
    if batch.unruled:
        yield f"{view(batch.view)}: {plural(len(batch.unruled), 'finding')} not ruled on, to be judged again."
    if batch.second_round_reason:
        yield f"{view(batch.view)}: {second_round(batch)}"


def some(names: Sequence[str]) -> str:
    """The first LIST_LIMIT names, and how many more there are."""
    rest = len(names) - LIST_LIMIT
    return ", ".join(names[:LIST_LIMIT]) + (f" and {rest} more" if rest > 0 else "")


def lanes_not_judged(report: RunReport) -> str | None:
    """Which lanes nobody could judge and on how many views, or None."""
    counts = Counter(lane for batch in report.batches for lane in dict.fromkeys(batch.lanes_not_judged))
    if not counts:
        return None
    views = len(report.batches)
    said = [lane if count == views else f"{lane} ({plural(count, 'view')})" for lane, count in counts.items()]
    return f"Lanes nobody here could judge: {listed(said)}."


def reply_troubles(report: RunReport) -> str | None:
    """Replies that were not read whole, counted by what became of them, or None."""
    said = [f"{count} {state}" for state, count in report.summary.reply_states.items() if state != "complete" and count]
    if report.summary.rejected_rows:
        said.append(f"{plural(report.summary.rejected_rows, 'row')} rejected")
    return f"Judges' replies that could not be used whole: {', '.join(said)}." if said else None
