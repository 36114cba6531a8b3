"""Contradicting statements in a folder's texts, with the place of each, and an account of what was not compared."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from adjudication_doubles import CONTRADICTS, ENTAILS, NEUTRAL, BatchingNLI, raising
from bicameral.errors import PairsError
from bicameral.runtime.adjudicating import Adjudicators
from bicameral.runtime.scan import ScanReport, scan_folder


def numbers(premise: str, hypothesis: str) -> Any:
    """Two statements contradict each other where they hold different numbers."""
    one, other = ({word for word in text.split() if word.strip(".").isdigit()} for text in (premise, hypothesis))
    return CONTRADICTS if one and other and one != other else NEUTRAL


async def scan(folder: Path, nli: Any = None, **more: Any) -> ScanReport:
    return await scan_folder(folder, Adjudicators(nli=nli or BatchingNLI(numbers)), **more)


def write(folder: Path, **files: str) -> Path:
    for name, text in files.items():
        path = folder / name.replace("__", "/")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


async def test_a_contradiction_is_told_with_file_and_line_of_both(tmp_path: Path) -> None:
    write(
        tmp_path,
        **{
            "a.md": "# Port\n\nThe gateway listens on port 8080.\n",
            "b__c.txt": "x\n\nThe gateway listens on port 9090.",
        },
    )
    report = await scan(tmp_path)
    (found,) = report.conflicts
    assert (str(found.earlier.places[0]), str(found.later.places[0])) == ("a.md:3", "b/c.txt:3")
    assert (found.result.verdict, found.result.confidence) == ("genuine", 0.9)
    assert (report.files, report.statements, report.counts["genuine"]) == (2, 2, 1)
    assert report.passed_over == {"headings": 1, "fragments and questions": 1}
    assert report.complete


async def test_one_statement_in_many_places_is_one(tmp_path: Path) -> None:
    text = "The gateway listens on port 8080.\n"
    write(tmp_path, **{"a.md": text, "b.md": text, "c.md": "The gateway listens on port 9090.\n"})
    report = await scan(tmp_path)
    (found,) = report.conflicts
    assert [str(place) for place in found.earlier.places] == ["a.md:1", "b.md:1"]
    assert report.candidates.possible == 1


async def test_strangers_are_not_put_to_the_model_and_are_counted(tmp_path: Path) -> None:
    write(tmp_path, **{"a.md": "The gateway listens on port 8080.\n\nMy sister is 30 years old.\n\nRain fell all day."})
    nli = BatchingNLI(numbers)
    report = await scan(tmp_path, nli)
    assert nli.asked == []
    found = report.candidates
    assert (found.possible, found.no_rare_word + found.different_subjects) == (3, 3)


async def test_no_more_than_max_pairs_are_weighed_and_the_rest_is_said(tmp_path: Path) -> None:
    write(tmp_path, **{"a.md": "\n\n".join(f"The gateway listens on port {n}." for n in range(20))})
    report = await scan(tmp_path, max_pairs=7)
    assert (sum(report.counts.values()), report.candidates.over_limit) == (7, 190 - 7)


async def test_a_scan_of_the_same_folder_is_the_same_report(tmp_path: Path) -> None:
    write(tmp_path, **{"a.md": "\n\n".join(f"The gateway of site {n % 3} listens on port {n}." for n in range(20))})
    assert await scan(tmp_path, max_pairs=20) == await scan(tmp_path, max_pairs=20)


async def test_what_is_hidden_or_of_another_kind_is_not_read(tmp_path: Path) -> None:
    text = "The gateway listens on port 8080.\n"
    write(tmp_path, **dict.fromkeys((".git__a.md", ".b.md", "node_modules__c.md", "d.py", "e.md"), text))
    (tmp_path / "f.md").symlink_to(tmp_path / "e.md")
    assert (await scan(tmp_path)).files == 1


async def test_a_file_that_cannot_be_read_is_skipped_and_said(tmp_path: Path) -> None:
    write(tmp_path, **{"good.md": "The gateway listens on port 8080."})
    (tmp_path / "latin.md").write_bytes(b"caf\xe9")
    (tmp_path / "nul.txt").write_bytes(b"a\0b")
    (tmp_path / "folder.md").mkdir()
    report = await scan(tmp_path)
    assert report.files == 1
    assert report.skipped == (("latin.md", "byte 4 is no UTF-8"), ("nul.txt", "it holds a NUL, so it is no text"))
    assert not report.complete


async def test_surest_first_and_agreement_is_only_counted(tmp_path: Path) -> None:
    write(
        tmp_path,
        **{
            "a.md": "The gateway listens on port 80.\n\nThe gateway listens on port 81.",
            "b.md": "A gateway listens on port 80.",
        },
    )
    report = await scan(tmp_path, BatchingNLI(lambda p, h: ENTAILS if p.split()[-1] == h.split()[-1] else CONTRADICTS))
    assert report.counts["complementary"] == 1
    assert len(report.conflicts) == report.counts["genuine"] == 2
    sure = [one.result.confidence for one in report.conflicts]
    assert sure == sorted(sure, reverse=True)


async def test_pairs_that_nobody_answered_are_counted(tmp_path: Path) -> None:
    write(tmp_path, **{"a.md": "The gateway listens on port 80.\n\nThe gateway listens on port 81."})
    report = await scan(tmp_path, BatchingNLI(raising(ValueError("down"))))
    assert (report.unweighed, report.complete) == (1, False)


async def test_an_empty_folder_is_no_error(tmp_path: Path) -> None:
    report = await scan(tmp_path)
    assert (report.files, report.statements, report.candidates.possible) == (0, 0, 0)


async def test_what_is_no_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(PairsError, match="is no folder"):
        await scan(tmp_path / "gone")
    with pytest.raises(PairsError, match="--max-pairs"):
        await scan(tmp_path, max_pairs=0)
