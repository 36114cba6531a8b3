"""The figures of a run on labelled pages, as a table, as a list of errors and as JSON."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from _incompletes import Answered
from _labels import LabelledSet, Page
from _scoring import Claim, Counts, PageScore, Tally, wilson

from bicameral.model.judging import DialogueResult
from bicameral.model.vocabulary import lane_of

ACCOUNTS: Final = ("axe-core alone", "proposer", "both agree", "filed")
AXE: Final = "axe-core alone"
BOTH: Final = "both agree"
FILED: Final = "filed"
SHOWN_LANES: Final = frozenset({"rendering", "geometry", "legibility"})
"""Lanes in which a picture can tell; what is only in the markup no measuring of pixels can rule on."""


@dataclass
class SetResult:
    """One set's scores, by account and page.

    words: the challenger's, of the proposer's findings, by lane and word.
    nowhere: scored labels whose selectors find no element.
    """

    labelled: LabelledSet
    scores: dict[str, dict[str, PageScore]] = field(default_factory=lambda: {account: {} for account in ACCOUNTS})
    words: Counter[tuple[str, str]] = field(default_factory=Counter)
    undialogued: int = 0
    nowhere: list[str] = field(default_factory=list)
    errors: dict[str, str] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    answered: list[Answered] = field(default_factory=list)

    def add(self, account: str, page: Page, score: PageScore) -> None:
        self.scores[account][page.path] = score

    def count_words(self, verdict: DialogueResult) -> None:
        self.undialogued += not verdict.dialogued
        for finding in verdict.findings:
            consensus = finding.consensus
            if consensus is None or consensus.reported_by != verdict.roster.proposer.handle:
                continue
            word = "cannot-tell" if consensus.undecided_by else "disputed" if consensus.disputed else "unruled"
            self.words[_lane(finding.category), "agreed" if consensus.agreed else word] += 1

    def sort(self) -> None:
        """Pages in the set's order, whichever was done first."""
        order = {page.path: at for at, page in enumerate(self.labelled.pages)}
        for account, scores in self.scores.items():
            self.scores[account] = dict(sorted(scores.items(), key=lambda row: order[row[0]]))
        self.notes.sort()
        self.nowhere.sort()
        self.answered.sort(key=lambda one: (order[one.node.path], one.node.selector))

    def tally(self, account: str) -> Tally:
        return Tally(list(self.scores[account].values()))


def table(results: Sequence[SetResult]) -> str:
    """Every set; then all that are scored by labels alone together, where there are several.

    Sets whose unlabelled rest counts as clean stay apart: there a false positive is a finding and not a label.
    """
    lines = [line for one in results for line in _block(one.labelled.name, [one])]
    by_labels = [one for one in results if not one.labelled.rest_is_clean]
    if len(by_labels) > 1:
        lines += _block(f"all {len(by_labels)} sets that are scored by labels alone", by_labels)
    return "\n".join(lines)


def _block(name: str, results: Sequence[SetResult]) -> list[str]:
    tallies = {
        account: Tally([score for one in results for score in one.scores[account].values()]) for account in ACCOUNTS
    }
    clean = any(score.clean for score in tallies[FILED].scores) or any(one.labelled.rest_is_clean for one in results)
    rows = [_row(account, tally, precise=clean) for account, tally in tallies.items()]
    return [*_head(name, results, precise=clean), *rows, *_tail(results), ""]


def _head(name: str, results: Sequence[SetResult], *, precise: bool) -> list[str]:
    scores = [score for one in results for score in one.scores[FILED].values()]
    defects = sum(len(score.hit) + len(score.missed) for score in scores)
    clean = sum(score.clean for score in scores)
    failed = sum(len(one.errors) for one in results)
    rest = "; all else counts as clean" if any(one.labelled.rest_is_clean for one in results) else ""
    lines = [
        f"{name}: {len(scores)} pages, {failed} with an error; labels: {defects} defect, {clean} clean{rest}",
        f"  {'':15} {'precision':20} {'recall':20} {'F1':20} {'hit':>5} {'false':>5} {'missed':>6}"
        f" {'FP/page':>8} {'filed':>6}",
    ]
    return lines if precise else [*lines, "  (no clean label: precision cannot be measured, F1 is the recall's alone)"]


def _row(account: str, tally: Tally, *, precise: bool) -> str:
    counts = tally.counts
    precision = counts.precision if precise else None
    false_a_page = tally.false_a_page
    return (
        f"  {account:15}"
        f" {_figure(precision, wilson(counts.hits, counts.hits + counts.false)):20}"
        f" {_figure(counts.recall, wilson(counts.hits, counts.hits + counts.missed)):20}"
        f" {_figure(counts.f1, tally.f1_interval()):20}"
        f" {counts.hits:5} {counts.false:5} {counts.missed:6}"
        f" {'-' if false_a_page is None else f'{false_a_page:.2f}':>8} {tally.claims:6}"
    )


