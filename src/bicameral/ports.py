"""What a stage needs from outside, as small protocols. Nothing here does anything."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, Protocol, runtime_checkable

from bicameral.model.judging import JudgeReply, JudgeRequest
from bicameral.model.seats import Seat


class EvidenceReader(Protocol):
    """Bytes by digest. Raises EvidenceError for a digest that is absent or whose bytes no longer match it."""

    def read(self, digest: str) -> bytes: ...


class Judge(Protocol):
    """One adapter bound to one seat.

    costs_nothing: no money, no tokens, no network; such a challenger is also asked about clean batches.
    ask: answers one request, or raises JudgeFailed with one of the closed reasons. Cancellation passes through.
    """

    @property
    def seat(self) -> Seat: ...

    @property
    def costs_nothing(self) -> bool: ...

    @property
    def identity(self) -> Mapping[str, str]:
        """What decides this judge's answers besides the request: adapter, rule and engine versions, parameters."""
        ...

    async def ask(self, request: JudgeRequest) -> JudgeReply: ...


class JudgeFactory(Protocol):
    """Makes a Judge for a seat. `name` in `register_judge(name, factory)` is the seat's `ai`."""

    def __call__(self, seat: Seat) -> Judge: ...


@dataclass(frozen=True, kw_only=True)
class Health:
    """Whether an adapter can be used here. why_not: one sentence with the mend, None where ok."""

    name: str
    ok: bool
    what: str
    needs: str
    why_not: str | None = None


class VerdictCache(Protocol):
    """Whole verdicts by the identity of all that decided them."""

    def get(self, key: str) -> bytes | None: ...

    def put(self, key: str, body: bytes) -> None: ...

    def lease(self, key: str, owner: str, *, ttl_s: float) -> bool:
        """True if `owner` now holds the right to make the live call for `key` until ttl_s seconds have passed."""
        ...

    def release(self, key: str, owner: str) -> None: ...


@dataclass(frozen=True)
class NLIResult:
    """label: `contradiction`, `entailment` or `neutral`; scores: those three words to 0..1.

    note: what the provider says of how it came by this, for people (a text was cut into windows, cannot be read); no
    part of the answer, and of no store or record.
    """

    label: str
    scores: Mapping[str, float]
    note: str | None = field(default=None, compare=False)


class NLI(Protocol):
    """A natural-language-inference classifier."""

    @property
    def name(self) -> str: ...

    async def classify(self, premise: str, hypothesis: str) -> NLIResult: ...


@runtime_checkable
class BatchNLI(NLI, Protocol):
    """An NLI that also takes many (premise, hypothesis) pairs in one call; the answers come in the pairs' order."""

    async def classify_batch(self, pairs: Sequence[tuple[str, str]]) -> Sequence[NLIResult]: ...


class NLIAnswers(Protocol):
    """Answers that were given once, by the model's digest and the pair's (`sha256:` of its canonical JSON)."""

    def answers(self, model: str, pairs: Sequence[str]) -> Mapping[str, NLIResult]:
        """Those of the pairs that are known, by the pair's digest."""
        ...

    def keep_answers(self, model: str, found: Mapping[str, NLIResult]) -> None: ...


class LLM(Protocol):
    """A language model that answers in JSON. Raises ProviderFailed where it has no answer."""

    @property
    def name(self) -> str: ...

    @property
    def model_id(self) -> str: ...

    async def generate_json(
        self, prompt: str, *, schema: Mapping[str, object], temperature: float
    ) -> Mapping[str, object]: ...


class Embedder(Protocol):
    """Texts to vectors of one length."""

    async def embed(self, texts: Sequence[str]) -> Sequence[Sequence[float]]: ...


class Clock(Protocol):
    """The time, handed in so that no stage reads one. UTC, RFC 3339 text with seconds and a final Z."""

    def now(self) -> str: ...


Tier = Literal["low", "medium", "high"]
