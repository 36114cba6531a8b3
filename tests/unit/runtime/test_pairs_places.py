"""What stands beside the output of a table of pairs is somebody else's until it is known to be ours."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from adjudication_doubles import CONTRADICTS, ScriptedNLI
from bicameral.errors import PairsError
from bicameral.runtime.adjudicating import Adjudicators
from bicameral.runtime.pairs import PairsSummary, adjudicate_table

ROWS = "claim,target\nThe door is open.,The door is shut.\n"


async def weigh(folder: Path, out: str = "o.csv", *, restart: bool = False) -> PairsSummary:
    source = folder / "in.csv"
    source.write_text(ROWS, encoding="utf-8")
    return await adjudicate_table(source, folder / out, Adjudicators(nli=ScriptedNLI(CONTRADICTS)), restart=restart)


@pytest.mark.parametrize("name", [".o.csv.half", "o.csv.part"])
async def test_a_link_beside_the_output_is_never_written_through(tmp_path: Path, name: str) -> None:
    victim = tmp_path / "victim"
    victim.write_text("precious", encoding="utf-8")
    (tmp_path / name).symlink_to(victim)
    with pytest.raises(PairsError, match="Move it away"):
        await weigh(tmp_path)
    assert victim.read_text(encoding="utf-8") == "precious"
    assert not (tmp_path / "o.csv").exists()


@pytest.mark.parametrize("restart", [False, True])
@pytest.mark.parametrize("body", ["precious, no line break", "precious\n", '{"format":"other"}\n', "{"])
async def test_a_foreign_file_in_the_journals_place_is_left_as_it_is(tmp_path: Path, body: str, restart: bool) -> None:
    part = tmp_path / "o.csv.part"
    part.write_text(body, encoding="utf-8")
    if body == "{":  # how a journal begins whose first line was torn by a kill
        assert (await weigh(tmp_path, restart=restart)).rows == 1
        return
    with pytest.raises(PairsError, match="is no journal of such a run"):
        await weigh(tmp_path, restart=restart)
    assert part.read_text(encoding="utf-8") == body


async def test_a_pipe_in_the_journals_place_is_told_and_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "o.csv.part")
    with pytest.raises(PairsError, match="Move it away"):
        await weigh(tmp_path)


async def test_what_a_killed_run_left_half_written_is_made_anew(tmp_path: Path) -> None:
    (tmp_path / ".o.csv.half").write_text("half a tab", encoding="utf-8")
    assert (await weigh(tmp_path)).rows == 1
    assert (tmp_path / "o.csv").read_text(encoding="utf-8").count("genuine") == 1
    assert sorted(path.name for path in tmp_path.iterdir()) == ["in.csv", "o.csv"]


async def test_a_name_with_no_room_for_those_beside_it_is_refused(tmp_path: Path) -> None:
    with pytest.raises(PairsError, match="shorter"):
        await weigh(tmp_path, "a" * 247 + ".csv")


async def test_parquet_text_that_is_no_utf8_is_a_bad_row_and_carried_through(tmp_path: Path) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    claims = pa.array([b"The door is open.", b"\xff\xfe"], pa.binary()).view(pa.string())
    table = pa.Table.from_arrays([claims, pa.array(["The door is shut.", "b"])], names=["claim", "target"])
    pq.write_table(table, tmp_path / "in.parquet")
    summary = await adjudicate_table(
        tmp_path / "in.parquet", tmp_path / "o.parquet", Adjudicators(nli=ScriptedNLI(CONTRADICTS))
    )
    assert (summary.rows, summary.bad_rows, summary.counts["genuine"]) == (2, 1, 1)
    assert pq.read_table(tmp_path / "o.parquet").column("verdict").to_pylist() == ["genuine", None]


def test_a_server_is_one_adjudicator_whether_its_answers_are_kept_or_not() -> None:
    class Served(ScriptedNLI):
        digest = "sha256:of-the-server"

    asked = "http://127.0.0.1:11435"
    bare = ScriptedNLI(CONTRADICTS)
    identities = [Adjudicators(nli=nli, asked=asked).identity() for nli in (Served(CONTRADICTS), bare)]
    assert identities[0] == identities[1]
    assert "127.0.0.1" not in str(Adjudicators(nli=bare, asked=asked).recorded())
