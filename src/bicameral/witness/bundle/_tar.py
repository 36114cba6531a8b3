"""The one form of tar header that a bundle has: POSIX ustar, a plain file, nothing in it that could differ.

Answers for: a header is wholly decided by a member's name and size, so it is read by being written again. Declines to
read any other tar: links, devices, folders, long names, sparse files, owners, times and extensions are refused by name.
"""

from __future__ import annotations

import re
from typing import Final

from bicameral.canonical.shown import shown
from bicameral.errors import BundleError

BLOCK: Final = 512
END: Final = bytes(2 * BLOCK)
"""What a tar ends with (POSIX.1-2017, pax, ustar interchange format)."""

HEADER_NAME: Final = "bicameral.bundle.v1.json"
END_NAME: Final = "end.json"

_OWN: Final = re.compile(
    r"bicameral\.bundle\.v1\.json|chain/[0-9]{10}\.links|blobs/[0-9a-f]{64}|redactions/[0-9]{10}\.lines"
    r"|envelopes/[0-9]{10}(?:\.json|\.dsse\.json)|end\.json",
    re.ASCII,
)
_KINDS: Final = {
    b"1": "a hard link",
    b"2": "a symbolic link",
    b"3": "a character device",
    b"4": "a block device",
    b"5": "a folder",
    b"6": "a pipe",
    b"7": "a contiguous file",
    b"x": "an extended header",
    b"g": "a global extended header",
    b"L": "a long name of GNU tar",
    b"K": "a long link name of GNU tar",
    b"S": "a sparse file of GNU tar",
    b"V": "a volume label of GNU tar",
    b"M": "a part of a volume of GNU tar",
    b"D": "a folder of GNU tar",
    b"N": "a name table of GNU tar",
    b"\0": "a file of a tar before POSIX",
}
_BEFORE_SIZE: Final = b"0000644\x000000000\x000000000\x00"  # mode, uid, gid
_AFTER_SIZE: Final = b"00000000000\x00"  # mtime
_AFTER_SUM: Final = b"0" + bytes(100) + b"ustar\x0000" + bytes(64) + b"0000000\x000000000\x00" + bytes(167)
_FIXED: Final = sum(_BEFORE_SIZE) + sum(_AFTER_SIZE) + 8 * ord(" ") + sum(_AFTER_SUM)


def tar_header(name: str, size: int) -> bytes:
    """The 512 bytes before a member. name: at most 100 ASCII characters; size: from 0 to 8 GiB less one byte."""
    named, sized = name.encode("ascii").ljust(100, b"\0"), b"%011o\0" % size
    checksum = b"%06o\0 " % (_FIXED + sum(named) + sum(sized))
    return b"".join((named, _BEFORE_SIZE, sized, _AFTER_SIZE, checksum, _AFTER_SUM))


def padding(size: int) -> bytes:
    """The zeros after a member's bytes."""
    return bytes(-size % BLOCK)


def read_tar_header(block: bytes, at: int) -> tuple[str, int]:
    """Name and size of the member that a header begins. at: where it stands, for messages.

    Raises BundleError for any other 512 bytes, with what they are where that can be told.
    """
    name = block[:100].rstrip(b"\0").decode("ascii", "replace")
    digits = block[124:135]
    if _OWN.fullmatch(name) and digits.isdigit() and not digits.strip(b"01234567"):
        size = int(digits, 8)
        if tar_header(name, size) == block:
            return name, size
    raise _refused(name, block, at)


def _refused(name: str, block: bytes, at: int) -> BundleError:
    place = f"byte {at:,} of the bundle"
    if block[257:262] != b"ustar":
        return BundleError(
            f"At {place} no member of a bundle begins.", mend="It is changed, torn, or no bundle at all."
        )
    kind = block[156:157]
    called = f"The member {shown(name)[:100]!r} at {place}"
    if kind in _KINDS:
        return BundleError(f"{called} is {_KINDS[kind]}. A bundle holds plain files alone.")
    if not _OWN.fullmatch(name):
        where = name.startswith(("/", "\\")) or ".." in re.split(r"[/\\]", name) or name[1:2] == ":"
        how = "would leave the bundle's folder" if where else "has no name that a bundle knows"
        return BundleError(f"{called} {how}.")
    return BundleError(f"{called} has a header that is not written as in a bundle.", mend="It is changed or repacked.")
