"""Odd names and links in a folder of pictures: each is told, and the rest is judged."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from PIL import Image

from bicameral.evidence.folder import read_folder
from bicameral.evidence.store import EvidenceFolder


def _png() -> bytes:
    out = io.BytesIO()
    Image.new("RGB", (4, 4), "red").save(out, "PNG")
    return out.getvalue()


@pytest.fixture
def pictures(tmp_path: Path) -> Path:
    folder = tmp_path / "pics"
    folder.mkdir()
    (folder / "good.png").write_bytes(_png())
    return folder


def _circle(folder: Path) -> None:
    (folder / "self.png").symlink_to("self.png")


def _pair(folder: Path) -> None:
    (folder / "a.png").symlink_to("b.png")
    (folder / "b.png").symlink_to("a.png")


def _folder(folder: Path) -> None:
    (folder / "again").symlink_to("again")


def _through(folder: Path) -> None:
    (folder / "loop").symlink_to("loop")
    (folder / "x.png").symlink_to("loop/x.png")


def _nowhere(folder: Path) -> None:
    (folder / "gone.png").symlink_to("missing.png")


@pytest.mark.parametrize("make", [_circle, _pair, _folder, _through, _nowhere])
def test_a_link_that_leads_nowhere_is_no_reason_to_stop(pictures: Path, tmp_path: Path, make: object) -> None:
    assert callable(make)
    make(pictures)
    result = read_folder(pictures, EvidenceFolder(tmp_path / "kept"))
    assert [shot.route for shot in result.shots] == ["good"]
    assert all(row.reason.startswith(row.where) for row in result.skipped)


def test_a_picture_that_is_a_link_to_itself_is_skipped_with_its_reason(pictures: Path, tmp_path: Path) -> None:
    _circle(pictures)
    result = read_folder(pictures, EvidenceFolder(tmp_path / "kept"))
    assert [(row.where, row.reason) for row in result.skipped] == [
        ("self.png", "self.png is a link that leads in a circle.")
    ]


@pytest.mark.parametrize(
    "sign", ["\x1b", "\x07", "\n", "\x7f", "\x9b", "\u202e", "\u2066", "\u200f", "\u061c", "\u2028"]
)
def test_characters_that_are_not_seen_are_in_no_name(pictures: Path, tmp_path: Path, sign: str) -> None:
    (pictures / f"ev{sign}il.png").write_bytes(_png())
    (pictures / f"bro{sign}ken.png").write_bytes(b"no picture")
    result = read_folder(pictures, EvidenceFolder(tmp_path / "kept"))
    said = repr([(shot.route, shot.shot_id) for shot in result.shots]) + repr(result.skipped)
    assert "ev\ufffdil" in said
    assert "bro\ufffdken" in said
    assert sign not in "".join([shot.shot_id for shot in result.shots] + [row.reason for row in result.skipped])


def test_joiners_that_scripts_need_stay(pictures: Path, tmp_path: Path) -> None:
    (pictures / "می\u200cخواهم.png").write_bytes(_png())
    result = read_folder(pictures, EvidenceFolder(tmp_path / "kept"))
    assert "می\u200cخواهم" in {shot.route for shot in result.shots}
