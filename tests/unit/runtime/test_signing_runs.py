"""Signing a store: by hand, at a run's end, and when a key is handed over. No run is lost for want of a signature."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

import bicameral
from bicameral.errors import InputError, SigningKeyError, StoreBusyError, StoreError
from bicameral.model.run import RunReport
from bicameral.model.seats import Seat
from bicameral.model.witnessing import Envelope
from bicameral.runtime import signing
from bicameral.runtime.check import run_folder
from bicameral.runtime.events import unwatched
from bicameral.runtime.keyfiles import write_key_pair
from bicameral.runtime.signing import rotate_key, sign_head
from bicameral.runtime.workspace import Workspace
from bicameral.settings import Settings
from bicameral.storage import Store
from bicameral.testing.scripted import ScriptedJudge
from bicameral.witness.keys import PrivateKey
from bicameral.witness.signing import SignatureState, check_envelope, signature_state
from bicameral.witness.statement import HeadStatement, SignedRun
from dialogue_batches import row, rulings

KEY, NEXT, LAST = (PrivateKey(bytes([n]) * 32) for n in (1, 2, 3))


def shots(folder: Path, *names: str) -> Path:
    (folder / "shots").mkdir(exist_ok=True)
    for number, name in enumerate(names):
        Image.new("RGB", (60 + number, 40), "white").save(folder / "shots" / f"{name}.png")
    return folder / "shots"


def settings(folder: Path, **more: Any) -> Settings:
    proposal = {
        route: json.dumps({"findings": [row(shot_id=f"pictures/{route}/rest/desktop/light")], "clean_shot_ids": []})
        for route in ("home", "more")
    }

    class ByRoute(ScriptedJudge):
        async def ask(self, request: Any) -> Any:
            self._script.insert(len(self.requests), proposal[request.shots[0].route.strip("/")])
            return await super().ask(request)

    bicameral.register_judge("signed-first", lambda seat: ByRoute(seat, []))
    bicameral.register_judge("signed-second", lambda seat: ScriptedJudge(seat, [rulings("agree")] * 9))
    return Settings(
        proposer=str(Seat("signed-first", "m")),
        challenger=str(Seat("signed-second", "m")),
        state_dir=folder / "state",
        **more,
    )


def run(space: Workspace, folder: Path, *names: str, **more: Any) -> RunReport:
    return run_folder(settings(folder, **more), shots(folder, *(names or ("home",))), space, unwatched)


@pytest.fixture
def space(tmp_path: Path) -> Iterator[Workspace]:
    with Workspace.open(settings(tmp_path)) as opened:
        yield opened


@pytest.fixture
def key_file(tmp_path: Path) -> Path:
    write_key_pair(KEY, tmp_path / "sign.pem")
    return tmp_path / "sign.pem"


def envelopes(space: Workspace) -> list[Envelope]:
    with space.store.read() as reader:
        return list(reader.envelopes())


def state_of(space: Workspace, *pinned: PrivateKey) -> SignatureState:
    with space.store.read() as reader:
        places = {entry.entry: entry.seq for entry in reader.chain()}
        head = reader.chain_head()
        return signature_state(
            list(reader.envelopes()),
            [key.public for key in pinned],
            head=None if head is None else head.entry,
            entries=len(places),
            seq_of=places.get,
        )


def signed_run_of(space: Workspace, number: int = -1) -> SignedRun:
    checked = check_envelope(envelopes(space)[number].body, [KEY.public])
    assert isinstance(checked.statement, HeadStatement)
    assert checked.statement.run is not None
    return checked.statement.run


class TestARunWithAKey:
    def test_its_head_is_signed_when_it_ends(self, space: Workspace, tmp_path: Path, key_file: Path) -> None:
        report = run(space, tmp_path, signing_key=key_file)
        assert (report.exit_status, report.notes) == (1, ())
        state = state_of(space, KEY)
        assert (state.word, state.problems) == ("signed", ())

    def test_the_signature_carries_what_the_record_leaves_out(
        self, space: Workspace, tmp_path: Path, key_file: Path
    ) -> None:
        report = run(space, tmp_path, "home", "more", signing_key=key_file)
        told = signed_run_of(space)
        kept = space.store.run(report.run_id)
        assert kept is not None
        assert (told.run_id, told.started_at, told.finished_at) == (report.run_id, kept.started_at, kept.finished_at)
        assert (told.exit_status, told.program_version, told.spend) == (1, bicameral.__version__, report.spend)
        with space.store.read() as reader:
            rows = {row.digest: reader.replies(row.digest, report.run_id) for row in reader.records(report.run_id)}
        assert told.records is not None
        assert [record.record_digest for record in told.records] == list(rows)
        assert told.record_count == 2
        for record in told.records:
            said = [(reply.digest, reply.finish, reply.state) for reply in record.replies]
            assert said == [(reply.digest, reply.finish, reply.state) for reply in rows[record.record_digest]]
            assert len(said) == 2

    def test_without_a_key_nothing_is_signed(self, space: Workspace, tmp_path: Path) -> None:
        run(space, tmp_path)
        assert envelopes(space) == []
        assert state_of(space, KEY).word == "unsigned"

    def test_a_later_run_without_a_key_leaves_its_entries_unsigned(
        self, space: Workspace, tmp_path: Path, key_file: Path
    ) -> None:
        run(space, tmp_path, signing_key=key_file)
        run(space, tmp_path, "home", "more")
        state = state_of(space, KEY)
        assert (state.word, state.signed_seq, state.unsigned) == ("moved-on", 0, 1)

    def test_a_key_that_cannot_be_used_is_told_before_anything_is_judged(
        self, space: Workspace, tmp_path: Path, key_file: Path
    ) -> None:
        key_file.chmod(0o644)
        for path in (key_file, tmp_path / "missing"):
            with pytest.raises(SigningKeyError):
                run(space, tmp_path, signing_key=path)
        assert space.store.runs() == ()

    def test_the_passphrase_opens_the_key(self, space: Workspace, tmp_path: Path) -> None:
        write_key_pair(KEY, tmp_path / "locked.pem", passphrase="open")
        run(space, tmp_path, signing_key=tmp_path / "locked.pem", signing_passphrase="open")
        assert state_of(space, KEY).signed


class TestAFailureToSign:
    @pytest.mark.parametrize("failure", [StoreBusyError("The store is busy."), RuntimeError("The card is out.")])
    def test_the_run_is_whole_and_says_so(
        self,
        space: Workspace,
        tmp_path: Path,
        key_file: Path,
        monkeypatch: pytest.MonkeyPatch,
        failure: Exception,
    ) -> None:
        def fail(*_: object, **__: object) -> None:
            raise failure

        monkeypatch.setattr(signing, "sign_statement", fail)
        report = run(space, tmp_path, signing_key=key_file)
        assert report.exit_status == 2
        assert len(report.findings) == 1
        assert [note for note in report.notes if str(failure) in note and "bicameral witness sign" in note]
        kept = space.store.run(report.run_id)
        assert kept is not None
        assert (kept.exit_status, envelopes(space)) == (2, [])
        body = space.store.report(report.run_id)
        assert body is not None
        assert json.loads(body)["findings"]
        assert len(space.store.issues()) == 1

    def test_a_store_that_can_no_longer_be_written_loses_nothing_that_was_committed(
        self, space: Workspace, tmp_path: Path, key_file: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        real = Store.write

        def fail(*_: object, **__: object) -> None:
            monkeypatch.setattr(Store, "write", broken)
            raise StoreError("The disk is full.")

        def broken(self: Store) -> Any:
            raise StoreError("The disk is full.")

        monkeypatch.setattr(signing, "sign_statement", fail)
        report = run(space, tmp_path, signing_key=key_file)
        monkeypatch.setattr(Store, "write", real)
        assert report.exit_status == 2
        kept = space.store.run(report.run_id)
        assert kept is not None
        assert kept.exit_status == 1
        assert len(space.store.issues()) == 1

    def test_a_damaged_entry_is_not_signed(self, space: Workspace, tmp_path: Path) -> None:
        run(space, tmp_path)
        with space.store.write() as tx:
            tx._connection.exec_driver_sql("UPDATE chain SET body = x'00'")
        with pytest.raises(StoreError, match="Entry 0 of the chain is damaged"):
            sign_head(space, KEY)
        assert envelopes(space) == []


class TestByHand:
    def test_a_head_is_signed_once_by_one_key(self, space: Workspace, tmp_path: Path) -> None:
        run(space, tmp_path)
        first, second = sign_head(space, KEY), sign_head(space, KEY)
        assert first is not None
        assert second is not None
        assert (first.is_new, second.is_new, first.seq) == (True, False, 0)
        assert second.envelope == first.envelope
        assert envelopes(space) == [first.envelope]
        assert state_of(space, KEY).signed

    def test_two_keys_sign_one_head(self, space: Workspace, tmp_path: Path) -> None:
        run(space, tmp_path)
        sign_head(space, KEY)
        sign_head(space, NEXT)
        assert state_of(space, KEY).signed
        assert state_of(space, NEXT).signed

    def test_an_empty_store_has_nothing_to_sign(self, space: Workspace) -> None:
        assert sign_head(space, KEY) is None
        assert envelopes(space) == []

    def test_a_run_that_is_not_there_is_told(self, space: Workspace, tmp_path: Path) -> None:
        run(space, tmp_path)
        with pytest.raises(InputError, match="There is no run 'x'"):
            sign_head(space, KEY, "x")

    def test_a_run_of_very_many_replies_says_how_many_records_it_has(
        self, space: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(signing, "MAX_LISTED", 3)
        report = run(space, tmp_path, "home", "more")
        sign_head(space, KEY, report.run_id)
        told = signed_run_of(space)
        assert (told.record_count, told.records) == (2, None)
        assert state_of(space, KEY).signed


class TestRotation:
    def test_readers_of_either_key_find_the_head_signed(self, space: Workspace, tmp_path: Path) -> None:
        run(space, tmp_path)
        sign_head(space, KEY)
        done = rotate_key(space, KEY, NEXT)
        assert done.head is not None
        assert done.head.is_new
        assert state_of(space, KEY).signed
        assert state_of(space, NEXT).signed
        run(space, tmp_path, "home", "more")
        sign_head(space, NEXT)
        assert state_of(space, KEY).key_id == NEXT.key_id
        assert not state_of(space, LAST).signed

    def test_doing_it_again_changes_nothing(self, space: Workspace, tmp_path: Path) -> None:
        run(space, tmp_path)
        first, second = rotate_key(space, KEY, NEXT), rotate_key(space, KEY, NEXT)
        assert second.rotation == first.rotation
        assert len(envelopes(space)) == 2

    def test_an_empty_store_keeps_the_rotation(self, space: Workspace) -> None:
        assert rotate_key(space, KEY, NEXT).head is None
        assert [envelope.kind for envelope in envelopes(space)] == ["rotation"]

    def test_a_second_successor_a_circle_and_the_same_key_are_refused(self, space: Workspace) -> None:
        rotate_key(space, KEY, NEXT)
        with pytest.raises(SigningKeyError, match=f"handed over already, to {NEXT.key_id}"):
            rotate_key(space, KEY, LAST)
        with pytest.raises(SigningKeyError, match="handed over itself before"):
            rotate_key(space, NEXT, KEY)
        with pytest.raises(SigningKeyError, match="are the same"):
            rotate_key(space, KEY, KEY)
        assert len(envelopes(space)) == 1
