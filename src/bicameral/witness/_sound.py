"""Whether a dialog's record is sound, told fast.

Answers for: yes only where `verify_record`, checking step by step, finds no problem. Declines to: say what is wrong. No
is "perhaps not": the caller then checks step by step. Only what our recorder writes gets a yes, byte for byte as it
writes it.

Rules, in order (those of `verify`, each by the cheapest means that decides it):
1. A record in text is the canonical text of its members: it has no further member, and none twice.
2. Its wire key is the canonical key of the dialog it spells, which holds texts and whole numbers alone.
3. Id and count are the key's; a derived id is the digest of the genesis turn's content.
4. The first turn alone has no parent and stands at depth 0; every other names the hash of a turn at a lesser depth.
5. Every depth is at most 2^53-1, and every text of a meta is short.

`tests/property/test_witness_sound.py` holds that no record with a problem gets a yes.
"""

from __future__ import annotations

from typing import Final, Literal

from msgspec import UNSET, Struct, UnsetType, convert
from msgspec.json import Decoder, Encoder

from bicameral.canonical.plain import MAX_INTEGER, sha256_digest
from bicameral.canonical.quick import ReadKey, quick_read_key
from bicameral.canonical.record import Record
from bicameral.model.dialogs import META_LENGTH

DERIVED: Final = "sha256:"
"""How an id starts that is derived from the genesis turn."""


class RecordMembers(Struct, kw_only=True, rename="camel", gc=False, forbid_unknown_fields=True, omit_defaults=True):
    """An `agent.dialog.v1` record, its members in canonical order."""

    dialog_id: str
    label: str | UnsetType = UNSET
    solver_type: Literal["agent.dialog.v1"]
    spec_version: Literal[1]
    turn_count: int
    wire_key: str


_decoder = Decoder(RecordMembers)
_encode = Encoder().encode


def is_sound(source: object, record_digest: str | None) -> bool:
    """Whether `verify_record` would find nothing in this. False where that is not known; never raises of its own."""
    try:
        if isinstance(source, (bytes, str)):
            data = source if isinstance(source, bytes) else source.encode("utf-8")
            members = _decoder.decode(data)
            if _encode(members) != data:
                return False
            digest = None if record_digest is None else sha256_digest(data)
        elif isinstance(source, Record):
            members = convert(dict(source), RecordMembers)
            digest = None if record_digest is None else source.digest
        elif type(source) is dict:
            members = convert(source, RecordMembers)
            digest = None if record_digest is None else sha256_digest(_encode(members))
        else:
            return False
        return digest == record_digest and _members_sound(members)
    except (RecursionError, TypeError, ValueError):
        return False


def _members_sound(members: RecordMembers) -> bool:
    read = quick_read_key(members.wire_key.encode("utf-8"))
    return (
        read is not None
        and len(read.turns) > 0
        and members.dialog_id == read.dialog_id
        and members.turn_count == len(read.turns)
        and _parents_sound(read)
        and _id_sound(read)
        and _metas_sound(read)
    )


def _parents_sound(read: ReadKey) -> bool:
    genesis = read.turns[0]
    if genesis.parent_hash is not UNSET or genesis.chain_depth != 0:
        return False
    # Depths rise with the turns, so a parent at a lesser depth has come before, and the last one is the greatest.
    if read.turns[-1].chain_depth > MAX_INTEGER:
        return False
    depth_of: dict[str, int] = {}
    for turn, text in zip(read.turns, read.texts, strict=True):
        parent = turn.parent_hash
        if parent is UNSET:
            if depth_of:
                return False
        elif depth_of.get(parent, MAX_INTEGER) >= turn.chain_depth:
            return False
        depth_of[sha256_digest(text)] = turn.chain_depth
    return True


def _id_sound(read: ReadKey) -> bool:
    if not read.dialog_id.startswith(DERIVED):
        return True
    return read.dialog_id == sha256_digest(read.turns[0].content.encode("utf-8"))


def _metas_sound(read: ReadKey) -> bool:
    return all(
        text is UNSET or len(text) <= META_LENGTH
        for turn in read.turns
        if (meta := turn.meta) is not UNSET
        for text in (meta.model, meta.parts, meta.pictures)
    )
