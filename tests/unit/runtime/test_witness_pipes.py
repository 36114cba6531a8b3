"""What is read once (stdin, a pipe) and what takes no more (a full disk, a device)."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from witness_store import held, keep, shots_with_evidence, workspace

from bicameral.errors import InputError, RecordError, StoreError
from bicameral.interfaces.cli._output import write_file
from bicameral.runtime.records import read_dialog_file, read_input
from bicameral.runtime.witnessing.bundling import bundle
from bicameral.runtime.witnessing.locating import locate, records_in
from bicameral.runtime.witnessing.opening import kind_of
from bicameral.runtime.witnessing.rereading import replay_path
from bicameral.runtime.witnessing.verifying import verify_path
from bicameral.settings import Settings

BOTH = "both agree on one and not on the other"


@pytest.fixture
def packed(tmp_path: Path) -> Path:
    with workspace(tmp_path / "state", "r1") as space:
        shots = shots_with_evidence(space.evidence)
        keep(space, held(BOTH, shots), shots)
        bundle(space, None, tmp_path / "all.tar")
    return tmp_path / "all.tar"


@contextmanager
def on_stdin(monkeypatch: pytest.MonkeyPatch, body: bytes, *, seekable: bool) -> Iterator[None]:
    """Stdin as a file that was redirected, or as a pipe, which can be read once."""
    raw = io.BytesIO(body)
    if not seekable:
        raw.seekable = lambda: False  # type: ignore[method-assign]  # as a pipe says of itself
    with monkeypatch.context() as patch:
        patch.setattr(sys, "stdin", io.TextIOWrapper(io.BufferedReader(raw)))
        yield


@pytest.mark.parametrize("seekable", [True, False])
class TestStdin:
    def test_a_bundle_on_it_is_verified_replayed_and_listed(
        self, packed: Path, monkeypatch: pytest.MonkeyPatch, seekable: bool
    ) -> None:
        body = packed.read_bytes()
        with on_stdin(monkeypatch, body, seekable=seekable):
            found = verify_path(Settings(), "-")
        assert (found.status, found.kind, found.entries) == (0, "bundle", 1)
        with on_stdin(monkeypatch, body, seekable=seekable):
            again = replay_path(Settings(), "-")
        assert (again.status, again.replayed) == (0, 1)
        with on_stdin(monkeypatch, body, seekable=seekable):
            assert len(records_in(Settings(), "-")) == 1

    def test_a_bundle_on_it_is_not_searched_for_a_record_and_the_mend_is_told(
        self, packed: Path, monkeypatch: pytest.MonkeyPatch, seekable: bool
    ) -> None:
        on = on_stdin(monkeypatch, packed.read_bytes(), seekable=seekable)
        with on, pytest.raises(InputError, match="Save it as a file"):
            locate(Settings(), "-")

    def test_a_record_on_it_is_verified(self, packed: Path, monkeypatch: pytest.MonkeyPatch, seekable: bool) -> None:
        record = locate(Settings(), str(packed)).body
        with on_stdin(monkeypatch, record, seekable=seekable):
            assert verify_path(Settings(), "-").status == 0


def test_a_program_that_was_started_without_stdin_is_told_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", None)
    with pytest.raises(InputError, match="no stdin"):
        read_input("-")
    assert "no stdin" in (verify_path(Settings(), "-").error or "")


def test_a_pipe_is_not_opened_and_not_called_something_else(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for look in (kind_of, lambda name: locate(Settings(), name)):
        with pytest.raises(InputError, match=r"is a pipe or a device.*stdin"):
            look(str(tmp_path / "pipe"))


def test_an_empty_path_is_no_folder() -> None:
    with pytest.raises(InputError, match="empty"):
        kind_of("")


def test_a_device_is_written_to_and_never_replaced_by_a_file() -> None:
    write_file(Path(os.devnull), "x")
    assert not Path(os.devnull).is_file()


def test_a_device_that_is_full_is_told() -> None:
    with pytest.raises(StoreError, match="Free some space"):
        write_file(Path("/dev/full"), "x")
    assert not Path("/dev/full").is_file()


@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize(
    "arguments",
    [["list"], ["list", "--json"], ["verify"], ["verify", "--json"], ["bundle", "--out", "-"]],
    ids=" ".join,
)
def test_a_stdout_that_is_full_is_told_in_one_sentence_and_status_2(
    packed: Path, arguments: list[str], unbuffered: str
) -> None:
    command = [sys.executable, "-c", "from bicameral.interfaces.cli import main; main()", "witness", *arguments]
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [*command, "--state", str(packed.parent / "state")],
            stdout=full,
            stderr=subprocess.PIPE,
            env={**os.environ, "PYTHONUNBUFFERED": unbuffered},
            check=False,
        )
    told = done.stderr.decode()
    assert (done.returncode, told.count("\n"), "stdout could not be written" in told) == (2, 1, True)


def test_a_file_that_is_no_json_is_named_where_a_dialog_was_wanted(tmp_path: Path) -> None:
    (tmp_path / "empty").write_bytes(b"")
    with pytest.raises(RecordError, match=r"empty is no JSON"):
        read_dialog_file(str(tmp_path / "empty"))
