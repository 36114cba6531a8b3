"""The one order of what is in a bundle: without it one content would have several forms, and a thing could come twice.

Answers for: blobs by digest, redactions by digest and kind, envelopes by time, kind, subject and key, each once.
"""

from __future__ import annotations

from typing import Any

from bicameral.errors import BundleError
from bicameral.model.witnessing import Envelope, Redaction


class Ascending:
    """Raises BundleError for a key that is not above the last one."""

    def __init__(self, what: str) -> None:
        self._what = what
        self._last: Any = None

    def check(self, key: Any) -> None:
        if self._last is not None and not self._last < key:
            how = "comes twice" if key == self._last else "is out of order"
            raise BundleError(f"{self._what} {how}: {key!r:.120}.")
        self._last = key


def redaction_key(redaction: Redaction) -> tuple[str, str]:
    return redaction.digest, redaction.kind


def envelope_key(envelope: Envelope) -> tuple[str, str, str, str]:
    return envelope.signed_at, envelope.kind, envelope.subject, envelope.key_id
