"""A Parquet table of pairs. pyarrow is imported here alone, when such a table is opened.

Answers for: the columns as they were, with their types and the file's own metadata, and six more. A row is `row 7`.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from itertools import islice
from pathlib import Path
from typing import Any, Final

from bicameral.errors import PairsError
from bicameral.runtime.pair_rows import ADDED, Answer, Columns, Row, check_names, fault_of

AT_ONCE: Final = 4096
"""Rows that are held at a time, and of one row group of the output."""


class ParquetTable:
    """Rows of a Parquet file, read a batch at a time."""

    def __init__(self, path: Path, columns: Columns) -> None:
        self._path = path
        self._columns = columns

    def rows(self) -> Iterator[Row]:
        number = 0
        wanted = [self._columns.claim, self._columns.target]
        with _opened(self._path) as file:
            self._check(file.schema_arrow)
            for batch in _batches(file, self._path, wanted):
                for claim, target in zip(*(_texts(batch.column(name)) for name in wanted), strict=True):
                    number += 1
                    fault = fault_of(wanted[0], claim) or fault_of(wanted[1], target)
                    texts = ("", "") if fault else (claim, target)
                    yield Row(place=f"row {number}", claim=texts[0], target=texts[1], fault=fault)

    def _check(self, schema: Any) -> None:
        pa = _arrow()
        check_names(self._path, schema.names, self._columns)
        for name in (self._columns.claim, self._columns.target):
            kind = schema.field(name).type
            kind = kind.value_type if pa.types.is_dictionary(kind) else kind
            if not (pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_string_view(kind)):
                raise PairsError(f"The column {name!r} of {self._path} holds {kind}, not text.")

    def write(self, answers: Iterator[Answer], out: Path) -> None:
        pa, pq = _arrow(), _parquet()
        kinds = (pa.string(), pa.float64(), pa.string(), pa.string(), pa.bool_(), pa.string())
        with _opened(self._path) as file:
            schema = file.schema_arrow
            for name, kind in zip(self._columns.added, kinds, strict=True):
                schema = schema.append(pa.field(name, kind))
            with pq.ParquetWriter(out, schema) as writer:
                for batch in _batches(file, self._path, None):
                    told = list(islice(answers, batch.num_rows))
                    added = [
                        pa.array([answer.get(name) for answer in told], kind)
                        for name, kind in zip(ADDED, kinds, strict=True)
                    ]
                    writer.write_table(pa.Table.from_arrays([*batch.columns, *added], schema=schema))


def _texts(column: Any) -> list[Any]:
    """The column's values; one of bytes that are no UTF-8 is half a character, which `fault_of` names."""
    try:
        values: list[Any] = column.to_pylist()
    except UnicodeDecodeError:
        return [_text(value) for value in column]
    return values


def _text(value: Any) -> Any:
    try:
        return value.as_py()
    except UnicodeDecodeError:
        return "\udcff"


def _arrow() -> Any:
    try:
        return import_module("pyarrow")
    except ImportError as exc:
        raise PairsError(
            "Parquet needs pyarrow, which is not installed here.",
            mend="Install bicameral[parquet], or use CSV or JSONL.",
        ) from exc


def _parquet() -> Any:
    _arrow()
    return import_module("pyarrow.parquet")


def _opened(path: Path) -> Any:
    pa = _arrow()
    try:
        return _parquet().ParquetFile(path)
    except (pa.ArrowException, OSError) as exc:
        raise PairsError(f"{path} cannot be read as Parquet: {exc}.") from exc


def _batches(file: Any, path: Path, columns: list[str] | None) -> Iterator[Any]:
    pa = _arrow()
    try:
        yield from file.iter_batches(batch_size=AT_ONCE, columns=columns)
    except (pa.ArrowException, OSError) as exc:
        raise PairsError(f"{path} is damaged: {exc}.") from exc
