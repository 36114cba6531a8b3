"""The deciding parts, run whole, while everything that reaches outside raises.

import-linter sees what is imported; this sees what is called. A call counts as theirs if one of their frames is on the
stack, whoever made it for them.
"""

from __future__ import annotations

import asyncio
import builtins
import datetime
import io
import json
import os
import random
import secrets
import socket
import sys
import time
import uuid
from collections.abc import Callable, Iterator
from types import FrameType
from typing import Any

import pytest

from bicameral import backlog, canonical, dialogue
from bicameral.errors import BicameralError
from bicameral.model.judging import DialogueResult
from bicameral.model.seats import Seat
from bicameral.testing.scripted import ScriptedJudge
from bicameral.witness import record_dialog, render_transcript, verify_record
from dialogue_batches import FIRST, SECOND, SHOTS, proposal, question, row, rulings

PURE = tuple(
    f"bicameral.{name}" for name in ("errors", "model", "ports", "canonical", "dialogue", "backlog", "witness")
)
OUTSIDE: tuple[tuple[Any, str], ...] = (
    (builtins, "open"),
    (io, "open"),
    (os, "open"),
    (os, "stat"),
    (os, "listdir"),
    (os, "getenv"),
    (os, "urandom"),
    (socket, "socket"),
    (socket, "create_connection"),
    (time, "time"),
    (time, "time_ns"),
    (time, "monotonic"),
    (time, "perf_counter"),
    (time, "sleep"),
    (random, "random"),
    (random, "randint"),
    (random, "shuffle"),
    (secrets, "token_hex"),
    (uuid, "uuid4"),
)


class ReachedOutside(BaseException):
    """No Exception, so that no stage can take it for something that failed."""


def _pure_caller(frame: FrameType | None) -> str | None:
    while frame is not None:
        name = frame.f_globals.get("__name__", "")
        if name.startswith(PURE):
            return str(name)
        frame = frame.f_back
    return None


@pytest.fixture
def sealed(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Everything outside raises ReachedOutside for the deciding parts, and works for everybody else."""

    def guarded(name: str, real: Callable[..., Any]) -> Callable[..., Any]:
        def call(*args: Any, **kwargs: Any) -> Any:
            caller = _pure_caller(sys._getframe(1))
            if caller is not None:
                raise ReachedOutside(f"{caller} reached {name}")
            return real(*args, **kwargs)

        return call

    for owner, name in OUTSIDE:
        monkeypatch.setattr(owner, name, guarded(f"{owner.__name__}.{name}", getattr(owner, name)))

    class SealedDatetime(datetime.datetime):
        @classmethod
        def now(cls, tz: datetime.tzinfo | None = None) -> SealedDatetime:
            caller = _pure_caller(sys._getframe(1))
            if caller is not None:
                raise ReachedOutside(f"{caller} read the clock")
            return super().now(tz)  # type: ignore[return-value]  # the base class promises Self

    monkeypatch.setattr(datetime, "datetime", SealedDatetime)
    return


def held() -> DialogueResult:
    """A dialogue with every turn there is: a dispute, an addition, and a second round that rules on it."""
    proposer = ScriptedJudge(Seat(FIRST, "m1"), [proposal(row("a"), row("b")), rulings(("amend", "only there"))])
    added = [row("c")]
    challenger = ScriptedJudge(Seat(SECOND, "m2"), [rulings("agree", ("dispute", "it is even"), additions=added)])
    asked = question()
    return asyncio.run(dialogue.hold_dialogue(asked, proposer, challenger, monotonic=lambda: 0.0))


def test_the_seal_holds(sealed: None) -> None:
    namespace = {"__name__": "bicameral.dialogue.made_up", "time": time}
    exec("def peek():\n    return time.monotonic()", namespace)
    with pytest.raises(ReachedOutside, match=r"made_up reached time\.monotonic"):
        namespace["peek"]()  # type: ignore[operator]
    assert time.monotonic() > 0


def test_a_whole_dialogue_reaches_nothing_outside(sealed: None) -> None:
    result = held()
    assert result.dialogued
    assert len(result.turns) == 4


def test_the_same_dialogue_twice_is_the_same_value_and_the_same_record(sealed: None) -> None:
    first, second = held(), held()
    assert first == second
    assert record_dialog(first.turns).record_bytes == record_dialog(second.turns).record_bytes


def test_keying_caching_witnessing_and_reading_back_reach_nothing_outside(sealed: None) -> None:
    result = held()
    judge = ScriptedJudge(Seat(FIRST, "m1"), [])
    assert dialogue.cache_key(question(), judge).startswith("sha256:")
    assert dialogue.decode_result(dialogue.encode_result(result)) == result
    witnessed = record_dialog(result.turns)
    assert list(verify_record(witnessed.record)) == []
    assert "dispute" in render_transcript(witnessed.record)
    assert canonical.wire_digest(canonical.open_dialog(witnessed.record_bytes)) == witnessed.wire_digest


def test_merging_ruling_and_the_document_reach_nothing_outside(sealed: None) -> None:
    result = held()
    witnessed = record_dialog(result.turns)
    batch = backlog.JudgedBatch(
        run_id="r1",
        shots=SHOTS,
        findings=result.findings,
        dialog_id=witnessed.dialog_id,
        wire_digest=witnessed.wire_digest,
        reaches=backlog.reach_of(result, SHOTS),
    )
    merged = backlog.merge((), batch)
    ruled = backlog.rule(merged.issues[0], status="fixed", ruled_by="Ada", ruled_at="2026-11-30T12:00:00Z")
    document = backlog.export_document([ruled, *merged.issues[1:]])
    assert backlog.export_document(backlog.read_document(document)) == document


def test_refusing_reaches_nothing_outside_either(sealed: None) -> None:
    for text in ("", "{", "[" * 5000, '{"verdicts": [{"index": true}]}', json.dumps({"verdicts": None})):
        assert dialogue.parse_challenge(text, count=2, shots=["a"]).state != "complete"
    with pytest.raises(BicameralError):
        canonical.read_record(b"\xff")
    with pytest.raises(BicameralError):
        backlog.read_document(b"{}")
