"""From a plan to shots: every route at every form factor and colour scheme.

Answers for opening only what may be opened, for pictures and facts that are the same bytes for the same page, for a
stable order, and for going on where one page cannot be judged. Declines to judge.

Rules: an address that may not be opened stops everything before anything is judged; so does a target of which no route
answers or every route leads off its origin. Where others can be seen, a route that does not answer, leads off its
origin, or answers with an error or no page, is skipped with its reason and the rest is captured. What a page did not
let us see whole is told in a note. A picture that ran out of time, or lost its browser to a page beside it, is taken
once more, alone; a page that takes the browser down then too is skipped in all its sizes.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field

from bicameral.errors import BrowserError, EvidenceError, TargetError
from bicameral.evidence._shot import LeadsAway, NotAPage, Seen, Unanswered, visit
from bicameral.evidence._world import WorldGone
from bicameral.evidence.browser import BrowserFault, Engine, NoBrowser, fresh_page, open_browser
from bicameral.evidence.facts import facts_document
from bicameral.evidence.plan import CaptureEvent, CapturePlan, CaptureResult, OnEvent, shot_id
from bicameral.evidence.store import EvidenceFolder
from bicameral.evidence.target import Address, addresses
from bicameral.model.evidence import Shot
from bicameral.model.run import SkippedInput
from bicameral.model.vocabulary import FormFactor, Scheme


async def capture(plan: CapturePlan, folder: EvidenceFolder, on_event: OnEvent | None = None) -> CaptureResult:
    """Take every picture of a plan into the folder.

    Raises TargetError for an address that may not be opened, and where every route leads off its origin or does not
    answer; BrowserError where no browser starts; StoreError where the folder cannot be written.
    """
    wanted = _jobs(plan)
    async with open_browser() as browser:
        work = _Work(plan, folder, browser, on_event or _unheard, wanted)
        # The first alone: where nothing listens, one attempt tells.
        await work.do(0, alone=True)
        if work.refused:
            raise work.unseen[wanted[0].address.url]
        await work.do_all(range(1, len(wanted)))
    return work.result()


@dataclass(frozen=True)
class _Job:
    address: Address
    form_factor: FormFactor
    scheme: Scheme
    shot_id: str


def _jobs(plan: CapturePlan) -> list[_Job]:
    found = addresses(plan.base_url, plan.routes, allow_remote=plan.allow_remote)
    return [
        _Job(address, form_factor, scheme, shot_id(plan.target, address.route, "rest", form_factor, scheme))
        for address in found
        for form_factor in plan.form_factors
        for scheme in plan.schemes
    ]


class _Disturbed(Exception):
    """The picture may have failed for what another page did. The text is the reason if it has not."""


@dataclass
class _Work:
    """What is under way in one capture; every result is kept by the job's position."""

    plan: CapturePlan
    folder: EvidenceFolder
    browser: Engine
    on_event: OnEvent
    jobs: list[_Job]
    shots: dict[int, Shot] = field(default_factory=dict)
    skipped: dict[int, SkippedInput] = field(default_factory=dict)
    notes: dict[int, list[str]] = field(default_factory=dict)
    unseen: dict[str, TargetError] = field(default_factory=dict)
    dead: dict[str, str] = field(default_factory=dict)
    again: list[int] = field(default_factory=list)
    refused: bool = False

    async def do_all(self, positions: range) -> None:
        """The jobs, `plan.concurrency` at a time, and one by one those that were disturbed.

        The first error that stops everything is raised alone.
        """
        waiting = iter(positions)

        async def worker() -> None:
            for position in waiting:
                await self.do(position, alone=False)

        try:
            async with asyncio.TaskGroup() as group:
                for _ in range(max(1, self.plan.concurrency)):
                    group.create_task(worker())
        except BaseExceptionGroup as errors:
            raise errors.exceptions[0] from None
        for position in sorted(self.again):
            await self.do(position, alone=True)

    async def do(self, position: int, *, alone: bool) -> None:
        job = self.jobs[position]
        reason = self.dead.get(job.address.url)
        before = self.browser.generation
        try:
            reason = reason or await self._try(position, job)
        except _Disturbed as error:
            if not alone:
                self.again.append(position)
                return
            reason = str(error)
            if self.browser.generation != before:
                self.dead[job.address.url] = reason
        if reason is not None:
            self.skipped[position] = SkippedInput(where=f"{self.plan.target}{job.address.route}", reason=reason)
        self.on_event(
            CaptureEvent(
                kind="shot" if reason is None else "skipped",
                what=job.shot_id,
                done=len(self.shots) + len(self.skipped),
                total=len(self.jobs),
            )
        )

    async def _try(self, position: int, job: _Job) -> str | None:
        """Take one shot; the reason where it was skipped. What is true of the whole route is remembered."""
        limit, before = self.plan.limits.shot_s, self.browser.generation
        failed = f"could not be measured at {job.form_factor}, {job.scheme}"
        try:
            seen = await asyncio.wait_for(self._visit(job), limit)
            self.shots[position] = self._keep(job, seen)
        except NotAPage as error:
            self.dead[job.address.url] = str(error)
            return str(error)
        except Unanswered as error:
            self.unseen[job.address.url] = error
            self.refused = self.refused or error.refused
            self.dead[job.address.url] = error.reason
            return error.reason
        except LeadsAway as error:
            self.unseen[job.address.url] = error
            self.dead[job.address.url] = f"{error.reason}. {error.mend}"
            return self.dead[job.address.url]
        except TimeoutError:
            raise _Disturbed(f"could not be measured within {limit:g} s at {job.form_factor}, {job.scheme}") from None
        except NoBrowser:
            raise
        except (BrowserError, EvidenceError, BrowserFault) as error:
            if self.browser.generation != before:
                raise _Disturbed(f"{failed}: the browser broke off while it showed it") from error
            if isinstance(error, WorldGone | BrowserFault):
                return f"{failed}: it changed, went elsewhere or took itself apart each time it was looked at"
            return f"{failed}: {error.message.rstrip('.')}"
        self.notes[position] = seen.notes
        return None

    async def _visit(self, job: _Job) -> Seen:
        address = job.address
        viewport = self.plan.viewport(job.form_factor)
        async with fresh_page(
            self.browser,
            viewport=viewport,
            scheme=job.scheme,
            trust_certificates=address.local,
            sign_in=(address.user, address.password or "", address.origin) if address.user else None,
        ) as page:
            return await visit(
                page,
                address,
                viewport=viewport,
                form_factor=job.form_factor,
                scheme=job.scheme,
                limits=self.plan.limits,
                browser=f"chromium {self.browser.version}",
            )

    def _keep(self, job: _Job, seen: Seen) -> Shot:
        companion = self.folder.put(seen.companion, ".png") if seen.companion is not None else None
        body = facts_document(
            origin=job.address.origin,
            page=seen.page,
            companion=companion,
            collected=seen.collected,
            console=seen.console,
            failed_requests=seen.failed_requests,
            aria=seen.aria,
        )
        return Shot(
            shot_id=job.shot_id,
            target=self.plan.target,
            route=job.address.route,
            picture=self.folder.put(seen.picture, ".png"),
            width_px=seen.size[0],
            height_px=seen.size[1],
            form_factor=job.form_factor,
            scheme=job.scheme,
            facts=self.folder.put(body, ".json"),
            companion=companion,
        )

    def result(self) -> CaptureResult:
        """Raises TargetError where no route of the target answered on its origin."""
        if not self.shots and self.unseen and len(self.unseen) == len({job.address.url for job in self.jobs}):
            raise next(iter(self.unseen.values()))
        notes = [f"{self.jobs[at].shot_id} {note}." for at in sorted(self.notes) for note in self.notes[at]]
        return CaptureResult(
            shots=tuple(self.shots[at] for at in sorted(self.shots)),
            skipped=tuple(dict.fromkeys(self.skipped[at] for at in sorted(self.skipped))),
            notes=tuple(notes),
        )


def _unheard(_: CaptureEvent) -> None:
    pass
