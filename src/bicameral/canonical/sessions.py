"""`ui.session.v1`: what somebody did in an interface, step by step, and what was seen after each, by digest.

Answers for: what such a record holds, and every digest in it. Declines to: act, look, or time. There is no clock in it,
no host and no port; what was typed into a secret field is not in it either.

Rules, in order (`spec/ui.session.v1.md`):
1. `opened` says who acted on what: ACTOR and TARGET, and what else of OPENED is known. `sessionId` is its digest.
2. A step has an action of ACTIONS with the target and value that the action asks for, may say what was seen (SEEN, by
   digest) and that it failed (FAILURES), and nothing else.
3. `previous` of a step is the hash of the step before; of the first it is the session's id.
4. `wireDigest` is the digest of id, opening and steps. Two sessions are equivalent when theirs are equal.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, Literal, NamedTuple, cast

from bicameral.canonical.plain import digest_of, encodable, record_json, sha256_digest
from bicameral.canonical.record import (
    Fault,
    Record,
    fault_error,
    kind_of,
    member_faults,
    refuse_faults,
    stranger_faults,
)
from bicameral.errors import UnrecordableError

UI_SESSION_V1: Final = "ui.session.v1"
"""The `solverType` of a session's record."""

SESSION_VERSION: Final = 1

Asked = Literal["asked", "may", "never"]


class Needs(NamedTuple):
    """Whether an action's step names a target and has a value."""

    target: Asked
    value: Asked


ACTIONS: Final[Mapping[str, Needs]] = {
    "navigate": Needs("never", "asked"),  # the route, without host and port
    "click": Needs("asked", "never"),
    "fill": Needs("asked", "asked"),  # the text; no value where `secret` is true
    "select": Needs("asked", "asked"),
    "check": Needs("asked", "never"),
    "uncheck": Needs("asked", "never"),
    "press": Needs("may", "asked"),  # the key
    "hover": Needs("asked", "never"),
    "scroll": Needs("may", "never"),
    "wait": Needs("may", "may"),  # for what: a target, a condition, or both
}

OPENED: Final = ("actor", "target", "platform", "formFactor", "scheme", "task")
"""Members of `opened`; the first two are always there."""

SEEN: Final = ("picture", "facts")
FAILURES: Final = ("absent", "hidden", "refused", "timed-out")

_MEMBERS: Final = {
    "solverType": "text",
    "specVersion": "whole number",
    "sessionId": "digest",
    "wireDigest": "digest",
    "opened": "object",
    "steps": "list",
    "stepCount": "whole number",
    "label": "text?",
}
_OPENED: Final = {name: "text" if name in OPENED[:2] else "text?" for name in OPENED}
_STEP: Final = {
    "action": "text",
    "target": "text?",
    "value": "text?",
    "secret": "true?",
    "seen": "object?",
    "failed": "text?",
    "previous": "digest",
}


class SessionRecord(Record):
    """A `ui.session.v1` record."""

    @property
    def session_id(self) -> str:
        return cast(str, self["sessionId"])

    @property
    def wire_digest(self) -> str:
        return cast(str, self["wireDigest"])

    @property
    def opened(self) -> Mapping[str, str]:
        return cast("Mapping[str, str]", self["opened"])

    @property
    def steps(self) -> Sequence[Mapping[str, Any]]:
        return cast("Sequence[Mapping[str, Any]]", self["steps"])


def build_ui_session_v1_record(
    opened: Mapping[str, str], steps: Iterable[Mapping[str, Any]], label: str | None = None
) -> dict[str, Any]:
    """The `ui.session.v1` record of a session.

    opened: members of OPENED.  steps: in the order they were done, without `previous`, which is derived here.
    Raises RecordError naming every member that does not belong, UnrecordableError for a lone surrogate.
    """
    session_id = previous = _digest(_object(opened, "opened"), "opened")
    said: list[dict[str, Any]] = []
    for index, given in enumerate(steps):
        where = f"steps[{index}]"
        step = _object(given, where)
        if "previous" in step:
            raise fault_error(UI_SESSION_V1, [Fault(f"{where}.previous", "is given, but it is derived here")])
        said.append({**step, "previous": previous})
        previous = _digest(said[-1], where)
    record: dict[str, Any] = {
        "solverType": UI_SESSION_V1,
        "specVersion": SESSION_VERSION,
        "sessionId": session_id,
        "wireDigest": session_digest(session_id, opened, said),
        "opened": dict(opened),
        "steps": said,
        "stepCount": len(said),
    }
    if label is not None:
        record["label"] = label
    refuse_faults(UI_SESSION_V1, session_shape(record))
    refuse_faults(UI_SESSION_V1, session_faults(record))
    return record


