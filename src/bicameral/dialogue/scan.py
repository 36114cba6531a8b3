"""Where a JSON value begins and ends in a text that is mostly something else.

Answers for: the extent of each list or object of the JSON grammar (RFC 8259), and of each row in an object's lists, in
time that grows with the text alone. Declines to build values (`extract` does) and to mend any.

Rules, in order:
1. From a bracket, tokens are taken strictly until the value closes or the grammar is broken; no depth is recursed into.
2. A value nested deeper than MAX_DEPTH, or with more than MAX_ROWS rows, is `TooMuch`; nobody files findings there.
3. A broken value is followed leniently to where its brackets close, so that nothing inside it passes for an answer.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

MAX_DEPTH: Final = 64
"""Levels of lists and objects. The contract needs four."""

MAX_ROWS: Final = 20_000
"""Rows of one object's lists. Nobody files so much about one view."""

Span = tuple[int, int]

_STRICT: Final = re.compile(
    r"""[ \t\n\r]*+(?:
      (?P<string>"[^"\\\x00-\x1f]*+(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\x00-\x1f]*+)*+")
    | (?P<number>-?(?:0|[1-9][0-9]*+)(?:\.[0-9]++)?(?:[eE][+-]?[0-9]++)?)
    | (?P<word>true|false|null)
    | (?P<open>[{\[]) | (?P<close>[}\]]) | (?P<comma>,) | (?P<colon>:) )""",
    re.VERBOSE,
)
# An unclosed quote takes the rest of its line with it: looking for its partner again from each character is quadratic.
_LENIENT: Final = re.compile(
    r'(?P<string>"[^"\\\n]*+(?:\\.[^"\\\n]*+)*+"?)(?P<colon>\s*+:)?|(?P<open>[{\[])|(?P<close>[}\]])'
)


@dataclass(frozen=True, kw_only=True)
class Whole:
    """A whole value. rows: for an object, the extents of the elements of each member that is a list.  members: the
    extents of its members' values."""

    start: int
    end: int
    is_object: bool
    rows: Mapping[str, tuple[Span, ...]] = field(default_factory=dict)
    members: Mapping[str, Span] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class Broken:
    """A value that broke off. at: where the grammar did.  depth: levels that were open there, at least 1.

    began: a member had its colon, so that this was meant as JSON.  names: members of the outermost object, or of the
    objects of an outermost list, so far.
    """

    start: int
    at: int
    depth: int
    began: bool = False
    names: frozenset[str] = frozenset()


@dataclass(frozen=True, kw_only=True)
class TooMuch:
    """A value nested beyond MAX_DEPTH, or with more than MAX_ROWS rows."""

    start: int


@dataclass
class _Walk:
    """Where the scanner stands. Expected next: `value`, `first` (an element or the end), `key`, `name` (a key or the
    end), `colon`, `next` (a comma or the end)."""

    brackets: list[str] = field(default_factory=list)
    expected: str = "value"
    names: list[str] = field(default_factory=list)
    rows: dict[str, list[Span]] = field(default_factory=dict)
    row_count: int = 0
    row_start: int = -1
    members: dict[str, Span] = field(default_factory=dict)
    member_start: int = -1
    began: bool = False

    def begins(self, at: int) -> None:
        """A value begins at `at`: remember it if it is a member of the object, or a row: an element of a list that is
        such a member."""
        if len(self.brackets) == 1 and self.brackets[0] == "{":
            self.member_start = at
        if len(self.brackets) == 2 and self.brackets[1] == "[" and self.brackets[0] == "{":
            self.row_start = at

    def ends(self, end: int) -> None:
        """A value has ended."""
        if len(self.brackets) == 2 and self.row_start >= 0 and self.names:
            self.rows.setdefault(self.names[-1], []).append((self.row_start, end))
            self.row_count += 1
            self.row_start = -1
        if len(self.brackets) == 1 and self.brackets[0] == "{" and self.names:
            self.members[self.names[-1]] = (self.member_start, end)
        self.expected = "next"

    def opens(self, bracket: str) -> None:
        self.brackets.append(bracket)
        self.expected = "name" if bracket == "{" else "first"

    def closes(self, bracket: str) -> bool:
        """Whether this bracket may close what is open here."""
        wanted = "}" if self.brackets[-1] == "{" else "]"
        empty = self.expected == ("name" if wanted == "}" else "first")
        if bracket != wanted or not (empty or self.expected == "next"):
            return False
        self.brackets.pop()
        return True


def value_at(text: str, start: int) -> Whole | Broken | TooMuch:
    """The list or object whose bracket stands at `start`."""
    walk = _Walk()
    at = start
    while True:
        token = _STRICT.match(text, at)
        if token is None or not _take(walk, token):
            names = frozenset(walk.names)
            return Broken(start=start, at=at, depth=len(walk.brackets), began=walk.began, names=names)
        if len(walk.brackets) > MAX_DEPTH or walk.row_count > MAX_ROWS:
            return TooMuch(start=start)
        at = token.end()
        if not walk.brackets:
            rows = {name: tuple(spans) for name, spans in walk.rows.items()}
            return Whole(start=start, end=at, is_object=text[start] == "{", rows=rows, members=walk.members)


def _take(walk: _Walk, token: re.Match[str]) -> bool:
    """Move over one token; False where the grammar has no place for it."""
    kind = token.lastgroup
    expected = walk.expected
    if kind == "close":
        if not walk.closes(token["close"]):
            return False
        walk.ends(token.end())
        return True
    if expected in {"key", "name"}:
        return kind == "string" and _name(walk, token["string"])
    if expected in {"value", "first"}:
        return _value(walk, token)
    if expected == "colon":
        walk.expected = "value"
        walk.began = walk.began or kind == "colon"
        return kind == "colon"
    walk.expected = "key" if walk.brackets[-1] == "{" else "value"
    return kind == "comma"


def _name(walk: _Walk, written: str) -> bool:
    if len(walk.brackets) == 1 or (len(walk.brackets) == 2 and walk.brackets[0] == "["):
        walk.names.append(json.loads(written))
    walk.expected = "colon"
    return True


def _value(walk: _Walk, token: re.Match[str]) -> bool:
    if token.lastgroup in {"comma", "colon"}:
        return False
    walk.begins(token.start(token.lastgroup or 0))
    if token.lastgroup == "open":
        walk.opens(token["open"])
    else:
        walk.ends(token.end())
    return True


def end_of_broken(text: str, broken: Broken) -> tuple[int | None, frozenset[str]]:
    """Where the brackets of a broken value close, None if they never do; and the member names seen on its first level.

    Strings are still strings, everything else that is no bracket is passed over.
    """
    depth = broken.depth
    names = set(broken.names)
    for token in _LENIENT.finditer(text, broken.at):
        if token["open"]:
            depth += 1
        elif token["close"]:
            depth -= 1
        elif token["colon"] and depth == 1:
            names.add(token["string"].strip('"'))
        if depth == 0:
            return token.end(), frozenset(names)
    return None, frozenset(names)
