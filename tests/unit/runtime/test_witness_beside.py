"""What a store's rows say beside its chain: whoever edits them is told of."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from witness_store import held, keep, shots_with_evidence, workspace

from bicameral.errors import InputError
from bicameral.runtime.keyfiles import generate_key, write_key_pair
from bicameral.runtime.signing import rotate_key, sign_head
from bicameral.runtime.witnessing.locating import locate
from bicameral.runtime.witnessing.rereading import replay_path
from bicameral.runtime.witnessing.verifying import Verified, check_head, load_keys, verify_path
from bicameral.settings import Settings

BOTH = "both agree on one and not on the other"


def make(folder: Path, *runs: str) -> None:
    with workspace(folder, *runs) as space:
        for number, run_id in enumerate(runs):
            shots = shots_with_evidence(space.evidence, run_id)
            moved = tuple(replace(shot, route=f"{shot.route}-{number}") for shot in shots)
            keep(space, held(BOTH, moved), moved, run_id=run_id)


def verified(folder: Path, *keys: Path) -> Verified:
    return verify_path(Settings(state_dir=folder), None, keys=load_keys(keys))


def execute(folder: Path, *statements: str) -> None:
    with closing(sqlite3.connect(folder / "bicameral.db")) as raw:
        for statement in statements:
            assert raw.execute(statement).rowcount != 0, statement
        raw.commit()


class TestAColumnBesideTheChain:
    @pytest.mark.parametrize(
        ("statement", "where"),
        [
            ("UPDATE chain SET seq = 9 WHERE seq = 1", "entries[9].seq"),
            ("UPDATE chain SET seq = -1 WHERE seq = 0", "entries[-1].seq"),
            ("UPDATE chain SET previous = '' WHERE seq = 1", "entries[1].previous"),
            ("UPDATE records SET dialog_id = 'mine'", "entries[0].dialogId"),
            ("UPDATE raw_replies SET depth = 3 - depth", "entries[0].replies[0].chainDepth"),
            ("UPDATE raw_replies SET depth = NULL WHERE position = 1", "entries[0].replies[1].chainDepth"),
        ],
    )
    def test_that_says_something_else_than_the_bytes_is_a_problem(
        self, tmp_path: Path, statement: str, where: str
    ) -> None:
        make(tmp_path, "r1", "r2")
        execute(tmp_path, statement)
        found = verified(tmp_path)
        assert (found.status, where in {problem.where for problem in found.problems}) == (1, True)

    def test_a_run_whose_view_is_given_another_views_record_is_a_problem(self, tmp_path: Path) -> None:
        make(tmp_path, "r1", "r2")
        assert verified(tmp_path).problems == ()
        execute(tmp_path, "UPDATE batches SET record = (SELECT record FROM chain WHERE seq = 0) WHERE run_id = 'r2'")
        (problem,) = verified(tmp_path).problems
        assert "which it is not about" in problem.what

    def test_a_record_that_is_said_to_weigh_dissents_and_does_not_is_a_problem(self, tmp_path: Path) -> None:
        make(tmp_path, "r1")
        execute(tmp_path, "UPDATE batches SET adjudication = record")
        (problem,) = verified(tmp_path).problems
        assert "for the dissents of" in problem.what

    @pytest.mark.parametrize(
        "statement",
        [
            "UPDATE raw_replies SET body = CAST(body AS TEXT)",
            "UPDATE raw_replies SET body = 12",
            "UPDATE raw_replies SET depth = 'x'",
            "UPDATE records SET body = CAST(body AS TEXT)",
            "UPDATE records SET body = 3",
            "UPDATE chain SET body = 3",
            "UPDATE chain SET body = CAST(body AS TEXT)",
            "UPDATE chain SET outcome = 3",
            "UPDATE batches SET route = x'00'",
            "INSERT INTO redactions VALUES (x'00', 'evidence', 'now', 'me', 'why')",
            "INSERT INTO redactions VALUES ('sha256:0', 'zzz', 'now', 'me', 'why')",
            "INSERT INTO envelopes VALUES ('a', 'head', 'sha256:0', 'k', 't', NULL, 'text')",
            "INSERT INTO envelopes VALUES ('a', 'zzz', 'sha256:0', 'k', 't', NULL, x'00')",
        ],
    )
    def test_of_another_type_is_told_and_no_command_fails_on_it(self, tmp_path: Path, statement: str) -> None:
        make(tmp_path, "r1")
        execute(tmp_path, statement)
        found = verified(tmp_path)
        assert (found.status, "damaged" in (found.error or "")) == (2, True)
        assert replay_path(Settings(state_dir=tmp_path), None).status == 2


class TestWhatWasSignedOfARun:
    def make(self, folder: Path) -> Path:
        """Two runs of one dialog, so that no link marks the replies of the second; the second is signed."""
        key = generate_key()
        with workspace(folder, "r1", "r2") as space:
            shots = shots_with_evidence(space.evidence)
            result = held(BOTH, shots)
            keep(space, result, shots)
            keep(space, result, shots, run_id="r2")
            assert sign_head(space, key, "r2") is not None
        return write_key_pair(key, folder / "k")

    def test_is_what_the_store_says(self, tmp_path: Path) -> None:
        assert verified(tmp_path, self.make(tmp_path)).status == 0

    @pytest.mark.parametrize(
        ("statement", "member"),
        [
            ("UPDATE runs SET started_at = '2020-01-01T00:00:00Z' WHERE run_id = 'r2'", "started_at"),
            ("UPDATE runs SET program_version = '9' WHERE run_id = 'r2'", "program_version"),
            (
                'UPDATE runs SET spend = \'{"calls":9,"input_tokens":0,"output_tokens":0,"usd":null}\' '
                "WHERE run_id = 'r2'",
                "spend",
            ),
            ("DELETE FROM batches WHERE run_id = 'r2'", "records"),
            ("UPDATE batches SET record = NULL WHERE run_id = 'r2'", "records"),
            (
                "UPDATE raw_replies SET body = x'7b7d', digest = "
                "'sha256:44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a' "
                "WHERE run_id = 'r2' AND position = 0",
                "records",
            ),
            ("UPDATE raw_replies SET state = 'truncated' WHERE run_id = 'r2' AND position = 0", "records"),
        ],
    )
    def test_and_was_changed_since_is_told_to_who_pins_the_key(
        self, tmp_path: Path, statement: str, member: str
    ) -> None:
        key = self.make(tmp_path)
        execute(tmp_path, statement)
        found = verified(tmp_path, key)
        assert (found.status, f"runs[r2].{member}" in {one.where for one in found.problems}) == (1, True)

    def test_is_looked_at_for_a_key_that_followed_as_well(self, tmp_path: Path) -> None:
        old, new = generate_key(), generate_key()
        with workspace(tmp_path, "r1") as space:
            shots = shots_with_evidence(space.evidence)
            keep(space, held(BOTH, shots), shots)
            rotate_key(space, old, new)
            assert sign_head(space, new, "r1") is not None
        pinned = write_key_pair(old, tmp_path / "k")
        execute(tmp_path, "UPDATE runs SET program_version = '9'")
        assert "runs[r1].program_version" in {one.where for one in verified(tmp_path, pinned).problems}


class TestNames:
    def test_latest_is_the_newest_run_where_a_view_of_it_is_named(self, tmp_path: Path) -> None:
        make(tmp_path, "r1", "r2")
        settings = Settings(state_dir=tmp_path)
        assert locate(settings, "latest/app").body == locate(settings, "r2/app").body

    @pytest.mark.parametrize("head", ["", "abc", "sha256:0", "SHA256:" + "0" * 64, "sha256:" + "A" * 64])
    def test_a_head_that_is_no_digest_is_refused_and_no_chain_called_changed(self, head: str) -> None:
        with pytest.raises(InputError, match="is no digest"):
            check_head(head)
        check_head("sha256:" + "0" * 64)
        check_head(None)
