"""Replaying what a path holds: each record of a store or a bundle, while it is verified.

Answers for: one pass, one link in memory; "sound, not replayable" is said only of what was verified. Declines to decide
what replaying is: `replaying` does, with the engine that is handed in here.

Rules, in order:
1. A path is a store or a bundle, or a record or trace, of which the raw replies are not at hand. Anything else is a
   name in this project's store: a run's, or a record's.
2. Status: what verifying answers with; where that is sound, 1 if a dialogue comes out differently, else 0.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field

from bicameral.canonical import sha256_digest
from bicameral.dialogue import refold
from bicameral.errors import BicameralError
from bicameral.runtime.witnessing.locating import locate
from bicameral.runtime.witnessing.naming import record_called, records_of
from bicameral.runtime.witnessing.opening import STDIN, Deposit, kind_of, opened
from bicameral.runtime.witnessing.replaying import Refold, Replay, replay_link
from bicameral.runtime.witnessing.verifying import BROKEN, SOUND, Verified, verify_deposit, verify_path
from bicameral.settings import Settings
from bicameral.storage import Reader
from bicameral.witness.audit import Link, Part

_LEAST_OF_A_RUN = 8
"""Characters by which a run is known from the start of a digest: a run's id begins with its day."""


@dataclass(frozen=True, kw_only=True)
class Reread:
    """What came of replaying a path.

    replayed: records that came out as they were recorded.  nothing: records that no replies led to.
    not_replayable, different: by record, in order.
    """

    verified: Verified
    replayed: int = 0
    nothing: int = 0
    not_replayable: tuple[Replay, ...] = ()
    different: tuple[Replay, ...] = ()

    @property
    def status(self) -> int:
        if self.verified.status != SOUND:
            return self.verified.status
        return BROKEN if self.different else SOUND


def replay_path(settings: Settings, what: str | None, name: str | None = None, *, engine: Refold = refold) -> Reread:
    """Verify and replay what a path or a name means. name: of one record in the store or bundle at `what`.

    What cannot be read is told, never raised.
    """
    shown = str(settings.state_dir) if what is None else what
    try:
        if what is None or what == STDIN or os.path.lexists(what):
            if kind_of(what) in ("store", "bundle"):
                return _of_deposit(settings, what, shown, engine, name)
            assert what is not None
            return _of_record(verify_path(settings, what))
        return _of_name(settings, what, shown, engine)
    except BicameralError as error:
        return Reread(verified=Verified(path=shown, kind=None, error=str(error)))


def _of_deposit(
    settings: Settings, what: str | None, shown: str, engine: Refold, name: str | None, run_id: str | None = None
) -> Reread:
    only = None if name is None else _digest_of(settings, what, name)
    with opened(settings, what, run_id=run_id) as deposit:
        return _reread(deposit, shown, engine, only)


def _of_name(settings: Settings, what: str, shown: str, engine: Refold) -> Reread:
    """A run, or a record, of this project's store; a whole run where the name is one."""
    with opened(settings, None) as deposit:
        assert deposit.reader is not None
        run_id = _run_of(deposit.reader, what)
    if run_id is not None:
        return _of_deposit(settings, None, shown, engine, None, run_id)
    found = locate(settings, what)
    with opened(settings, None) as deposit:
        return _reread(deposit, shown, engine, {sha256_digest(found.body)})


def _run_of(reader: Reader, what: str) -> str | None:
    runs = [run.run_id for run in reader.runs()]
    found = [run for run in runs if run == what or (len(what) >= _LEAST_OF_A_RUN and run.startswith(what))]
    return runs[-1] if what == "latest" and runs else found[0] if len(found) == 1 else None


def _digest_of(settings: Settings, what: str | None, name: str) -> set[str]:
    if what is not None:
        return {sha256_digest(locate(settings, what, name).body)}
    with opened(settings, None) as deposit:
        assert deposit.reader is not None
        return {record_called(name, records_of(deposit.reader), "the store").digest}


def _of_record(verified: Verified) -> Reread:
    """A record by itself: its replies stand beside it elsewhere."""
    if verified.error is not None:
        return Reread(verified=verified)
    why = "The raw replies are not in this file; a bundle or the store holds them."
    return Reread(verified=verified, not_replayable=(Replay(record="", view="", state="not-replayable", why=why),))


@dataclass
class _Tally:
    replayed: int = 0
    nothing: int = 0
    others: dict[str, list[Replay]] = field(default_factory=lambda: {"not-replayable": [], "different": []})

    def add(self, one: Replay) -> None:
        if one.state == "replayed":
            self.replayed += 1
        elif one.state == "nothing":
            self.nothing += 1
        else:
            self.others[one.state].append(one)


def _reread(deposit: Deposit, shown: str, engine: Refold, only: Collection[str] | None) -> Reread:
    tally = _Tally()
    with asyncio.Runner() as runner:

        def passing() -> Iterator[Part]:
            for part in deposit.parts:
                if isinstance(part, Link):
                    kept = part.kept
                    wanted = only is None or (kept.record is not None and sha256_digest(kept.record) in only)
                    one = runner.run(replay_link(kept, engine)) if wanted else None
                    if one is not None:
                        tally.add(one)
                yield part

        verified = verify_deposit(deposit, shown, parts=passing())
    return Reread(
        verified=verified,
        replayed=tally.replayed,
        nothing=tally.nothing,
        not_replayable=tuple(tally.others["not-replayable"]),
        different=tuple(tally.others["different"]),
    )
