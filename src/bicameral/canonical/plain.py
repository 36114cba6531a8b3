"""Our own values as canonical bytes: RFC 8785 (JSON Canonicalization Scheme), and SHA-256 over those bytes.

Answers for: one value, one byte string, on any machine; a digest that names its algorithm. Declines to: guess. A
value that JSON or RFC 8785 cannot say is an error that names its place, never a string that looks like it.

Rules, in order:
1. Mappings with text keys, lists, tuples, text, booleans, None, integers to 2^53-1 and finite floats are plain.
2. Members sort by UTF-16 code unit and numbers are written as ECMAScript writes them (`rfc8785` does both).
3. Anything else, a lone surrogate, or more than MAX_DEPTH levels is refused before a byte is written.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Mapping
from typing import Any, Final

import rfc8785

from bicameral.errors import UnrecordableError

MAX_DEPTH: Final = 200
"""Most levels of lists and mappings in a value of ours: far above any record, far below the interpreter's stack."""

MAX_INTEGER: Final = 2**53 - 1
"""The largest integer that every JSON reader keeps exact (RFC 7493, section 2.2)."""


def canonical_json(value: object) -> bytes:
    """The RFC 8785 bytes of a plain JSON value, in UTF-8, without a final line break.

    Tuples are written as lists and any Mapping as an object. Raises UnrecordableError, which names the place as a
    path (`$.shots[2].title`), for a value that cannot be written: see the module's rules.
    """
    return rfc8785.dumps(_plain(value, "$", 0))


def record_json(value: object, where: str = "$") -> bytes:
    """The same for a value that goes into a record of ours, where a float has no place: a score is a decimal text.

    `where` begins the paths in messages. Raises UnrecordableError.
    """
    return rfc8785.dumps(_plain(value, where, 0, floats=False))


def sha256_digest(data: bytes) -> str:
    """`sha256:` and 64 lower-case hex digits of the SHA-256 (FIPS 180-4) of the bytes."""
    return f"sha256:{hashlib.sha256(data).hexdigest()}"


def digest_of(value: object) -> str:
    """The digest of a value's canonical bytes. Raises as `canonical_json` does."""
    return sha256_digest(canonical_json(value))


def _plain(value: object, path: str, depth: int, *, floats: bool = True) -> Any:
    """A copy of the value in the built-in types, checked. The depth bound also ends values that contain themselves."""
    if value is None or value is True or value is False:
        return value
    if isinstance(value, str):
        return _text(value, path)
    if isinstance(value, int):
        return _integer(value, path)
    if isinstance(value, float):
        if not floats:
            raise UnrecordableError(
                f"The value at {shown_path(path)} is a float, which a record may not hold.",
                mend="Write a score as a decimal text, a measure as a whole number.",
            )
        return _finite(value, path)
    if depth >= MAX_DEPTH:
        raise UnrecordableError(f"The value at {shown_path(path)} is nested deeper than {MAX_DEPTH} levels.")
    if isinstance(value, Mapping):
        return {_key(k, path): _plain(item, f"{path}.{k}", depth + 1, floats=floats) for k, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(item, f"{path}[{i}]", depth + 1, floats=floats) for i, item in enumerate(value)]
    raise UnrecordableError(
        f"The value at {shown_path(path)} is of type {type(value).__name__}, which JSON cannot say.",
        mend="Hand in text, whole numbers, true, false, null, lists and mappings.",
    )


def _text(value: str, path: str) -> str:
    if not encodable(value):
        raise UnrecordableError(f"The text at {shown_path(path)} holds a lone surrogate, which UTF-8 cannot say.")
    return value


def _key(key: object, path: str) -> str:
    if not isinstance(key, str):
        raise UnrecordableError(f"A member name at {shown_path(path)} is of type {type(key).__name__}, not text.")
    if not encodable(key):
        raise UnrecordableError(f"A member name at {shown_path(path)} holds a lone surrogate.")
    return key


def _integer(value: int, path: str) -> int:
    if not -MAX_INTEGER <= value <= MAX_INTEGER:
        raise UnrecordableError(
            f"The whole number at {shown_path(path)} is beyond 2^53-1.", mend="Write it as text if every digit counts."
        )
    return value


def _finite(value: float, path: str) -> float:
    if not math.isfinite(value):
        raise UnrecordableError(f"The number at {shown_path(path)} is {value}, which JSON cannot say.")
    return value


def encodable(text: str) -> bool:
    """Whether UTF-8 can say the text: true unless it holds a lone surrogate."""
    if text.isascii():
        return True
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def shown_path(path: str) -> str:
    """A path for a message: its first and last parts where it is long, with nothing a terminal would obey."""
    short = path if len(path) <= 120 else f"{path[:60]}...{path[-50:]}"
    return short.encode("unicode_escape").decode("ascii")
