"""What is redacted is gone, and everything that named it goes on working and says so."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from witness_store import held, keep, links_of, shots_with_evidence, workspace

from bicameral.canonical import sha256_digest
from bicameral.dialogue import encode_result
from bicameral.errors import InputError, JudgeFailed, RedactedEvidenceError, StoreError
from bicameral.model.evidence import Shot
from bicameral.model.judging import DialogueResult, RawReply
from bicameral.report.pictures import album
from bicameral.runtime.keeping import keep_failure
from bicameral.runtime.witnessing.redacting import redact
from bicameral.runtime.workspace import Workspace

NAME = "both agree on one and not on the other"


class Scene:
    def __init__(self, space: Workspace, shots: tuple[Shot, ...], result: DialogueResult) -> None:
        self.space, self.shots, self.result = space, shots, result

    def files(self) -> set[str]:
        return {path.stem for path in self.space.evidence.path.rglob("*.*")}


@pytest.fixture
def scene(tmp_path: Path) -> Iterator[Scene]:
    with workspace(tmp_path, "r1", "r2") as space:
        shots = shots_with_evidence(space.evidence)
        result = held(NAME, shots)
        keep(space, result, shots)
        space.verdicts.put("key", encode_result(result))
        yield Scene(space, shots, result)


def test_a_redacted_picture_is_gone_from_the_folder_and_told_as_redacted(scene: Scene) -> None:
    picture = scene.shots[0].picture
    done = redact(scene.space, picture, reason="A face.", by="Ada")
    assert (done.kinds, done.file, done.replies, done.records, done.again) == (("evidence",), True, 0, 1, False)
    assert picture.removeprefix("sha256:") not in scene.files()
    with pytest.raises(RedactedEvidenceError, match=r"redacted by Ada at .*: A face"):
        scene.space.evidence.read(picture)
    with scene.space.store.read() as reader:
        (told,) = reader.redactions()
    assert (told.digest, told.kind, told.redacted_by, told.reason) == (picture, "evidence", "Ada", "A face.")


def test_a_report_says_that_a_picture_was_redacted_and_not_that_it_is_missing(scene: Scene) -> None:
    redacted, gone = scene.shots[0].picture, scene.shots[1].picture
    redact(scene.space, redacted, reason="A face.", by="Ada")
    scene.space.evidence.remove(gone)
    found = album([redacted, gone], scene.space.evidence)
    assert (found.redacted, found.missing) == ({redacted}, {gone})


@pytest.mark.parametrize("what", ["facts", "companion"])
def test_facts_and_companions_are_redacted_like_pictures(scene: Scene, what: str) -> None:
    digest = getattr(scene.shots[1], what)
    assert redact(scene.space, digest, reason="r", by="Ada").file
    with pytest.raises(RedactedEvidenceError):
        scene.space.evidence.read(digest)


def test_instructions_are_redacted_too(scene: Scene) -> None:
    assert redact(scene.space, sha256_digest(b"Look."), reason="r", by="Ada").file


def test_a_redacted_reply_is_in_no_row_no_verdict_and_no_byte_of_the_stores_files(scene: Scene) -> None:
    secret = b"is 2 px where the rest keeps 8 px"
    reply = scene.result.raw[0]
    assert secret in reply.text.encode()
    done = redact(scene.space, reply.digest, reason="r", by="Ada")
    assert (done.kinds, done.replies, done.file) == (("reply",), 1, False)
    assert scene.space.verdicts.get("key") is None
    (link,) = links_of(scene.space)
    assert [reply.text is None for reply in link.replies] == [True, False]
    for path in scene.space.folder.glob("bicameral.db*"):
        assert reply.text.encode() not in path.read_bytes()


def test_every_run_that_had_the_reply_loses_its_text(scene: Scene) -> None:
    keep(scene.space, scene.result, scene.shots, run_id="r2")
    assert redact(scene.space, scene.result.raw[1].digest, reason="r", by="Ada").replies == 2


def test_a_verdict_of_other_replies_is_still_served(scene: Scene) -> None:
    scene.space.verdicts.put("other", encode_result(held("one judge alone")))
    redact(scene.space, scene.result.raw[1].digest, reason="r", by="Ada")
    assert scene.space.verdicts.get("other") is not None


def test_a_reply_of_a_view_that_could_not_be_judged_is_dropped_from_its_batch(scene: Scene) -> None:
    raw = RawReply(
        handle="codex",
        model="m",
        task="propose",
        text="a secret",
        digest=sha256_digest(b"a secret"),
        finish="stop",
        state="unreadable",
    )
    failed = JudgeFailed("nothing to use", reason="unreadable", raw=raw)
    keep_failure(scene.space.store, run_id="r2", position=0, view=scene.shots[0].view, shots=scene.shots, failed=failed)
    done = redact(scene.space, raw.digest, reason="r", by="Ada")
    assert (done.kinds, done.replies) == (("reply",), 1)
    (batch,) = scene.space.store.batches("r2")
    told: dict[str, Any] = json.loads(batch.body)
    assert (told["raw"]["text"], told["raw"]["digest"], told["failure"]) == (None, raw.digest, "unreadable")


def test_a_crash_after_the_commit_is_finished_by_the_same_command(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    picture = scene.shots[0].picture

    def dies(_: str) -> bool:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(scene.space.evidence, "remove", dies)
        with pytest.raises(KeyboardInterrupt):
            redact(scene.space, picture, reason="r", by="Ada")
    assert picture.removeprefix("sha256:") in scene.files()
    done = redact(scene.space, picture, reason="r", by="Ada")
    assert (done.again, done.file) == (True, True)
    assert picture.removeprefix("sha256:") not in scene.files()


def test_a_file_that_cannot_be_removed_is_an_error_and_the_redaction_stands(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "unlink", refused)
    with pytest.raises(StoreError, match="could not be removed"):
        redact(scene.space, scene.shots[0].picture, reason="r", by="Ada")
    with scene.space.store.read() as reader:
        assert len(list(reader.redactions())) == 1


def test_the_same_picture_captured_anew_is_a_new_capture_and_is_kept(scene: Scene) -> None:
    picture = scene.shots[0].picture
    body = scene.space.evidence.read(picture)
    redact(scene.space, picture, reason="r", by="Ada")
    assert scene.space.evidence.put(body, ".png") == picture
    assert scene.space.evidence.read(picture) == body
    assert redact(scene.space, picture, reason="r", by="Ada").file


def test_a_text_that_is_a_reply_and_instructions_at_once_is_dropped_as_both(scene: Scene) -> None:
    scene.space.evidence.put(scene.result.raw[0].text.encode(), ".txt")
    digest = scene.result.raw[0].digest
    shots = tuple(s for s in scene.shots)
    keep_failure(
        scene.space.store,
        run_id="r2",
        position=0,
        view=shots[0].view,
        shots=(Shot(**{**vars(shots[0]), "facts": digest}),),
        failed=JudgeFailed("x", reason="empty"),
    )
    done = redact(scene.space, digest, reason="r", by="Ada")
    assert (done.kinds, done.replies, done.file) == (("reply", "evidence"), 1, True)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("", "no digest"),
        ("../../etc/passwd", "no digest"),
        ("sha256:" + "Z" * 64, "no digest"),
        ("abcdef", "too short"),
        ("f" * 64, "Nothing here has"),
        ("0123456789ab", "Nothing here has"),
    ],
)
def test_a_name_that_fits_nothing_drops_nothing(scene: Scene, name: str, words: str) -> None:
    before = scene.files()
    with pytest.raises(InputError, match=words):
        redact(scene.space, name, reason="r", by="Ada")
    assert scene.files() == before


def test_twelve_digits_are_enough_of_a_name(scene: Scene) -> None:
    picture = scene.shots[0].picture
    assert redact(scene.space, picture.removeprefix("sha256:")[:12], reason="r", by="Ada").digest == picture


@pytest.mark.parametrize("reason", ["", "  ", "\n"])
def test_a_redaction_without_a_reason_is_refused(scene: Scene, reason: str) -> None:
    with pytest.raises(InputError, match="says why"):
        redact(scene.space, scene.shots[0].picture, reason=reason, by="Ada")


def test_a_file_that_no_record_names_is_dropped_by_its_whole_digest_alone(scene: Scene) -> None:
    digest = scene.space.evidence.put(b"nobody's", ".png")
    with pytest.raises(InputError, match="Nothing here has"):
        redact(scene.space, digest[:30], reason="r", by="Ada")
    done = redact(scene.space, digest, reason="r", by="Ada")
    assert (done.records, done.file) == (0, True)
