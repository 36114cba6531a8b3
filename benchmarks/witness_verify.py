"""How long `witness verify` takes on a bundle of ordinary dialogs, in which memory, against the least there is to do.

Figure to reach (DESIGN 9): 1,000,000 turns in under 30 s, memory flat. The peer reads each record with `json.loads` and
takes the SHA-256 of its bytes, and verifies nothing.

Usage: python benchmarks/witness_verify.py [--dialogs N] [--jobs N] [--keep FILE]
The whole figure: --dialogs 250000 (2.9 GB in the temporary folder, or in FILE, which is made once).

A dialog is a proposal of two findings, a challenge that disputes one and adds one, and a second round: four turns, 3
raw replies, an outcome, one picture of its own and two instructions that all share.
"""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from bicameral.canonical import sha256_digest
from bicameral.canonical.dialogs import canonical_turn, key_text
from bicameral.dialogue import Question, hold_dialogue, outcome_of
from bicameral.errors import EvidenceError
from bicameral.model.evidence import Shot
from bicameral.model.judging import DialogueResult, Utterance
from bicameral.model.seats import Seat
from bicameral.model.witnessing import KeptLink, KeptReply, WitnessedDialog
from bicameral.testing.scripted import ScriptedJudge
from bicameral.witness import about_reply, chain_entry, chain_entry_bytes, record_dialog
from bicameral.witness.audit import Audit, Blob, End, Header, Link, Part, audit
from bicameral.witness.bundle import read_bundle, write_bundle

TURNS = 4
FIGURE_S = 30.0
SHOT = Shot(
    shot_id="shop/basket/rest/desktop/light",
    target="shop",
    route="/basket",
    picture="sha256:" + "0" * 64,
    width_px=1440,
    height_px=2310,
)
INSTRUCTIONS = (b"Say what is wrong on these pictures.", b"Rule on each finding by its number.")
ROUTE = "/basket/{:09d}"
CHECKED = 10_000


class NoEvidence:
    """The judges here have a script and look at nothing."""

    def read(self, digest: str) -> bytes:
        raise EvidenceError(f"{digest} is not here.")


def row(attribute: str) -> dict[str, object]:
    return {
        "shot_id": SHOT.shot_id,
        "category": "spacing",
        "attribute": attribute,
        "region": "content",
        "severity": "medium",
        "title": f"The {attribute} stands too close to the price",
        "problem": "Two pixels separate them, where the rest of the list keeps eight, so that they read as one word.",
        "expected": "8 px between them, as in the rows above and below",
        "observed": "2 px",
        "confidence": "high",
        "acceptance": ["The distance is 8 px at every form factor."],
    }


def one_dialogue() -> DialogueResult:
    """The dialogue that all the others are like."""
    proposal = json.dumps({"findings": [row("quantity"), row("remove-button")], "clean_shot_ids": []})
    verdicts = [
        {"index": 0, "verdict": "agree"},
        {"index": 1, "verdict": "dispute", "note": "It is 8 px in the facts."},
    ]
    challenge = json.dumps({"verdicts": verdicts, "additions": [row("voucher-field")]})
    second = json.dumps({"verdicts": [{"index": 0, "verdict": "amend", "note": "Only on the phone."}]})
    propose, rule = (text.decode() for text in INSTRUCTIONS)
    question = Question(
        project="shop",
        shots=(SHOT,),
        evidence=NoEvidence(),
        instructions=propose,
        challenge_instructions=rule,
        challenge_clean=False,
    )
    first = ScriptedJudge(Seat("claude-code", "sonnet"), [proposal, second])
    other = ScriptedJudge(Seat("codex", "gpt-5.2"), [challenge])
    return asyncio.run(hold_dialogue(question, first, other, monotonic=lambda: 0.0))


def picture(number: int) -> bytes:
    return b"picture %09d " % number * 20


def turns_of(result: DialogueResult, number: int) -> list[Utterance]:
    """The dialogue's turns, on another route and with a picture of its own."""
    charge = json.loads(json.dumps(result.turns[0].content))
    charge["route"] = ROUTE.format(number)
    charge["shots"][0]["picture"] = sha256_digest(picture(number))
    return [replace(result.turns[0], content=charge), *result.turns[1:]]


