"""Serving a verdict from the cache, and one live call for one verdict however many ask for it at once.

Rules, in order:
1. A stored verdict is served whole and marked `cached`; it cost nothing now.
2. Otherwise whoever gets the lease makes the live call and keeps the lease alive until it is done; the others wait for
   the verdict and call only if the lease runs out or the verdict turns out not to be cacheable.
3. A verdict that is not cacheable is returned and never stored. Bytes that cannot be read back count as absent.
4. Once the live call has been made, its verdict is returned whatever becomes of the cache: what goes wrong while it is
   put away, or while the lease is kept or given back, is told in the log. Before that call a cache that cannot be used
   is an error, for without it nothing says that there is one call.
5. A lease is kept alive and given back by a thread of its own: neither a judge that blocks the event loop nor a
   cancellation, whenever it comes, leaves it to others or to nobody.
"""

from __future__ import annotations

import asyncio
import logging
import threading
import uuid
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Final

from bicameral.dialogue import decode_result, encode_result
from bicameral.errors import RecordError
from bicameral.model.judging import DialogueResult, Spend
from bicameral.ports import VerdictCache

LEASE_S: Final = 60.0
"""How long a holder that died keeps others waiting. A living one extends it at a third of that."""
POLL_S: Final = 0.25

_log: Final = logging.getLogger(__name__)


async def served_or_judged(
    key: str, cache: VerdictCache, live: Callable[[], Awaitable[DialogueResult]]
) -> DialogueResult:
    """The verdict for `key`: from the cache, from another's call that is under way, or from a live call.

    Raises what `live` raises, and what the cache raises before the live call.
    """
    lease = _Lease(key, cache)
    try:
        while True:
            served = await asyncio.to_thread(_served, key, cache)
            if served is not None:
                return served
            if await asyncio.to_thread(lease.take):
                break
            await asyncio.sleep(POLL_S)
        # Somebody may have stored it between the look and the lease.
        served = await asyncio.to_thread(_served, key, cache)
        if served is not None:
            return served
        result = await live()
        if result.cacheable:
            await asyncio.to_thread(_put, key, cache, result)
        return result
    finally:
        lease.end()
        await asyncio.to_thread(lease.wait)


class _Lease:
    """The right to make the live call for a key, from `take` to `end`. Its methods but `end` block: they are for
    threads."""

    def __init__(self, key: str, cache: VerdictCache) -> None:
        self._key = key
        self._cache = cache
        self._owner = uuid.uuid4().hex
        self._over = threading.Event()
        self._keeper: threading.Thread | None = None

    def take(self) -> bool:
        """True if it is ours now, and kept. What is got after `end` (its caller was cancelled) is given back."""
        if not self._cache.lease(self._key, self._owner, ttl_s=LEASE_S):
            return False
        if self._over.is_set():
            self._release()
            return False
        # Daemonic, so that a program that drops its event loop can end; the lease then runs out by itself.
        self._keeper = threading.Thread(target=self._keep, name="bicameral-lease", daemon=True)
        self._keeper.start()
        return True

    def end(self) -> None:
        """Let it go, now or as soon as it is got."""
        self._over.set()

    def wait(self) -> None:
        """Until it is given back, if it was ever ours."""
        if self._keeper is not None:
            self._keeper.join()

    def _keep(self) -> None:
        while not self._over.wait(LEASE_S / 3):
            try:
                self._cache.lease(self._key, self._owner, ttl_s=LEASE_S)
            except Exception as error:  # a cache may be anybody's; the next beat may do
                _log.warning("The lease on a verdict could not be extended: %s", error)
        self._release()

    def _release(self) -> None:
        try:
            self._cache.release(self._key, self._owner)
        except Exception as error:  # it runs out by itself
            _log.warning("The lease on a verdict could not be given back: %s", error)


def _served(key: str, cache: VerdictCache) -> DialogueResult | None:
    body = cache.get(key)
    if body is None:
        return None
    try:
        result = decode_result(body)
    except RecordError:
        return None
    return replace(result, cached=True, spend=Spend(), duration_s=0.0)


def _put(key: str, cache: VerdictCache, result: DialogueResult) -> None:
    try:
        cache.put(key, encode_result(result))
    except Exception as error:  # whatever the cache cannot do, the verdict was paid for and is returned
        _log.warning("A verdict could not be kept for the next run, which will judge the view again: %s", error)
