"""Long texts, by windows of sentences: a conflict beyond the model's length is not lost.

Answers for: which windows of a premise and a hypothesis are weighed, and what they come to together. Pure. Declines to
cut anything off unsaid: what is left out is counted.

Rules, in order:
1. A pair that fits goes whole. Of one that does not, each side that takes more than half of the room is cut, by
   sentence. A window is one sentence: on labelled pairs hidden among other sentences that was right more often than
   windows of three. A sentence that is too long is cut between words, each part beginning with the last quarter of
   the one before.
2. Two windows are related if the gate of those who search says so (`related`, rare words by these windows), or if no
   two of the pair's windows are. Each window of the hypothesis is weighed against the windows of the premise that are
   related to it, or where none is, against all. Of these, if one names all that it names, only such; and those that
   score at least half of the best.
3. At most 512 window pairs are weighed, the most related. How many were left out is said.
4. For one window of the hypothesis: the strongest contradiction by a related window stands, unless some window entails
   it more strongly; else the strongest entailment; else the most neutral. A contradiction by a window that is not
   related counts for nothing: two sentences about different things are taken for one too easily, and the strongest of
   two hundred would be such a one.
5. For the whole hypothesis: the strongest contradiction of a window; if all windows are entailed, the weakest of those;
   else the most neutral. The standing window's own label and scores are the answer, or undecided where none is left.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from bicameral.adjudication.features import features
from bicameral.adjudication.nli.scores import undecided
from bicameral.adjudication.related import Rarity, Relatedness, compare
from bicameral.adjudication.sentences import sentences
from bicameral.ports import NLIResult

Spans = Sequence[tuple[int, int]]
"""First and next character of each piece of a text, in order."""

NEAREST: Final = 0.5
"""Of the best score of relatedness. On labelled pairs hidden among twelve other sentences the gate and this took most
of the false contradictions away that the strongest of thirteen makes, and few of the true ones."""
MOST_WINDOW_PAIRS: Final = 512
REPEATED: Final = 4
"""A part of a sentence begins with the last quarter of the one before."""


@dataclass(frozen=True, kw_only=True)
class Windows:
    """pairs: what is weighed.  parts: the number of the hypothesis' window of each.  related: by rule 2, of each.

    premises, hypotheses: how many windows the two sides have.  left_out: related window pairs beyond the bound.
    """

    pairs: tuple[tuple[str, str], ...]
    parts: tuple[int, ...]
    related: tuple[bool, ...]
    premises: int
    hypotheses: int
    left_out: int

    @property
    def note(self) -> str:
        """For people."""
        said = (
            f"too long for the model at once: weighed by sentence, {len(self.pairs)} of "
            f"{self.premises * self.hypotheses} window pairs, those about the same thing"
        )
        return f"{said}; {self.left_out} that would have been were left out" if self.left_out else said


def rooms(premise: int, hypothesis: int, room: int) -> tuple[int, int]:
    """The most pieces that a window of the premise and of the hypothesis may have.

    premise, hypothesis: pieces of the texts, together more than fit.  room: pieces of both that fit. A side of no more
    than half of the room is given all that it has, and the other side what that leaves.
    """
    half = room // 2
    return room - min(hypothesis, half), room - min(premise, room - half)


def cut(text: str, spans: Spans, room: int) -> list[str]:
    """The text as windows of at most `room` pieces, in order; the whole text where it fits. room: at least 1."""
    if len(spans) <= room:
        return [text]
    starts = [start for start, _ in spans]
    windows = []
    for at, sentence in sentences(text):
        first, last = bisect_left(starts, at), bisect_left(starts, at + len(sentence))
        if last - first <= room:
            windows.append(sentence)
        else:
            windows += _parts(text, spans, first, last, room)
    return [window for window in windows if window.strip()] or [text]


def _parts(text: str, spans: Spans, first: int, last: int, room: int) -> list[str]:
    """Pieces first..last of the text in parts of at most `room`, cut before a word where there is one."""
    parts = []
    while True:
        end = min(first + room, last)
        if end < last:
            end = next((at for at in range(end, first + room // 2, -1) if _begins_a_word(text, spans, at)), end)
        parts.append(text[spans[first][0] : spans[end - 1][1]])
        if end >= last:
            return parts
        back = max(first + 1, end - room // REPEATED)
        first = next((at for at in range(back, end) if _begins_a_word(text, spans, at)), end)


def _begins_a_word(text: str, spans: Spans, at: int) -> bool:
    start = spans[at][0]
    return start == 0 or text[start - 1].isspace() or text[start].isspace()


def pair_windows(premises: Sequence[str], hypotheses: Sequence[str], *, most: int = MOST_WINDOW_PAIRS) -> Windows:
    """The window pairs that are weighed (rules 2 and 3), in the texts' order."""
    rarity = Rarity.of(dict.fromkeys((*premises, *hypotheses)))
    named = [features(premise) for premise in premises]
    wanted = [features(hypothesis) for hypothesis in hypotheses]
    rows = [[compare(one, each, rarity) for each in named] for one in wanted]
    nothing_related = not any(one.related for row in rows for one in row)
    chosen = [
        (-row[at].score, part, at, row[at].related or nothing_related)
        for part, row in enumerate(rows)
        for at in _nearest(row, [wanted[part] <= each for each in named])
    ]
    kept = sorted(sorted(chosen)[:most], key=lambda one: one[1:3])
    return Windows(
        pairs=tuple((premises[at], hypotheses[part]) for _, part, at, _ in kept),
        parts=tuple(part for _, part, _, _ in kept),
        related=tuple(related for _, _, _, related in kept),
        premises=len(premises),
        hypotheses=len(hypotheses),
        left_out=len(chosen) - len(kept),
    )


