"""One resource for each event loop, closed before its loop ends."""

from __future__ import annotations

import asyncio

from bicameral.providers.loops import PerLoop


class Ledger:
    def __init__(self) -> None:
        self.made: list[int] = []
        self.closed: list[int] = []

    def held(self) -> PerLoop[int]:
        async def close(value: int) -> None:
            await asyncio.sleep(0)
            self.closed.append(value)

        def make() -> int:
            self.made.append(len(self.made))
            return self.made[-1]

        return PerLoop(make, close)


def test_a_loop_gets_one_and_closes_it_when_it_ends() -> None:
    ledger = Ledger()
    held = ledger.held()

    async def twice() -> None:
        before = list(ledger.closed)
        assert await held.get() == await held.get()
        assert ledger.closed == before

    asyncio.run(twice())
    assert (ledger.made, ledger.closed) == ([0], [0])
    asyncio.run(twice())
    assert (ledger.made, ledger.closed) == ([0, 1], [0, 1])


async def test_many_that_ask_at_once_share_it() -> None:
    ledger = Ledger()
    held = ledger.held()
    assert set(await asyncio.gather(*(held.get() for _ in range(20)))) == {0}
    await held.aclose()
    assert ledger.closed == [0]


async def test_it_may_be_closed_twice_and_asked_again() -> None:
    ledger = Ledger()
    held = ledger.held()
    await held.aclose()
    assert await held.get() == 0
    await held.aclose()
    await held.aclose()
    assert await held.get() == 1
    await held.aclose()
    assert ledger.closed == [0, 1]
