"""Everything a record says, derived again from what it holds.

Answers for: each hash, parent, depth, count and id. Declines to: say who made the record (that is a signature's) and
whether pictures and raw replies are the ones it names (they stand beside it).

Checks, in order:
1. specVersion is 1.
2. The wire key is canonical: writing what it spells gives it back, byte for byte. Turns in another order by handle are
   what another machine's locale makes of them, so that is unverifiable, not broken.
3. dialogId and turnCount are the key's.
4. One genesis, at depth 0 and without a parent; every other turn names the hash of a turn at a lesser depth.
5. A `sha256:` id is the digest of the genesis turn's content.
6. No floats, no integers beyond 2^53-1, no lone surrogates.
7. In a record with a derived id, meta has the recorder's keys and short texts alone, and there is no further member: a
   clock or a host would stand there unkeyed.

A content is text, and its text alone is checked, as the recorder takes it: the numbers in a JSON that it spells are
those of the act, which `record_dialog` keeps free of floats. A record that our recorder wrote and that is sound is told
by `_sound`, which does the same checks at once; any other is checked step by step here.

A record whose id is no `sha256:` digest was made elsewhere: parents that are no hashes of ours are unverifiable there.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Any

from bicameral.canonical.dialogs import CanonicalTurn, canonical_turn, duplicate_turn, key_text
from bicameral.canonical.plain import MAX_INTEGER, encodable, sha256_digest
from bicameral.canonical.records import DialogRecord, Record, read_record
from bicameral.canonical.shown import shown
from bicameral.errors import RecordError
from bicameral.model.dialogs import META_KEYS, META_LENGTH, RECORD_MEMBERS, SPEC_VERSION
from bicameral.model.witnessing import Problem, ProblemKind
from bicameral.witness._family import family_problems
from bicameral.witness._sound import DERIVED, is_sound
from bicameral.witness.compare import common_length


def verify_record(source: bytes | str | Mapping[str, Any], *, record_digest: str | None = None) -> list[Problem]:
    """What is wrong with a record; nothing is an empty list.

    record_digest: the digest that its bytes must have, as a chain names it. Without one a change in a turn that no
    other turn answers cannot be told: nothing in a record names its last turn.
    Raises RecordError for what is no record at all. A record of a type that is not known here has one problem, of the
    kind `unverifiable`.
    """
    if is_sound(source, record_digest):
        return []
    record: Record = read_record(source)
    problems = []
    if record_digest is not None and record.digest != record_digest:
        problems.append(Problem(where="record", what=f"Its digest is {record.digest}, not {shown(record_digest)}."))
    if not isinstance(record, DialogRecord):
        family = family_problems(record)
        if family is not None:
            return [*problems, *family]
        what = f"Nobody here knows how to verify a record of type {shown(record.solver_type)}."
        return [*problems, Problem(where="solverType", what=what, kind="unverifiable")]
    return [*problems, *_dialog_problems(record)]


def _dialog_problems(record: DialogRecord) -> Iterator[Problem]:
    return iter(()) if is_sound(record, None) else step_by_step(record)


def step_by_step(record: DialogRecord) -> Iterator[Problem]:
    """Every check of this module on a dialog's record, in order."""
    if record["specVersion"] != SPEC_VERSION:
        yield Problem(
            where="specVersion",
            what=f"It is {_number(record['specVersion'])}, not {SPEC_VERSION}.",
            kind="unverifiable",
        )
        return
    try:
        dialog = record.wire_dialog()
        turns = [canonical_turn(turn) for turn in dialog["turns"]]
    except RecordError as exc:
        yield Problem(where="wireKey", what=str(exc))
        return
    yield from _key_problems(record, dialog, turns)
    if dialog["dialogId"] != record.dialog_id:
        yield Problem(where="dialogId", what="It is not the one in the wireKey.")
    if record["turnCount"] != len(turns):
        yield Problem(
            where="turnCount", what=f"It is {_number(record['turnCount'])}; the wireKey has {len(turns)} turns."
        )
    yield from _parent_problems(turns, own=record.dialog_id.startswith(DERIVED))
    yield from _id_problems(record.dialog_id, turns)
    if record.dialog_id.startswith(DERIVED):
        yield from _closed_problems(record, dialog)
    for index, turn in enumerate(dialog["turns"]):
        yield from _value_problems(turn, f"turns[{index}]")


