"""`adjudicate --pairs`: a table of pairs in, the same table with verdicts out.

The order:
1. The output's place and ending are checked, the input is digested, and a journal beside the output is taken up or
   begun.
2. Rows that the journal has are passed over; the others are weighed in chunks and noted as they come.
3. The output is written from the input and the journal under another name, moved to its place, and the journal removed.

Rules:
- The output's bytes do not depend on how often the run was killed on the way. It is never half there under its name.
- Where no provider has answered for DEAD rows in a row the run stops, so that a server which went away does not turn
  the rest of the table into rows that nobody weighed; what was weighed is kept, those rows are not.
- Memory is flat: a chunk of rows is held at a time.
"""

from __future__ import annotations

import asyncio
import errno
import hashlib
import os
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Final

from bicameral.adjudication import adjudicate_many
from bicameral.adjudication.related import UNRELATED, relatedness
from bicameral.errors import PairsError, ProviderFailed, StoreError
from bicameral.model.adjudication import VERDICTS, AdjudicationResult
from bicameral.runtime.adjudicating import Adjudicators
from bicameral.runtime.pair_journal import Journal, forget, open_journal
from bicameral.runtime.pair_rows import Columns, Row, Table, open_table

CHUNK: Final = 512
DEAD: Final = 64
"""Rows in a row without any provider's answer, after which the run stops."""
HELD: Final = 8 * CHUNK
"""Rows that are held back at most while it is open whether the providers are dead."""
LONGEST_NAME: Final = 240
"""Bytes of an output's name: file systems take 255, and the names beside it are longer."""
BAD_SHOWN: Final = 20
"""Bad rows that a summary names; the others are counted, and all are in the output."""


@dataclass(frozen=True, kw_only=True)
class PairsSummary:
    """What came of a table. counts: every verdict to its number of rows.  bad: (place, why) of the first bad rows.

    rows: all of them.  bad_rows: not weighed, carried through.  unweighed: a provider was asked and none answered.
    gated: unrelated by the gate.  resumed: rows that an earlier run had weighed.
    """

    out: Path
    rows: int = 0
    counts: Mapping[str, int] = field(default_factory=dict)
    bad_rows: int = 0
    unweighed: int = 0
    gated: int = 0
    resumed: int = 0
    bad: tuple[tuple[str, str], ...] = ()

    @property
    def complete(self) -> bool:
        """Whether every row was weighed."""
        return not (self.bad_rows or self.unweighed)


Watch = Callable[[int, int], None]
"""Called after each chunk with the rows done and the rows of them that were bad or unweighed."""


async def adjudicate_table(
    source: Path,
    out: Path,
    adjudicators: Adjudicators,
    *,
    columns: Columns | None = None,
    gate: bool = False,
    overwrite: bool = False,
    restart: bool = False,
    watch: Watch | None = None,
) -> PairsSummary:
    """Weigh every pair of `source` and write `out`.

    gate: call pairs about different subjects unrelated, without asking.  overwrite: an output that is there already.
    restart: forget what an unfinished run has weighed. Raises PairsError for what cannot be read or continued,
    ProviderFailed where the providers went away, StoreError where the output cannot be written.
    """
    columns = columns or Columns()
    check_places(source, out, overwrite=overwrite)
    table = open_table(source, columns)
    before = _identity(source)
    head = {
        "input": _digest(source),
        "columns": [columns.claim, columns.target, columns.prefix],
        "gate": gate,
        "adjudicators": adjudicators.identity(),
    }
    try:
        with open_journal(out.with_name(out.name + ".part"), head, restart=restart) as journal:
            await _weigh(table, journal, adjudicators, gate=gate, watch=watch)
            if _identity(source) != before:
                raise PairsError(f"{source} was changed during the run.", mend="Run it again on a file that rests.")
            summary = _summary(journal, out)
            _finish(table, journal, out)
            return summary
    except OSError as exc:
        full = exc.errno in (errno.ENOSPC, errno.EDQUOT)
        raise StoreError(
            f"{exc.filename or out} could not be read or written: {(exc.strerror or str(exc)).rstrip('.')}.",
            mend=f"{'Free some space' if full else 'Mend that'}, or name another --out; the same command goes on where "
            "this one ended.",
        ) from exc


def check_places(source: Path, out: Path, *, overwrite: bool) -> None:
    """Raise PairsError where the input is no file, or the output cannot be put there."""
    if not source.is_file():
        raise PairsError(f"{source} is no file.", mend="Name a .csv, .tsv, .jsonl, .ndjson or .parquet file.")
    if len(os.fsencode(out.name)) > LONGEST_NAME:
        raise PairsError(
            f"The name of --out has more than {LONGEST_NAME} bytes, and a journal beside it needs a longer one.",
            mend="Name a shorter --out.",
        )
    if out.exists() and source.samefile(out):
        raise PairsError(f"{source} and --out are one file.", mend="Name another --out.")
    if out.is_dir():
        raise PairsError(f"{out} is a folder.", mend="Name a file in it.")
    if not out.parent.is_dir():
        raise PairsError(f"The folder {out.parent} is not there.", mend="Make it, or name another --out.")
    kinds = [_kind(path) for path in (source, out)]
    if kinds[0] != kinds[1]:
        raise PairsError(
            f"{source.name} and {out.name} are not of one kind.", mend=f"Let --out end in {source.suffix}."
        )
    if out.exists() and not overwrite:
        raise PairsError(f"{out} is there already.", mend="Name another --out, or give --overwrite.")


