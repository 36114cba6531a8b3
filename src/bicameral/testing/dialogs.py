"""Two dialogs, asserted to be one: the first difference is the message.

Answers for: dialogs in every form that Bicameral has, compared by their wire keys. What is outside the key (a record's
label, unknown members) is not compared. Declines to: call a document that is no dialog different; that is a
RecordError, since the test is wrong and not the dialog.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from bicameral.canonical import Dialog, canonical_dialog_snapshot, open_dialog, shown
from bicameral.errors import RecordError
from bicameral.model.judging import DialogueResult
from bicameral.model.witnessing import WitnessedDialog
from bicameral.witness.compare import Difference, first_difference
from bicameral.witness.recorder import DialogRecorder
from bicameral.witness.recording import record_dialog

if TYPE_CHECKING:
    from bicameral.canonical.dialogs import DialogSource

AnyDialog: TypeAlias = (
    Dialog | DialogRecorder | DialogueResult | WitnessedDialog | Mapping[str, Any] | bytes | str | os.PathLike[str]
)
"""A dialog, a recorder, the result of a dialogue, a witnessed dialog, a mapping (of a dialog or of a record, with the
wire's names), a document's bytes, or the path of a document."""

AROUND: Final = 60
SHOWN: Final = 400
"""Characters of a long value before the place where it differs, and in all."""


def assert_dialogs_equivalent(a: AnyDialog, b: AnyDialog) -> None:
    """Raise AssertionError, naming the first place where the two dialogs differ with both values there.

    Raises RecordError for what is no dialog and no record of one, saying which of the two it is.
    """
    __tracebackhide__ = True
    difference = difference_between(a, b)
    if difference is not None:
        raise AssertionError(difference)


def difference_between(a: AnyDialog, b: AnyDialog, *, names: tuple[str, str] = ("first", "second")) -> str | None:
    """What `assert_dialogs_equivalent` says, None for equivalent dialogs. names: what the two are called."""
    one, other = _opened(a, names[0]), _opened(b, names[1])
    found = first_difference(one, other)
    if found is None:
        return None
    width = max(len(name) for name in names) + 1
    start = _common(found.a, found.b)
    lines = [f"The dialogs part at {shown(found.where)}:"]
    for name, value in zip(names, (found.a, found.b), strict=True):
        lines.append(f"  {name + ':':{width}} {_excerpt(value, start)}")
    said = _said(one, other, found)
    return "\n".join([*lines, *([f"  {said}"] if said else [])])


def open_any(dialog: AnyDialog) -> DialogSource:
    """The dialog in whatever was handed over. Raises RecordError where there is none."""
    if isinstance(dialog, DialogRecorder):
        return Dialog(dialog_id=dialog.dialog_id, turns=dialog.turns)
    if isinstance(dialog, (str, os.PathLike)):
        return open_dialog(_read(Path(dialog)))
    if isinstance(dialog, (bytes, bytearray, Mapping)):
        return open_dialog(dialog)
    if isinstance(dialog, Dialog):
        return dialog
    if isinstance(dialog, WitnessedDialog):
        return open_dialog(dialog.record)
    if isinstance(dialog, DialogueResult):
        return open_dialog(record_dialog(dialog.turns).record)
    raise RecordError(
        f"A value of type {type(dialog).__name__} is no dialog.",
        mend="Hand in a Dialog, a recorder, a dialogue's result, a mapping, a record, or the path of one.",
    )


def _opened(dialog: AnyDialog, name: str) -> DialogSource:
    try:
        source = open_any(dialog)
        canonical_dialog_snapshot(source)
    except RecordError as exc:
        raise type(exc)(f"The {name} dialog cannot be compared: {exc.message}", mend=exc.mend) from exc
    return source


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except (OSError, ValueError) as exc:
        raise RecordError(f"{str(path)[:200]!r} cannot be read: {getattr(exc, 'strerror', None) or exc}.") from exc


def _common(a: str | None, b: str | None) -> int:
    """How many characters two values have in common at their start; 0 where one is absent."""
    if a is None or b is None:
        return 0
    return next((place for place, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))


def _excerpt(value: str | None, start: int) -> str:
    """The value, or where it is long, the part of it around the place from which on it differs."""
    if value is None:
        return "(absent)"
    if len(value) <= SHOWN:
        return shown(value)
    begin = max(0, min(start - AROUND, len(value) - SHOWN))
    end = begin + SHOWN
    return f"{'…' if begin else ''}{shown(value[begin:end])}{'…' if end < len(value) else ''}"


def _said(one: DialogSource, other: DialogSource, found: Difference) -> str:
    """Who says the turn that differs, where a turn does."""
    if found.turn is None:
        return ""
    for source in (one, other):
        turns: Any = canonical_dialog_snapshot(source)["turns"]
        if found.turn < len(turns):
            turn = turns[found.turn]
            return f"in what {shown(turn['speaker'])[:80]} says to {shown(turn['audience'])[:80]} (turn {found.turn})"
    return ""
