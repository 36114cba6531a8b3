"""JSON text read step by step, for what the compiled reader cannot: deep nesting, and the place of a fault.

Answers for: the same values as `json.loads`, at any depth up to `levels`, with no use of the interpreter's stack; for a
fault its path (`$.turns[3].meta`), line and column. Declines to: be fast. `reading` comes here only when it must.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any, Final

from bicameral.canonical.plain import shown_path
from bicameral.canonical.shown import shown

NAME_SHOWN: Final = 80
"""Characters of a member's name in a message."""

_space = re.compile(r"[ \t\n\r]*")


class JsonFault(Exception):
    """Why a text is no JSON that can be read. The message ends with the place."""


class _Walk:
    """One reading: the text, the containers that are open, and the name or index at which each is being filled."""

    def __init__(self, text: str, *, unique_members: bool, levels: int, scalar: Callable[..., Any]) -> None:
        self.text, self.unique_members, self.levels, self.scalar = text, unique_members, levels, scalar
        self.open: list[dict[str, Any] | list[Any]] = []
        self.names: list[str | None] = []  # None between two members, and in lists

    def value(self) -> Any:
        at = self._skip(0)
        while True:
            done, value, at = self._start(at)
            while done:
                if not self.open:
                    if at != len(self.text):
                        raise self.fault("Extra data", at)
                    return value
                done, value, at = self._add(value, at)

    def _start(self, at: int) -> tuple[bool, Any, int]:
        """A value from its first character on. Done, unless it is a container that is not empty."""
        sign = self.text[at : at + 1]
        if sign not in ("{", "["):
            try:
                value, at = self.scalar(self.text, at)
            except json.JSONDecodeError as exc:
                raise self.fault(exc.msg, exc.pos) from None
            except BareWord as exc:
                raise self.fault(str(exc), at) from None
            return True, value, self._skip(at)
        if len(self.open) >= self.levels:
            raise self.fault(f"it is nested deeper than {self.levels} levels", at)
        at = self._skip(at + 1)
        if self.text[at : at + 1] == ("}" if sign == "{" else "]"):
            return True, {} if sign == "{" else [], self._skip(at + 1)
        self.open.append({} if sign == "{" else [])
        self.names.append(None)
        return False, None, self._name(at) if sign == "{" else at

    def _name(self, at: int) -> int:
        """A member's name and its colon; where its value starts."""
        self.names[-1] = None
        if self.text[at : at + 1] != '"':
            raise self.fault("Expecting property name enclosed in double quotes", at)
        try:
            name, end = self.scalar(self.text, at)
        except json.JSONDecodeError as exc:
            raise self.fault(exc.msg, exc.pos) from None
        members = self.open[-1]
        if self.unique_members and name in members:
            raise self.fault(str(RepeatedMember(name)), at)
        self.names[-1] = name
        colon = self._skip(end)
        if self.text[colon : colon + 1] != ":":
            raise self.fault("Expecting ':' delimiter", colon)
        return self._skip(colon + 1)

    def _add(self, value: Any, at: int) -> tuple[bool, Any, int]:
        """A value put into the innermost container. Done, with the container as the value, where that ends it."""
        container = self.open[-1]
        sign = self.text[at : at + 1]
        if isinstance(container, dict):
            container[str(self.names[-1])] = value
            end = "}"
        else:
            container.append(value)
            end = "]"
        if sign == end:
            self.names.pop()
            return True, self.open.pop(), self._skip(at + 1)
        if sign != ",":
            raise self.fault("Expecting ',' delimiter", at)
        at = self._skip(at + 1)
        return False, None, self._name(at) if isinstance(container, dict) else at

    def _skip(self, at: int) -> int:
        match = _space.match(self.text, at)
        return match.end() if match else at

    def fault(self, what: str, at: int) -> JsonFault:
        steps = [
            f"[{len(container)}]" if isinstance(container, list) else "" if name is None else f".{name[:NAME_SHOWN]}"
            for container, name in zip(self.open, self.names, strict=True)
        ]
        line = self.text.count("\n", 0, at) + 1
        column = at - self.text.rfind("\n", 0, at)
        return JsonFault(f"{what}, in {shown_path('$' + ''.join(steps))} at line {line}, column {column}")


class BareWord(Exception):
    """NaN, Infinity or -Infinity, which `json` would take."""

    def __init__(self, word: str) -> None:
        super().__init__(f"it holds the bare word {word}, which is no JSON")


class RepeatedMember(Exception):
    """A name that stands twice in one object."""

    def __init__(self, name: str) -> None:
        super().__init__(f"it names the member {shown(name, most=NAME_SHOWN)!r} twice in one object")


def walk_json(text: str, *, unique_members: bool, levels: int, parse_int: Callable[[str], Any]) -> Any:
    """The value of a JSON text of at most `levels` levels of lists and objects. Raises JsonFault, nothing else.

    unique_members: an object that names a member twice is a fault; otherwise the last one counts.
    """
    scalar = json.JSONDecoder(parse_constant=refuse_bare_word, parse_int=parse_int).raw_decode
    return _Walk(text, unique_members=unique_members, levels=levels, scalar=scalar).value()


def refuse_bare_word(word: str) -> object:
    raise BareWord(word)
