"""What the tests of verifying share: real dialogues, kept as a store keeps them, and the same as parts of a deposit."""

from __future__ import annotations

import asyncio
import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from bicameral.canonical import read_record, sha256_digest
from bicameral.dialogue import hold_dialogue, outcome_of
from bicameral.model.evidence import Shot
from bicameral.model.judging import DialogueResult, Utterance
from bicameral.model.seats import Seat
from bicameral.model.witnessing import ChainEntry, Envelope, KeptLink, KeptReply, Problem, Redaction, ReplyMark
from bicameral.testing.scripted import ScriptedJudge
from bicameral.witness import about_reply, chain_entry, chain_entry_bytes, read_chain_entry, record_dialog
from bicameral.witness.audit import Blob, End, Header, Link, Part, Summary, audit
from bicameral.witness.bundle import write_bundle
from dialogue_batches import FIRST, SECOND, SHOT_IDS, proposal, question, row, rulings, shot

PICTURES = {shot_id: f"picture of {shot_id}".encode() * 20 for shot_id in SHOT_IDS}
FACTS = b'{"facts":[]}'
INSTRUCTIONS = {"propose": b"Look.", "challenge": b"Look again."}


def shots(*, facts: bool = True) -> tuple[Shot, ...]:
    return tuple(
        replace(shot(i), picture=sha256_digest(PICTURES[i]), facts=sha256_digest(FACTS) if facts else None)
        for i in SHOT_IDS
    )


def dispute() -> DialogueResult:
    """Two findings, one disputed; an addition, amended in the second round."""
    proposer = ScriptedJudge(Seat(FIRST, "m1"), [proposal(row("a"), row("b")), rulings(("amend", "only there"))])
    script = [rulings("agree", ("dispute", "it is even"), additions=[row("c")])]
    return _held(proposer, ScriptedJudge(Seat(SECOND, "m2"), script))


def agreement() -> DialogueResult:
    """One finding, agreed."""
    proposer = ScriptedJudge(Seat(FIRST, "m1"), [proposal(row("d", observed="mehr als möglich 😀"))])
    return _held(proposer, ScriptedJudge(Seat(SECOND, "m2"), [rulings("agree")]))


def alone() -> DialogueResult:
    """One judge, nothing found."""
    return _held(ScriptedJudge(Seat(FIRST, "m1"), [proposal()]), None)


def silence() -> DialogueResult:
    """A challenge that could not be read, twice."""
    proposer = ScriptedJudge(Seat(FIRST, "m1"), [proposal(row("e"))])
    return _held(proposer, ScriptedJudge(Seat(SECOND, "m2"), ["no json", "none either"]))


def _held(proposer: ScriptedJudge, challenger: ScriptedJudge | None) -> DialogueResult:
    asked = question(shots=shots())
    return asyncio.run(hold_dialogue(asked, proposer, challenger, monotonic=lambda: 0.0))


def adjudication(parent: str) -> Sequence[Utterance]:
    """A child dialog: its charge has no shots."""
    charge = {"act": "charge", "kind": "adjudication", "parent": parent, "pairs": []}
    told = {"act": "adjudications", "verdicts": []}
    return (
        Utterance(act="charge", speaker="clerk", audience="adjudicator", content=charge),
        Utterance(act="adjudications", speaker="adjudicator", audience="team", content=told),
    )


@dataclass(frozen=True)
class Deposit:
    """Links and all that they name, as a source would hand them over. Change it with `with_` and see what is said."""

    links: tuple[KeptLink, ...]
    blobs: Mapping[str, bytes]
    redactions: tuple[Redaction, ...] = ()
    envelopes: tuple[Envelope, ...] = ()
    header: Header = field(default_factory=Header)
    end: End | None = None

    @property
    def head(self) -> str | None:
        return sha256_digest(self.links[-1].entry) if self.links else None

    def with_(self, **changes: Any) -> Deposit:
        return replace(self, **changes)

    def with_link(self, number: int, **changes: Any) -> Deposit:
        links = list(self.links)
        links[number] = replace(links[number], **changes)
        return replace(self, links=tuple(links))

    def without(self, digest: str) -> Deposit:
        return replace(self, blobs={name: body for name, body in self.blobs.items() if name != digest})

    def parts(self) -> Iterator[Part]:
        yield self.header
        for kept in self.links:
            yield Link(kept=kept)
        for digest in sorted(self.blobs):
            body = self.blobs[digest]
            yield Blob(digest=digest, size=len(body), chunks=iter([body[:7], body[7:]]))
        yield from self.redactions
        yield from self.envelopes
        yield self.end or End(entries=len(self.links), head=self.head)

    def bundle(self) -> bytes:
        file = io.BytesIO()
        write_bundle(self.parts(), file)
        return file.getvalue()


