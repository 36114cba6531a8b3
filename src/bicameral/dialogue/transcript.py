"""What was said, turn by turn, as plain values that `runtime` has witnessed.

Answers for: the four acts of a dialogue, with everything that a record holds and nothing that it may not (no float,
clock, host or reason in our own words). Declines to hash or store.

| depth | speaker to audience | act |
| 0 | clerk to proposer | charge |
| 1 | proposer to challenger, or to team where nothing is put to one | findings |
| 2 | challenger to proposer, or clerk to team | rulings, or no-challenge |
| 3 | proposer to challenger, or clerk to team | rulings on the additions, or no-second-round |

A dialogue ends at depth 1 where nothing was put to a challenger (there is none, or nothing was found and it is not
asked what was missed; the charge says which), and at depth 2 where nothing was added.
"""

from __future__ import annotations

from collections.abc import Iterable

from bicameral.canonical import sha256_digest
from bicameral.dialogue.content import finding_content, rejected_content, ruling_content
from bicameral.dialogue.phases import Proposed, Ruled, Speaker
from bicameral.dialogue.question import Question
from bicameral.model.dialogs import META_KEYS
from bicameral.model.evidence import Shot
from bicameral.model.judging import Utterance
from bicameral.model.seats import Roster, Seat
from bicameral.model.vocabulary import CLERK, CONTRACT_VERSION, TEAM, Reason


def charge(question: Question, roster: Roster, *, challenge_clean: bool) -> Utterance:
    """The charge: what was asked, about which evidence, and of whom. Its content's digest is the dialog's id."""
    first = question.shots[0]
    content: dict[str, object] = {
        "act": "charge",
        "contract": CONTRACT_VERSION,
        "project": question.project,
        "target": first.target,
        "platform": first.platform,
        "route": first.route,
        "state": first.state,
        "shots": [shot_content(shot, first) for shot in question.shots],
        "skills": _skills(question, roster),
        "vocabulary": list(question.categories),
        "roster": [_seat(seat) for seat in (roster.proposer, roster.challenger) if seat is not None],
        "challenge_clean": challenge_clean,
    }
    return Utterance(act="charge", speaker=CLERK, audience=roster.proposer.handle, content=content)


def shot_content(shot: Shot, first: Shot) -> dict[str, object]:
    """A shot by its digests. What it does not share with the batch's first shot is said too."""
    content: dict[str, object] = {
        "shot_id": shot.shot_id,
        "form_factor": shot.form_factor,
        "scheme": shot.scheme,
        "picture": shot.picture,
        "facts": shot.facts,
        "companion": shot.companion,
        "size": [shot.width_px, shot.height_px],
        "scale": decimal(shot.scale),
    }
    for name in ("target", "platform", "route", "state"):
        if getattr(shot, name) != getattr(first, name):
            content[name] = getattr(shot, name)
    return content


def decimal(number: float) -> str:
    """A number as decimal text, the shortest that reads back equal: a record holds no float."""
    return repr(float(number)).removesuffix(".0")


def _skills(question: Question, roster: Roster) -> list[object]:
    skills: list[object] = [{"task": "propose", "digest": _digest(question.instructions)}]
    if roster.challenger is not None:
        skills.append({"task": "challenge", "digest": _digest(question.challenge_instructions or "")})
    return skills


def _digest(text: str) -> str:
    return sha256_digest(text.encode("utf-8"))


def _seat(seat: Seat) -> dict[str, object]:
    return {"ai": seat.ai, "model": seat.model, "handle": seat.handle}


def findings_turn(proposed: Proposed, audience: str | None) -> Utterance:
    """What the proposer filed, as ingested. audience: the challenger's handle, None where nothing is put to one."""
    reply = proposed.reply
    content: dict[str, object] = {
        "act": "findings",
        "findings": [finding_content(finding) for finding in reply.findings],
        "clean_shot_ids": list(reply.clean_shot_ids),
        "unaccounted": list(reply.unaccounted),
        "rejected": rejected_content((*reply.rejected, *reply.dropped)),
    }
    speaker = proposed.speaker
    return Utterance(
        act="findings",
        speaker=speaker.handle,
        audience=audience or TEAM,
        content=content,
        meta=_meta(speaker),
        raw=speaker.raw,
    )


def rulings_turn(ruled: Ruled, audience: str) -> Utterance:
    """What a judge said of the other's findings, and what it added."""
    reply = ruled.reply
    content: dict[str, object] = {
        "act": "rulings",
        "rulings": [ruling_content(ruling) for ruling in reply.verdicts],
        "additions": [finding_content(finding) for finding in reply.additions],
        "rejected": rejected_content((*reply.rejected, *reply.dropped)),
    }
    speaker = ruled.speaker
    return Utterance(
        act="rulings",
        speaker=speaker.handle,
        audience=audience,
        content=content,
        meta=_meta(speaker),
        raw=speaker.raw,
    )


def no_challenge(reason: Reason) -> Utterance:
    """The clerk's note that there was no challenge."""
    return Utterance(
        act="no-challenge", speaker=CLERK, audience=TEAM, content={"act": "no-challenge", "reason": reason}
    )


def no_second_round(reason: Reason) -> Utterance:
    """The clerk's note that nobody ruled on the additions."""
    return Utterance(
        act="no-second-round", speaker=CLERK, audience=TEAM, content={"act": "no-second-round", "reason": reason}
    )


def _meta(speaker: Speaker) -> dict[str, str]:
    """The model, its parts, and how pictures were transformed for it: what a record's meta may hold."""
    known = {name: text for name, text in speaker.meta.items() if name in META_KEYS}
    return {**known, **_parts(speaker.parts), "model": speaker.model}


def _parts(parts: Iterable[str]) -> dict[str, str]:
    joined = "+".join(parts)
    return {"parts": joined} if joined else {}
