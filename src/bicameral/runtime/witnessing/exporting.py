"""A record as a `cael.v1` trace: lines that readers of that format verify, with the record in the first entry.

Answers for: what a name means is exported, if it is a dialog. Declines to write files.
"""

from __future__ import annotations

from collections.abc import Iterator

from bicameral.runtime.witnessing.locating import locate
from bicameral.settings import Settings
from bicameral.witness.cael import Mode, export_cael


def cael_lines(settings: Settings, what: str, name: str | None = None, *, mode: Mode = "sha256") -> Iterator[bytes]:
    """The trace's lines with their line breaks. Raises as `locate` and `export_cael` do, before the first line."""
    lines = export_cael(locate(settings, what, name).members, mode=mode)
    return (line.encode("utf-8", "surrogatepass") + b"\n" for line in lines)
