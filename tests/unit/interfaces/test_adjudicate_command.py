"""`bicameral adjudicate`: what it prints, what it refuses, and with which status."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from adjudication_doubles import CONTRADICTS, BatchingNLI, ScriptedLLM, raising
from bicameral.interfaces.cli._app import run
from bicameral.runtime import adjudicating
from bicameral.runtime.adjudicating import PACKAGED, SMALL, Adjudicators, open_adjudicators

CLAIM, TARGET = "The port is 9090.", "The port is 8080."


@pytest.fixture
def weighed_by(monkeypatch: pytest.MonkeyPatch) -> Any:
    """`weighed_by(nli, llm)` puts doubles in the place of what the flags name."""

    def put(nli: Any, llm: Any = None, *, tier: str = "medium") -> None:
        @asynccontextmanager
        async def opened(**flags: Any) -> AsyncIterator[Adjudicators]:
            yield Adjudicators(nli=nli, llm=llm, llm_tier=tier, asked=flags["nli"])

        monkeypatch.setattr(adjudicating, "open_adjudicators", opened)

    return put


def test_a_pair_as_json_is_one_document(weighed_by: Any, capsys: pytest.CaptureFixture[str]) -> None:
    weighed_by(BatchingNLI(lambda p, h: CONTRADICTS))
    assert run(["adjudicate", CLAIM, "--against", TARGET, "--json"]) == 0
    told = capsys.readouterr()
    assert json.loads(told.out) == {
        "verdict": "genuine",
        "confidence": 0.9,
        "method": "nli",
        "reasoning": "NLI (scripted): contradiction [c=0.90, e=0.05, n=0.05], target as premise",
        "tier_capped": False,
    }
    assert told.err == ""


def test_a_newcomer_is_told_what_it_means_and_that_the_model_is_small(
    weighed_by: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    weighed_by(BatchingNLI(lambda p, h: CONTRADICTS))
    assert run(["adjudicate", CLAIM, "--against", TARGET]) == 0
    out = capsys.readouterr().out
    assert out.startswith("genuine (90% sure): Both cannot be true of the same time.\n")
    assert SMALL in out
    assert run(["adjudicate", CLAIM, "--against", TARGET, "--nli", "http://127.0.0.1:1"]) == 0
    assert SMALL not in capsys.readouterr().out


def test_a_capped_tier_is_said(weighed_by: Any, capsys: pytest.CaptureFixture[str]) -> None:
    weighed_by(None, ScriptedLLM({"verdict": "genuine", "confidence": 0.5, "reasoning": "r\x1b[2J"}), tier="low")
    assert run(["adjudicate", CLAIM, "--against", TARGET]) == 0
    out = capsys.readouterr().out
    assert "low tier" in out
    assert "\x1b" not in out


def test_nobody_asked_is_no_failure_and_nobody_answering_is(
    weighed_by: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["adjudicate", CLAIM, "--against", TARGET, "--nli", "none", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["method"] == "none"
    weighed_by(BatchingNLI(raising(ValueError("the disk is gone"))))
    assert run(["adjudicate", CLAIM, "--against", TARGET, "--json"]) == 2
    told = capsys.readouterr()
    assert json.loads(told.out)["verdict"] == "tension"
    assert "the disk is gone" in told.err


@pytest.mark.parametrize(
    "words",
    [
        [],
        [CLAIM],
        ["--against", TARGET],
        [CLAIM, "--against", TARGET, "--scan", "."],
        ["--pairs", "in.csv"],
        ["--out", "out.csv"],
        [CLAIM, "--against", TARGET, "--out", "o.csv"],
        ["--pairs", "in.csv", "--out", "out.csv", "--scan", "."],
        [CLAIM, "--against", TARGET, "--max-pairs", "3"],
        [CLAIM, "--against", TARGET, "--nli", "some-model"],
        [CLAIM, "--against", TARGET, "--llm-tier", "huge"],
        [CLAIM, "--against", TARGET, "--timeout", "0"],
        [CLAIM, "--against", TARGET, "--nli", "none", "--llm", "nobody-knows:it"],
    ],
)
def test_what_cannot_be_done_is_refused_with_status_2(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["adjudicate", *words, "--json"]) == 2
    told = capsys.readouterr()
    assert json.loads(told.out)["error"]["message"]
    assert told.err


def test_a_table_is_weighed_and_bad_rows_end_with_status_2(
    weighed_by: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    weighed_by(BatchingNLI(lambda p, h: CONTRADICTS))
    source, out = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    source.write_text('{"claim": "a", "target": "b"}\n', encoding="utf-8")
    assert run(["adjudicate", "--pairs", str(source), "--out", str(out)]) == 0
    assert "1 of 1 rows weighed" in capsys.readouterr().out
    source.write_text('{"claim": "a", "target": "b"}\nbroken\n', encoding="utf-8")
    words = ["adjudicate", "--pairs", str(source), "--out", str(out)]
    assert run(words) == 2
    assert "--overwrite" in capsys.readouterr().err
    assert run([*words, "--overwrite", "--json"]) == 2
    document = json.loads(capsys.readouterr().out)
    assert document["counts"]["genuine"] == document["bad_rows"] == 1
    assert document["bad"][0]["where"] == "line 2"
    assert document["resumed"] == 0
    assert run([*words, "--overwrite"]) == 2
    assert "line 2: the line is no JSON" in capsys.readouterr().out


def test_a_scan_tells_places_and_what_it_did_not_compare(
    weighed_by: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    weighed_by(BatchingNLI(lambda p, h: CONTRADICTS))
    (tmp_path / "a.md").write_text("# Ports\n\nThe gateway listens on port 80.\n\nMy cat is black.", encoding="utf-8")
    (tmp_path / "b.md").write_text("The gateway listens on port 81.\n", encoding="utf-8")
    assert run(["adjudicate", "--scan", str(tmp_path), "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    (found,) = document["contradictions"]
    assert (found["target"]["file"], found["target"]["line"]) == ("a.md", 3)
    assert (found["claim"]["file"], found["claim"]["line"]) == ("b.md", 1)
    pairs = document["pairs"]
    assert pairs["compared"] + sum(pairs["not_compared"].values()) == pairs["possible"] == 3
    (tmp_path / "c.md").write_bytes(b"\xff")
    assert run(["adjudicate", "--scan", str(tmp_path)]) == 2
    out = capsys.readouterr().out
    assert "  a.md:3: The gateway listens on port 80.\n  b.md:1: The gateway listens on port 81.\n" in out
    assert "1 of 3 pairs compared, 1 contradictions" in out
    assert "Not compared: 2 pairs share no rare word" in out
    assert "skipped c.md: byte 1 is no UTF-8" in out


async def test_names_open_what_they_say_and_it_is_closed() -> None:
    async with open_adjudicators(nli="none") as nobody:
        assert (nobody.nli, nobody.llm, nobody.packaged) == (None, None, False)
    async with open_adjudicators(nli="http://127.0.0.1:9") as remote:
        assert remote.nli is not None
        assert remote.identity()["nli"] == "http://127.0.0.1:9"
    assert PACKAGED == "packaged"
