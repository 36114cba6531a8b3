"""Every EvidenceReader gives back exactly the bytes that a digest names, or an EvidenceError."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bicameral.errors import EvidenceError, StoreError
from bicameral.evidence.store import EvidenceFolder, digest_of
from bicameral.ports import EvidenceReader


@pytest.fixture
def folder(tmp_path: Path) -> EvidenceFolder:
    return EvidenceFolder(tmp_path / "evidence")


def _file(folder: EvidenceFolder, digest: str, suffix: str = ".png") -> Path:
    name = digest.removeprefix("sha256:")
    return folder.path / "sha256" / name[:2] / (name + suffix)


def test_a_folder_is_an_evidence_reader(folder: EvidenceFolder) -> None:
    reader: EvidenceReader = folder
    assert reader.read(folder.put(b"x", ".png")) == b"x"


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=25)
@given(st.binary(max_size=200), st.sampled_from([".png", ".json"]))
def test_what_is_put_is_read_back_under_its_sha256(folder: EvidenceFolder, body: bytes, suffix: str) -> None:
    digest = folder.put(body, suffix)
    assert digest == "sha256:" + hashlib.sha256(body).hexdigest() == digest_of(body)
    assert folder.read(digest) == body
    assert _file(folder, digest, suffix).is_file()


def test_putting_twice_changes_nothing(folder: EvidenceFolder) -> None:
    digest = folder.put(b"x", ".png")
    before = _file(folder, digest).stat().st_mtime_ns
    assert folder.put(b"x", ".png") == digest
    assert _file(folder, digest).stat().st_mtime_ns == before


def test_a_changed_file_is_never_given_as_evidence(folder: EvidenceFolder) -> None:
    digest = folder.put(b"x", ".png")
    _file(folder, digest).write_bytes(b"y")
    with pytest.raises(EvidenceError, match="no longer holds"):
        folder.read(digest)
    folder.put(b"x", ".png")
    assert folder.read(digest) == b"x"


def test_absent_bytes_are_an_error_that_names_the_digest(folder: EvidenceFolder) -> None:
    digest = digest_of(b"never put")
    with pytest.raises(EvidenceError, match=digest):
        folder.read(digest)


@pytest.mark.parametrize(
    "digest",
    [
        "",
        "sha256:",
        "sha256:../../etc/passwd",
        "sha256:" + "g" * 64,
        "sha256:" + "A" * 64,
        "sha256:" + "a" * 63,
        "sha256:" + "a" * 65,
        "sha256:" + "a" * 64 + "\n",
        "sha256:" + "٣" * 64,
        "sha512:" + "a" * 64,
        "/etc/passwd",
        "a" * 64,
    ],
)
def test_text_that_is_no_digest_never_reaches_the_disk(folder: EvidenceFolder, digest: str) -> None:
    with pytest.raises(EvidenceError, match="is no digest"):
        folder.read(digest)


def test_a_suffix_that_is_not_ours_is_refused(folder: EvidenceFolder) -> None:
    with pytest.raises(EvidenceError):
        folder.put(b"x", "/../x")


def test_a_full_disk_loses_nothing_and_leaves_nothing_half_written(
    folder: EvidenceFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = folder.put(b"before", ".png")

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(os, "fsync", full)
        with pytest.raises(StoreError, match="No space left") as caught:
            folder.put(b"after", ".png")
    assert str(folder.path) in str(caught.value)
    assert folder.read(kept) == b"before"
    assert [file for file in folder.path.rglob("*") if file.is_file()] == [_file(folder, kept)]


def test_a_place_that_cannot_be_a_folder_is_a_store_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"x")
    with pytest.raises(StoreError, match="file"):
        EvidenceFolder(tmp_path / "file").put(b"x", ".png")
