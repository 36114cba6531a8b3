"""A table of pairs in, the same table with verdicts out: whole, in order, once, however often it was killed."""

from __future__ import annotations

import csv
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from adjudication_doubles import CONTRADICTS, BatchingNLI, ScriptedLLM, by_words, raising
from bicameral.adjudication import adjudicate_contradiction
from bicameral.errors import PairsError, ProviderFailed, StoreError
from bicameral.runtime import pairs
from bicameral.runtime.adjudicating import Adjudicators
from bicameral.runtime.pair_rows import Columns
from bicameral.runtime.pairs import PairsSummary, adjudicate_table

HERE = Path(__file__).parent


def jsonl(path: Path, count: int) -> Path:
    rows = [{"id": n, "claim": f"claim {n % 700}", "target": f"target {n % 700}"} for n in range(count)]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def read(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


async def run(source: Path, out: Path, nli: Any = None, **more: Any) -> PairsSummary:
    llm = more.pop("llm", None)
    return await adjudicate_table(source, out, Adjudicators(nli=nli or BatchingNLI(), llm=llm), **more)


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


async def test_every_row_gets_the_verdict_that_its_pair_has_alone(tmp_path: Path) -> None:
    source = jsonl(tmp_path / "in.jsonl", 1300)
    summary = await run(source, tmp_path / "out.jsonl")
    rows = read(tmp_path / "out.jsonl")
    assert [row["id"] for row in rows] == list(range(1300))
    for row in rows[::97]:
        alone = await adjudicate_contradiction(row["claim"], row["target"], nli=BatchingNLI())
        found = (row["verdict"], row["confidence"], row["method"], row["reasoning"], row["tier_capped"])
        assert found == (alone.verdict, alone.confidence, alone.method, alone.reasoning, alone.tier_capped)
        assert "error" not in row
    assert (summary.rows, summary.bad_rows, sum(summary.counts.values())) == (1300, 0, 1300)
    assert summary.complete
    assert names(tmp_path) == ["in.jsonl", "out.jsonl"]


def test_a_run_that_is_killed_again_and_again_ends_with_the_same_bytes(tmp_path: Path) -> None:
    source = jsonl(tmp_path / "in.jsonl", 2500)
    worker = [sys.executable, str(HERE / "pairs_worker.py"), str(source)]
    once, often = tmp_path / "once.jsonl", tmp_path / "often.jsonl"
    assert subprocess.run([*worker, str(once), "999"], check=True).returncode == 0
    killed = 0
    # Each life sees a little more than a chunk through, the last of them is left to end.
    for lives in ("1", "5", "6", "5", "6", "999"):
        done = subprocess.run([*worker, str(often), lives], check=False)
        if done.returncode == 0:
            break
        killed += 1
        assert not often.exists()
    assert killed >= 4
    assert often.read_bytes() == once.read_bytes()
    assert names(tmp_path) == ["in.jsonl", "often.jsonl", "once.jsonl"]


class Dies(BatchingNLI):
    """Answers the first chunk (four windows) and then no more."""

    async def classify_batch(self, pairs: Any) -> Any:
        if len(self.batches) == 4:
            raise ConnectionError("gone")
        return await super().classify_batch(pairs)


async def unfinished(tmp_path: Path) -> tuple[Path, Path]:
    """An input, and an output of which the first chunk is weighed."""
    source, out = jsonl(tmp_path / "in.jsonl", 1300), tmp_path / "out.jsonl"
    with pytest.raises(ProviderFailed, match="512 rows are kept"):
        await run(source, out, Dies())
    assert not out.exists()
    return source, out


async def test_a_run_goes_on_where_it_broke_off(tmp_path: Path) -> None:
    source, out = await unfinished(tmp_path)
    nli = BatchingNLI()
    summary = await run(source, out, nli)
    assert summary.resumed == 512
    assert ("target 3", "claim 3") not in nli.asked[: 2 * (700 - 512)]
    await run(source, tmp_path / "fresh.jsonl")
    assert out.read_bytes() == (tmp_path / "fresh.jsonl").read_bytes()


@pytest.mark.parametrize("cut", [1, 7, 40])
async def test_a_line_that_was_torn_by_the_kill_is_written_again(tmp_path: Path, cut: int) -> None:
    source, out = await unfinished(tmp_path)
    part = tmp_path / "out.jsonl.part"
    part.write_bytes(part.read_bytes()[:-cut])
    summary = await run(source, out)
    assert summary.resumed == 511
    await run(source, tmp_path / "fresh.jsonl")
    assert out.read_bytes() == (tmp_path / "fresh.jsonl").read_bytes()


async def test_a_damaged_line_in_the_middle_is_weighed_again_with_all_after_it(tmp_path: Path) -> None:
    source, out = await unfinished(tmp_path)
    part = tmp_path / "out.jsonl.part"
    lines = part.read_bytes().splitlines(keepends=True)
    part.write_bytes(b"".join([*lines[:100], b"\0" * 50 + b"\n", *lines[101:]]))
    assert (await run(source, out)).resumed == 99


async def test_an_input_that_changed_is_refused_with_the_mend(tmp_path: Path) -> None:
    source, out = await unfinished(tmp_path)
    kept = (tmp_path / "out.jsonl.part").read_bytes()
    jsonl(source, 1301)
    with pytest.raises(PairsError, match=r"the input has changed\. .* --restart"):
        await run(source, out)
    assert (tmp_path / "out.jsonl.part").read_bytes() == kept
    assert (await run(source, out, restart=True)).resumed == 0


async def test_other_settings_are_refused_too(tmp_path: Path) -> None:
    source, out = await unfinished(tmp_path)
    with pytest.raises(PairsError, match=r"other settings \(gate\)"):
        await run(source, out, gate=True)
    with pytest.raises(PairsError, match=r"other settings \(adjudicators\)"):
        await run(source, out, llm=ScriptedLLM({}))
    with pytest.raises(PairsError, match=r"other settings \(columns\)"):
        await run(source, out, columns=Columns(prefix="x_"))


async def test_a_file_in_the_way_of_the_journal_is_not_overwritten(tmp_path: Path) -> None:
    source = jsonl(tmp_path / "in.jsonl", 3)
    (tmp_path / "out.jsonl.part").write_text("my own notes\n", encoding="utf-8")
    with pytest.raises(PairsError, match="is no journal"):
        await run(source, tmp_path / "out.jsonl")
    assert (tmp_path / "out.jsonl.part").read_text(encoding="utf-8") == "my own notes\n"


async def test_two_runs_do_not_write_one_output(tmp_path: Path) -> None:
    source, out = jsonl(tmp_path / "in.jsonl", 3), tmp_path / "out.jsonl"

    class Nested(BatchingNLI):
        async def classify_batch(self, asked: Any) -> Any:
            with pytest.raises(PairsError, match="Another run is writing"):
                await run(source, out)
            return await super().classify_batch(asked)

    assert (await run(source, out, Nested())).rows == 3


async def test_an_input_that_changes_under_the_run_is_noticed(tmp_path: Path) -> None:
    source, out = jsonl(tmp_path / "in.jsonl", 3), tmp_path / "out.jsonl"

    class Meddling(BatchingNLI):
        async def classify_batch(self, asked: Any) -> Any:
            jsonl(source, 4)
            return await super().classify_batch(asked)

    with pytest.raises(PairsError, match="was changed during the run"):
        await run(source, out, Meddling())
    assert not out.exists()


async def test_an_output_that_is_there_is_replaced_only_when_told(tmp_path: Path) -> None:
    source, out = jsonl(tmp_path / "in.jsonl", 3), tmp_path / "out.jsonl"
    out.write_text("precious", encoding="utf-8")
    with pytest.raises(PairsError, match="is there already"):
        await run(source, out)
    assert out.read_text(encoding="utf-8") == "precious"
    await run(source, out, overwrite=True)
    assert len(read(out)) == 3


async def test_an_output_is_kept_where_the_new_one_cannot_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source, out = jsonl(tmp_path / "in.jsonl", 3), tmp_path / "out.jsonl"
    out.write_text("precious", encoding="utf-8")

    def full(_source: Any, _out: Any) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(os, "replace", full)
        with pytest.raises(StoreError, match="No space left"):
            await run(source, out, overwrite=True)
    assert out.read_text(encoding="utf-8") == "precious"
    assert names(tmp_path) == ["in.jsonl", "out.jsonl", "out.jsonl.part"]
    assert (await run(source, out, overwrite=True)).resumed == 3


@pytest.mark.parametrize(
    ("source", "out", "message"),
    [
        ("in.jsonl", "in.jsonl", "are one file"),
        ("in.jsonl", "link.jsonl", "are one file"),
        ("gone.jsonl", "out.jsonl", "is no file"),
        ("folder", "out.jsonl", "is no file"),
        ("in.jsonl", "folder", "is a folder"),
        ("in.jsonl", "no/out.jsonl", "is not there"),
        ("in.jsonl", "out.csv", "not of one kind"),
        ("in.txt", "out.txt", "tells no kind"),
    ],
)
async def test_places_that_cannot_be_used_are_refused_before_any_work(
    tmp_path: Path, source: str, out: str, message: str
) -> None:
    jsonl(tmp_path / "in.jsonl", 3)
    jsonl(tmp_path / "in.txt", 3)
    (tmp_path / "folder").mkdir()
    (tmp_path / "link.jsonl").symlink_to(tmp_path / "in.jsonl")
    before, nli = names(tmp_path), BatchingNLI()
    with pytest.raises(PairsError, match=message):
        await run(tmp_path / source, tmp_path / out, nli)
    assert names(tmp_path) == before
    assert nli.asked == []


async def test_providers_that_went_away_stop_the_run_and_it_goes_on_later(tmp_path: Path) -> None:
    source, out = jsonl(tmp_path / "in.jsonl", 1300), tmp_path / "out.jsonl"

    def dying(premise: str, hypothesis: str) -> Any:
        number = int(premise.split()[1])
        if number >= 600:
            raise ConnectionError("gone")
        return by_words(premise, hypothesis)

    with pytest.raises(ProviderFailed, match=r"600 rows are kept") as stopped:
        await run(source, out, BatchingNLI(dying))
    assert "gone" in stopped.value.message
    assert not out.exists()
    summary = await run(source, out)
    assert (summary.resumed, summary.unweighed) == (600, 0)


async def test_a_few_rows_that_nobody_answered_are_recorded_as_such(tmp_path: Path) -> None:
    source, out = jsonl(tmp_path / "in.jsonl", 100), tmp_path / "out.jsonl"
    picky = BatchingNLI(lambda p, h: raising(ValueError("no"))(p, h) if "claim 5" in (p, h) else by_words(p, h))
    summary = await run(source, out, picky)
    assert (summary.unweighed, summary.complete) == (1, False)
    row = read(out)[5]
    assert (row["verdict"], row["confidence"], row["method"]) == ("tension", 0.0, "none")


async def test_without_a_provider_every_row_is_an_unverified_tension(tmp_path: Path) -> None:
    source, out = jsonl(tmp_path / "in.jsonl", 200), tmp_path / "out.jsonl"
    summary = await adjudicate_table(source, out, Adjudicators())
    assert summary.counts["tension"] == 200
    assert (summary.unweighed, summary.complete) == (0, True)


async def test_the_gate_asks_nobody_about_strangers(tmp_path: Path) -> None:
    source = tmp_path / "in.jsonl"
    source.write_text(
        '{"claim": "The user moved to Berlin.", "target": "The user lives in Paris."}\n'
        '{"claim": "Ana prefers tea.", "target": "The deploy runs at noon."}\n',
        encoding="utf-8",
    )
    nli = BatchingNLI(lambda p, h: CONTRADICTS)
    summary = await run(source, tmp_path / "out.jsonl", nli, gate=True)
    assert (summary.gated, summary.counts["genuine"], summary.counts["unrelated"]) == (1, 1, 1)
    assert len(nli.asked) == 2
    stranger = read(tmp_path / "out.jsonl")[1]
    assert (stranger["confidence"], stranger["method"]) == (0.0, "none")


async def test_an_empty_table_gives_an_empty_table(tmp_path: Path) -> None:
    (tmp_path / "in.jsonl").write_bytes(b"")
    assert (await run(tmp_path / "in.jsonl", tmp_path / "out.jsonl")).rows == 0
    assert (tmp_path / "out.jsonl").read_bytes() == b""
    (tmp_path / "in.csv").write_bytes(b"claim,target\r\n")
    assert (await run(tmp_path / "in.csv", tmp_path / "out.csv")).rows == 0
    assert (
        tmp_path / "out.csv"
    ).read_bytes() == b"claim,target,verdict,confidence,method,reasoning,tier_capped,error\r\n"


async def test_memory_holds_a_chunk_and_not_the_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source, out = jsonl(tmp_path / "in.jsonl", 4000), tmp_path / "out.jsonl"
    ahead: list[int] = []

    class Watching(BatchingNLI):
        async def classify_batch(self, asked: Any) -> Any:
            ahead.append(read_rows)
            return await super().classify_batch(asked)

    read_rows = 0
    real = pairs.open_table

    def counted(path: Path, columns: Columns) -> Any:
        table = real(path, columns)
        rows = table.rows

        def counting() -> Iterator[Any]:
            nonlocal read_rows
            for row in rows():
                read_rows += 1
                yield row

        table.rows = counting  # type: ignore[method-assign]
        return table

    monkeypatch.setattr(pairs, "open_table", counted)
    await run(source, out, Watching())
    # Four windows of 128 make a chunk: at the n-th batch no more than its chunk has been read.
    assert all(rows <= (batch // 4 + 1) * pairs.CHUNK for batch, rows in enumerate(ahead))


async def test_who_watches_hears_of_every_chunk(tmp_path: Path) -> None:
    heard: list[tuple[int, int]] = []
    await run(
        jsonl(tmp_path / "in.jsonl", 1300), tmp_path / "o.jsonl", watch=lambda done, bad: heard.append((done, bad))
    )
    assert heard == [(512, 0), (1024, 0), (1300, 0)]


async def test_a_table_of_tabs_and_one_of_semicolons(tmp_path: Path) -> None:
    (tmp_path / "semi.csv").write_bytes("claim;target\nä;ö,x\n".encode())
    (tmp_path / "in.tsv").write_bytes(b"claim\ttarget\nx, y\tz\n")
    await run(tmp_path / "in.tsv", tmp_path / "out.tsv")
    await run(tmp_path / "semi.csv", tmp_path / "semi-out.csv")
    for name, delimiter in (("out.tsv", "\t"), ("semi-out.csv", ";")):
        with (tmp_path / name).open(encoding="utf-8", newline="") as stream:
            (row,) = csv.DictReader(stream, delimiter=delimiter)
        assert row["verdict"]
        assert row["method"] == "nli"
