"""judge_batch and judge_with_dialogue as a program calls them."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

import bicameral
from bicameral.errors import InputError, RosterError
from bicameral.model.judging import DialogueContext, DialogueResult, JudgeContext
from bicameral.model.seats import Roster, Seat
from bicameral.runtime.judging import judge_batch, judge_with_dialogue
from bicameral.storage import SqlVerdictCache, Store
from bicameral.testing.scripted import Line, ScriptedJudge
from dialogue_batches import SHOTS, proposal, row, rulings

FIRST, SECOND = Seat("test-first", "m1"), Seat("test-second", "m2")


class Cast:
    """Two registered judges; every seat that is opened gets the next script, and is remembered."""

    def __init__(self) -> None:
        self.scripts: dict[str, list[str | BaseException | Line]] = {FIRST.ai: [], SECOND.ai: []}
        self.opened: list[ScriptedJudge] = []

    def open(self, seat: Seat) -> ScriptedJudge:
        judge = ScriptedJudge(seat, self.scripts[seat.ai])
        self.opened.append(judge)
        return judge

    def calls(self, seat: Seat) -> int:
        return sum(len(judge.requests) for judge in self.opened if judge.seat == seat)


@pytest.fixture
def cast() -> Cast:
    made = Cast()
    bicameral.register_judge(FIRST.ai, made.open)
    bicameral.register_judge(SECOND.ai, made.open)
    return made


@pytest.fixture
def cache(tmp_path: Path) -> Iterator[SqlVerdictCache]:
    import time

    with Store.open(tmp_path / "s.db") as store:
        yield SqlVerdictCache(store, now_s=time.time)


async def both(
    cache: SqlVerdictCache | None = None, *, skill: str | None = "rule", proposing: str = "look"
) -> DialogueResult:
    context = DialogueContext(challenge_skill=skill, cache=cache)
    return await judge_with_dialogue(proposing, "project", SHOTS, "nowhere", Roster(FIRST, SECOND), context)


async def test_one_judge_is_one_judge_whatever_is_registered(cast: Cast) -> None:
    cast.scripts[FIRST.ai] = [proposal(row("a"))]
    result = await judge_batch("look", "project", SHOTS, "nowhere", FIRST, JudgeContext())
    assert [finding.attribute for finding in result.findings] == ["a"]
    assert result.findings[0].consensus is None
    assert cast.calls(SECOND) == 0


async def test_judge_batch_refuses_a_context_for_two() -> None:
    with pytest.raises(InputError, match="judge_with_dialogue"):
        await judge_batch("look", "project", SHOTS, "nowhere", FIRST, DialogueContext())


async def test_an_unknown_judge_is_refused() -> None:
    with pytest.raises(RosterError, match="No judge is called"):
        await judge_batch("look", "project", SHOTS, "nowhere", Seat("nobody-of-this-name"))


async def test_two_judges_reach_one_account(cast: Cast) -> None:
    cast.scripts = {FIRST.ai: [proposal(row("a"))], SECOND.ai: [rulings(("dispute", "it is even"))]}
    result = await both()
    assert result.dialogued
    consensus = result.findings[0].consensus
    assert consensus is not None
    assert consensus.disputed_by[0].note == "it is even"


async def test_without_challenge_skill_it_is_a_single_judge_call_and_is_cached_as_one(
    cast: Cast, cache: SqlVerdictCache
) -> None:
    cast.scripts[FIRST.ai] = [proposal(row("a"))]
    first = await both(cache, skill=None)
    again = await both(cache, skill=None)
    assert (first.cached, again.cached) == (False, True)
    assert first.roster.challenger is None
    assert again.findings == first.findings
    assert all(judge.seat == FIRST for judge in cast.opened)
    assert cast.calls(FIRST) == 1


async def test_a_challenger_that_will_not_speak_is_refused_all_the_same_where_nobody_has_its_name(cast: Cast) -> None:
    cast.scripts[FIRST.ai] = [proposal(row("a"))]
    with pytest.raises(RosterError, match="No judge is called 'nobody-of-this-name'"):
        await judge_with_dialogue("look", "p", SHOTS, "nowhere", Roster(FIRST, Seat("nobody-of-this-name", "m")))
    assert cast.calls(FIRST) == 0


async def test_a_cached_verdict_is_served_whole_and_costs_nothing(cast: Cast, cache: SqlVerdictCache) -> None:
    cast.scripts = {FIRST.ai: [proposal(row("a"), row("b"))], SECOND.ai: [rulings("agree", ("amend", "on one"))]}
    first = await both(cache)
    again = await both(cache)
    assert again.cached
    assert (again.findings, again.turns, again.unruled) == (first.findings, first.turns, first.unruled)
    assert again.spend.calls == 0
    assert first.spend.calls == 2


async def test_another_instruction_is_another_verdict(cast: Cast, cache: SqlVerdictCache) -> None:
    cast.scripts = {FIRST.ai: [proposal(row("a"))], SECOND.ai: [rulings("agree")]}
    await both(cache)
    assert not (await both(cache, proposing="look harder")).cached
    assert not (await both(cache, skill="rule harder")).cached


@pytest.mark.parametrize(
    "challenge",
    [
        RuntimeError("down"),
        "no json at all",
        rulings(),
        rulings("agree"),
        Line(text="", finish="refusal"),
    ],
    ids=["unreachable", "unreadable", "nothing-usable", "incomplete", "refused"],
)
async def test_a_verdict_that_is_not_whole_is_judged_again(
    cast: Cast, cache: SqlVerdictCache, challenge: str | BaseException | Line
) -> None:
    cast.scripts = {FIRST.ai: [proposal(row("a"), row("b"))], SECOND.ai: [challenge, challenge]}
    assert not (await both(cache)).cacheable
    assert not (await both(cache)).cached
    assert cast.calls(FIRST) == 2


async def test_two_who_ask_at_once_make_one_live_call(cast: Cast, cache: SqlVerdictCache) -> None:
    cast.scripts = {FIRST.ai: [Line(text=proposal(row("a")), delay_s=0.4)], SECOND.ai: [rulings("agree")]}
    results = await asyncio.gather(*(both(cache) for _ in range(4)))
    assert cast.calls(FIRST) == 1
    assert sorted(result.cached for result in results) == [False, True, True, True]
    assert len({result.findings for result in results}) == 1


async def test_bytes_in_the_cache_that_cannot_be_read_count_as_absent(cast: Cast, cache: SqlVerdictCache) -> None:
    from bicameral.runtime.verdicts import served_or_judged

    cast.scripts = {FIRST.ai: [proposal(row("a"))], SECOND.ai: [rulings("agree")]}
    cache.put("k", b'{"findings": 3}')
    result = await served_or_judged("k", cache, both)
    assert not result.cached
    assert (await served_or_judged("k", cache, both)).cached


async def test_a_live_call_that_fails_gives_the_lease_back(cache: SqlVerdictCache) -> None:
    from bicameral.runtime.verdicts import served_or_judged

    async def fails() -> DialogueResult:
        raise RuntimeError("no")

    with pytest.raises(RuntimeError):
        await served_or_judged("k", cache, fails)
    assert cache.lease("k", "somebody else", ttl_s=1)
