"""Serving a verdict from the cache, and one live call for one verdict however many ask for it at once.

Rules, in order:
1. A stored verdict is served whole and marked `cached`; it cost nothing now.
2. Otherwise whoever gets the lease makes the live call and keeps the lease alive until it is done; the others wait for
   the verdict and call only if the lease runs out or the verdict turns out not to be cacheable.
3. A verdict that is not cacheable is returned and never stored. Bytes that cannot be read back count as absent.
"""

from __future__ import annotations

import asyncio
import contextlib
import uuid
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Final

from bicameral.dialogue import decode_result, encode_result
from bicameral.errors import RecordError, StoreError
from bicameral.model.judging import DialogueResult, Spend
from bicameral.ports import VerdictCache

LEASE_S: Final = 60.0
"""How long a holder that died keeps others waiting. A living one extends it at a third of that."""
POLL_S: Final = 0.25


async def served_or_judged(
    key: str, cache: VerdictCache, live: Callable[[], Awaitable[DialogueResult]]
) -> DialogueResult:
    """The verdict for `key`: from the cache, from another's call that is under way, or from a live call."""
    owner = uuid.uuid4().hex
    while True:
        served = await _served(key, cache)
        if served is not None:
            return served
        if await asyncio.to_thread(cache.lease, key, owner, ttl_s=LEASE_S):
            break
        await asyncio.sleep(POLL_S)
    keeper = asyncio.create_task(_keep_alive(key, cache, owner))
    try:
        # Somebody may have stored it between the look and the lease.
        result = await _served(key, cache) or await live()
        if result.cacheable and not result.cached:
            await asyncio.to_thread(cache.put, key, encode_result(result))
        return result
    finally:
        keeper.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await keeper
        with contextlib.suppress(StoreError):  # the lease runs out by itself; the verdict is what matters
            await asyncio.to_thread(cache.release, key, owner)


async def _served(key: str, cache: VerdictCache) -> DialogueResult | None:
    body = await asyncio.to_thread(cache.get, key)
    if body is None:
        return None
    try:
        result = decode_result(body)
    except RecordError:
        return None
    return replace(result, cached=True, spend=Spend(), duration_s=0.0)


async def _keep_alive(key: str, cache: VerdictCache, owner: str) -> None:
    while True:
        await asyncio.sleep(LEASE_S / 3)
        with contextlib.suppress(StoreError):
            await asyncio.to_thread(cache.lease, key, owner, ttl_s=LEASE_S)
