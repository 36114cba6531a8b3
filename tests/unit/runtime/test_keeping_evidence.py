"""Whatever a record names can be had whole: pictures, facts, companions and the instructions of each judge."""

from __future__ import annotations

from pathlib import Path

import pytest
from PIL import Image, ImageDraw
from witness_store import held, keep, shots_with_evidence, workspace

from bicameral.canonical import sha256_digest
from bicameral.errors import StoreError
from bicameral.evidence.store import EvidenceFolder
from bicameral.runtime.check import run_folder
from bicameral.runtime.events import unwatched
from bicameral.runtime.witnessing.charges import evidence_of
from bicameral.runtime.witnessing.verifying import verify_path
from bicameral.runtime.workspace import Workspace
from bicameral.settings import Settings


def test_a_run_leaves_everything_that_its_records_name(tmp_path: Path) -> None:
    (tmp_path / "shots").mkdir()
    picture = Image.new("RGB", (300, 200), "white")
    ImageDraw.Draw(picture).rectangle((20, 20, 200, 60), fill="black")
    picture.save(tmp_path / "shots" / "home.png")
    settings = Settings(state_dir=tmp_path / "state")
    with Workspace.open(settings) as space:
        run_folder(settings, tmp_path / "shots", space, unwatched)
        (record,) = space.store.records()
        named = evidence_of(record.body)
        assert len(named) == 2  # the picture, and what the one judge was told
        for digest in named:
            assert sha256_digest(space.evidence.read(digest)) == digest
    assert verify_path(settings, None).status == 0


def test_instructions_are_kept_once_however_often_they_are_given(tmp_path: Path) -> None:
    with workspace(tmp_path, "r1") as space:
        for position in range(3):
            shots = shots_with_evidence(space.evidence, str(position))
            keep(space, held("one judge alone", shots), shots, position=position)
        texts = sorted(path.read_text(encoding="utf-8") for path in space.evidence.path.rglob("*.txt"))
    assert texts == ["Look again.", "Look."]


def test_a_folder_that_takes_no_instructions_leaves_no_record_that_names_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with workspace(tmp_path, "r1") as space:
        shots = shots_with_evidence(space.evidence)
        result = held("one judge alone", shots)

        def full(_: EvidenceFolder, body: bytes, suffix: str) -> str:
            raise StoreError("Evidence could not be written: the disk is full.")

        monkeypatch.setattr(EvidenceFolder, "put", full)
        with pytest.raises(StoreError):
            keep(space, result, shots)
        assert space.store.records() == ()
