"""CSV tables of pairs, record by record, each with the bytes that it came with.

Answers for: a record's own bytes in the output, whatever its quoting and line ends, and for finding the next record
after one that is none. `pair_rows` has the rules.

Bounds: a field holds at most 131,072 characters (the csv module's own limit), so that a quote which is never closed
costs one row and not the file.
"""

from __future__ import annotations

import csv
import io
from collections import deque
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from bicameral.errors import PairsError
from bicameral.runtime.pair_rows import ADDED, Answer, Columns, Row, check_names, fault_of, lines_of


class CsvTable:
    """Comma-separated values with a header."""

    def __init__(self, path: Path, columns: Columns) -> None:
        self._path = path
        self._columns = columns
        self._delimiter = "\t" if path.suffix.lower() == ".tsv" else ","
        self._header: list[str] = []

    def rows(self) -> Iterator[Row]:
        with self._path.open("rb") as stream:
            records = self._records(stream)
            self._read_header(next(records, None))
            claim, target = (self._header.index(name) for name in (self._columns.claim, self._columns.target))
            for place, raw, fields, fault in records:
                if fields and len(fields) != len(self._header) and fault is None:
                    fault = f"the row has {len(fields)} fields, the header {len(self._header)}"
                if fault is not None:
                    yield Row(place=place, fault=fault, carried=(raw, False))
                    continue
                wanted = (fields[claim], fields[target])
                fault = next((f for f in map(fault_of, (self._columns.claim, self._columns.target), wanted) if f), None)
                yield Row(place=place, claim=wanted[0], target=wanted[1], fault=fault, carried=(raw, True))

    def _records(self, stream: BinaryIO) -> Iterator[tuple[str, bytes, list[str], str | None]]:
        """(place, raw record, fields, fault) for every record; blank lines are none."""
        lines = _Lines(lines_of(stream, self._path))
        while lines.more():
            number = lines.number + 1
            place = f"line {number}"
            try:
                fields = next(csv.reader(lines.decoded(), delimiter=self._delimiter, strict=True))
            except (csv.Error, StopIteration) as exc:
                # The record's first line alone is given up; what was read after it is read again.
                yield place, lines.give_up(), [], f"the row is no CSV: {exc}"
                continue
            raw = lines.taken()
            if fields:
                yield place, raw, fields, None

    def _read_header(self, record: tuple[str, bytes, list[str], str | None] | None) -> None:
        if record is None or record[3] is not None:
            raise PairsError(f"{self._path} has no header.", mend="Let its first row name the columns.")
        fields = record[2]
        wanted = {self._columns.claim, self._columns.target}
        by_semicolon = next(csv.reader([_text(record[1])], delimiter=";"), [])
        if self._delimiter == "," and not wanted <= set(fields) and wanted <= set(by_semicolon):
            self._delimiter, fields = ";", by_semicolon
        check_names(self._path, fields, self._columns)
        self._header = fields

    def write(self, answers: Iterator[Answer], out: Path) -> None:
        rows = self.rows()
        with self._path.open("rb") as stream, out.open("wb") as written:
            first = next(rows, None)  # so that the header, and with it the delimiter, is known
            header = next(self._records(stream))[1]
            written.write(self._line(header, list(self._columns.added)))
            if first is None:
                return
            written.write(self._answered(first, next(answers)))
            for row, answer in zip(rows, answers, strict=True):
                written.write(self._answered(row, answer))

    def _answered(self, row: Row, answer: Answer) -> bytes:
        raw, whole = row.carried
        added = [_cell(answer.get(name)) for name in ADDED]
        if whole:
            return self._line(raw, added)
        bare, end = _without_end(raw)
        padding = [""] * (len(self._header) - 1)
        return self._joined([_text(bare), *padding, *added]) + (end or b"\n")

    def _line(self, raw: bytes, added: list[str]) -> bytes:
        bare, end = _without_end(raw)
        return bare + self._delimiter.encode() + self._joined(added) + (end or b"\n")

    def _joined(self, fields: list[str]) -> bytes:
        out = io.StringIO()
        csv.writer(out, delimiter=self._delimiter, lineterminator="").writerow(fields)
        return out.getvalue().encode("utf-8", "surrogateescape")


class _Lines:
    """Physical lines for one record at a time, that can be read again where the record turned out to be none."""

    def __init__(self, lines: Iterator[bytes]) -> None:
        self._lines = lines
        self._again: deque[bytes] = deque()
        self._now: list[bytes] = []
        self.number = 0

    def more(self) -> bool:
        """Whether a line is left. It is put back."""
        if not self._again:
            self._again.extend(line for line in [next(self._lines, b"")] if line)
        return bool(self._again)

    def decoded(self) -> Iterator[str]:
        """The lines as text; bytes that are no UTF-8 as lone surrogates."""
        while self.more():
            line = self._again.popleft()
            self._now.append(line)
            bare = line.removeprefix(b"\xef\xbb\xbf") if self.number + len(self._now) == 1 else line
            yield _text(bare)

    def taken(self) -> bytes:
        """The lines of the record that was just read."""
        raw = b"".join(self._now)
        self.number += len(self._now)
        self._now = []
        return raw

    def give_up(self) -> bytes:
        """The first line of what was no record; the others are read again."""
        first, *others = self._now
        self._again.extendleft(reversed(others))
        self._now = []
        self.number += 1
        return first


def _without_end(raw: bytes) -> tuple[bytes, bytes]:
    for end in (b"\r\n", b"\n"):
        if raw.endswith(end):
            return raw[: -len(end)], end
    return raw, b""


def _text(raw: bytes) -> str:
    return raw.decode("utf-8", "surrogateescape")


def _cell(value: object) -> str:
    match value:
        case None:
            return ""
        case bool():
            return "true" if value else "false"
        case float() | int():
            return repr(value)
        case _:
            return str(value).encode("utf-8", "backslashreplace").decode("utf-8")
