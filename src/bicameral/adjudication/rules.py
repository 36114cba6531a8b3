"""What follows from what the providers said: the verdict, whose it is, and how sure.

Answers for: every decision of the ladder, from the rungs alone, so that a replay needs no provider. Pure. Declines to
ask anybody, and to read a provider's own words (`answers` does).

Rules, in order (the thresholds are settings, with these defaults):
1. Of an NLI's two directions the one with the stronger contradiction score stands; the first on a tie. Label
   contradiction with its score above 0.8 is genuine; label entailment with its score above 0.7 complementary; no score
   reaching 0.5 unrelated; all else tension. Confidence is the standing label's score.
2. Where that says genuine and an LLM was asked, a `supersedes` of at least 0.5 (0.8 from a low tier) replaces it; no
   other answer does, and one without a usable confidence never.
3. Without an NLI's answer the LLM's counts. An unknown word is tension; a confidence that cannot be used is 0.5.
4. A low or unknown tier's genuine below 0.8, or with no usable confidence, becomes tension, and is said to be capped.
5. Nobody could say: tension, confidence 0, method `none`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from decimal import ROUND_HALF_UP, Decimal
from typing import Final

from bicameral.adjudication.answers import LABELS, LLMReading, NLIReading, Unusable, read_llm, read_nli, usable_number
from bicameral.canonical.words import word
from bicameral.errors import ConfigError, ProviderFailed
from bicameral.model.adjudication import VERDICTS, AdjudicationResult, Rung, Verdict

NOBODY: Final = "No adjudication provider available — recorded as unverified tension."
SUCCESSION: Final = "(NLI flagged conflict; reclassified as succession)"
NO_CONFIDENCE: Final = 0.5
"""What an LLM's answer without a usable confidence is taken to be worth."""


@dataclass(frozen=True, kw_only=True)
class Thresholds:
    """Scores and confidences at which one verdict becomes another, each 0..1.

    genuine, complementary: the label's score has to be above.  noticed: below it no score means anything.
    succession, succession_low: an LLM's `supersedes` has to reach it; the second where its tier is low.
    cap: a low tier's `genuine` has to reach it.  Raises ConfigError for a value outside 0..1.
    """

    genuine: float = 0.8
    complementary: float = 0.7
    noticed: float = 0.5
    succession: float = 0.5
    succession_low: float = 0.8
    cap: float = 0.8

    def __post_init__(self) -> None:
        for field in fields(self):
            value = usable_number(getattr(self, field.name))
            if value is None or not 0 <= value <= 1:
                raise ConfigError(
                    f"The threshold {field.name!r} is {getattr(self, field.name)!r}.", mend="Give a number from 0 to 1."
                )


DEFAULTS: Final = Thresholds()


def nli_to_verdict(label: str, scores: Mapping[str, float], *, thresholds: Thresholds = DEFAULTS) -> Verdict:
    """The verdict of one direction's label and scores (rule 1).

    Raises ProviderFailed (`unreadable`) for a label other than the three, compared after trimming and case folding,
    and for scores that are missing, not finite or outside 0..1.
    """
    try:
        reading = read_nli({"label": label, "scores": scores})
    except Unusable as exc:
        raise ProviderFailed(f"An NLI's answer cannot be used: {exc.detail}.", kind="unreadable") from exc
    return _of_reading(reading, thresholds)


def _of_reading(reading: NLIReading, thresholds: Thresholds) -> Verdict:
    if reading.label == "contradiction" and reading.score > thresholds.genuine:
        return "genuine"
    if reading.label == "entailment" and reading.score > thresholds.complementary:
        return "complementary"
    if max(reading.scores.values()) < thresholds.noticed:
        return "unrelated"
    return "tension"


def is_low(tier: object) -> bool:
    """Whether a tier's word earns little trust: `low`, or any word that is not `medium` or `high`."""
    return word(tier) not in ("medium", "high")


def replay_rungs(
    rungs: Sequence[Rung], *, tier: str = "medium", thresholds: Thresholds = DEFAULTS
) -> AdjudicationResult:
    """The result that these rungs lead to. The live ladder decides by this function too, so a replay is the same.

    rungs: in the order in which they were asked, at most one of each kind counts.  A rung whose answer cannot be read
    counts as failed.
    """
    kept = tuple(rungs)
    nli = next((both for rung in kept if rung.kind == "nli" and (both := _directions(rung))), None)
    llm = next((spoken for rung in kept if rung.kind == "llm" and (spoken := _spoken(rung))), None)
    if nli is not None:
        weighed = _by_nli(*nli, kept, thresholds)
        return (weighed.verdict == "genuine" and llm and _succession(llm, tier, kept, thresholds)) or weighed
    if llm is not None:
        return _by_llm(llm, tier, kept, thresholds)
    return AdjudicationResult(verdict="tension", confidence=0.0, method="none", reasoning=NOBODY, rungs=kept)


def _directions(rung: Rung) -> tuple[str, NLIReading, NLIReading] | None:
    if rung.said is None:
        return None
    try:
        return rung.provider, read_nli(rung.said.get("forward")), read_nli(rung.said.get("reverse"))
    except Unusable:
        return None


def _spoken(rung: Rung) -> LLMReading | None:
    try:
        return None if rung.said is None else read_llm(rung.said)
    except Unusable:
        return None


def _by_nli(
    name: str, forward: NLIReading, reverse: NLIReading, rungs: tuple[Rung, ...], thresholds: Thresholds
) -> AdjudicationResult:
    turned = reverse.scores["contradiction"] > forward.scores["contradiction"]
    standing = reverse if turned else forward
    shown = ", ".join(f"{label[0]}={_two_places(standing.scores[label])}" for label in LABELS)
    direction = "claim as premise" if turned else "target as premise"
    return AdjudicationResult(
        verdict=_of_reading(standing, thresholds),
        confidence=standing.score,
        method="nli",
        reasoning=f"NLI ({name}): {standing.label} [{shown}], {direction}",
        rungs=rungs,
    )


def _two_places(score: float) -> str:
    """Two decimals, exact ties up, as ECMAScript's toFixed rounds."""
    return str(Decimal(score).quantize(Decimal("0.01"), ROUND_HALF_UP))


def _succession(
    llm: LLMReading, tier: str, rungs: tuple[Rung, ...], thresholds: Thresholds
) -> AdjudicationResult | None:
    floor = thresholds.succession_low if is_low(tier) else thresholds.succession
    if word(llm.verdict) != "supersedes" or llm.confidence is None or llm.confidence < floor:
        return None
    reason = "Temporal succession." if llm.reasoning is None else llm.reasoning
    return AdjudicationResult(
        verdict="supersedes",
        confidence=llm.confidence,
        method="llm",
        reasoning=f"{reason} {SUCCESSION}",
        rungs=rungs,
    )


def _by_llm(llm: LLMReading, tier: str, rungs: tuple[Rung, ...], thresholds: Thresholds) -> AdjudicationResult:
    said = word(llm.verdict)
    verdict: Verdict = next((known for known in VERDICTS if known == said), "tension")
    sure = llm.confidence
    capped = verdict == "genuine" and is_low(tier) and (sure is None or sure < thresholds.cap)
    return AdjudicationResult(
        verdict="tension" if capped else verdict,
        confidence=NO_CONFIDENCE if sure is None else sure,
        method="llm",
        reasoning=llm.reasoning,
        tier_capped=capped,
        rungs=rungs,
    )
