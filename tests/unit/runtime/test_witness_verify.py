"""Verifying a path: what it holds, what is wrong with it, and which status that is."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from witness_store import held, keep, shots_with_evidence, workspace

from bicameral.canonical import build_agent_dialog_v1_record, record_bytes
from bicameral.errors import InputError, SigningKeyError
from bicameral.runtime.keyfiles import generate_key, write_key_pair
from bicameral.runtime.signing import rotate_key, sign_head
from bicameral.runtime.witnessing.bundling import bundle
from bicameral.runtime.witnessing.opening import Kind, kind_of
from bicameral.runtime.witnessing.redacting import redact
from bicameral.runtime.witnessing.verifying import Verified, load_keys, verify_path, worst
from bicameral.settings import Settings
from bicameral.witness.cael import export_cael

BOTH = "both agree on one and not on the other"
DIALOG = {"dialogId": "d", "turns": [{"speaker": "a", "audience": "b", "chainDepth": 0, "content": "hi"}]}
RECORD = record_bytes(build_agent_dialog_v1_record(DIALOG))


def make(folder: Path, *runs: str) -> None:
    with workspace(folder, *runs) as space:
        for run_id in runs:
            shots = shots_with_evidence(space.evidence, run_id)
            keep(space, held(BOTH, shots), shots, run_id=run_id)


def verified(folder: Path, *keys: Path, head: str | None = None) -> Verified:
    return verify_path(Settings(state_dir=folder), None, keys=load_keys(keys), head=head)


def execute(folder: Path, *statements: str) -> None:
    with closing(sqlite3.connect(folder / "bicameral.db")) as raw:
        for statement in statements:
            assert raw.execute(statement).rowcount != 0, statement
        raw.commit()


class TestAStore:
    def test_that_is_whole_is_sound_and_says_what_was_looked_at(self, tmp_path: Path) -> None:
        make(tmp_path, "r1", "r2")
        found = verified(tmp_path)
        assert (found.status, found.problems, found.entries, found.signed) == (0, (), 2, False)
        assert found.summary is not None
        assert (found.summary.records, found.summary.replies, found.summary.blobs) == (2, 4, 20)

    def test_is_found_by_its_folder_and_by_its_file(self, tmp_path: Path) -> None:
        make(tmp_path / "s", "r1")
        for name in (tmp_path / "s", tmp_path / "s" / "bicameral.db"):
            assert verify_path(Settings(), str(name)).status == 0

    def test_without_a_store_in_the_folder_it_is_unreadable(self, tmp_path: Path) -> None:
        found = verify_path(Settings(), str(tmp_path))
        assert (found.status, "There is no store" in (found.error or "")) == (2, True)

    def test_a_record_without_a_link_is_a_problem(self, tmp_path: Path) -> None:
        make(tmp_path, "r1", "r2")
        execute(tmp_path, "DELETE FROM chain WHERE seq = 1")
        found = verified(tmp_path)
        assert found.status == 1
        assert any("No entry of the chain names it" in problem.what for problem in found.problems)

    def test_a_batch_whose_record_is_gone_is_a_problem(self, tmp_path: Path) -> None:
        make(tmp_path, "r1")
        execute(tmp_path, "DELETE FROM records")
        found = verified(tmp_path)
        assert {problem.where for problem in found.problems} >= {"runs[r1].views[0]", "entries[0].record"}

    @pytest.mark.parametrize(
        ("statement", "where"),
        [
            ("UPDATE chain SET entry = 'sha256:0' WHERE seq = 0", "entries[0]"),
            ("UPDATE chain SET record = (SELECT record FROM chain WHERE seq = 1) WHERE seq = 0", "entries[0]"),
        ],
    )
    def test_a_column_that_says_something_else_than_the_bytes_is_a_problem(
        self, tmp_path: Path, statement: str, where: str
    ) -> None:
        make(tmp_path, "r1", "r2")
        execute(tmp_path, statement)
        found = verified(tmp_path)
        assert where in {problem.where for problem in found.problems}

    def test_the_replies_of_a_later_run_are_looked_at_too(self, tmp_path: Path) -> None:
        with workspace(tmp_path, "r1", "r2") as space:
            shots = shots_with_evidence(space.evidence)
            result = held(BOTH, shots)
            keep(space, result, shots)
            keep(space, result, shots, run_id="r2")
        assert verified(tmp_path).status == 0
        execute(tmp_path, "UPDATE raw_replies SET body = x'00' WHERE run_id = 'r2' AND position = 0")
        (problem,) = verified(tmp_path).problems
        assert problem.where.endswith(".runs[r2].replies[0]")
        execute(tmp_path, "UPDATE raw_replies SET body = NULL WHERE run_id = 'r2' AND position = 0")
        (problem,) = verified(tmp_path).problems
        assert problem.kind == "missing"

    def test_a_redacted_reply_of_a_later_run_is_no_problem(self, tmp_path: Path) -> None:
        with workspace(tmp_path, "r1", "r2") as space:
            shots = shots_with_evidence(space.evidence)
            result = held(BOTH, shots)
            keep(space, result, shots)
            keep(space, result, shots, run_id="r2")
            redact(space, result.raw[0].digest, reason="r", by="Ada")
        assert (verified(tmp_path).status, verified(tmp_path).redacted) == (0, 1)

    def test_a_chain_made_anew_is_told_by_the_head_that_somebody_else_knows(self, tmp_path: Path) -> None:
        make(tmp_path, "r1")
        known = verified(tmp_path).summary
        assert known is not None
        assert verified(tmp_path, head=known.head).status == 0
        found = verified(tmp_path, head="sha256:" + "0" * 64)
        assert (found.status, found.problems[0].where) == (1, "head")


class TestSignatures:
    def test_the_four_statuses(self, tmp_path: Path) -> None:
        make(tmp_path / "s", "r1")
        key, other = generate_key(), generate_key()
        pinned = write_key_pair(key, tmp_path / "key")
        wrong = write_key_pair(other, tmp_path / "other")
        assert (verified(tmp_path / "s").status, verified(tmp_path / "s", pinned).status) == (0, 3)
        with workspace(tmp_path / "s") as space:
            sign_head(space, key)
        assert verified(tmp_path / "s").signed is False
        signed = verified(tmp_path / "s", pinned)
        assert (signed.status, signed.signed) == (0, True)
        assert verified(tmp_path / "s", wrong).status == 3
        assert verified(tmp_path / "s", wrong, pinned).status == 0
        execute(tmp_path / "s", "UPDATE raw_replies SET body = x'00' WHERE position = 0")
        assert verified(tmp_path / "s", pinned).status == 1

    def test_a_new_key_that_the_pinned_one_handed_over_to_is_followed(self, tmp_path: Path) -> None:
        make(tmp_path / "s", "r1")
        old, new = generate_key(), generate_key()
        pinned = write_key_pair(old, tmp_path / "old")
        with workspace(tmp_path / "s") as space:
            rotate_key(space, old, new)
        assert verified(tmp_path / "s", pinned).signed

    def test_entries_after_the_signed_one_are_not_signed(self, tmp_path: Path) -> None:
        make(tmp_path / "s", "r1")
        key = generate_key()
        pinned = write_key_pair(key, tmp_path / "key")
        with workspace(tmp_path / "s", "r2") as space:
            sign_head(space, key)
            shots = shots_with_evidence(space.evidence, "r2")
            keep(space, held(BOTH, shots), shots, run_id="r2")
        found = verified(tmp_path / "s", pinned)
        assert (found.status, found.signed) == (3, False)

    def test_the_bundle_of_an_earlier_run_reaches_to_the_next_signature(self, tmp_path: Path) -> None:
        make(tmp_path / "s", "r1", "r2")
        key = generate_key()
        pinned = write_key_pair(key, tmp_path / "key")
        with workspace(tmp_path / "s") as space:
            sign_head(space, key)
            bundle(space, "r1", tmp_path / "r1.tar")
        found = verify_path(Settings(), str(tmp_path / "r1.tar"), keys=load_keys([pinned]))
        assert (found.status, found.signed, found.entries) == (0, True, 2)

    def test_a_key_file_that_is_none_is_an_error_before_anything_is_read(self, tmp_path: Path) -> None:
        (tmp_path / "key").write_text("no key", encoding="utf-8")
        with pytest.raises(SigningKeyError):
            load_keys([tmp_path / "key"])


class TestRecordsAndTraces:
    def test_a_record_is_verified_by_itself(self, tmp_path: Path) -> None:
        place = tmp_path / "record.json"
        place.write_bytes(RECORD)
        assert verify_path(Settings(), str(place)).status == 0
        place.write_bytes(RECORD.replace(b"hi", b"ho"))  # a change that nothing in the record contradicts
        assert verify_path(Settings(), str(place)).status == 0
        assert verify_path(Settings(), str(place), head="sha256:" + "0" * 64).status == 1
        place.write_bytes(RECORD.replace(b'"turnCount":1', b'"turnCount":2'))
        assert verify_path(Settings(), str(place)).status == 1

    def test_neither_carries_a_signature(self, tmp_path: Path) -> None:
        pinned = write_key_pair(generate_key(), tmp_path / "key")
        (tmp_path / "record.json").write_bytes(RECORD)
        (tmp_path / "trace.jsonl").write_text("\n".join(export_cael(RECORD)), encoding="utf-8")
        for name in ("record.json", "trace.jsonl"):
            assert verify_path(Settings(), str(tmp_path / name)).status == 0
            assert verify_path(Settings(), str(tmp_path / name), keys=load_keys([pinned])).status == 3

    def test_a_trace_is_known_by_its_first_line_whatever_it_is_called(self, tmp_path: Path) -> None:
        place = tmp_path / "trace"
        lines = list(export_cael(RECORD))
        place.write_text("\n".join(["", *lines, ""]), encoding="utf-8")
        found = verify_path(Settings(), str(place))
        assert (found.kind, found.status, found.entries) == ("trace", 0, len(lines))
        place.write_text("\n".join([lines[0], *lines[2:]]), encoding="utf-8")
        assert verify_path(Settings(), str(place)).status == 1

    def test_what_nobody_here_can_verify_is_status_2_and_not_broken(self, tmp_path: Path) -> None:
        (tmp_path / "r.json").write_bytes(b'{"solverType":"some.other.v1"}')
        found = verify_path(Settings(), str(tmp_path / "r.json"))
        assert (found.status, found.unverifiable) == (2, 1)


class TestWhatAPathHolds:
    @pytest.mark.parametrize(
        ("body", "kind"),
        [
            (b"SQLite format 3\0" + bytes(100), "store"),
            (b"\x1f\x8b" + bytes(100), "bundle"),
            (b"bicameral.bundle.v1.json" + bytes(600), "bundle"),
            (bytes(257) + b"ustar", "bundle"),
            (RECORD, "document"),
            (b"", "document"),
            (b'{"version":"cael.v1"}', "trace"),
            (b'{"version":"cael.v2"}', "document"),
            (b"\xff\xfe", "document"),
        ],
    )
    def test_is_told_by_its_first_bytes(self, tmp_path: Path, body: bytes, kind: Kind) -> None:
        (tmp_path / "x").write_bytes(body)
        assert kind_of(str(tmp_path / "x")) == kind

    @pytest.mark.parametrize("name", ["missing", "x" * 300, "a\0b", "missing/deeper"])
    def test_a_path_that_is_not_there_is_an_error(self, tmp_path: Path, name: str) -> None:
        with pytest.raises(InputError, match="cannot be read"):
            kind_of(str(tmp_path / name))
        assert verify_path(Settings(), str(tmp_path / name)).status == 2

    @pytest.mark.parametrize("body", [b"", b"{", b"[]", b"hello", b"\xff", b'{"turns":[]}', bytes(1000), b"\x1f\x8b\0"])
    @pytest.mark.parametrize("name", ["x", "x.json", "x.tar"])
    def test_a_file_that_is_none_of_ours_is_unreadable_and_never_an_exception(
        self, tmp_path: Path, body: bytes, name: str
    ) -> None:
        (tmp_path / name).write_bytes(body)
        found = verify_path(Settings(), str(tmp_path / name))
        assert (found.status, bool(found.error)) == (2, True)

    def test_a_bundle_that_was_cut_tells_what_it_found_before(self, tmp_path: Path) -> None:
        make(tmp_path / "s", "r1")
        with workspace(tmp_path / "s") as space:
            bundle(space, "r1", tmp_path / "b.tar")
        whole = (tmp_path / "b.tar").read_bytes()
        (tmp_path / "b.tar").write_bytes(whole[:-2000])
        found = verify_path(Settings(), str(tmp_path / "b.tar"))
        assert (found.status, found.entries) == (2, 1)


@given(st.lists(st.sampled_from([0, 1, 2, 3])))
def test_the_worst_status_does_not_depend_on_the_order(statuses: list[int]) -> None:
    assert worst(statuses) == worst(sorted(statuses))
    assert worst(statuses) == (0 if not statuses else next(word for word in (2, 1, 3, 0) if word in statuses))


def test_one_changed_byte_anywhere_in_a_bundle_is_noticed_and_so_is_one_too_many(tmp_path: Path) -> None:
    make(tmp_path / "s", "r1")
    place = tmp_path / "b.tar"
    with workspace(tmp_path / "s") as space:
        bundle(space, "r1", place)
    whole = place.read_bytes()
    for at in range(0, len(whole), max(1, len(whole) // 60)):
        place.write_bytes(whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :])
        assert verify_path(Settings(), str(place)).status in (1, 2), at
    place.write_bytes(whole + b"x")
    assert verify_path(Settings(), str(place)).status == 2


def test_a_store_of_thousands_of_foreign_names_in_its_evidence_folder_is_not_troubled(tmp_path: Path) -> None:
    make(tmp_path, "r1")
    (tmp_path / "evidence" / "sha256" / "zz").mkdir()
    (tmp_path / "evidence" / "sha256" / "zz" / "stray.png").write_bytes(b"stray")
    assert verified(tmp_path).status == 0


def test_a_record_of_the_store_changed_together_with_its_link_breaks_the_next_link(tmp_path: Path) -> None:
    make(tmp_path, "r1", "r2")
    with closing(sqlite3.connect(tmp_path / "bicameral.db")) as raw:
        body = json.loads(raw.execute("SELECT body FROM chain WHERE seq = 0").fetchone()[0])
        body["wireDigest"] = "sha256:" + "0" * 64
        from bicameral.canonical import canonical_json, sha256_digest

        forged = canonical_json(body)
        raw.execute("UPDATE chain SET body = ?, entry = ? WHERE seq = 0", (forged, sha256_digest(forged)))
        raw.commit()
    places = {problem.where for problem in verified(tmp_path).problems}
    assert places >= {"entries[0].wireDigest", "entries[1].previous"}


def test_the_settings_of_a_project_do_not_reach_another_store(tmp_path: Path) -> None:
    make(tmp_path / "there", "r1")
    here = replace(Settings(), database=str(tmp_path / "here.db"))
    assert verify_path(here, str(tmp_path / "there")).status == 0
