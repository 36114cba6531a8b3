"""Seats instruments as a judge: one request in, one JSON reply in the reply contract out.

Answers for loading the facts, for one finding an element over all the shots that show it, and for a word on every
number. Declines to measure: the instruments do.

Rules, in order:
1. A seat without a model gets VERSION; a seat that asks for another version is refused.
2. A shot that one of the parts cannot judge, or on which it could not measure what it should have (`unmeasured`), is
   not called clean: without a finding it is unaccounted for. What was not measured is told in the reply's meta, under
   UNMEASURED, in every task.
3. One category, attribute and region is one finding. It is described on the shot where it is worst, the first of
   these; the other shots go into `also_shot_ids`. On each shot the worst element stands for its equals.
4. On a challenge every number is ruled. Over a finding's shots: agree where all that could be measured agree; amend
   where some agree and some do not, saying where; dispute where none agrees and at least one disputes; otherwise
   cannot-tell. Parts that contradict each other on a shot make that shot cannot-tell.
5. A challenge also adds what the proposer left out; `rule` adds nothing.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from bicameral.errors import EvidenceError, RosterError
from bicameral.judges.instruments.instrument import CANNOT_TELL, VERSION, Answer, Instrument, Look, Measured
from bicameral.model.evidence import Shot
from bicameral.model.facts import Facts, parse_facts
from bicameral.model.findings import Finding
from bicameral.model.judging import JudgeReply, JudgeRequest
from bicameral.model.seats import Seat
from bicameral.model.vocabulary import SEVERITIES
from bicameral.ports import EvidenceReader

FACTS_KEPT: Final = 24
"""Facts documents kept parsed between the asks of a batch: six shots a view, four views at a time."""

UNMEASURED: Final = "pictures"
"""Member of a reply's meta: `contrast not measured on 2 of 6 shots`. One of the names that a record keeps."""

Row = dict[str, Any]
_Key = tuple[str, str, str]
_Sighting = tuple[Look, Measured]


