"""What passes between a dialogue and its judges, and what comes of it.

A judge answers one `JudgeRequest` with one `JudgeReply`. A reply is untrusted text; `dialogue` reads it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from bicameral.model.evidence import Shot
from bicameral.model.findings import Finding, RejectedRow
from bicameral.model.seats import Roster, Seat
from bicameral.model.vocabulary import Finish, Reason, ReplyState, Task

if TYPE_CHECKING:
    from bicameral.ports import EvidenceReader, VerdictCache


@dataclass(frozen=True, kw_only=True)
class Spend:
    """What judging cost, in the units the providers state. usd is None where no price is stated."""

    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    usd: float | None = None

    def __add__(self, other: Spend) -> Spend:
        usd = None if self.usd is None and other.usd is None else (self.usd or 0.0) + (other.usd or 0.0)
        return Spend(
            calls=self.calls + other.calls,
            input_tokens=self.input_tokens + other.input_tokens,
            output_tokens=self.output_tokens + other.output_tokens,
            usd=usd,
        )


@dataclass(frozen=True, kw_only=True)
class NumberedFinding:
    """A finding as it is put to the other judge: its number and its 4-digit check mark."""

    index: int
    mark: str
    finding: Finding


@dataclass(frozen=True, kw_only=True)
class JudgeRequest:
    """One question to one judge.

    task: `propose` (file findings), `challenge` (rule on the numbered findings, and add), `rule` (rule only).
    instructions: the skill text.  prompt: the whole composed text for judges that read one, with everything a page
    or another judge wrote fenced as data; instruments never read it.
    schema: JSON schema of the reply, for providers that take one.  timeout_s: None waits for ever.
    attempt: 0 for the first ask; output_limit: most output tokens, None for the adapter's own default.
    half: 1 or 2 where a batch whose reply was truncated is asked about in two halves, else 0.
    """

    task: Task
    project: str
    seat: Seat
    shots: tuple[Shot, ...]
    evidence: EvidenceReader
    instructions: str
    prompt: str
    categories: tuple[str, ...]
    findings: tuple[NumberedFinding, ...] = ()
    schema: Mapping[str, object] = field(default_factory=dict)
    timeout_s: float | None = None
    attempt: int = 0
    output_limit: int | None = None
    half: int = 0


@dataclass(frozen=True, kw_only=True)
class JudgeReply:
    """One answer of one judge.

    text: the reply, whole and untrusted.  finish: why it ended.  model: which one really spoke, as the adapter knows.
    handle: what the adapter calls itself; on record is the handle of the seat that was asked.
    parts: names that a row's `part` may claim as its oracle; empty for everything but a combined instrument.
    reads: shot ids it reports to have opened; None where it does not report.
    meta: how pictures were transformed and the like; short strings, no clock, no host.
    """

    text: str
    handle: str
    model: str
    finish: Finish = "stop"
    spend: Spend = field(default_factory=lambda: Spend(calls=1))
    parts: tuple[str, ...] = ()
    reads: tuple[str, ...] | None = None
    meta: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class RawReply:
    """A reply as it came, kept beside what was read from it. digest: `sha256:` of the text in UTF-8.

    handle: of the seat that was asked.
    text: whole, but for a lone surrogate, which is written as its escape, and what is beyond the contract's size limit.
    parts, reads, meta: as the adapter reported them, so that the same may be read from it again; parts are the seat's
    own, and another handle than the seat's is in meta.
    half: as in the request that it answers.
    """

    handle: str
    model: str
    task: Task
    text: str
    digest: str
    finish: Finish
    state: ReplyState
    parts: tuple[str, ...] = ()
    reads: tuple[str, ...] | None = None
    meta: Mapping[str, str] = field(default_factory=dict)
    half: int = 0


Act = Literal["charge", "findings", "rulings", "no-challenge", "no-second-round", "adjudications"]


@dataclass(frozen=True, kw_only=True)
class Utterance:
    """One thing said in a dialogue, in order; `runtime` has it witnessed as one turn.

    content: plain JSON values without floats, `act` among its members.  raw: the reply it was read from.
    """

    act: Act
    speaker: str
    audience: str
    content: Mapping[str, object]
    meta: Mapping[str, str] = field(default_factory=dict)
    raw: RawReply | None = None


EventKind = Literal["asked", "answered", "asking-again", "failed", "cached"]


@dataclass(frozen=True, kw_only=True)
class JudgeEvent:
    """Something a person watching wants to see. detail: for `failed` and `asking-again` why, in words for the log."""

    kind: EventKind
    task: Task
    handle: str
    shots: int
    detail: str = ""


@dataclass(frozen=True, kw_only=True)
class JudgeContext:
    """What a single judge call may need beside its arguments. Every field has a working default.

    categories: the closed vocabulary, None for all of it.  timeout_s: seconds for each reply, None waits for ever.
    facts_lines: shot id to the measured facts shown to judges that read a prompt (fenced there).
    on_event: told of each ask and answer.
    """

    categories: tuple[str, ...] | None = None
    timeout_s: float | None = None
    facts_lines: Mapping[str, str] = field(default_factory=dict)
    on_event: Callable[[JudgeEvent], None] | None = None


@dataclass(frozen=True, kw_only=True)
class DialogueContext(JudgeContext):
    """A JudgeContext for two.

    challenge_skill: the challenger's instructions; None makes the call a single-judge call.
    challenge_clean: ask the challenger what was missed where nothing was found; None: where it costs nothing.
    cache: verdicts by all that decided them; None judges live every time.
    """

    challenge_skill: str | None = None
    challenge_clean: bool | None = None
    cache: VerdictCache | None = None


@dataclass(frozen=True, kw_only=True)
class JudgeBatchResult:
    """What one judge made of a batch. Every shot is in a finding, in clean_shot_ids or in unaccounted."""

    findings: tuple[Finding, ...]
    clean_shot_ids: tuple[str, ...]
    unaccounted: tuple[str, ...]
    rejected: tuple[RejectedRow, ...] = ()
    raw: tuple[RawReply, ...] = ()
    spend: Spend = field(default_factory=Spend)
    duration_s: float = 0.0


@dataclass(frozen=True, kw_only=True)
class DialogueResult(JudgeBatchResult):
    """What two judges made of a batch.

    dialogued: the dialogue that the roster called for took place (True for a roster of one).
    unruled: indexes into `findings`, additions included, on which nobody ruled.
    cacheable: complete in every way; a verdict that is not is judged again.
    roster: the effective one. cached: served from the cache; no judge was called.
    turns: what was said, in order, the charge first.
    """

    dialogued: bool
    undialogued_reason: Reason | None = None
    second_round_reason: Reason | None = None
    unruled: tuple[int, ...] = ()
    cacheable: bool = False
    roster: Roster
    turns: tuple[Utterance, ...] = ()
    cached: bool = False
