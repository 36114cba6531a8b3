"""Dialogs for the tests of the testing helpers."""

from __future__ import annotations

import json
from typing import Any

from bicameral.model.dialogs import DialogTurn
from bicameral.witness.recorder import DialogRecorder


def recorder(*contents: str, speakers: tuple[str, str] = ("ann", "bob"), dialog_id: str = "d1") -> DialogRecorder:
    """A dialog in which two speak by turns."""
    made = DialogRecorder(dialog_id)
    parent: str | None = None
    for depth, content in enumerate(contents):
        speaker, audience = speakers if depth % 2 == 0 else speakers[::-1]
        turn = DialogTurn(speaker=speaker, audience=audience, chain_depth=depth, content=content, parent_hash=parent)
        parent = made.append(turn)
    return made


def wire(made: DialogRecorder) -> dict[str, Any]:
    """The same as a plain mapping with the wire's names."""
    dialog: dict[str, Any] = json.loads(made.wire_key())
    return dialog
