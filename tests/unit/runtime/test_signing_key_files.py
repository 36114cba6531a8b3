"""Key files: made once, read only where nobody else can, and never the cause of a loss."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import Any

import pytest

from bicameral.errors import ConfigError, SigningKeyError
from bicameral.runtime.keyfiles import generate_key, load_private_key, load_public_key, write_key_pair
from bicameral.runtime.signing import signing_key_of
from bicameral.settings import Settings, load_settings
from bicameral.witness.keys import PrivateKey

KEY = PrivateKey(b"k" * 32)


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


class TestMaking:
    def test_two_new_keys_differ(self) -> None:
        assert generate_key() != generate_key()

    def test_both_halves_are_written_and_read_back(self, tmp_path: Path) -> None:
        public = write_key_pair(KEY, tmp_path / "sign.pem")
        assert public == tmp_path / "sign.pem.pub"
        assert load_private_key(tmp_path / "sign.pem") == KEY
        assert load_public_key(public) == KEY.public

    def test_the_private_half_is_open_to_its_owner_alone_whatever_the_umask(self, tmp_path: Path) -> None:
        before = os.umask(0)
        try:
            public = write_key_pair(KEY, tmp_path / "sign.pem")
        finally:
            os.umask(before)
        assert (mode(tmp_path / "sign.pem"), mode(public)) == (0o600, 0o644)

    def test_a_passphrase_is_asked_for_again(self, tmp_path: Path) -> None:
        write_key_pair(KEY, tmp_path / "sign.pem", passphrase="open")
        assert load_private_key(tmp_path / "sign.pem", passphrase="open") == KEY
        with pytest.raises(SigningKeyError, match="BICAMERAL_SIGNING_PASSPHRASE"):
            load_private_key(tmp_path / "sign.pem")

    @pytest.mark.parametrize("there", ["sign.pem", "sign.pem.pub"])
    def test_neither_file_is_overwritten_and_neither_is_left(self, tmp_path: Path, there: str) -> None:
        (tmp_path / there).write_text("mine")
        with pytest.raises(SigningKeyError, match="never overwritten"):
            write_key_pair(KEY, tmp_path / "sign.pem")
        assert [path.name for path in tmp_path.iterdir()] == [there]
        assert (tmp_path / there).read_text() == "mine"

    def test_a_link_that_leads_nowhere_is_not_followed(self, tmp_path: Path) -> None:
        (tmp_path / "sign.pem").symlink_to(tmp_path / "elsewhere")
        with pytest.raises(SigningKeyError, match="never overwritten"):
            write_key_pair(KEY, tmp_path / "sign.pem")
        assert not (tmp_path / "elsewhere").exists()

    @pytest.mark.parametrize("place", ["no/such/folder/sign.pem", "x" * 300, "a\0b"])
    def test_a_place_that_takes_no_file_is_told(self, tmp_path: Path, place: str) -> None:
        with pytest.raises(SigningKeyError, match="cannot be written"):
            write_key_pair(KEY, tmp_path / place)

    def test_a_full_disk_leaves_no_half_of_a_key(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        def full(handle: int) -> None:
            raise OSError(28, "No space left on device")

        monkeypatch.setattr(os, "fsync", full)
        with pytest.raises(SigningKeyError, match="No space left"):
            write_key_pair(KEY, tmp_path / "sign.pem")
        assert list(tmp_path.iterdir()) == []


class TestReading:
    @pytest.mark.parametrize("bits", [0o640, 0o604, 0o620, 0o601, 0o777])
    def test_a_private_key_that_others_can_open_is_refused_with_the_mend(self, tmp_path: Path, bits: int) -> None:
        write_key_pair(KEY, tmp_path / "sign.pem")
        (tmp_path / "sign.pem").chmod(bits)
        with pytest.raises(SigningKeyError, match=rf"mode {bits:04o}.*chmod 600 .*sign\.pem"):
            load_private_key(tmp_path / "sign.pem")

    def test_a_public_key_in_its_place_is_told_as_that(self, tmp_path: Path) -> None:
        public = write_key_pair(KEY, tmp_path / "sign.pem")
        with pytest.raises(SigningKeyError, match="is a public key, which cannot sign"):
            load_private_key(public)

    def test_a_private_key_that_cannot_be_written_even_by_its_owner_is_taken(self, tmp_path: Path) -> None:
        write_key_pair(KEY, tmp_path / "sign.pem")
        (tmp_path / "sign.pem").chmod(0o400)
        assert load_private_key(tmp_path / "sign.pem") == KEY

    @pytest.mark.parametrize("load", [load_private_key, load_public_key])
    def test_whatever_is_no_key_file_is_told_with_its_path(self, tmp_path: Path, load: Any) -> None:
        (tmp_path / "folder").mkdir()
        os.mkfifo(tmp_path / "pipe", 0o600)
        (tmp_path / "large").write_bytes(b"x" * 70_000)
        (tmp_path / "empty").write_bytes(b"")
        for name in ("large", "empty"):
            (tmp_path / name).chmod(0o600)
        for name in ("missing", "folder", "pipe", "large", "empty", "x" * 300, "a\0b"):
            with pytest.raises(SigningKeyError, match=r"no key file|is no file|cannot be read|than 65,536|no PEM file"):
                load(tmp_path / name)

    def test_a_missing_file_names_the_command_that_makes_one(self, tmp_path: Path) -> None:
        with pytest.raises(SigningKeyError, match=r"There is no key file .*missing.*keygen"):
            load_private_key(tmp_path / "missing")


class TestSettings:
    def load(self, tmp_path: Path, environment: dict[str, str], **flags: Any) -> Settings:
        return load_settings(tmp_path, environment=environment, flags=flags)

    def test_nothing_is_signed_unless_a_key_is_named(self, tmp_path: Path) -> None:
        settings = self.load(tmp_path, {})
        assert settings.signing_key is None
        assert signing_key_of(settings) is None

    def test_the_environment_names_the_file_and_a_flag_beats_it(self, tmp_path: Path) -> None:
        settings = self.load(tmp_path, {"BICAMERAL_SIGNING_KEY": "a.pem"})
        assert settings.signing_key == Path("a.pem")
        assert settings.sources["signing_key"] == "the environment (BICAMERAL_SIGNING_KEY)"
        assert self.load(tmp_path, {"BICAMERAL_SIGNING_KEY": "a.pem"}, signing_key=Path("b")).signing_key == Path("b")

    def test_the_key_that_is_named_is_loaded_with_its_passphrase(self, tmp_path: Path) -> None:
        write_key_pair(KEY, tmp_path / "sign.pem", passphrase="open")
        environment = {"BICAMERAL_SIGNING_KEY": str(tmp_path / "sign.pem"), "BICAMERAL_SIGNING_PASSPHRASE": "open"}
        assert signing_key_of(self.load(tmp_path, environment)) == KEY

    def test_a_passphrase_is_never_printed(self, tmp_path: Path) -> None:
        settings = self.load(tmp_path, {"BICAMERAL_SIGNING_PASSPHRASE": "open sesame"})
        assert settings.signing_passphrase == "open sesame"
        assert "open sesame" not in repr(settings)

    @pytest.mark.parametrize("held", [KEY.pem().decode(), "-----BEGIN PRIVATE KEY-----", "a\nb"])
    def test_the_key_itself_in_the_files_place_is_refused_and_not_printed(self, tmp_path: Path, held: str) -> None:
        with pytest.raises(ConfigError, match="name of the key's file") as caught:
            self.load(tmp_path, {"BICAMERAL_SIGNING_KEY": held})
        assert KEY.pem().split(b"\n")[1].decode() not in str(caught.value)

    def test_the_file_of_settings_takes_no_key(self, tmp_path: Path) -> None:
        (tmp_path / "bicameral.toml").write_text('signing_key = "a.pem"\n')
        with pytest.raises(ConfigError, match="signing_key: unknown key"):
            self.load(tmp_path, {})
