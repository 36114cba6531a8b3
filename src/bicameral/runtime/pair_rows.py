"""Tables of pairs: read row by row, written again with a verdict beside each row.

Answers for: every row of the input in the output, in order, its own columns byte for byte as they were (CSV, JSONL) or
value for value (Parquet), and for a row that cannot be weighed saying why and where. Declines to weigh.

Rules, in order:
1. CSV after RFC 4180, with the line ends and the quoting it came with; the first row names the columns; UTF-8, with or
   without a byte order mark. A `.tsv` has tabs, and a header that makes sense with semicolons alone has those.
2. A record that is no CSV, or has not as many fields as the header, is carried as its text in the first column.
3. JSONL has one object a line. A line that is none is carried as an object with `raw` and, where it is no UTF-8, its
   bytes in base64.
4. What is read must be the text of a claim and of a target: not absent, no other type, no half characters, no NUL.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, Final, Protocol

from bicameral.errors import PairsError

MAX_LINE: Final = 64 * 2**20
"""Bytes of one line. A longer one is no row of anything."""
ADDED: Final = ("verdict", "confidence", "method", "reasoning", "tier_capped", "error")


@dataclass(frozen=True, kw_only=True)
class Columns:
    """claim, target: what those columns are called in the input.  prefix: put before the names of the added ones."""

    claim: str = "claim"
    target: str = "target"
    prefix: str = ""

    @property
    def added(self) -> tuple[str, ...]:
        """The names of the columns that the output has more."""
        return tuple(self.prefix + name for name in ADDED)


@dataclass(frozen=True, kw_only=True)
class Row:
    """One row. place: `line 7` or `row 7`, 1 for the first.  fault: why it cannot be weighed, None where it can.

    carried: what the writer needs to write it again.
    """

    place: str
    claim: str = ""
    target: str = ""
    fault: str | None = None
    carried: Any = None


Answer = Mapping[str, object]
"""The added columns by their plain names (`ADDED`); a name that is absent or None is empty."""


class Table(Protocol):
    """One file of pairs."""

    def rows(self) -> Iterator[Row]:
        """Every row in order, read as it is needed. Raises PairsError for a file that is no table."""
        ...

    def write(self, answers: Iterator[Answer], out: Path) -> None:
        """Read the rows again and write each with its answer. There are as many answers as rows."""
        ...


def open_table(path: Path, columns: Columns) -> Table:
    """The table of a file, by its ending. Raises PairsError for an ending that is not known."""
    match path.suffix.lower():
        case ".csv" | ".tsv":
            from bicameral.runtime.pair_csv import CsvTable

            return CsvTable(path, columns)
        case ".jsonl" | ".ndjson":
            return JsonlTable(path, columns)
        case ".parquet":
            from bicameral.runtime.pair_parquet import ParquetTable

            return ParquetTable(path, columns)
    raise PairsError(
        f"{path} has an ending that tells no kind of table.", mend="Use .csv, .tsv, .jsonl, .ndjson or .parquet."
    )


def fault_of(name: str, value: object) -> str | None:
    """Why a value is no text that can be weighed, or None."""
    if value is None:
        return f"{name} is empty"
    if not isinstance(value, str):
        return f"{name} is no text"
    if "\0" in value:
        return f"{name} holds a NUL"
    if any("\ud800" <= character <= "\udfff" for character in value):
        return f"{name} holds half a character, or bytes that are no UTF-8"
    return None


def lines_of(stream: BinaryIO, path: Path) -> Iterator[bytes]:
    """Physical lines with their ends. Raises PairsError for one that is longer than MAX_LINE."""
    number = 0
    while line := stream.readline(MAX_LINE + 1):
        number += 1
        if len(line) > MAX_LINE:
            raise PairsError(f"{path}, line {number} is longer than {MAX_LINE:,} bytes.", mend="Is it a table of text?")
        yield line


class JsonlTable:
    """One JSON object a line; blank lines are no rows and are not written again."""

    def __init__(self, path: Path, columns: Columns) -> None:
        self._path = path
        self._columns = columns

    def rows(self) -> Iterator[Row]:
        with self._path.open("rb") as stream:
            for number, line in enumerate(lines_of(stream, self._path), start=1):
                bare = line.removeprefix(b"\xef\xbb\xbf") if number == 1 else line
                if bare.strip():
                    yield self._row(f"line {number}", bare.strip())

    def _row(self, place: str, raw: bytes) -> Row:
        try:
            text = raw.decode("utf-8")
            found = json.loads(text, object_pairs_hook=_Members, parse_int=len, parse_float=len)
        except UnicodeDecodeError as exc:
            return Row(place=place, fault=f"byte {exc.start + 1} of the line is no UTF-8", carried=(raw, False))
        except (ValueError, RecursionError) as exc:
            what = (
                f"{exc.msg} at column {exc.colno}" if isinstance(exc, json.JSONDecodeError) else "too deep or too long"
            )
            return Row(place=place, fault=f"the line is no JSON: {what}", carried=(raw, False))
        if not isinstance(found, _Members):
            return Row(place=place, fault="the line is no JSON object", carried=(raw, False))
        names = [name for name, _ in found]
        taken = sorted(set(names) & set(self._columns.added))
        twice = [name for name in (self._columns.claim, self._columns.target) if names.count(name) > 1]
        if taken or twice:
            fault = f"the object already has {', '.join(taken)}" if taken else f"the object names {twice[0]} twice"
            return Row(place=place, fault=fault, carried=(raw, False))
        members = dict(found)
        wanted = (self._columns.claim, self._columns.target)
        absent = [name for name in wanted if name not in members]
        fault_found = f"the object has no {absent[0]}" if absent else None
        for name in wanted:
            fault_found = fault_found or fault_of(name, members.get(name))
        claim, target = ("", "") if fault_found else (members[name] for name in wanted)
        return Row(place=place, claim=claim, target=target, fault=fault_found, carried=(raw, True))

    def write(self, answers: Iterator[Answer], out: Path) -> None:
        with out.open("wb") as stream:
            for row, answer in zip(self.rows(), answers, strict=True):
                stream.write(self._line(row, answer) + b"\n")

    def _line(self, row: Row, answer: Answer) -> bytes:
        names = self._columns.added
        added = {name: answer.get(plain) for name, plain in zip(names, ADDED, strict=True)}
        if answer.get("error") is None:
            del added[names[-1]]
        raw, whole = row.carried
        if whole:
            head = raw[:-1].rstrip()  # without the brace that ends it
            return bytes(head + (b"" if head == b"{" else b", ") + _json(added)[1:])
        kept = {"raw": raw.decode("utf-8", "backslashreplace")}
        if not _is_utf8(raw):
            kept["raw_base64"] = base64.b64encode(raw).decode("ascii")
        return _json({**kept, **added})


def _is_utf8(raw: bytes) -> bool:
    try:
        raw.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


class _Members(list[tuple[str, Any]]):
    """The members of an object, repeated ones among them."""


def _json(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode("utf-8", "backslashreplace")


def check_names(path: Path, names: list[str], columns: Columns) -> None:
    """Raise PairsError where a column is missing, stands twice, or has a name that is to be added."""
    shown = ", ".join(names[:20]) or "none"
    for wanted, flag in ((columns.claim, "--claim-column"), (columns.target, "--target-column")):
        if names.count(wanted) != 1:
            what = "no column" if wanted not in names else "more than one column"
            raise PairsError(f"{path} has {what} {wanted!r}; it has: {shown}.", mend=f"Name it with {flag}.")
    taken = [name for name in columns.added if name in names]
    if taken:
        raise PairsError(
            f"{path} already has a column {taken[0]!r}.", mend="Name the new ones apart, for example --prefix new_."
        )
