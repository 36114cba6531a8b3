"""A `cael.v1` trace checked entry by entry, one line held at a time.

Answers for: the state that runs along a trace, and the problems that each entry shows. Declines to: raise; what cannot
be read is a problem too. `cael` says what is checked, in which order.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final, get_args

from bicameral.canonical.ecmascript import as_double, number_text
from bicameral.canonical.plain import shown_path
from bicameral.canonical.reading import parse_json
from bicameral.canonical.record import kind_of
from bicameral.canonical.records import DialogRecord, read_record
from bicameral.canonical.shown import shown
from bicameral.errors import RecordError, UnrecordableError
from bicameral.model.witnessing import Problem
from bicameral.witness._cael_export import export_cael
from bicameral.witness._cael_text import CAEL_V1, GENESIS, HASHED, SHAPES, Mode, entry_hash, entry_text, unhashed

MODES: Final[tuple[Mode, ...]] = get_args(Mode)
TEXT_SHOWN: Final = 80
"""Characters of a foreign text in a message."""

_MEMBERS: Final = (*HASHED, "hash")
_TEXTS: Final = ("version", "runId", "event", "prevHash", "hash")
_NUMBERS: Final = ("index", "timestamp", "simTime")

Lines = Iterable[str | bytes] | str | bytes


class Trace:
    """A trace as it is read, and what is known of it so far.

    count: entries read.  previous: the last one's hash as it stands, None where it could not be read.
    record: the exported record in the first entry, where there is one.
    """

    def __init__(self, mode: Mode | None) -> None:
        self.mode = mode
        self.count = 0
        self.previous: str | None = GENESIS
        self.record: DialogRecord | None = None
        self._index = 0
        self._run_id: object = None
        self._session = False
        self._event: object = None
        self._derived: Iterator[str] | None = None

    def problems(self, lines: Lines) -> Iterator[Problem]:
        try:
            for line in said_lines(lines):
                where = f"entries[{self.count}]"
                try:
                    entry = read_entry(line, where)
                except RecordError as exc:
                    yield Problem(where=where, what=str(exc))
                    self._event = self.previous = None
                else:
                    yield from self._entry_problems(entry, where)
                self.count += 1
                self._index += 1
        except RecordError as exc:
            yield Problem(where=f"entries[{self.count}]", what=str(exc))
        yield from self._end_problems()

    def _entry_problems(self, entry: dict[str, Any], where: str) -> Iterator[Problem]:
        first = self.count == 0
        if first:
            yield from self._open(entry, where)
        elif self._session and self._event == "final":
            yield Problem(where=where, what="It stands after the final entry.")
        yield from _member_problems(entry, where)
        yield from self._place_problems(entry, where)
        yield from self._hash_problems(entry, where)
        if first:
            yield from self._open_record(entry, f"{where}.payload.record")
        yield from self._derived_problems(entry, where)
        self._event, said = entry.get("event"), entry.get("hash")
        self.previous = said if isinstance(said, str) else None

    def _open(self, entry: Mapping[str, Any], where: str) -> Iterator[Problem]:
        """What the first entry says of the whole: the mode, the run, and whether an end is promised."""
        self._run_id = entry.get("runId")
        payload = entry.get("payload") if entry.get("event") == "init" else None
        head = payload if isinstance(payload, dict) else {}
        self._session = isinstance(head.get("solverType"), str)
        declared = head.get("hashMode")
        known = next((mode for mode in MODES if mode == declared), None)
        if "hashMode" in head and known is None:
            what = f"It is {kind_of(declared)}; the hash modes are {' and '.join(MODES)}."
            yield Problem(where=f"{where}.payload.hashMode", what=what)
        elif known is not None and self.mode is not None and known != self.mode:
            what = f"It is {known}, but the trace is to be of mode {shown(self.mode, most=TEXT_SHOWN)}."
            yield Problem(where=f"{where}.payload.hashMode", what=what)
        if self.mode not in MODES:
            self.mode = known or "fnv1a"

    def _open_record(self, entry: Mapping[str, Any], where: str) -> Iterator[Problem]:
        payload = entry.get("payload")
        if not isinstance(payload, dict) or entry.get("event") != "init":
            return
        if "record" not in payload or "recordDigest" not in payload:
            return
        try:
            record = read_record(payload["record"])
            self._derived = export_cael(record, mode=self.mode or "fnv1a")
            self.record = record if isinstance(record, DialogRecord) else None
        except RecordError as exc:
            yield Problem(where=where, what=str(exc))

    def _derived_problems(self, entry: Mapping[str, Any], where: str) -> Iterator[Problem]:
        """Whether the entry is the one that the exported record gives here. After the first that is not, no more are
        asked for: the others have moved."""
        if self._derived is None:
            return
        try:
            line = next(self._derived, None)
            # In the weak mode an equal hash says little, so the texts are compared.
            if line is not None and entry_text(parse_json(line)) == entry_text(entry):
                return
            yield Problem(where=where, what="It is not the entry that the record in the first one gives here.")
        except RecordError as exc:
            yield Problem(where=f"{where}.payload", what=str(exc))
        self._derived = None

    def _place_problems(self, entry: Mapping[str, Any], where: str) -> Iterator[Problem]:
        index = entry.get("index")
        if isinstance(index, (int, float)) and not isinstance(index, bool):
            if index != self._index:
                what = f"It is {number_text(as_double(index))} where {self._index} belongs."
                yield Problem(where=f"{where}.index", what=what)
            # Go on from what it says, so that one dropped entry is one problem.
            self._index = int(index) if index == index and abs(index) < 2**53 else self._index
        if isinstance(entry.get("runId"), str) and isinstance(self._run_id, str) and entry["runId"] != self._run_id:
            yield Problem(where=f"{where}.runId", what="It is not the first entry's: this comes from another run.")
        if "prevHash" in entry and self.previous is not None and entry["prevHash"] != self.previous:
            before = "cael.genesis" if self.count == 0 else "the hash of the entry before"
            yield Problem(where=f"{where}.prevHash", what=f"It is not {before}.")

    def _hash_problems(self, entry: Mapping[str, Any], where: str) -> Iterator[Problem]:
        said, mode = entry.get("hash"), self.mode or "fnv1a"
        for place, why in unhashed(entry, where):
            yield Problem(where=shown_path(place), what=why)
        if not isinstance(said, str):
            return
        if SHAPES[mode].match(said) is None:
            what = f"It is {shown(said, most=TEXT_SHOWN)!r}, which is no hash of mode {mode}."
            yield Problem(where=f"{where}.hash", what=what)
            return
        try:
            derived = entry_hash(entry, mode, where)
        except UnrecordableError as exc:
            yield Problem(where=f"{where}.hash", what=f"The entry has no canonical text: {exc.message}")
            return
        if derived != said:
            yield Problem(where=f"{where}.hash", what=f"The entry's hash is {derived}: it was changed.")

    def _end_problems(self) -> Iterator[Problem]:
        if self._derived is not None:
            missing = sum(1 for _ in self._derived)  # whatever it might raise, it raised with the first line
            if missing:
                what = f"{missing} entries that the record in the first one gives are missing: an end was cut off."
                yield Problem(where=f"entries[{self.count}]", what=what)
        elif self._session and self._event != "final":
            what = "The trace stops without a final entry: an end was cut off."
            yield Problem(where=f"entries[{self.count}]", what=what)


def _member_problems(entry: Mapping[str, Any], where: str) -> Iterator[Problem]:
    for name in entry:
        if name not in _MEMBERS:
            place = shown_path(f"{where}.{name}")
            yield Problem(where=place, what="It is no member of an entry, and the hash does not cover it.")
    for name in _MEMBERS:
        place = f"{where}.{name}"
        value = entry.get(name)
        if name not in entry:
            yield Problem(where=place, what="It is missing.")
        elif name in _TEXTS and not isinstance(value, str):
            yield Problem(where=place, what=f"It is {kind_of(value)}, not text.")
        elif name == "payload" and not isinstance(value, dict):
            yield Problem(where=place, what=f"It is {kind_of(value)}, not an object.")
        elif name in ("index", "timestamp", "simTime") and (
            isinstance(value, bool) or not isinstance(value, (int, float))
        ):
            yield Problem(where=place, what=f"It is {kind_of(value)}, not a number.")
    version = entry.get("version")
    if isinstance(version, str) and version != CAEL_V1:
        what = f"It is {shown(version, most=TEXT_SHOWN)!r}, not {CAEL_V1}."
        yield Problem(where=f"{where}.version", what=what)


def read_entry(line: str | bytes, where: str) -> dict[str, Any]:
    entry = parse_json(line, unique_members=True, what="The line")
    if not isinstance(entry, dict):
        raise RecordError(f"{where} is {kind_of(entry)}; an object was expected.")
    return entry


def said_lines(lines: Lines) -> Iterator[str | bytes]:
    """The lines that are not blank. Raises RecordError where the lines themselves cannot be had."""
    if isinstance(lines, str):
        lines = io.StringIO(lines, newline="\n")
    elif isinstance(lines, (bytes, bytearray)):
        lines = io.BytesIO(lines)
    try:
        rest = iter(lines)
    except TypeError as exc:
        raise RecordError(f"A trace is its lines, not of type {type(lines).__name__}.") from exc
    while True:
        try:
            line = next(rest)
        except StopIteration:
            return
        except UnicodeDecodeError as exc:
            raise RecordError("The line is no UTF-8.", mend="Read the trace as bytes to go on after it.") from exc
        if not _is_blank(line):
            yield line


def _is_blank(line: object) -> bool:
    if isinstance(line, str):
        return not line.strip(" \t\r\n")
    return isinstance(line, (bytes, bytearray)) and not line.strip(b" \t\r\n")
