"""Which record or run a person means by a name.

Answers for: a name that fits nothing, or several things, is an error that says so and names the nearest. Declines to
read what is named.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from bicameral.canonical import DialogRecord, read_record, sha256_digest, shown
from bicameral.errors import InputError, RecordError
from bicameral.runtime.witnessing.charges import charge_of, view_of
from bicameral.storage import Reader

_START: Final = re.compile(r"(?:sha256:)?([0-9a-f]{4,64})", re.ASCII)


@dataclass(frozen=True, kw_only=True)
class Named:
    """A record that can be named. runs: those that have it, oldest first.  view: `""` where the record tells none."""

    digest: str
    dialog_id: str
    wire_digest: str
    view: str
    runs: tuple[str, ...] = ()

    def is_called(self, start: str) -> bool:
        """start: hex digits that one of its digests begins with."""
        return any(
            name.removeprefix("sha256:").startswith(start) for name in (self.digest, self.dialog_id, self.wire_digest)
        )


def record_called(name: str, records: Iterable[Named], where: str) -> Named:
    """The one record of this name: the start of one of its digests (at least 4 hex digits), or its view, whole or from
    its start.

    where: the place in words, such as `the store`.  Raises InputError where none has it, or several have.
    """
    known = list(records)
    start = _START.fullmatch(name)
    found = [one for one in known if start is not None and one.is_called(start[1])]
    if not found:
        found = _by_view(name, known)
    if len(found) == 1:
        return found[0]
    if found:
        raise InputError(
            f"{len(found)} records in {where} go by {shown(name)[:90]}.", mend="Name one by the start of its digest."
        )
    near = difflib.get_close_matches(name, [one.view for one in known if one.view], n=1, cutoff=0.4)
    mend = f"Did you mean {near[0]}?" if near else "`bicameral witness list` lists the records of a store."
    raise InputError(f"No record in {where} goes by {shown(name)[:90]}.", mend=mend)


def _by_view(name: str, known: Sequence[Named]) -> list[Named]:
    wanted = name.lstrip("/")
    whole = [one for one in known if one.view == wanted]
    return whole or [one for one in known if wanted and one.view.startswith(wanted)]


def run_called(reader: Reader, name: str) -> str:
    """The run of this id, or the one that starts so; `latest` is the newest. Raises InputError, naming the nearest."""
    runs = [run.run_id for run in reader.runs()]
    if not runs:
        raise InputError("This store has no run yet.", mend="`bicameral check` or `bicameral judge` makes one.")
    if name in runs:
        return name
    if name == "latest":
        return runs[-1]
    found = [run for run in runs if name and run.startswith(name)]
    if len(found) == 1:
        return found[0]
    if found:
        raise InputError(f"{len(found)} runs start with {name}.", mend=f"The newest is {found[-1]}.")
    near = difflib.get_close_matches(name, runs, n=1, cutoff=0.0)
    raise InputError(f"There is no run {name[:80]!r} here.", mend=f"Did you mean {near[0]}? The newest is {runs[-1]}.")


def records_of(reader: Reader, run_id: str | None = None) -> list[Named]:
    """The records of a store, or of one run, in the order of the runs that gave them first."""
    found: dict[str, Named] = {}
    for run in reader.runs() if run_id is None else filter(None, [reader.run(run_id)]):
        for batch in reader.batches(run.run_id):
            for digest, view in ((batch.record, str(batch.view)), (batch.adjudication, f"{batch.view} adjudication")):
                known = None if digest is None else found.get(digest) or _named(reader, digest, view)
                if known is not None and run.run_id not in known.runs:
                    found[known.digest] = replace(known, runs=(*known.runs, run.run_id))
    return list(found.values())


def _named(reader: Reader, digest: str, view: str) -> Named | None:
    row = reader.record(digest)
    if row is None:
        return None
    try:
        return names_of(digest, row.body, view=view)
    except RecordError:  # the audit tells what is wrong with it
        return Named(digest=digest, dialog_id=row.dialog_id, wire_digest="", view=view)


def names_of(digest: str, body: bytes, *, view: str = "") -> Named:
    """A record's names from its bytes. Raises RecordError for bytes that are no record."""
    record = read_record(body)
    if not isinstance(record, DialogRecord):
        return Named(digest=digest, dialog_id="", wire_digest="", view=view)
    return Named(
        digest=digest,
        dialog_id=record.dialog_id,
        wire_digest=sha256_digest(record.wire_key.encode("utf-8", "surrogatepass")),
        view=view or view_of(charge_of(record)),
    )
