"""A fence around what somebody else wrote, that nothing within it can close.

Answers for: a boundary derived from the SHA-256 of the fenced bytes, so that a text would have to contain its own
digest to end it early. Declines to change the text.
"""

from __future__ import annotations

import hashlib
from typing import Final

from bicameral.canonical.words import storable

FENCE_DIGITS: Final = 32
"""Hex digits of a boundary: 128 bits."""


def fenced(kind: str, text: str) -> str:
    """The text between two lines that name its kind and boundary. kind: our own word, such as `facts` or `findings`."""
    body = storable(text)
    boundary = _boundary(body)
    return f"<<<{kind} {boundary}\n{body}\n{boundary} {kind}>>>"


def _boundary(body: str) -> str:
    seed = body.encode("utf-8")
    while (boundary := hashlib.sha256(seed).hexdigest()[:FENCE_DIGITS]) in body:
        seed = boundary.encode("ascii") + seed  # nobody can write such a text; the promise costs one line
    return boundary
