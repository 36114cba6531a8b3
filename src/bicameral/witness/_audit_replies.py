"""The raw replies beside a record, each against its mark in the entry and the turn that was read from it.

Answers for: check 5 of `_audit_link`. Declines to read a reply's text: that is `replay`'s.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from msgspec import UNSET, Struct

from bicameral.canonical.shown import shown
from bicameral.errors import RecordError
from bicameral.model.witnessing import KeptReply
from bicameral.witness._audit_acts import Findings, Rulings
from bicameral.witness._audit_outcome import Said
from bicameral.witness._audit_report import Fault, Named, Report, raw_digest, sha256_text
from bicameral.witness._audit_texts import About, Mark, read_about

_REMEMBERED: Final = 1024
"""How many short accounts of replies are remembered as read: one model's differ in little."""


class Turn(Struct, rename="camel", gc=False):
    """A turn of the record's dialog, as far as a reply has to do with it."""

    speaker: str
    chain_depth: int
    content: str


def reply_faults(
    kept: Sequence[KeptReply], marks: Sequence[Mark], turns: Sequence[Turn], said: Sequence[Said], report: Report
) -> None:
    if len(kept) != len(marks):
        report.faults.append(
            Fault("replies", f"The entry marks {len(marks)}; there are {len(kept)}.",
                  "missing" if len(kept) < len(marks) else "broken")
        )  # fmt: skip
    speakers = {turn.chain_depth: index for index, turn in enumerate(turns)}
    spoken: set[int] = set()
    for index, (reply, mark) in enumerate(zip(kept, marks, strict=False)):
        where = f"replies[{index}]"
        report.replies += 1
        _text_faults(reply, mark, where, report)
        if mark.about is UNSET:
            report.unmarked += 1
        digest, about = about_of(reply.about)
        if mark.about is not UNSET and digest != mark.about:
            report.faults.append(Fault(f"{where}.about", f"Its digest is not {shown(mark.about)[:90]}."))
        if isinstance(about, str):
            report.faults.append(Fault(f"{where}.about", about))
            continue
        if (about.finish, about.state) != (mark.finish, mark.state):
            report.faults.append(Fault(f"{where}.about", "Its finish and state are not those in the entry."))
        depth = mark.chain_depth
        if depth is None or not turns:
            continue
        if depth in spoken:
            report.faults.append(Fault(f"{where}.chainDepth", f"Another reply is of turn {depth} too."))
        spoken.add(depth)
        turn = speakers.get(depth)
        if turn is None or turns[turn].speaker != about.handle:
            what = f"No turn at depth {depth} was spoken by {shown(about.handle)[:80]}."
            report.faults.append(Fault(f"{where}.chainDepth", what))
        elif said:
            act = said[turn].act
            if not isinstance(act, Findings if about.task == "propose" else Rulings):
                what = f"It was asked to {about.task}, and the turn at depth {depth} is no answer to that."
                report.faults.append(Fault(f"{where}.chainDepth", what))


def about_of(data: bytes) -> tuple[str, About | str]:
    """The digest of what is known of a reply, and its value or what is wrong with it."""
    return _remembered_about(data) if len(data) <= _REMEMBERED else _read_about(data)


def _read_about(data: bytes) -> tuple[str, About | str]:
    try:
        return sha256_text(data), read_about(data, "It")
    except RecordError as exc:
        return sha256_text(data), str(exc)


_remembered_about = lru_cache(_REMEMBERED)(_read_about)


def _text_faults(reply: KeptReply, mark: Mark, where: str, report: Report) -> None:
    if reply.digest != mark.digest:
        report.faults.append(Fault(f"{where}.digest", f"It is {shown(reply.digest)[:90]}, not {shown(mark.digest)}."))
    if reply.text is None:
        raw = raw_digest(mark.digest)
        if raw is not None:
            report.named.append(Named(raw, "reply", f"{where}.text"))
        else:
            report.faults.append(Fault(f"{where}.digest", "It is no digest."))
        return
    digest = sha256_text(reply.text)
    if digest != mark.digest:
        report.faults.append(Fault(f"{where}.text", f"Its digest is {digest}, not {shown(mark.digest)}."))
    try:
        reply.text.decode("utf-8")
    except UnicodeDecodeError as exc:
        report.faults.append(Fault(f"{where}.text", f"It is no UTF-8: byte {exc.start} cannot be read."))
