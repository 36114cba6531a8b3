"""What every verdict cache promises (`ports.VerdictCache`). Run by one test file a kind of store.

A subclass gives the fixture `caches`: two caches on one store, as two processes have them, and a clock to move.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass

from bicameral.ports import VerdictCache


@dataclass
class HandClock:
    """Seconds that pass only when told to."""

    now: float = 1_000_000_000.0

    def __call__(self) -> float:
        return self.now


@dataclass
class TwoCaches:
    one: VerdictCache
    two: VerdictCache
    clock: HandClock


class VerdictCacheContract:
    """Inherit it as `TestSomething`, with a fixture `caches`."""

    def test_what_was_put_is_served_whole_to_everyone(self, caches: TwoCaches) -> None:
        assert caches.one.get("k") is None
        caches.one.put("k", b"whole\0\xff")
        assert caches.two.get("k") == b"whole\0\xff"
        assert caches.two.get("other") is None

    def test_a_newer_verdict_replaces_the_older(self, caches: TwoCaches) -> None:
        caches.one.put("k", b"old")
        caches.two.put("k", b"new")
        assert caches.one.get("k") == b"new"

    def test_an_empty_verdict_is_not_an_absent_one(self, caches: TwoCaches) -> None:
        caches.one.put("k", b"")
        assert caches.one.get("k") == b""

    def test_one_owner_holds_a_lease_at_a_time(self, caches: TwoCaches) -> None:
        assert caches.one.lease("k", "a", ttl_s=30)
        assert not caches.two.lease("k", "b", ttl_s=30)
        assert caches.two.lease("other", "b", ttl_s=30)

    def test_a_released_lease_is_free_at_once(self, caches: TwoCaches) -> None:
        caches.one.lease("k", "a", ttl_s=30)
        caches.one.release("k", "a")
        assert caches.two.lease("k", "b", ttl_s=30)

    def test_nobody_releases_another_owners_lease(self, caches: TwoCaches) -> None:
        caches.one.lease("k", "a", ttl_s=30)
        caches.two.release("k", "b")
        caches.two.release("unknown", "b")
        assert not caches.two.lease("k", "b", ttl_s=30)

    def test_a_lease_of_one_who_died_runs_out(self, caches: TwoCaches) -> None:
        caches.one.lease("k", "a", ttl_s=30)
        caches.clock.now += 29.9
        assert not caches.two.lease("k", "b", ttl_s=30)
        caches.clock.now += 0.1
        assert caches.two.lease("k", "b", ttl_s=30)
        assert not caches.one.lease("k", "a", ttl_s=30)

    def test_a_heartbeat_extends_a_lease(self, caches: TwoCaches) -> None:
        caches.one.lease("k", "a", ttl_s=30)
        for _ in range(3):
            caches.clock.now += 20
            assert caches.one.lease("k", "a", ttl_s=30)
            assert not caches.two.lease("k", "b", ttl_s=30)

    def test_of_many_who_ask_at_once_one_gets_it(self, caches: TwoCaches) -> None:
        got: list[str] = []
        start = threading.Barrier(6)

        def ask(name: str, cache: VerdictCache) -> None:
            start.wait()
            if cache.lease("k", name, ttl_s=30):
                got.append(name)

        threads = [
            threading.Thread(target=ask, args=(f"owner-{number}", cache))
            for number, cache in enumerate([caches.one, caches.two] * 3)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(got) == 1
