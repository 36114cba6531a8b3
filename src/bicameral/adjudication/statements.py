"""The statements of a document: sentences that say something, each with its line.

Answers for: Markdown and plain text, read line by line, and for saying what was passed over. Pure. Declines to read
what states nothing by itself: headings, code, tables, front matter, link definitions, questions, fragments.

Rules, in order:
1. Markdown blocks after CommonMark 0.31 as far as prose goes: front matter, fenced and indented code, HTML comments,
   tables and headings are passed over; quotes and list items are read, each item as a paragraph of its own.
2. In plain text a line break ends a statement where the next line begins like one and its first word would still have
   fitted; otherwise lines are one paragraph until a blank line.
3. A sentence counts if it has three words (five characters of a script without spaces), at most 400, and asks nothing.
   Marks of emphasis, links and code are taken off; a link's address is.
"""

from __future__ import annotations

import html
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from bicameral.adjudication.features import words
from bicameral.adjudication.sentences import sentences

LEAST_WORDS: Final = 3
MOST_WORDS: Final = 400
WIDTH: Final = 60
"""Characters that a line of plain text is taken to have room for, where its paragraph shows no more."""

_FENCE: Final = re.compile(r"^ {0,3}(`{3,}|~{3,})")
_HEADING: Final = re.compile(r"^ {0,3}#{1,6}(\s|$)")
_UNDERLINE: Final = re.compile(r"^ {0,3}(=+|-+)\s*$")
_RULE: Final = re.compile(r"^ {0,3}([-*_])[ \t]*(\1[ \t]*){2,}$")
_ITEM: Final = re.compile(r"^\s*(?:[-*+•]|\d{1,9}[.)])\s+(?:\[[ xX]\]\s+)?")
_QUOTE: Final = re.compile(r"^ {0,3}(?:>\s?)+")
_TABLE_RULE: Final = re.compile(r"^\s*\|?\s*:?-+:?\s*(\|\s*:?-+:?\s*)*\|?\s*$")
_DEFINITION: Final = re.compile(r"^ {0,3}\[[^\]]+\]:\s")
_FRONT: Final = {"---": ("---", "..."), "+++": ("+++",)}

_MARKUP: Final = (
    (re.compile(r"!\[[^\]]*\]\([^)]*\)"), ""),
    (re.compile(r"\[\^[^\]]+\]"), ""),
    (re.compile(r"\[([^\]]+)\](?:\([^)]*\)|\[[^\]]*\])"), r"\1"),
    (re.compile(r"</?[A-Za-z][^>]*>"), ""),
    (re.compile(r"`+([^`]*)`+"), r"\1"),
    (re.compile(r"\*+|~~|(?<!\w)_+|_+(?!\w)"), ""),
    (re.compile(r"\\([!-/:-@\[-`{-~])"), r"\1"),
)


@dataclass(frozen=True, kw_only=True)
class Statement:
    """line: where it begins, 1 for the first.  text: on one line, without markup."""

    line: int
    text: str


@dataclass(frozen=True, kw_only=True)
class Reading:
    """What one document states. passed_over: `headings`, `code blocks`, `table rows`, `fragments and questions`."""

    statements: tuple[Statement, ...]
    passed_over: Mapping[str, int]


def read_document(text: str, *, markdown: bool) -> Reading:
    """The statements of a document, in order. Any text gives a reading."""
    reader = _Markdown() if markdown else _Plain()
    lines = text.replace("\r\n", "\n").replace("\r", "\n").removeprefix("\ufeff").split("\n")
    found = tuple(_statements(reader.paragraphs(lines), reader.passed_over, markdown=markdown))
    return Reading(statements=found, passed_over=dict(reader.passed_over))


_Line = tuple[int, str]


def _statements(paragraphs: Iterable[list[_Line]], passed_over: Counter[str], *, markdown: bool) -> Iterator[Statement]:
    for paragraph in paragraphs:
        whole = "\n".join(line for _, line in paragraph)
        for offset, sentence in sentences(whole):
            bare = " ".join((_without_markup(sentence) if markdown else sentence).split())
            if _states(bare):
                yield Statement(line=paragraph[whole.count("\n", 0, offset)][0], text=bare)
            else:
                passed_over["fragments and questions"] += 1


def _without_markup(text: str) -> str:
    for pattern, put in _MARKUP:
        text = pattern.sub(put, text)
    return html.unescape(text)


