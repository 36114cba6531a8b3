"""Dialogs to their canonical form: the snapshot, the wire key, and the digests taken over them.

Answers for: one dialog, one key, whatever order its turns came in and whatever machine asks. Declines to: judge a
dialog. Parents, gaps in depth and values that only our own recorder refuses are keyed as they are; `witness` verifies.

Rules, in order:
1. A dialog is a `Dialog`, anything with `dialog_id` and `turns`, or a mapping with the wire's names. So is a turn.
2. `dialogId`, `speaker`, `audience` and `content` are text and `chainDepth` a number, or RecordError names the place.
   `meta` and `parentHash` are absent where they are UNDEFINED (None in a class); else they stand as they are, null too.
   Members of a turn that the format does not know (times, instances) are left out.
3. Turns sort by depth as a double, NaN last, then speaker, then audience, by `collation.handle_key`.
4. Two turns that agree in these three raise DuplicateTurnError.
5. The key is the compact ECMAScript JSON text of the snapshot, members by UTF-16 code unit.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final, Protocol, TypeAlias

from bicameral.canonical.collation import HandleKey, handle_key
from bicameral.canonical.ecmascript import (
    UNDEFINED,
    Json,
    as_double,
    json_text,
    number_text,
    paired,
    text_text,
    wire_number,
    wire_value,
)
from bicameral.canonical.plain import sha256_digest
from bicameral.canonical.quick import quick_wire_key
from bicameral.canonical.shown import shown
from bicameral.errors import DuplicateTurnError, RecordError
from bicameral.model.dialogs import AGENT_DIALOG_V1, SPEC_VERSION, DialogTurn

HANDLE_SHOWN: Final = 200
"""Characters of a handle in a message."""

TurnSource: TypeAlias = DialogTurn | Mapping[str, object]


class DialogLike(Protocol):
    """A `Dialog`, a recorder, or any other holder of an id and turns."""

    @property
    def dialog_id(self) -> str: ...

    @property
    def turns(self) -> Sequence[DialogTurn]: ...


DialogSource: TypeAlias = DialogLike | Mapping[str, object]
TurnKey: TypeAlias = tuple[bool, float, HandleKey, HandleKey]


@dataclass(frozen=True, slots=True)
class CanonicalTurn:
    """A turn in canonical form. key: what turns sort by.  members: the wire's, in order.  text: their JSON text."""

    key: TurnKey
    members: Mapping[str, Json]
    text: str


def canonical_dialog_snapshot(source: DialogSource) -> dict[str, Json]:
    """`{"dialogId": ..., "turns": [...]}` with the turns in canonical order, in built-in types that `json` can write.

    Raises RecordError for what is not a dialog, DuplicateTurnError for two turns in one place, UnrecordableError for
    a meta that JSON cannot say. The source is left as it was, and nothing in the snapshot is shared with it.
    """
    dialog_id, turns = _read(source)
    return {"dialogId": dialog_id, "turns": [dict(turn.members) for turn in turns]}


def dialog_wire_key(source: DialogSource) -> str:
    """The whole dialog as canonical text: one key, one dialog. It holds no lone surrogate. Raises as the snapshot."""
    quick = quick_wire_key(source)
    return exact_wire_key(source) if quick is None else quick


def exact_wire_key(source: DialogSource) -> str:
    """The same, written piece by piece by this module's rules, whatever the dialog holds."""
    dialog_id, turns = _read(source)
    return key_text(dialog_id, [turn.text for turn in turns])


def wire_digest(source: DialogSource) -> str:
    """`sha256:` and the SHA-256 of the wire key in UTF-8. Raises as the snapshot."""
    return sha256_digest(dialog_wire_key(source).encode("utf-8"))


def turn_hash(turn: TurnSource) -> str:
    """`sha256:` and the SHA-256 of a turn's canonical text, which is also how it stands in its dialog's wire key."""
    return sha256_digest(canonical_turn(turn).text.encode("utf-8"))


def wire_format_equivalent_dialog(a: DialogSource, b: DialogSource) -> bool:
    """Whether two dialogs have one wire key. A dialog with duplicate turns raises rather than being unequal."""
    return dialog_wire_key(a) == dialog_wire_key(b)


def build_agent_dialog_v1_record(source: DialogSource, label: str | None = None) -> dict[str, Json]:
    """The `agent.dialog.v1` record of a dialog. `label` is for people and outside the key; None leaves it out.

    Raises as the snapshot, and RecordError for a label that is not text.
    """
    dialog_id, turns = _read(source)
    record: dict[str, Json] = {
        "solverType": AGENT_DIALOG_V1,
        "specVersion": SPEC_VERSION,
        "dialogId": dialog_id,
        "wireKey": key_text(dialog_id, [turn.text for turn in turns]),
        "turnCount": len(turns),
    }
    if label is not None:
        record["label"] = _text(label, "label")
    return record


