"""The ladder: is this contradiction real? The cheapest provider that can weigh it is asked first.

Answers for: a result whatever the providers do, with rungs that lead to it again without them. Declines to decide
(`rules` does, from the rungs), and to ask whether the pair is worth weighing (`related` does, for those who search).

The order:
1. The NLI, where there is one, in both directions: one batched call where it takes batches, else two calls at once.
2. The LLM, where there is one: if the NLI says genuine (is it succession?), or if it gave no answer. Once.
3. `rules.replay_rungs` over what was said.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from itertools import islice
from typing import Any, Final

from bicameral.adjudication.answers import NLIReading, Unusable, read_llm, read_nli
from bicameral.adjudication.asking import Failed, asked, checked_timeout
from bicameral.adjudication.prompt import SCHEMA, TEMPERATURE, weighing
from bicameral.adjudication.rules import DEFAULTS, Thresholds, replay_rungs
from bicameral.canonical.words import storable
from bicameral.errors import InputError
from bicameral.model.adjudication import AdjudicationResult, Kind, Rung
from bicameral.ports import LLM, NLI

MAX_NAME: Final = 200

Pair = tuple[str, str]
"""A claim and its target."""


async def adjudicate_contradiction(
    claim: str,
    target: str,
    *,
    nli: NLI | None = None,
    llm: LLM | None = None,
    llm_tier: str = "medium",
    timeout_s: float | None = 30.0,
    thresholds: Thresholds = DEFAULTS,
) -> AdjudicationResult:
    """Weigh a claim against the statement that it is said to contradict.

    llm_tier: `low`, `medium` or `high`; any other word counts as low.  timeout_s: for each call of a provider.

    Never raises for what a provider does; raises InputError for a claim or target that is no text and for an
    impossible time-out. Cancellation of the caller passes through.
    """
    pair = checked_pair((claim, target), "The pair")
    limit = checked_timeout(timeout_s)
    first = [] if nli is None else [await ask_nli(nli, pair, limit)]
    return await climb(pair, first, llm=llm, llm_tier=llm_tier, timeout_s=limit, thresholds=thresholds)


async def climb(
    pair: Pair,
    rungs: Sequence[Rung],
    *,
    llm: LLM | None,
    llm_tier: str,
    timeout_s: float | None,
    thresholds: Thresholds,
) -> AdjudicationResult:
    """The rest of the ladder after the NLI's rung, if any: the LLM where it is called for, and the result."""
    weighed = replay_rungs(rungs, tier=llm_tier, thresholds=thresholds)
    settled = weighed.method == "nli" and weighed.verdict != "genuine"
    if llm is None or settled:
        return weighed
    spoken = await ask_llm(llm, pair, timeout_s)
    return replay_rungs((*rungs, spoken), tier=llm_tier, thresholds=thresholds)


def checked_pair(pair: object, what: str) -> Pair:
    """The pair, if it is two texts. Raises InputError that begins with `what`."""
    if not isinstance(pair, tuple | list) or len(pair) != 2:
        raise InputError(f"{what} is no pair.", mend="Give a claim and a target, both text.")
    claim, target = pair
    for name, text in (("claim", claim), ("target", target)):
        if not isinstance(text, str):
            raise InputError(f"{what}: the {name} is of type {type(text).__name__}.", mend="Give a text.")
    return claim, target


async def ask_nli(nli: NLI, pair: Pair, timeout_s: float | None) -> Rung:
    """Both directions of one pair: the target as premise, then the claim."""
    questions = list(both_ways(pair))
    batch = batch_of(nli)
    if batch is not None:
        got = await asked(lambda: batch(questions), lambda answer: read_many(answer, 2), timeout_s)
        forward, reverse = (got, got) if isinstance(got, Failed) else got.value
    else:
        forward, reverse = await asyncio.gather(*(_ask_once(nli, question, timeout_s) for question in questions))
    return nli_rung(nli, forward, reverse)


async def _ask_once(nli: NLI, question: Pair, timeout_s: float | None) -> NLIReading | Failed:
    got = await asked(lambda: nli.classify(*question), read_nli, timeout_s)
    return got if isinstance(got, Failed) else got.value


def both_ways(pair: Pair) -> tuple[Pair, Pair]:
    """(premise, hypothesis) in both directions."""
    claim, target = pair
    return (target, claim), (claim, target)


def batch_of(nli: NLI) -> Any:
    """The provider's `classify_batch` if it has one, else None."""
    try:
        batch = getattr(nli, "classify_batch", None)
    except KeyboardInterrupt:
        raise
    except BaseException:  # a property of somebody's own that fails, in whatever way, is as good as none
        return None
    return batch if callable(batch) else None


def read_many(answers: object, count: int, *, exact: bool = False) -> list[NLIReading | Failed]:
    """The first `count` of a batch's answers, each read alone. Raises Unusable for fewer, with `exact` for more."""
    if isinstance(answers, str | bytes) or not isinstance(answers, Iterable):
        raise Unusable("unreadable", "the batch's answer is no list")
    first = list(islice(iter(answers), count + 1))
    if len(first) < count or (exact and len(first) > count):
        raise Unusable("unreadable", f"the batch's answer has not {count} members")
    return [_read_alone(answer) for answer in first[:count]]


def _read_alone(answer: object) -> NLIReading | Failed:
    try:
        return read_nli(answer)
    except Unusable as odd:
        return Failed(word=odd.word, detail=odd.detail)
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # an answer whose members cannot even be read loses itself alone
        return Failed(word="unreadable", detail=type(error).__name__)


def nli_rung(nli: NLI, forward: NLIReading | Failed, reverse: NLIReading | Failed) -> Rung:
    """The rung of one pair. One direction that failed is a failed provider."""
    for one in (forward, reverse):
        if isinstance(one, Failed):
            return _rung("nli", nli, failed=one)
    assert isinstance(forward, NLIReading)
    assert isinstance(reverse, NLIReading)
    return _rung("nli", nli, said={"forward": forward.said(), "reverse": reverse.said()})


async def ask_llm(llm: LLM, pair: Pair, timeout_s: float | None) -> Rung:
    """One question to a language model."""
    claim, target = pair
    prompt = weighing()
    text = prompt.about(claim, target)
    got = await asked(
        lambda: llm.generate_json(text, schema=dict(SCHEMA), temperature=TEMPERATURE), read_llm, timeout_s
    )
    if isinstance(got, Failed):
        return _rung("llm", llm, failed=got, prompt=prompt.digest)
    return _rung("llm", llm, said=got.value.said(), prompt=prompt.digest)


def _rung(
    kind: Kind,
    provider: object,
    *,
    said: dict[str, object] | None = None,
    failed: Failed | None = None,
    prompt: str | None = None,
) -> Rung:
    model = _text_of(provider, "digest" if kind == "nli" else "model_id")
    return Rung(
        provider=_text_of(provider, "name") or type(provider).__name__,
        said=said,
        failure=None if failed is None else failed.word,
        kind=kind,
        model=model,
        prompt=prompt,
        detail=None if failed is None else failed.detail,
    )


def _text_of(provider: object, name: str) -> str | None:
    try:
        text = getattr(provider, name, None)
    except KeyboardInterrupt:
        raise
    except BaseException:  # read within our own frame: no cancellation of the caller comes from here
        return None
    return storable(text)[:MAX_NAME] if isinstance(text, str) and text else None
