"""The main job: evidence, judging, witness, backlog, and the account of the run.

The plan of a run:
1. Fill the seats; a roster that cannot sit is refused before a browser opens.
2. Take the evidence: capture each target, or read a folder of pictures.
3. Judge the views, a few at a time, and weigh their dissents; each is committed as soon as its account is closed, so a
   run that is killed keeps what it finished, and the next one is served it from the cache.
4. Close the run with its report, and sign the head of the chain where a key is configured.
The caller owns what is shown while it goes on (`watch`) and what is printed of it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from bicameral import __version__
from bicameral.errors import InputError, JudgeFailed, StoreError, TargetError
from bicameral.evidence.capture import capture
from bicameral.evidence.folder import read_folder
from bicameral.evidence.plan import CaptureEvent, CapturePlan, CaptureResult, Limits
from bicameral.model.evidence import Shot, View, by_view
from bicameral.model.judging import DialogueContext, DialogueResult, JudgeEvent, Spend
from bicameral.model.run import RunReport, SkippedInput
from bicameral.model.seats import Roster
from bicameral.report.json import to_json
from bicameral.runtime.account import Closed, Scope, report_of
from bicameral.runtime.clock import new_run_id
from bicameral.runtime.events import ShotTaken, ViewDone, ViewJudging, Watch
from bicameral.runtime.judging import judge_with_dialogue
from bicameral.runtime.keeping import keep_batch, keep_failure
from bicameral.runtime.rosters import Rosters, instructions_for, lanes_not_judged, rosters_for
from bicameral.runtime.signing import signed_run, signing_key_of
from bicameral.runtime.weighing import Weighing
from bicameral.runtime.workspace import Workspace
from bicameral.settings import Settings, TargetSettings
from bicameral.storage import RunRow, SqlNLIAnswers
from bicameral.witness.keys import PrivateKey

VIEWS_AT_ONCE: Final = 2


def run_check(settings: Settings, targets: Sequence[TargetSettings], space: Workspace, watch: Watch) -> RunReport:
    """Capture and judge running sites. Raises TargetError, BrowserError, RosterError or StoreError; see their pages."""
    return asyncio.run(_Run(settings, space, watch).do(lambda: _captured(settings, targets, space, watch)))


def run_folder(settings: Settings, folder: Path, space: Workspace, watch: Watch) -> RunReport:
    """Judge a folder of pictures. Raises EvidenceError where it holds none that can be judged."""

    async def read() -> CaptureResult:
        found = await asyncio.to_thread(read_folder, folder, space.evidence)
        watch(ShotTaken(done=len(found.shots), total=len(found.shots), where=str(folder)))
        return found

    return asyncio.run(_Run(settings, space, watch).do(read))


async def _captured(
    settings: Settings, targets: Sequence[TargetSettings], space: Workspace, watch: Watch
) -> CaptureResult:
    shots: list[Shot] = []
    skipped: list[SkippedInput] = []
    notes: list[str] = []

    def heard(event: CaptureEvent) -> None:
        watch(ShotTaken(done=event.done, total=event.total, where=event.what))

    refused: list[TargetError] = []
    for target in targets:
        plan = CapturePlan(
            target=target.name,
            base_url=target.url,
            routes=target.routes,
            form_factors=settings.form_factors,
            schemes=settings.schemes,
            limits=Limits(settle_s=settings.load_timeout_s),
            allow_remote=settings.allow_remote,
        )
        try:
            found = await capture(plan, space.evidence, heard)
        except TargetError as exc:
            refused.append(exc)
            skipped.append(SkippedInput(where=target.name, reason=exc.message))
            continue
        shots += found.shots
        skipped += found.skipped
        notes += found.notes
    if refused and not shots:  # one target that cannot be opened costs the others nothing; none at all is an error
        raise refused[0]
    return CaptureResult(shots=tuple(shots), skipped=tuple(skipped), notes=tuple(notes))


@dataclass
class _Run:
    """One run under way."""

    settings: Settings
    space: Workspace
    watch: Watch

    def __post_init__(self) -> None:
        self.weighing = Weighing(self.settings, SqlNLIAnswers(self.space.store))

    async def do(self, take: Callable[[], Awaitable[CaptureResult]]) -> RunReport:
        async with self.weighing:
            return await self._do(take)

    async def _do(self, take: Callable[[], Awaitable[CaptureResult]]) -> RunReport:
        rosters = rosters_for(self.settings)
        key = signing_key_of(self.settings)
        evidence = await take()
        if not evidence.shots and not evidence.skipped:
            raise InputError("There is nothing to judge.", mend="Name a route or a picture.")
        run_id = new_run_id()
        views = by_view(evidence.shots)
        self._open(run_id, rosters.captured)
        closed = self._as_they_stand(await self._judge_all(run_id, rosters, views))
        report = report_of(
            run_id=run_id,
            project=self.settings.project,
            roster=_roster_shown(rosters, closed),
            closed=closed,
            skipped=evidence.skipped,
            notes=[*self.space.store.notes, *evidence.notes, *self.weighing.notes],
            scope=Scope(ignore_disputed=self.settings.ignore_disputed, strict=self.settings.strict),
            program_version=__version__,
        )
        self._close(report)
        return report if key is None else self._signed(report, key)

    def _signed(self, report: RunReport, key: PrivateKey) -> RunReport:
        """The report once the chain's head is signed. What it has to tell of that is kept with it where it can be."""
        told = signed_run(self.space, key, report)
        if told is not report:
            with suppress(StoreError):
                self._close(told)
        return told

    async def _judge_all(self, run_id: str, rosters: Rosters, views: dict[View, tuple[Shot, ...]]) -> list[Closed]:
        gate = asyncio.Semaphore(VIEWS_AT_ONCE)
        done = 0

        async def one(position: int, view: View, shots: tuple[Shot, ...]) -> Closed:
            nonlocal done
            async with gate:
                closed = await self._judge(run_id, position, len(views), view, shots, rosters.for_view(shots))
            done += 1
            self.watch(ViewDone(view=view, done=done, total=len(views), outcome=_in_words(closed)))
            return closed

        jobs = [asyncio.create_task(one(at, view, shots)) for at, (view, shots) in enumerate(views.items())]
        try:
            return await asyncio.gather(*jobs)
        except BaseException:
            for job in jobs:
                job.cancel()
            await asyncio.gather(*jobs, return_exceptions=True)
            raise

    def _as_they_stand(self, closed: Sequence[Closed]) -> list[Closed]:
        """The same with every issue as the backlog has it now: a view judged later may have filed one of them again."""
        with self.space.store.read() as reader:
            issues = {issue.issue: issue for issue in reader.issues_of(key for one in closed for key in one.issues)}
        return [replace(one, issues={key: issues[key] for key in one.issues}) for one in closed]

    async def _judge(
        self, run_id: str, position: int, total: int, view: View, shots: tuple[Shot, ...], roster: Roster
    ) -> Closed:
        """One view: judged or served, witnessed and merged. A proposer that fails closes the view as failed, and what
        came of it is kept."""
        lanes = lanes_not_judged(roster, shots)

        def heard(event: JudgeEvent) -> None:
            self.watch(ViewJudging(view=view, event=event, total=total))

        try:
            result, weighed = await self.weighing.weigh(await self._verdict(roster, shots, heard))
        except JudgeFailed as failed:
            await asyncio.to_thread(
                keep_failure, self.space.store, run_id=run_id, position=position, view=view, shots=shots, failed=failed
            )
            return Closed(
                view=view,
                shots=shots,
                roster=roster,
                lanes_not_judged=lanes,
                failure=failed.reason,
                failure_note=failed.message,
                raw=failed.raw,
                spend=failed.spend or Spend(),
                issues={},
                happened={},
            )
        witnessed, merged = await asyncio.to_thread(
            keep_batch,
            self.space.store,
            run_id=run_id,
            position=position,
            view=view,
            shots=shots,
            result=result,
            evidence=self.space.evidence,
            instructions=_instructions(roster),
            weighed=weighed,
            project=self.settings.project,
        )
        return Closed(
            view=view,
            shots=shots,
            roster=result.roster,
            lanes_not_judged=lanes,
            result=result,
            spend=result.spend,
            dialog_id=witnessed.dialog_id,
            wire_digest=witnessed.wire_digest,
            issues={issue.issue: issue for issue in merged.issues},
            happened=merged.happened,
        )

    async def _verdict(
        self, roster: Roster, shots: tuple[Shot, ...], heard: Callable[[JudgeEvent], None]
    ) -> DialogueResult:
        skill, *challenge = _instructions(roster)
        context = DialogueContext(
            timeout_s=self.settings.judge_timeout_s,
            on_event=heard,
            challenge_skill=challenge[0] if challenge else None,
            cache=self.space.verdicts if self.settings.use_cache else None,
        )
        return await judge_with_dialogue(skill, self.settings.project, shots, self.space.evidence, roster, context)

    def _open(self, run_id: str, roster: Roster) -> None:
        seats = [roster.proposer, roster.challenger]
        row = RunRow(
            run_id=run_id,
            project=self.settings.project,
            roster=", ".join(str(seat) for seat in seats if seat is not None),
            started_at=self.space.clock.now(),
            program_version=__version__,
        )
        with self.space.store.write() as tx:
            tx.add_run(row)

    def _close(self, report: RunReport) -> None:
        with self.space.store.write() as tx:
            tx.finish_run(
                report.run_id,
                finished_at=self.space.clock.now(),
                exit_status=report.exit_status,
                spend=report.spend,
                report=to_json(report).encode("utf-8", "backslashreplace"),
            )


def _instructions(roster: Roster) -> tuple[str, ...]:
    """What the seats are told, in their order."""
    told = (instructions_for(roster.proposer, skill="judge"),)
    return told if roster.challenger is None else (*told, instructions_for(roster.challenger, skill="challenge"))


def _roster_shown(rosters: Rosters, closed: Sequence[Closed]) -> Roster:
    """The roster a reader is told of: the one that judged, where one roster judged everything."""
    used = {one.roster for one in closed}
    return used.pop() if len(used) == 1 else rosters.captured


def _in_words(closed: Closed) -> str:
    if closed.result is None:
        return f"not judged ({closed.failure})"
    count = len(closed.result.findings)
    found = f"{count} finding{'' if count == 1 else 's'}"
    return f"{found}, unchanged" if closed.result.cached else found