class Maker:
    """Makes dialogs that differ in their charge, by putting other words into the text of the first.

    Every CHECKED th is also recorded as a real one is, and compared.
    """

    def __init__(self, result: DialogueResult) -> None:
        self.result = result
        self.model = record_dialog(turns_of(result, 0), raw=result.raw)
        self.texts = [canonical_turn(turn).text for turn in self.model.turns]
        self.outcome = outcome_of(result)
        first = chain_entry(self.model, seq=0, previous=None, outcome=sha256_digest(self.outcome))
        self.members: dict[str, object] = json.loads(chain_entry_bytes(first))
        self.replies = tuple(
            KeptReply(digest=raw.digest, about=about_reply(raw), text=raw.text.encode()) for raw in result.raw
        )

    def dialog(self, number: int) -> WitnessedDialog:
        dialog_id = sha256_digest(self._other(self.model.turns[0].content, number).encode())
        texts = [self._other(self.texts[0], number)]
        for turn, text in zip(self.model.turns[1:], self.texts[1:], strict=True):
            texts.append(text.replace(turn.parent_hash or "", sha256_digest(texts[-1].encode())))
        key = key_text(dialog_id, texts)
        record = {**self.model.record, "dialogId": dialog_id, "wireKey": key}
        body = json.dumps(record, ensure_ascii=False, separators=(",", ":"), sort_keys=True).encode()
        if number % CHECKED == 0:
            real = record_dialog(turns_of(self.result, number), raw=self.result.raw)
            assert real.record_bytes == body, "the benchmark's dialogs are not what a recorder makes"
        return replace(
            self.model,
            dialog_id=dialog_id,
            wire_digest=sha256_digest(key.encode()),
            record_bytes=body,
            record_digest=sha256_digest(body),
        )

    def entry(self, witnessed: WitnessedDialog, number: int, previous: str | None) -> bytes:
        """The bytes of `chain_entry_bytes`, whose members are ASCII here and sort alike in every encoding."""
        own = {"seq": number, "previous": previous, "recordDigest": witnessed.record_digest}
        own |= {"dialogId": witnessed.dialog_id, "wireDigest": witnessed.wire_digest}
        body = json.dumps(self.members | own, sort_keys=True, separators=(",", ":")).encode()
        if number % CHECKED == 0:
            outcome = sha256_digest(self.outcome)
            real = chain_entry_bytes(chain_entry(witnessed, seq=number, previous=previous, outcome=outcome))
            assert real == body, "the benchmark's entries are not what a chain holds"
        return body

    def _other(self, text: str, number: int) -> str:
        route = text.replace(ROUTE.format(0), ROUTE.format(number))
        return route.replace(sha256_digest(picture(0)), sha256_digest(picture(number)))

    def parts(self, dialogs: int) -> Iterator[Part]:
        yield Header(runs=("benchmark",))
        previous: str | None = None
        for number in range(dialogs):
            witnessed = self.dialog(number)
            entry = self.entry(witnessed, number, previous)
            previous = sha256_digest(entry)
            record = witnessed.record_bytes
            yield Link(kept=KeptLink(entry=entry, record=record, outcome=self.outcome, replies=self.replies))
        bodies = {sha256_digest(body): body for body in INSTRUCTIONS}
        numbers = {sha256_digest(picture(number)): number for number in range(dialogs)}
        for digest in sorted([*bodies, *numbers]):
            body = bodies[digest] if digest in bodies else picture(numbers[digest])
            yield Blob(digest=digest, size=len(body), chunks=iter([body]))
        yield End(entries=dialogs, head=previous)


def make(path: Path, dialogs: int) -> None:
    """Write the bundle beside its place and move it there whole."""
    beside = path.with_name(path.name + ".partial")
    with beside.open("wb") as file:
        write_bundle(Maker(one_dialogue()).parts(dialogs), file)
    beside.replace(path)


