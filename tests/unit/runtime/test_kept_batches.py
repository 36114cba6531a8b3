"""What the store holds of a batch: its record, its link, every reply, what it found, or why it could not be judged."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar

import pytest
from PIL import Image

import bicameral
from bicameral.dialogue import decode_result, encode_result, refold
from bicameral.errors import JudgeFailed
from bicameral.model.judging import DialogueResult, JudgeReply, JudgeRequest, RawReply
from bicameral.model.run import RunReport
from bicameral.model.seats import Seat
from bicameral.model.witnessing import WitnessedDialog
from bicameral.runtime.check import run_folder
from bicameral.runtime.events import unwatched
from bicameral.runtime.keeping import keep_batch, keep_failure
from bicameral.runtime.workspace import Workspace
from bicameral.settings import Settings
from bicameral.storage import RunRow, Store, raw_of
from bicameral.testing.scripted import Line, ScriptedJudge
from bicameral.witness import record_dialog
from dialogue_batches import DARK, LIGHT, PHONE, SHOTS, first, hold, proposal, question, row, rulings, second

VIEW = SHOTS[0].view
CUT = Line(text="", finish="length")
SECOND_HALF = json.dumps({"verdicts": [{"index": 1, "verdict": "dispute", "note": "no"}]})
TWO = proposal(row("a"), row("b"))


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.open(tmp_path / "s.db") as opened:
        with opened.write() as tx:
            for run_id in ("r1", "r2"):
                tx.add_run(RunRow(run_id=run_id, project="p", roster="x", started_at="t", program_version="1"))
        yield opened


def keep(store: Store, result: DialogueResult, *, run_id: str = "r1", position: int = 0) -> WitnessedDialog:
    return keep_batch(store, run_id=run_id, position=position, view=VIEW, shots=SHOTS, result=result)[0]


async def whole() -> DialogueResult:
    return await hold(first(TWO), second(rulings("agree", ("dispute", "no"))))


SCRIPTS: dict[str, tuple[list[Any], list[Any]]] = {
    "whole": ([TWO], [rulings("agree", ("dispute", "no"))]),
    "a challenge in halves": ([TWO], [CUT, CUT, rulings("agree"), SECOND_HALF]),
    "a challenge asked again": ([TWO], [CUT, rulings("agree", "agree")]),
    "a proposal in halves": ([CUT, CUT, proposal(row(), clean=[DARK]), proposal(clean=[PHONE])], [rulings("agree")]),
    "an unreadable challenge": ([TWO], ["junk", "more junk"]),
    "an unreadable proposal, then a readable one": (["junk", TWO], [rulings("agree", "agree")]),
    "the same junk twice": ([TWO], ["junk", "junk"]),
    "shots that were not opened": ([Line(text=proposal(row()), reads=(LIGHT,))], [rulings("agree")]),
    "a second round": ([proposal(row()), rulings("agree")], [rulings("agree", additions=[row("new")])]),
    "a challenger that is down": ([TWO], [RuntimeError("down")]),
    "a second round that fails": ([proposal(row()), RuntimeError("x")], [rulings("agree", additions=[row("new")])]),
}


@pytest.mark.parametrize("name", SCRIPTS)
async def test_the_dialogue_can_be_held_again_from_what_the_store_gives_back(store: Store, name: str) -> None:
    proposer, challenger = SCRIPTS[name]
    result = await hold(first(*proposer), second(*challenger))
    witnessed = keep(store, result)
    with store.read() as reader:
        raw = reader.raw_replies(witnessed.record_digest)
    assert raw == result.raw
    assert raw is not None
    again = await refold(
        question(),
        result.roster,
        raw,
        undialogued_reason=result.undialogued_reason,
        second_round_reason=result.second_round_reason,
    )
    assert (again.findings, again.unruled, again.rejected) == (result.findings, result.unruled, result.rejected)
    assert record_dialog(again.turns).record_bytes == witnessed.record_bytes


async def test_a_reply_knows_its_turn_where_one_was_read_from_it(store: Store) -> None:
    result = await hold(first(TWO), second(CUT, CUT, rulings("agree"), SECOND_HALF))
    witnessed = keep(store, result)
    with store.read() as reader:
        assert [row.depth for row in reader.replies(witnessed.record_digest)] == [1, None, None, 2, None]


async def test_what_an_adapter_reported_of_a_reply_is_kept_with_it(store: Store) -> None:
    said = Line(text=TWO, reads=(LIGHT, DARK), meta={"pictures": "scaled 1:2"})
    witnessed = keep(store, await hold(first(said), second(rulings("agree", "agree"))))
    with store.read() as reader:
        raw = raw_of(reader.replies(witnessed.record_digest)[0])
    assert raw is not None
    assert (raw.reads, dict(raw.meta)) == ((LIGHT, DARK), {"pictures": "scaled 1:2"})


async def test_a_new_record_gets_a_link_in_the_chain_and_the_same_record_again_none(store: Store) -> None:
    result = await whole()
    one = keep(store, result)
    keep(store, result, run_id="r2")
    other = keep(store, await hold(first(proposal(row("z"))), second(rulings("agree"))), run_id="r2", position=1)
    with store.read() as reader:
        assert [entry.record for entry in reader.chain()] == [one.record_digest, other.record_digest]
        first_link, second_link = reader.chain()
    assert second_link.previous == first_link.entry


async def test_what_a_batch_found_is_in_the_backlog_when_it_is_kept(store: Store) -> None:
    result = await whole()
    keep(store, result)
    assert sorted(issue.attribute for issue in store.issues()) == ["a", "b"]
    assert [batch.record for batch in store.batches("r1")] == [record_dialog(result.turns).record_digest]


async def test_each_run_keeps_its_own_replies_and_one_that_was_served_from_the_cache_none(store: Store) -> None:
    result = await whole()
    record = keep(store, result).record_digest
    served = replace(decode_result(encode_result(result)), cached=True)
    keep(store, served, run_id="r2")
    with store.read() as reader:
        assert reader.raw_replies(record, "r1") == result.raw
        assert reader.raw_replies(record, "r2") == ()


async def test_a_cached_verdict_whose_record_is_gone_brings_its_replies_with_it(store: Store) -> None:
    result = await whole()
    served = replace(decode_result(encode_result(result)), cached=True)
    record = keep(store, served).record_digest
    with store.read() as reader:
        assert reader.raw_replies(record) == result.raw
        assert [row.depth for row in reader.replies(record)] == [1, 2]


class TestAViewThatCouldNotBeJudged:
    RAW = RawReply(
        handle="codex", model="m", task="propose", text="junk \\u0000", digest="d", finish="stop", state="unreadable"
    )

    @pytest.mark.parametrize("raw", [None, RAW], ids=["no reply", "a reply"])
    def test_it_leaves_a_batch_with_why_and_the_reply_that_came(self, store: Store, raw: RawReply | None) -> None:
        failed = JudgeFailed("codex gave nothing \udc80.", reason="unreadable", raw=raw)
        keep_failure(store, run_id="r1", position=0, view=VIEW, shots=SHOTS, failed=failed)
        (batch,) = store.batches("r1")
        told = json.loads(batch.body)
        assert (batch.record, batch.view) == (None, VIEW)
        assert (told["failure"], told["failure_note"]) == ("unreadable", "codex gave nothing \\udc80.")
        assert (told["raw"] or {}).get("text") == (None if raw is None else raw.text)
        assert [shot["shot_id"] for shot in told["shots"]] == [shot.shot_id for shot in SHOTS]

    def run(self, folder: Path, proposer: list[Any], challenger: list[Any], **more: Any) -> tuple[RunReport, Workspace]:
        (folder / "shots").mkdir()
        Image.new("RGB", (60, 40), "white").save(folder / "shots" / "home.png")
        bicameral.register_judge("kept-first", lambda seat: ScriptedJudge(seat, list(proposer)))
        bicameral.register_judge("kept-second", lambda seat: ScriptedJudge(seat, list(challenger)))
        settings = Settings(
            proposer=str(Seat("kept-first", "m")),
            challenger=str(Seat("kept-second", "m")),
            state_dir=folder / "state",
            **more,
        )
        space = Workspace.open(settings)
        return run_folder(settings, folder / "shots", space, unwatched), space

    def test_a_whole_run_tells_and_keeps_it(self, tmp_path: Path) -> None:
        report, space = self.run(tmp_path, ["junk", "more junk"], [])
        with space:
            (run,) = space.store.runs()
            (batch,) = space.store.batches(run.run_id)
        assert report.exit_status == 2
        assert report.summary.reply_states == {"unreadable": 1}
        assert json.loads(batch.body)["failure"] == report.batches[0].failure == "unreadable"
        assert json.loads(batch.body)["raw"]["text"] == "more junk"

    def test_a_run_counts_an_issue_as_the_backlog_has_it(self, tmp_path: Path) -> None:
        shot_id = "pictures/home/rest/desktop/light"
        filed = json.dumps({"findings": [row(shot_id=shot_id)], "clean_shot_ids": []})
        report, space = self.run(tmp_path, [filed], [rulings(("dispute", "it is even"))], ignore_disputed=True)
        with space:
            (issue,) = space.store.issues()
        assert issue.disputed
        assert (report.exit_status, report.summary.open, report.summary.disputed) == (0, 0, 1)


class ByRoute:
    """A judge that has one answer for each route, and takes its time over the first one."""

    costs_nothing = False
    identity: ClassVar[dict[str, str]] = {}

    def __init__(self, seat: Seat, answers: dict[str, str]) -> None:
        self.seat = seat
        self.answers = answers

    async def ask(self, request: JudgeRequest) -> JudgeReply:
        route = request.shots[0].route.strip("/")
        if route == "a":
            await asyncio.sleep(0.5)
        return JudgeReply(text=self.answers[route], handle=self.seat.handle, model=self.seat.model)


def test_an_issue_of_two_views_counts_as_the_one_that_was_merged_last_left_it(tmp_path: Path) -> None:
    """Of a defect of the navigation, disputed where the second view shows it and then agreed where the first does."""
    (tmp_path / "shots").mkdir()
    for route in ("a", "b"):
        Image.new("RGB", (60, 40), "white").save(tmp_path / "shots" / f"{route}.png")
    nav = {
        route: json.dumps(
            {
                "findings": [row(shot_id=f"pictures/{route}/rest/desktop/light", region="shell-nav")],
                "clean_shot_ids": [],
            }
        )
        for route in ("a", "b")
    }
    ruled = {"a": rulings("agree"), "b": rulings(("dispute", "it is even"))}
    bicameral.register_judge("route-first", lambda seat: ByRoute(seat, nav))
    bicameral.register_judge("route-second", lambda seat: ByRoute(seat, ruled))
    settings = Settings(
        proposer="route-first:m", challenger="route-second:m", state_dir=tmp_path / "state", ignore_disputed=True
    )
    with Workspace.open(settings) as space:
        report = run_folder(settings, tmp_path / "shots", space, unwatched)
        (issue,) = space.store.issues()
    assert not issue.disputed
    assert (report.exit_status, report.summary.open, report.summary.issues) == (1, 1, 1)
