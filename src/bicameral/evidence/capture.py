"""From a plan to shots: every route at every form factor and colour scheme.

Answers for opening only what may be opened, for pictures and facts that are the same bytes for the same page, for a
stable order, and for going on where one page cannot be judged. Declines to judge.

Rules: an address that may not be opened, or that leads off its origin, stops everything before anything is judged; so
does a target of which nothing answers. A route that answers with an error, or with no page, is skipped with its reason
and the rest is captured. What a page did not let us see whole is told in a note.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field

from bicameral.errors import BrowserError, EvidenceError
from bicameral.evidence._shot import NotAPage, Seen, Unanswered, visit
from bicameral.evidence.browser import Browser, BrowserFault, fresh_page, open_browser
from bicameral.evidence.facts import facts_document
from bicameral.evidence.plan import CaptureEvent, CapturePlan, CaptureResult, OnEvent, shot_id
from bicameral.evidence.store import EvidenceFolder
from bicameral.evidence.target import Address, addresses
from bicameral.model.evidence import Shot
from bicameral.model.run import SkippedInput
from bicameral.model.vocabulary import FormFactor, Scheme


async def capture(plan: CapturePlan, folder: EvidenceFolder, on_event: OnEvent | None = None) -> CaptureResult:
    """Take every picture of a plan into the folder.

    Raises TargetError for an address that may not be opened, leads off its origin or does not answer; BrowserError
    where no browser starts; StoreError where the folder cannot be written.
    """
    wanted = _jobs(plan)
    async with open_browser() as browser:
        work = _Work(plan, folder, browser, on_event or _unheard, wanted)
        # The first alone: where nothing listens, one attempt tells.
        await work.do(0)
        if isinstance(work.unanswered.get(wanted[0].address.url), Unanswered) and work.refused:
            raise work.unanswered[wanted[0].address.url]
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


@dataclass
class _Work:
    """What is under way in one capture; every result is kept by the job's position."""

    plan: CapturePlan
    folder: EvidenceFolder
    browser: Browser
    on_event: OnEvent
    jobs: list[_Job]
    shots: dict[int, Shot] = field(default_factory=dict)
    skipped: dict[int, SkippedInput] = field(default_factory=dict)
    notes: dict[int, list[str]] = field(default_factory=dict)
    unanswered: dict[str, Unanswered] = field(default_factory=dict)
    dead: dict[str, str] = field(default_factory=dict)
    refused: bool = False

    async def do_all(self, positions: range) -> None:
        """The jobs, `plan.concurrency` at a time. The first error that stops everything is raised alone."""
        waiting = iter(positions)

        async def worker() -> None:
            for position in waiting:
                await self.do(position)

        try:
            async with asyncio.TaskGroup() as group:
                for _ in range(max(1, self.plan.concurrency)):
                    group.create_task(worker())
        except BaseExceptionGroup as errors:
            raise errors.exceptions[0] from None

    async def do(self, position: int) -> None:
        job = self.jobs[position]
        reason = self.dead.get(job.address.url)
        if reason is None:
            reason = await self._try(position, job)
        if reason is not None:
            self.skipped[position] = SkippedInput(where=job.address.shown, reason=reason)
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
        limit = self.plan.limits.shot_s
        try:
            seen = await asyncio.wait_for(self._visit(job), limit)
            self.shots[position] = self._keep(job, seen)
        except NotAPage as error:
            self.dead[job.address.url] = str(error)
            return str(error)
        except Unanswered as error:
            self.unanswered[job.address.url] = error
            self.refused = self.refused or error.refused
            self.dead[job.address.url] = error.message
            return error.message
        except TimeoutError:
            return f"could not be measured within {limit:g} s at {job.form_factor}, {job.scheme}"
        except (BrowserError, EvidenceError, BrowserFault) as error:
            if not self.browser.is_connected():
                raise BrowserError("The browser broke off.", mend="Run it again; what was captured is kept.") from error
            return f"could not be measured at {job.form_factor}, {job.scheme}: {str(error).splitlines()[0][:300]}"
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
        """Raises TargetError where no route of the target answered."""
        if not self.shots and self.unanswered and len(self.unanswered) == len({job.address.url for job in self.jobs}):
            raise next(iter(self.unanswered.values()))
        notes = [f"{self.jobs[at].shot_id} {note}." for at in sorted(self.notes) for note in self.notes[at]]
        return CaptureResult(
            shots=tuple(self.shots[at] for at in sorted(self.shots)),
            skipped=tuple(dict.fromkeys(self.skipped[at] for at in sorted(self.skipped))),
            notes=tuple(notes),
        )


def _unheard(_: CaptureEvent) -> None:
    pass
