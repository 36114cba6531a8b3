"""Cached verdicts with their leases, and NLI answers, kept in the store: the ports `VerdictCache` and `NLIAnswers`.

Answers for: two processes that need one verdict at once make one live call, and a process that dies holding the right
to make it does not keep it for ever. Declines to know what decides a verdict: the key does.

The time is handed in. Owners on several machines need clocks that agree to within a lease's length.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from bicameral.ports import NLIResult
from bicameral.storage.store import Store


class SqlVerdictCache:
    """now_s: seconds since 1970, UTC, of a clock that does not jump back, such as `time.time`."""

    def __init__(self, store: Store, *, now_s: Callable[[], float]) -> None:
        self._store = store
        self._now_s = now_s

    def get(self, key: str) -> bytes | None:
        """The verdict's bytes as they were put, or None."""
        with self._store.read() as reader:
            return reader.verdict(key)

    def put(self, key: str, body: bytes) -> None:
        """Keep a verdict; a newer one of the same key replaces it. A lease on the key stays until it is released."""
        with self._store.write() as tx:
            tx.put_verdict(key, body)

    def lease(self, key: str, owner: str, *, ttl_s: float) -> bool:
        """True if `owner` now holds the right to make the live call for `key` until ttl_s seconds have passed.

        The holder asks again to extend it (a heartbeat); anyone else gets it once it has run out.
        """
        with self._store.write() as tx:
            return tx.lease(key, owner, now_ms=_ms(self._now_s()), ttl_ms=_ms(ttl_s))

    def release(self, key: str, owner: str) -> None:
        """Give it back. Nothing happens where it is not this owner's."""
        with self._store.write() as tx:
            tx.release(key, owner)


class SqlNLIAnswers:
    """What NLI models answered, so that a verdict is the same wherever this store is read."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def answers(self, model: str, pairs: Sequence[str]) -> Mapping[str, NLIResult]:
        """Those of the pairs, by digest, that the model of this digest has answered."""
        with self._store.read() as reader:
            return reader.nli_answers(model, pairs)

    def keep_answers(self, model: str, found: Mapping[str, NLIResult]) -> None:
        """Keep answers by the pair's digest."""
        with self._store.write() as tx:
            tx.keep_nli_answers(model, found)


def _ms(seconds: float) -> int:
    return round(seconds * 1000)
