"""A store as a stream of parts: whole, in order, from one state of it, and sound."""

from __future__ import annotations

import json
import os
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from witness_store import SCRIPTS, held, keep, shots_with_evidence, workspace

from bicameral.canonical import build_agent_dialog_v1_record, canonical_json, record_bytes, sha256_digest
from bicameral.errors import InputError
from bicameral.model.witnessing import Redaction
from bicameral.runtime.witnessing.charges import evidence_of
from bicameral.runtime.witnessing.redacting import redact
from bicameral.runtime.witnessing.source import parts_of_store
from bicameral.runtime.workspace import Workspace
from bicameral.witness.audit import Blob, End, Header, Link, Part, Summary, audit

BOTH = "both agree on one and not on the other"


def parts(space: Workspace, run_id: str | None = None) -> list[Part]:
    """All parts, the blobs' chunks read."""
    with space.store.read() as reader:
        return [
            Blob(digest=one.digest, size=one.size, chunks=iter(list(one.chunks))) if isinstance(one, Blob) else one
            for one in parts_of_store(space, reader, run_id)
        ]


def audited(space: Workspace, run_id: str | None = None) -> tuple[list[str], Summary]:
    with space.store.read() as reader:
        check = audit(parts_of_store(space, reader, run_id))
        problems = [f"{problem.kind} {problem.where}: {problem.what}" for problem in check]
    return problems, check.summary


def test_a_store_with_every_kind_of_dialogue_is_sound(tmp_path: Path) -> None:
    with workspace(tmp_path, "r1") as space:
        for position, name in enumerate(SCRIPTS):
            shots = shots_with_evidence(space.evidence, name)
            keep(space, held(name, shots), shots, position=position)
        problems, summary = audited(space)
    assert problems == []
    assert (summary.entries, summary.records) == (len(SCRIPTS), len(SCRIPTS))
    assert summary.blobs == 9 * len(SCRIPTS) + 2  # three files a shot, and the instructions of both judges
    assert summary.unmarked == 0


def test_an_empty_store_is_sound_and_has_no_head(tmp_path: Path) -> None:
    with workspace(tmp_path) as space:
        assert parts(space) == [Header(), End(entries=0, head=None)]
        assert audited(space)[0] == []


def test_each_blob_comes_once_however_many_records_name_it(tmp_path: Path) -> None:
    with workspace(tmp_path, "r1") as space:
        shots = shots_with_evidence(space.evidence)
        for position, name in enumerate(list(SCRIPTS)[:3]):
            keep(space, held(name, shots), shots, position=position)
        digests = [part.digest for part in parts(space) if isinstance(part, Blob)]
    assert len(digests) == 11
    assert digests == sorted(set(digests))


class TestOneRun:
    def test_has_every_link_up_to_its_last_and_the_contents_of_its_own_records_alone(self, tmp_path: Path) -> None:
        with workspace(tmp_path, "r1", "r2", "r3") as space:
            for run_id in ("r1", "r2", "r3"):
                shots = shots_with_evidence(space.evidence, run_id)
                keep(space, held(BOTH, shots), shots, run_id=run_id)
            found = parts(space, "r2")
            problems, summary = audited(space, "r2")
        links = [part.kept for part in found if isinstance(part, Link)]
        assert [link.record is not None for link in links] == [False, True]
        assert [len(link.replies) for link in links] == [0, 2]
        assert links[0].outcome is None
        assert sum(isinstance(part, Blob) for part in found) == 11
        assert (problems, summary.records, summary.elsewhere) == ([], 1, 1)

    def test_a_run_that_was_served_from_the_cache_has_the_records_of_the_earlier_one(self, tmp_path: Path) -> None:
        from dataclasses import replace

        with workspace(tmp_path, "r1", "r2") as space:
            shots = shots_with_evidence(space.evidence)
            result = held(BOTH, shots)
            keep(space, result, shots)
            keep(space, replace(result, cached=True), shots, run_id="r2")
            problems, summary = audited(space, "r2")
            links = [part.kept for part in parts(space, "r2") if isinstance(part, Link)]
        assert (problems, summary.entries, summary.records) == ([], 1, 1)
        assert [len(link.replies) for link in links] == [2]

    def test_a_run_that_left_no_record_is_told(self, tmp_path: Path) -> None:
        with workspace(tmp_path, "r1") as space, pytest.raises(InputError, match="none of its views was judged"):
            parts(space, "r1")

    def test_redactions_of_other_runs_do_not_come_along(self, tmp_path: Path) -> None:
        with workspace(tmp_path, "r1", "r2") as space:
            for run_id in ("r1", "r2"):
                shots = shots_with_evidence(space.evidence, run_id)
                keep(space, held(BOTH, shots), shots, run_id=run_id)
                redact(space, shots[0].picture, reason=f"of {run_id}", by="Ada")
            found = [part.reason for part in parts(space, "r2") if isinstance(part, Redaction)]
        assert found == ["of r2"]