def _states(sentence: str) -> bool:
    if sentence.rstrip("\"'”’»)*_ ").endswith(("?", "？", "؟", ":")):
        return False
    count = 0
    for word in words(sentence):
        # A script without spaces gives characters or runs: five characters are about three words.
        count += 1 if word.isascii() or len(word) == 1 else max(1, len(word) * 3 // 5 if _is_run(word) else 1)
        if count > MOST_WORDS:
            return False
    needed = (
        5 if sentence and not any(c.isspace() for c in sentence.strip()) and not sentence.isascii() else LEAST_WORDS
    )
    return count >= needed


def _is_run(word: str) -> bool:
    return 0x0E00 <= ord(word[0]) <= 0x0EFF or 0x1000 <= ord(word[0]) <= 0x109F or 0x3040 <= ord(word[0]) <= 0x30FF


class _Plain:
    """Paragraphs of plain text."""

    def __init__(self) -> None:
        self.passed_over: Counter[str] = Counter()

    def paragraphs(self, lines: list[str]) -> Iterator[list[_Line]]:
        block: list[_Line] = []
        for number, line in enumerate([*lines, ""], start=1):
            if line.strip():
                block.append((number, line))
            elif block:
                yield from _broken(block)
                block = []


def _broken(block: list[_Line]) -> Iterator[list[_Line]]:
    """The paragraph cut where a line was ended on purpose."""
    width = max(WIDTH, *(len(line) for _, line in block))
    part = [block[0]]
    for number, line in block[1:]:
        first = line.split()[0]
        fitted = len(part[-1][1].rstrip()) + 1 + len(first) <= width
        begins = _ITEM.match(line) is not None or not first[0].islower()
        if fitted and begins:
            yield part
            part = []
        part.append((number, _ITEM.sub("", line)))
    yield part


class _Markdown:
    """Paragraphs of Markdown."""

    def __init__(self) -> None:
        self.passed_over: Counter[str] = Counter()
        self._block: list[_Line] = []
        self._in_list = False

    def paragraphs(self, lines: list[str]) -> Iterator[list[_Line]]:
        at = self._after_front_matter(lines)
        quoted = False
        while at < len(lines):
            line = _QUOTE.sub("", lines[at])
            quoted, was_quoted = line != lines[at], quoted
            if quoted and not was_quoted:
                yield from self._flush()
            skipped = self._skipped(lines, at, line)
            if skipped:
                yield from self._flush()
                self._in_list = self._in_list and line[:1].isspace()
                at += skipped
                continue
            if _UNDERLINE.match(line) and self._block:
                self.passed_over["headings"] += 1
                self._block = []
            elif not line.strip() or _RULE.match(line):
                yield from self._flush()
            elif item := _ITEM.match(line):
                yield from self._flush()
                self._in_list = True
                self._block.append((at + 1, line[item.end() :]))
            else:
                self._in_list = self._in_list and (line[0].isspace() or bool(self._block))
                self._block.append((at + 1, line))
            at += 1
        yield from self._flush()

    def _flush(self) -> Iterator[list[_Line]]:
        if self._block:
            yield self._block
            self._block = []

    @staticmethod
    def _after_front_matter(lines: list[str]) -> int:
        ends = _FRONT.get(lines[0].rstrip()) if lines else None
        if ends is None:
            return 0
        return next((at + 1 for at, line in enumerate(lines[1:], start=1) if line.rstrip() in ends), 0)

    def _skipped(self, lines: list[str], at: int, line: str) -> int:
        """How many lines from here hold something that is passed over; 0 where this line is to be read."""
        if fence := _FENCE.match(line):
            self.passed_over["code blocks"] += 1
            return _until(lines, at, lambda later: _closes(later, fence[1]))
        if line.lstrip().startswith("<!--"):
            return _until(lines, at - 1, lambda later: "-->" in later) - 1
        if opened := re.match(r"^ {0,3}<(script|style|pre|textarea)\b", line, re.IGNORECASE):
            return _until(lines, at - 1, lambda later: f"</{opened[1].lower()}>" in later.lower()) - 1
        if _HEADING.match(line):
            self.passed_over["headings"] += 1
            return 1
        if "|" in line and at + 1 < len(lines) and _is_table_rule(_QUOTE.sub("", lines[at + 1])):
            rows = next((n for n, later in enumerate(lines[at:]) if "|" not in later), len(lines) - at)
            self.passed_over["table rows"] += max(0, rows - 2)
            return rows
        if not self._block and not self._in_list and line.strip() and re.match(r"^(?: {4}|\t)", line):
            self.passed_over["code blocks"] += 1
            return next(
                (n for n, later in enumerate(lines[at:]) if later.strip() and not later.startswith(("    ", "\t"))),
                len(lines) - at,
            )
        return 1 if not self._block and _DEFINITION.match(line) else 0


def _is_table_rule(line: str) -> bool:
    return "|" in line and "-" in line and _TABLE_RULE.match(line) is not None


def _closes(line: str, fence: str) -> bool:
    bare = _QUOTE.sub("", line).strip()
    return bare.startswith(fence) and not bare.strip(fence[0])


def _until(lines: list[str], at: int, is_end: Callable[[str], bool]) -> int:
    """Lines from `at` to the one after it that ends the block, that one included; all that are left where none does."""
    for count, line in enumerate(lines[at + 1 :], start=2):
        if is_end(line):
            return count
    return len(lines) - at
