"""A store on a network file system is said to be one."""

from __future__ import annotations

from pathlib import Path

import pytest

from bicameral.storage import Store, _filesystem
from bicameral.storage._filesystem import file_system_of

MOUNTS = r"""22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw
40 22 0:5 / /dev rw - devtmpfs udev rw
50 22 0:44 / /home/ada/team rw,relatime shared:9 - nfs4 server:/team rw,vers=4.2
51 22 0:45 / /mnt/my\040share rw - cifs //host/share rw
52 50 8:2 / /home/ada/team/local rw - xfs /dev/sdb1 rw
53 22 0:46 / /home/ada/team/local/over rw - fuse.sshfs host: rw
broken line
"""


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("/home/ada/.bicameral/store.db", "ext4"),
        ("/home/ada/team/store.db", "nfs4"),
        ("/home/ada/teams/store.db", "ext4"),
        ("/home/ada/team/local/store.db", "xfs"),
        ("/home/ada/team/local/over/x", "fuse.sshfs"),
        ("/mnt/my share/store.db", "cifs"),
    ],
)
def test_the_innermost_mount_holds_the_path(path: str, kind: str) -> None:
    assert file_system_of(Path(path), MOUNTS) == kind


def test_without_a_table_of_mounts_nothing_is_known() -> None:
    assert file_system_of(Path("/x"), "") is None


def test_a_store_on_a_network_file_system_opens_with_a_note(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    mounts = tmp_path / "mountinfo"
    mounts.write_text(f"22 1 8:1 / / rw - ext4 /dev/sda1 rw\n23 22 0:9 / {tmp_path} rw - nfs4 server:/x rw\n")
    monkeypatch.setattr(_filesystem, "MOUNTS", mounts)
    with Store.open(tmp_path / "store.db") as store:
        (note,) = store.notes
    assert "network file system (nfs4)" in note
    assert str(tmp_path / "store.db") in note


def test_where_the_table_of_mounts_cannot_be_read_the_store_opens_without_a_note(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_filesystem, "MOUNTS", tmp_path / "none")
    with Store.open(tmp_path / "store.db") as store:
        assert store.notes == ()