def _kind(path: Path) -> str:
    suffix = path.suffix.lower()
    return {".ndjson": ".jsonl"}.get(suffix, suffix)


async def _weigh(
    table: Table, journal: Journal, adjudicators: Adjudicators, *, gate: bool, watch: Watch | None
) -> None:
    rows = islice(table.rows(), journal.rows, None)
    held: list[dict[str, object]] = []
    sound = troubled = failing = 0  # sound: how many of the held come before the failing ones
    while chunk := await asyncio.to_thread(lambda: list(islice(rows, CHUNK))):
        for answer in await _answers(chunk, adjudicators, gate=gate):
            held.append(answer)
            troubled += answer["note"] == "unweighed" or answer["error"] is not None
            if answer["note"] == "unweighed":
                failing += 1
            elif answer["note"] is None and answer["error"] is None:
                failing, sound = 0, len(held)
            if failing >= DEAD:
                journal.add(held[:sound])
                raise ProviderFailed(
                    f"No provider answered for {DEAD} rows, up to {chunk[-1].place}: {answer['why']}.",
                    kind="unreachable",
                    mend=f"{journal.rows} rows are kept. Mend the provider and run the same command: it goes on there.",
                )
        if not failing or len(held) >= HELD:
            journal.add(held)
            held, sound, failing = [], 0, 0
        if watch is not None:
            watch(journal.rows + len(held), troubled)
    journal.add(held)


async def _answers(chunk: list[Row], adjudicators: Adjudicators, *, gate: bool) -> list[dict[str, object]]:
    """One answer for each row, in order."""
    skipped = [gate and row.fault is None and not relatedness(row.claim, row.target).related for row in chunk]
    asked = [
        (row.claim, row.target) for row, skip in zip(chunk, skipped, strict=True) if row.fault is None and not skip
    ]
    results = aiter(adjudicate_many(asked, **adjudicators.arguments()))
    answers: list[dict[str, object]] = []
    for row, skip in zip(chunk, skipped, strict=True):
        if row.fault is not None:
            answers.append({"verdict": None, "error": f"{row.place}: {row.fault}", "note": None})
        elif skip:
            answers.append(_answer(UNRELATED) | {"note": "gated"})
        else:
            answers.append(_answer(await anext(results)))
    return answers


def _answer(result: AdjudicationResult) -> dict[str, object]:
    failed = [rung for rung in result.rungs if rung.failure]
    unweighed = result.method == "none" and bool(failed)
    return {
        "verdict": result.verdict,
        "confidence": result.confidence,
        "method": result.method,
        "reasoning": result.reasoning,
        "tier_capped": result.tier_capped,
        "error": None,
        "note": "unweighed" if unweighed else None,
        "why": f"{failed[-1].provider}: {failed[-1].detail or failed[-1].failure}" if failed else None,
    }


def _summary(journal: Journal, out: Path) -> PairsSummary:
    counts: Counter[str] = Counter(dict.fromkeys(VERDICTS, 0))
    notes: Counter[str] = Counter()
    bad: list[tuple[str, str]] = []
    bad_rows = 0
    for answer in journal.answers():
        if answer["error"] is not None:
            bad_rows += 1
            if len(bad) < BAD_SHOWN:
                place, _, why = str(answer["error"]).partition(": ")
                bad.append((place, why))
        else:
            counts[str(answer["verdict"])] += 1
            notes[str(answer["note"])] += 1
    return PairsSummary(
        out=out,
        rows=journal.rows,
        counts=dict(counts),
        bad_rows=bad_rows,
        unweighed=notes["unweighed"],
        gated=notes["gated"],
        resumed=journal.resumed,
        bad=tuple(bad),
    )


def _finish(table: Table, journal: Journal, out: Path) -> None:
    """Write the output beside its place, have it on the disk, move it there, and only then drop the journal."""
    journal.sync()
    half = _made_anew(out.with_name(f".{out.name}.half"))
    try:
        table.write(journal.answers(), half)
        with half.open("rb") as written:
            os.fsync(written.fileno())
        os.replace(half, out)
    except BaseException:
        with suppress(OSError):
            half.unlink(missing_ok=True)
        raise
    forget(journal)


def _made_anew(half: Path) -> Path:
    """An empty file of ours. What an earlier run left there is removed; a link or a device is never written through.

    The journal is locked, so no other run writes there now.
    """
    if half.is_symlink() or (half.exists() and not half.is_file()):
        raise PairsError(f"{half} is in the way and is no file of such a run.", mend="Move it away.")
    half.unlink(missing_ok=True)
    os.close(os.open(half, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0), 0o666))
    return half


def _digest(source: Path) -> str:
    with source.open("rb") as stream:
        return f"sha256:{hashlib.file_digest(stream, 'sha256').hexdigest()}"


def _identity(source: Path) -> tuple[int, int, int]:
    state = source.stat()
    return state.st_size, state.st_mtime_ns, state.st_ino
