"""A folder of pictures that some other tool took becomes shots; what cannot be judged is skipped with its reason."""

from __future__ import annotations

import io
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from bicameral.errors import EvidenceError
from bicameral.evidence.folder import place_of, read_folder
from bicameral.evidence.store import EvidenceFolder
from bicameral.imaging.decode import decode


def _picture(kind: str = "PNG", mode: str = "RGB", size: tuple[int, int] = (12, 8), **options: object) -> bytes:
    out = io.BytesIO()
    Image.new(mode, size).save(out, kind, **options)
    return out.getvalue()


def _put(root: Path, name: str, body: bytes) -> None:
    (root / name).parent.mkdir(parents=True, exist_ok=True)
    (root / name).write_bytes(body)


@pytest.fixture
def shots(tmp_path: Path) -> Path:
    folder = tmp_path / "shots"
    folder.mkdir()
    return folder


@pytest.fixture
def kept(tmp_path: Path) -> EvidenceFolder:
    return EvidenceFolder(tmp_path / "evidence")


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("home.png", "pictures/home/rest/desktop/light"),
        ("home-page.final.png", "pictures/home-page.final/rest/desktop/light"),
        ("home/phone.png", "pictures/home/rest/phone/light"),
        ("home/dark.png", "pictures/home/rest/desktop/dark"),
        ("home/phone/dark.png", "pictures/home/rest/phone/dark"),
        ("shop/home.png", "shop/home/rest/desktop/light"),
        ("shop/home/phone/dark.png", "shop/home/rest/phone/dark"),
        ("home/rest/phone.png", "pictures/home/rest/phone/light"),
        ("shop/home/menu-open.png", "shop/home/menu-open/desktop/light"),
        ("shop/home/menu-open/tablet/dark.png", "shop/home/menu-open/tablet/dark"),
        ("a/b/c/d.png", "pictures/a/b/c/d/rest/desktop/light"),
        ("dark.png", "pictures/dark/rest/desktop/light"),
        ("phone/dark.png", "pictures/phone/rest/desktop/dark"),
        ("no-suffix", "pictures/no-suffix/rest/desktop/light"),
    ],
)
def test_the_path_says_what_a_picture_shows(name: str, expected: str) -> None:
    assert place_of(name).shot_id == expected


@given(st.lists(st.text("abc.é-", min_size=1, max_size=4), min_size=1, max_size=7))
def test_every_path_names_a_route(parts: list[str]) -> None:
    place = place_of("/".join(parts) + ".png")
    assert place.route
    assert place.target


def test_pictures_are_kept_as_rgb_png_in_the_order_of_their_paths(shots: Path, kept: EvidenceFolder) -> None:
    _put(shots, "b.png", _picture(mode="RGBA"))
    _put(shots, "a.webp", _picture("WEBP", lossless=True))
    _put(shots, "c/phone.jpg", _picture("JPEG", mode="CMYK"))
    result = read_folder(shots, kept)
    assert [shot.route for shot in result.shots] == ["a", "b", "c"]
    assert result.skipped == ()
    for shot in result.shots:
        body = kept.read(shot.picture)
        assert body.startswith(b"\x89PNG")
        assert body[24:26] == b"\x08\x02"
        assert decode(body, where="x").shape == (shot.height_px, shot.width_px, 3) == (8, 12, 3)
        assert shot.facts is None
        assert shot.companion is None


def test_a_plain_png_keeps_its_own_bytes(shots: Path, kept: EvidenceFolder) -> None:
    body = _picture()
    _put(shots, "home.png", body)
    assert kept.read(read_folder(shots, kept).shots[0].picture) == body


def test_an_upright_size_is_told_for_a_picture_that_lies_on_its_side(shots: Path, kept: EvidenceFolder) -> None:
    exif = Image.Exif()
    exif[0x0112] = 6
    _put(shots, "home.png", _picture(exif=exif))
    shot = read_folder(shots, kept).shots[0]
    assert (shot.width_px, shot.height_px) == (8, 12)


def test_reading_twice_gives_the_same_shots(shots: Path, kept: EvidenceFolder) -> None:
    for name in ("z.png", "a.jpg", "m/dark.png"):
        _put(shots, name, _picture("JPEG" if name.endswith("jpg") else "PNG"))
    assert read_folder(shots, kept) == read_folder(shots, kept)