def key_text(dialog_id: str, turn_texts: Sequence[str]) -> str:
    """The wire key of an id and of turns that are already in canonical form and order."""
    return f"{key_prefix(dialog_id)}{','.join(turn_texts)}]}}"


def key_prefix(dialog_id: str) -> str:
    """What every wire key of the dialog starts with; turns joined by commas and `]}` follow."""
    return f'{{"dialogId":{text_text(dialog_id)},"turns":['


def canonical_turn(turn: TurnSource, where: str = "turn") -> CanonicalTurn:
    """One turn in canonical form. `where` names it in errors. Raises RecordError and UnrecordableError."""
    given = _given(turn, where)
    depth = _depth(given.get("chainDepth", UNDEFINED), f"{where}.chainDepth")
    speaker, audience = (_text(given.get(name, UNDEFINED), f"{where}.{name}") for name in ("speaker", "audience"))
    members: dict[str, Json] = {
        "audience": audience,
        "chainDepth": wire_number(depth),
        "content": _text(given.get("content", UNDEFINED), f"{where}.content"),
    }
    for name in ("meta", "parentHash"):
        if given.get(name, UNDEFINED) is not UNDEFINED:
            members[name] = wire_value(given[name], f"{where}.{name}")
    members["speaker"] = speaker
    not_a_number = math.isnan(depth)
    key = (not_a_number, 0.0 if not_a_number else depth, handle_key(speaker), handle_key(audience))
    text = ",".join([f'"{name}":{json_text(member)}' for name, member in members.items()])
    return CanonicalTurn(key, members, f"{{{text}}}")


def duplicate_turn(turn: CanonicalTurn) -> DuplicateTurnError:
    """The error for a second turn in the place of this one."""
    _, depth, _, _ = turn.key
    written = number_text(math.nan if turn.key[0] else depth)
    speaker, audience = (shown(str(turn.members[name]), most=HANDLE_SHOWN) for name in ("speaker", "audience"))
    return DuplicateTurnError(
        f"{AGENT_DIALOG_V1}: duplicate turn (chainDepth={written}, speaker={speaker}, audience={audience}).",
        mend="Give one of the two another depth, speaker or audience: these three name a turn.",
    )


def _read(source: DialogSource) -> tuple[str, list[CanonicalTurn]]:
    """The id and the turns in canonical order, checked for duplicates."""
    if isinstance(source, Mapping):
        dialog_id, turns = source.get("dialogId", UNDEFINED), source.get("turns", UNDEFINED)
    else:
        dialog_id, turns = getattr(source, "dialog_id", UNDEFINED), getattr(source, "turns", UNDEFINED)
    checked_id = _text(dialog_id, "dialogId")
    if not isinstance(turns, Sequence) or isinstance(turns, (str, bytes, bytearray)):
        raise RecordError(f"turns of this dialog is {_found(turns)}; a list of turns was expected.")
    read = [canonical_turn(turn, f"turns[{index}]") for index, turn in enumerate(turns)]
    read.sort(key=lambda turn: turn.key)
    for before, after in pairwise(read):
        if before.key == after.key:
            raise duplicate_turn(after)
    return checked_id, read


def _given(turn: TurnSource, where: str) -> Mapping[str, object]:
    if isinstance(turn, DialogTurn):
        return {
            "speaker": turn.speaker,
            "audience": turn.audience,
            "chainDepth": turn.chain_depth,
            "content": turn.content,
            "parentHash": UNDEFINED if turn.parent_hash is None else turn.parent_hash,
            "meta": UNDEFINED if turn.meta is None else turn.meta,
        }
    if isinstance(turn, Mapping):
        return turn
    raise RecordError(f"{where} is {_found(turn)}; a DialogTurn or a mapping with the wire's names was expected.")


def _text(value: object, where: str) -> str:
    if isinstance(value, str):
        return paired(value)
    raise RecordError(f"{where} is {_found(value)}; text was expected.")


def _depth(value: object, where: str) -> float:
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return as_double(value)
    raise RecordError(f"{where} is {_found(value)}; a number was expected.")


def _found(value: object) -> str:
    if value is UNDEFINED:
        return "missing"
    return "null" if value is None else f"of type {type(value).__name__}"
