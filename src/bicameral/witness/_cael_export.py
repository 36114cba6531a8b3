"""Traces written: any events as a hash chain, and one `agent.dialog.v1` record as such a trace.

Answers for: the same record, the same lines, on any machine at any time; there is no clock in them. Declines to:
export what the hash would not cover.

An exported record is, in this order: an `init` entry with the whole record, its digest and the number of entries in its
payload; one `interaction` entry a turn, in the order of the wire key; a `final` entry. Timestamps are depths of turns.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from bicameral.canonical.dialogs import canonical_turn
from bicameral.canonical.plain import sha256_digest, shown_path
from bicameral.canonical.records import DialogRecord, read_record, record_bytes
from bicameral.errors import RecordError, UnrecordableError
from bicameral.model.dialogs import AGENT_DIALOG_V1
from bicameral.witness._cael_text import CAEL_V1, GENESIS, SHAPES, Mode, joined, member_texts, text_hash, unhashed


@dataclass(frozen=True, kw_only=True)
class TraceEvent:
    """One entry to be written. timestamp, sim_time: numbers as the caller has them; nothing here asks a clock."""

    event: str
    payload: Mapping[str, Any]
    timestamp: int | float = 0
    sim_time: int | float = 0


def write_trace(run_id: str, events: Iterable[TraceEvent], *, mode: Mode = "sha256") -> Iterator[str]:
    """The events as the lines of a `cael.v1` trace, without line breaks, each as its event comes.

    Raises UnrecordableError, which names the entry, for a payload that JSON cannot say or the hash would not cover.
    """
    previous = GENESIS
    for index, event in enumerate(events):
        where = f"entries[{index}]"
        entry = {
            "version": CAEL_V1,
            "runId": run_id,
            "index": index,
            "event": event.event,
            "timestamp": event.timestamp,
            "simTime": event.sim_time,
            "prevHash": previous,
            "payload": event.payload,
        }
        texts = member_texts(entry, where)
        for place, why in unhashed(entry, where):
            raise UnrecordableError(f"{shown_path(place)} cannot be in a trace: {why}")
        previous = text_hash(joined(texts), mode)
        members = ",".join([f'"{name}":{text}' for name, text in texts.items()])
        yield f'{{{members},"hash":"{previous}"}}'


def export_cael(record: bytes | str | Mapping[str, Any], *, mode: Mode = "sha256") -> Iterator[str]:
    """The lines of a `cael.v1` trace of one `agent.dialog.v1` record, without line breaks.

    Raises RecordError at once for what is no such record, and UnrecordableError, with the first line, for one that has
    a member `__proto__` or a number beyond a double.
    """
    read = read_record(record)
    if not isinstance(read, DialogRecord):
        raise RecordError(f"Only a record of type {AGENT_DIALOG_V1} is exported as a trace.")
    if mode not in SHAPES:
        raise RecordError(f"There is no hash mode of this name; {' and '.join(SHAPES)} are.")
    turns = [canonical_turn(turn) for turn in read.wire_dialog()["turns"]]
    digest = sha256_digest(record_bytes(read))

    def events() -> Iterator[TraceEvent]:
        yield TraceEvent(
            event="init",
            payload={
                "hashMode": mode,
                "solverType": AGENT_DIALOG_V1,
                "dialogId": read.dialog_id,
                "recordDigest": digest,
                "entries": len(turns) + 2,
                "record": dict(read),
            },
        )
        depth: int | float = 0
        for turn in turns:
            said = turn.members["chainDepth"]
            # The wire writes a depth that is no finite number as null; it has no place in time.
            depth = said if isinstance(said, (int, float)) and math.isfinite(said) else depth
            data = {name: turn.members[name] for name in ("speaker", "audience", "chainDepth", "content")}
            data["turnHash"] = sha256_digest(turn.text.encode("utf-8"))
            yield TraceEvent(
                event="interaction", payload={"type": "turn", "data": data}, timestamp=depth, sim_time=depth
            )
        final = {
            "eventCount": len(turns) + 2,
            "recordDigest": digest,
            "wireDigest": sha256_digest(read.wire_key.encode("utf-8", "surrogatepass")),
        }
        yield TraceEvent(event="final", payload=final, timestamp=depth, sim_time=depth)

    return write_trace(digest, events(), mode=mode)
