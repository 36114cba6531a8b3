"""A recorder that takes turns as they are said and always knows the digest of what it holds.

Answers for: a dialog that verifies. Every turn it takes has a parent that was said, one genesis, no two turns in one
place, and nothing in it that another machine would write differently. A refused turn leaves the recorder as it was.
Declines to: look into a content. It is a text, and its text is what is hashed and verified; that the JSON of our own
acts holds no float either is `record_dialog`'s to see to.

Rules for a turn, in order:
1. Only the format's members; a depth of 0 to 2^53-1; handles that are not empty; no lone surrogate anywhere.
2. meta: only META_KEYS, and in them no float and no integer beyond 2^53-1 (a score is a decimal text).
3. Not in the place (depth, speaker, audience) of another turn.
4. The first turn is the genesis: depth 0 and no parent. Every other names a parent that was said, at a lesser depth.

Cost: a turn that comes in canonical order costs what its own text costs. One that belongs earlier also costs the
turns after it, and at most CHECKPOINT_EVERY before it.
"""

from __future__ import annotations

import hashlib
from bisect import bisect_left
from collections.abc import Mapping
from typing import Final, TypedDict, Unpack

from bicameral.canonical.dialogs import CanonicalTurn, TurnKey, TurnSource, canonical_turn, duplicate_turn, key_prefix
from bicameral.canonical.ecmascript import UNDEFINED, Json, json_text
from bicameral.canonical.plain import MAX_INTEGER, encodable, record_json, sha256_digest
from bicameral.canonical.shown import shown
from bicameral.errors import RecordError, UnknownParentError, UnrecordableError
from bicameral.model.dialogs import AGENT_DIALOG_V1, META_KEYS, META_LENGTH, SPEC_VERSION, DialogTurn

CHECKPOINT_EVERY: Final = 32
"""Turns between two kept states of the running hash."""

_MEMBERS: Final[frozenset[str]] = frozenset({"speaker", "audience", "chainDepth", "content", "parentHash", "meta"})


class TurnMembers(TypedDict, total=False):
    """A turn's members by keyword, as `DialogTurn` has them."""

    speaker: str
    audience: str
    chain_depth: int
    content: str
    parent_hash: str | None
    meta: Mapping[str, object] | None


