"""Weighing the dissents of an account before it is kept: the advice that stands beside each dispute and amendment.

Answers for: each dissent weighed once, its answers kept by model and pair, and what was said for the record. Declines
to move anything: a verdict changes no status, severity or confidence, and no exit status.

Rules, in order:
1. The providers are opened when the first dissent is there to weigh, and closed with the run.
2. A provider that was named is opened at once, so that a name which nobody answers to costs no judging. A packaged
   model that cannot be opened costs the run nothing: its dissents are unverified, and a note says why.
3. Where nobody can say (no provider, or each failed), the dissent is unverified, which is said and recorded too.
"""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from dataclasses import dataclass, replace
from types import TracebackType

from bicameral.adjudication import adjudicate_many
from bicameral.adjudication.dissents import WeighedPair, dissents_of, said_of, with_advice
from bicameral.errors import ModelError
from bicameral.judges.registry import INSTRUMENTS
from bicameral.model.adjudication import AdjudicationResult
from bicameral.model.judging import DialogueResult, Utterance
from bicameral.ports import NLIAnswers
from bicameral.runtime.adjudicating import Adjudicators, open_adjudicators
from bicameral.settings import Settings


@dataclass(frozen=True, kw_only=True)
class Weighed:
    """What was made of the dissents of one account. pairs and verdicts are as long, and in the order of the account."""

    pairs: tuple[WeighedPair, ...]
    verdicts: tuple[AdjudicationResult, ...]
    providers: dict[str, str]

    def said(self, *, parent: str, parent_dialog: str, project: str) -> tuple[Utterance, Utterance]:
        """The child dialog. parent: the parent's wire digest."""
        return said_of(
            self.pairs,
            self.verdicts,
            parent=parent,
            parent_dialog=parent_dialog,
            project=project,
            providers=self.providers,
        )


class Weighing:
    """The adjudicator of one run. Used in an `async with`."""

    def __init__(self, settings: Settings, answers: NLIAnswers) -> None:
        self._settings = settings
        self._answers = answers
        self._stack = AsyncExitStack()
        self._opening = asyncio.Lock()
        self._opened: Adjudicators | None = None
        self.notes: list[str] = []

    async def __aenter__(self) -> Weighing:
        """Raises ConfigError or ModelError for a provider that was asked for by name and cannot be opened."""
        if not _is_default(self._settings):
            await self._providers()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        await self._stack.aclose()

    async def weigh(self, result: DialogueResult) -> tuple[DialogueResult, Weighed | None]:
        """The account with the advice beside each dissent, and what was said; None where there is no dissent."""
        pairs = dissents_of(result.findings, instruments=INSTRUMENTS)
        if not pairs:
            return result, None
        providers = await self._providers()
        asked = [(pair.claim, pair.target) for pair in pairs]
        verdicts = tuple([verdict async for verdict in adjudicate_many(asked, **providers.arguments())])
        weighed = Weighed(
            pairs=pairs,
            verdicts=verdicts,
            providers=providers.recorded(),
        )
        return replace(result, findings=with_advice(result.findings, verdicts)), weighed

    async def _providers(self) -> Adjudicators:
        async with self._opening:
            if self._opened is None:
                self._opened = await self._open()
            return self._opened

    async def _open(self) -> Adjudicators:
        settings = self._settings
        opening = open_adjudicators(
            nli=settings.adjudicator,
            llm=settings.adjudicator_llm,
            llm_tier=settings.adjudicator_tier,
            answers=self._answers,
            tiers=settings.tiers,
        )
        try:
            return await self._stack.enter_async_context(opening)
        except ModelError as exc:
            if not _is_default(settings):
                raise
            self.notes.append(f"Disputes and amendments were not weighed: {exc}")
            return Adjudicators()


def _is_default(settings: Settings) -> bool:
    return settings.adjudicator == "packaged" and settings.adjudicator_llm is None
