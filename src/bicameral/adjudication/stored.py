"""An NLI that remembers: an answer that was given once is given again, by the model's digest and the pair's.

Answers for: a verdict that does not change with the machine it is read on, and no pair weighed twice. Pure over the
port. Declines to store what cannot be used, and to fail because of the store: without it the model is asked.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from bicameral.adjudication.answers import Unusable, read_nli
from bicameral.canonical import digest_of
from bicameral.errors import BicameralError, UnrecordableError
from bicameral.ports import NLI, NLIAnswers, NLIResult


class StoredNLI:
    """`nli` with its answers kept in `answers`, by `digest`, or else by the provider's own digest or name."""

    def __init__(self, nli: NLI, answers: NLIAnswers, *, digest: str | None = None) -> None:
        self._nli = nli
        self._answers = answers
        self.digest: str = digest or str(getattr(nli, "digest", nli.name))

    @property
    def name(self) -> str:
        """The model's own name."""
        return self._nli.name

    async def classify(self, premise: str, hypothesis: str) -> NLIResult:
        """The stored answer, or the model's. Raises what the model raises."""
        (answer,) = await self.classify_batch([(premise, hypothesis)])
        return answer

    async def classify_batch(self, pairs: Sequence[tuple[str, str]]) -> list[NLIResult]:
        """Answers in the pairs' order. Only pairs that are not stored are asked, each once, in one call if it can."""
        keys = [_key(pair) for pair in pairs]
        known = self._known([key for key in keys if key is not None])
        missing = {pair: key for pair, key in zip(pairs, keys, strict=True) if key is None or key not in known}
        fresh = dict(zip(missing, await self._ask(list(missing)), strict=True)) if missing else {}
        self._keep({key: fresh[pair] for pair, key in missing.items() if key is not None})
        return [
            fresh[pair] if key is None or key not in known else known[key]
            for pair, key in zip(pairs, keys, strict=True)
        ]

    async def _ask(self, pairs: list[tuple[str, str]]) -> Sequence[NLIResult]:
        batch: Any = getattr(self._nli, "classify_batch", None)
        if callable(batch) and len(pairs) > 1:
            answers: Sequence[NLIResult] = await batch(pairs)
            return answers
        return [await self._nli.classify(*pair) for pair in pairs]

    def _known(self, keys: list[str]) -> Mapping[str, NLIResult]:
        try:
            found = self._answers.answers(self.digest, list(dict.fromkeys(keys))) if keys else {}
        except BicameralError:
            return {}
        return {key: answer for key, answer in found.items() if _is_usable(answer)}

    def _keep(self, found: Mapping[str, NLIResult]) -> None:
        usable = {key: answer for key, answer in found.items() if _is_usable(answer)}
        if not usable:
            return
        try:
            self._answers.keep_answers(self.digest, usable)
        except BicameralError:
            return  # a store that is full or busy costs time the next time, and nothing now


def _key(pair: tuple[str, str]) -> str | None:
    """The digest of a pair's canonical JSON; None for a text that has none (half a character)."""
    try:
        return digest_of(list(pair))
    except UnrecordableError:
        return None


def _is_usable(answer: object) -> bool:
    try:
        read_nli(answer)
    except Unusable:
        return False
    return True
