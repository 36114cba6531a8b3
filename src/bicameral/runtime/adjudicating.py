"""Who weighs: the NLI and the language model that a command names, opened and closed.

Answers for: reading those names, opening what they name only when it is needed, and closing it. Declines to weigh, and
to fetch a model: `nli pull` does.

    packaged                the model in the package
    NAME@REVISION           a cross-encoder that was pulled
    http://... https://...  a server that speaks the sidecar's contract
    none                    no NLI
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from importlib import import_module
from inspect import isawaitable
from typing import Any, Final

from bicameral.adjudication import StoredNLI
from bicameral.adjudication.prompt import weighing
from bicameral.errors import ConfigError, ProviderFailed
from bicameral.ports import LLM, NLI, NLIAnswers
from bicameral.runtime.workspace import STORE_NAME, Workspace
from bicameral.settings import Settings
from bicameral.storage import SqlNLIAnswers

PACKAGED: Final = "packaged"
SMALL: Final = "The packaged model is small and cautious: a low score from it is no sign that two statements agree."
"""Said wherever its verdict is shown to a person."""


@dataclass(frozen=True, kw_only=True)
class Adjudicators:
    """nli, llm: who is asked, None for nobody.  llm_tier: the model's.  timeout_s: for each call.

    asked: the word that named the NLI.  packaged: it is the model in the package.
    """

    nli: NLI | None = None
    llm: LLM | None = None
    llm_tier: str = "medium"
    timeout_s: float | None = 30.0
    asked: str = ""

    @property
    def packaged(self) -> bool:
        return self.nli is not None and self.asked == PACKAGED

    @property
    def anybody(self) -> bool:
        """Whether there is anybody to ask."""
        return self.nli is not None or self.llm is not None

    def arguments(self) -> dict[str, Any]:
        """The keyword arguments of `adjudicate_contradiction` and `adjudicate_many`."""
        return {"nli": self.nli, "llm": self.llm, "llm_tier": self.llm_tier, "timeout_s": self.timeout_s}

    def identity(self) -> dict[str, str | None]:
        """What decides the verdicts: the NLI's digest or address, the language model, its tier, what it is asked.

        A server is known by its address alone, whether it answers now or not, and whether there is a store or not.
        """
        by_address = self.asked.startswith(("http://", "https://"))
        digest = None if by_address else getattr(self.nli, "digest", None)
        return {
            "nli": None if self.nli is None else str(digest or self.asked),
            "llm": None if self.llm is None else self.llm.model_id,
            "tier": None if self.llm is None else self.llm_tier,
            "prompt": None if self.llm is None else weighing().digest,
        }

    def recorded(self) -> dict[str, str]:
        """The same for a record, which holds no host: of a server the digest it gives, or else the provider's name."""
        nli = None if self.nli is None else str(getattr(self.nli, "digest", None) or self.nli.name)
        return {name: what for name, what in {**self.identity(), "nli": nli}.items() if what is not None}


@asynccontextmanager
async def open_adjudicators(
    *,
    nli: str = PACKAGED,
    llm: str | None = None,
    llm_tier: str | None = None,
    timeout_s: float | None = 30.0,
    answers: NLIAnswers | None = None,
    tiers: Mapping[str, str] | None = None,
) -> AsyncIterator[Adjudicators]:
    """The providers that these words name, closed at the end.

    llm: `ADAPTER:MODEL`.  llm_tier: `low`, `medium` or `high`; None takes the model's from the table of tiers.
    answers: where an NLI's answers are kept, by its model's digest; of one that names no digest none are, for another
    model may answer under the same name tomorrow.
    tiers: models to tiers, before the table's own.
    Raises ConfigError or ModelError for a name that cannot be opened.
    """
    if llm_tier is not None and llm_tier not in ("low", "medium", "high"):
        raise ConfigError(f"{llm_tier!r} is no tier.", mend="Choose low, medium or high.")
    opened: list[object] = []
    try:
        classifier = _open_nli(nli.strip(), timeout_s)
        opened.append(classifier)
        model = _open_llm(llm)
        opened.append(model)
        stored = classifier
        if classifier is not None and answers is not None and (digest := await _digest(classifier)) is not None:
            stored = StoredNLI(classifier, answers, digest=digest)
        yield Adjudicators(
            nli=stored,
            llm=model,
            llm_tier=llm_tier or _tier(model, tiers),
            timeout_s=timeout_s,
            asked=nli.strip(),
        )
    finally:
        for provider in opened:
            await _close(provider)


@asynccontextmanager
async def open_answers(settings: Settings) -> AsyncIterator[NLIAnswers | None]:
    """Where this folder's store keeps what NLI models answered; None where nothing has been checked here yet."""
    if settings.database is None and not (settings.state_dir / STORE_NAME).is_file():
        yield None
        return
    with Workspace.open(settings, create=False) as space:
        yield SqlNLIAnswers(space.store)


def _open_nli(word: str, timeout_s: float | None) -> NLI | None:
    if word == "none":
        return None
    if word.startswith(("http://", "https://")):
        from bicameral.adjudication.nli.http import HttpNLI

        return HttpNLI(word) if timeout_s is None else HttpNLI(word, timeout_s=timeout_s)
    providers: Any = import_module("bicameral.adjudication.nli")
    if word == PACKAGED:
        packaged: NLI = providers.OnnxNLI.packaged()
        return packaged
    name, at, revision = word.rpartition("@")
    if not at or not name or not revision:
        raise ConfigError(
            f"--nli {word!r} names no model.",
            mend="Write packaged, none, an http address, or NAME@REVISION of one that `bicameral nli pull` fetched.",
        )
    pulled: NLI = providers.OnnxNLI.pulled(name, revision)
    return pulled


def _open_llm(word: str | None) -> LLM | None:
    if word is None or word.strip() == "none":
        return None
    from bicameral.providers import open_llm

    return open_llm(word.strip())


async def _digest(classifier: NLI) -> str | None:
    """What identifies the model that answers: its own digest, or what its server says; None where neither tells."""
    own = getattr(classifier, "digest", None)
    if own is not None:
        return str(own)
    health = getattr(classifier, "health", None)
    if health is None:
        return None
    try:
        said: str | None = (await health()).digest
    except ProviderFailed:
        return None
    return said


def _tier(model: LLM | None, tiers: Mapping[str, str] | None) -> str:
    if model is None:
        return "medium"
    from bicameral.providers import tier_of

    return tier_of(model.model_id, tiers)


async def _close(provider: object) -> None:
    for name in ("aclose", "close"):
        closing = getattr(provider, name, None)
        if callable(closing):
            done = closing()
            if isawaitable(done):
                await done
            return