def _tail(results: Sequence[SetResult]) -> list[str]:
    lines = []
    filed = sum((one.tally(FILED).counts for one in results), Counts())
    both = sum((one.tally(BOTH).counts for one in results), Counts())
    if filed.hits:
        lines.append(f"  both agree on {both.hits} of {filed.hits} defects found ({both.hits / filed.hits:.0%})")
    words = sum((one.words for one in results), Counter[tuple[str, str]]())
    lines += _words("on {} proposed findings", words)
    shown = Counter({key: count for key, count in words.items() if key[0] in SHOWN_LANES})
    lines += _words("on the {} of these that a picture can show", shown)
    false = Counter(
        f"{claim.by} {_lane(claim.category)}"
        for one in results
        for score in one.scores[FILED].values()
        for claim in score.false_claims
    )
    if false:
        lines.append("  false positives filed, by judge and lane: " + _counted(false))
    outcomes = Counter(answer.outcome for one in results for answer in one.answered)
    if outcomes:
        lines.append(
            "  axe's incompletes, asked of pixels: " + ", ".join(f"{word} {n}" for word, n in sorted(outcomes.items()))
        )
    if undialogued := sum(one.undialogued for one in results):
        lines.append(f"  no dialogue was had on {undialogued} pages")
    if nowhere := sum(len(one.nowhere) for one in results):
        lines.append(f"  {nowhere} labels name an element that is not there")
    for one in results:
        lines += [f"  error: {one.labelled.name}/{path}: {_last(said)}" for path, said in one.errors.items()]
    return lines


def _words(of_what: str, words: Counter[tuple[str, str]]) -> list[str]:
    total = words.total()
    by_word: Counter[str] = Counter()
    for (_, word), count in words.items():
        by_word[word] += count
    said = ", ".join(f"{word} {count} ({count / total:.0%})" for word, count in sorted(by_word.items()))
    return [f"  pixels {of_what.format(total)}: {said}"] if total else []


def _lane(category: str) -> str:
    return lane_of(category) or "other"


def errors_of(results: Sequence[SetResult]) -> str:
    """Each false positive and each missed defect of everything filed, and each incomplete that is not right."""
    lines = []
    for one in results:
        lines.append(f"== {one.labelled.name}")
        for path, score in one.scores[FILED].items():
            lines += [f"  false   {path}  {_claim(claim)}" for claim in score.false_claims]
            lines += [f"  missed  {path}  {label}{_by_axe(one, path, str(label))}" for label in score.missed]
        for answer in one.answered:
            if answer.outcome in ("wrong", "open", "not found"):
                node = answer.node
                lines.append(f"  {answer.outcome:7} {node.path}  {node.selector} is {node.truth}: {answer.note}")
        lines += [f"  nowhere {label}" for label in one.nowhere]
        lines += [f"  note    {note}" for note in one.notes]
        lines += [f"  error   {path}\n{said}" for path, said in one.errors.items()]
    lines += ["== rules behind false positives", *_by_rule(results)]
    return "\n".join(lines)


def _by_axe(one: SetResult, path: str, label: str) -> str:
    hit = any(str(found) == label for found in one.scores[AXE][path].hit)
    return "  (axe-core alone finds it)" if hit else ""


def _by_rule(results: Iterable[SetResult]) -> list[str]:
    counted = Counter(
        f"{one.labelled.name} {_rule(claim)}"
        for one in results
        for score in one.scores[FILED].values()
        for claim in score.false_claims
    )
    return [f"  {count:4} {rule}" for rule, count in counted.most_common()]


def _claim(claim: Claim) -> str:
    return f"{_rule(claim)} at {claim.where()}"


def _rule(claim: Claim) -> str:
    return f"{claim.by} {claim.category} {claim.rule}"


def _counted(words: Counter[str]) -> str:
    return ", ".join(f"{word} {count}" for word, count in words.most_common())


def as_json(results: Sequence[SetResult]) -> list[dict[str, Any]]:
    return [
        {
            "set": one.labelled.name,
            "pages": len(one.scores[FILED]),
            "errors": one.errors,
            "accounts": {account: _account_json(one, account) for account in ACCOUNTS},
            "words": {" ".join(key): count for key, count in sorted(one.words.items())},
            "incompletes": [
                {
                    "page": a.node.path,
                    "selector": a.node.selector,
                    "truth": a.node.truth,
                    "outcome": a.outcome,
                    "word": a.word,
                    "note": a.note,
                }
                for a in one.answered
            ],
            "notes": one.notes,
        }
        for one in results
    ]


def _account_json(one: SetResult, account: str) -> dict[str, Any]:
    tally = one.tally(account)
    counts = tally.counts
    return {
        "precision": counts.precision,
        "precision_interval": wilson(counts.hits, counts.hits + counts.false),
        "recall": counts.recall,
        "recall_interval": wilson(counts.hits, counts.hits + counts.missed),
        "f1": counts.f1,
        "f1_interval": tally.f1_interval(),
        "hits": counts.hits,
        "false": counts.false,
        "missed": counts.missed,
        "claims": tally.claims,
        "false_positives_a_page": tally.false_a_page,
        "false_positives": [
            f"{path} {_claim(claim)}" for path, score in one.scores[account].items() for claim in score.false_claims
        ],
        "missed_defects": [f"{path} {label}" for path, score in one.scores[account].items() for label in score.missed],
    }


def _figure(value: float | None, interval: tuple[float, float] | None) -> str:
    if value is None:
        return "-"
    return f"{value:.3f}" + ("" if interval is None else f" [{interval[0]:.2f}, {interval[1]:.2f}]")


def _last(text: str) -> str:
    return text.strip().splitlines()[-1][:200]
