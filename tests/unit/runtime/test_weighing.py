"""Each dispute of a run is weighed before its batch is kept; the advice is shown, recorded, and moves nothing."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from adjudication_doubles import CONTRADICTS, ScriptedNLI
from bicameral.adjudication import read_result, replay_rungs
from bicameral.errors import ConfigError, ModelError
from bicameral.model.findings import Finding
from bicameral.model.judging import DialogueResult
from bicameral.ports import NLIResult
from bicameral.runtime import adjudicating
from bicameral.runtime.keeping import keep_batch
from bicameral.runtime.weighing import Weighing
from bicameral.runtime.witnessing.verifying import verify_path
from bicameral.runtime.workspace import Workspace
from bicameral.settings import Settings
from bicameral.storage import RunRow, SqlNLIAnswers
from dialogue_batches import SHOTS, first, hold, proposal, row, rulings, second


class NoAnswers:
    def answers(self, model: str, pairs: object) -> Mapping[str, NLIResult]:
        return {}

    def keep_answers(self, model: str, found: Mapping[str, NLIResult]) -> None:
        return


@pytest.fixture
def space(tmp_path: Path) -> Iterator[Workspace]:
    with Workspace.open(Settings(state_dir=tmp_path / "state")) as opened:
        with opened.store.write() as tx:
            for run_id in ("r1", "r2"):
                tx.add_run(RunRow(run_id=run_id, project="p", roster="x", started_at="t", program_version="1"))
        yield opened


@pytest.fixture
def nli(monkeypatch: pytest.MonkeyPatch) -> ScriptedNLI:
    scripted = ScriptedNLI(CONTRADICTS)
    monkeypatch.setattr(adjudicating, "_open_nli", lambda word, timeout_s: scripted)
    return scripted


async def disputed() -> DialogueResult:
    return await hold(
        first(proposal(row("a"), row("b"))), second(rulings("agree", ("dispute", "It is wide enough: 90 px.")))
    )


def bare(result: DialogueResult) -> list[Finding]:
    return [replace(finding, consensus=None) for finding in result.findings]


async def keep(space: Workspace, settings: Settings, *, run_id: str = "r1") -> DialogueResult:
    async with Weighing(settings, SqlNLIAnswers(space.store)) as weighing:
        result, weighed = await weighing.weigh(await disputed())
    keep_batch(
        space.store,
        run_id=run_id,
        position=0,
        view=SHOTS[0].view,
        shots=SHOTS,
        result=result,
        weighed=weighed,
        project="p",
    )
    return result


async def test_the_advice_stands_beside_the_dispute_and_moves_nothing(space: Workspace, nli: ScriptedNLI) -> None:
    before = await disputed()
    result = await keep(space, Settings())
    agreed, dissent = result.findings
    assert agreed == before.findings[0]
    assert dissent.consensus is not None
    (objection,) = dissent.consensus.disputed_by
    assert objection.adjudication is not None
    assert (objection.adjudication.verdict, objection.adjudication.method) == ("genuine", "nli")
    assert [replace(f, consensus=None) for f in result.findings] == [
        replace(f, consensus=None) for f in before.findings
    ]
    with space.store.read() as reader:
        assert {issue.status for issue in reader.issues()} == {"open"}


async def test_the_verdicts_are_a_child_dialog_in_the_chain_right_after_their_parent(
    space: Workspace, nli: ScriptedNLI
) -> None:
    await keep(space, Settings())
    with space.store.read() as reader:
        (batch,) = reader.batches("r1")
        parent, child = reader.chain()
        assert (parent.record, child.record) == (batch.record, batch.adjudication)
        assert child.outcome is None
        record = reader.record(child.record)
        assert record is not None
        told = json.loads(json.loads(record.body)["wireKey"])
    charge, verdicts = (json.loads(turn["content"]) for turn in told["turns"])
    assert charge["parent"] == json.loads(parent.body or b"{}")["wireDigest"]
    (verdict,) = verdicts["verdicts"]
    assert verdict.pop("pair") == 0
    result = read_result(verdict)
    again = replay_rungs(result.rungs, tier="medium")
    assert (again.verdict, again.confidence, again.method) == (result.verdict, result.confidence, result.method)


async def test_the_store_verifies_with_its_adjudications(space: Workspace, nli: ScriptedNLI, tmp_path: Path) -> None:
    await keep(space, Settings())
    problems = verify_path(Settings(state_dir=tmp_path / "state"), None).problems
    # The shots of this batch are made up, so their pictures are missing; nothing else is wrong.
    assert {problem.kind for problem in problems} <= {"missing"}


async def test_the_same_dispute_again_asks_no_model_and_leaves_no_second_link(
    space: Workspace, nli: ScriptedNLI
) -> None:
    await keep(space, Settings())
    asked = len(nli.asked)
    await keep(space, Settings(), run_id="r2")
    assert len(nli.asked) == asked > 0
    with space.store.read() as reader:
        assert len(list(reader.chain())) == 2
        assert reader.batches("r2")[0].adjudication == reader.batches("r1")[0].adjudication


async def test_with_nobody_to_ask_a_dispute_is_unverified_which_is_recorded_too(space: Workspace) -> None:
    result = await keep(space, Settings(adjudicator="none"))
    consensus = result.findings[1].consensus
    assert consensus is not None
    advice = consensus.disputed_by[0].adjudication
    assert advice is not None
    assert (advice.verdict, advice.confidence, advice.method) == ("tension", 0, "none")
    with space.store.read() as reader:
        assert reader.batches("r1")[0].adjudication is not None


async def test_an_account_without_dissent_opens_no_model_and_leaves_no_child(
    space: Workspace, nli: ScriptedNLI
) -> None:
    async with Weighing(Settings(), NoAnswers()) as weighing:
        agreed = await hold(first(proposal(row("a"))), second(rulings("agree")))
        assert await weighing.weigh(agreed) == (agreed, None)
    assert nli.asked == []


async def test_a_packaged_model_that_cannot_be_opened_costs_the_run_nothing(
    space: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(word: str, timeout_s: float | None) -> None:
        raise ModelError("The model's file is damaged.", mend="Install Bicameral anew.")

    monkeypatch.setattr(adjudicating, "_open_nli", broken)
    async with Weighing(Settings(), NoAnswers()) as weighing:
        result, weighed = await weighing.weigh(await disputed())
    assert weighed is not None
    assert [verdict.method for verdict in weighed.verdicts] == ["none"]
    assert weighing.notes == [
        "Disputes and amendments were not weighed: The model's file is damaged. Install Bicameral anew."
    ]
    assert len(result.findings) == 2


async def test_a_provider_that_was_named_and_is_none_stops_before_anything_is_judged() -> None:
    with pytest.raises(ConfigError):
        async with Weighing(Settings(adjudicator="no-such-thing"), NoAnswers()):
            pass