def deposit(*results: DialogueResult | Sequence[Utterance]) -> Deposit:
    """The chain of these dialogues (a dispute and an agreement if none is given), with everything there."""
    links: list[KeptLink] = []
    for result in results or (dispute(), agreement()):
        links.append(kept_link(links, result))
    bodies = [*PICTURES.values(), FACTS, *INSTRUCTIONS.values()]
    said = b"".join(kept.record or b"" for kept in links)
    blobs = {sha256_digest(body): body for body in bodies}
    return Deposit(
        links=tuple(links), blobs={digest: body for digest, body in blobs.items() if digest.encode() in said}
    )


def kept_link(before: Sequence[KeptLink], result: DialogueResult | Sequence[Utterance]) -> KeptLink:
    """A dialogue, or the turns of another dialog, as the next link after these."""
    outcome = None
    if isinstance(result, DialogueResult):
        outcome = outcome_of(result)
        witnessed = record_dialog(result.turns, raw=result.raw)
    else:
        witnessed = record_dialog(result)
    entry = chain_entry(
        witnessed,
        seq=len(before),
        previous=sha256_digest(before[-1].entry) if before else None,
        outcome=None if outcome is None else sha256_digest(outcome),
    )
    replies = tuple(
        KeptReply(digest=said.raw.digest, about=about_reply(said.raw), text=said.raw.text.encode())
        for said in witnessed.replies
    )
    return KeptLink(entry=chain_entry_bytes(entry), record=witnessed.record_bytes, outcome=outcome, replies=replies)


def rehashed(links: Iterable[KeptLink]) -> tuple[KeptLink, ...]:
    """The chain made anew from its records, outcomes and replies: what somebody does who covers a change up."""
    made: list[KeptLink] = []
    for kept in links:
        old = read_chain_entry(kept.entry)
        record = read_record(kept.record or b"")
        marks = tuple(
            ReplyMark(
                chain_depth=mark.chain_depth,
                digest=sha256_digest(reply.text or b""),
                finish=mark.finish,
                state=mark.state,
                about=sha256_digest(reply.about),
            )
            for mark, reply in zip(old.replies, kept.replies, strict=True)
        )
        entry = ChainEntry(
            seq=len(made),
            previous=sha256_digest(made[-1].entry) if made else None,
            record_digest=record.digest,
            dialog_id=record["dialogId"],
            wire_digest=sha256_digest(record["wireKey"].encode()),
            outcome=None if kept.outcome is None else sha256_digest(kept.outcome),
            replies=marks,
        )
        replies = tuple(replace(reply, digest=mark.digest) for reply, mark in zip(kept.replies, marks, strict=True))
        made.append(replace(kept, entry=chain_entry_bytes(entry), replies=replies))
    return tuple(made)


def redaction(digest: str, kind: Any = "evidence") -> Redaction:
    return Redaction(
        digest=digest, kind=kind, redacted_at="2026-11-30T12:00:00Z", redacted_by="Ada", reason="a customer's name"
    )


def head_envelope(subject: str, **changes: Any) -> Envelope:
    given: dict[str, Any] = {
        "kind": "head",
        "subject": subject,
        "key_id": sha256_digest(b"key"),
        "signed_at": "2026-11-30T12:00:00Z",
        "body": b'{"payload":"e30=","payloadType":"application/vnd.in-toto+json","signatures":[]}',
        "run_id": "r1",
    }
    return Envelope(**(given | changes))


def verified(parts: Iterable[Part], **options: Any) -> tuple[list[Problem], Summary]:
    """Every problem and the summary."""
    running = audit(parts, **options)
    problems = list(running)
    return problems, running.summary


def problems_of(source: Deposit, **options: Any) -> list[Problem]:
    return verified(source.parts(), **options)[0]


def places(problems: Iterable[Problem]) -> list[tuple[str, str]]:
    return [(problem.where, problem.kind) for problem in problems]
