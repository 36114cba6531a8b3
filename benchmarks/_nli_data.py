"""Labelled sentence pairs, read from a folder of tab-separated files.

Each file has a header line with `premise`, `hypothesis` and `label`; further columns are left alone. No quoting.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from pathlib import Path
from typing import Final

LABELS: Final = ("entailment", "neutral", "contradiction")


@dataclass(frozen=True)
class LabelledPair:
    """A premise, a hypothesis and what people say of them."""

    premise: str
    hypothesis: str
    label: str

    @property
    def texts(self) -> tuple[str, str]:
        return self.premise, self.hypothesis


def read_pairs(folder: Path, only: frozenset[str] = frozenset()) -> dict[str, list[LabelledPair]]:
    """By file name without its ending, in order of name. only: these sets; all where empty. Raises SystemExit."""
    found = {path.stem: _read(path) for path in sorted(folder.glob("*.tsv")) if not only or path.stem in only}
    if missing := only - set(found):
        raise SystemExit(f"{folder} has no {', '.join(sorted(missing))}.")
    if not found:
        raise SystemExit(f"{folder} holds no .tsv file of labelled pairs.")
    return found


def _read(path: Path) -> list[LabelledPair]:
    lines = path.read_text("utf-8").splitlines()
    header = lines[0].split("\t") if lines else []
    if not {"premise", "hypothesis", "label"} <= set(header):
        raise SystemExit(f"{path}: the first line has to name premise, hypothesis and label, parted by tabs.")
    at = [header.index(name) for name in ("premise", "hypothesis", "label")]
    pairs = []
    for number, line in enumerate(lines[1:], 2):
        fields = line.split("\t")
        if len(fields) != len(header) or fields[at[2]] not in LABELS:
            raise SystemExit(f"{path}:{number}: this is no labelled pair.")
        pairs.append(LabelledPair(*(fields[one] for one in at)))
    return pairs


def mixed(sets: dict[str, list[LabelledPair]], count: int, seed: int) -> list[LabelledPair]:
    """`count` pairs of all sets together, no two with the same texts, in a seeded order."""
    distinct = list({pair.texts: pair for pairs in sets.values() for pair in pairs}.values())
    random.Random(seed).shuffle(distinct)
    if len(distinct) < count:
        raise SystemExit(f"The sets hold {len(distinct)} distinct pairs, fewer than the {count} that were asked for.")
    return distinct[:count]