def test_what_cannot_be_judged_is_skipped_with_its_reason_and_the_rest_is_kept(
    shots: Path, kept: EvidenceFolder
) -> None:
    _put(shots, "good.png", _picture())
    _put(shots, "empty.png", b"")
    _put(shots, "text.png", b"I am a text")
    _put(shots, "cut.png", _picture(size=(300, 300))[:90])
    frames = [Image.new("RGB", (4, 4), colour) for colour in ("red", "blue")]
    out = io.BytesIO()
    frames[0].save(out, "PNG", save_all=True, append_images=frames[1:])
    _put(shots, "moves.png", out.getvalue())
    _put(shots, "old.gif", _picture("GIF", mode="P"))
    result = read_folder(shots, kept)
    assert [shot.route for shot in result.shots] == ["good"]
    reasons = {row.where: row.reason for row in result.skipped}
    assert list(reasons) == ["cut.png", "empty.png", "moves.png", "old.gif", "text.png"]
    assert "cut short" in reasons["cut.png"]
    assert "empty" in reasons["empty.png"]
    assert "animated" in reasons["moves.png"]
    assert "not a PNG" in reasons["old.gif"]
    assert "not a PNG" in reasons["text.png"]


def test_a_picture_is_told_by_its_bytes_and_other_files_are_passed_over(shots: Path, kept: EvidenceFolder) -> None:
    _put(shots, "home.shot", _picture())
    _put(shots, "README.txt", b"about these pictures")
    _put(shots, ".hidden.png", b"broken")
    _put(shots, ".git/x.png", b"broken")
    result = read_folder(shots, kept)
    assert [shot.route for shot in result.shots] == ["home"]
    assert result.skipped == ()


def test_a_second_picture_of_one_shot_is_skipped_and_named(shots: Path, kept: EvidenceFolder) -> None:
    _put(shots, "home.jpg", _picture("JPEG"))
    _put(shots, "home.png", _picture())
    result = read_folder(shots, kept)
    assert len(result.shots) == 1
    assert result.skipped[0].where == "home.png"
    assert "home.jpg" in result.skipped[0].reason


def test_a_link_that_leads_out_of_the_folder_is_not_followed(shots: Path, kept: EvidenceFolder, tmp_path: Path) -> None:
    _put(tmp_path, "secret.png", _picture())
    _put(tmp_path, "elsewhere/secret.png", _picture())
    _put(shots, "home.png", _picture(size=(3, 3)))
    os.symlink(tmp_path / "secret.png", shots / "out.png")
    os.symlink(tmp_path / "elsewhere", shots / "outside")
    os.symlink(shots / "home.png", shots / "again.png")
    os.symlink(shots / "gone.png", shots / "dangling.png")
    os.symlink(shots, shots / "loop")
    result = read_folder(shots, kept)
    assert [shot.route for shot in result.shots] == ["again", "home"]
    assert {row.where for row in result.skipped} == {"out.png", "outside", "dangling.png"}


def test_a_name_is_the_same_text_however_the_disk_writes_its_letters(shots: Path, kept: EvidenceFolder) -> None:
    _put(shots, "Cafe\u0301.png", _picture())
    assert read_folder(shots, kept).shots[0].route == "Caf\u00e9"


def test_a_name_that_is_no_text_can_still_be_recorded(shots: Path, kept: EvidenceFolder) -> None:
    (shots / os.fsdecode(b"bad\xff.png")).write_bytes(_picture())
    assert read_folder(shots, kept).shots[0].route == "bad\ufffd"


def test_a_folder_without_pictures_is_an_error_that_says_so(shots: Path, kept: EvidenceFolder) -> None:
    with pytest.raises(EvidenceError, match="holds no picture"):
        read_folder(shots, kept)
    _put(shots, "text.png", b"I am a text")
    with pytest.raises(EvidenceError, match="not a PNG"):
        read_folder(shots, kept)


@pytest.mark.parametrize("name", ["absent", "file.png"])
def test_what_is_no_folder_is_an_error_that_names_it(shots: Path, kept: EvidenceFolder, name: str) -> None:
    _put(shots, "file.png", _picture())
    with pytest.raises(EvidenceError, match=f"{name} is not a folder"):
        read_folder(shots / name, kept)


def test_the_users_own_files_are_left_as_they_were(shots: Path, kept: EvidenceFolder) -> None:
    _put(shots, "a.png", _picture(mode="RGBA"))
    _put(shots, "b.png", b"broken")
    before = {file.name: file.read_bytes() for file in shots.iterdir()}
    read_folder(shots, kept)
    assert {file.name: file.read_bytes() for file in shots.iterdir()} == before