def step_hash(step: Mapping[str, Any]) -> str:
    """`sha256:` and the SHA-256 of a step's RFC 8785 text, `previous` included; what the next step names."""
    return digest_of(step)


def session_digest(session_id: str, opened: Mapping[str, Any], steps: Iterable[Mapping[str, Any]]) -> str:
    """The wire digest: of the RFC 8785 text of the id, the opening and the steps, and so not of the label."""
    return digest_of({"opened": opened, "sessionId": session_id, "steps": list(steps)})


def session_shape(members: Mapping[str, Any]) -> Iterator[Fault]:
    """What keeps a document from being read as a `ui.session.v1` record: members missing or of no such kind."""
    yield from member_faults(members, _MEMBERS)
    if isinstance(members.get("opened"), Mapping):
        yield from member_faults(members["opened"], _OPENED, "opened.")
    steps = members.get("steps")
    for index, step in enumerate(steps if isinstance(steps, (list, tuple)) else ()):
        if not isinstance(step, Mapping):
            yield Fault(f"steps[{index}]", "is no object")
            continue
        yield from member_faults(step, _STEP, f"steps[{index}].")
        if isinstance(step.get("seen"), Mapping):
            yield from member_faults(step["seen"], dict.fromkeys(step["seen"], "digest"), f"steps[{index}].seen.")


def session_faults(members: Mapping[str, Any]) -> Iterator[Fault]:
    """What a record of the right shape says that does not follow from what it holds, or may not stand there."""
    yield from stranger_faults(members, _MEMBERS)
    opened, steps = members["opened"], members["steps"]
    yield from stranger_faults(opened, OPENED, "opened.")
    yield from (Fault(f"opened.{name}", "is empty") for name in OPENED if opened.get(name) == "")
    if _has_host(opened["target"]):
        yield Fault("opened.target", "names a host; the target's own name belongs there")
    try:
        session_id = digest_of(opened)
        if members["sessionId"] != session_id:
            yield Fault("sessionId", "is not the digest of `opened`")
        previous = members["sessionId"]
        for index, step in enumerate(steps):
            yield from _step_faults(step, f"steps[{index}]")
            if step["previous"] != previous:
                before = "session's id" if index == 0 else "hash of the step before"
                yield Fault(f"steps[{index}].previous", f"is not the {before}")
            previous = step_hash(step)
        if members["wireDigest"] != session_digest(members["sessionId"], opened, steps):
            yield Fault("wireDigest", "is not the digest of what the record holds")
    except UnrecordableError as exc:
        yield Fault("the record", f"cannot be written in canonical form: {exc.message}")
    if not encodable(members.get("label", "")):
        yield Fault("label", "holds a lone surrogate")
    if members["stepCount"] != len(steps):
        yield Fault("stepCount", f"is not {len(steps)}, the number of steps")


def _step_faults(step: Mapping[str, Any], where: str) -> Iterator[Fault]:
    yield from stranger_faults(step, _STEP, f"{where}.")
    needs = ACTIONS.get(step["action"])
    if needs is None:
        yield Fault(f"{where}.action", f"is none of {', '.join(ACTIONS)}")
        return
    secret = "secret" in step
    if secret and step["action"] != "fill":
        yield Fault(f"{where}.secret", "is there, but only a fill has a secret")
    value: Asked = "never" if secret else needs.value
    for name, asked in (("target", needs.target), ("value", value)):
        if asked == "asked" and name not in step:
            yield Fault(f"{where}.{name}", f"is missing; {step['action']} asks for it")
        elif asked == "never" and name in step:
            yield Fault(f"{where}.{name}", f"is there, but {step['action']}{' of a secret' * secret} has none")
    if step["action"] == "wait" and "target" not in step and "value" not in step:
        yield Fault(where, "waits for nothing: a target, a value or both were expected")
    if step.get("target") == "":
        yield Fault(f"{where}.target", "is empty")
    if step["action"] == "navigate" and _has_host(step.get("value", "")):
        yield Fault(f"{where}.value", "names a host; a route without host and port belongs there")
    if "failed" in step and step["failed"] not in FAILURES:
        yield Fault(f"{where}.failed", f"is none of {', '.join(FAILURES)}")
    if "seen" in step:
        yield from stranger_faults(step["seen"], SEEN, f"{where}.seen.")
        if not step["seen"]:
            yield Fault(f"{where}.seen", f"names nothing: {' or '.join(SEEN)} was expected")


def _has_host(text: str) -> bool:
    return "://" in text or text.startswith("//")


def _object(value: object, where: str) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise fault_error(UI_SESSION_V1, [Fault(where, f"is {kind_of(value)}, not an object")])
    return value


def _digest(value: object, where: str) -> str:
    """A digest for the builder: what no record may hold is refused with its place."""
    return sha256_digest(record_json(value, where))
