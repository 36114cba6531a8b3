"""Evidence that is found without being read, and taken away for good."""

from __future__ import annotations

from pathlib import Path

import pytest

from bicameral.errors import EvidenceError, StoreError
from bicameral.evidence.store import EvidenceFolder, digest_of

BODY = b"bytes"


@pytest.mark.parametrize("suffix", [".png", ".json", ".txt"])
def test_what_was_put_is_found_and_removed_once(tmp_path: Path, suffix: str) -> None:
    folder = EvidenceFolder(tmp_path)
    digest = folder.put(BODY, suffix)
    place = folder.find(digest)
    assert place is not None
    assert place.read_bytes() == BODY
    assert folder.remove(digest) is True
    assert (folder.find(digest), folder.remove(digest)) == (None, False)
    with pytest.raises(EvidenceError):
        folder.read(digest)


def test_the_same_bytes_under_two_suffixes_go_together(tmp_path: Path) -> None:
    folder = EvidenceFolder(tmp_path)
    digest = folder.put(BODY, ".json")
    folder.put(BODY, ".txt")
    assert folder.remove(digest)
    assert folder.find(digest) is None


def test_other_evidence_stays(tmp_path: Path) -> None:
    folder = EvidenceFolder(tmp_path)
    kept = folder.put(b"other", ".png")
    folder.remove(folder.put(BODY, ".png"))
    assert folder.read(kept) == b"other"


@pytest.mark.parametrize("name", ["", "../../etc/passwd", "sha256:" + "A" * 64, "sha256:" + "0" * 63])
def test_a_name_that_is_no_digest_removes_and_finds_nothing(tmp_path: Path, name: str) -> None:
    folder = EvidenceFolder(tmp_path)
    for act in (folder.find, folder.remove):
        with pytest.raises(EvidenceError, match="is no digest"):
            act(name)


def test_a_file_that_may_not_be_removed_is_told_with_its_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = EvidenceFolder(tmp_path)
    digest = folder.put(BODY, ".png")

    def refused(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "unlink", refused)
    with pytest.raises(StoreError, match="could not be removed"):
        folder.remove(digest)
    assert digest == digest_of(BODY)
