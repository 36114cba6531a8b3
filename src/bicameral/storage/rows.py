"""What a store holds beside issues, as frozen values; and what no store may hold.

Ids, times and digests are handed in; nothing here makes one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, is_dataclass

from bicameral.canonical.plain import encodable
from bicameral.errors import UnrecordableError
from bicameral.model.evidence import View
from bicameral.model.judging import Spend
from bicameral.model.vocabulary import Finish, ReplyState, Task


@dataclass(frozen=True, kw_only=True)
class RunRow:
    """One run. finished_at and exit_status are None while it goes on, and for ever where it was killed.

    run_id: ids sort in the order the runs began.  roster: as the caller writes it, e.g. `axe+layout:1, pixels:1`.
    started_at, finished_at: RFC 3339 in UTC.  The report's bytes are asked for by themselves: `Reader.report`.
    """

    run_id: str
    project: str
    roster: str
    started_at: str
    program_version: str
    finished_at: str | None = None
    exit_status: int | None = None
    spend: Spend = field(default_factory=Spend)


@dataclass(frozen=True, kw_only=True)
class BatchRow:
    """One view of a run. record: digest of its record, None where the view could not be judged.

    body: whatever the caller needs in order to say later what became of it; opaque here.
    """

    run_id: str
    position: int
    view: View
    record: str | None = None
    body: bytes = b""


@dataclass(frozen=True, kw_only=True)
class RecordRow:
    """One immutable record, named by its digest. body: its canonical bytes."""

    digest: str
    dialog_id: str
    solver_type: str
    body: bytes


@dataclass(frozen=True, kw_only=True)
class ReplyRow:
    """A raw reply beside the record that it was read into. depth: of the turn that was made of it.

    body: the reply in UTF-8, None where it was dropped later; the digest stays.
    """

    depth: int
    handle: str
    model: str
    task: Task
    finish: Finish
    state: ReplyState
    digest: str
    body: bytes | None


@dataclass(frozen=True, kw_only=True)
class ChainEntry:
    """One link: the order in which records came in. seq counts up by one; entry is a hash over previous and record."""

    seq: int
    previous: str
    entry: str
    record: str


def keepable(value: object, where: str) -> None:
    """Raise UnrecordableError, naming the place, where a text anywhere in the value cannot be kept.

    A NUL character cannot be in a PostgreSQL text, a lone surrogate in no UTF-8. where: the value's own name.
    """
    if isinstance(value, str):
        if "\0" in value:
            raise UnrecordableError(f"{where} holds a NUL character, which no store can keep.", mend="Take it out.")
        if not value.isascii() and not encodable(value):
            raise UnrecordableError(f"{where} holds half a character (a lone surrogate).", mend="Take it out.")
    elif is_dataclass(value) and not isinstance(value, type):
        for name, member in vars(value).items():
            if member is not None:
                keepable(member, f"{where}.{name}")
    elif isinstance(value, Mapping):
        for name, member in value.items():
            keepable(name, f"a member's name in {where}")
            keepable(member, f"{where}.{name}")
    elif isinstance(value, list | tuple):
        for index, item in enumerate(value):
            keepable(item, f"{where}[{index}]")
