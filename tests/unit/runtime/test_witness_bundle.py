"""A run as one file: whole or not there, and read by name where there is nothing else."""

from __future__ import annotations

import errno
import io
import os
from pathlib import Path
from typing import Any

import pytest
from witness_store import SCRIPTS, held, keep, shots_with_evidence, workspace

from bicameral.errors import InputError, StoreError
from bicameral.runtime.witnessing import bundling
from bicameral.runtime.witnessing.bundling import bundle, bundle_to
from bicameral.runtime.witnessing.comparing import compare
from bicameral.runtime.witnessing.locating import locate, records_in
from bicameral.runtime.witnessing.redacting import redact
from bicameral.runtime.witnessing.rereading import replay_path
from bicameral.runtime.workspace import Workspace
from bicameral.settings import Settings

BOTH = "both agree on one and not on the other"


def fill(space: Workspace, *runs: str, scripts: tuple[str, ...] = (BOTH,)) -> None:
    for run_id in runs:
        for position, name in enumerate(scripts):
            shots = shots_with_evidence(space.evidence, f"{run_id} {name}")
            keep(space, held(name, shots), shots, run_id=run_id, position=position)


def left(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


class TestMaking:
    def test_the_same_run_gives_the_same_bytes_into_a_file_and_into_a_stream(self, tmp_path: Path) -> None:
        with workspace(tmp_path / "s", "r1") as space:
            fill(space, "r1")
            done = bundle(space, "r1", tmp_path / "a.tar")
            stream = io.BytesIO()
            bundle_to(space, "r1", stream)
            bundle(space, "latest", tmp_path / "b.tar")
        bodies = {(tmp_path / name).read_bytes() for name in ("a.tar", "b.tar")} | {stream.getvalue()}
        assert [len(body) for body in bodies] == [done.size]
        assert (done.run_id, done.entries, done.records, done.finished, done.failed) == ("r1", 1, 1, False, 0)

    def test_the_whole_store_goes_into_one_too(self, tmp_path: Path) -> None:
        with workspace(tmp_path / "s", "r1", "r2") as space:
            fill(space, "r1", "r2")
            done = bundle(space, None, tmp_path / "all.tar")
        assert (done.run_id, done.entries, done.records) == (None, 2, 2)
        assert replay_path(Settings(), str(tmp_path / "all.tar")).replayed == 2

    def test_a_file_that_is_there_is_kept_unless_it_may_be_replaced(self, tmp_path: Path) -> None:
        place = tmp_path / "b.tar"
        place.write_bytes(b"mine")
        with workspace(tmp_path / "s", "r1") as space:
            fill(space, "r1")
            with pytest.raises(InputError, match="is there already"):
                bundle(space, "r1", place)
            assert place.read_bytes() == b"mine"
            bundle(space, "r1", place, overwrite=True)
        assert place.read_bytes() != b"mine"

    @pytest.mark.parametrize("fault", [OSError(errno.ENOSPC, "No space left on device"), KeyboardInterrupt()])
    def test_a_full_disk_or_an_interruption_leaves_what_was_there_and_nothing_else(
        self, tmp_path: Path, fault: BaseException, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        place = tmp_path / "out" / "b.tar"
        place.parent.mkdir()
        place.write_bytes(b"mine")

        def half_way(parts: Any, file: Any) -> int:
            file.write(b"half")
            raise fault

        with workspace(tmp_path / "s", "r1") as space:
            fill(space, "r1")
            monkeypatch.setattr(bundling, "write_bundle", half_way)
            with pytest.raises((StoreError, KeyboardInterrupt)) as caught:
                bundle(space, "r1", place, overwrite=True)
        assert left(place.parent) == ["b.tar"]
        assert place.read_bytes() == b"mine"
        if isinstance(caught.value, StoreError):
            assert "Free some space" in str(caught.value)

    def test_the_disk_is_told_to_keep_it_before_it_is_moved_there(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        done: list[str] = []
        flush, move = os.fsync, os.replace
        with workspace(tmp_path / "s", "r1") as space:
            fill(space, "r1")
            monkeypatch.setattr(os, "fsync", lambda handle: (done.append("flush"), flush(handle))[1])
            monkeypatch.setattr(os, "replace", lambda a, b: (done.append("move"), move(a, b))[1])
            bundle(space, "r1", tmp_path / "b.tar")
        assert done[:2] == ["flush", "move"]

    @pytest.mark.parametrize("name", ["no/such/folder/b.tar", "x" * 300])
    def test_a_place_that_cannot_be_written_is_told(self, tmp_path: Path, name: str) -> None:
        with workspace(tmp_path / "s", "r1") as space:
            fill(space, "r1")
            with pytest.raises(StoreError, match="could not be written"):
                bundle(space, "r1", tmp_path / name)

    def test_a_folder_is_no_place(self, tmp_path: Path) -> None:
        with workspace(tmp_path / "s", "r1") as space:
            fill(space, "r1")
            with pytest.raises(InputError):
                bundle(space, "r1", tmp_path, overwrite=True)


class TestNaming:
    @pytest.mark.parametrize(
        ("name", "words"),
        [
            ("20261130T120000000-ffff", "Did you mean 20261130T120000000-aaaa"),
            ("", "There is no run ''"),
            ("20261130T12", "2 runs start with"),
            ("nonsense", "The newest is 20261130T120000001-bbbb"),
        ],
    )
    def test_an_unknown_run_is_told_with_what_there_is(self, tmp_path: Path, name: str, words: str) -> None:
        runs = ("20261130T120000000-aaaa", "20261130T120000001-bbbb")
        with workspace(tmp_path / "s", *runs) as space, pytest.raises(InputError) as caught:
            bundle(space, name, tmp_path / "b.tar")
        assert words in str(caught.value)

    def test_without_any_run_that_is_what_is_told(self, tmp_path: Path) -> None:
        with workspace(tmp_path / "s") as space, pytest.raises(InputError, match="no run yet"):
            bundle(space, "latest", tmp_path / "b.tar")

    def test_records_of_a_bundle_are_found_by_view_and_by_the_start_of_a_digest(self, tmp_path: Path) -> None:
        with workspace(tmp_path / "s", "r1") as space:
            fill(space, "r1")
            bundle(space, "r1", tmp_path / "b.tar")
        path = str(tmp_path / "b.tar")
        (named,) = records_in(Settings(), path)
        by_name = {
            locate(Settings(), path).body,
            locate(Settings(), path, "app/home").body,
            locate(Settings(), f"{path}/app/home [rest]").body,
            *(
                locate(Settings(), path, start).body
                for start in (named.digest, named.dialog_id[:11], named.wire_digest[7:12])
            ),
        }
        assert len(by_name) == 1
        assert len(locate(Settings(), path).replies or ()) == 2

    def test_of_several_records_one_must_be_named(self, tmp_path: Path) -> None:
        with workspace(tmp_path / "s", "r1") as space:
            fill(space, "r1", scripts=(BOTH, "one judge alone"))
            bundle(space, "r1", tmp_path / "b.tar")
        with pytest.raises(InputError, match="holds 2 records"):
            locate(Settings(), str(tmp_path / "b.tar"))
        with pytest.raises(InputError, match=r"2 records in .* go by app/home"):
            locate(Settings(), str(tmp_path / "b.tar"), "app/home")

    @pytest.mark.parametrize("what", ["nowhere", "r1/nowhere", "abcd", "", "/", "r1/", "x" * 5000, "a\0b"])
    def test_a_name_that_fits_nothing_is_an_input_error(self, tmp_path: Path, what: str) -> None:
        with workspace(tmp_path / "s", "r1") as space:
            fill(space, "r1")
        with pytest.raises((InputError, StoreError)):
            locate(Settings(state_dir=tmp_path / "s"), what)

    def test_a_run_and_its_view_name_a_record_of_the_store(self, tmp_path: Path) -> None:
        with workspace(tmp_path / "s", "r1", "r2") as space:
            fill(space, "r1", "r2")
        settings = Settings(state_dir=tmp_path / "s")
        one, other = locate(settings, "r1/app/home"), locate(settings, "r2/app/home [rest]")
        assert one.body != other.body
        with pytest.raises(InputError, match="2 records in the store go by app/home"):
            locate(settings, "app/home")
        assert compare(settings, "r1/app/home", "r1/app/home").difference is None
        parted = compare(settings, "r1/app/home", "r2/app/home")
        assert parted.difference is not None
        assert parted.difference.where == "turns[0].content.shots[0].companion"
        assert parted.record["outcome"] == "different"


class TestReplaying:
    def test_every_kind_of_dialogue_is_replayed_from_the_bundle_alone(self, tmp_path: Path) -> None:
        with workspace(tmp_path / "s", "r1") as space:
            fill(space, "r1", scripts=tuple(SCRIPTS))
            bundle(space, "r1", tmp_path / "b.tar")
        for path in tmp_path.joinpath("s").rglob("*"):
            if path.is_file():
                path.unlink()
        found = replay_path(Settings(state_dir=tmp_path / "s"), str(tmp_path / "b.tar"))
        assert (found.status, found.replayed, found.not_replayable, found.different) == (0, len(SCRIPTS), (), ())

    def test_a_run_served_from_the_cache_is_replayed_from_the_replies_of_the_one_that_judged(
        self, tmp_path: Path
    ) -> None:
        from dataclasses import replace

        with workspace(tmp_path / "s", "r1", "r2") as space:
            shots = shots_with_evidence(space.evidence)
            result = held(BOTH, shots)
            keep(space, result, shots)
            keep(space, replace(result, cached=True), shots, run_id="r2")
            bundle(space, "r2", tmp_path / "b.tar")
        assert replay_path(Settings(), str(tmp_path / "b.tar")).replayed == 1

    def test_a_redacted_reply_is_told_from_a_missing_one(self, tmp_path: Path) -> None:
        with workspace(tmp_path / "s", "r1") as space:
            shots = shots_with_evidence(space.evidence)
            result = held(BOTH, shots)
            keep(space, result, shots)
            redact(space, result.raw[0].digest, reason="r", by="Ada")
            bundle(space, "r1", tmp_path / "b.tar")
        found = replay_path(Settings(), str(tmp_path / "b.tar"))
        assert (found.status, found.replayed, len(found.not_replayable)) == (0, 0, 1)
        with workspace(tmp_path / "s") as space, space.store.write() as tx:
            tx._connection.exec_driver_sql("DELETE FROM redactions")
        missing = replay_path(Settings(state_dir=tmp_path / "s"), None)
        assert (missing.status, [problem.kind for problem in missing.verified.problems]) == (1, ["missing"])

    @pytest.mark.parametrize("what", ["r1", "latest", "r1/app/home", "app/home"])
    def test_a_run_or_a_record_of_the_store_is_replayed_by_name(self, tmp_path: Path, what: str) -> None:
        with workspace(tmp_path / "s", "r1") as space:
            fill(space, "r1")
        found = replay_path(Settings(state_dir=tmp_path / "s"), what)
        assert (found.status, found.replayed) == (0, 1)

    def test_a_record_by_itself_is_sound_and_not_replayable(self, tmp_path: Path) -> None:
        with workspace(tmp_path / "s", "r1") as space:
            shots = shots_with_evidence(space.evidence)
            (tmp_path / "r.json").write_bytes(keep(space, held(BOTH, shots), shots).record_bytes)
        found = replay_path(Settings(), str(tmp_path / "r.json"))
        assert (found.status, found.replayed, len(found.not_replayable)) == (0, 0, 1)

    @pytest.mark.parametrize("what", ["nowhere", "x" * 5000, "a\0b", "r9"])
    def test_a_name_that_fits_nothing_is_told_and_never_raised(self, tmp_path: Path, what: str) -> None:
        with workspace(tmp_path / "s", "r1") as space:
            fill(space, "r1")
        assert replay_path(Settings(state_dir=tmp_path / "s"), what).status == 2

    def test_another_engine_is_told_by_the_turn(self, tmp_path: Path) -> None:
        from bicameral.dialogue import refold
        from bicameral.model.judging import DialogueResult

        async def forgetful(question: Any, roster: Any, raw: Any, **reasons: Any) -> DialogueResult:
            """An engine whose challenger never answers."""
            return await refold(question, roster, [one for one in raw if one.task == "propose"], **reasons)

        with workspace(tmp_path / "s", "r1") as space:
            fill(space, "r1")
        found = replay_path(Settings(state_dir=tmp_path / "s"), None, engine=forgetful)
        (one,) = found.different
        assert one.difference is not None
        assert (found.status, one.view, one.difference.turn) == (1, "app/home [rest]", 2)
