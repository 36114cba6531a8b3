"""The members of a foreign JSON object, read one by one, each of the kind that was asked for or a RecordError.

Answers for: a message that names the member's whole path. Declines to know what the members mean.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final, get_args

from bicameral.canonical.plain import MAX_INTEGER
from bicameral.canonical.shown import shown
from bicameral.errors import RecordError

_DIGEST: Final = re.compile(r"sha256:[0-9a-f]{64}", re.ASCII)


class Members:
    """An object's members. where: what messages call the object."""

    def __init__(self, members: Mapping[str, Any], where: str) -> None:
        self._members = members
        self.where = where

    @classmethod
    def of(cls, value: object, where: str) -> Members:
        """Raises RecordError for what is no object."""
        if not isinstance(value, Mapping):
            raise RecordError(f"{where} is no object.")
        return cls(value, where)

    def __contains__(self, name: str) -> bool:
        return name in self._members

    def is_null(self, name: str) -> bool:
        """Whether it is there and null. Raises RecordError where it is absent: null is said, not left out."""
        return self._get(name) is None

    def text(self, name: str) -> str:
        value = self._get(name)
        if not isinstance(value, str):
            raise self._fault(name, "a text")
        return value

    def text_or_none(self, name: str) -> str | None:
        return None if self.is_null(name) else self.text(name)

    def matching(self, name: str, pattern: re.Pattern[str], kind: str) -> str:
        """A text that the pattern matches whole."""
        value = self.text(name)
        if pattern.fullmatch(value) is None:
            raise self._fault(name, kind)
        return value

    def digest(self, name: str) -> str:
        """`sha256:` and 64 lower-case hex digits."""
        return self.matching(name, _DIGEST, "a sha256: digest")

    def word(self, name: str, vocabulary: Any) -> Any:
        """One of the words of a Literal."""
        value = self.text(name)
        if value not in get_args(vocabulary):
            raise self._fault(name, f"one of {', '.join(get_args(vocabulary))}")
        return value

    def number(self, name: str, *, most: int = MAX_INTEGER) -> int:
        """A whole number from 0 to `most`."""
        value = self._get(name)
        if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= most:
            raise self._fault(name, "a whole number")
        return value

    def part(self, name: str) -> Members:
        """The object in it."""
        return Members.of(self._get(name), f"{self.where}.{name}")

    def parts(self, name: str) -> list[Members]:
        """The objects in the list in it."""
        value = self._get(name)
        if not isinstance(value, list):
            raise self._fault(name, "a list")
        return [Members.of(item, f"{self.where}.{name}[{index}]") for index, item in enumerate(value)]

    def _get(self, name: str) -> Any:
        if name not in self._members:
            raise RecordError(f"{self.where} lacks {name}.")
        return self._members[name]

    def _fault(self, name: str, kind: str) -> RecordError:
        found = self._members[name]
        told = f"'{shown(found)[:60]}'" if isinstance(found, str) else f"of type {type(found).__name__}"
        return RecordError(f"{self.where}.{name} is {told}; {kind} was expected.")
