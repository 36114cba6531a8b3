"""What the witness commands answer with: the documents of `--json`, and the same in sentences for people.

Answers for: whatever a record, a page or a judge wrote is made safe before it is on a line. Declines to decide.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final

from bicameral.report.untrusted import safe_line, shorten

if TYPE_CHECKING:
    from bicameral.model.witnessing import Problem, Redaction
    from bicameral.runtime.witnessing.locating import Located
    from bicameral.runtime.witnessing.replaying import Replay
    from bicameral.runtime.witnessing.rereading import Reread
    from bicameral.runtime.witnessing.verifying import Verified
    from bicameral.witness import Difference

PROBLEMS_SHOWN: Final = 20
"""Of one path, to a person; `--json` has all of them."""

_WORDS: Final = {0: "sound", 1: "broken", 2: "could not be verified", 3: "sound, but not signed by the key you gave"}
_KINDS: Final = {"store": "store", "bundle": "bundle", "trace": "cael.v1 trace", "document": "record"}


def verified_document(found: Sequence[Verified], status: int) -> dict[str, Any]:
    """Of several paths: sums, and each path's own document under `paths`."""
    return {
        "ok": status == 0,
        "status": status,
        "entries": sum(one.entries for one in found),
        "signed": bool(found) and all(one.signed for one in found),
        "problems": [{"path": one.path, **_problem(problem)} for one in found for problem in one.problems],
        "redacted": sum(one.redacted for one in found),
        "unverifiable": sum(one.unverifiable for one in found),
        "paths": [_path_document(one) for one in found],
    }


def _path_document(one: Verified) -> dict[str, Any]:
    told: dict[str, Any] = {
        "path": one.path,
        "kind": None if one.kind is None else _KINDS[one.kind],
        "ok": one.status == 0,
        "status": one.status,
        "entries": one.entries,
        "signed": one.signed,
        "error": one.error,
    }
    if one.summary is not None:
        seen = one.summary
        told["head"] = seen.head
        told["counts"] = {
            name: getattr(seen, name)
            for name in ("records", "turns", "replies", "blobs", "envelopes", "broken", "missing", "unverifiable")
        }
        told["redactions"] = [vars(redaction) for redaction in seen.redactions]
    if one.signature is not None:
        sign = one.signature
        told["signature"] = {
            "state": sign.word,
            "key_id": sign.key_id,
            "signed_at": sign.signed_at,
            "signed_seq": sign.signed_seq,
            "unsigned_entries": sign.unsigned,
        }
    return told


def _problem(problem: Problem) -> dict[str, str]:
    return {"where": problem.where, "what": problem.what, "kind": problem.kind}


def verified_lines(one: Verified) -> Iterator[str]:
    """One path, in sentences."""
    yield f"{safe_line(one.path)}: {_WORDS[one.status]}"
    if one.error is not None:
        yield f"  {shorten(one.error, 600)}"
    yield from _problem_lines(one.problems)
    if one.error is not None and not one.entries:
        return
    yield from _looked_at(one)
    yield from _redaction_lines(one.redactions)
    yield from _signature_lines(one)


def _problem_lines(problems: Sequence[Problem]) -> Iterator[str]:
    for problem in problems[:PROBLEMS_SHOWN]:
        kind = "" if problem.kind == "broken" else f" ({problem.kind})"
        yield f"  {safe_line(problem.where)}{kind}: {shorten(problem.what, 400)}"
    if len(problems) > PROBLEMS_SHOWN:
        yield f"  and {len(problems) - PROBLEMS_SHOWN:,} more; --json has them."


def _looked_at(one: Verified) -> Iterator[str]:
    seen = one.summary
    if seen is None:
        what = "1 record" if one.kind == "document" else _count(one.entries, "entry", "entries")
        yield f"  Looked at {what}: every hash, parent and id was derived again."
        return
    elsewhere = f" (of {seen.elsewhere:,} more, of other runs, the entry alone)" if seen.elsewhere else ""
    yield (
        f"  Looked at {_count(seen.records, 'record')}{elsewhere} with {_count(seen.turns, 'turn')}, "
        f"{_count(seen.replies, 'raw reply', 'raw replies')} and {seen.blobs:,} pictures, facts and instructions: "
        "every hash, parent and digest was derived again."
    )
    if seen.no_instructions:
        yield f"  {_count(seen.no_instructions, 'text')} of instructions: an older version did not keep them."
    if seen.head is not None:
        yield f"  Newest entry: {seen.head}"


