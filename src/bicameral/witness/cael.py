"""`cael.v1` traces: one JSON entry a line, each naming the hash of the one before. Read and verified as a stream.

Answers for: what is wrong with a trace, as problems, whatever the bytes; one line is held at a time. Declines to: say
who made it. A chain without a key can be made anew from any entry on; only an expected `head` tells.

Checks, in order (`spec/cael.v1.md`):
1. A line is one JSON object with the members of an entry and no other; blank lines count for nothing.
2. `version`, `runId` as in the first entry, `index` as the entries go on, `prevHash` the hash of the entry before.
3. `hash` is spelled as the trace's mode has it and is the hash of the entry's canonical text; nothing in the entry is
   outside that text. The mode is the caller's, else the first entry's `payload.hashMode`, else fnv1a.
4. A trace whose `init` names a solverType ends in a `final` entry. A cut-off end of any other trace is told only
   against `entries` or `head`.
5. A trace with a record in its `init` is what `export_cael` gives for that record, entry by entry, and the record
   verifies.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from bicameral.canonical.records import DialogRecord
from bicameral.canonical.shown import shown
from bicameral.errors import RecordError
from bicameral.model.witnessing import Problem
from bicameral.witness._cael_check import TEXT_SHOWN, Lines, Trace, read_entry, said_lines
from bicameral.witness._cael_export import TraceEvent, export_cael, write_trace
from bicameral.witness._cael_text import CAEL_V1, Mode, entry_hash, entry_text
from bicameral.witness.verify import verify_record

__all__ = [
    "CAEL_V1",
    "Mode",
    "TraceEvent",
    "entry_hash",
    "entry_text",
    "export_cael",
    "read_trace",
    "record_of_trace",
    "verify_trace",
    "write_trace",
]


def verify_trace(
    lines: Lines, *, mode: Mode | None = None, entries: int | None = None, head: str | None = None
) -> Iterator[Problem]:
    """What is wrong with a trace, as it is read. Never raises, whatever the lines hold.

    lines: texts or bytes, with or without their line breaks; a whole text or its bytes too.
    mode: the hash mode it must have; None takes what its first entry declares.
    entries: how many it must have; head: the hash its last entry must have. None asks for neither.
    """
    trace = Trace(mode)
    yield from trace.problems(lines)
    if trace.record is not None:
        for problem in verify_record(trace.record):
            where = f"entries[0].payload.record.{problem.where}"
            yield Problem(where=where, what=problem.what, kind=problem.kind)
    if entries is not None and trace.count != entries:
        yield Problem(
            where="entries", what=f"It has {trace.count} entries, not {entries}: an end was cut off or added."
        )
    if head is not None and trace.previous != head:
        last = "none" if trace.previous is None or not trace.count else shown(trace.previous, most=TEXT_SHOWN)
        yield Problem(where="head", what=f"The last entry's hash is {last}, not {shown(head, most=TEXT_SHOWN)}.")


def record_of_trace(lines: Lines, *, mode: Mode | None = None) -> DialogRecord:
    """The record that a trace of `export_cael` holds. The whole trace is read and must be sound.

    Raises RecordError with the first problem of a trace that is not, and for one that holds no record. Whether the
    record itself verifies is for `verify_record`.
    """
    trace = Trace(mode)
    for problem in trace.problems(lines):
        raise RecordError(f"This trace is broken at {problem.where}: {problem.what}")
    if trace.record is None:
        raise RecordError(
            "This trace holds no record.", mend="`export_cael` writes one with a record in its first entry."
        )
    return trace.record


def read_trace(lines: Lines) -> Iterator[dict[str, Any]]:
    """The entries as they stand, blank lines left out. Raises RecordError, naming the entry, for a line that is no JSON
    object. Nothing else is checked."""
    for index, line in enumerate(said_lines(lines)):
        yield read_entry(line, f"entries[{index}]")
