"""`adjudicate --scan`: statements in a folder's texts that contradict one another.

The order: files, statements, candidate pairs (an index of rare words, the gate), the ladder, the account.

Rules:
- Markdown (.md, .markdown, .mdx) and plain text (.txt, .text) are read, in the order of their names. Hidden folders and
  files, `node_modules`, links and files of other kinds are not; a file that cannot be read as text is skipped and said.
- One statement that stands in several places is one statement.
- What was not compared is counted by why. Nothing is said of those pairs.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from bicameral.adjudication import adjudicate_many
from bicameral.adjudication.candidates import Candidates, find_candidates
from bicameral.adjudication.statements import read_document
from bicameral.errors import PairsError
from bicameral.model.adjudication import VERDICTS, AdjudicationResult
from bicameral.runtime.adjudicating import Adjudicators

MARKDOWN: Final = frozenset({".md", ".markdown", ".mdx"})
TEXT: Final = frozenset({".txt", ".text"})
LARGEST_FILE: Final = 16 * 2**20
MAX_PAIRS: Final = 5_000
"""Pairs that are weighed unless another number is given: half a minute with the packaged model on two cores."""
SHOWN: Final = frozenset({"genuine", "supersedes"})
"""Verdicts that a scan reports: the others are counted."""


@dataclass(frozen=True, kw_only=True)
class Place:
    """file: relative to the folder, with slashes.  line: 1 for the first."""

    file: str
    line: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}"


@dataclass(frozen=True, kw_only=True)
class Told:
    """A statement and where it stands, the first place first."""

    text: str
    places: tuple[Place, ...]


@dataclass(frozen=True, kw_only=True)
class Conflict:
    """Two statements and what was made of them. The earlier one (by file, then line) was the target."""

    earlier: Told
    later: Told
    result: AdjudicationResult


@dataclass(frozen=True, kw_only=True)
class ScanReport:
    """What a scan found, and what it did not look at.

    conflicts: surest first.  counts: every verdict to its number of weighed pairs.  unweighed: a provider was asked and
    none answered.  passed_over: what in the files states nothing, by kind.  skipped: (file, why).
    """

    conflicts: tuple[Conflict, ...]
    counts: Mapping[str, int]
    unweighed: int
    files: int
    statements: int
    candidates: Candidates
    passed_over: Mapping[str, int]
    skipped: tuple[tuple[str, str], ...]

    @property
    def complete(self) -> bool:
        """Whether every file was read and every pair that was put got an answer."""
        return not (self.skipped or self.unweighed)


Watch = Callable[[int, int], None]
"""Called with the pairs weighed and the pairs there are to weigh."""


async def scan_folder(
    folder: Path, adjudicators: Adjudicators, *, max_pairs: int = MAX_PAIRS, watch: Watch | None = None
) -> ScanReport:
    """Scan a folder. max_pairs: pairs that are weighed at most, 1 or more. Raises PairsError."""
    if max_pairs < 1:
        raise PairsError(f"--max-pairs is {max_pairs}.", mend="Give 1 or more.")
    told, files, passed_over, skipped = read_folder(folder)
    found = find_candidates([one.text for one in told], limit=max_pairs)
    conflicts: list[Conflict] = []
    counts: Counter[str] = Counter(dict.fromkeys(VERDICTS, 0))
    unweighed = 0
    results = aiter(
        adjudicate_many(
            ((told[later].text, told[earlier].text) for earlier, later in found.pairs), **adjudicators.arguments()
        )
    )
    for done, (earlier, later) in enumerate(found.pairs, start=1):
        result = await anext(results)
        counts[result.verdict] += 1
        unweighed += result.method == "none" and bool(result.rungs)
        if result.verdict in SHOWN:
            conflicts.append(Conflict(earlier=told[earlier], later=told[later], result=result))
        if watch is not None:
            watch(done, len(found.pairs))
    conflicts.sort(key=lambda one: -one.result.confidence)  # stable: of equals the more related pair stays first
    return ScanReport(
        conflicts=tuple(conflicts),
        counts=dict(counts),
        unweighed=unweighed,
        files=files,
        statements=len(told),
        candidates=found,
        passed_over=passed_over,
        skipped=skipped,
    )


def read_folder(folder: Path) -> tuple[list[Told], int, dict[str, int], tuple[tuple[str, str], ...]]:
    """(statements, files read, what was passed over, what was skipped), in the order of the files' names.

    Raises PairsError for what is no folder.
    """
    if not folder.is_dir():
        raise PairsError(f"{folder} is no folder.", mend="Name a folder with Markdown or text files.")
    places: dict[str, list[Place]] = {}
    passed_over: Counter[str] = Counter()
    skipped: list[tuple[str, str]] = []
    files = 0
    for path in _files(folder):
        name = path.relative_to(folder).as_posix()
        text = _text_of(path)
        if isinstance(text, _Unread):
            skipped.append((name, text.why))
            continue
        files += 1
        reading = read_document(text, markdown=path.suffix.lower() in MARKDOWN)
        passed_over.update(reading.passed_over)
        for statement in reading.statements:
            places.setdefault(statement.text, []).append(Place(file=name, line=statement.line))
    told = [Told(text=text, places=tuple(where)) for text, where in places.items()]
    return told, files, dict(passed_over), tuple(skipped)


@dataclass(frozen=True)
class _Unread:
    why: str


def _files(folder: Path) -> Iterator[Path]:
    for root, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith(".") and name != "node_modules")
        for name in sorted(names):
            path = Path(root, name)
            if not name.startswith(".") and path.suffix.lower() in MARKDOWN | TEXT and not path.is_symlink():
                yield path


def _text_of(path: Path) -> str | _Unread:
    try:
        if not path.is_file():
            return _Unread("it is no regular file")
        if path.stat().st_size > LARGEST_FILE:
            return _Unread(f"it is larger than {LARGEST_FILE:,} bytes")
        text = path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as exc:
        return _Unread(f"byte {exc.start + 1} is no UTF-8")
    except OSError as exc:
        return _Unread(f"it cannot be read: {exc.strerror or exc}")
    return _Unread("it holds a NUL, so it is no text") if "\0" in text else text