def memory_mib() -> float:
    """What this process and those it started hold in memory now. Linux."""
    me = Path("/proc/self")
    own = [me, *(Path("/proc") / pid for pid in (me / f"task/{os.getpid()}/children").read_text().split())]
    pages = 0
    for process in own:
        try:
            pages += int((process / "statm").read_text().split()[1])
        except OSError:  # it has just ended
            continue
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


class Watched:
    """The parts of a bundle as they pass, with the most memory seen until 10 %, 50 % and 100 % of the links."""

    def __init__(self, parts: Iterator[Part], dialogs: int) -> None:
        self._parts = parts
        self._marks = {max(1, dialogs * percent // 100): percent for percent in (10, 50, 100)}
        self._every = max(1, dialogs // 200)
        self.peak = 0.0
        self.peaks: dict[int, float] = {}

    def __iter__(self) -> Iterator[Part]:
        links = 0
        for part in self._parts:
            yield part
            if isinstance(part, Link):
                links += 1
                if links % self._every == 0 or links in self._marks:
                    self.peak = max(self.peak, memory_mib())
                if links in self._marks:
                    self.peaks[self._marks[links]] = self.peak


def verify(path: Path, dialogs: int, jobs: int) -> tuple[float, Audit, Watched]:
    """Seconds, the audit after it was run through, and its memory. Raises AssertionError for a problem."""
    start = time.perf_counter()
    with path.open("rb") as file:
        watched = Watched(read_bundle(file), dialogs)
        running = audit(watched, jobs=jobs)
        problems = list(running)
    seconds = time.perf_counter() - start
    watched.peak = max(watched.peak, memory_mib())
    assert not problems, problems[:3]
    return seconds, running, watched


def floor(path: Path) -> float:
    """Seconds that `json.loads` of every record and SHA-256 over its bytes take."""
    seconds = 0.0
    with path.open("rb") as file:
        for part in read_bundle(file):
            if isinstance(part, Link):
                record = part.kept.record or b""
                start = time.perf_counter()
                json.loads(record)
                hashlib.sha256(record).hexdigest()
                seconds += time.perf_counter() - start
    return seconds


def processor_s() -> float:
    """Processor seconds of this process and of those it has waited for: what a busy machine does not stretch much."""
    return sum(os.times()[:4])


def measure(path: Path, dialogs: int, jobs: int) -> str:
    before = processor_s()
    seconds, running, watched = verify(path, dialogs, jobs)
    busy = processor_s() - before
    summary = running.summary
    least = floor(path)
    memory = ", ".join(f"{percent} % {peak:.0f} MiB" for percent, peak in watched.peaks.items())
    whole = FIGURE_S * summary.turns / 1_000_000
    size = path.stat().st_size / 2**20
    return "\n".join(
        [
            f"{summary.entries:,} dialogs, {summary.turns:,} turns, {summary.replies:,} raw replies, "
            f"{summary.blobs:,} blobs, {size:,.0f} MiB; {jobs} processes",
            f"verify      {seconds:8.2f} s   {summary.turns / seconds:10,.0f} turns/s   {busy:8.2f} processor seconds",
            f"json+sha256 {least:8.2f} s   ratio {seconds / least:.1f}",
            f"peak memory of all processes by links read: {memory}; at the end {watched.peak:.0f} MiB",
            f"figure to reach: 1,000,000 turns in {FIGURE_S:.0f} s, here {whole:.2f} s: "
            + ("reached" if seconds < whole else "missed"),
        ]
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--dialogs", type=int, default=10_000)
    parser.add_argument("--jobs", type=int, default=min(2, os.cpu_count() or 1))
    parser.add_argument("--keep", type=Path, help="where the bundle is made, or is already with as many dialogs")
    parser.add_argument("--make", action="store_true", help="make it and measure nothing")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = given.keep or Path(folder) / "bundle.tar"
        if given.make:
            make(path, given.dialogs)
            return
        if not path.exists():  # by another process, so that its memory is not in the figures
            command = [sys.executable, __file__, "--make", "--dialogs", str(given.dialogs), "--keep", str(path)]
            subprocess.run(command, check=True)
        print(measure(path, given.dialogs, given.jobs))


if __name__ == "__main__":
    main()
