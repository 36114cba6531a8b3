"""A store of the first version is brought up to date with nothing lost: its links get the bytes that they hash."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
import sqlalchemy as sa
from alembic import command
from alembic.config import Config

from bicameral.canonical import canonical_json, sha256_digest
from bicameral.evidence.store import EvidenceFolder
from bicameral.model.judging import DialogueResult
from bicameral.model.witnessing import WitnessedDialog
from bicameral.runtime.witnessing.rereading import replay_path
from bicameral.runtime.witnessing.verifying import verify_path
from bicameral.settings import Settings
from bicameral.storage import Store, reply_row
from bicameral.storage._sqlite import mark
from bicameral.witness import chain_entry, chain_entry_bytes, record_dialog
from dialogue_batches import SHOTS, first, hold, proposal, question, row, rulings, second, shot

TWO = proposal(row("a"), row("b"))
SCRIPTS = [
    ([TWO], [rulings("agree", ("dispute", "no"))]),
    (["junk", TWO], [rulings("agree", "agree")]),
    ([proposal(row("c")), rulings("agree")], [rulings("agree", additions=[row("new")])]),
]


def results(evidence: EvidenceFolder) -> list[DialogueResult]:
    shots = tuple(shot(s.shot_id, picture=evidence.put(s.shot_id.encode(), ".png")) for s in SHOTS)
    return [asyncio.run(hold(first(*one), second(*other), question(shots=shots))) for one, other in SCRIPTS]


def first_store(path: Path, held: Sequence[DialogueResult], *, forget: str | None = None) -> list[WitnessedDialog]:
    """A store as the first version left it. forget: a statement by which something is lost before it is opened anew."""
    engine = sa.create_engine(f"sqlite:///{path}")
    config = Config()
    config.set_main_option("script_location", "bicameral.storage:migrations")
    with engine.begin() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, "0001")
        mark(connection)
        said = [_keep(connection, seq, result) for seq, result in enumerate(held)]
        if forget is not None:
            connection.exec_driver_sql(forget)
    engine.dispose()
    return said


def _keep(connection: sa.Connection, seq: int, result: DialogueResult) -> WitnessedDialog:
    witnessed = record_dialog(result.turns, raw=result.raw)
    run_id = f"r{seq}"
    previous = connection.exec_driver_sql("SELECT entry FROM chain ORDER BY seq DESC LIMIT 1").scalar()
    whole = chain_entry(witnessed, seq=seq, previous=previous)
    marks = tuple(replace(one, about=None) for one in whole.replies if one.chain_depth is not None)
    body = chain_entry_bytes(replace(whole, replies=marks))
    _insert(
        connection,
        "runs",
        run_id=run_id,
        project="p",
        roster="x",
        started_at="t",
        finished_at="t",
        exit_status=0,
        program_version="0.1",
        spend="{}",
        report=b"{}",
    )
    _insert(
        connection,
        "records",
        digest=witnessed.record_digest,
        dialog_id=witnessed.dialog_id,
        solver_type="agent.dialog.v1",
        body=witnessed.record_bytes,
    )
    for position, reply in enumerate(witnessed.replies):
        members = vars(reply_row(reply.raw, depth=reply.chain_depth))
        _insert(connection, "raw_replies", record=witnessed.record_digest, run_id=run_id, position=position, **members)
    _insert(
        connection,
        "chain",
        seq=seq,
        previous=previous or "",
        entry=sha256_digest(body),
        record=witnessed.record_digest,
    )
    view = SHOTS[0].view
    told = canonical_json({"wire_digest": witnessed.wire_digest})
    _insert(
        connection,
        "batches",
        run_id=run_id,
        position=0,
        target=view.target,
        platform=view.platform,
        route=view.route,
        state=view.state,
        record=witnessed.record_digest,
        body=told,
    )
    return witnessed


def _insert(connection: sa.Connection, table: str, **values: object) -> None:
    names = ", ".join(values)
    marks = ", ".join(f":{name}" for name in values)
    connection.execute(sa.text(f"INSERT INTO {table} ({names}) VALUES ({marks})"), values)


@pytest.fixture
def held(tmp_path: Path) -> list[DialogueResult]:
    return results(EvidenceFolder(tmp_path / "evidence"))


def test_every_link_gets_the_bytes_that_it_hashes_and_the_run_that_it_is_of(
    tmp_path: Path, held: list[DialogueResult]
) -> None:
    said = first_store(tmp_path / "bicameral.db", held)
    with Store.open(tmp_path / "bicameral.db", create=False) as store, store.read() as reader:
        links = list(reader.chain())
        rows = [row.body for row in reader.records()]
    assert [link.run_id for link in links] == ["r0", "r1", "r2"]
    for link, witnessed in zip(links, said, strict=True):
        assert link.body is not None
        assert sha256_digest(link.body) == link.entry
        assert json.loads(link.body)["recordDigest"] == witnessed.record_digest
        assert link.outcome is None
    assert sorted(rows) == sorted(one.record_bytes for one in said)


def test_it_is_sound_but_for_the_instructions_that_it_never_kept(tmp_path: Path, held: list[DialogueResult]) -> None:
    first_store(tmp_path / "bicameral.db", held)
    found = verify_path(Settings(), str(tmp_path))
    assert (found.status, found.problems, found.entries) == (0, (), 3)
    assert found.summary is not None
    assert (found.summary.no_instructions, found.summary.blobs) == (2, 3)


def test_its_dialogues_are_replayed_where_no_reply_went_unmarked_that_mattered(
    tmp_path: Path, held: list[DialogueResult]
) -> None:
    first_store(tmp_path / "bicameral.db", held)
    found = replay_path(Settings(), str(tmp_path))
    assert (found.status, found.replayed, found.different) == (0, 3, ())


def test_new_links_go_on_where_the_first_version_ended(tmp_path: Path, held: list[DialogueResult]) -> None:
    from bicameral.runtime.keeping import keep_batch
    from bicameral.storage import RunRow

    first_store(tmp_path / "bicameral.db", held[:2])
    with Store.open(tmp_path / "bicameral.db") as store:
        with store.write() as tx:
            tx.add_run(RunRow(run_id="r9", project="p", roster="x", started_at="t", program_version="1"))
        keep_batch(
            store,
            run_id="r9",
            position=0,
            view=SHOTS[0].view,
            shots=SHOTS,
            result=held[2],
            evidence=EvidenceFolder(tmp_path / "evidence"),
            instructions=("Look.", "Look again."),
        )
    found = verify_path(Settings(), str(tmp_path))
    assert (found.status, found.problems, found.entries) == (0, (), 3)


@pytest.mark.parametrize(
    "forget",
    [
        "DELETE FROM raw_replies WHERE record = (SELECT record FROM chain WHERE seq = 1)",
        "UPDATE records SET body = x'7b7d' WHERE digest = (SELECT record FROM chain WHERE seq = 1)",
        "UPDATE records SET body = x'ff' WHERE digest = (SELECT record FROM chain WHERE seq = 1)",
        "UPDATE chain SET previous = 'sha256:0' WHERE seq = 1",
    ],
)
def test_a_link_whose_bytes_cannot_be_derived_is_kept_without_them_and_never_called_sound(
    tmp_path: Path, held: list[DialogueResult], forget: str
) -> None:
    first_store(tmp_path / "bicameral.db", held, forget=forget)
    with Store.open(tmp_path / "bicameral.db", create=False) as store, store.read() as reader:
        assert [link.body is None for link in reader.chain()] == [False, True, False]
    assert verify_path(Settings(), str(tmp_path)).status in (1, 2)


def test_a_migration_that_breaks_off_leaves_the_first_version_as_it_was(
    tmp_path: Path, held: list[DialogueResult], monkeypatch: pytest.MonkeyPatch
) -> None:
    from bicameral.storage import _sqlite

    path = tmp_path / "bicameral.db"
    first_store(path, held)

    def break_off(_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(_sqlite, "mark", break_off)
        with pytest.raises(KeyboardInterrupt):
            Store.open(path)
    engine = sa.create_engine(f"sqlite:///{path}")
    with closing(engine.raw_connection()) as raw:
        assert raw.cursor().execute("SELECT version FROM meta").fetchone() == (1,)
    engine.dispose()
    assert verify_path(Settings(), str(tmp_path)).status == 0
