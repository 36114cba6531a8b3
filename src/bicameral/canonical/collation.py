"""The order of handles, the same on every machine.

Answers for: a total order in which two different handles never tie. Declines to: follow any locale.

Rules, in order:
1. Handles in ASCII come before all others.
2. ASCII handles sort as ICU's root collation, and its en-US one, sort them: first by the letters, digits and signs in
   them with case left out and the characters of IGNORED left out; then lower case before upper case, left to right.
3. What still ties, and all other handles, sort by UTF-16 code unit.

Source: PRIMARY and IGNORED were measured on Node 20.20.2 (ICU 78.2, Unicode 17) by comparing every pair of ASCII
characters, and checked there on 400,000 random ASCII pairs. `tests/vectors/ascii_collation.json` is that measurement.
"""

from __future__ import annotations

from functools import lru_cache
from string import ascii_lowercase, ascii_uppercase, digits
from typing import Final, TypeAlias

from bicameral.canonical.ecmascript import paired, units

IGNORED: Final = "".join(map(chr, [*range(0x09), *range(0x0E, 0x20), 0x7F]))
"""Characters that take no part unless all else is equal."""

PRIMARY: Final = "\t\n\v\f\r _-,;:!?.'\"()[]{}@*/\\&#%`^+<=>|~$" + digits + ascii_lowercase
"""Every other ASCII character in order; an upper-case letter stands where its lower-case one does."""

HandleKey: TypeAlias = tuple[bool, str, str, bytes]

_DROPPED: Final[dict[int, str | None]] = {ord(character): None for character in IGNORED}
_RANK: Final[dict[int, str | None]] = {
    **_DROPPED,
    **{ord(character): chr(rank) for rank, character in enumerate(PRIMARY)},
    **{ord(upper): chr(PRIMARY.index(lower)) for lower, upper in zip(ascii_lowercase, ascii_uppercase, strict=True)},
}
_CASE: Final[dict[int, str | None]] = {
    **_DROPPED,
    **{ord(character): "0" for character in PRIMARY},
    **{ord(upper): "1" for upper in ascii_uppercase},
}


@lru_cache(maxsize=4096)
def handle_key(handle: str) -> HandleKey:
    """A value that sorts as the handle does. Equal only for equal handles. Any text is taken, also the empty one."""
    if handle.isascii():
        return (False, handle.translate(_RANK), handle.translate(_CASE), units(handle))
    return (True, "", "", units(paired(handle)))