class InstrumentJudge:
    """A `ports.Judge` of one or more instruments, in the order of their names."""

    costs_nothing = True

    def __init__(self, seat: Seat, instruments: Sequence[Instrument]) -> None:
        """Raises RosterError for a version that is not this one's, and for a part that is named twice."""
        self._instruments = tuple(sorted(instruments, key=lambda instrument: instrument.name))
        names = [instrument.name for instrument in self._instruments]
        name = "+".join(names)
        if len(set(names)) != len(names):
            raise RosterError(f"The seat {seat} names a part twice.", mend="Name each instrument once.")
        if seat.model not in ("", VERSION):
            raise RosterError(
                f"The seat {seat} asks for version {seat.model} of {name}; here is version {VERSION}.",
                mend=f"Write {name}:{VERSION}, or {name} alone.",
            )
        self._seat = Seat(name, VERSION)
        self._facts: dict[str, Facts] = {}

    @property
    def seat(self) -> Seat:
        return self._seat

    @property
    def identity(self) -> Mapping[str, str]:
        rules = {f"rules-{instrument.name}": instrument.rules for instrument in self._instruments}
        return {"adapter": f"instrument/{VERSION}", **rules}

    async def ask(self, request: JudgeRequest) -> JudgeReply:
        """Raises EvidenceError where facts are missing from the evidence or are no facts document."""
        text, lost = await asyncio.to_thread(self._answer_and_loss, request)
        return JudgeReply(
            text=text,
            meta={UNMEASURED: lost} if lost else {},
            handle=self._seat.handle,
            model=self._seat.model,
            parts=tuple(instrument.name for instrument in self._instruments),
        )

    def _answer(self, request: JudgeRequest) -> str:
        return self._answer_and_loss(request)[0]

    def _answer_and_loss(self, request: JudgeRequest) -> tuple[str, str]:
        """The reply, and what could not be measured for it: empty where nothing was missed."""
        looks = [self._look(shot, request.evidence) for shot in request.shots]
        if request.task == "propose":
            reply = self._proposal(looks, request.categories)
        else:
            reply = self._rulings(looks, request)
        text = json.dumps(reply, ensure_ascii=False, separators=(",", ":"))
        text = text.encode("utf-8", "replace").decode("utf-8")  # a page may hold a lone surrogate; a reply may not
        return text, _told_loss(self._unmeasured(looks), len(looks))

    def _unmeasured(self, looks: Sequence[Look]) -> dict[str, list[str]]:
        """Shot id to what the parts could not measure on it, in the order of the parts."""
        lost: dict[str, list[str]] = {}
        for instrument in self._instruments:
            able = [look for look in looks if instrument.can_judge(look)]
            for shot_id, what in (instrument.unmeasured(able) if able else {}).items():
                lost.setdefault(shot_id, []).append(what)
        return lost

    def _look(self, shot: Shot, evidence: EvidenceReader) -> Look:
        facts = None if shot.facts is None else self._load(shot.facts, evidence)
        return Look(shot=shot, facts=facts, read=evidence.read)

    def _load(self, digest: str, evidence: EvidenceReader) -> Facts:
        known = self._facts.get(digest)
        if known is not None:
            return known
        try:
            value = json.loads(evidence.read(digest))
        except (ValueError, RecursionError) as exc:
            raise EvidenceError(f"The facts {digest} are not JSON.", mend="Capture the page again.") from exc
        facts = parse_facts(value)
        while len(self._facts) >= FACTS_KEPT:
            self._facts.pop(next(iter(self._facts)))
        self._facts[digest] = facts
        return facts

    def _file(self, looks: Sequence[Look], categories: Iterable[str]) -> dict[_Key, list[_Sighting]]:
        """Everything the parts file, by identity, in the order of shots and then of the parts' own lists."""
        wanted = frozenset(categories)
        said = []
        for instrument in self._instruments:
            able = [look for look in looks if instrument.can_judge(look)]
            said.append(instrument.propose(able) if able else {})
        filed: dict[_Key, list[_Sighting]] = {}
        for look in looks:
            for by_shot in said:
                for measured in by_shot.get(look.shot.shot_id, ()):
                    if measured.category in wanted:
                        key = (measured.category, measured.attribute, measured.region)
                        filed.setdefault(key, []).append((look, measured))
        return filed

    def _proposal(self, looks: Sequence[Look], categories: Iterable[str]) -> Row:
        filed = self._file(looks, categories)
        shown = {look.shot.shot_id for sightings in filed.values() for look, _ in sightings}
        shown |= self._unmeasured(looks).keys()
        clean = [
            look.shot.shot_id
            for look in looks
            if look.shot.shot_id not in shown and all(part.can_judge(look) for part in self._instruments)
        ]
        return {"findings": [_row(sightings) for sightings in filed.values()], "clean_shot_ids": clean}

    def _rulings(self, looks: Sequence[Look], request: JudgeRequest) -> Row:
        answers = self._answers(looks, [numbered.finding for numbered in request.findings])
        verdicts = []
        for numbered, answer in zip(request.findings, answers, strict=True):
            row: Row = {"index": numbered.index, "verdict": answer.verdict, "mark": numbered.mark}
            if answer.note:
                row["note"] = answer.note
            verdicts.append(row)
        if request.task == "rule":
            return {"verdicts": verdicts}
        filed = self._file(looks, request.categories)
        rest = _not_put(filed, [numbered.finding for numbered in request.findings])
        return {"verdicts": verdicts, "additions": [_row(sightings) for sightings in rest]}

    def _answers(self, looks: Sequence[Look], findings: Sequence[Finding]) -> list[Answer]:
        """One answer for each finding, over all parts and all shots it shows on."""
        told: list[dict[str, list[Answer]]] = [{shot_id: [] for shot_id in finding.shot_ids} for finding in findings]
        for instrument in self._instruments:
            able = [look for look in looks if instrument.can_judge(look)]
            if not able or not findings:
                continue
            for by_shot, words in zip(told, instrument.rule(able, findings), strict=True):
                for shot_id, answer in words.items():
                    if shot_id in by_shot:
                        by_shot[shot_id].append(answer)
        return [_over_shots({shot_id: _over_parts(words) for shot_id, words in by_shot.items()}) for by_shot in told]


def _over_parts(answers: Sequence[Answer]) -> Answer:
    told = [answer for answer in answers if answer.verdict != "cannot-tell"]
    if len({answer.verdict for answer in told}) == 1:
        return Answer(verdict=told[0].verdict, note=_joined(answer.note for answer in told))
    return Answer(verdict="cannot-tell", note=_joined(answer.note for answer in answers))