class DialogRecorder:
    """Takes the turns of one dialog. Not for several threads at once."""

    def __init__(self, dialog_id: str) -> None:
        """Raises UnrecordableError for an id that is no text or holds a lone surrogate."""
        _check_text(dialog_id, "A dialog's id")
        self._dialog_id = _exact(dialog_id)
        self._prefix = key_prefix(dialog_id).encode("utf-8")
        self._keys: list[TurnKey] = []
        self._texts: list[bytes] = []
        self._turns: list[DialogTurn] = []
        self._depth_of: dict[str, int] = {}
        self._running = hashlib.sha256(self._prefix)
        self._checkpoints = [self._running.copy()]  # checkpoint i: after i * CHECKPOINT_EVERY turns

    @property
    def dialog_id(self) -> str:
        return self._dialog_id

    @property
    def turns(self) -> tuple[DialogTurn, ...]:
        """The turns so far, in canonical order."""
        return tuple(self._turns)

    def __len__(self) -> int:
        return len(self._turns)

    def append(self, turn: TurnSource | None = None, /, **members: Unpack[TurnMembers]) -> str:
        """Take a turn, as a DialogTurn, as a mapping with the wire's names, or by its members; give its hash.

        The hash is what a turn that answers this one names as its parent. Raises UnrecordableError, DuplicateTurnError,
        UnknownParentError or RecordError by the module's rules, and RecordError for members that make no turn.
        """
        where = f"turn {len(self._turns)}"
        said = _said(turn, members, where)
        _check_members(said, where)
        canonical = canonical_turn(said, where)
        _check_texts(canonical, where)
        position = bisect_left(self._keys, canonical.key)
        if position < len(self._keys) and self._keys[position] == canonical.key:
            raise duplicate_turn(canonical)
        self._check_parent(canonical.members, where)
        return self._take(position, canonical)

    def wire_key(self) -> str:
        """The dialog's wire key. Costs the whole dialog; the digest does not."""
        return (self._prefix + b",".join(self._texts) + b"]}").decode("utf-8")

    @property
    def wire_digest(self) -> str:
        """The digest of the wire key, at a cost that does not grow with the dialog."""
        state = self._running.copy()
        state.update(b"]}")
        return f"sha256:{state.hexdigest()}"

    def record(self, label: str | None = None) -> dict[str, Json]:
        """The `agent.dialog.v1` record of what was said so far."""
        if label is not None:
            _check_text(label, "A record's label")
        record: dict[str, Json] = {
            "solverType": AGENT_DIALOG_V1,
            "specVersion": SPEC_VERSION,
            "dialogId": self._dialog_id,
            "wireKey": self.wire_key(),
            "turnCount": len(self._turns),
        }
        return record if label is None else {**record, "label": label}

    def _check_parent(self, members: Mapping[str, Json], where: str) -> None:
        parent, depth = members.get("parentHash"), members["chainDepth"]
        if "parentHash" not in members:
            if self._turns:
                raise RecordError(
                    f"{where} names no parent, but this dialog has its genesis turn already.",
                    mend="Name the hash that append gave for the turn it answers.",
                )
            if depth != 0:
                raise RecordError(f"{where} is the genesis at chainDepth {depth}; a dialog starts at 0.")
            return
        parent_depth = self._depth_of.get(parent) if isinstance(parent, str) else None
        if parent_depth is None:
            named = shown(parent) if isinstance(parent, str) else json_text(parent)[:80]
            raise UnknownParentError(f"{where} names a parent that was not said here: {named}.")
        if isinstance(depth, int) and depth <= parent_depth:
            raise RecordError(f"{where} is at chainDepth {depth} and its parent at {parent_depth}; depth grows.")

    def _take(self, position: int, turn: CanonicalTurn) -> str:
        text = turn.text.encode("utf-8")
        turn_hash = sha256_digest(text)
        late = position < len(self._keys)
        self._keys.insert(position, turn.key)
        self._texts.insert(position, text)
        self._turns.insert(position, _as_turn(turn.members))
        self._depth_of[turn_hash] = int(turn.key[1])
        if late:
            del self._checkpoints[position // CHECKPOINT_EVERY + 1 :]
            self._running = self._checkpoints[-1].copy()
            position = (len(self._checkpoints) - 1) * CHECKPOINT_EVERY
        for index in range(position, len(self._texts)):
            self._running.update(b"," + self._texts[index] if index else self._texts[index])
            if (index + 1) % CHECKPOINT_EVERY == 0:
                self._checkpoints.append(self._running.copy())
        return turn_hash


def _said(turn: TurnSource | None, members: TurnMembers, where: str) -> TurnSource:
    if turn is None:
        try:
            return DialogTurn(**members)
        except TypeError as exc:  # a member that is missing, or that no turn has
            raise RecordError(f"{where} cannot be made of {', '.join(members) or 'nothing'}: {exc}.") from exc
    if members:
        raise RecordError(
            f"{where} was handed over both whole and by its members ({', '.join(members)}).",
            mend="Give the turn, or its members by keyword.",
        )
    return turn


def _check_text(value: object, what: str) -> None:
    if not isinstance(value, str) or not encodable(value):
        raise UnrecordableError(f"{what} is text without lone surrogates.")


def _check_members(turn: TurnSource, where: str) -> None:
    """Rules 1 and 2 for what the canonical form leaves out or rounds."""
    if isinstance(turn, Mapping):
        for name in turn:
            if name not in _MEMBERS:
                raise UnrecordableError(
                    f"{where} has the member {shown(str(name))!r}, which the format does not know.",
                    mend="Times, instances and costs belong to the envelope or the log.",
                )
        depth, meta = turn.get("chainDepth"), turn.get("meta", UNDEFINED)
    else:
        depth, meta = getattr(turn, "chain_depth", None), getattr(turn, "meta", None)
        meta = UNDEFINED if meta is None else meta
    if isinstance(depth, bool) or not isinstance(depth, int) or not 0 <= depth <= MAX_INTEGER:
        raise UnrecordableError(f"{where}.chainDepth is no whole number from 0 to 2^53-1.")
    if meta is not UNDEFINED:
        _check_meta(meta, f"{where}.meta")


def _check_meta(meta: object, where: str) -> None:
    if not isinstance(meta, Mapping):
        raise UnrecordableError(f"{where} is no mapping.")
    for name in meta:
        if name not in META_KEYS:
            raise UnrecordableError(
                f"{where} has the key {shown(str(name))!r}; only {', '.join(sorted(META_KEYS))} are recorded.",
                mend="Times, hosts, instances and costs belong to the envelope or the log.",
            )
        if not isinstance(meta[name], str) or len(meta[name]) > META_LENGTH:
            raise UnrecordableError(f"{where}.{name} is no text of at most {META_LENGTH} characters.")
    record_json(meta, where)


def _check_texts(turn: CanonicalTurn, where: str) -> None:
    for name in ("speaker", "audience", "content"):
        if not encodable(str(turn.members[name])):
            raise UnrecordableError(f"{where}.{name} holds a lone surrogate, which UTF-8 cannot say.")
    for name in ("speaker", "audience"):
        if not turn.members[name]:
            raise UnrecordableError(f"{where}.{name} is empty; a durable handle was expected.")


def _as_turn(members: Mapping[str, Json]) -> DialogTurn:
    parent, meta = members.get("parentHash"), members.get("meta")
    return DialogTurn(
        speaker=_exact(members["speaker"]),
        audience=_exact(members["audience"]),
        chain_depth=members["chainDepth"] if isinstance(members["chainDepth"], int) else 0,
        content=_exact(members["content"]),
        parent_hash=None if parent is None else _exact(parent),
        meta={_exact(name): _exact(value) for name, value in meta.items()} if isinstance(meta, dict) else None,
    )


def _exact(text: object) -> str:
    """A checked text as a plain str: of an enumeration's member, what it holds, which is what was hashed."""
    assert isinstance(text, str)
    return str.__str__(text)
