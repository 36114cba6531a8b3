"""Which kind of file system a path is on, so that a store on a network folder can be said to be at risk.

Answers for Linux, by the kernel's own table of mounts. Elsewhere it does not know, and says nothing.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

MOUNTS: Final = Path("/proc/self/mountinfo")

NETWORK: Final[frozenset[str]] = frozenset(
    {
        "9p", "afs", "beegfs", "ceph", "cifs", "davfs", "fuse.ceph", "fuse.davfs2", "fuse.glusterfs", "fuse.rclone",
        "fuse.s3fs", "fuse.sshfs", "glusterfs", "gpfs", "lustre", "ncpfs", "nfs", "nfs4", "smb3", "smbfs", "virtiofs",
    }
)  # fmt: skip
"""File systems that may be shared with another machine, on which SQLite's locks and its shared memory do not hold
(https://sqlite.org/wal.html, "all processes using a database must be on the same host computer")."""


def network_file_system(path: Path) -> str | None:
    """The name of the network file system that an absolute path is on, or None where it is local or unknown."""
    try:
        mounts = MOUNTS.read_text(encoding="utf-8", errors="surrogateescape")
    except OSError:
        return None
    kind = file_system_of(path, mounts)
    return kind if kind in NETWORK else None


def file_system_of(path: Path, mounts: str) -> str | None:
    """The type of the mount that holds an absolute path.

    mounts: the text of a mountinfo file (proc_pid_mountinfo(5)): the fifth field is the mount point, the first after
    the lone hyphen the type. Of several mounts on one point the last one is seen.
    """
    best: tuple[int, str] | None = None
    for line in mounts.splitlines():
        before, _, after = line.partition(" - ")
        fields, kind = before.split(" "), after.split(" ")[0]
        if len(fields) < 5 or not kind:
            continue
        point = Path(re.sub(r"\\(\d{3})", lambda octal: chr(int(octal[1], 8)), fields[4]))
        depth = len(point.parts)
        if path.is_relative_to(point) and (best is None or depth >= best[0]):
            best = (depth, kind)
    return None if best is None else best[1]