def _redaction_lines(redactions: Sequence[Redaction]) -> Iterator[str]:
    if redactions:
        yield f"  Redacted, so not looked at ({len(redactions):,}):"
    for one in redactions[:PROBLEMS_SHOWN]:
        what = "a raw reply" if one.kind == "reply" else "evidence"
        yield (
            f"    {safe_line(one.digest)}, {what}, by {shorten(one.redacted_by, 80)} at {safe_line(one.redacted_at)}: "
            f"{shorten(one.reason, 200)}"
        )


def _signature_lines(one: Verified) -> Iterator[str]:
    if one.signature is not None:
        yield f"  {shorten(one.signature.told, 400)}"
        if one.signature.word == "unsigned" and not one.asked:
            yield "  So it is consistent in itself; who made it, and whether it was made anew, a signature would tell."
    elif one.asked:
        yield "  There is no signature on a record or a trace alone; a bundle or a store carries one."


def replayed_document(found: Reread) -> dict[str, Any]:
    one = found.verified
    return {
        "ok": found.status == 0,
        "status": found.status,
        "replayed": found.replayed,
        "not_replayable": [
            {"record": each.record, "view": each.view, "why": each.why} for each in found.not_replayable
        ],
        "differences": [
            {"record": each.record, "view": each.view, **(difference_document(each.difference) or {})}
            for each in found.different
        ],
        "nothing_to_replay": found.nothing,
        "error": one.error,
        "problems": [_problem(problem) for problem in one.problems],
    }


def replayed_lines(found: Reread) -> Iterator[str]:
    """What came of replaying, in sentences."""
    one = found.verified
    if one.error is not None:
        yield f"{safe_line(one.path)}: could not be read"
        yield f"  {shorten(one.error, 600)}"
        return
    if one.problems:
        yield f"{safe_line(one.path)}: {_WORDS[one.status]}"
        yield from _problem_lines(one.problems)
    same = "came out as it was" if found.replayed == 1 else "came out as they were"
    yield (
        f"{_count(found.replayed, 'dialogue')} held again from the raw replies {same} recorded: "
        "every turn, every finding and its consensus."
        if found.replayed
        else "No dialogue came out as it was recorded."
        if found.different
        else "No dialogue was held again."
    )
    for each in found.different:
        yield f"  different: {_named(each)}"
        yield f"    {shorten(str(each.difference), 400)}"
    for each in found.not_replayable:
        sound = "not replayable" if one.problems else "sound, not replayable"
        yield f"  {sound}: {_named(each)}"
        yield f"    {shorten(each.why or '', 400)}"
    if found.nothing:
        yield f"  {_count(found.nothing, 'record')} that no replies led to had nothing to replay."


def _named(one: Replay) -> str:
    return " ".join(part for part in (shorten(one.view, 120) if one.view else "", safe_line(one.record)) if part)


def difference_document(difference: Difference | None) -> dict[str, Any] | None:
    if difference is None:
        return None
    return {"where": difference.where, "turn": difference.turn, "a": difference.a, "b": difference.b}


def reply_lines(found: Located) -> Iterator[str]:
    """The raw replies that stand beside a record, and what of its evidence was redacted."""
    from bicameral.canonical import parse_json
    from bicameral.errors import RecordError

    redactions = found.redactions or {}
    if found.replies:
        yield ""
        yield "Raw replies, in the order in which they came:"
    for number, reply in enumerate(found.replies or ()):
        try:
            about = parse_json(reply.about)
        except RecordError:
            about = {}
        told = about if isinstance(about, dict) else {}
        said = ", ".join(safe_line(str(told.get(name, "?"))) for name in ("handle", "task", "state"))
        if reply.text is not None:
            size = f"{len(reply.text):,} bytes"
        else:
            size = "redacted" if reply.digest in redactions else "missing"
        yield f"  {number}. {said}: {safe_line(reply.digest)} ({size})"


def evidence_lines(digests: Sequence[str], found: Located) -> Iterator[str]:
    gone = [digest for digest in digests if digest in (found.redactions or {})]
    if gone:
        yield ""
        yield "Redacted evidence:"
    for digest in gone:
        one = (found.redactions or {})[digest]
        who = f"{shorten(one.redacted_by, 80)} at {safe_line(one.redacted_at)}"
        yield f"  {digest} by {who}: {shorten(one.reason, 200)}"


def _count(number: int, one: str, many: str | None = None) -> str:
    return f"{number:,} {one if number == 1 else many or one + 's'}"