class TestRedacted:
    def test_what_was_redacted_is_counted_and_no_problem(self, tmp_path: Path) -> None:
        with workspace(tmp_path, "r1") as space:
            shots = shots_with_evidence(space.evidence)
            result = held(BOTH, shots)
            keep(space, result, shots)
            redact(space, shots[0].picture, reason="a face", by="Ada")
            redact(space, result.raw[0].digest, reason="a name", by="Ada")
            problems, summary = audited(space)
        assert problems == []
        assert (summary.dropped_evidence, summary.dropped_replies) == (1, 1)
        assert {one.reason for one in summary.redactions} == {"a face", "a name"}

    def test_a_file_that_a_crash_left_behind_does_not_come(self, tmp_path: Path) -> None:
        with workspace(tmp_path, "r1") as space:
            shots = shots_with_evidence(space.evidence)
            keep(space, held(BOTH, shots), shots)
            body = space.evidence.read(shots[0].picture)
            redact(space, shots[0].picture, reason="r", by="Ada")
            space.evidence.put(body, ".png")
            place = space.evidence.find(shots[0].picture)
            assert place is not None
            assert any(isinstance(part, Blob) and part.digest == shots[0].picture for part in parts(space))
            os.utime(place, (0, 0))  # as it would be if it had never been removed
            assert not any(isinstance(part, Blob) and part.digest == shots[0].picture for part in parts(space))
            assert audited(space)[0] == []
            redact(space, shots[1].picture, reason="r", by="Ada")
            assert space.evidence.find(shots[0].picture) is None

    def test_what_is_redacted_while_the_parts_are_read_is_not_called_missing(self, tmp_path: Path) -> None:
        with workspace(tmp_path, "r1") as space:
            shots = shots_with_evidence(space.evidence)
            keep(space, held(BOTH, shots), shots)

            def meddled() -> list[str]:
                with space.store.read() as reader:
                    stream = parts_of_store(space, reader)
                    early = [next(stream), next(stream)]
                    redact(space, shots[0].picture, reason="r", by="Ada")
                    return [problem.what for problem in audit(iter([*early, *_rest(stream)]))]

            assert meddled() == []


def _rest(stream: object) -> list[Part]:
    assert hasattr(stream, "__iter__")
    return [
        Blob(digest=one.digest, size=one.size, chunks=iter(list(one.chunks))) if isinstance(one, Blob) else one
        for one in stream
    ]


class TestDamage:
    @pytest.mark.parametrize(
        ("statement", "word"),
        [
            ("UPDATE records SET body = replace(body, 'spacing', 'Spacing')", "record"),
            ("UPDATE raw_replies SET body = body || ' ' WHERE position = 1", "replies[1]"),
            ("UPDATE raw_replies SET reported = '{}' WHERE position = 0", "replies[0]"),
            ("UPDATE raw_replies SET model = 'other' WHERE position = 0", "replies[0]"),
            ("DELETE FROM raw_replies WHERE position = 1", "replies"),
            ("UPDATE raw_replies SET body = NULL WHERE position = 1", "replies[1]"),
            ("UPDATE chain SET body = replace(body, '\"seq\":0', '\"seq\":1')", "seq"),
            ("UPDATE chain SET entry = 'sha256:0' WHERE seq = 1", "end"),
            ("UPDATE chain SET outcome = NULL", "outcome"),
            ("UPDATE chain SET outcome = replace(outcome, 'true', 'false') WHERE seq = 0", "outcome"),
            ("DELETE FROM chain WHERE seq = 0", "seq"),
        ],
    )
    def test_one_changed_row_is_told_with_its_place(self, tmp_path: Path, statement: str, word: str) -> None:
        with workspace(tmp_path, "r1") as space:
            for position, name in enumerate([BOTH, "one judge alone"]):
                shots = shots_with_evidence(space.evidence, name)
                keep(space, held(name, shots), shots, position=position)
        with closing(sqlite3.connect(tmp_path / "bicameral.db")) as raw:
            statement = statement.replace("replace(body,", "replace(CAST(body AS TEXT),").replace(
                "replace(outcome,", "replace(CAST(outcome AS TEXT),"
            )
            changed = raw.execute(statement).rowcount
            raw.execute("UPDATE records SET body = CAST(body AS BLOB)")
            raw.execute("UPDATE chain SET body = CAST(body AS BLOB), outcome = CAST(outcome AS BLOB)")
            raw.execute("UPDATE raw_replies SET body = CAST(body AS BLOB)")
            raw.commit()
        assert changed
        with workspace(tmp_path) as space:
            problems, _ = audited(space)
        assert any(word in problem for problem in problems), problems

    def test_a_picture_with_one_changed_byte_and_one_that_is_gone_are_told(self, tmp_path: Path) -> None:
        with workspace(tmp_path, "r1") as space:
            shots = shots_with_evidence(space.evidence)
            keep(space, held(BOTH, shots), shots)
            place = space.evidence.find(shots[0].picture)
            assert place is not None
            place.write_bytes(place.read_bytes()[:-1] + b"!")
            space.evidence.remove(shots[1].facts or "")
            problems, summary = audited(space)
        assert (summary.broken, summary.missing) == (1, 1)
        assert shots[0].picture in problems[0]
        assert "facts" in problems[1]


