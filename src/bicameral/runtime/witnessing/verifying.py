"""Verifying what a path holds: every hash, parent, id and digest derived again, and whose signature the chain has.

Answers for: one answer for a store, a bundle, a record and a trace, and a status (DESIGN 4): 0 sound; 1 broken, or
something that is named is missing; 2 unreadable, or nothing here can say; 3 a signature was asked for and is absent or
not by that key. Declines to derive anything itself: `witness` does.

What else a store says beside its chain is looked at too (`beside`); a bundle has none of it.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from bicameral.canonical import shown
from bicameral.errors import BicameralError, InputError
from bicameral.model.witnessing import Envelope, Problem, Redaction
from bicameral.runtime.keyfiles import load_public_key
from bicameral.runtime.records import read_input
from bicameral.runtime.witnessing.beside import store_problems
from bicameral.runtime.witnessing.charges import DIGEST
from bicameral.runtime.witnessing.opening import Deposit, Kind, is_trace, kind_of, open_file, opened
from bicameral.settings import Settings
from bicameral.witness import verify_record
from bicameral.witness.audit import Part, Summary, audit
from bicameral.witness.cael import verify_trace
from bicameral.witness.keys import PublicKey
from bicameral.witness.signing import SignatureState, signature_state

SOUND, BROKEN, UNREADABLE, NOT_SIGNED = 0, 1, 2, 3

_WORST_FIRST: Final = (UNREADABLE, BROKEN, NOT_SIGNED, SOUND)
_MOST_JOBS: Final = 4


@dataclass(frozen=True, kw_only=True)
class Verified:
    """What came of one path.

    entries: links of a chain, lines of a trace, 1 for a record.  error: why it could not be read, None where it could.
    summary, signature: of a store or a bundle.  asked: a key was given.
    """

    path: str
    kind: Kind | None
    entries: int = 0
    problems: tuple[Problem, ...] = ()
    error: str | None = None
    summary: Summary | None = None
    signature: SignatureState | None = None
    asked: bool = False

    @property
    def signed(self) -> bool:
        """The newest entry is signed by a key that was given, or by one that followed it."""
        return self.signature is not None and self.signature.signed

    @property
    def redactions(self) -> tuple[Redaction, ...]:
        return () if self.summary is None else self.summary.redactions

    @property
    def redacted(self) -> int:
        """How many things that are named were dropped on purpose."""
        return 0 if self.summary is None else self.summary.dropped_evidence + self.summary.dropped_replies

    @property
    def unverifiable(self) -> int:
        return sum(problem.kind == "unverifiable" for problem in self.problems)

    @property
    def _beyond_those_told(self) -> bool:
        """An audit tells a bounded number of problems, and counts them all."""
        return self.summary is not None and self.summary.broken + self.summary.missing > 0

    @property
    def status(self) -> int:
        """What the command answers with."""
        if self.error is not None:
            return UNREADABLE
        if any(problem.kind != "unverifiable" for problem in self.problems) or self._beyond_those_told:
            return BROKEN
        if self.asked and not self.signed:
            return NOT_SIGNED
        return UNREADABLE if self.problems else SOUND


def worst(statuses: Iterable[int]) -> int:
    """The one that stands for all: what could not be read, then what is broken, then what is not signed."""
    return min(statuses, key=_WORST_FIRST.index, default=SOUND)


def load_keys(names: Iterable[Path]) -> tuple[PublicKey, ...]:
    """The keys that a reader pins. Raises SigningKeyError for a file that holds none."""
    return tuple(load_public_key(name) for name in names)


def check_head(head: str | None) -> None:
    """Raises InputError for a digest that is none: it would be told of a sound chain that it was changed."""
    if head is not None and not DIGEST.fullmatch(head):
        raise InputError(
            f"--head {shown(head)[:90]} is no digest.",
            mend="It is sha256: and 64 lower-case hex digits, as verify says it.",
        )


def verify_path(
    settings: Settings, name: str | None, *, keys: Sequence[PublicKey] = (), head: str | None = None
) -> Verified:
    """Verify what a path holds; None is this project's store. What cannot be read is told, never raised.

    head: the digest of the newest entry, of a record, or of a trace's last line, as somebody else knows it.
    """
    shown = str(settings.state_dir) if name is None else name
    kind: Kind | None = None
    try:
        kind = kind_of(name)
        if kind in ("store", "bundle"):
            with opened(settings, name) as deposit:
                return verify_deposit(deposit, shown, keys=keys, head=head)
        if kind == "trace":
            assert name is not None
            with open_file(name) as file:
                return _verified_trace(shown, file, asked=bool(keys), head=head)
        assert name is not None
        body = read_input(name)
        if is_trace(body):
            return _verified_trace(shown, body.splitlines(), asked=bool(keys), head=head)
        problems = tuple(verify_record(body, record_digest=head))
        return Verified(path=shown, kind="document", entries=1, problems=problems, asked=bool(keys))
    except BicameralError as error:
        return Verified(path=shown, kind=kind, error=str(error), asked=bool(keys))


def verify_deposit(
    deposit: Deposit,
    shown: str,
    *,
    parts: Iterator[Part] | None = None,
    keys: Sequence[PublicKey] = (),
    head: str | None = None,
) -> Verified:
    """Verify an open store or bundle. parts: its parts, where somebody else looks at them on the way.

    What is torn is told with all that was found before it.
    """
    envelopes: list[Envelope] = []
    places: dict[str, int] = {}

    def met(envelope: Envelope, place: int | None) -> None:
        envelopes.append(envelope)
        if place is not None:
            places[envelope.subject] = place

    check = audit(deposit.parts if parts is None else parts, head=head, jobs=_jobs(), on_envelope=met)
    problems: list[Problem] = []
    error = None
    try:
        problems += check
        if deposit.reader is not None:
            problems += store_problems(deposit.reader, keys)
    except BicameralError as fault:
        error = str(fault)
    summary = check.summary
    signature = signature_state(envelopes, keys, head=summary.head, entries=summary.entries, seq_of=places.get)
    told = {problem.where for problem in problems}
    problems += [problem for problem in signature.problems if problem.where not in told]
    return Verified(
        path=shown,
        kind=deposit.kind,
        entries=summary.entries,
        problems=tuple(problems),
        error=error,
        summary=summary,
        signature=signature,
        asked=bool(keys),
    )


def _verified_trace(shown: str, lines: Iterable[bytes], *, asked: bool, head: str | None) -> Verified:
    count = 0

    def counted() -> Iterator[bytes]:
        nonlocal count
        for line in lines:
            count += bool(line.strip())
            yield line

    problems = tuple(verify_trace(counted(), head=head))
    return Verified(path=shown, kind="trace", entries=count, problems=problems, asked=asked)


def _jobs() -> int:
    """Processes at once for a long chain; a short one is verified by this one alone."""
    return max(1, min(_MOST_JOBS, os.cpu_count() or 1))