def _key_problems(record: DialogRecord, dialog: Mapping[str, Any], turns: list[CanonicalTurn]) -> Iterator[Problem]:
    ordered = sorted(turns, key=lambda turn: turn.key)
    for before, after in pairwise(ordered):
        if before.key == after.key:
            yield Problem(where="wireKey", what=str(duplicate_turn(after)))
            return
    key = key_text(dialog["dialogId"], [turn.text for turn in ordered])
    if key == record.wire_key:
        return
    as_it_stands = key_text(dialog["dialogId"], [turn.text for turn in turns])
    depths = [turn.key[:2] for turn in turns]
    if as_it_stands == record.wire_key and depths == sorted(depths):
        what = "Its turns are in the order of another locale, so the key cannot be derived here."
        yield Problem(where="wireKey", what=what, kind="unverifiable")
    else:
        at = common_length(key, record.wire_key)
        what = f"It is not the canonical text of the dialog it spells (from character {at} on)."
        yield Problem(where="wireKey", what=what)


def _parent_problems(turns: list[CanonicalTurn], *, own: bool) -> Iterator[Problem]:
    kind: ProblemKind = "broken" if own else "unverifiable"
    depth_of = {sha256_digest(turn.text.encode("utf-8")): turn.key[:2] for turn in turns}
    roots = [index for index, turn in enumerate(turns) if "parentHash" not in turn.members]
    if len(roots) != 1:
        yield Problem(
            where="turns", what=f"{len(roots)} turns have no parent; one, the genesis, was expected.", kind=kind
        )
    for index, turn in enumerate(turns):
        depth = turn.members["chainDepth"]
        if not isinstance(depth, int) or depth < 0:
            yield Problem(where=f"turns[{index}].chainDepth", what="It is no whole number from 0 up.", kind=kind)
        if "parentHash" not in turn.members:
            if depth != 0:
                yield Problem(where=f"turns[{index}].chainDepth", what="The genesis is not at depth 0.", kind=kind)
            continue
        parent = turn.members["parentHash"]
        parent_depth = depth_of.get(parent) if isinstance(parent, str) else None
        where = f"turns[{index}].parentHash"
        if parent_depth is None:
            yield Problem(where=where, what="It is the hash of no turn in this dialog.", kind=kind)
        elif not parent_depth < turn.key[:2]:
            yield Problem(where=where, what="The parent is not at a lesser depth.", kind=kind)


def _id_problems(dialog_id: str, turns: list[CanonicalTurn]) -> Iterator[Problem]:
    if not dialog_id.startswith(DERIVED):
        return
    derived = {
        sha256_digest(str(turn.members["content"]).encode("utf-8", "surrogatepass"))
        for turn in turns
        if "parentHash" not in turn.members
    }
    if dialog_id not in derived:
        yield Problem(where="dialogId", what="It is not the digest of the genesis turn's content.")


def _closed_problems(record: DialogRecord, dialog: Mapping[str, Any]) -> Iterator[Problem]:
    """What a record of our own must not hold besides its dialog."""
    for name in sorted(set(map(str, record)) - RECORD_MEMBERS):
        yield Problem(
            where=shown(name), what="It is no member of this record's version, and its key does not cover it."
        )
    for index, turn in enumerate(dialog["turns"]):
        meta = turn.get("meta")
        if meta is not None and not _is_own_meta(meta):
            known = ", ".join(sorted(META_KEYS))
            yield Problem(where=f"turns[{index}].meta", what=f"Only {known} are recorded, each as a short text.")


def _is_own_meta(meta: object) -> bool:
    if not isinstance(meta, Mapping) or not set(meta) <= META_KEYS:
        return False
    return all(isinstance(value, str) and len(value) <= META_LENGTH for value in meta.values())


def _number(value: object) -> str:
    """A whole number for a message; one of thousands of digits is not written out."""
    return str(value) if isinstance(value, int) and abs(value) <= MAX_INTEGER else "a number beyond 2^53-1"


def _value_problems(turn: Mapping[str, Any], where: str) -> Iterator[Problem]:
    """Values that our recorder refuses, each place once. Explicit stack: a foreign value may be deep."""
    pending: list[tuple[object, str]] = [(turn, where)]
    while pending:
        value, place = pending.pop()
        fault = None
        if isinstance(value, dict):
            pending += [(member, f"{place}.{name}") for name, member in value.items()]
            fault = None if all(map(encodable, value)) else "It has a member name with a lone surrogate."
        elif isinstance(value, list):
            pending += [(element, f"{place}[{index}]") for index, element in enumerate(value)]
        elif isinstance(value, str):
            fault = None if encodable(value) else "It holds a lone surrogate."
        elif isinstance(value, float):
            fault = "It is a float."
        elif isinstance(value, int) and not -MAX_INTEGER <= value <= MAX_INTEGER:
            fault = "It is a whole number beyond 2^53-1."
        if fault is not None:
            yield Problem(
                where=shown(place), what=f"{fault} Another reader may read another value.", kind="unverifiable"
            )