def _nearest(row: Sequence[Relatedness], names_all: Sequence[bool]) -> list[int]:
    """Which windows of the premise are weighed against one of the hypothesis (rule 2)."""
    able = [at for at, one in enumerate(row) if one.related] or list(range(len(row)))
    able = [at for at in able if names_all[at]] or able
    best = max(row[at].score for at in able)
    return [at for at in able if row[at].score >= NEAREST * best]


def combined(windows: Windows, results: Sequence[NLIResult]) -> NLIResult:
    """The answer for the whole pair (rules 4 and 5). results: one for each of the window pairs, in their order."""
    by_part: dict[int, list[tuple[NLIResult, bool]]] = {}
    for part, related, result in zip(windows.parts, windows.related, results, strict=True):
        by_part.setdefault(part, []).append((result, related))
    standing = [one for found in by_part.values() if (one := _of_one_part(found)) is not None]
    stands = _strongest(standing, "contradiction")
    if stands is None and len(standing) == windows.hypotheses and all(one.label == "entailment" for one in standing):
        stands = min(standing, key=_score("entailment"))
    stands = stands or _strongest(standing, "neutral") or undecided("")
    return NLIResult(stands.label, stands.scores, windows.note)


def _of_one_part(found: Sequence[tuple[NLIResult, bool]]) -> NLIResult | None:
    """None where all that was found is contradictions by windows that are not related."""
    against = _strongest([result for result, related in found if related], "contradiction")
    everything = [result for result, _ in found]
    for_it = _strongest(everything, "entailment")
    if against is not None and (for_it is None or against.scores["contradiction"] >= for_it.scores["entailment"]):
        return against
    return for_it or _strongest(everything, "neutral")


def _strongest(results: Sequence[NLIResult], label: str) -> NLIResult | None:
    """Of those with this label, the one whose score for it is greatest; the first on a tie."""
    return max((one for one in results if one.label == label), key=_score(label), default=None)


def _score(label: str) -> Callable[[NLIResult], float]:
    return lambda result: result.scores[label]
