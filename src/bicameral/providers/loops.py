"""One resource for each event loop, closed before its loop ends.

Answers for things that belong to the loop they were made in, such as a pool of connections, where their owner lives
longer: `asyncio.run` twice with one client works, and leaves no socket open. Declines to close what a loop that was
abandoned without `asyncio.run`'s clean-up left behind.

How: the resource is held by an asynchronous generator, and a loop that ends closes its generators
(`loop.shutdown_asyncgens`, which `asyncio.run` and `asyncio.Runner` call).
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from typing import Generic, TypeVar

T = TypeVar("T")


class PerLoop(Generic[T]):
    """make: called inside the loop, at first use.  close: awaited in the same loop, once."""

    def __init__(self, make: Callable[[], T], close: Callable[[T], Awaitable[None]]) -> None:
        self._make = make
        self._close = close
        self._held: dict[asyncio.AbstractEventLoop, tuple[T, AsyncGenerator[T]]] = {}

    async def get(self) -> T:
        """The running loop's own."""
        loop = asyncio.get_running_loop()
        held = self._held.get(loop)
        if held is None:
            value = self._make()
            life = self._life(loop, value)
            # Kept before the first await, so that a second caller of this loop finds it.
            self._held[loop] = held = (value, life)
            await anext(life)
        return held[0]

    async def aclose(self) -> None:
        """Close the running loop's; those of other loops are closed by them."""
        held = self._held.get(asyncio.get_running_loop())
        if held is not None:
            await held[1].aclose()

    async def _life(self, loop: asyncio.AbstractEventLoop, value: T) -> AsyncGenerator[T]:
        try:
            yield value
        finally:
            # The generator knows its loop, so an entry that stayed would keep the loop for ever.
            self._held.pop(loop, None)
            await self._close(value)