def _over_shots(answers: Mapping[str, Answer]) -> Answer:
    for_it = {shot_id: answer for shot_id, answer in answers.items() if answer.verdict in ("agree", "amend")}
    against = {shot_id: answer for shot_id, answer in answers.items() if answer.verdict == "dispute"}
    if for_it and against:
        places = ", ".join(_short(shot_id) for shot_id in against)
        return Answer(verdict="amend", note=f"Not on {places}: {_told(against)}")
    rest = len(answers)
    if against:
        return Answer(verdict="dispute", note=_told(against, rest))
    amended = {shot_id: answer for shot_id, answer in for_it.items() if answer.verdict == "amend"}
    if amended:
        return Answer(verdict="amend", note=_told(amended))
    if for_it:
        return Answer(verdict="agree", note=_told(for_it, rest))
    note = _told(answers)
    return Answer(verdict="cannot-tell", note=note) if note else CANNOT_TELL


def _told(answers: Mapping[str, Answer], of: int = 0) -> str:
    """The note of the first shot that has one, how many more led to the same word, and how many told nothing.

    A number for each of six shots would bury the first one. of: how many shots there are, those that could not tell
    included; 0 where there is nothing to say of them.
    """
    notes = list(dict.fromkeys(answer.note for answer in answers.values() if answer.note))
    silent = max(0, of - len(answers))
    unsure = f"on {silent} more it cannot be told" if silent else ""
    if len(notes) < 2:
        return " ".join([*notes, f"{unsure[0].upper()}{unsure[1:]}." if unsure else ""]).strip()
    first = next(shot_id for shot_id, answer in answers.items() if answer.note == notes[0])
    more = len(answers) - 1
    same = f"on {more} more shot{'s' if more > 1 else ''} the answer is the same"
    return f"{notes[0]} This is on {_short(first)}; {', and '.join(part for part in (same, unsure) if part)}."


def _told_loss(lost: Mapping[str, Sequence[str]], shots: int) -> str:
    """`contrast not measured on 2 of 6 shots`; several such, joined by semicolons."""
    counts: dict[str, int] = {}
    for what in (one for told in lost.values() for one in told):
        counts[what] = counts.get(what, 0) + 1
    return "; ".join(f"{what} on {count} of {shots} shot{'s' if shots > 1 else ''}" for what, count in counts.items())


def _not_put(filed: Mapping[_Key, list[_Sighting]], findings: Sequence[Finding]) -> list[list[_Sighting]]:
    """What was measured beyond the findings that were put, shot by shot: on those the verdict is the answer."""
    put: dict[_Key, set[str]] = {}
    for finding in findings:
        put.setdefault((finding.category, finding.attribute, finding.region), set()).update(finding.shot_ids)
    rest = [
        [sighting for sighting in sightings if sighting[0].shot.shot_id not in put.get(key, set())]
        for key, sightings in filed.items()
    ]
    return [sightings for sightings in rest if sightings]


def _joined(notes: Iterable[str]) -> str:
    """Each different note once, in order."""
    return " ".join(dict.fromkeys(note for note in notes if note))


def _short(shot_id: str) -> str:
    """Form factor and scheme: what tells the shots of one view apart."""
    return "/".join(shot_id.split("/")[-2:])


def _mildness(sighting: _Sighting) -> tuple[int, float]:
    """Lowest for the worst: by severity, then by how far the measured number is off. Of equals the first one counts."""
    measured = sighting[1]
    return (SEVERITIES.index(measured.severity), -measured.weight)


def _row(sightings: Sequence[_Sighting]) -> Row:
    """One finding of the reply contract from all sightings of one identity, which come in the order of shots."""
    by_shot: dict[str, list[_Sighting]] = {}
    for look, measured in sightings:
        by_shot.setdefault(look.shot.shot_id, []).append((look, measured))
    firsts = [min(alike, key=_mildness) for alike in by_shot.values()]
    look, worst = min(firsts, key=_mildness)
    alike = len(by_shot[look.shot.shot_id])
    also = [(other, measured) for other, measured in firsts if other is not look]
    more = f" {alike - 1} more like it {'is' if alike == 2 else 'are'} on the same page." if alike > 1 else ""
    row: Row = {
        "shot_id": look.shot.shot_id,
        "part": worst.part,
        "category": worst.category,
        "attribute": worst.attribute,
        "region": worst.region,
        "severity": worst.severity,
        "title": worst.title,
        "problem": worst.problem,
        "expected": worst.expected,
        "observed": worst.observed + more,
        "confidence": worst.confidence,
        "acceptance": list(worst.acceptance),
        "also_shot_ids": [other.shot.shot_id for other, _ in also],
    }
    box = look.box(worst.rect)
    if box is not None:
        row["box"] = box.as_list()
    also_boxes = {other.shot.shot_id: other.box(measured.rect) for other, measured in also}
    row["also_boxes"] = {shot_id: found.as_list() for shot_id, found in also_boxes.items() if found is not None}
    return row
