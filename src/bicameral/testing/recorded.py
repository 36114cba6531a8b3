"""A recorded dialog, to be played back by scripted judges.

Answers for: a judge that says again what the record says that it said, so that holding the dialogue again gives an
equivalent dialog. Declines to restore the raw replies: a record holds what was read from them. What it does not hold
(a member that was no list, an account beyond the contract's lengths) cannot be said again; the raw replies are in a
store or a bundle, and `bicameral witness replay` reads those.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from bicameral.canonical import Dialog, parse_json
from bicameral.errors import InputError, JudgeFailed, RecordError
from bicameral.model.dialogs import DialogTurn
from bicameral.model.seats import Seat
from bicameral.testing.scripted import Line, ScriptedJudge

_NO_ROUND = {"no-challenge": 1, "no-second-round": 0}
"""Acts of the clerk that say that a judge gave nothing, and that judge's place in the roster."""


@dataclass(frozen=True)
class RecordedDialog:
    """A dialog as it was recorded. Its turns are in canonical order."""

    dialog: Dialog

    @property
    def turns(self) -> tuple[DialogTurn, ...]:
        return self.dialog.turns

    def contents(self, speaker: str) -> list[str]:
        """What a speaker said, in order, word for word; for dialogs of any agents."""
        return [turn.content for turn in self.turns if turn.speaker == speaker]

    @cached_property
    def seats(self) -> tuple[Seat, ...]:
        """Proposer and challenger, as the charge names them. Raises RecordError for a dialog of other agents."""
        roster = self._charge.get("roster")
        try:
            return tuple(Seat(ai=seat["ai"], model=seat["model"]) for seat in roster)  # type: ignore[union-attr]
        except (TypeError, KeyError) as exc:
            raise RecordError("This dialog's charge names no roster, so no judges can be made of it.") from exc

    def script(self, handle: str) -> list[Line | JudgeFailed]:
        """The lines of the judge with this handle, for a ScriptedJudge: its replies, and where it gave none, why."""
        lines: list[Line | JudgeFailed] = []
        for turn in self.turns:
            said = _object(turn.content)
            if turn.speaker == handle:
                lines.append(_line(turn, said))
            place = _NO_ROUND.get(str(said.get("act")))
            if place is not None and place < len(self.seats) and self.seats[place].handle == handle:
                lines.append(JudgeFailed("It gave nothing when this was recorded.", reason=said["reason"]))
        return lines

    def judge(self, handle: str, *, costs_nothing: bool = False) -> ScriptedJudge:
        """A judge that says it all again. Raises InputError for a handle that had no seat."""
        for seat in self.seats:
            if seat.handle == handle:
                return ScriptedJudge(seat, self.script(handle), costs_nothing=costs_nothing)
        known = ", ".join(seat.handle for seat in self.seats)
        raise InputError(f"{handle!r} had no seat in this dialog.", mend=f"Seated were: {known}.")

    @cached_property
    def _charge(self) -> Mapping[str, Any]:
        return _object(self.turns[0].content) if self.turns else {}


def _object(content: str) -> Mapping[str, Any]:
    """The object that a content spells, empty where it spells none."""
    try:
        value = parse_json(content)
    except RecordError:
        return {}
    return value if isinstance(value, dict) else {}


def _line(turn: DialogTurn, said: Mapping[str, Any]) -> Line:
    meta = {name: text for name, text in (turn.meta or {}).items() if isinstance(text, str)}
    parts = tuple(meta.pop("parts", "").split("+")) if meta.get("parts") else ()
    meta.pop("model", None)
    replies = {"findings": _proposal, "rulings": _challenge}
    reply = replies.get(str(said.get("act")))
    return Line(text=turn.content if reply is None else reply(said, parts), parts=parts, meta=meta)


def _proposal(said: Mapping[str, Any], parts: tuple[str, ...]) -> str:
    """A reply that is read into this act. Rows that were rejected are said again, to be rejected again."""
    rows = [*(_row(finding, parts) for finding in said["findings"]), *_rejected(said)]
    return f'{{"findings": [{", ".join(rows)}], "clean_shot_ids": {json.dumps(said["clean_shot_ids"])}}}'


def _challenge(said: Mapping[str, Any], parts: tuple[str, ...]) -> str:
    verdicts = [
        json.dumps({"index": ruling["index"], "verdict": ruling["verdict"]} | ({} if note is None else {"note": note}))
        for ruling in said["rulings"]
        for note in (ruling["notes"] or [None])
    ]
    additions = [_row(finding, parts) for finding in said["additions"]]
    return f'{{"verdicts": [{", ".join([*verdicts, *_rejected(said)])}], "additions": [{", ".join(additions)}]}}'


def _row(finding: Mapping[str, Any], parts: tuple[str, ...]) -> str:
    row = {name: value for name, value in finding.items() if name != "oracle"}
    return json.dumps(row | ({"part": finding["oracle"]} if finding.get("oracle") in parts else {}))


def _rejected(said: Mapping[str, Any]) -> list[str]:
    """The rejected rows, each the JSON text that it was."""
    return [row if _is_json(row) else json.dumps(row) for row in said.get("rejected", ())]


def _is_json(text: str) -> bool:
    try:
        parse_json(text)
    except RecordError:
        return False
    return True
