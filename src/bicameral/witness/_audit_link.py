"""One link of a chain with all that hangs on it, examined alone.

Answers for: everything that can be told from the link itself. Declines to know the links around it, and whether the
pictures that it names are there: it says which they are. Pure, so that it may run in another process.

Checks, in order:
1. The entry is canonical `bicameral.chain.v1`; its hash is that of its bytes. Where it cannot be read, the rest is
   examined for what it says itself.
2. The record verifies, and has the digest, the dialogId and the wire digest that the entry names.
3. In a dialog whose genesis is a charge every content is a canonical act, each ruling is on a finding that was put, and
   what the charge names is named by a digest.
4. The outcome has the digest that the entry names, and is what the acts lead to (`_audit_outcome`).
5. There is a reply for each mark, in order. What is known of it has the digest in the mark and the same finish and
   state; its depth is that of a turn of its own speaker, which files findings if it was asked to propose, and rules if
   not. No two replies are of one turn. Its text is UTF-8 and has the digest in the mark, or is absent.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import msgspec
from msgspec import UNSET, Struct
from msgspec.json import Decoder

from bicameral.canonical.records import DialogRecord, read_record
from bicameral.canonical.shown import shown
from bicameral.errors import RecordError
from bicameral.model.witnessing import KeptLink
from bicameral.witness._audit_acts import is_charge, named_by, read_act
from bicameral.witness._audit_outcome import NotDerivable, Said, outcome_problems, ruling_problems
from bicameral.witness._audit_replies import Turn, about_of, reply_faults
from bicameral.witness._audit_report import Fault, Named, Report, raw_digest, sha256_text
from bicameral.witness._audit_texts import About, Entry, Mark, check_values, read_entry
from bicameral.witness.verify import verify_record


class _Dialog(Struct, gc=False):
    turns: list[Turn]


class _Record(Struct, rename="camel", gc=False):
    dialog_id: str
    wire_key: str


_UNREADABLE: Final = (msgspec.DecodeError, RecursionError, ValueError, TypeError)
_record = Decoder(_Record).decode
_dialog = Decoder(_Dialog).decode


def examine(kept: KeptLink) -> Report:
    """A Report; never raises for what a link holds."""
    if not kept.entry:
        what = "Its store kept this link's hash alone, so nothing can be compared with it."
        report = Report(None, faults=[Fault("", what, "unverifiable")])
        entry = _entry_as_it_stands(kept)
    else:
        report = Report(sha256_text(kept.entry))
        try:
            entry = read_entry(kept.entry, "It")
        except RecordError as exc:
            report.faults = [Fault("", str(exc))]
            entry = _entry_as_it_stands(kept)
        else:
            report.readable, report.seq, report.previous = True, entry.seq, entry.previous
    report.held = kept.record is not None
    if kept.record is None:
        return report
    try:
        _examine_held(kept, kept.record, entry, report)
    except RecursionError:
        report.faults.append(Fault("record", "It is nested deeper than can be read."))
    return report


def _entry_as_it_stands(kept: KeptLink) -> Entry:
    """An entry that names what is there, for where the real one cannot be read: the rest is examined all the same."""
    record = kept.record or b""
    try:
        key = _dialog_record(record)
    except RecordError:
        key = None
    marks = []
    for reply in kept.replies:
        _, about = about_of(reply.about)
        known = about if isinstance(about, About) else None
        finish, state = (known.finish, known.state) if known else ("stop", "complete")
        marks.append(Mark(chain_depth=None, digest=reply.digest, finish=finish, state=state))
    return Entry(
        dialog_id=key.dialog_id if key else "",
        outcome=UNSET if kept.outcome is None else sha256_text(kept.outcome),
        previous=None,
        record_digest=sha256_text(record),
        replies=marks,
        seq=0,
        wire_digest=sha256_text(key.wire_key.encode("utf-8", "surrogatepass")) if key else "",
    )


def _examine_held(kept: KeptLink, record: bytes, entry: Entry, report: Report) -> None:
    turns = _record_faults(record, entry, report)
    said = _acts(turns, report)
    _outcome_faults(kept.outcome, entry, said, report)
    reply_faults(kept.replies, entry.replies, turns, said, report)


def _record_faults(record: bytes, entry: Entry, report: Report) -> Sequence[Turn]:
    """Rule 2, and the dialog's turns; none where the record holds no dialog that can be read."""
    try:
        check_values(record, "It")
        problems = verify_record(record, record_digest=entry.record_digest)
        key = _dialog_record(record)
    except RecordError as exc:
        digest = sha256_text(record)
        if digest != entry.record_digest:
            report.faults.append(Fault("record", f"Its digest is {digest}, not {shown(entry.record_digest)}."))
        report.faults.append(Fault("record", str(exc)))
        return ()
    report.faults += [
        Fault(f"record.{problem.where}" if problem.where != "record" else "record", problem.what, problem.kind)
        for problem in problems
    ]
    if key is None:
        return ()  # a record of another type: verify_record has said what is to be said
    if key.dialog_id != entry.dialog_id:
        report.faults.append(Fault("dialogId", "It is not the record's."))
    if sha256_text(key.wire_key.encode("utf-8", "surrogatepass")) != entry.wire_digest:
        report.faults.append(Fault("wireDigest", "It is not the digest of the record's wire key."))
    try:
        dialog = _dialog(key.wire_key)
    except _UNREADABLE:
        return ()  # a foreign dialog, or one whose key verify_record refused
    report.turns = len(dialog.turns)
    return dialog.turns


def _dialog_record(record: bytes) -> _Record | None:
    """The members of a dialog's record that an entry names; None for a record of another type. Raises RecordError."""
    try:
        return _record(record)
    except _UNREADABLE:
        exact = read_record(record)
        return _Record(exact.dialog_id, exact.wire_key) if isinstance(exact, DialogRecord) else None


def _acts(turns: Sequence[Turn], report: Report) -> Sequence[Said]:
    """Rule 3; nothing for a dialog that no charge begins."""
    if not turns or not is_charge(turns[0].content):
        return ()
    said = []
    for index, turn in enumerate(turns):
        try:
            said.append(Said(turn.speaker, read_act(turn.content, "It")))
        except RecordError as exc:
            report.faults.append(Fault(f"record.turns[{index}].content", str(exc)))
            return ()
    for index, what in ruling_problems(said):
        report.faults.append(Fault(f"record.turns[{index}].content", what))
    for where, kind, digest in named_by(said[0].act):
        raw = raw_digest(digest)
        if raw is None:
            report.faults.append(Fault(where, "It names nothing: sha256: and 64 lower-case hex digits were expected."))
        else:
            report.named.append(Named(raw, kind, where))
    return said


def _outcome_faults(outcome: bytes | None, entry: Entry, said: Sequence[Said], report: Report) -> None:
    if entry.outcome is UNSET:
        if outcome is not None:
            report.faults.append(Fault("outcome", "The entry names no outcome."))
        return
    if outcome is None:
        report.faults.append(Fault("outcome", f"It is {shown(entry.outcome)}, and it is not there.", "missing"))
        return
    digest = sha256_text(outcome)
    if digest != entry.outcome:
        report.faults.append(Fault("outcome", f"Its digest is {digest}, not {shown(entry.outcome)}."))
    try:
        check_values(outcome, "The outcome")
        report.faults += [Fault("outcome", what) for what in outcome_problems(outcome, said)]
    except RecordError as exc:
        report.faults.append(Fault("outcome", str(exc)))
    except NotDerivable as exc:
        report.faults.append(Fault("outcome", f"It cannot be derived from this dialog here: {exc}.", "unverifiable"))