class TestTheEvidenceThatARecordNames:
    def test_a_charge_read_fast_and_one_read_slowly_name_the_same(self, tmp_path: Path) -> None:
        with workspace(tmp_path, "r1") as space:
            shots = shots_with_evidence(space.evidence)
            witnessed = keep(space, held(BOTH, shots), shots)
        turns = json.loads(json.loads(witnessed.record_bytes)["wireKey"])["turns"]
        content = json.loads(turns[0]["content"])
        content["shots"][0]["picture"] = 7  # which the fast reader does not take
        turns[0]["content"] = canonical_json(content).decode()
        slow = record_bytes(build_agent_dialog_v1_record({"dialogId": "d", "turns": turns}))
        named = evidence_of(witnessed.record_bytes)
        assert len(named) == 11
        assert set(evidence_of(slow)) == set(named) - {shots[0].picture}
        assert set(named) >= {sha256_digest(b"Look."), *(shot.picture for shot in shots)}

    @pytest.mark.parametrize(
        "body", [b"", b"{", b"[]", b'{"wireKey":"{}"}', b'{"wireKey":"{\\"turns\\":[]}"}', b"\xff", b'{"wireKey":7}']
    )
    def test_what_is_no_record_names_nothing(self, body: bytes) -> None:
        assert evidence_of(body) == ()

    @pytest.mark.parametrize("digest", ["../../etc/passwd", "sha256:" + "A" * 64, "sha256:0", 7, None, ["x"]])
    def test_a_name_that_is_no_digest_names_nothing(self, digest: object) -> None:
        charge = canonical_json({"act": "charge", "shots": [{"picture": digest}], "skills": []}).decode()
        turn = {"speaker": "clerk", "audience": "x", "chainDepth": 0, "content": charge}
        assert evidence_of(record_bytes(build_agent_dialog_v1_record({"dialogId": "d", "turns": [turn]}))) == ()


def test_a_dialog_in_which_dissents_were_weighed_comes_along_and_has_nothing_to_replay(tmp_path: Path) -> None:
    from bicameral.adjudication.dissents import dissents_of
    from bicameral.model.adjudication import AdjudicationResult
    from bicameral.runtime.keeping import keep_batch
    from bicameral.runtime.weighing import Weighed
    from bicameral.runtime.witnessing.bundling import bundle
    from bicameral.runtime.witnessing.locating import records_in
    from bicameral.runtime.witnessing.rereading import replay_path
    from bicameral.settings import Settings

    with workspace(tmp_path / "s", "r1") as space:
        shots = shots_with_evidence(space.evidence)
        result = held(BOTH, shots)
        pairs = dissents_of(result.findings)
        unverified = AdjudicationResult(verdict="tension", confidence=0.0, method="none")
        weighed = Weighed(pairs=pairs, verdicts=(unverified,) * len(pairs), providers={})
        keep_batch(
            space.store,
            run_id="r1",
            position=0,
            view=shots[0].view,
            shots=shots,
            result=result,
            evidence=space.evidence,
            instructions=("Look.", "Look again."),
            weighed=weighed,
            project="shop",
        )
        assert audited(space)[0] == []
        bundle(space, "r1", tmp_path / "b.tar")
    found = replay_path(Settings(), str(tmp_path / "b.tar"))
    assert (found.status, found.replayed, found.nothing, found.verified.entries) == (0, 1, 1, 2)
    views = [one.view for one in records_in(Settings(), str(tmp_path / "b.tar"))]
    assert views[0] == "app/home [rest]"
    assert views[1].startswith("adjudication of sha256:")
